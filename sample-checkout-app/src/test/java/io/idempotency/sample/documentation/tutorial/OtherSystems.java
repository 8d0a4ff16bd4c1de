package io.idempotency.sample.documentation.tutorial;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/** The payment gateway, the accounts and the mails of the tutorial, as a test wants them to behave. */
final class OtherSystems {

    private final List<String> done = new ArrayList<>();

    private final Map<String, String> chargesByKey = new ConcurrentHashMap<>();

    private boolean mailFails;

    private boolean replyOfChargeIsLost;

    private volatile CountDownLatch gate = new CountDownLatch(0);

    private volatile CountDownLatch charging = new CountDownLatch(1);

    /** Takes money, whenever it is asked. */
    String charge(Order order) {
        charging.countDown();
        try {
            gate.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
        return note("charge", order);
    }

    /** Takes money once for each key, and answers a key that it knows as the first time. */
    String charge(Order order, String key) {
        String charge = chargesByKey.computeIfAbsent(key, absent -> charge(order));
        if (replyOfChargeIsLost) {
            replyOfChargeIsLost = false;
            throw new IllegalStateException("The gateway does not answer");
        }
        return charge;
    }

    String openAccount(Order order) {
        return note("account", order);
    }

    void sendMail(Order order) {
        if (mailFails) {
            mailFails = false;
            throw new IllegalStateException("The mail server does not answer");
        }
        note("mail", order);
    }

    private synchronized String note(String what, Order order) {
        done.add(what + " " + order.id());
        return what + "_" + done.size();
    }

    /** Returns what was done for an order, one word for each thing. */
    synchronized List<String> doneFor(String orderId) {
        return done.stream()
                .filter(entry -> entry.endsWith(" " + orderId))
                .map(entry -> entry.split(" ")[0])
                .toList();
    }

    void failNextMail() {
        mailFails = true;
    }

    void loseReplyOfNextCharge() {
        replyOfChargeIsLost = true;
    }

    /** Makes charges wait until the gate is opened; closing it opens it. */
    Gate closeGate() {
        gate = new CountDownLatch(1);
        charging = new CountDownLatch(1);
        return new Gate(gate, charging);
    }

    record Gate(CountDownLatch gate, CountDownLatch charging) implements AutoCloseable {

        void awaitCharge() throws InterruptedException {
            charging.await();
        }

        @Override
        public void close() {
            gate.countDown();
        }
    }
}
