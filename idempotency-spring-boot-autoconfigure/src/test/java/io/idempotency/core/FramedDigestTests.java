package io.idempotency.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

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
    void theDigestDoesNotChange() {
        assertThat(hex(new String[] {"a"}))
                .isEqualTo("72ff6b02949dad95006c343e3db3150090d3afb49f6bbdb92fdc17607997a85c");
    }

    private static String hex(@Nullable String[] parts) {
        return HexFormat.of().formatHex(FramedDigest.sha256(parts));
    }
}
