package io.idempotency.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FramedDigestTests {

    @Test
    void noTwoListsOfPartsHaveOneDigest() {
        List<@Nullable String[]> lists = List.of(
                new @Nullable String[] {},
                new @Nullable String[] {""},
                new @Nullable String[] {null},
                new @Nullable String[] {"", ""},
                new @Nullable String[] {"ab", "c"},
                new @Nullable String[] {"a", "bc"},
                new @Nullable String[] {"abc"},
                new @Nullable String[] {"?"},
                new @Nullable String[] {"\ud800"},
                new @Nullable String[] {"\ud801"},
                new @Nullable String[] {"\ud800", ""},
                new @Nullable String[] {"\ud800\udc00"});

        Stream<String> digests = lists.stream().map(FramedDigestTests::hex);

        assertThat(digests).doesNotHaveDuplicates();
    }

    @Test
    void aTextHasTheDigestOfItsBytes() {
        assertThat(FramedDigest.sha256("\u00e9")).isEqualTo(FramedDigest.sha256(new byte[] {(byte) 0xc3, (byte) 0xa9}));
    }

    @Test
    void whatWasBrokenOffLeavesNothingBehind() {
        MessageDigest digest = FramedDigest.newSha256();
        new FramedParts(digest, 10_000).add(new byte[10_000]);

        FramedParts next = new FramedParts(digest, 5);
        next.add("a");

        assertThat(next.digest()).isEqualTo(FramedDigest.sha256("a"));
    }

    @Test
    void theDigestDoesNotChange() {
        assertThat(hex(new String[] {"a"}))
                .isEqualTo("72ff6b02949dad95006c343e3db3150090d3afb49f6bbdb92fdc17607997a85c");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 100, 498, 499, 500, 503, 504, 507, 508, 509, 512, 513, 1024, 5000})
    void theDigestIsThatOfAllFramesHoweverLongTheyAre(int length) {
        for (String unit : List.of("a", "\u00e9", "\ud83d\ude00")) {
            String part = unit.repeat(length);
            byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
            byte[] expected = sha256(framed("x".getBytes(StandardCharsets.UTF_8), bytes, new byte[0], bytes));

            assertThat(FramedDigest.sha256("x", part, "", part)).isEqualTo(expected);
            assertThat(FramedDigest.sha256(new byte[] {'x'}, bytes, new byte[0], bytes))
                    .isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 499, 503, 507, 5000})
    void anAbsentPartIsAFrameWithoutBytesWhereverItStands(int length) {
        String part = "a".repeat(length);
        ByteBuffer framed = ByteBuffer.allocate(3 * Integer.BYTES + length);
        framed.putInt(-1)
                .putInt(length)
                .put(part.getBytes(StandardCharsets.UTF_8))
                .putInt(-1);

        assertThat(FramedDigest.sha256(null, part, null)).isEqualTo(sha256(framed.array()));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100, 600})
    void aTextWithoutUtf8IsDigestedByItsUnits(int length) {
        String part = "\ud800".repeat(length);
        ByteBuffer framed = ByteBuffer.allocate(Integer.BYTES + Character.BYTES * length);
        framed.putInt(-2 - length).asCharBuffer().put(part);

        assertThat(FramedDigest.sha256(part)).isEqualTo(sha256(framed.array()));
    }

    private static byte[] framed(byte[]... parts) {
        ByteBuffer framed = ByteBuffer.allocate(
                Stream.of(parts).mapToInt(part -> Integer.BYTES + part.length).sum());
        for (byte[] part : parts) {
            framed.putInt(part.length).put(part);
        }
        return framed.array();
    }

    private static byte[] sha256(byte[] bytes) {
        return FramedDigest.newSha256().digest(bytes);
    }

    private static String hex(@Nullable String[] parts) {
        return HexFormat.of().formatHex(FramedDigest.sha256(parts));
    }
}
