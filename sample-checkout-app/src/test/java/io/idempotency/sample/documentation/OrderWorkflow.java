package io.idempotency.sample.documentation;

import io.idempotency.annotation.Idempotent;
import io.idempotency.core.IdempotencyContext;
import io.idempotency.core.OnAbandoned;
import io.idempotency.step.IdempotentSteps;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The examples of the documentation for operations of several steps. */
class OrderWorkflow {

    private final IdempotentSteps steps;

    private final Services services;

    private final JdbcClient database;

    OrderWorkflow(IdempotentSteps steps, Services services, JdbcClient database) {
        this.steps = steps;
        this.services = services;
        this.database = database;
    }

    // snippet:items
    @Idempotent(operation = "ship", key = "#order.id")
    void ship(Order order) {
        for (String item : order.items()) {
            steps.run("ship_item", item, step -> services.ship(item, step.key()));
        }
    }
    // end:items

    // snippet:job
    void shipOpenOrders(LocalDate day) {
        steps.of("nightly-shipping", day.toString()).execute(() -> {
            for (Order order : services.openOrders()) {
                steps.run("ship_order", order.id(), step -> services.ship(order.id(), step.key()));
            }
        });
    }
    // end:job

    // snippet:check
    @Idempotent(operation = "deposit", key = "#order.id")
    Charge deposit(Order order) {
        return steps.step("charge_deposit")
                .runChecked(
                        Charge.class,
                        step -> services.findCharge(step.key()),
                        step -> services.charge(order, step.key()));
    }
    // end:check

    // snippet:hold
    @Idempotent(operation = "payout", key = "#order.id")
    void payout(Order order) {
        steps.step("wire_money").onAbandoned(OnAbandoned.HOLD).run(step -> {
            if (!services.wire(order)) {
                step.hadNoEffect();
                throw new IllegalStateException("The bank declined");
            }
        });
    }
    // end:hold

    // snippet:transactional
    @Idempotent(operation = "sale", key = "#order.id")
    Charge sale(Order order) {
        steps.step("enter_order").transactional().run(step -> enter(order));
        return steps.run("charge_card", Charge.class, step -> services.charge(order, step.key()));
    }
    // end:transactional

    private void enter(Order order) {
        database.sql("INSERT INTO sale (id) VALUES (?)").param(order.id()).update();
    }

    // snippet:fencing
    boolean setStatus(Order order, String status) {
        long attempt = IdempotencyContext.current().orElseThrow().attempt();
        return database.sql("UPDATE customer_order SET status = ?, attempt = ? WHERE id = ? AND attempt <= ?")
                        .params(status, attempt, order.id(), attempt)
                        .update()
                == 1;
    }
    // end:fencing

    record Order(String id, List<String> items) {}

    record Charge(String id) {}

    /** Other systems. All but the bank know idempotency keys. */
    interface Services {

        Charge charge(Order order, String key);

        Optional<Charge> findCharge(String key);

        List<Order> openOrders();

        void ship(String item, String key);

        /** Returns whether the bank accepted. */
        boolean wire(Order order);
    }
}
