package io.idempotency.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.annotation.Idempotent;
import io.idempotency.core.IdempotencyContext;
import io.idempotency.core.IdempotencyException;
import io.idempotency.interceptor.InvalidIdempotentMethodException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.net.http.HttpResponse;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.aop.Advisor;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.annotation.AnnotationMatchingPointcut;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.bind.annotation.ResponseStatus;

/** Which invocations are parts of a handler that dispatches its request, and what keeps a handler from being one. */
class NestedPartsTests {

    @RegisterExtension
    static final WebApplication application =
            WebApplication.of(Pages.class, Advice.class).with("spring.web.error.include-message=always");

    private static final AtomicInteger executions = new AtomicInteger();

    private final String key = UUID.randomUUID().toString();

    private final int before = executions.get();

    @Test
    void aPartThatHasEndedIsCalledAsAnyOtherBean() {
        assertThat(post("/calling").body()).isEqualTo("part, and then a call that has no key");
        assertThat(executions).hasValue(before + 1);
    }

    @Test
    void whatIsForwardedToCallsTheFirstHandlerAsAnyOtherBean() {
        assertThat(post("/to-caller").body()).isEqualTo("a call that has no key");
    }

    @Test
    void aPartThatIncludesAnotherOneMayBeTriedAgain() {
        String first = post("/outer").body();

        assertThat(first).isEqualTo("part in attempt 1, part in attempt 1, end");
        assertThat(post("/outer").body()).isEqualTo(first);
        assertThat(executions).hasValue(before + 2);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            keyed-view     | it has a key of its own, so that only what it returns is recorded, but it answers by a view
            keyed-response | it has a key of its own, so that only what it returns is recorded, but it may write the response
            exact          | the first does not compare all that the second does
            scoped         | a scope expression says for one of them alone who is calling
            """)
    void aHandlerThatTheClaimDoesNotCoverIsRefusedWithTheReason(String target, String reason) {
        HttpResponse<String> refused = post("/to?to=/" + target + "/" + key);

        assertThat(refused.statusCode()).isEqualTo(500);
        assertThat(refused.body()).contains("NestedPartsTests$Pages#to(String)", reason);
        assertThat(executions).hasValue(before);
    }

    @Test
    void whatAnswersARefusalHasNoClaimToBeAPartOf() {
        HttpResponse<String> refused = application.post("/to-caller", "{}");

        assertThat(refused.statusCode()).isEqualTo(500);
        assertThat(refused.body()).contains("the first was not let in or has ended");
        assertThat(executions).hasValue(before);
    }

    @Test
    void aKeyedHandlerThatReturnsNothingRunsOnce() {
        HttpResponse<String> first = application.post("/to?to=/keyed-void/" + key, "{}", "Idempotency-Key", key);
        HttpResponse<String> second =
                application.post("/to?to=/keyed-void/" + key, "{}", "Idempotency-Key", key + "-2");

        assertThat(first.statusCode()).isEqualTo(202);
        assertThat(second.statusCode()).isEqualTo(202);
        assertThat(executions).hasValue(before + 1);
    }

    private HttpResponse<String> post(String path) {
        return application.post(path, "{}", "Idempotency-Key", key);
    }

    private static void include(HttpServletRequest request, HttpServletResponse response, String path)
            throws Exception {
        Objects.requireNonNull(request.getRequestDispatcher(path)).include(request, response);
    }

    @Controller
    static class Pages {

        private final ObjectProvider<Pages> self;

        private int tries;

        Pages(ObjectProvider<Pages> self) {
            this.self = self;
        }

        @PostMapping("/part")
        @Idempotent
        @ResponseBody
        String part() {
            executions.incrementAndGet();
            return "part";
        }

        @PostMapping("/calling")
        @Idempotent
        void calling(HttpServletRequest request, HttpServletResponse response) throws Exception {
            include(request, response, "/part");
            response.getOutputStream().print(", and then " + call(self.getObject()::part));
        }

        @PostMapping("/to-caller")
        @Idempotent
        String toCaller() {
            return "forward:/caller";
        }

        @PostMapping("/caller")
        @ResponseBody
        String caller() {
            return call(self.getObject()::toCaller);
        }

        private static String call(Runnable call) {
            try {
                call.run();
                return "a part";
            } catch (IdempotencyException | InvalidIdempotentMethodException refused) {
                return "a call that has no key";
            }
        }

        @PostMapping("/outer")
        @Idempotent
        void outer(HttpServletRequest request, HttpServletResponse response) throws Exception {
            include(request, response, "/inner");
            response.getOutputStream().print("end");
        }

        @PostMapping("/inner")
        @Idempotent
        @TriedTwice
        void inner(HttpServletRequest request, HttpServletResponse response) throws Exception {
            include(request, response, "/part");
            long attempt = IdempotencyContext.current().orElseThrow().attempt();
            response.getOutputStream().print(" in attempt " + attempt + ", ");
            if (++tries == 1) {
                throw new IllegalStateException("not yet");
            }
        }

        @PostMapping("/to")
        @Idempotent(fingerprint = "NONE")
        String to(@RequestParam String to) {
            return "forward:" + to;
        }

        @ExceptionHandler
        String refused(IdempotencyException refusal) {
            return "forward:/part";
        }

        @PostMapping("/keyed-view/{id}")
        @Idempotent(key = "#id")
        String keyedView(@PathVariable String id) {
            executions.incrementAndGet();
            return "view";
        }

        @PostMapping("/keyed-response/{id}")
        @Idempotent(key = "#id", fingerprint = "NONE")
        void keyedResponse(@PathVariable String id, HttpServletResponse response) {
            executions.incrementAndGet();
        }

        @PostMapping("/keyed-void/{id}")
        @Idempotent(key = "#id")
        @ResponseBody
        @ResponseStatus(HttpStatus.ACCEPTED)
        void keyedVoid(@PathVariable String id) {
            executions.incrementAndGet();
        }

        @PostMapping("/exact/{id}")
        @Idempotent(fingerprint = "RAW")
        @ResponseBody
        String exact() {
            return part();
        }

        @PostMapping("/scoped/{id}")
        @Idempotent(scope = "'shop'")
        @ResponseBody
        String scoped() {
            return part();
        }
    }

    @Retention(RetentionPolicy.RUNTIME)
    @interface TriedTwice {}

    @Configuration(proxyBeanMethods = false)
    static class Advice {

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static Advisor triedTwice() {
            DefaultPointcutAdvisor advisor = new DefaultPointcutAdvisor(
                    AnnotationMatchingPointcut.forMethodAnnotation(TriedTwice.class),
                    (MethodInterceptor) invocation -> {
                        try {
                            return ((ProxyMethodInvocation) invocation)
                                    .invocableClone()
                                    .proceed();
                        } catch (IllegalStateException failure) {
                            return invocation.proceed();
                        }
                    });
            advisor.setOrder(1);
            return advisor;
        }
    }
}
