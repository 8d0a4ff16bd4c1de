package io.idempotency.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.idempotency.core.Outcome;
import io.idempotency.core.OutcomeCodec;
import io.idempotency.core.OutcomeCodecException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.core.ParameterizedTypeReference;

class UnrecordableValueTests extends WithJsonCodecs {

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
