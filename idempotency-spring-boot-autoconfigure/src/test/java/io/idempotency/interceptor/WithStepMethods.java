package io.idempotency.interceptor;

import io.idempotency.annotation.Idempotent;
import io.idempotency.annotation.IdempotentStep;
import io.idempotency.autoconfigure.IdempotencyAutoConfiguration;
import io.idempotency.autoconfigure.IdempotentMethodAutoConfiguration;
import io.idempotency.core.IdempotencyStore;
import io.idempotency.core.OnAbandoned;
import io.idempotency.step.StepContext;
import io.idempotency.store.memory.InMemoryIdempotencyStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** A workflow, services whose methods are its steps, and what ran of them. */
abstract class WithStepMethods {

    final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    IdempotencyAutoConfiguration.class,
                    IdempotentMethodAutoConfiguration.class,
                    AopAutoConfiguration.class))
            .withPropertyValues("step.name=placeholder")
            .withBean(IdempotencyStore.class, () -> new InMemoryIdempotencyStore(100))
            .withBean(Workflow.class)
            .withBean(Services.class)
            .withBean(Mails.class, MailServer::new);

    /** What a test does with an application of its own. */
    interface Story {
        void tell(Workflow workflow, Services services) throws Exception;
    }

    void with(Story story) {
        runner.run(context -> story.tell(context.getBean(Workflow.class), context.getBean(Services.class)));
    }

    record Charge(String id, int amount) {}

    static class Workflow {

        @Idempotent(key = "'the order'", operation = "order", fingerprint = "NONE")
        public String run(Callable<?> work) throws Exception {
            return String.valueOf(work.call());
        }
    }

    interface Mails {

        @IdempotentStep("send_mail")
        String send(String to);
    }

    static class MailServer implements Mails {

        private int sent;

        @Override
        public String send(String to) {
            sent++;
            return Integer.toString(sent);
        }
    }

    static class Services {

        private final List<String> ran = new ArrayList<>();

        private final List<String> keys = new ArrayList<>();

        public List<String> ran() {
            return ran;
        }

        public List<String> keys() {
            return keys;
        }

        @IdempotentStep("charge_card")
        public List<Charge> charge(String order, int amount) {
            ran.add("charge");
            return List.of(new Charge(order, amount));
        }

        @IdempotentStep(name = "ship_item", item = "#item")
        public void ship(@Nullable String item) {
            ran.add("ship " + item);
        }

        @IdempotentStep("failing")
        public String failing() {
            keys.add(StepContext.current().orElseThrow().key());
            throw new IllegalStateException("planted");
        }

        @IdempotentStep(name = "by_amount", fingerprint = "#amount")
        public String byAmount(String note, int amount) {
            ran.add("by amount");
            return note;
        }

        @IdempotentStep(name = "uncompared", fingerprint = "NONE")
        public void uncompared(Thread thread) {
            ran.add("uncompared");
        }

        @IdempotentStep("pack")
        public void pack(List<String> parcel) {
            ran.add("pack " + parcel);
            parcel.add("wrapping");
        }

        @IdempotentStep("weigh")
        public String weigh(List<String> parcel) {
            return parcel.size() + " pieces";
        }

        @IdempotentStep("compared")
        public String compared(Runnable runnable) {
            return "compared";
        }

        @IdempotentStep(name = "wire_money", onAbandoned = OnAbandoned.HOLD)
        public String wire() {
            ran.add("wire");
            throw new IllegalStateException("no answer");
        }

        @IdempotentStep(name = "throwing", fingerprint = "NONE")
        public String throwing(IOException failure) throws IOException {
            throw failure;
        }

        @IdempotentStep("${step.name}")
        public String named() {
            return StepContext.current().orElseThrow().name();
        }
    }
}
