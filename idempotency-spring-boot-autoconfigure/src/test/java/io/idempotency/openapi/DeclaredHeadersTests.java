package io.idempotency.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.PathItem;
import io.swagger.v3.oas.models.parameters.HeaderParameter;
import io.swagger.v3.oas.models.parameters.Parameter;
import io.swagger.v3.oas.models.parameters.QueryParameter;
import org.junit.jupiter.api.Test;

class DeclaredHeadersTests {

    private static final String PARAMETERS = "#/components/parameters/";

    private final Components components = new Components();

    private final Operation operation = new Operation();

    private final PathItem path = new PathItem();

    @Test
    void theCaseOfANameDoesNotMatter() {
        operation.addParametersItem(new HeaderParameter().name("idempotency-key"));

        assertThat(areDeclared()).isTrue();
    }

    @Test
    void whatIsNoHeaderIsAnotherParameter() {
        operation.addParametersItem(new QueryParameter().name("Idempotency-Key"));

        assertThat(areDeclared()).isFalse();
    }

    @Test
    void aPathDeclaresHeadersForItsOperations() {
        path.addParametersItem(new HeaderParameter().name("Idempotency-Key"));

        assertThat(areDeclared()).isTrue();
    }

    @Test
    void referencesAreFollowed() {
        components.addParameters("first", new Parameter().$ref(PARAMETERS + "second"));
        components.addParameters("second", new HeaderParameter().name("Idempotency-Key"));
        operation.addParametersItem(new Parameter().$ref(PARAMETERS + "first"));

        assertThat(areDeclared()).isTrue();
    }

    @Test
    void aReferenceThatLeadsNowhereDeclaresNothing() {
        operation.addParametersItem(new Parameter().$ref(PARAMETERS + "absent"));
        assertThat(areDeclared()).isFalse();

        components.addParameters("other", new HeaderParameter().name("Other"));
        operation.addParametersItem(new Parameter().$ref("other.yaml#/key"));
        assertThat(areDeclared()).isFalse();
    }

    @Test
    void aCircleOfReferencesDeclaresNothing() {
        components.addParameters("first", new Parameter().$ref(PARAMETERS + "second"));
        components.addParameters("second", new Parameter().$ref(PARAMETERS + "first"));
        operation.addParametersItem(new Parameter().$ref(PARAMETERS + "first"));

        assertThat(areDeclared()).isFalse();
    }

    private boolean areDeclared() {
        return new DeclaredHeaders(components).contain("Idempotency-Key", operation, path);
    }
}
