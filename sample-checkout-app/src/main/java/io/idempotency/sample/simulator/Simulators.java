package io.idempotency.sample.simulator;

import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.net.URI;
import java.sql.SQLException;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.jdbc.support.JdbcTransactionManager;

/** The simulated systems, running. */
final class Simulators implements AutoCloseable {

    /** What H2 calls DATABASE_ALREADY_OPEN_1. */
    private static final int DATABASE_IN_USE = 90020;

    private final HikariDataSource database;

    private final WebhookSender webhooks;

    private final SimulatorServer server;

    Simulators(SimulatorProperties properties, String webhookSecret, Supplier<URI> webhookUrl) throws IOException {
        this.server = new SimulatorServer(properties.simulators().port());
        this.database = new HikariDataSource();
        database.setPoolName("simulators");
        database.setJdbcUrl(properties.simulators().databaseUrl());
        makeTables();
        JdbcClient jdbc = JdbcClient.create(database);
        CurrentSettings settings = new CurrentSettings(properties.settings());
        this.webhooks = new WebhookSender(jdbc, settings, new WebhookSignature(webhookSecret), webhookUrl);
        server.start(Map.of(
                "/charges", new GatewaySimulator(new KeyedTable(jdbc, "charges", "ch"), webhooks, settings),
                "/invoices", new InvoicingSimulator(new KeyedTable(jdbc, "invoices", "inv"), settings),
                "/mails", new MailSimulator(jdbc, settings),
                "/settings", new SettingsSimulator(settings),
                "/settings/start", call -> Reply.ok(properties.settings()),
                "/ledger", new LedgerSimulator(jdbc, new JdbcTransactionManager(database))));
    }

    private void makeTables() {
        try {
            new ResourceDatabasePopulator(new ClassPathResource("simulators.sql")).execute(database);
        } catch (RuntimeException failure) {
            server.close();
            database.close();
            throw isInUse(failure) ? new SimulatorDatabaseInUseException(database.getJdbcUrl(), failure) : failure;
        }
    }

    private static boolean isInUse(@Nullable Throwable failure) {
        if (failure instanceof SQLException refusal && refusal.getErrorCode() == DATABASE_IN_USE) {
            return true;
        }
        return failure != null && isInUse(failure.getCause());
    }

    URI url() {
        return server.url();
    }

    @Override
    public void close() {
        server.close();
        webhooks.close();
        database.close();
    }
}
