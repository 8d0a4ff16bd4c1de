package io.idempotency.web;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.http.HttpEntity;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.ErrorResponse;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.request.async.WebAsyncTask;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/** Tells which results of handlers are not the whole response yet, because work goes on after the return. */
final class LaterResults {

    private static final List<Class<?>> LATER =
            List.of(CompletionStage.class, Callable.class, WebAsyncTask.class, DeferredResult.class);

    /** Asked for each response, so what is known of a class is kept. */
    private static final ClassValue<Boolean> IS_LATER = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return LATER.stream().anyMatch(later -> later.isAssignableFrom(type)) || adapter(type) != null;
        }
    };

    private static final ClassValue<Boolean> IS_STREAM = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            ReactiveAdapter adapter = adapter(type);
            return ResponseBodyEmitter.class.isAssignableFrom(type) || (adapter != null && adapter.isMultiValue());
        }
    };

    private LaterResults() {}

    /** Says whether the handler goes on after its return, so that a later failure may still be its own. */
    static boolean isLater(@Nullable Object result) {
        return result != null && (IS_LATER.get(result.getClass()) || body(result) instanceof StreamingResponseBody);
    }

    /**
     * Says whether Spring MVC runs the rest of the handler as a task whose end tells how the work ended. That of a body that
     * is streamed does not: once the response has ended, the task fails by its next write.
     */
    static boolean isTask(@Nullable Object result) {
        return result instanceof Callable || result instanceof WebAsyncTask;
    }

    /** Says whether the response has no known end. */
    static boolean isStream(@Nullable Object result) {
        Object body = body(result);
        return body != null && isStream(body.getClass());
    }

    /** Says whether a response of this type has no known end. */
    static boolean isStream(Class<?> type) {
        return IS_STREAM.get(type);
    }

    /** Returns the status of the response that a result makes: success, unless it names another one by itself. */
    static int status(@Nullable Object result) {
        if (result instanceof ResponseEntity<?> entity) {
            return entity.getStatusCode().value();
        }
        if (result instanceof ErrorResponse error) {
            return error.getStatusCode().value();
        }
        return result instanceof ProblemDetail problem ? problem.getStatus() : HttpStatus.OK.value();
    }

    private static @Nullable Object body(@Nullable Object result) {
        return result instanceof HttpEntity<?> entity ? entity.getBody() : result;
    }

    private static @Nullable ReactiveAdapter adapter(Class<?> type) {
        return ReactiveAdapterRegistry.getSharedInstance().getAdapter(type);
    }
}
