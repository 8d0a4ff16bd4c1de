package io.idempotency.sample.documentation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.idempotency.core.IdempotencyKey;
import io.idempotency.core.IdempotencyOperations;
import io.idempotency.core.IdempotencyStore;
import io.idempotency.core.Identity;
import io.idempotency.core.OperationInDoubtException;
import io.idempotency.core.OutcomeCodecFactory;
import io.idempotency.core.StepStore;
import io.idempotency.sample.documentation.OrderWorkflow.Order;
import io.idempotency.step.IdempotentSteps;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

@SpringBootTest(
        webEnvironment = WebEnvironment.NONE,
        properties = {
            "spring.config.name=none",
            "spring.flyway.enabled=false",
            "spring.datasource.generate-unique-name=true",
            "idempotency.store=jdbc"
        })
class OrderWorkflowTests {

    @Autowired
    private OrderWorkflow workflow;

    @Autowired
    private PaymentSteps payments;

    @Autowired
    private FakeServices services;

    @Autowired
    private IdempotencyOperations idempotency;

    @Autowired
    private IdempotencyStore records;

    @Autowired
    private OutcomeCodecFactory codecs;

    @Autowired
    private JdbcClient database;

    private final Order order = new Order(UUID.randomUUID().toString(), List.of("book", "pen", "map"));

    @BeforeEach
    void forgetCalls() {
        services.calls().clear();
        services.failAt("");
    }

    @Test
    void aRetryShipsWhatWasNotShipped() {
        services.failAt("ship pen");
        assertThatIllegalStateException().isThrownBy(() -> workflow.ship(order));
        services.failAt("");

        workflow.ship(order);

        assertThat(services.calls()).containsExactly("ship book", "ship pen", "ship pen", "ship map");
    }

    @Test
    void aJobGoesOnWhereItsLastRunFailed() {
        services.failAt("ship 2");
        assertThatIllegalStateException().isThrownBy(() -> workflow.shipOpenOrders(LocalDate.EPOCH));
        services.failAt("");

        workflow.shipOpenOrders(LocalDate.EPOCH);
        workflow.shipOpenOrders(LocalDate.EPOCH);

        assertThat(services.calls()).containsExactly("ship 1", "ship 2", "ship 2", "ship 3");
    }

    @Test
    void aMethodOfAnotherBeanIsAStep() {
        services.failAt("ship pen");
        assertThatIllegalStateException().isThrownBy(() -> payAndShip());
        services.failAt("");

        payAndShip();

        assertThat(services.calls()).containsExactly("charge", "ship book", "ship pen", "ship pen", "ship map");
    }

    @Test
    void aChargeWhoseAnswerWasLostIsFound() {
        services.failAt("answer");
        assertThatIllegalStateException().isThrownBy(() -> workflow.deposit(order));
        services.failAt("");

        workflow.deposit(order);

        assertThat(services.calls()).containsExactly("charge", "find");
    }

    @Test
    void aWireWhoseAnswerWasLostIsNotRepeated() {
        services.failAt("wire");
        assertThatIllegalStateException().isThrownBy(() -> workflow.payout(order));
        services.failAt("");

        assertThatExceptionOfType(OperationInDoubtException.class).isThrownBy(() -> workflow.payout(order));
    }

    @Test
    void aWireThatTheOperatorHasFoundIsSkipped() {
        services.failAt("wire");
        assertThatIllegalStateException().isThrownBy(() -> workflow.payout(order));
        Identity payout = new IdempotencyKey("payout", null, order.id()).identity("application");

        assertThat(new DoubtfulSteps(records, (StepStore) records, codecs).wired(payout, 1))
                .isTrue();

        workflow.payout(order);
        assertThat(services.calls()).containsExactly("wire");
    }

    @Test
    void aWireThatWasDeclinedMayBeTriedAgain() {
        services.failAt("declined");
        assertThatIllegalStateException().isThrownBy(() -> workflow.payout(order));
        services.failAt("");

        workflow.payout(order);

        assertThat(services.calls()).containsExactly("wire", "wire");
    }

    @Test
    void rowsOfATransactionalStepAreWrittenOnce() {
        database.sql("CREATE TABLE sale (id VARCHAR(36))").update();
        services.failAt("charge");
        assertThatIllegalStateException().isThrownBy(() -> workflow.sale(order));
        services.failAt("");

        workflow.sale(order);

        assertThat(database.sql("SELECT count(*) FROM sale")
                        .query(Integer.class)
                        .single())
                .isEqualTo(1);
    }

    @Test
    void aSmallerAttemptWritesNothing() {
        database.sql("CREATE TABLE customer_order (id VARCHAR(36) PRIMARY KEY, status VARCHAR(9), attempt BIGINT)")
                .update();
        database.sql("INSERT INTO customer_order VALUES (?, 'new', 0)")
                .param(order.id())
                .update();

        assertThat(setsStatus("first")).isTrue();
        database.sql("UPDATE customer_order SET attempt = 2").update();
        assertThat(setsStatus("second")).isFalse();
    }

    private void payAndShip() {
        idempotency.operation("sale").key(order.id()).execute(() -> {
            payments.charge(order);
            order.items().forEach(item -> payments.ship(order, item));
        });
    }

    private boolean setsStatus(String key) {
        return idempotency
                .operation("status")
                .key(key)
                .execute(Boolean.class, () -> workflow.setStatus(order, "paid"))
                .value();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        FakeServices services() {
            return new FakeServices();
        }

        @Bean
        PaymentSteps paymentSteps(FakeServices services) {
            return new PaymentSteps(services);
        }

        @Bean
        OrderWorkflow orderWorkflow(IdempotentSteps steps, FakeServices services, JdbcClient database) {
            return new OrderWorkflow(steps, services, database);
        }
    }
}
