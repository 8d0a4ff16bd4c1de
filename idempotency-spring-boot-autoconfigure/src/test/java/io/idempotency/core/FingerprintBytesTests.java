package io.idempotency.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class FingerprintBytesTests {

    @Test
    void itsBytesAreTheVersionAndTheDigest() {
        byte[] bytes = Fingerprint.of("a", "b").bytes();

        assertThat(bytes).hasSize(Fingerprint.LENGTH).startsWith(1).endsWith(FramedDigest.sha256("a", "b"));
    }

    @Test
    void itIsRestoredFromItsBytes() {
        Fingerprint fingerprint = Fingerprint.of("asked");

        Fingerprint restored = Fingerprint.ofBytes(fingerprint.bytes());

        assertThat(restored).isEqualTo(fingerprint).hasSameHashCodeAs(fingerprint);
        assertThat(restored.bytes()).isEqualTo(fingerprint.bytes());
    }

    @Test
    void oneThatComparesNothingEqualsItselfOnly() {
        assertThat(Fingerprint.none().bytes()).isEqualTo(new byte[Fingerprint.LENGTH]);
        assertThat(Fingerprint.ofBytes(Fingerprint.none().bytes())).isEqualTo(Fingerprint.none());
        assertThat(Fingerprint.of(new String[0])).isNotEqualTo(Fingerprint.none());
    }

    @Test
    void theVersionCounts() {
        byte[] bytes = Fingerprint.of("asked").bytes();
        Fingerprint fingerprint = Fingerprint.ofBytes(bytes);

        bytes[0] = 0;

        assertThat(Fingerprint.ofBytes(bytes)).isNotEqualTo(fingerprint);
    }

    @Test
    void everyByteOfTheDigestCounts() {
        Fingerprint fingerprint = Fingerprint.of("asked");
        for (int index = 1; index < Fingerprint.LENGTH; index++) {
            byte[] bytes = fingerprint.bytes();
            bytes[index] ^= 1;

            assertThat(Fingerprint.ofBytes(bytes)).isNotEqualTo(fingerprint);
        }
    }

    @Test
    void bytesOfAnotherLengthOrVersionAreRefused() {
        byte[] bytes = Fingerprint.of("asked").bytes();
        bytes[0] = 2;

        assertThatIllegalArgumentException().isThrownBy(() -> Fingerprint.ofBytes(new byte[32]));
        assertThatIllegalArgumentException().isThrownBy(() -> Fingerprint.ofBytes(new byte[34]));
        assertThatIllegalArgumentException().isThrownBy(() -> Fingerprint.ofBytes(bytes));
    }

    @Test
    void itsTextShowsTheBeginningOfTheDigest() {
        byte[] digest = FramedDigest.sha256("asked");

        assertThat(Fingerprint.of("asked"))
                .hasToString("v1:%02x%02x%02x%02x".formatted(digest[0], digest[1], digest[2], digest[3]));
        assertThat(Fingerprint.none()).hasToString("none");
    }
}
