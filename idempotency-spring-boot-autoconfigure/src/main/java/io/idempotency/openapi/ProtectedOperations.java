package io.idempotency.openapi;

import io.idempotency.interceptor.IdempotentMethod;
import io.idempotency.interceptor.IdempotentMethodSource;
import io.idempotency.web.IdempotencyFilter;
import io.idempotency.web.WebSettings;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.PathItem;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.customizers.GlobalOpenApiCustomizer;
import org.springdoc.core.customizers.GlobalOperationCustomizer;
import org.springframework.web.method.HandlerMethod;

/**
 * Describes protected operations in the documents of springdoc: the header that holds the key, the refusals, and the marker
 * of a replay. What the application declares itself is kept, and all other operations are left alone.
 *
 * <p>springdoc tells the handler of an operation before it tells the HTTP method, and one handler may serve safe and other
 * methods. So the first pass notes the handlers in the operation, and the second one, over the whole document, replaces the
 * note by the description where the method is not safe.
 */
public final class ProtectedOperations implements GlobalOperationCustomizer, GlobalOpenApiCustomizer {

    private static final String NOTE = "x-idempotency-handlers";

    private final IdempotentMethodSource methods;

    private final WebSettings settings;

    /**
     * Creates a customizer for all operations of an application.
     *
     * @param methods tells which handlers are annotated, as it tells the door
     * @param settings what the door accepts
     */
    public ProtectedOperations(IdempotentMethodSource methods, WebSettings settings) {
        this.methods = methods;
        this.settings = settings;
    }

    @Override
    public Operation customize(Operation operation, HandlerMethod handler) {
        List<@Nullable IdempotentMethod> handlers = noted(operation);
        handlers.add(methods.find(handler.getMethod(), handler.getBeanType()).orElse(null));
        operation.addExtension(NOTE, handlers);
        return operation;
    }

    @Override
    public void customise(OpenAPI document) {
        if (document.getPaths() == null) {
            return;
        }
        if (document.getComponents() == null) {
            document.setComponents(new Components());
        }
        OperationDescription description = new OperationDescription(settings, document.getComponents());
        for (PathItem path : document.getPaths().values()) {
            path.readOperationsMap()
                    .forEach((method, operation) -> complete(method.name(), operation, path, description));
        }
    }

    private static void complete(
            String httpMethod, Operation operation, PathItem path, OperationDescription description) {
        List<@Nullable IdempotentMethod> handlers = noted(operation);
        forget(operation);
        // Handlers of one path and method, told apart by their consumes or params, are one operation of the document.
        boolean optional = handlers.contains(null);
        if (!IdempotencyFilter.isSafe(httpMethod)) {
            for (IdempotentMethod handler : handlers) {
                if (handler != null) {
                    description.add(handler, optional, operation, path);
                }
            }
        }
    }

    @SuppressWarnings("unchecked") // written by this class only
    private static List<@Nullable IdempotentMethod> noted(Operation operation) {
        Object noted = operation.getExtensions() == null
                ? null
                : operation.getExtensions().get(NOTE);
        return noted == null ? new ArrayList<>() : (List<@Nullable IdempotentMethod>) noted;
    }

    private static void forget(Operation operation) {
        if (operation.getExtensions() != null) {
            operation.getExtensions().remove(NOTE);
            if (operation.getExtensions().isEmpty()) {
                operation.setExtensions(null);
            }
        }
    }
}
