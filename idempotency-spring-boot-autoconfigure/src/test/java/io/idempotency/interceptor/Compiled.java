package io.idempotency.interceptor;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.tools.ToolProvider;

/** Classes that cannot be among the test sources: made without parameter names, or of packages that are not ours. */
final class Compiled {

    private Compiled() {}

    /** Compiles sources by class name without {@code -parameters} or debugging information, and loads one of them. */
    static Class<?> load(Path directory, String name, Map<String, String> sources) throws Exception {
        List<String> arguments = new ArrayList<>(List.of("-g:none", "-d", directory.toString()));
        for (Map.Entry<String, String> source : sources.entrySet()) {
            Path file = directory.resolve(source.getKey().replace('.', '/') + ".java");
            Files.createDirectories(file.getParent());
            arguments.add(Files.writeString(file, source.getValue()).toString());
        }
        int status = ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new));
        if (status != 0) {
            throw new IllegalStateException("The compiler ended with " + status);
        }
        URLClassLoader loader = new URLClassLoader(new URL[] {directory.toUri().toURL()});
        return Class.forName(name, true, loader);
    }
}
