package io.idempotency.interceptor;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.expression.BeanResolver;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** Parses the expressions of annotations, and knows at once whether they name arguments that exist. */
final class ArgumentExpressionParser {

    /** The element that a selection or projection looks at. */
    private static final String ELEMENT = "#this";

    private final SpelExpressionParser parser = new SpelExpressionParser();

    private final BeanResolver beanResolver;

    ArgumentExpressionParser(BeanFactory beanFactory) {
        this.beanResolver = new BeanFactoryResolver(beanFactory);
    }

    /**
     * Parses an expression.
     *
     * @param attribute the attribute of the annotation, for messages
     * @param signature the method, for messages
     * @throws InvalidIdempotentMethodException if it is no expression, names an argument that the method does not have, or
     *     reads what belongs to no argument
     */
    ArgumentExpression parse(String text, String attribute, String signature, ArgumentNames names) {
        SpelExpression expression;
        try {
            expression = parser.parseRaw(text);
        } catch (ParseException unparsable) {
            throw new InvalidIdempotentMethodException(
                    "The %s of %s is no expression: '%s'".formatted(attribute, signature, text), unparsable);
        }
        RootReferences.findIn(expression.getAST()).ifPresent(part -> {
            throw rootless(attribute, signature, text, part, names);
        });
        Set<String> used = new HashSet<>();
        collectVariables(expression.getAST(), used);
        Map<String, Integer> variables = used.stream()
                .collect(Collectors.toUnmodifiableMap(
                        Function.identity(),
                        name -> names.index(name).orElseThrow(() -> unknown(attribute, signature, text, name, names))));
        return new SpelArgumentExpression(attribute, signature, expression, variables, beanResolver);
    }

    private static void collectVariables(SpelNode node, Set<String> names) {
        if (node instanceof VariableReference && !node.toStringAST().equals(ELEMENT)) {
            names.add(node.toStringAST().substring(1));
        }
        for (int index = 0; index < node.getChildCount(); index++) {
            collectVariables(node.getChild(index), names);
        }
    }

    private static InvalidIdempotentMethodException unknown(
            String attribute, String signature, String text, String name, ArgumentNames names) {
        return new InvalidIdempotentMethodException(
                ("The %s of %s is '%s', but there is no argument #%s among %s; compile the class with -parameters, or name"
                                + " arguments by position, such as #p0")
                        .formatted(attribute, signature, text, name, names.all()));
    }

    private static InvalidIdempotentMethodException rootless(
            String attribute, String signature, String text, SpelNode part, ArgumentNames names) {
        String name = part.toStringAST();
        String remedy = "#p0";
        if (part instanceof PropertyOrFieldReference) {
            remedy = names.index(name).isPresent() ? "#" + name : "#p0." + name;
        }
        return new InvalidIdempotentMethodException(
                "The %s of %s is '%s', but '%s' belongs to nothing; begin with an argument among %s, such as %s"
                        .formatted(attribute, signature, text, name, names.all(), remedy));
    }
}
