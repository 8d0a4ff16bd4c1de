package io.idempotency.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.annotation.Idempotent;
import java.io.InputStream;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

class IdempotentMethodVerifierTests extends WithCheckedBeans {

    @ParameterizedTest
    @MethodSource
    void aMethodThatCannotBeProtectedStopsTheStart(Class<?> type, String method, String remedy) {
        runner.withBean(type)
                .run(context -> assertThat(failure(context))
                        .hasMessageContaining(type.getName() + "." + method + "(")
                        .hasMessageContaining(remedy));
    }

    static Stream<Arguments> aMethodThatCannotBeProtectedStopsTheStart() {
        return Stream.of(
                Arguments.of(Private.class, "pay", "private"),
                Arguments.of(Static.class, "pay", "static"),
                Arguments.of(Final.class, "pay", "is final"),
                Arguments.of(FinalOfClass.class, "pay", "final"),
                Arguments.of(FinalClass.class, "pay", "class is final"),
                Arguments.of(Keyless.class, "pay", "key = "),
                Arguments.of(Raw.class, "pay", "RAW"),
                Arguments.of(Ignoring.class, "pay", "ignoredFields"),
                Arguments.of(UnknownArgument.class, "pay", "#order"),
                Arguments.of(BadDuration.class, "pay", "retention"),
                Arguments.of(OfMono.class, "pay", "for each subscriber"),
                Arguments.of(OfFlux.class, "pay", "for each subscriber"),
                Arguments.of(OfStream.class, "pay", "Stream"),
                Arguments.of(OfIterator.class, "pay", "Iterator"),
                Arguments.of(OfInputStream.class, "pay", "InputStream"),
                Arguments.of(OfObject.class, "pay", "java.lang.Object"));
    }

    @Test
    void oneExceptionNamesAllProblems() {
        runner.withBean(Private.class)
                .withBean(Keyless.class)
                .withBean(OfMono.class)
                .run(context -> assertThat(failure(context))
                        .hasMessageContaining(Private.class.getName())
                        .hasMessageContaining(Keyless.class.getName())
                        .hasMessageContaining(OfMono.class.getName()));
    }

    @Test
    void lazyInitialisationOfEverythingDoesNotSwitchTheCheckOff() {
        runner.withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .withBean(Final.class)
                .withBean(FinalClass.class)
                .run(context -> assertThat(failure(context))
                        .hasMessageContaining(Final.class.getName() + ".pay(java.lang.String) is final")
                        .hasMessageContaining("its class is final"));
    }

    static class Static {

        @Idempotent("#p0")
        public static void pay(String id) {}
    }

    static class Final {

        @Idempotent("#p0")
        public final void pay(String id) {}
    }

    @Idempotent("#p0")
    static class FinalOfClass {

        public final void pay(String id) {}
    }

    static final class FinalClass {

        @Idempotent("#p0")
        public void pay(String id) {}
    }

    static class Raw {

        @Idempotent(key = "#p0", fingerprint = "RAW")
        public void pay(String id) {}
    }

    static class Ignoring {

        @Idempotent(key = "#p0", ignoredFields = "sentAt")
        public void pay(String id) {}
    }

    static class UnknownArgument {

        @Idempotent("#order.id")
        public void pay(String id) {}
    }

    static class BadDuration {

        @Idempotent(key = "#p0", retention = "soon")
        public void pay(String id) {}
    }

    static class OfMono {

        @Idempotent("#p0")
        public Mono<String> pay(String id) {
            return Mono.just("x");
        }
    }

    static class OfFlux {

        @Idempotent("#p0")
        public Flux<String> pay(String id) {
            return Flux.just("x");
        }
    }

    static class OfStream {

        @Idempotent("#p0")
        public Stream<String> pay(String id) {
            return Stream.of("x");
        }
    }

    static class OfIterator {

        @Idempotent("#p0")
        public Iterator<String> pay(String id) {
            return List.of("x").iterator();
        }
    }

    static class OfInputStream {

        @Idempotent("#p0")
        public InputStream pay(String id) {
            return InputStream.nullInputStream();
        }
    }
}
