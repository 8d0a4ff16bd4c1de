package io.idempotency.web;

import io.idempotency.interceptor.IdempotentMethod;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;

/**
 * The annotations that must not stand beside {@code @Idempotent} on a handler, since their advice does not leave the
 * exchange to the one invocation of the handler. They are known by their names: most are the user's own choice.
 */
final class ConflictingAnnotations {

    private static final String REMEDY =
            "; remove it, or put @Idempotent on the method of another bean that does the work";

    private static final String RETRIES =
            "would repeat a replay and each refusal, and would run the work again after it";

    private static final String CHECKS_RESULT =
            "decides on the result when the work is done and its outcome is recorded";

    private static final String OTHER_THREAD = "runs it on another thread, when its response has been sent";

    private static final Map<String, String> REASONS = reasons();

    private ConflictingAnnotations() {}

    private static Map<String, String> reasons() {
        Map<String, String> reasons = new LinkedHashMap<>();
        reasons.put("org.springframework.resilience.annotation.Retryable", RETRIES);
        reasons.put("org.springframework.retry.annotation.Retryable", RETRIES);
        reasons.put("org.springframework.security.access.prepost.PostAuthorize", CHECKS_RESULT);
        reasons.put("org.springframework.security.access.prepost.PostFilter", CHECKS_RESULT);
        reasons.put("org.springframework.scheduling.annotation.Async", OTHER_THREAD);
        return reasons;
    }

    /** Returns one sentence with its remedy for each that stands on the method or its class, or on what they override. */
    static List<String> on(IdempotentMethod handler) {
        MergedAnnotations onMethod = MergedAnnotations.from(handler.method(), SearchStrategy.TYPE_HIERARCHY);
        MergedAnnotations onClass = MergedAnnotations.from(handler.targetClass(), SearchStrategy.TYPE_HIERARCHY);
        return REASONS.entrySet().stream()
                .filter(reason -> Stream.of(onMethod, onClass).anyMatch(found -> found.isPresent(reason.getKey())))
                .map(reason ->
                        "Its @%s %s%s".formatted(ClassUtils.getShortName(reason.getKey()), reason.getValue(), REMEDY))
                .toList();
    }
}
