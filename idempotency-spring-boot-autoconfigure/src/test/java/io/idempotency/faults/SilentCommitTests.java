package io.idempotency.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.idempotency.core.EngineSettings;
import io.idempotency.core.IdempotencyStoreException;
import io.idempotency.core.IdempotencyTemplate;
import io.idempotency.core.IdempotentResult;
import io.idempotency.core.OperationPolicy;
import io.idempotency.core.TransactionSettings;
import io.idempotency.interceptor.SpringSurroundingTransaction;
import io.idempotency.interceptor.SpringWorkTransactions;
import io.idempotency.json.JsonOutcomeCodecFactory;
import io.idempotency.store.jdbc.ConnectionProbe;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;

/** The reply to the commit of a transactional operation never comes, as from a server that stands still. */
@Tag("faults")
class SilentCommitTests {

    private static final Duration STORE_TIMEOUT = Duration.ofSeconds(2);

    /** Far more than a busy machine needs, and less than the operating system waits. */
    private static final Duration ANSWERED = Duration.ofSeconds(30);

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final byte[] COMMIT = "COMMIT".getBytes(StandardCharsets.US_ASCII);

    private final AtomicInteger runs = new AtomicInteger();

    private final StoreAddress address = StoreAddress.Kind.POSTGRES.address();

    private final TcpProxy proxy = address.newProxy();

    private final JdbcTemplate past = new JdbcTemplate(address.dataSource());

    private HikariDataSource application;

    private OpenStore store;

    private IdempotencyTemplate engine;

    @BeforeEach
    void open() {
        past.execute("CREATE TABLE booking (run INTEGER)");
        application = address.through(proxy).newPool();
        store = address.openOver(application, STORE_TIMEOUT);
        DataSourceTransactionManager manager = new DataSourceTransactionManager(application);
        engine = new IdempotencyTemplate(
                store.store(),
                new JsonOutcomeCodecFactory(1_000),
                new EngineSettings("faults", STORE_TIMEOUT, 64),
                OperationPolicy.DEFAULT,
                new SpringSurroundingTransaction(new ConnectionProbe()),
                new SpringWorkTransactions(new DefaultListableBeanFactory(), () -> manager, new ConnectionProbe()),
                List.of());
    }

    @AfterEach
    void close() {
        proxy.disturb(request -> null);
        proxy.thaw();
        engine.close();
        store.close();
        application.close();
        proxy.close();
    }

    @Test
    void aCommitThatIsNeverAnsweredIsReadFromTheRecord() {
        Trap trap = new Trap(TcpProxy.Fault.STRAND_AFTER_REQUEST, COMMIT, 1);

        assertThat(CompletableFuture.supplyAsync(() -> book(trap)))
                .succeedsWithin(ANSWERED)
                .isEqualTo(new IdempotentResult<>("run 1", false, 1));

        assertThat(trap.isSprung()).isTrue();
        assertThatBookedOnce();
    }

    @Test
    void aCallerIsAnsweredInTimeWhileTheServerStandsStillAtTheCommit() {
        Trap trap = new Trap(TcpProxy.Fault.FREEZE_AFTER_REQUEST, COMMIT, 1);

        assertThat(CompletableFuture.supplyAsync(() -> book(trap)))
                .failsWithin(ANSWERED)
                .withThrowableThat()
                .withCauseInstanceOf(IdempotencyStoreException.class)
                .withRootCauseInstanceOf(SocketTimeoutException.class);

        assertThat(trap.isSprung()).isTrue();
        proxy.thaw();
        assertThatBookedOnce();
    }

    private void assertThatBookedOnce() {
        assertThat(book(request -> null)).isEqualTo(new IdempotentResult<>("run 1", true, 1));
        assertThat(past.queryForList("SELECT run FROM booking", Integer.class)).containsExactly(1);
    }

    private IdempotentResult<String> book(TcpProxy.Disturbance atTheEnd) {
        return engine.operation("book")
                .key("seat 4A")
                .policy(standard ->
                        standard.withTransaction(TransactionSettings.DEFAULT).withMaxWait(PATIENCE))
                .execute(String.class, () -> {
                    int run = runs.incrementAndGet();
                    new JdbcTemplate(application).update("INSERT INTO booking VALUES (?)", run);
                    proxy.disturb(atTheEnd);
                    return "run " + run;
                });
    }
}
