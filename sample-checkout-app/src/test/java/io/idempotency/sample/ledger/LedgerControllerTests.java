package io.idempotency.sample.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabase;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;
import org.springframework.mock.http.client.MockClientHttpResponse;
import org.springframework.web.client.RestClient;

class LedgerControllerTests {

    private final EmbeddedDatabase database = new EmbeddedDatabaseBuilder()
            .generateUniqueName(true)
            .setType(EmbeddedDatabaseType.H2)
            .addScript("db/migration/shop/V1__shop.sql")
            .build();

    private final JdbcClient jdbc = JdbcClient.create(database);

    @AfterEach
    void close() {
        database.shutdown();
    }

    /** Else the page would find an order incomplete of which the gateway knows that it is taken. */
    @Test
    void whatTheGatewayWasToldOfIsInTheLedgerOfTheShop() {
        RestClient simulators = RestClient.builder()
                .baseUrl("http://simulators.test")
                .requestInterceptor((request, body, execution) -> {
                    openAccount();
                    MockClientHttpResponse answer =
                            new MockClientHttpResponse("{\"charges\": {\"count\": 1}}".getBytes(), HttpStatus.OK);
                    answer.getHeaders().setContentType(MediaType.APPLICATION_JSON);
                    return answer;
                })
                .build();

        Ledger ledger = new LedgerController(new ShopLedgers(jdbc), simulators, new CallCounter()).ledger(null);

        assertThat(ledger.charges()).isEqualTo(1);
        assertThat(ledger.accounts()).isEqualTo(1);
    }

    private void openAccount() {
        jdbc.sql("insert into accounts (id, order_number, order_id, payment_id, email, plan) values (?, ?, ?, ?, ?, ?)")
                .params("acc_1", "ord_1", "order-1", "pay_1", "ada@example.com", "pro")
                .update();
    }
}
