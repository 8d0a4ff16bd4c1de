package io.idempotency.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.core.OperationPolicy;
import io.idempotency.core.TransactionSettings;
import jakarta.servlet.http.HttpServletResponse;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.request.async.WebAsyncTask;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.View;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/** Handlers of which only the return value is recorded, as of those that are transactional. */
class ReturnValueProblemsTests {

    private static final OperationPolicy TRANSACTIONAL =
            OperationPolicy.DEFAULT.withTransaction(TransactionSettings.DEFAULT);

    private final WebHandlerMethods handlers = new WebHandlerMethods();

    @ParameterizedTest
    @ValueSource(strings = {"view", "nameOfAView", "modelAndView", "defaultView"})
    void aTransactionalHandlerThatAnswersByAViewIsRefused(String method) {
        assertThat(transactionalProblems(Pages.class, method))
                .singleElement()
                .asString()
                .contains("view");
        assertThat(problems(Pages.class, method, OperationPolicy.DEFAULT)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"callable", "deferred", "task", "streaming", "streamingEntity"})
    void aTransactionalHandlerThatAnswersLaterIsRefused(String method) {
        assertThat(transactionalProblems(Values.class, method))
                .singleElement()
                .asString()
                .contains("later");
    }

    @ParameterizedTest
    @ValueSource(strings = {"toResponse", "toStream", "toWriter"})
    void aTransactionalHandlerThatMayWriteTheResponseByItselfIsRefused(String method) {
        assertThat(transactionalProblems(Values.class, method))
                .singleElement()
                .asString()
                .contains("by itself");
        assertThat(problems(Values.class, method, OperationPolicy.DEFAULT)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"value", "nothing", "entity"})
    void aTransactionalHandlerReturnsAValue(String method) {
        assertThat(transactionalProblems(Values.class, method)).isEmpty();
    }

    @Test
    void aTransactionalHandlerReturnsItsValueByWhateverSaysThatItIsTheBody() {
        assertThat(transactionalProblems(Pages.class, "body")).isEmpty();
        assertThat(transactionalProblems(Pages.class, "entity")).isEmpty();
    }

    @Test
    void onlyATransactionalHandlerOfUnsafeRequestsRecordsItsReturnValue() {
        assertThat(handlers.recordsReturnValue(WebHandlerMethodsTests.method(Values.class, "value", TRANSACTIONAL)))
                .isTrue();
        assertThat(handlers.recordsReturnValue(
                        WebHandlerMethodsTests.method(Values.class, "value", OperationPolicy.DEFAULT)))
                .isFalse();
        assertThat(handlers.recordsReturnValue(WebHandlerMethodsTests.method(SafeValues.class, "find", TRANSACTIONAL)))
                .isFalse();
    }

    private List<String> transactionalProblems(Class<?> type, String method) {
        return problems(type, method, TRANSACTIONAL);
    }

    private List<String> problems(Class<?> type, String method, OperationPolicy policy) {
        return handlers.problems(WebHandlerMethodsTests.method(type, method, policy));
    }

    @Controller
    interface Pages {

        View view();

        String nameOfAView();

        @ResponseBody
        ModelAndView modelAndView();

        void defaultView();

        @ResponseBody
        String body();

        ResponseEntity<String> entity();
    }

    @RestController
    interface Values {

        Callable<String> callable();

        DeferredResult<String> deferred();

        WebAsyncTask<String> task();

        StreamingResponseBody streaming();

        ResponseEntity<StreamingResponseBody> streamingEntity();

        void toResponse(HttpServletResponse response);

        void toStream(OutputStream stream);

        void toWriter(PrintWriter writer);

        String value();

        ResponseEntity<String> entity();

        void nothing();
    }

    @RestController
    interface SafeValues {

        @GetMapping
        String find();
    }
}
