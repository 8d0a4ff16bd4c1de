package io.idempotency.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ThreadBindingTests {

    private static final ThreadLocal<@Nullable String> BOUND = new ThreadLocal<>();

    @Test
    void theInnermostValueIsTheCurrentOneForTheTimeOfItsWork() {
        ThreadBinding.call(BOUND, "outer", () -> {
            assertThat(BOUND.get()).isEqualTo("outer");
            String inner = ThreadBinding.call(BOUND, "inner", BOUND::get);
            assertThat(inner).isEqualTo("inner");
            assertThat(BOUND.get()).isEqualTo("outer");
            return inner;
        });

        assertThat(BOUND.get()).isNull();
    }

    @Test
    void workThatThrowsLeavesWhatWasThereBefore() {
        ThreadBinding.call(BOUND, "outer", () -> {
            assertThatIllegalStateException()
                    .isThrownBy(() -> ThreadBinding.call(BOUND, "inner", () -> {
                        throw new IllegalStateException("planted");
                    }));
            assertThat(BOUND.get()).isEqualTo("outer");
            return "done";
        });
    }
}
