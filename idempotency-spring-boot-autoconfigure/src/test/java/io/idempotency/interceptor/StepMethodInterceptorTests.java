package io.idempotency.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.idempotency.core.OperationInDoubtException;
import java.io.IOException;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StepMethodInterceptorTests extends WithStepMethods {

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
}
