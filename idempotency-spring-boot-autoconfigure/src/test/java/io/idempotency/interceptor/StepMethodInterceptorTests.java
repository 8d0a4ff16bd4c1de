package io.idempotency.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.idempotency.annotation.Idempotent;
import io.idempotency.annotation.IdempotentStep;
import io.idempotency.autoconfigure.IdempotencyAutoConfiguration;
import io.idempotency.autoconfigure.IdempotentMethodAutoConfiguration;
import io.idempotency.core.IdempotencyStore;
import io.idempotency.core.OnAbandoned;
import io.idempotency.core.OperationInDoubtException;
import io.idempotency.core.StepConflictException;
import io.idempotency.step.StepContext;
import io.idempotency.store.memory.InMemoryIdempotencyStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class StepMethodInterceptorTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    IdempotencyAutoConfiguration.class,
                    IdempotentMethodAutoConfiguration.class,
                    AopAutoConfiguration.class))
            .withPropertyValues("step.name=placeholder")
            .withBean(IdempotencyStore.class, () -> new InMemoryIdempotencyStore(100))
            .withBean(Workflow.class)
            .withBean(Services.class)
            .withBean(Mails.class, MailServer::new);

    @Test
    void aRetryGetsTheRecordedValueOfAStepThatWasDone() {
        with((workflow, services) -> {
            assertThatIllegalStateException()
                    .isThrownBy(() -> workflow.run(() -> {
                        services.charge("o-1", 10);
                        throw new IllegalStateException("planted");
                    }));

            assertThat(workflow.run(() -> services.charge("o-1", 10))).isEqualTo("[Charge[id=o-1, amount=10]]");

            assertThat(services.ran()).containsExactly("charge");
        });
    }

    @Test
    void aValueHasTheFullTypeOfTheMethod() {
        with((workflow, services) -> {
            assertThatIllegalStateException()
                    .isThrownBy(() -> workflow.run(() -> {
                        services.charge("o-1", 10);
                        throw new IllegalStateException("planted");
                    }));

            workflow.run(() -> {
                assertThat(services.charge("o-1", 10)).first().isInstanceOf(Charge.class);
                return "done";
            });
        });
    }

    @Test
    void theKeyOfTheStepIsReachableInside() {
        with((workflow, services) -> {
            assertThatIllegalStateException().isThrownBy(() -> workflow.run(() -> services.failing()));
            assertThatIllegalStateException().isThrownBy(() -> workflow.run(() -> services.failing()));

            assertThat(services.keys()).hasSize(2).containsOnly(services.keys().get(0));
            assertThat(UUID.fromString(services.keys().get(0)).version()).isEqualTo(8);
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aStepMayBeDeclaredByAnInterface(boolean classProxies) {
        runner.withPropertyValues("spring.aop.proxy-target-class=" + classProxies)
                .run(context -> {
                    Workflow workflow = context.getBean(Workflow.class);
                    Mails mails = context.getBean(Mails.class);
                    assertThatIllegalStateException()
                            .isThrownBy(() -> workflow.run(() -> {
                                mails.send("ada");
                                throw new IllegalStateException("planted");
                            }));

                    assertThat(workflow.run(() -> mails.send("ada"))).isEqualTo("1");
                });
    }

    @Test
    void itemsTellCallsApart() {
        with((workflow, services) -> {
            assertThatIllegalStateException()
                    .isThrownBy(() -> workflow.run(() -> {
                        services.ship("book");
                        services.ship("pen");
                        throw new IllegalStateException("planted");
                    }));

            workflow.run(() -> {
                services.ship("pen");
                services.ship("map");
                return "done";
            });

            assertThat(services.ran()).containsExactly("ship book", "ship pen", "ship map");
        });
    }

    @Test
    void anItemThatIsMissingIsNoFaultOfTheCaller() {
        with((workflow, services) -> assertThatIllegalArgumentException()
                .isThrownBy(() -> workflow.run(() -> {
                    services.ship(null);
                    return "never";
                }))
                .withMessageContaining("item")
                .withMessageContaining("Services.ship(java.lang.String)"));
    }

    @Test
    void theSameStepTwiceIsAnError() {
        with((workflow, services) -> assertThatIllegalStateException()
                .isThrownBy(() -> workflow.run(() -> {
                    services.charge("o-1", 10);
                    return services.charge("o-1", 10);
                }))
                .withMessageContaining("'charge_card'")
                .withMessageContaining("item"));
    }

    @Test
    void otherArgumentsAreRefused() {
        with((workflow, services) -> {
            assertThatIllegalStateException()
                    .isThrownBy(() -> workflow.run(() -> {
                        services.charge("o-1", 10);
                        throw new IllegalStateException("planted");
                    }));

            assertThatExceptionOfType(StepConflictException.class)
                    .isThrownBy(() -> workflow.run(() -> services.charge("o-1", 20)))
                    .withMessageContaining("other arguments");
            assertThat(services.ran()).containsExactly("charge");
        });
    }

    @Test
    void whatIsComparedMayBeSaid() {
        with((workflow, services) -> {
            assertThatIllegalStateException()
                    .isThrownBy(() -> workflow.run(() -> {
                        services.byAmount("first try", 10);
                        services.uncompared(Thread.currentThread());
                        throw new IllegalStateException("planted");
                    }));

            workflow.run(() -> {
                services.byAmount("second try", 10);
                services.uncompared(new Thread());
                return "done";
            });
            assertThat(services.ran()).containsExactly("by amount", "uncompared");
        });
        with((workflow, services) -> {
            assertThatIllegalStateException()
                    .isThrownBy(() -> workflow.run(() -> {
                        services.byAmount("first try", 10);
                        throw new IllegalStateException("planted");
                    }));

            assertThatExceptionOfType(StepConflictException.class)
                    .isThrownBy(() -> workflow.run(() -> services.byAmount("first try", 20)));
        });
    }

    @Test
    void whatAStepDoesToItsArgumentsIsNotCompared() {
        with((workflow, services) -> {
            assertThatIllegalStateException()
                    .isThrownBy(() -> workflow.run(() -> {
                        services.pack(new ArrayList<>(List.of("book")));
                        throw new IllegalStateException("planted");
                    }));

            workflow.run(() -> {
                services.pack(new ArrayList<>(List.of("book")));
                return "done";
            });

            assertThat(services.ran()).containsExactly("pack [book]");
        });
    }

    @Test
    void aStepThatWritesIntoAnArgumentIsMissedByTheNextOneInARetry() {
        with((workflow, services) -> {
            assertThatIllegalStateException()
                    .isThrownBy(() -> workflow.run(() -> {
                        packAndWeigh(services, new ArrayList<>(List.of("book")));
                        throw new IllegalStateException("planted");
                    }));

            assertThatExceptionOfType(StepConflictException.class)
                    .isThrownBy(() -> workflow.run(() -> packAndWeigh(services, new ArrayList<>(List.of("book")))))
                    .withMessageContaining("'weigh'")
                    .withMessageContaining("other arguments");
        });
    }

    private static String packAndWeigh(Services services, List<String> parcel) {
        services.pack(parcel);
        return services.weigh(parcel);
    }

    @Test
    void anArgumentThatCannotBeComparedStopsTheCallAndNamesTheRemedy() {
        with((workflow, services) -> assertThatExceptionOfType(InvalidIdempotentMethodException.class)
                .isThrownBy(() -> workflow.run(() -> services.compared(() -> {})))
                .withMessageContaining("Services.compared(java.lang.Runnable)")
                .withMessageContaining("NONE"));
    }

    @Test
    void aStepThatMustNotBeRepeatedHoldsTheOperation() {
        with((workflow, services) -> {
            assertThatIllegalStateException().isThrownBy(() -> workflow.run(services::wire));

            assertThatExceptionOfType(OperationInDoubtException.class).isThrownBy(() -> workflow.run(services::wire));
            assertThat(services.ran()).containsExactly("wire");
        });
    }

    @Test
    void whatTheMethodThrowsIsPassedOn() {
        with((workflow, services) -> {
            IOException failure = new IOException("planted");

            assertThatIOException()
                    .isThrownBy(() -> workflow.run(() -> services.throwing(failure)))
                    .isSameAs(failure);
        });
    }

    @Test
    void outsideOfAnOperationTheCallIsRefused() {
        with((workflow, services) -> {
            assertThatIllegalStateException()
                    .isThrownBy(() -> services.charge("o-1", 10))
                    .withMessageContaining("inside of an operation");

            assertThat(services.ran()).isEmpty();
        });
    }

    @Test
    void placeholdersAreResolved() {
        with((workflow, services) -> assertThat(workflow.run(services::named)).isEqualTo("placeholder"));
    }

    @Test
    void switchedOffAStepRunsStraightThroughWithARandomKey() {
        runner.withPropertyValues("idempotency.enabled=false").run(context -> {
            Services services = context.getBean(Services.class);

            assertThatIllegalStateException().isThrownBy(services::failing);
            assertThatIllegalStateException().isThrownBy(services::failing);
            assertThat(services.compared(() -> {})).isEqualTo("compared");

            assertThat(services.keys()).hasSize(2).doesNotHaveDuplicates();
        });
    }

    /** What a test does with an application of its own. */
    private interface Story {
        void tell(Workflow workflow, Services services) throws Exception;
    }

    private void with(Story story) {
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
