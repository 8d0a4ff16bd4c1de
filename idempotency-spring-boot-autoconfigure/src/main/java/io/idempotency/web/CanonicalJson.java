package io.idempotency.web;

import io.idempotency.core.FramedDigest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Digests JSON documents by their content: the order of the members of an object, spacing and escapes do not matter. The
 * order of an array matters, a member that is {@code null} differs from one that is absent, and numbers are compared as
 * they are written, so that {@code 1.0} differs from {@code 1.00}.
 */
final class CanonicalJson {

    /** Limits depth and lengths by itself; what is beyond its limits counts as no JSON. */
    private static final JsonFactory FACTORY = new JsonFactory();

    private record Member(String name, List<String> value) {}

    private final Set<String> ignoredFields;

    /**
     * @param ignoredFields the members that are left out, each as the path from the root with dots between names
     */
    CanonicalJson(Set<String> ignoredFields) {
        this.ignoredFields = ignoredFields;
    }

    /** Digests one document; empty where the bytes are no JSON document. */
    Optional<byte[]> digest(byte[] document) {
        try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), document)) {
            JsonToken first = parser.nextToken();
            if (first == null) {
                return Optional.empty();
            }
            List<String> texts = texts(parser, first, "");
            return parser.nextToken() == null ? Optional.of(digest(texts)) : Optional.empty();
        } catch (JacksonException invalid) {
            return Optional.empty();
        }
    }

    private static byte[] digest(List<String> texts) {
        return FramedDigest.sha256(texts.toArray(String[]::new));
    }

    /**
     * Returns the kind of a value and what it holds.
     *
     * @param prefix what the paths of the members of this value begin with
     */
    private List<String> texts(JsonParser parser, JsonToken token, String prefix) {
        return switch (token) {
            case START_OBJECT -> object(parser, prefix);
            case START_ARRAY -> array(parser, prefix);
            case VALUE_STRING -> List.of("string", parser.getString());
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> List.of("number", parser.getString());
            default -> List.of("literal", parser.getString());
        };
    }

    private List<String> object(JsonParser parser, String prefix) {
        List<Member> members = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            JsonToken token = parser.nextToken();
            String path = prefix + name;
            if (ignoredFields.contains(path)) {
                parser.skipChildren();
            } else {
                members.add(new Member(name, part(parser, token, path + '.')));
            }
        }
        members.sort(Comparator.comparing(Member::name));
        List<String> texts = new ArrayList<>(1 + 3 * members.size());
        texts.add("object");
        for (Member member : members) {
            texts.add(member.name());
            texts.addAll(member.value());
        }
        return texts;
    }

    private List<String> array(JsonParser parser, String prefix) {
        List<String> texts = new ArrayList<>();
        texts.add("array");
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            texts.addAll(part(parser, token, prefix));
        }
        return texts;
    }

    /** Returns the two texts that a value is inside of another one, which are its kind and itself or its digest. */
    private List<String> part(JsonParser parser, JsonToken token, String prefix) {
        List<String> texts = texts(parser, token, prefix);
        return token.isScalarValue()
                ? texts
                : List.of(texts.get(0), HexFormat.of().formatHex(digest(texts)));
    }
}
