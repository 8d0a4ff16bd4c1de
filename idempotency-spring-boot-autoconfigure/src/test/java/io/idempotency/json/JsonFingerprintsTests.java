package io.idempotency.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.io.ByteArrayInputStream;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class JsonFingerprintsTests {

    private final JsonFingerprints fingerprints = new JsonFingerprints();

    @Test
    void equalArgumentsHaveTheSameFingerprint() {
        assertThat(fingerprints.of(new Order("o-1", new BigDecimal("10")), 3))
                .isEqualTo(fingerprints.of(new Order("o-1", new BigDecimal("10")), 3))
                .isNotEqualTo(fingerprints.of(new Order("o-1", new BigDecimal("11")), 3))
                .isNotEqualTo(fingerprints.of(new Order("o-1", new BigDecimal("10")), 4))
                .isNotEqualTo(fingerprints.of(3, new Order("o-1", new BigDecimal("10"))));
    }

    @Test
    void theNumberOfArgumentsAndNullCount() {
        assertThat(fingerprints.of())
                .isNotEqualTo(fingerprints.of((Object) null))
                .isNotEqualTo(fingerprints.of(""));
        assertThat(fingerprints.of("a", null)).isNotEqualTo(fingerprints.of(null, "a"));
    }

    @Test
    void theOrderOfMapEntriesDoesNotMatter() {
        Map<String, Object> there = new LinkedHashMap<>();
        there.put("a", 1);
        there.put("b", new HashMap<>(Map.of("x", 1, "y", 2)));
        Map<String, Object> back = new LinkedHashMap<>();
        back.put("b", new HashMap<>(Map.of("y", 2, "x", 1)));
        back.put("a", 1);

        assertThat(fingerprints.of(there)).isEqualTo(fingerprints.of(back));
    }

    @Test
    void theOrderOfElementsMattersInListsAndNotInSets() {
        Set<Object> there = new LinkedHashSet<>(List.of("a", Set.of(1, 2), new Order("o", BigDecimal.ONE)));
        Set<Object> back = new LinkedHashSet<>(List.of(new Order("o", BigDecimal.ONE), Set.of(2, 1), "a"));

        assertThat(fingerprints.of(there))
                .isEqualTo(fingerprints.of(back))
                .isEqualTo(fingerprints.of(new HashSet<>(there)));
        assertThat(fingerprints.of(new Tagged(there))).isEqualTo(fingerprints.of(new Tagged(back)));
        assertThat(fingerprints.of(List.of("a", "b"))).isNotEqualTo(fingerprints.of(List.of("b", "a")));
    }

    @Test
    void stateThatIsNeverShownCounts() {
        assertThat(fingerprints.of(new Credentials("ada", "1")))
                .isNotEqualTo(fingerprints.of(new Credentials("ada", "2")));
        assertThat(fingerprints.of(new Silent("1"))).isNotEqualTo(fingerprints.of(new Silent("2")));
    }

    @ParameterizedTest
    @MethodSource
    void anArgumentWithoutContentIsAnError(Object argument) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> fingerprints.of("a", argument))
                .withMessageContaining(argument.getClass().getName());
        assertThatIllegalArgumentException().isThrownBy(() -> fingerprints.of(List.of(argument)));
    }

    static Stream<Object> anArgumentWithoutContentIsAnError() {
        Runnable lambda = () -> {};
        return Stream.of(
                new Object(),
                new Stateless(),
                lambda,
                new ByteArrayInputStream(new byte[0]),
                new ReentrantLock(),
                new Thread(lambda),
                JsonFingerprintsTests.class.getClassLoader());
    }

    @Test
    void aRecordWithoutComponentsIsItsOwnContent() {
        assertThat(fingerprints.of(new Ping())).isEqualTo(fingerprints.of(new Ping()));
    }

    @Test
    void messagesHoldNoPartOfTheValue() {
        Throwing throwing = new Throwing();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> fingerprints.of(throwing))
                .withNoCause()
                .withMessageNotContaining("jane");
    }

    @Test
    void aCycleIsAnError() {
        Node node = new Node();
        node.next = node;

        assertThatIllegalArgumentException().isThrownBy(() -> fingerprints.of(node));
    }

    record Order(String id, BigDecimal amount) {}

    record Tagged(Set<Object> tags) {}

    record Credentials(
            String user,

            @JsonProperty(access = JsonProperty.Access.WRITE_ONLY)
            String password) {}

    static final class Silent {

        @SuppressWarnings("unused") // read by reflection
        private final String state;

        Silent(String state) {
            this.state = state;
        }
    }

    static final class Stateless {}

    record Ping() {}

    static final class Throwing {

        public String getText() {
            throw new IllegalStateException("jane@example.com");
        }
    }

    static final class Node {

        public @Nullable Node next;
    }
}
