package io.idempotency.web;

import io.idempotency.web.CanonicalBytes.Member;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.JsonRecyclerPools;

/**
 * Brings JSON documents into the form by which their contents are compared: the order of the members of an object, spacing and escapes do not matter. The
 * order of an array matters, a member that is {@code null} differs from one that is absent, and numbers are compared as
 * they are written, so that {@code 1.0} differs from {@code 1.00}.
 */
final class CanonicalJson {

    /**
     * Limits depth and lengths by itself; what is beyond its limits counts as no JSON. Each thread keeps its buffers, which
     * costs less than to leave them where all threads take theirs; a virtual one that lives for one request makes its own.
     */
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .recyclerPool(JsonRecyclerPools.threadLocalPool())
            .build();

    private final Set<String> ignoredFields;

    /**
     * @param ignoredFields the members that are left out, each as the path from the root with dots between names
     */
    CanonicalJson(Set<String> ignoredFields) {
        this.ignoredFields = ignoredFields;
    }

    /** Returns the canonical form of one document, about as long as it; empty where the bytes are no JSON document. */
    Optional<byte[]> bytes(byte[] document) {
        try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), document)) {
            JsonToken first = parser.nextToken();
            if (first == null) {
                return Optional.empty();
            }
            CanonicalBytes bytes = new CanonicalBytes(document.length + 64);
            add(parser, first, ignoredFields, bytes);
            return parser.nextToken() == null ? Optional.of(bytes.toArray()) : Optional.empty();
        } catch (JacksonException invalid) {
            return Optional.empty();
        }
    }

    /**
     * Adds the kind of a value and what it holds.
     *
     * @param ignored the paths, from this value, of the members that are left out
     */
    private static void add(JsonParser parser, JsonToken token, Set<String> ignored, CanonicalBytes bytes) {
        switch (token) {
            case START_OBJECT -> addObject(parser, ignored, bytes);
            case START_ARRAY -> addArray(parser, ignored, bytes);
            case VALUE_STRING -> addText(parser, 's', bytes);
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> addText(parser, 'n', bytes);
            default -> addText(parser, 'l', bytes);
        }
    }

    private static void addText(JsonParser parser, char kind, CanonicalBytes bytes) {
        bytes.add(kind);
        char[] text = parser.getStringCharacters();
        bytes.addText(text, parser.getStringOffset(), parser.getStringLength());
    }

    private static void addObject(JsonParser parser, Set<String> ignored, CanonicalBytes bytes) {
        List<Member> members = new ArrayList<>();
        bytes.add('{');
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            JsonToken token = parser.nextToken();
            if (ignored.contains(name)) {
                parser.skipChildren();
            } else {
                int start = bytes.size();
                bytes.add(':');
                bytes.addText(name.toCharArray(), 0, name.length());
                int nameEnd = bytes.size();
                add(parser, token, below(name, ignored), bytes);
                members.add(new Member(start, nameEnd, bytes.size()));
            }
        }
        bytes.sort(members);
        bytes.add('}');
    }

    private static void addArray(JsonParser parser, Set<String> ignored, CanonicalBytes bytes) {
        bytes.add('[');
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            add(parser, token, ignored, bytes);
        }
        bytes.add(']');
    }

    /** Returns what is left of the paths that lead through a member of this name. */
    private static Set<String> below(String name, Set<String> paths) {
        if (paths.isEmpty()) {
            return paths;
        }
        String prefix = name + '.';
        return paths.stream()
                .filter(path -> path.startsWith(prefix))
                .map(path -> path.substring(prefix.length()))
                .collect(Collectors.toSet());
    }
}
