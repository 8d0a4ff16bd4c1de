package io.idempotency.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.core.OperationInProgressException;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class MethodWithFutureTests extends InAShop {

    @Test
    void aFutureIsRecordedWhenItCompletes() {
        CompletableFuture<Order> first = proxy.later("k");
        assertThatExceptionOfType(OperationInProgressException.class).isThrownBy(() -> proxy.later("k"));
        assertThat(first).isNotDone();

        Order order = new Order("o-1", BigDecimal.ONE, Instant.EPOCH);
        shop.pending.complete(order);

        assertThat(first).isCompletedWithValue(order);
        assertThat(proxy.later("k")).isCompletedWithValue(order);
        assertThat(proxy.stage("s").toCompletableFuture()).isCompletedWithValue(List.of("a"));
        assertThat(proxy.stage("s").toCompletableFuture()).isCompletedWithValue(List.of("a"));
        assertThat(shop.runs).hasValue(2);
    }

    @Test
    void aFutureThatFailsReleasesTheKeyAndFailsWithTheSameObject() {
        CompletableFuture<Order> first = proxy.later("k");
        IOException failure = new IOException("broken");

        shop.pending.completeExceptionally(failure);

        assertThat(first).isCompletedExceptionally();
        assertThat(first.handle((value, thrown) -> thrown)).isCompletedWithValue(failure);
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(first::join)
                .havingCause()
                .isSameAs(failure);
        shop.pending = CompletableFuture.completedFuture(new Order("o-2", BigDecimal.ONE, Instant.EPOCH));
        assertThat(proxy.later("k")).isCompletedWithValue(new Order("o-2", BigDecimal.ONE, Instant.EPOCH));
        assertThat(shop.runs).hasValue(2);
    }

    @Test
    void aMethodThatReturnsNoFutureAtAllReleasesTheKey() {
        shop.pending = null;

        assertThatThrownBy(() -> proxy.later("k"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Shop.later");
        assertThatThrownBy(() -> proxy.later("k")).isInstanceOf(IllegalStateException.class);
        assertThat(shop.runs).hasValue(2);
    }
}
