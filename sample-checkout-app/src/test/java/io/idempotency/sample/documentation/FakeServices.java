package io.idempotency.sample.documentation;

import io.idempotency.sample.documentation.OrderWorkflow.Charge;
import io.idempotency.sample.documentation.OrderWorkflow.Order;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Fails where a test says so; the charge then has happened. */
final class FakeServices implements OrderWorkflow.Services {

    private final List<String> calls = new ArrayList<>();

    private final Map<String, Charge> charges = new HashMap<>();

    private String failing = "";

    List<String> calls() {
        return calls;
    }

    /** Lets one call fail, or none where it is empty. */
    void failAt(String call) {
        failing = call;
    }

    private void called(String call) {
        calls.add(call);
        if (call.equals(failing)) {
            throw new IllegalStateException("planted");
        }
    }

    @Override
    public Charge charge(Order order, String key) {
        called("charge");
        Charge charge = charges.computeIfAbsent(key, Charge::new);
        if (failing.equals("answer")) {
            throw new IllegalStateException("planted");
        }
        return charge;
    }

    @Override
    public Optional<Charge> findCharge(String key) {
        called("find");
        return Optional.ofNullable(charges.get(key));
    }

    @Override
    public List<Order> openOrders() {
        return List.of(new Order("1", List.of()), new Order("2", List.of()), new Order("3", List.of()));
    }

    @Override
    public void ship(String item, String key) {
        called("ship " + item);
    }

    @Override
    public boolean wire(Order order) {
        called("wire");
        return !failing.equals("declined");
    }
}
