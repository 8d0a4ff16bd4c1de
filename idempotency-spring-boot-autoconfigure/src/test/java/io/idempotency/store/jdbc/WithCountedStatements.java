package io.idempotency.store.jdbc;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.DriverDataSource;
import io.idempotency.core.EngineSettings;
import io.idempotency.core.IdempotencyTemplate;
import io.idempotency.core.OperationPolicy;
import io.idempotency.core.SurroundingTransaction;
import io.idempotency.interceptor.SpringSurroundingTransaction;
import io.idempotency.interceptor.SpringWorkTransactions;
import io.idempotency.json.JsonOutcomeCodecFactory;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;

/** A store whose connections count their statements, and engines on it. */
abstract class WithCountedStatements {

    @Parameter
    TestDatabase.Product product;

    final StatementLog log = new StatementLog();

    final String key = UUID.randomUUID().toString();

    private TestDatabase database;

    private HikariDataSource application;

    JdbcIdempotencyStore store;

    IdempotencyTemplate idempotency;

    @BeforeEach
    void open() {
        database = product.open();
        HikariConfig configuration = database.configuration();
        configuration.setDataSource(log.watching(new DriverDataSource(
                configuration.getJdbcUrl(),
                null,
                configuration.getDataSourceProperties(),
                configuration.getUsername(),
                configuration.getPassword())));
        application = new HikariDataSource(configuration);
        store = database.openStore(application, TestDatabase.SETTINGS);
        idempotency = new IdempotencyTemplate(
                store,
                new JsonOutcomeCodecFactory(1_000),
                new EngineSettings("round-trips", Duration.ofSeconds(10), 0),
                OperationPolicy.DEFAULT,
                SurroundingTransaction.NONE,
                List.of());
        store.claim(Claims.request(Claims.newIdentity()));
        log.clear();
    }

    @AfterEach
    void close() {
        idempotency.close();
        store.close();
        application.close();
        database.close();
    }

    IdempotencyTemplate transactional() {
        return new IdempotencyTemplate(
                store,
                new JsonOutcomeCodecFactory(1_000),
                new EngineSettings("round-trips", Duration.ofSeconds(10), 0),
                OperationPolicy.DEFAULT,
                new SpringSurroundingTransaction(new ConnectionProbe()),
                new SpringWorkTransactions(
                        new DefaultListableBeanFactory(),
                        () -> new DataSourceTransactionManager(application),
                        new ConnectionProbe()),
                List.of());
    }
}
