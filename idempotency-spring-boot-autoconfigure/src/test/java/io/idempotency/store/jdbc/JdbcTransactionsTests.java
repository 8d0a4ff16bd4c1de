package io.idempotency.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.idempotency.core.ClaimOutcome;
import io.idempotency.core.Identity;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/** A store that is called inside a transaction of the application. */
@ParameterizedClass
@MethodSource("io.idempotency.store.jdbc.TestDatabase#products")
class JdbcTransactionsTests {

    @Parameter
    private TestDatabase.Product product;

    private TestDatabase database;

    private JdbcIdempotencyStore store;

    private final Identity identity = Claims.newIdentity();

    @BeforeEach
    void open() {
        database = product.open();
        store = database.openStore();
        database.jdbc().execute("CREATE TABLE business (number INTEGER)");
    }

    @AfterEach
    void close() {
        store.close();
        database.close();
    }

    @Test
    void aDuplicateLeavesTheTransactionUsable() {
        Identity completed = Claims.newIdentity();
        Claims.granted(store, identity);
        Claims.complete(store, completed);

        List<ClaimOutcome> answers = database.transactions().execute(status -> {
            database.jdbc().update("INSERT INTO business VALUES (1)");
            ClaimOutcome inProgress = store.claim(Claims.request(identity));
            ClaimOutcome replay = store.claim(Claims.request(completed));
            database.jdbc().update("INSERT INTO business VALUES (2)");
            return List.of(inProgress, replay);
        });

        assertThat(answers).hasExactlyElementsOfTypes(ClaimOutcome.InProgress.class, ClaimOutcome.Completed.class);
        assertThat(businessRows()).containsExactly(1, 2);
    }

    @Test
    void aClaimIsVisibleAtOnceAndSurvivesTheRollback() {
        ClaimOutcome seenByAnother = database.transactions().execute(status -> {
            database.jdbc().update("INSERT INTO business VALUES (1)");
            Claims.granted(store, identity);
            status.setRollbackOnly();
            return elsewhere(() -> store.claim(Claims.request(identity)));
        });

        assertThat(seenByAnother).isInstanceOf(ClaimOutcome.InProgress.class);
        assertThat(businessRows()).isEmpty();
        assertThat(store.claim(Claims.request(identity))).isInstanceOf(ClaimOutcome.InProgress.class);
    }

    @Test
    void aSnapshotOfTheCallerDoesNotHideWhatHasEndedSince() {
        TransactionTemplate repeatableRead = database.transactions();
        repeatableRead.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);

        ClaimOutcome answer = repeatableRead.execute(status -> {
            businessRows();
            elsewhere(() -> {
                Claims.complete(store, identity);
                return true;
            });
            return store.claim(Claims.request(identity));
        });

        assertThat(answer).isInstanceOf(ClaimOutcome.Completed.class);
    }

    @Test
    void noConnectionIsKeptUntilTheTransactionEnds() {
        JdbcStoreSettings one = new JdbcStoreSettings("idempotency_", 1, Duration.ofSeconds(20));
        try (JdbcIdempotencyStore small = database.openStore(database.application(), one)) {
            database.transactions().executeWithoutResult(status -> {
                Claims.granted(small, identity);
                elsewhere(() -> Claims.granted(small, Claims.newIdentity()));
            });
        }
    }

    @Test
    void aClaimDoesNotWaitForTheOnlyConnectionOfTheApplication() {
        HikariConfig configuration = database.configuration();
        configuration.setMaximumPoolSize(1);
        try (HikariDataSource single = new HikariDataSource(configuration);
                JdbcIdempotencyStore beside = database.openStore(single, TestDatabase.SETTINGS)) {
            new TransactionTemplate(new DataSourceTransactionManager(single))
                    .executeWithoutResult(status -> Claims.complete(beside, identity));
        }

        assertThat(store.claim(Claims.request(identity))).isInstanceOf(ClaimOutcome.Completed.class);
    }

    @Test
    void aDataSourceThatJoinsTransactionsIsNotJoined() {
        JdbcStoreSettings shared = new JdbcStoreSettings("idempotency_", 0, Duration.ofSeconds(20));
        try (JdbcIdempotencyStore joined =
                database.openStore(new TransactionAwareDataSourceProxy(database.application()), shared)) {
            database.transactions().executeWithoutResult(status -> {
                database.jdbc().update("INSERT INTO business VALUES (1)");
                Claims.granted(joined, identity);
                status.setRollbackOnly();
            });
        }

        assertThat(businessRows()).isEmpty();
        assertThat(store.claim(Claims.request(identity))).isInstanceOf(ClaimOutcome.InProgress.class);
    }

    private List<Integer> businessRows() {
        return database.jdbc().queryForList("SELECT number FROM business ORDER BY number", Integer.class);
    }

    private static <T> T elsewhere(java.util.function.Supplier<T> call) {
        return CompletableFuture.supplyAsync(call)
                .orTimeout(20, TimeUnit.SECONDS)
                .join();
    }
}
