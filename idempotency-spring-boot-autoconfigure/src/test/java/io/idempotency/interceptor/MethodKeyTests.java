package io.idempotency.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.idempotency.annotation.Idempotent;
import io.idempotency.core.InvalidIdempotencyKeyException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MethodKeyTests extends InAShop {

    @Test
    void theSameKeyOfAnotherScopeIsAnotherOperation() {
        assertThat(proxy.scoped("k", "acme")).isEqualTo("1");
        assertThat(proxy.scoped("k", "emca")).isEqualTo("2");
        assertThat(proxy.scoped("k", "acme")).isEqualTo("1");
        assertThatExceptionOfType(InvalidIdempotencyKeyException.class)
                .isThrownBy(() -> proxy.scoped("k", null))
                .withMessageContaining("scope")
                .withMessageContaining("Shop.scoped");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "\t"})
    void aBlankKeyIsAnError(String key) {
        assertThatExceptionOfType(InvalidIdempotencyKeyException.class)
                .isThrownBy(() -> proxy.order(key, BigDecimal.TEN))
                .withMessageContaining("Shop.order")
                .withMessageContaining("#id");
        assertThat(shop.runs).hasValue(0);
    }

    @Test
    void anUnusableKeyIsAnErrorThatDoesNotShowIt() {
        for (String key : List.of("jane@example.com\r\n", "jane@example.com\u0000", "jane".repeat(300), "jane\uD800")) {
            assertThatExceptionOfType(InvalidIdempotencyKeyException.class)
                    .isThrownBy(() -> proxy.order(key, BigDecimal.TEN))
                    .withMessageContaining("Shop.order")
                    .withMessageNotContaining("jane")
                    .extracting(InvalidIdempotencyKeyException::reason)
                    .isEqualTo(InvalidIdempotencyKeyException.Reason.MALFORMED);
        }
        assertThat(shop.runs).hasValue(0);
        assertThat(proxy.order("ключ 🗝", BigDecimal.TEN)).isNotNull();
    }

    @Test
    void otherKeysDoNotWaitForEachOther() throws Exception {
        Meeting meeting = proxy(new Meeting(), true);
        int keys = 20;
        CountDownLatch together = new CountDownLatch(keys);
        ExecutorService threads = Executors.newFixedThreadPool(keys);
        try {
            List<Future<Boolean>> calls = new ArrayList<>();
            for (int index = 0; index < keys; index++) {
                String key = "k-" + index;
                calls.add(threads.submit(() -> meeting.join(key, together)));
            }
            for (Future<Boolean> call : calls) {
                assertThat(call.get(20, TimeUnit.SECONDS)).isTrue();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    static class Meeting {

        @Idempotent(key = "#p0", fingerprint = "NONE")
        public boolean join(String id, CountDownLatch together) throws InterruptedException {
            together.countDown();
            return together.await(10, TimeUnit.SECONDS);
        }
    }
}
