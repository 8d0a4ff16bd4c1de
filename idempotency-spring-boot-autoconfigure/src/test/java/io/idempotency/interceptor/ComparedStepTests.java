package io.idempotency.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.idempotency.core.StepConflictException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ComparedStepTests extends WithStepMethods {

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

    @Test
    void anArgumentThatCannotBeComparedStopsTheCallAndNamesTheRemedy() {
        with((workflow, services) -> assertThatExceptionOfType(InvalidIdempotentMethodException.class)
                .isThrownBy(() -> workflow.run(() -> services.compared(() -> {})))
                .withMessageContaining("Services.compared(java.lang.Runnable)")
                .withMessageContaining("NONE"));
    }

    private static String packAndWeigh(Services services, List<String> parcel) {
        services.pack(parcel);
        return services.weigh(parcel);
    }
}
