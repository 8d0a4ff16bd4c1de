package io.idempotency.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.idempotency.annotation.Idempotent;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RefusedMethodTests extends InAShop {

    @Test
    void aMethodWithoutKeyDoesNotRunUnprotected() {
        assertThatExceptionOfType(InvalidIdempotentMethodException.class)
                .isThrownBy(() -> proxy.keyless("x"))
                .withMessageContaining("Shop.keyless")
                .withMessageContaining("key = ");
        assertThat(shop.runs).hasValue(0);
    }

    @Test
    void anAnnotationThatCannotBeHonouredDoesNotRunUnprotected() {
        Misspelt target = new Misspelt();
        Misspelt misspelt = proxy(target, true);

        assertThatExceptionOfType(InvalidIdempotentMethodException.class)
                .isThrownBy(() -> misspelt.pay("k"))
                .withMessageContaining("Misspelt.pay");
        assertThat(target.runs).hasValue(0);
    }

    @Test
    void anUnsupportedReturnTypeDoesNotRun() {
        assertThatExceptionOfType(InvalidIdempotentMethodException.class)
                .isThrownBy(() -> proxy.stream("k"))
                .withMessageContaining("Shop.stream(java.lang.String)")
                .withMessageContaining("List");
        assertThat(shop.runs).hasValue(0);
    }

    static class Misspelt {

        final AtomicInteger runs = new AtomicInteger();

        @Idempotent("#odrer")
        public void pay(String order) {
            runs.incrementAndGet();
        }
    }
}
