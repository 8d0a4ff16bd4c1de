package io.idempotency.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdempotencyKeyTests {

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\t", "a\u0000b", "a\r\nb", "a\u007fb", "a\ud800b", "a\u0085b"})
    void whatCannotBeStoredAsTextIsNoKey(String value) {
        assertThatIllegalArgumentException().isThrownBy(() -> new IdempotencyKey("pay", null, value));
    }

    @ParameterizedTest
    @ValueSource(strings = {"k", " k ", "Straße", "\ud83d\ude00", "ada@example.com"})
    void everyOtherTextIs(String value) {
        assertThat(new IdempotencyKey("pay", null, value).value()).isEqualTo(value);
    }

    @Test
    void theLengthIsLimited() {
        assertThat(new IdempotencyKey("pay", null, "k".repeat(1024)).value()).hasSize(1024);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new IdempotencyKey("pay", null, "k".repeat(1025)))
                .withMessageContaining("digest");
    }

    @Test
    void messagesAndTextShowNoPartOfTheKey() {
        assertThat(new IdempotencyKey("pay", "ada", "secret")).asString().isEqualTo("IdempotencyKey[operation=pay]");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new IdempotencyKey("pay", null, "secret\n"))
                .satisfies(failure -> assertThat(failure.getMessage()).doesNotContain("secret"));
    }
}
