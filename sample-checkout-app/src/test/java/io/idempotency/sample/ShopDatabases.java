package io.idempotency.sample;

import io.idempotency.testsupport.TestServers;
import org.springframework.test.context.DynamicPropertyRegistry;

/** The databases on which tests start the shop, each empty. */
final class ShopDatabases {

    private ShopDatabases() {}

    /** The default database, but not the file that a shop on this machine may have open. */
    static void h2(DynamicPropertyRegistry properties) {
        String url = "jdbc:h2:file:./target/" + ShopClient.unique("shop") + ";WRITE_DELAY=0;AUTO_SERVER=TRUE";
        properties.add("spring.datasource.url", () -> url);
        simulators(properties);
    }

    /** A schema of its own in the PostgreSQL that tests share. */
    static void postgres(DynamicPropertyRegistry properties) {
        TestServers.Postgres server = TestServers.postgres();
        String schema = ShopClient.unique("checkout").replace("-", "");
        properties.add("spring.datasource.url", () -> inSchema(server.url(), schema));
        properties.add("spring.datasource.username", server::username);
        properties.add("spring.datasource.password", server::password);
        properties.add("spring.flyway.schemas", () -> schema);
        simulators(properties);
    }

    static String inSchema(String url, String schema) {
        return url + (url.contains("?") ? "&" : "?") + "currentSchema=" + schema;
    }

    /** Simulated systems on a port and with tables of their own. */
    private static void simulators(DynamicPropertyRegistry properties) {
        String url = "jdbc:h2:mem:" + ShopClient.unique("simulators");
        properties.add("sample.simulators.port", () -> 0);
        properties.add("sample.simulators.database-url", () -> url);
    }
}
