package io.idempotency.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Handlers that a protected handler reaches by a forward, an include or a later dispatch: parts of that one, or not. */
class DispatchedPartTests extends WithDispatches {

    @ParameterizedTest
    @ValueSource(strings = {"forward", "include", "async", "view"})
    void aHandlerIsAPartOfTheProtectedOneThatDispatchesToIt(String way) {
        String first = post("/protected/" + way + "?to=/orders").body();

        assertThat(first).containsOnlyOnce("order " + (before + 1) + ", attempt 1");
        assertThat(post("/protected/" + way + "?to=/orders").body()).isEqualTo(first);
        assertThat(executions).hasValue(before + 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"forward", "include", "async", "view"})
    void aFailureOfAPartFreesTheKey(String way) {
        broken.set(true);
        int failed = post("/protected/" + way + "?to=/orders").statusCode();
        broken.set(false);

        assertThat(failed).isEqualTo(500);
        assertThat(post("/protected/" + way + "?to=/orders").body()).contains("order " + (before + 1) + ", attempt 2");
    }

    /** It has no annotation, so nothing tells whether it does any work. */
    @Test
    void aFailureOfWhatAHandlerForwardsToFreesTheKeyUnlessTheHandlerHasEnded() {
        broken.set(true);
        int failed = post("/protected/forward?to=/plain").statusCode();
        post("/protected/view?to=/plain");
        broken.set(false);

        assertThat(failed).isEqualTo(500);
        assertThat(post("/protected/forward?to=/plain").body()).isEqualTo("plain");
        assertThat(post("/protected/view?to=/plain").body()).contains("outcome-unavailable");
    }

    @Test
    void whatIsIncludedStandsWhereItWasIncluded() {
        assertThat(post("/protected/include?to=/plain").body()).isEqualTo("[plain]");
    }

    @Test
    void aHandlerWithAnotherKeyIsNoPart() {
        HttpResponse<String> refused = post("/protected/forward?to=/events");

        assertThat(refused.statusCode()).isEqualTo(500);
        assertThat(refused.body()).contains("their keys are in different headers");
        assertThat(executions).hasValue(before);
    }

    @Test
    void aHandlerWithAKeyOfItsOwnIsAnOrdinaryCall() {
        String first = application
                .post("/protected/forward?to=/payments/" + key, "{}", "Idempotency-Key", key)
                .body();
        String second = application
                .post("/protected/forward?to=/payments/" + key, "{}", "Idempotency-Key", key + "-2")
                .body();

        assertThat(first).isEqualTo("payment " + (before + 1));
        assertThat(second).isEqualTo(first);
    }

    @Test
    void withoutAKeyNeitherIsProtected() {
        assertThat(postWithoutKey("/optional/view?to=/optional").body()).isEqualTo("optional " + (before + 1));
        assertThat(postWithoutKey("/optional/view?to=/optional").body()).isEqualTo("optional " + (before + 2));
    }

    @Test
    void aHandlerThatNeedsAKeyIsNotReachedWithoutOne() {
        assertThat(postWithoutKey("/optional/view?to=/orders").body()).contains("the second requires one");
        assertThat(executions).hasValue(before);
    }
}
