package io.idempotency.client;

import io.idempotency.step.StepContext;
import java.io.IOException;
import java.util.Set;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;

/**
 * Sends {@link StepContext#key()} as {@code Idempotency-Key} with every POST and PATCH request that a step makes on its own
 * thread, unless the request has such a header. Outside of steps it does nothing. Other methods are idempotent by
 * themselves, as RFC 9110, section 9.2.2, defines them.
 *
 * <p>It is for clients of systems that know the header:
 *
 * <pre>{@code
 * RestClient gateway = builder.baseUrl("https://gateway.example").requestInterceptor(new StepKeyInterceptor()).build();
 * }</pre>
 *
 * <p>A step that makes two such requests sends the same key twice; make it two steps. Like every interceptor it lets the
 * client hold the body of each request in memory. Thread-safe.
 */
public final class StepKeyInterceptor implements ClientHttpRequestInterceptor {

    private static final String HEADER = "Idempotency-Key";

    private static final Set<HttpMethod> METHODS = Set.of(HttpMethod.POST, HttpMethod.PATCH);

    @Override
    public ClientHttpResponse intercept(HttpRequest request, byte[] body, ClientHttpRequestExecution execution)
            throws IOException {
        if (METHODS.contains(request.getMethod()) && !request.getHeaders().containsHeader(HEADER)) {
            StepContext.current().ifPresent(step -> request.getHeaders().set(HEADER, step.key()));
        }
        return execution.execute(request, body);
    }
}
