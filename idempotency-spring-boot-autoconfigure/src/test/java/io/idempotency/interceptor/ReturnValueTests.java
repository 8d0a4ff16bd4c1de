package io.idempotency.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.util.ReflectionUtils;

class ReturnValueTests {

    @ParameterizedTest
    @CsvSource({
        "nothing, void, false",
        "one, java.lang.String, false",
        "many, java.util.List<java.lang.String>, false",
        "deep, 'java.util.Map<java.lang.String, java.util.List<java.lang.String>>', false",
        "array, java.lang.String[], false",
        "later, java.lang.String, true",
        "stage, java.util.List<java.lang.String>, true"
    })
    void theTypeIsThatOfTheTargetClass(String name, String type, boolean later) {
        Method method = Objects.requireNonNull(ReflectionUtils.findMethod(Texts.class, name));

        ReturnValue value = ReturnValue.of(method, Texts.class);

        assertThat(value.type().getTypeName()).isEqualTo(type);
        assertThat(value.later()).isEqualTo(later);
    }

    @Test
    void suspendingFunctionsCannotBeFollowed(@TempDir Path directory) throws Exception {
        Class<?> shop = Compiled.load(
                directory,
                "Shop",
                Map.of(
                        "kotlin.coroutines.Continuation",
                        "package kotlin.coroutines; public interface Continuation<T> {}",
                        "Shop",
                        "public interface Shop { String pay(String id, kotlin.coroutines.Continuation<String> after); }"));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> ReturnValue.of(shop.getMethods()[0], shop))
                .withMessageContaining("suspending");
    }

    abstract static class Values<T> {

        void nothing() {}

        abstract T one();

        abstract List<T> many();

        abstract Map<String, List<T>> deep();

        abstract T[] array();

        abstract CompletableFuture<T> later();

        abstract CompletionStage<List<T>> stage();
    }

    abstract static class Texts extends Values<String> {}
}
