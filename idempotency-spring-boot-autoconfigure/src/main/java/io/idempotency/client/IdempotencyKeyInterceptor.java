package io.idempotency.client;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpRequest;
import org.springframework.http.HttpStatus;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;

/**
 * Sends the key of the innermost {@link CallKey} or {@linkplain io.idempotency.step.StepContext#key() step} that is running
 * on the thread as {@code Idempotency-Key} with every POST and PATCH request, unless the request has such a header. Other
 * methods are idempotent by themselves, as RFC 9110, section 9.2.2, defines them. Outside of both nothing is sent: a key
 * that was made for one request could not be the same for its retry.
 *
 * <p>A request with a key that is answered by 409 and {@code Retry-After} is sent again after that time, with the same key
 * and body: the server says that the earlier one is in progress. All waiting of one request takes no longer than
 * {@code maxWait}; a 409 that asks for more is given to the caller, as are all other responses.
 *
 * <p>It is for clients of systems that know the header:
 *
 * <pre>{@code
 * RestClient gateway = builder.baseUrl("https://gateway.example").requestInterceptor(new IdempotencyKeyInterceptor()).build();
 * }</pre>
 *
 * <p>A step or call that makes two such requests sends the same key twice; make it two. Like every interceptor it lets the
 * client hold the body of each request in memory, which is what it sends again. Thread-safe.
 */
public final class IdempotencyKeyInterceptor implements ClientHttpRequestInterceptor {

    private static final String HEADER = "Idempotency-Key";

    private static final Set<HttpMethod> METHODS = Set.of(HttpMethod.POST, HttpMethod.PATCH);

    /** As long as the default lease, which is the longest pause that this library's own door asks for. */
    private static final Duration DEFAULT_MAX_WAIT = Duration.ofSeconds(30);

    private final Duration maxWait;

    private final boolean quoting;

    /** Creates an interceptor that waits for up to 30 seconds. */
    public IdempotencyKeyInterceptor() {
        this(DEFAULT_MAX_WAIT);
    }

    /**
     * Creates an interceptor.
     *
     * @param maxWait how long a request waits at most for earlier ones with its key, on the thread that sends it; zero: it
     *     does not wait
     * @throws IllegalArgumentException if it is negative
     */
    public IdempotencyKeyInterceptor(Duration maxWait) {
        this(maxWait, false);
    }

    private IdempotencyKeyInterceptor(Duration maxWait, boolean quoting) {
        if (maxWait.isNegative()) {
            throw new IllegalArgumentException("maxWait is %s, but must not be negative".formatted(maxWait));
        }
        this.maxWait = maxWait;
        this.quoting = quoting;
    }

    /**
     * Returns an interceptor that sends keys as the quoted strings of RFC 9651, section 3.3.3, for systems that accept no
     * other. It means the same key.
     */
    public IdempotencyKeyInterceptor withQuotedKeys() {
        return new IdempotencyKeyInterceptor(maxWait, true);
    }

    @Override
    public ClientHttpResponse intercept(HttpRequest request, byte[] body, ClientHttpRequestExecution execution)
            throws IOException {
        HttpHeaders headers = request.getHeaders();
        if (METHODS.contains(request.getMethod()) && !headers.containsHeader(HEADER)) {
            CallKey.current().ifPresent(key -> headers.set(HEADER, quoting ? quoted(key) : key));
        }
        ClientHttpResponse response = execution.execute(request, body);
        return headers.containsHeader(HEADER) ? afterEarlierOnes(response, request, body, execution) : response;
    }

    /** No key holds a quote, which would be escaped too. */
    private static String quoted(String key) {
        return '"' + key.replace("\\", "\\\\") + '"';
    }

    private ClientHttpResponse afterEarlierOnes(
            ClientHttpResponse first, HttpRequest request, byte[] body, ClientHttpRequestExecution execution)
            throws IOException {
        ClientHttpResponse response = first;
        Duration remaining = maxWait;
        Optional<Duration> pause = pause(response, remaining);
        while (pause.isPresent()) {
            response.close();
            sleep(pause.get());
            remaining = remaining.minus(pause.get());
            response = execution.execute(request, body);
            pause = pause(response, remaining);
        }
        return response;
    }

    /** Returns how long to wait before the request is sent again; empty where its response is the answer. */
    private static Optional<Duration> pause(ClientHttpResponse response, Duration remaining) throws IOException {
        if (response.getStatusCode().value() != HttpStatus.CONFLICT.value()) {
            return Optional.empty();
        }
        return RetryAfter.parse(response.getHeaders().getFirst(HttpHeaders.RETRY_AFTER), InstantSource.system())
                .filter(asked -> asked.compareTo(remaining) <= 0);
    }

    private static void sleep(Duration pause) throws InterruptedIOException {
        try {
            Thread.sleep(pause.toMillis());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("Interrupted while waiting for an earlier request with the same key");
        }
    }
}
