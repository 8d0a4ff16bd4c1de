package io.idempotency.openapi;

import io.idempotency.interceptor.IdempotentMethod;
import io.idempotency.web.WebSettings;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.PathItem;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.media.StringSchema;
import io.swagger.v3.oas.models.parameters.HeaderParameter;
import java.util.List;
import java.util.regex.Pattern;

/** The request header that holds the key, as a parameter with the rules that the door has for it. */
final class KeyHeader {

    /** A String of RFC 9651, section 3.3.3, without parameters. */
    private static final String QUOTED = "^\"([^\"\\\\]|\\\\[\"\\\\])+\"$";

    private final WebSettings settings;

    private final DeclaredHeaders declared;

    KeyHeader(WebSettings settings, DeclaredHeaders declared) {
        this.settings = settings;
        this.declared = declared;
    }

    /** Adds the parameter, unless the application has declared one of the headers itself. */
    void add(IdempotentMethod handler, boolean optional, Operation operation, PathItem path) {
        List<String> names = handler.header().map(List::of).orElse(settings.headerNames());
        if (names.stream().noneMatch(name -> declared.contain(name, operation, path))) {
            operation.addParametersItem(new HeaderParameter()
                    .name(names.get(0))
                    .required(handler.required() && !optional)
                    .description(description(handler, names.subList(1, names.size())))
                    .schema(schema()));
        }
    }

    private String description(IdempotentMethod handler, List<String> otherNames) {
        StringBuilder description =
                new StringBuilder("Identifies the intent: a request with the same key is executed once,"
                        + " and every retry gets the recorded response. Use a new key for a new intent.");
        description
                .append(" The response is kept for ")
                .append(handler.policy().retention())
                .append(" (ISO 8601).");
        if (!handler.required()) {
            description.append(" Without a key the request is not protected.");
        }
        description.append(
                settings.strict()
                        ? " The key is a quoted string of RFC 9651"
                        : " The key may be quoted as a string of RFC 9651, which is the same key; it consists");
        description
                .append(" of at most ")
                .append(settings.maxKeyLength())
                .append(" printable ASCII characters, not counting the quotes.");
        if (!otherNames.isEmpty()) {
            description
                    .append(" May be sent as ")
                    .append(String.join(" or ", otherNames))
                    .append(" instead.");
        }
        return description.toString();
    }

    /** Quoted keys are described as a whole; where both forms are accepted, the schema is that of the unquoted one. */
    private Schema<?> schema() {
        StringSchema schema = new StringSchema();
        schema.setMinLength(1);
        String pattern = settings.keyPattern().map(Pattern::pattern).orElse(null);
        if (settings.strict()) {
            schema.setPattern(pattern == null ? QUOTED : "^\"(?:" + pattern + ")\"$");
            return schema;
        }
        if (pattern != null) {
            schema.setPattern("^(?:" + pattern + ")$");
        }
        schema.setMaxLength(settings.maxKeyLength());
        return schema;
    }
}
