package io.idempotency.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.core.Claim;
import io.idempotency.core.ClaimOutcome;
import io.idempotency.core.Fingerprint;
import io.idempotency.core.IdempotentResult;
import io.idempotency.core.Identity;
import io.idempotency.core.Resolution;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** What the store costs: statements as its connections count them, and nothing beside them. */
@ParameterizedClass
@MethodSource("io.idempotency.store.jdbc.TestDatabase#products")
class JdbcRoundTripsTests extends WithCountedStatements {

    @Test
    void aFirstExecutionCostsTwoStatementsOrThree() {
        assertThat(execute(key).replayed()).isFalse();

        assertThat(log.executed()).hasSize(product == TestDatabase.Product.POSTGRES ? 2 : 3);
        assertThat(log.executed().get(log.executed().size() - 1)).startsWith("UPDATE");
    }

    @Test
    void aReplayCostsOneStatement() {
        execute(key);
        log.clear();

        assertThat(execute(key).replayed()).isTrue();

        assertThat(log.executed()).hasSize(1);
    }

    @Test
    void aDuplicateCostsOneStatement() {
        Identity identity = Claims.newIdentity();
        store.claim(Claims.request(identity));
        log.clear();

        assertThat(store.claim(Claims.request(identity))).isInstanceOf(ClaimOutcome.InProgress.class);

        assertThat(log.executed()).hasSize(1);
    }

    @Test
    void theNextAttemptCostsOneStatementMoreThanADuplicate() {
        Identity identity = Claims.newIdentity();
        store.release(Claims.granted(store, identity), Claims.RETENTION);
        log.clear();

        Claims.granted(store, identity);

        assertThat(log.executed()).hasSize(2);
    }

    @Test
    void aTakeoverCostsOneStatementMoreThanADuplicate() {
        Identity identity = Claims.newIdentity();
        store.claim(Claims.request(identity, Duration.ofMillis(1)));
        await().until(() -> remainingLease(identity).compareTo(Duration.ZERO) <= 0);
        log.clear();

        Claims.granted(store, identity);

        assertThat(log.executed()).hasSize(2);
    }

    @Test
    void everyEndOfAnAttemptCostsOneStatement() {
        assertThatCostsOneStatement(claim -> store.complete(claim, Claims.OUTCOME, Claims.RETENTION));
        assertThatCostsOneStatement(claim -> store.release(claim, Claims.RETENTION));
        assertThatCostsOneStatement(claim -> store.hold(claim));
    }

    @Test
    void readingARecordAndEndingADoubtWithAnOutcomeCostsOneStatement() {
        assertThatCostsOneStatement(claim -> store.find(claim.identity()));

        Claim held = Claims.granted(store, Claims.newIdentity());
        store.hold(held);
        log.clear();
        store.resolve(held.identity(), 1, new Resolution.Complete(Claims.OUTCOME, Claims.RETENTION));
        assertThat(log.executed()).hasSize(1);
    }

    @Test
    void aBatchOfRenewalsCostsOneStatement() {
        List<Claim> claims = Stream.generate(() -> Claims.granted(store, Claims.newIdentity()))
                .limit(20)
                .toList();
        log.clear();

        store.renew(claims);

        assertThat(log.executed()).hasSize(1);
    }

    private Duration remainingLease(Identity identity) {
        return store.find(identity).orElseThrow().remainingLease();
    }

    private void assertThatCostsOneStatement(Consumer<Claim> verb) {
        Claim claim = Claims.granted(store, Claims.newIdentity());
        log.clear();

        verb.accept(claim);

        assertThat(log.executed()).hasSize(1);
    }

    private IdempotentResult<String> execute(String key) {
        return idempotency
                .operation("operation")
                .key(key)
                .fingerprint(Fingerprint.of("asked"))
                .execute(String.class, () -> "value");
    }
}
