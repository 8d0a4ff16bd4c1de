package io.idempotency.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class IdentityTests {

    @Test
    void everyPartCounts() {
        Identity identity = Identity.of("shop", "pay", "ada", "k");

        assertThat(identity)
                .isEqualTo(Identity.of("shop", "pay", "ada", "k"))
                .isNotEqualTo(Identity.of("bank", "pay", "ada", "k"))
                .isNotEqualTo(Identity.of("shop", "refund", "ada", "k"))
                .isNotEqualTo(Identity.of("shop", "pay", "bob", "k"))
                .isNotEqualTo(Identity.of("shop", "pay", "ada", "l"));
    }

    @Test
    void partsDoNotRunIntoEachOther() {
        assertThat(Identity.of("shop", "pay", "ad", "ak")).isNotEqualTo(Identity.of("shop", "pay", "ada", "k"));
        assertThat(Identity.of("shop", "pay", "", "k")).isNotEqualTo(Identity.of("shop", "pay", null, "k"));
    }

    @Test
    void itIsRestoredFromItsDigest() {
        Identity identity = Identity.of("shop", "pay", null, "k");

        assertThat(Identity.ofDigest("pay", identity.digest()))
                .isEqualTo(identity)
                .hasSameHashCodeAs(identity);
        assertThatIllegalArgumentException().isThrownBy(() -> Identity.ofDigest("pay", new byte[31]));
    }

    @Test
    void everyByteOfTheDigestCounts() {
        Identity identity = Identity.of("shop", "pay", null, "k");
        for (int index = 0; index < Identity.DIGEST_LENGTH; index++) {
            byte[] digest = identity.digest();
            digest[index] ^= 1;

            assertThat(Identity.ofDigest("pay", digest)).isNotEqualTo(identity);
        }
    }

    @Test
    void itsDigestIsThatOfItsParts() {
        byte[] digest = FramedDigest.sha256("shop", "pay", null, "k");
        Identity identity = Identity.of("shop", "pay", null, "k");

        assertThat(identity.digest()).isEqualTo(digest);
        assertThat(identity.hex()).isEqualTo(HexFormat.of().formatHex(digest));
        assertThat(identity).hasToString("pay#" + HexFormat.of().formatHex(digest, 0, 4));
    }

    @Test
    void itsTextShowsNeitherScopeNorKey() {
        assertThat(Identity.of("shop", "pay", "ada@example.com", "secret"))
                .asString()
                .matches("pay#[0-9a-f]{8}");
    }
}
