package io.idempotency.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.idempotency.core.FingerprintMismatchException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ComparedArgumentTests extends InAShop {

    @Test
    void aRetryWithOtherArgumentsIsAMismatch() {
        Order first = proxy.order("k", BigDecimal.TEN);

        assertThatExceptionOfType(FingerprintMismatchException.class)
                .isThrownBy(() -> proxy.order("k", BigDecimal.ONE));
        assertThat(shop.runs).hasValue(1);
        assertThat(proxy.order("k", BigDecimal.TEN)).isEqualTo(first);
    }

    @Test
    void whatAMethodDoesToItsArgumentsIsNotCompared() {
        assertThat(proxy.pack("k", new ArrayList<>(List.of("book")))).isEqualTo(2);
        assertThat(proxy.pack("k", new ArrayList<>(List.of("book")))).isEqualTo(2);

        assertThat(shop.runs).hasValue(1);
    }

    @Test
    void whatIsComparedMayBeSaid() {
        proxy.byAmount("k", "note", BigDecimal.TEN);
        proxy.byAmount("k", "another note", BigDecimal.TEN);
        assertThat(shop.runs).hasValue(1);

        assertThatExceptionOfType(FingerprintMismatchException.class)
                .isThrownBy(() -> proxy.byAmount("k", "note", BigDecimal.ONE));

        proxy.uncompared("k", "a");
        proxy.uncompared("k", "b");
        assertThat(shop.runs).hasValue(2);
    }

    @Test
    void anArgumentThatCannotBeComparedStopsTheCallAndNamesTheRemedy() {
        assertThatExceptionOfType(InvalidIdempotentMethodException.class)
                .isThrownBy(() -> proxy.withRunnable("k", () -> {}))
                .withMessageContaining("Shop.withRunnable(java.lang.String,java.lang.Runnable)")
                .withMessageContaining("fingerprint = \"");
        assertThat(shop.runs).hasValue(0);
    }
}
