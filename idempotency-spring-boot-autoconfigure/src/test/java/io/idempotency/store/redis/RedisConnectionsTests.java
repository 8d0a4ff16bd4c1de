package io.idempotency.store.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.core.Claim;
import io.idempotency.core.ClaimOutcome;
import io.idempotency.core.IdempotencyStoreException;
import io.idempotency.core.Identity;
import io.idempotency.core.Outcome;
import io.idempotency.core.OwnerToken;
import io.idempotency.core.Resolution;
import io.idempotency.testsupport.TestServers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.RedisConnectionUtils;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** How the store treats the application's connections, and what it says when there is none. */
class RedisConnectionsTests {

    private static final Duration RETENTION = Duration.ofMinutes(20);

    private static final Outcome OUTCOME = Outcome.tombstone("ended");

    private final TestRedis redis = new TestRedis();

    private final Identity identity = TestRedis.newIdentity();

    @AfterEach
    void close() {
        redis.close();
    }

    @Test
    void everyConnectionIsGivenBack() {
        RememberingConnectionFactory connections = new RememberingConnectionFactory();
        RedisIdempotencyStore store = new RedisIdempotencyStore(connections, TestRedis.PREFIX, TestRedis.STORE_TIMEOUT);

        Claim claim = ((ClaimOutcome.Granted) store.claim(TestRedis.request(identity))).claim();
        store.renew(List.of(claim));
        store.complete(claim, OUTCOME, RETENTION);
        store.find(identity);

        assertThat(connections.given).hasSizeGreaterThanOrEqualTo(4).allMatch(RedisConnection::isClosed);
        connections.destroy();
    }

    @Test
    void connectingLeavesNothingToConnectForTheFirstClaim() {
        LettuceConnectionFactory connections = TestRedis.newConnectionFactory();
        RedisIdempotencyStore store = new RedisIdempotencyStore(connections, TestRedis.PREFIX, TestRedis.STORE_TIMEOUT);

        store.connect();
        long before = accepted();
        store.claim(TestRedis.request(identity));

        assertThat(accepted()).isEqualTo(before);
        connections.destroy();
    }

    @Test
    void aBatchOfRenewalsOpensNoConnection() {
        Claim claim = redis.granted(identity);
        long before = accepted();

        redis.store.renew(List.of(claim));

        assertThat(accepted()).isEqualTo(before);
    }

    @Test
    void connectingToNobodyIsNoFailure() throws IOException {
        LettuceConnectionFactory nowhere = new LettuceConnectionFactory(nobody());
        nowhere.afterPropertiesSet();

        assertThatNoException()
                .isThrownBy(new RedisIdempotencyStore(nowhere, TestRedis.PREFIX, TestRedis.STORE_TIMEOUT)::connect);

        nowhere.destroy();
    }

    @Test
    void aClaimDoesNotTakePartInATransactionOfTheApplication() {
        TransactionSynchronizationManager.initSynchronization();
        TransactionSynchronizationManager.setActualTransactionActive(true);
        try {
            RedisConnection bound = RedisConnectionUtils.bindConnection(redis.connections, true);
            bound.multi();

            assertThat(redis.store.claim(TestRedis.request(identity))).isInstanceOf(ClaimOutcome.Granted.class);

            bound.discard();
        } finally {
            RedisConnectionUtils.unbindConnection(redis.connections);
            TransactionSynchronizationManager.clear();
        }
        assertThat(redis.store.find(identity)).isPresent();
    }

    @Test
    void everyVerbFailsWithOneExceptionWhereNoServerAnswers() throws IOException {
        LettuceConnectionFactory nowhere = new LettuceConnectionFactory(nobody());
        nowhere.afterPropertiesSet();
        RedisIdempotencyStore store = new RedisIdempotencyStore(nowhere, TestRedis.PREFIX, TestRedis.STORE_TIMEOUT);

        assertThatEveryVerbFails(store);

        nowhere.destroy();
    }

    @Test
    void everyVerbFailsWithOneExceptionWhenTheConnectionFactoryIsStopped() {
        redis.connections.stop();

        assertThatEveryVerbFails(redis.store);

        redis.connections.start();
    }

    private void assertThatEveryVerbFails(RedisIdempotencyStore store) {
        Claim claim = new Claim(identity, OwnerToken.random(), 1, TestRedis.LEASE);
        for (ThrowingCallable verb : List.<ThrowingCallable>of(
                () -> store.claim(TestRedis.request(identity)),
                () -> store.renew(List.of(claim)),
                () -> store.complete(claim, OUTCOME, RETENTION),
                () -> store.release(claim, RETENTION),
                () -> store.hold(claim),
                () -> store.resolve(identity, 1, new Resolution.Retry(RETENTION)),
                () -> store.find(identity))) {
            assertThatThrownBy(verb).isInstanceOf(IdempotencyStoreException.class);
        }
    }

    /** Returns how many connections the server has accepted so far. */
    private long accepted() {
        return redis.ask(connection ->
                Long.parseLong(connection.serverCommands().info("stats").getProperty("total_connections_received")));
    }

    private static RedisStandaloneConfiguration nobody() throws IOException {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (ServerSocket socket = new ServerSocket(0, 1, loopback)) {
            return new RedisStandaloneConfiguration(loopback.getHostAddress(), socket.getLocalPort());
        }
    }

    /** Remembers the connections that it gave. */
    private static final class RememberingConnectionFactory extends LettuceConnectionFactory {

        private final List<RedisConnection> given = new ArrayList<>();

        RememberingConnectionFactory() {
            super(TestServers.redis().host(), TestServers.redis().port());
            afterPropertiesSet();
        }

        @Override
        public RedisConnection getConnection() {
            RedisConnection connection = super.getConnection();
            given.add(connection);
            return connection;
        }
    }
}
