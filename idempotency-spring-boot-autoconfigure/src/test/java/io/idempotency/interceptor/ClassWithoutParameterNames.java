package io.idempotency.interceptor;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;

/** A class as a compiler makes it without {@code -parameters} and without debugging information. */
final class ClassWithoutParameterNames {

    private ClassWithoutParameterNames() {}

    static Class<?> compile(Path directory) throws Exception {
        Path source = Files.writeString(
                directory.resolve("Shop.java"), "public class Shop { public void pay(String orderId) {} }");
        int status = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-g:none", "-d", directory.toString(), source.toString());
        if (status != 0) {
            throw new IllegalStateException("The compiler ended with " + status);
        }
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {directory.toUri().toURL()})) {
            return loader.loadClass("Shop");
        }
    }
}
