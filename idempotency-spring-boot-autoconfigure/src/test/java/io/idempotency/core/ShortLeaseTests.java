package io.idempotency.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.store.memory.InMemoryIdempotencyStore;
import io.idempotency.testsupport.CapturedLog;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A lease that is not longer than the time that the store may take. */
class ShortLeaseTests {

    private static final Duration STORE_TIMEOUT = Duration.ofSeconds(2);

    private final InMemoryIdempotencyStore memory = new InMemoryIdempotencyStore(1);

    private final FaultyStore remote = new FaultyStore(memory);

    @Test
    void ofAllOperationsIsSaidWhenTheEngineIsMade() {
        assertThat(said(remote, STORE_TIMEOUT))
                .singleElement()
                .asString()
                .contains("PT2S")
                .contains("idempotency.lease")
                .contains("idempotency.store-timeout");
    }

    @Test
    void isNoneThatIsLonger() {
        assertThat(said(remote, STORE_TIMEOUT.plusMillis(1))).isEmpty();
    }

    @Test
    void isNoWeaknessWhereTheStoreAnswersAtOnce() {
        assertThat(said(memory, Duration.ofMillis(1))).isEmpty();
    }

    @Test
    void ofOneOperationIsItsWeakness() {
        try (IdempotencyTemplate idempotency = template(remote, OperationPolicy.DEFAULT)) {
            assertThat(idempotency.weakness(policy(Duration.ofSeconds(1))))
                    .hasValueSatisfying(
                            weakness -> assertThat(weakness).contains("PT1S").contains("PT2S"));
            assertThat(idempotency.weakness(OperationPolicy.DEFAULT)).isEmpty();
        }
    }

    @Test
    void ofAllOperationsIsNotSaidOfEach() {
        OperationPolicy policy = policy(Duration.ofSeconds(1));
        try (IdempotencyTemplate idempotency = template(remote, policy)) {
            assertThat(idempotency.weakness(policy)).isEmpty();
        }
    }

    private static List<String> said(IdempotencyStore store, Duration lease) {
        try (CapturedLog log = new CapturedLog(IdempotencyTemplate.class.getName(), "WARN")) {
            template(store, policy(lease)).close();
            return log.lines();
        }
    }

    private static OperationPolicy policy(Duration lease) {
        return OperationPolicy.DEFAULT.withLease(lease);
    }

    private static IdempotencyTemplate template(IdempotencyStore store, OperationPolicy policy) {
        return new IdempotencyTemplate(
                store,
                type -> WithAnEngine.anyText(),
                new EngineSettings("shop", STORE_TIMEOUT, 1),
                policy,
                SurroundingTransaction.NONE,
                List.of());
    }
}
