package io.idempotency.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that come to a handler by another way than from the client: by a forward, an include, a later dispatch. */
class DispatchTests extends WithDispatches {

    @ParameterizedTest
    @ValueSource(strings = {"forward", "async"})
    void aHandlerIsProtectedThatAnotherServletDispatchesTo(String way) {
        String first = post("/servlet/" + way + "?to=/orders").body();

        assertThat(first).isEqualTo("order " + (before + 1) + ", attempt 1");
        assertThat(post("/servlet/" + way + "?to=/orders").body()).isEqualTo(first);
    }

    @Test
    void aHandlerThatAnotherServletIncludesIsRefused() {
        HttpResponse<String> refused = post("/servlet/include?to=/orders");

        assertThat(refused.statusCode()).isEqualTo(500);
        assertThat(refused.body()).contains("could be neither refused nor recorded; forward the request");
        assertThat(executions).hasValue(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"forward", "include", "async"})
    void aHandlerIsRefusedThatAnUnprotectedOneDispatchesTo(String way) {
        HttpResponse<String> refused = post("/unprotected/" + way + "?to=/orders");

        assertThat(refused.statusCode()).isEqualTo(500);
        assertThat(refused.body()).containsPattern("annotate the handler that (includes|dispatches)");
        assertThat(executions).hasValue(before);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/servlet/include?to=/any",
                "/servlet/forward?to=/any",
                "/any/include?to=/any",
                "/any/view?to=/any",
                "/any/view?to=/any/keyed"
            })
    void whatIsReachedBySafeMethodsRunsAsIfTheAnnotationWereNotThere(String path) {
        assertThat(get(path).body()).contains("any " + (before + 1));
        assertThat(get(path).body()).contains("any " + (before + 2));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/protected/error", "/unprotected/error"})
    void anErrorPageIsRenderedAsIfTheAnnotationWereNotThere(String path) {
        assertThat(post(path).statusCode()).isEqualTo(409);
        assertThat(post(path).body()).isEqualTo("error page");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/protected/gone", "/unprotected/gone"})
    void whatAnErrorPageForwardsToRunsAsIfTheAnnotationWereNotThere(String path) {
        HttpResponse<String> first = post(path);

        assertThat(first.statusCode()).isEqualTo(410);
        assertThat(first.body()).isEqualTo("any " + (before + 1));
        assertThat(post(path).body()).isEqualTo("any " + (before + 2));
    }
}
