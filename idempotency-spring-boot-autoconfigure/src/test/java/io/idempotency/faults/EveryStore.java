package io.idempotency.faults;

import com.zaxxer.hikari.HikariDataSource;
import io.idempotency.store.jdbc.JdbcDialects;
import io.idempotency.store.jdbc.JdbcIdempotencyStore;
import io.idempotency.store.jdbc.JdbcStoreSettings;
import io.idempotency.store.memory.InMemoryIdempotencyStore;
import io.idempotency.store.redis.RedisTopology;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/** All that records can be kept in. */
enum EveryStore {
    MEMORY,
    H2,

    /** H2 that is spoken to as if nobody knew it. */
    GENERIC,

    POSTGRES,
    MARIADB,
    REDIS_6_2,
    REDIS_7,
    REDIS_CLUSTER,
    REDIS_SENTINEL;

    /** Opens it in a place that nobody else uses. Where there is no such server, the test is skipped. */
    OpenStore open(Duration storeTimeout) {
        return switch (this) {
            case MEMORY -> new OpenStore(new InMemoryIdempotencyStore(1_000), List.of());
            case H2, GENERIC -> openH2(storeTimeout);
            case POSTGRES -> StoreAddress.Kind.POSTGRES.address().open(storeTimeout);
            case MARIADB -> StoreAddress.Kind.MARIADB.address().open(storeTimeout);
            case REDIS_6_2 -> open(RedisTopology.REDIS_6_2, storeTimeout);
            case REDIS_7 -> open(RedisTopology.REDIS_7, storeTimeout);
            case REDIS_CLUSTER -> open(RedisTopology.CLUSTER, storeTimeout);
            case REDIS_SENTINEL -> open(RedisTopology.SENTINEL, storeTimeout);
        };
    }

    private static OpenStore open(RedisTopology servers, Duration storeTimeout) {
        return StoreAddress.openRedis(servers.newConnectionFactory(), storeTimeout);
    }

    private OpenStore openH2(Duration storeTimeout) {
        String platform = name().toLowerCase(Locale.ROOT);
        HikariDataSource application = new HikariDataSource();
        application.setJdbcUrl("jdbc:h2:mem:%s;DB_CLOSE_DELAY=-1".formatted(UUID.randomUUID()));
        new ResourceDatabasePopulator(new ClassPathResource("io/idempotency/store/jdbc/schema-" + platform + ".sql"))
                .execute(application);
        JdbcIdempotencyStore store = JdbcIdempotencyStore.open(
                application, JdbcDialects.of(platform), new JdbcStoreSettings("idempotency_", 4, storeTimeout));
        return new OpenStore(store, List.of(store::close, application::close));
    }
}
