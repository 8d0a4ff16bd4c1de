package io.idempotency.testsupport;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

class TestServersTests {

    @Test
    void redisAnswers() {
        TestServers.Redis server = TestServers.redis();
        LettuceConnectionFactory factory = new LettuceConnectionFactory(server.host(), server.port());
        factory.afterPropertiesSet();
        try (RedisConnection connection = factory.getConnection()) {
            assertThat(connection.ping()).isEqualTo("PONG");
        } finally {
            factory.destroy();
        }
    }

    @Test
    void postgresAnswers() throws SQLException {
        TestServers.Postgres server = TestServers.postgres();
        try (Connection connection = DriverManager.getConnection(server.url(), server.username(), server.password());
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT 1")) {
            assertThat(result.next()).isTrue();
            assertThat(result.getInt(1)).isEqualTo(1);
        }
    }

    @Test
    void mariaDbAnswers() throws SQLException {
        MariaDbServer server = TestServers.mariaDb();
        try (Connection connection = DriverManager.getConnection(server.url(""), server.username(), server.password());
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT VERSION()")) {
            assertThat(result.next()).isTrue();
            assertThat(result.getString(1)).contains("MariaDB");
        }
    }

    @Test
    void aServerIsStartedOnce() {
        assertThat(TestServers.redis()).isSameAs(TestServers.redis());
        assertThat(TestServers.postgres()).isSameAs(TestServers.postgres());
        assertThat(TestServers.mariaDb()).isSameAs(TestServers.mariaDb());
    }
}
