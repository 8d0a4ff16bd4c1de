package io.idempotency.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.idempotency.core.Outcome;
import io.idempotency.core.OutcomeCodec;
import io.idempotency.core.OutcomeCodecException;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.http.HttpEntity;
import org.springframework.http.ResponseEntity;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class JsonOutcomeCodecFactoryTests {

    private static final int MAX_BYTES = 1_000;

    private final JsonOutcomeCodecFactory codecs = new JsonOutcomeCodecFactory(MAX_BYTES);

    @ParameterizedTest
    @MethodSource
    void valuesComeBackEqual(Type type, @Nullable Object value) {
        OutcomeCodec<@Nullable Object> codec = codecs.codecFor(type);

        Outcome outcome = codec.encode(value);

        assertThat(outcome.kind()).isEqualTo(Outcome.Kind.VALUE);
        assertThat(codec.decode(outcome)).isEqualTo(value);
    }

    static Stream<Arguments> valuesComeBackEqual() {
        return Stream.of(
                Arguments.of(void.class, null),
                Arguments.of(Void.class, null),
                Arguments.of(String.class, null),
                Arguments.of(String.class, "grün 🙂"),
                Arguments.of(int.class, 42),
                Arguments.of(boolean.class, true),
                Arguments.of(Long.class, 9_007_199_254_740_993L),
                Arguments.of(char.class, 'x'),
                Arguments.of(double.class, 0.1 + 0.2),
                Arguments.of(BigDecimal.class, new BigDecimal("10.00")),
                Arguments.of(BigDecimal.class, new BigDecimal("0.10000000000000000001")),
                Arguments.of(BigDecimal.class, new BigDecimal("1E+3")),
                Arguments.of(byte[].class, new byte[] {0, -1}),
                Arguments.of(String[].class, new String[] {"a", "b"}),
                Arguments.of(Color.class, Color.GREEN),
                Arguments.of(UUID.class, UUID.fromString("7f1c0f0e-0000-4000-8000-000000000001")),
                Arguments.of(URI.class, URI.create("urn:a")),
                Arguments.of(Duration.class, Duration.ofNanos(1)),
                Arguments.of(Instant.class, Instant.parse("2020-01-01T00:00:00.123456789Z")),
                Arguments.of(OffsetDateTime.class, OffsetDateTime.parse("2020-01-01T00:00:00+02:00")),
                Arguments.of(ZonedDateTime.class, ZonedDateTime.parse("2020-01-01T00:00:00+01:00[Europe/Berlin]")),
                Arguments.of(OptionalInt.class, OptionalInt.of(3)),
                Arguments.of(Order.class, new Order("o-1", new BigDecimal("12.50"), List.of(LocalDate.EPOCH))),
                Arguments.of(Empty.class, new Empty()),
                Arguments.of(Payment.class, new Card("1234")),
                Arguments.of(JsonNode.class, JsonMapper.shared().readTree("{\"a\":[1,null]}")),
                Arguments.of(type(new ParameterizedTypeReference<Optional<Order>>() {}), null),
                Arguments.of(type(new ParameterizedTypeReference<Optional<Order>>() {}), Optional.empty()),
                Arguments.of(
                        type(new ParameterizedTypeReference<Optional<Order>>() {}),
                        Optional.of(new Order("o-1", BigDecimal.ONE, List.of()))),
                Arguments.of(
                        type(new ParameterizedTypeReference<List<Order>>() {}),
                        List.of(new Order("o-1", BigDecimal.ONE, List.of()))),
                Arguments.of(
                        type(new ParameterizedTypeReference<List<? extends Order>>() {}),
                        List.of(new Order("o-1", BigDecimal.ONE, List.of()))),
                Arguments.of(
                        type(new ParameterizedTypeReference<List<Payment>>() {}),
                        List.of(new Card("1"), new Transfer("2"))),
                Arguments.of(
                        type(new ParameterizedTypeReference<Envelope<Payment>>() {}),
                        new Envelope<Payment>(new Transfer("2"), Map.of("z", 1, "a", 2))),
                Arguments.of(type(new ParameterizedTypeReference<Set<String>>() {}), Set.of("a", "b", "c", "d", "e")),
                Arguments.of(
                        type(new ParameterizedTypeReference<HashSet<String>>() {}),
                        IntStream.range(0, 50)
                                .mapToObj(number -> "element " + number)
                                .collect(Collectors.toCollection(() -> new HashSet<>(10_000)))));
    }

    @Test
    void mapsKeepTheirOrder() {
        OutcomeCodec<@Nullable Object> codec =
                codecs.codecFor(type(new ParameterizedTypeReference<Map<String, Integer>>() {}));
        Map<String, Integer> value = new LinkedHashMap<>();
        value.put("z", 1);
        value.put("a", 2);

        Object replayed = codec.decode(codec.encode(value));

        assertThat((Map<?, ?>) replayed)
                .extracting(map -> List.copyOf(map.keySet()))
                .isEqualTo(List.of("z", "a"));
    }

    @Test
    void setsKeepTheirOrder() {
        OutcomeCodec<@Nullable Object> codec = codecs.codecFor(type(new ParameterizedTypeReference<Set<String>>() {}));
        List<String> order = List.of("z", "k", "a", "m", "b");

        Object replayed = codec.decode(codec.encode(new LinkedHashSet<>(order)));

        assertThat(replayed)
                .isInstanceOfSatisfying(
                        Set.class, set -> assertThat(set.toArray()).containsExactly(order.toArray()));
    }

    @Test
    void stateWithoutGettersIsRecorded() {
        OutcomeCodec<@Nullable Object> codec = codecs.codecFor(Silent.class);

        Object replayed = codec.decode(codec.encode(new Silent("state")));

        assertThat((Silent) replayed).extracting(silent -> silent.state).isEqualTo("state");
    }

    @Test
    void whatClientsMayOnlyReadIsRecorded() {
        OutcomeCodec<@Nullable Object> codec = codecs.codecFor(ReadOnlyId.class);

        assertThat(codec.decode(codec.encode(new ReadOnlyId(7)))).isEqualTo(new ReadOnlyId(7));
    }

    @ParameterizedTest
    @MethodSource
    void typesThatCannotComeBackAreRefused(Type type, String culprit) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> codecs.codecFor(type))
                .withMessageContaining("cannot be recorded")
                .withMessageContaining(culprit)
                .withMessageContaining("; ");
    }

    static Stream<Arguments> typesThatCannotComeBackAreRefused() {
        return Stream.of(
                Arguments.of(type(new ParameterizedTypeReference<Mono<Order>>() {}), "Mono"),
                Arguments.of(type(new ParameterizedTypeReference<Flux<Order>>() {}), "Flux"),
                Arguments.of(type(new ParameterizedTypeReference<Stream<Order>>() {}), "Stream"),
                Arguments.of(IntStream.class, "IntStream"),
                Arguments.of(type(new ParameterizedTypeReference<Iterator<Order>>() {}), "Iterator"),
                Arguments.of(InputStream.class, "InputStream"),
                Arguments.of(Reader.class, "Reader"),
                Arguments.of(type(new ParameterizedTypeReference<Callable<Order>>() {}), "Callable"),
                Arguments.of(type(new ParameterizedTypeReference<Future<Order>>() {}), "Future"),
                Arguments.of(type(new ParameterizedTypeReference<List<CompletableFuture<Order>>>() {}), "Future"),
                Arguments.of(Object.class, "java.lang.Object"),
                Arguments.of(Number.class, "java.lang.Number"),
                Arguments.of(Class.class, "java.lang.Class"),
                Arguments.of(List.class, "java.lang.Object"),
                Arguments.of(type(new ParameterizedTypeReference<List<?>>() {}), "java.lang.Object"),
                Arguments.of(type(new ParameterizedTypeReference<Map<String, Object>>() {}), "java.lang.Object"),
                Arguments.of(Envelope.class, "java.lang.Object"),
                Arguments.of(Untyped.class, "Untyped.details"),
                Arguments.of(Shape.class, "Shape"),
                Arguments.of(NoConstructor.class, "NoConstructor"),
                Arguments.of(NamedByClass.class, "NamedByClass"),
                Arguments.of(ReentrantLock.class, "ReentrantLock"),
                Arguments.of(IOException.class, "java.io.IOException"),
                Arguments.of(WriteOnly.class, "password"),
                Arguments.of(Ignoring.class, "secret"),
                Arguments.of(IgnoringBean.class, "secret"),
                Arguments.of(type(new ParameterizedTypeReference<List<Ignoring>>() {}), "secret"),
                Arguments.of(HttpEntity.class, "HttpEntity"),
                Arguments.of(ResponseEntity.class, "java.lang.Object"),
                Arguments.of(type(new ParameterizedTypeReference<ResponseEntity<?>>() {}), "java.lang.Object"),
                Arguments.of(type(new ParameterizedTypeReference<List<ResponseEntity<Order>>>() {}), "ResponseEntity"));
    }

    @Test
    void whatIsLeftOutButDerivedIsNoLoss() {
        OutcomeCodec<@Nullable Object> codec = codecs.codecFor(Derived.class);

        Derived replayed = (Derived) codec.decode(codec.encode(new Derived("Ada", "Lovelace")));

        assertThat(replayed).extracting(Derived::getFullName).isEqualTo("Ada Lovelace");
    }

    @Test
    void aValueOfASubclassIsRefused() {
        OutcomeCodec<@Nullable Object> codec = codecs.codecFor(Base.class);

        assertThatExceptionOfType(OutcomeCodecException.class)
                .isThrownBy(() -> codec.encode(new Sub()))
                .withMessageContaining("does not come back");
    }

    @Test
    void anElementOfASubclassIsRefused() {
        OutcomeCodec<@Nullable Object> codec = codecs.codecFor(type(new ParameterizedTypeReference<List<Base>>() {}));

        assertThatExceptionOfType(OutcomeCodecException.class)
                .isThrownBy(() -> codec.encode(List.of(new Sub())))
                .withMessageContaining("does not come back");
    }

    @Test
    void aTooLargeValueIsRefused() {
        OutcomeCodec<@Nullable Object> codec = codecs.codecFor(String.class);

        assertThat(codec.encode("x".repeat(MAX_BYTES - 2)).content()).hasSize(MAX_BYTES);
        assertThatExceptionOfType(OutcomeCodecException.class)
                .isThrownBy(() -> codec.encode("x".repeat(MAX_BYTES - 1)))
                .withMessageContaining("more than 1000 bytes");
    }

    @Test
    void aCycleIsRefused() {
        OutcomeCodec<@Nullable Object> codec = new JsonOutcomeCodecFactory(Integer.MAX_VALUE).codecFor(Node.class);
        Node node = new Node();
        node.next = node;

        assertThatExceptionOfType(OutcomeCodecException.class).isThrownBy(() -> codec.encode(node));
    }

    @Test
    void messagesHoldNoPartOfTheValue() {
        OutcomeCodec<@Nullable Object> codec = codecs.codecFor(Throwing.class);

        assertThatExceptionOfType(OutcomeCodecException.class)
                .isThrownBy(() -> codec.encode(new Throwing("jane@example.com")))
                .satisfies(refused -> assertThat(refused)
                        .hasNoCause()
                        .hasMessageContaining("Throwing")
                        .hasMessageNotContaining("jane"));
        OutcomeCodec<@Nullable Object> numbers =
                codecs.codecFor(type(new ParameterizedTypeReference<Map<String, Integer>>() {}));
        assertThatExceptionOfType(OutcomeCodecException.class)
                .isThrownBy(() -> numbers.decode(stored("{\"jane@example.com\":\"secret\"}")))
                .satisfies(refused -> assertThat(refused)
                        .hasNoCause()
                        .hasMessageContaining("cannot be read from JSON")
                        .hasMessageNotContaining("jane")
                        .hasMessageNotContaining("secret"));
    }

    @Test
    void propertiesThatWereAddedOrRemovedSinceAreTolerated() {
        OutcomeCodec<@Nullable Object> codec = codecs.codecFor(Versioned.class);

        assertThat(codec.decode(stored("{\"id\":\"1\",\"removed\":{\"x\":1}}"))).isEqualTo(new Versioned("1", 0, null));
    }

    @Test
    void aClassNameInTheStoreCreatesNothing() {
        OutcomeCodec<@Nullable Object> codec = codecs.codecFor(Payment.class);

        assertThatExceptionOfType(OutcomeCodecException.class)
                .isThrownBy(() -> codec.decode(stored("{\"@type\":\"%s\"}".formatted(Sub.class.getName()))));
        assertThatExceptionOfType(OutcomeCodecException.class)
                .isThrownBy(() -> codec.decode(stored("[\"%s\",{}]".formatted(Sub.class.getName()))));
    }

    @Test
    void anOutcomeOfAnotherFormatIsRefused() {
        OutcomeCodec<@Nullable Object> codec = codecs.codecFor(String.class);
        Outcome foreign = new Outcome(Outcome.Kind.VALUE, "http/1", new byte[] {1});

        assertThatExceptionOfType(OutcomeCodecException.class)
                .isThrownBy(() -> codec.decode(foreign))
                .withMessageContaining("http/1")
                .withMessageContaining("json/1");
    }

    @Test
    void aStoredNullIsNoPrimitive() {
        OutcomeCodec<@Nullable Object> codec = codecs.codecFor(int.class);

        assertThatExceptionOfType(OutcomeCodecException.class)
                .isThrownBy(() -> codec.decode(stored("")))
                .withMessageContaining("int");
    }

    @Test
    void responseEntitiesComeBackWithStatusAndHeaders() {
        OutcomeCodec<@Nullable Object> codec =
                codecs.codecFor(type(new ParameterizedTypeReference<ResponseEntity<List<Payment>>>() {}));
        ResponseEntity<List<Payment>> value = ResponseEntity.status(299)
                .header("Link", "a", "b")
                .location(URI.create("/orders/1"))
                .body(List.of(new Card("1")));

        assertThat(codec.decode(codec.encode(value))).isEqualTo(value);
        assertThat(codec.decode(codec.encode(null))).isNull();
    }

    @Test
    void responseEntitiesWithoutBodyComeBack() {
        OutcomeCodec<@Nullable Object> codec =
                codecs.codecFor(type(new ParameterizedTypeReference<ResponseEntity<Void>>() {}));
        ResponseEntity<Void> value = ResponseEntity.noContent().build();

        assertThat(codec.decode(codec.encode(value))).isEqualTo(value);
    }

    private static Outcome stored(String json) {
        return new Outcome(Outcome.Kind.VALUE, "json/1", json.getBytes(StandardCharsets.UTF_8));
    }

    private static Type type(ParameterizedTypeReference<?> reference) {
        return reference.getType();
    }

    enum Color {
        GREEN
    }

    record Order(String id, BigDecimal amount, List<LocalDate> days) {}

    record Empty() {}

    record Envelope<T>(T content, Map<String, Integer> counts) {}

    record Versioned(String id, int added, @Nullable String addedToo) {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
    @JsonSubTypes({@JsonSubTypes.Type(Card.class), @JsonSubTypes.Type(Transfer.class)})
    sealed interface Payment permits Card, Transfer {}

    record Card(String number) implements Payment {}

    record Transfer(String account) implements Payment {}

    static final class Silent {

        private String state = "";

        Silent() {}

        Silent(String state) {
            this.state = state;
        }
    }

    record ReadOnlyId(
            @JsonProperty(access = JsonProperty.Access.READ_ONLY)
            int id) {}

    static final class Derived {

        private String first = "";

        private String last = "";

        Derived() {}

        Derived(String first, String last) {
            this.first = first;
            this.last = last;
        }

        public String getFullName() {
            return first + " " + last;
        }

        public void setShortName(String shortName) {
            this.first = shortName;
        }

        @JsonIgnore
        public boolean isShort() {
            return last.isEmpty();
        }
    }

    record Untyped(Map<String, Object> details) {}

    interface Shape {}

    static final class NoConstructor {

        private final String text;

        private NoConstructor(StringBuilder text, int number) {
            this.text = text.toString() + number;
        }

        static NoConstructor of(int number) {
            return new NoConstructor(new StringBuilder(), number);
        }

        @Override
        public String toString() {
            return text;
        }
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS)
    record NamedByClass(String id) {}

    record WriteOnly(
            String id,

            @JsonProperty(access = JsonProperty.Access.WRITE_ONLY)
            String password) {}

    record Ignoring(String id, @JsonIgnore String secret) {}

    static final class IgnoringBean {

        @JsonIgnore
        private String secret = "";

        public String getSecret() {
            return secret;
        }
    }

    static class Base {

        public String base = "b";
    }

    static final class Sub extends Base {

        public String more = "m";
    }

    static final class Node {

        public @Nullable Node next;

        public List<String> texts = new ArrayList<>();
    }

    static final class Throwing {

        private String text = "";

        Throwing() {}

        Throwing(String text) {
            this.text = text;
        }

        public String getText() {
            throw new IllegalStateException("Nobody may see " + text);
        }
    }
}
