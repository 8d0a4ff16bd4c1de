package io.idempotency.faults;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.idempotency.core.Identity;
import io.idempotency.store.jdbc.JdbcDialects;
import io.idempotency.store.jdbc.JdbcIdempotencyStore;
import io.idempotency.store.jdbc.JdbcStoreSettings;
import io.idempotency.store.redis.RedisIdempotencyStore;
import io.idempotency.testsupport.MariaDbServer;
import io.idempotency.testsupport.TestServers;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.init.ScriptUtils;

/**
 * Where a store is, and all that a process needs to open it.
 *
 * @param database what follows host and port in a JDBC URL; empty for Redis
 */
record StoreAddress(Kind kind, String host, int port, String database, String username, String password) {

    /** The stores that a fault can come between. */
    enum Kind {
        POSTGRES,
        MARIADB,
        REDIS;

        /** Returns a place on the server that all tests share, which no other test uses. */
        StoreAddress address() {
            return switch (this) {
                case POSTGRES -> postgres(TestServers.postgres());
                case MARIADB -> mariaDb(TestServers.mariaDb());
                case REDIS ->
                    redis(TestServers.redis().host(), TestServers.redis().port());
            };
        }
    }

    static StoreAddress redis(String host, int port) {
        return new StoreAddress(Kind.REDIS, host, port, "", "", "");
    }

    /** Makes a schema with our table. */
    static StoreAddress postgres(TestServers.Postgres server) {
        URI uri = URI.create(server.url().substring("jdbc:".length()));
        String schema = newName();
        String database = uri.getPath() + "?currentSchema=" + schema;
        return new StoreAddress(
                        Kind.POSTGRES, uri.getHost(), uri.getPort(), database, server.username(), server.password())
                .made("CREATE SCHEMA " + schema, "postgresql");
    }

    /** Makes a database with our table. */
    static StoreAddress mariaDb(MariaDbServer server) {
        String name = newName();
        return new StoreAddress(
                        Kind.MARIADB,
                        server.host(),
                        server.port(),
                        "/" + name + "?createDatabaseIfNotExist=true",
                        server.username(),
                        server.password())
                .made("USE " + name, "mariadb");
    }

    private static String newName() {
        return "faults_" + UUID.randomUUID().toString().replace('-', '_');
    }

    private StoreAddress made(String statement, String platform) {
        try (Connection connection = dataSource().getConnection()) {
            connection.createStatement().execute(statement);
            ScriptUtils.executeSqlScript(
                    connection, new ClassPathResource("io/idempotency/store/jdbc/schema-" + platform + ".sql"));
        } catch (SQLException failure) {
            throw new IllegalStateException("There is no place for the tables", failure);
        }
        return this;
    }

    /** Returns it in the form of arguments for a main method. */
    List<String> toArguments() {
        return List.of(kind.name(), host, Integer.toString(port), database, username, password);
    }

    static StoreAddress ofArguments(List<String> arguments) {
        return new StoreAddress(
                Kind.valueOf(arguments.get(0)),
                arguments.get(1),
                Integer.parseInt(arguments.get(2)),
                arguments.get(3),
                arguments.get(4),
                arguments.get(5));
    }

    /** Returns the same place behind a proxy. */
    StoreAddress through(TcpProxy proxy) {
        return new StoreAddress(kind, proxy.host(), proxy.port(), database, username, password);
    }

    TcpProxy newProxy() {
        return new TcpProxy(host, port);
    }

    String url() {
        String scheme = kind == Kind.POSTGRES ? "postgresql" : "mariadb";
        return "jdbc:%s://%s:%d%s".formatted(scheme, host, port, database);
    }

    /** Returns the database without a pool. */
    DataSource dataSource() {
        return new DriverManagerDataSource(url(), username, password);
    }

    /** Opens the store as an application would whose client library waits for {@link Promptness#CLIENT_TIMEOUT}. */
    OpenStore open(Duration storeTimeout) {
        return kind == Kind.REDIS ? openRedis(lettuce(ClientOptions.create()), storeTimeout) : openJdbc(storeTimeout);
    }

    /**
     * Opens the store over a client that sends no request twice by itself. Lettuce does otherwise: what was under way when
     * a connection broke is sent again on the next one.
     */
    OpenStore openAtMostOnce(Duration storeTimeout) {
        if (kind != Kind.REDIS) {
            return openJdbc(storeTimeout);
        }
        LettuceConnectionFactory connections =
                lettuce(ClientOptions.builder().autoReconnect(false).build());
        connections.setValidateConnection(true);
        return openRedis(connections, storeTimeout);
    }

    private LettuceConnectionFactory lettuce(ClientOptions options) {
        LettuceConnectionFactory connections = new LettuceConnectionFactory(
                new RedisStandaloneConfiguration(host, port),
                LettuceClientConfiguration.builder()
                        .clientResources(LettuceResources.SHARED)
                        .clientOptions(options)
                        .commandTimeout(Promptness.CLIENT_TIMEOUT)
                        .build());
        connections.afterPropertiesSet();
        return connections;
    }

    /** Connects again as soon as the auto-configuration lets Lettuce do with the default time limit of the store. */
    private static final class LettuceResources {
        static final ClientResources SHARED = ClientResources.builder()
                .reconnectDelay(Delay.exponential(Duration.ZERO, Duration.ofMillis(500), 2, TimeUnit.MILLISECONDS))
                .build();
    }

    /** @param connections destroyed with the store */
    static OpenStore openRedis(LettuceConnectionFactory connections, Duration storeTimeout) {
        RedisIdempotencyStore store = new RedisIdempotencyStore(connections, "faults:", storeTimeout);
        store.connect();
        return new OpenStore(store, List.of(connections::destroy));
    }

    private OpenStore openJdbc(Duration storeTimeout) {
        HikariDataSource application = newPool();
        OpenStore store = openOver(application, storeTimeout);
        return new OpenStore(store.store(), List.of(store::close, application::close));
    }

    /** Opens the store in the database of an application, beside its pool. */
    OpenStore openOver(HikariDataSource application, Duration storeTimeout) {
        JdbcIdempotencyStore store = JdbcIdempotencyStore.open(
                application, JdbcDialects.detect(application), new JdbcStoreSettings("idempotency_", 4, storeTimeout));
        return new OpenStore(store, List.of(store::close));
    }

    /** Opens the pool of an application. */
    HikariDataSource newPool() {
        return newPool(10);
    }

    HikariDataSource newPool(int size) {
        HikariConfig configuration = new HikariConfig();
        configuration.setMaximumPoolSize(size);
        configuration.setJdbcUrl(url());
        configuration.setUsername(username);
        configuration.setPassword(password);
        configuration.setConnectionTimeout(Promptness.CLIENT_TIMEOUT.toMillis());
        return new HikariDataSource(configuration);
    }

    /** Returns a pool that is built when the first connection is asked for, as that of an application is. */
    HikariDataSource newLazyPool() {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(url());
        pool.setUsername(username);
        pool.setPassword(password);
        return pool;
    }

    /** Returns bytes that every request about this identity holds. */
    byte[] marker(Identity identity) {
        return switch (kind) {
            case REDIS -> identity.hex().getBytes(StandardCharsets.US_ASCII);
            case POSTGRES -> identity.digest();
            // Its driver escapes some bytes.
            case MARIADB -> longestUnescaped(identity.digest());
        };
    }

    private static byte[] longestUnescaped(byte[] bytes) {
        return Stream.of(new String(bytes, StandardCharsets.ISO_8859_1).split("[\u0000'\"\\\\]"))
                .max(Comparator.comparingInt(String::length))
                .orElseThrow()
                .getBytes(StandardCharsets.ISO_8859_1);
    }
}
