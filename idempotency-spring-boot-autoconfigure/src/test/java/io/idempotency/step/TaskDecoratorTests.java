package io.idempotency.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.idempotency.autoconfigure.IdempotencyAutoConfiguration;
import io.idempotency.autoconfigure.InMemoryIdempotencyStoreAutoConfiguration;
import io.idempotency.core.IdempotencyContext;
import io.idempotency.core.IdempotencyOperations;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.TaskDecorator;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;

/** Methods with {@code @Async}, on the pool that Spring Boot configures. */
class TaskDecoratorTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    TaskExecutionAutoConfiguration.class,
                    IdempotencyAutoConfiguration.class,
                    InMemoryIdempotencyStoreAutoConfiguration.class))
            .withPropertyValues("idempotency.store=memory", "spring.task.execution.pool.core-size=2")
            .withUserConfiguration(Warehouse.class);

    @Test
    void takesTheOperationAlongToTheThreadsOfAPoolAndLeavesNothingThere() {
        runner.withUserConfiguration(Decoration.class).run(context -> {
            Shipping shipping = context.getBean(Shipping.class);
            IdempotencyOperations.CallSpec call = context.getBean(IdempotencyOperations.class)
                    .operation("ship")
                    .key("order 1");

            assertThatExceptionOfType(CompletionException.class)
                    .isThrownBy(() -> call.execute(Void.class, () -> shipping.shipAll(8, 5)))
                    .withCauseInstanceOf(IllegalStateException.class);
            call.execute(Void.class, () -> shipping.shipAll(8, -1));

            assertThat(shipping.shipped).hasSize(8).doesNotHaveDuplicates();
            assertThat(shipping.isInOperation(8)).containsOnly(false);
        });
    }

    @Test
    void isWhatStepsOnOtherThreadsNeed() {
        runner.run(context -> {
            Shipping shipping = context.getBean(Shipping.class);

            assertThatExceptionOfType(CompletionException.class)
                    .isThrownBy(() -> context.getBean(IdempotencyOperations.class)
                            .operation("ship")
                            .key("order 1")
                            .execute(Void.class, () -> shipping.shipAll(8, -1)))
                    .havingCause()
                    .isInstanceOf(IllegalStateException.class)
                    .withMessageContaining("IdempotencyContext.wrap");
            assertThat(shipping.shipped).isEmpty();
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class Decoration {

        // snippet:decorator
        @Bean
        TaskDecorator operationsFollowTasks() {
            return IdempotencyContext::wrap;
        }
        // end:decorator
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAsync
    static class Warehouse {

        @Bean
        Shipping shipping(Carrier carrier) {
            return new Shipping(carrier);
        }

        @Bean
        Carrier carrier(IdempotentSteps steps) {
            return new Carrier(steps);
        }
    }

    static class Shipping {

        private final List<Integer> shipped = new CopyOnWriteArrayList<>();

        private final Carrier carrier;

        Shipping(Carrier carrier) {
            this.carrier = carrier;
        }

        private Void shipAll(int items, int failing) {
            List<CompletableFuture<Void>> branches = IntStream.range(0, items)
                    .mapToObj(item -> carrier.ship(item, item == failing, shipped))
                    .toList();
            return CompletableFuture.allOf(branches.toArray(CompletableFuture[]::new))
                    .join();
        }

        private List<Boolean> isInOperation(int tasks) {
            return IntStream.range(0, tasks).mapToObj(task -> carrier.isInOperation()).toList().stream()
                    .map(CompletableFuture::join)
                    .toList();
        }
    }

    static class Carrier {

        private final IdempotentSteps steps;

        Carrier(IdempotentSteps steps) {
            this.steps = steps;
        }

        @Async
        public CompletableFuture<Void> ship(int item, boolean failing, List<Integer> shipped) {
            steps.run("ship", Integer.toString(item), step -> {
                if (failing) {
                    throw new IllegalStateException("planted");
                }
                shipped.add(item);
            });
            return CompletableFuture.completedFuture(null);
        }

        @Async
        public CompletableFuture<Boolean> isInOperation() {
            return CompletableFuture.completedFuture(
                    IdempotencyContext.current().isPresent()
                            || StepContext.current().isPresent());
        }
    }
}
