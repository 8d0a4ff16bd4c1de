package io.idempotency.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.retry.RetryPolicy;
import org.springframework.core.retry.RetryTemplate;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.web.client.RestClient;

class CallKeyTests {

    @RegisterExtension
    private final ScriptedServer server = new ScriptedServer();

    private final StepFixture steps = new StepFixture();

    @AfterEach
    void close() {
        steps.close();
    }

    @Test
    void isTheSameInAllAttemptsOfARetryTemplate() {
        RetryTemplate retries =
                new RetryTemplate(RetryPolicy.builder().delay(Duration.ZERO).build());
        Gateway gateway = new Gateway(builder());
        server.answers(500).answers(503);

        Order order = new Order("order-1", server.uri());

        // snippet:call
        Receipt receipt = CallKey.random().call(() -> retries.invoke(() -> gateway.charge(order)));
        // end:call

        assertThat(receipt.id()).isEqualTo("order-1");
        assertThat(server.keys()).hasSize(3).allSatisfy(keys -> assertThat(keys).hasSize(1));
        assertThat(server.keys()).containsOnly(server.keys().get(0));
    }

    @Test
    void isTheSameInAllAttemptsOfARetryableMethod() {
        try (AnnotationConfigApplicationContext context =
                new AnnotationConfigApplicationContext(RetryingApplication.class, Gateway.class)) {
            Gateway gateway = context.getBean(Gateway.class);
            server.answers(500).answers(503);

            CallKey.of("order-1").call(() -> gateway.charge(new Order("order-1", server.uri())));
        }

        assertThat(server.keys()).containsExactly(List.of("order-1"), List.of("order-1"), List.of("order-1"));
    }

    @Test
    void isAnotherOneForEveryCall() {
        Gateway gateway = new Gateway(builder());

        CallKey.random().call(() -> gateway.charge(new Order("order-1", server.uri())));
        CallKey.random().call(() -> gateway.charge(new Order("order-1", server.uri())));

        assertThat(server.keys()).hasSize(2).doesNotHaveDuplicates();
    }

    @Test
    void givesWayToACallOrStepThatBeginsInside() {
        List<Optional<String>> seen = new ArrayList<>();
        CallKey outer = CallKey.of("outer");

        String step = outer.call(() -> steps.inAStep(() -> {
            seen.add(CallKey.current());
            CallKey.of("inner").run(() -> seen.add(CallKey.current()));
            seen.add(CallKey.current());
        }));
        outer.run(() -> {
            CallKey.of("inner").run(() -> seen.add(CallKey.current()));
            seen.add(CallKey.current());
        });

        assertThat(seen)
                .containsExactly(
                        Optional.of(step),
                        Optional.of("inner"),
                        Optional.of(step),
                        Optional.of("inner"),
                        Optional.of("outer"));
    }

    @Test
    void endsWithItsWorkHoweverThatEnds() {
        CallKey key = CallKey.random();

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> key.call(() -> {
                    throw new IOException("no route");
                }))
                .withMessage("no route");
        assertThat(CallKey.current()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", " ", " order", "order ", "or\nder", "ordér", "order\u007f", "\"order\"", "or\"der", "or,der"
            })
    void thatNoHeaderCanHoldIsRefusedWithoutShowingIt(String value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CallKey.of(value))
                .withMessage(
                        "A key must have 1 to 255 printable ASCII characters, no quotes, no commas and no space at its"
                                + " ends");
    }

    @Test
    void hasTheLengthThatTheDoorAccepts() {
        assertThat(CallKey.of("k".repeat(255))).isNotNull();
        assertThatIllegalArgumentException().isThrownBy(() -> CallKey.of("k".repeat(256)));
    }

    private static RestClient.Builder builder() {
        return RestClient.builder().requestFactory(new JdkClientHttpRequestFactory());
    }

    @EnableResilientMethods
    static class RetryingApplication {

        @Bean
        RestClient.Builder builder() {
            return CallKeyTests.builder();
        }
    }

    record Order(String id, String uri) {}

    record Receipt(String id) {}

    static class Gateway {

        private final RestClient client;

        // snippet:client
        Gateway(RestClient.Builder builder) {
            client = builder.requestInterceptor(new IdempotencyKeyInterceptor()).build();
        }
        // end:client

        @Retryable(delay = 0)
        Receipt charge(Order order) {
            client.post().uri(order.uri()).retrieve().toBodilessEntity();
            return new Receipt(order.id());
        }
    }
}
