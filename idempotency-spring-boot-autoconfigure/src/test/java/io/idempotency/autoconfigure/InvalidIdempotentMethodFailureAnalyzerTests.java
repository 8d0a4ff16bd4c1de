package io.idempotency.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.annotation.Idempotent;
import io.idempotency.annotation.IdempotentStep;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;

@ExtendWith(OutputCaptureExtension.class)
class InvalidIdempotentMethodFailureAnalyzerTests {

    @ParameterizedTest
    @ValueSource(
            classes = {FinalOperation.class, OperationOfAFinalClass.class, FinalStep.class, StepWithoutAName.class})
    void anApplicationSaysWhyItDoesNotStartAndWhatToDo(Class<?> type, CapturedOutput output) {
        SpringApplicationBuilder application = new SpringApplicationBuilder(Application.class, type)
                .web(WebApplicationType.NONE)
                .properties("idempotency.store=memory");

        assertThatThrownBy(application::run).isInstanceOf(Exception.class);

        assertThat(output)
                .contains("APPLICATION FAILED TO START", "Description:", type.getName() + ".pay(", "Action:")
                .contains("Change each method as said above");
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        IdempotencyAutoConfiguration.class,
        IdempotentMethodAutoConfiguration.class,
        InMemoryIdempotencyStoreAutoConfiguration.class
    })
    static class Application {}

    static class FinalOperation {

        @Idempotent(key = "#p0")
        public final String pay(String order) {
            return order;
        }
    }

    static final class OperationOfAFinalClass {

        @Idempotent(key = "#p0")
        public String pay(String order) {
            return order;
        }
    }

    static class FinalStep {

        @IdempotentStep("pay")
        public final String pay(String order) {
            return order;
        }
    }

    static class StepWithoutAName {

        @IdempotentStep
        public String pay(String order) {
            return order;
        }
    }
}
