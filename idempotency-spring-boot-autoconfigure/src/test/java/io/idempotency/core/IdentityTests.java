package io.idempotency.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

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
    void itsTextShowsNeitherScopeNorKey() {
        assertThat(Identity.of("shop", "pay", "ada@example.com", "secret"))
                .asString()
                .matches("pay#[0-9a-f]{8}");
    }
}
