package io.idempotency.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.annotation.Idempotent;
import io.idempotency.core.IdempotencyStore;
import io.idempotency.store.memory.InMemoryIdempotencyStore;
import io.idempotency.testsupport.CapturedLog;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;

/** The start tells of methods whose lease is not longer than the time that the store may take, and goes on. */
class ShortLeaseOfMethodTests extends WithCheckedBeans {

    @Test
    void isSaidOnceForEachMethodThatHasOneOfItsOwn() {
        try (CapturedLog log = new CapturedLog(IdempotentMethodVerifier.class.getName(), "WARN")) {
            storeless
                    .withBean(IdempotencyStore.class, ShortLeaseOfMethodTests::remoteStore)
                    .withBean("first", Hasty.class)
                    .withBean("second", Hasty.class)
                    .run(context -> assertThat(context).hasNotFailed());

            assertThat(log.lines())
                    .singleElement()
                    .asString()
                    .contains(Hasty.class.getName() + ".pay(java.lang.String)")
                    .contains("PT1S")
                    .contains("idempotency.lease")
                    .contains("idempotency.store-timeout");
        }
    }

    /** The one in memory has no time limit. */
    private static IdempotencyStore remoteStore() {
        InMemoryIdempotencyStore memory = new InMemoryIdempotencyStore(100);
        return (IdempotencyStore) Proxy.newProxyInstance(
                IdempotencyStore.class.getClassLoader(),
                new Class<?>[] {IdempotencyStore.class},
                (proxy, verb, arguments) -> verb.invoke(memory, arguments));
    }

    static class Hasty {

        @Idempotent(key = "#p0", lease = "1s")
        public void pay(String id) {}

        @Idempotent(key = "#p0")
        public void refund(String id) {}
    }
}
