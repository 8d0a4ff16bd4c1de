package io.idempotency.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.annotation.Idempotent;
import io.idempotency.core.OnFailure;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.ResponseEntity;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseBody;

/** What happens in a later dispatch of a handler, or in a handler that it includes, against how the handler itself ends. */
class PartsOfHandlersTests {

    @RegisterExtension
    static final WebApplication application = WebApplication.of(Shop.class);

    private static final AtomicInteger charges = new AtomicInteger();

    private static final AtomicBoolean broken = new AtomicBoolean();

    private final String key = UUID.randomUUID().toString();

    private final int before = charges.get();

    @ParameterizedTest
    @ValueSource(strings = {"/future", "/task"})
    void theDispatchOfALaterResultIsNoPartOfAHandlerWithAScope(String path) {
        String first = post(path).body();

        assertThat(first).isEqualTo("charge " + (before + 1));
        assertThat(post(path).body()).isEqualTo(first);
        assertThat(charges).hasValue(before + 1);
    }

    @Test
    void aFragmentThatIsDeniedDoesNotFreeTheKeyOfAHandlerThatSucceeds() {
        String first = post("/with-denied-fragment").body();

        assertThat(first).isEqualTo("denied, charge " + (before + 1));
        assertThat(post("/with-denied-fragment").body()).isEqualTo(first);
        assertThat(charges).hasValue(before + 1);
    }

    @Test
    void aHandlerThatFailsAfterAPartHasReturnedMayRunAgain() {
        broken.set(true);
        int failed = post("/with-parts").statusCode();
        broken.set(false);

        assertThat(failed).isEqualTo(500);
        assertThat(post("/with-parts").body()).isEqualTo("part plain charge " + (before + 1));
    }

    @Test
    void aHandlerWithAnotherPolicyIsNoPart() {
        assertThat(post("/to-held").statusCode()).isEqualTo(500);
        assertThat(charges).hasValue(before);
    }

    private HttpResponse<String> post(String path) {
        return application.post(path, "{}", "Idempotency-Key", key);
    }

    private static String charge() {
        return "charge " + charges.incrementAndGet();
    }

    @Controller
    static class Shop {

        @PostMapping("/future")
        @Idempotent(scope = "'shop'")
        @ResponseBody
        CompletableFuture<String> future() {
            return CompletableFuture.supplyAsync(PartsOfHandlersTests::charge);
        }

        @PostMapping("/task")
        @Idempotent(scope = "'shop'")
        @ResponseBody
        Callable<String> task() {
            return PartsOfHandlersTests::charge;
        }

        @PostMapping("/with-denied-fragment")
        @Idempotent
        void withDeniedFragment(HttpServletRequest request, HttpServletResponse response)
                throws IOException, ServletException {
            request.getRequestDispatcher("/denied-fragment").include(request, response);
            response.getOutputStream().print(charge());
        }

        @PostMapping("/denied-fragment")
        @ResponseBody
        String deniedFragment() {
            throw new AccessDeniedException("not for you");
        }

        @ExceptionHandler
        ResponseEntity<String> denied(AccessDeniedException denied) {
            return ResponseEntity.ok("denied, ");
        }

        @PostMapping("/with-parts")
        @Idempotent
        void withParts(HttpServletRequest request, HttpServletResponse response) throws IOException, ServletException {
            request.getRequestDispatcher("/part").include(request, response);
            request.getRequestDispatcher("/plain").include(request, response);
            response.getOutputStream().print(charge());
        }

        @PostMapping("/part")
        @Idempotent
        @ResponseBody
        String part() {
            return "part ";
        }

        @PostMapping("/plain")
        @ResponseBody
        String plain() {
            if (broken.get()) {
                throw new IllegalStateException("broken");
            }
            return "plain ";
        }

        @PostMapping("/to-held")
        @Idempotent
        String toHeld() {
            return "forward:/held";
        }

        @PostMapping("/held")
        @Idempotent(onFailure = OnFailure.HOLD)
        @ResponseBody
        String held() {
            return charge();
        }
    }
}
