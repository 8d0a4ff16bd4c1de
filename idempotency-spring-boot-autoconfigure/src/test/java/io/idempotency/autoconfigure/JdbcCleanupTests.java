package io.idempotency.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.testsupport.CapturedLog;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JdbcCleanupTests extends WithAnH2Database {

    @Test
    void expiredRecordsAreDeletedInTheBackground() {
        runner.withPropertyValues("idempotency.jdbc.cleanup.interval=20ms").run(context -> {
            claim(context);
            expireRecords();

            await().untilAsserted(() -> assertThat(records()).isZero());
        });
    }

    @Test
    void theyStayWhereTheCleanupIsSwitchedOff() {
        runner.withPropertyValues("idempotency.jdbc.cleanup.enabled=false", "idempotency.jdbc.cleanup.interval=1ms")
                .run(context -> {
                    claim(context);
                    expireRecords();

                    assertThat(context.getBean(JdbcCleanup.class).isRunning()).isFalse();
                    assertThat(sweepers()).isEmpty();
                    assertThat(records()).isOne();
                });
    }

    @Test
    void nothingIsSweptBeforeTheStoreIsOpened() {
        runner.run(context -> {
            assertThat(context.getBeanFactory().containsSingleton("jdbcIdempotencyStore"))
                    .isFalse();
            assertThat(sweepers()).isEmpty();

            claim(context);

            assertThat(context.getBean(JdbcCleanup.class).isRunning()).isTrue();
            await().until(() -> !sweepers().isEmpty());
        });
    }

    @Test
    void theSweeperEndsWithTheContextAndBeforeTheStore() {
        try (CapturedLog log = new CapturedLog("io.idempotency", "WARN")) {
            runner.withPropertyValues("idempotency.jdbc.cleanup.interval=1ms").run(context -> {
                claim(context);
                await().until(() -> !sweepers().isEmpty());
            });

            assertThat(sweepers()).isEmpty();
            assertThat(log.lines()).isEmpty();
        }
    }

    @Test
    void theSweeperGoesOnInAContextThatIsStartedAnew() {
        runner.withPropertyValues("idempotency.jdbc.cleanup.interval=20ms").run(context -> {
            claim(context);
            context.stop();
            assertThat(context.getBean(JdbcCleanup.class).isRunning()).isFalse();

            context.start();
            expireRecords();

            await().untilAsserted(() -> assertThat(records()).isZero());
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"interval=0s", "interval=-1s", "batch-size=0"})
    void aCleanupOfNothingStopsTheStart(String setting) {
        runner.withPropertyValues("idempotency.jdbc.cleanup." + setting)
                .withUserConfiguration(NeedsTheStore.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining(
                                "idempotency.jdbc.cleanup." + setting.substring(0, setting.indexOf('='))));
    }

    private static List<String> sweepers() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("idempotency-sweeper"))
                .toList();
    }

    private void expireRecords() {
        database()
                .update(
                        "UPDATE idempotency_record SET expires_at = TIMESTAMP '2001-02-03 04:05:06', lease_until = NULL");
    }
}
