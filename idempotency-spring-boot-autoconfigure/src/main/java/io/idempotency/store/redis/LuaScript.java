package io.idempotency.store.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.springframework.data.redis.core.script.DigestUtils;

/**
 * The script of one verb.
 *
 * @param verb names the script in messages
 * @param source the layout of a record, then the verb
 * @param sha1 the name by which Redis knows the script once it has seen it
 */
record LuaScript(String verb, String source, String sha1) {

    private static final String LAYOUT = resource("record.lua");

    static LuaScript of(String verb) {
        String source = LAYOUT + resource(verb + ".lua");
        return new LuaScript(verb, source, DigestUtils.sha1DigestAsHex(source));
    }

    byte[] bytes() {
        return source.getBytes(StandardCharsets.UTF_8);
    }

    private static String resource(String name) {
        try (InputStream input = LuaScript.class.getResourceAsStream(name)) {
            if (input == null) {
                throw new IllegalStateException("The script " + name + " is missing from the jar");
            }
            return new String(input.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException("The script " + name + " cannot be read", failure);
        }
    }
}
