package io.idempotency.openapi;

import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.PathItem;
import io.swagger.v3.oas.models.parameters.Parameter;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The request headers that an application declares itself: in an operation, for all operations of a path, or by reference. */
final class DeclaredHeaders {

    private static final String PARAMETERS = "#/components/parameters/";

    private final Components components;

    /** @param components what references lead to */
    DeclaredHeaders(Components components) {
        this.components = components;
    }

    /** Says whether a header is declared for an operation. Names of headers are compared without regard to case. */
    boolean contain(String name, Operation operation, PathItem path) {
        return Stream.of(parameters(operation.getParameters()), parameters(path.getParameters()))
                .flatMap(List::stream)
                .map(this::resolve)
                .anyMatch(
                        parameter -> "header".equals(parameter.getIn()) && name.equalsIgnoreCase(parameter.getName()));
    }

    private static List<Parameter> parameters(@Nullable List<Parameter> declared) {
        return declared == null ? List.of() : declared;
    }

    /** Follows references within the document; one that leads elsewhere, nowhere or in a circle is left as it is. */
    private Parameter resolve(Parameter declared) {
        Set<String> followed = new HashSet<>();
        Parameter parameter = declared;
        while (parameter.get$ref() != null && followed.add(parameter.get$ref())) {
            Parameter target = target(parameter.get$ref());
            if (target == null) {
                return parameter;
            }
            parameter = target;
        }
        return parameter;
    }

    private @Nullable Parameter target(String reference) {
        return components.getParameters() == null || !reference.startsWith(PARAMETERS)
                ? null
                : components.getParameters().get(reference.substring(PARAMETERS.length()));
    }
}
