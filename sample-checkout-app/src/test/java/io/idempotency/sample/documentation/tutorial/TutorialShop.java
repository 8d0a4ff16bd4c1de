package io.idempotency.sample.documentation.tutorial;

import java.util.List;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.web.client.RestClient;

/** The shop of the tutorial with all steps beside one another, each under a path of its own, and a client of it. */
final class TutorialShop implements AutoCloseable {

    private final ConfigurableApplicationContext context;

    private final RestClient client;

    private TutorialShop(ConfigurableApplicationContext context) {
        this.context = context;
        int port = ((ServletWebServerApplicationContext) context).getWebServer().getPort();
        this.client = RestClient.builder()
                .baseUrl("http://localhost:" + port)
                .defaultStatusHandler(status -> true, (request, response) -> {})
                .build();
    }

    /**
     * Starts a shop.
     *
     * @param database its name; it is in memory, and outlives the shop
     */
    static TutorialShop start(OtherSystems systems, String database, String... properties) {
        return new TutorialShop(new SpringApplicationBuilder(Application.class)
                .properties(properties)
                .properties(
                        "spring.config.name=none",
                        "server.port=0",
                        "spring.datasource.url=jdbc:h2:mem:" + database + ";DB_CLOSE_DELAY=-1",
                        "spring.flyway.locations=classpath:db/tutorial,classpath:db/migration/h2")
                .initializers(started -> started.getBeanFactory().registerSingleton("systems", systems))
                .run());
    }

    ResponseEntity<String> checkout(String step, String key, String order) {
        return client.post()
                .uri("/{step}/checkouts", step)
                .headers(headers -> headers.set("Idempotency-Key", key))
                .contentType(MediaType.APPLICATION_JSON)
                .body(order)
                .retrieve()
                .toEntity(String.class);
    }

    ResponseEntity<String> checkoutWithoutKey(String step, String order) {
        return client.post()
                .uri("/{step}/checkouts", step)
                .contentType(MediaType.APPLICATION_JSON)
                .body(order)
                .retrieve()
                .toEntity(String.class);
    }

    ResponseEntity<String> deliver(String event) {
        return client.post()
                .uri("/webhooks/payments")
                .contentType(MediaType.APPLICATION_JSON)
                .body(event)
                .retrieve()
                .toEntity(String.class);
    }

    List<String> invoicedOrders() {
        return context.getBean(JdbcClient.class)
                .sql("select order_id from invoice")
                .query(String.class)
                .list();
    }

    @Override
    public void close() {
        context.close();
    }

    @TestConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({UnprotectedCheckout.class, IdempotentCheckout.class, SteppedCheckout.class, PaymentWebhook.class})
    static class Application {}
}
