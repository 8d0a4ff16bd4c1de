package io.idempotency.json;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.lang.reflect.Type;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.http.HttpEntity;
import org.springframework.http.ResponseEntity;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

class UnrecordableTypeTests extends WithJsonCodecs {

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
}
