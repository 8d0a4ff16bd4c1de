package io.idempotency.web;

import io.idempotency.core.FramedDigest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
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

    @SuppressWarnings("ArrayRecordComponent") // members are digested, not compared
    private record Member(String name, byte[] value) {}

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
            byte[] digest = value(parser, first, "");
            return parser.nextToken() == null ? Optional.of(digest) : Optional.empty();
        } catch (JacksonException invalid) {
            return Optional.empty();
        }
    }

    /**
     * @param prefix what the paths of the members of this value begin with
     */
    private byte[] value(JsonParser parser, JsonToken token, String prefix) {
        return switch (token) {
            case START_OBJECT -> object(parser, prefix);
            case START_ARRAY -> array(parser, prefix);
            case VALUE_STRING -> FramedDigest.sha256("string", parser.getString());
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> FramedDigest.sha256("number", parser.getString());
            default -> FramedDigest.sha256("literal", parser.getString());
        };
    }

    private byte[] object(JsonParser parser, String prefix) {
        List<Member> members = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            JsonToken token = parser.nextToken();
            String path = prefix + name;
            if (ignoredFields.contains(path)) {
                parser.skipChildren();
            } else {
                members.add(new Member(name, value(parser, token, path + '.')));
            }
        }
        members.sort(Comparator.comparing(Member::name));
        List<byte[]> parts = new ArrayList<>();
        parts.add("object".getBytes(StandardCharsets.UTF_8));
        for (Member member : members) {
            parts.add(member.name().getBytes(StandardCharsets.UTF_8));
            parts.add(member.value());
        }
        return FramedDigest.sha256(parts.toArray(byte[][]::new));
    }

    private byte[] array(JsonParser parser, String prefix) {
        List<byte[]> parts = new ArrayList<>();
        parts.add("array".getBytes(StandardCharsets.UTF_8));
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            parts.add(value(parser, token, prefix));
        }
        return FramedDigest.sha256(parts.toArray(byte[][]::new));
    }
}
