package io.idempotency.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.idempotency.core.Outcome;
import io.idempotency.core.OutcomeCodec;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.http.ResponseEntity;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class JsonOutcomeCodecFactoryTests extends WithJsonCodecs {

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

    @Test
    void whatIsLeftOutButDerivedIsNoLoss() {
        OutcomeCodec<@Nullable Object> codec = codecs.codecFor(Derived.class);

        Derived replayed = (Derived) codec.decode(codec.encode(new Derived("Ada", "Lovelace")));

        assertThat(replayed).extracting(Derived::getFullName).isEqualTo("Ada Lovelace");
    }

    @Test
    void propertiesThatWereAddedOrRemovedSinceAreTolerated() {
        OutcomeCodec<@Nullable Object> codec = codecs.codecFor(Versioned.class);

        assertThat(codec.decode(stored("{\"id\":\"1\",\"removed\":{\"x\":1}}"))).isEqualTo(new Versioned("1", 0, null));
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

    enum Color {
        GREEN
    }

    record Empty() {}

    record Versioned(String id, int added, @Nullable String addedToo) {}

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
}
