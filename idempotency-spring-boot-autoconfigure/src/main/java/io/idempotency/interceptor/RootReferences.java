package io.idempotency.interceptor;

import java.util.Optional;
import java.util.stream.IntStream;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.InlineMap;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.VariableReference;

/**
 * Finds what an expression reads from its root object. There is none, so that such a part is {@code null} on every call:
 * mostly an argument without its {@code #}.
 */
final class RootReferences {

    /** The element that a selection or projection looks at; elsewhere the root object. */
    private static final String ELEMENT = "#this";

    private RootReferences() {}

    /** Returns the first part of an expression that reads the root object. */
    static Optional<SpelNode> findIn(SpelNode node) {
        if (readsWhatPrecedes(node) || (node instanceof VariableReference && isElement(node))) {
            return Optional.of(node);
        }
        return children(node)
                .filter(index -> !isMapKey(node, index))
                .mapToObj(index ->
                        isFollower(node, index) ? findInArguments(node.getChild(index)) : findIn(node.getChild(index)))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static boolean readsWhatPrecedes(SpelNode node) {
        return node instanceof PropertyOrFieldReference
                || node instanceof MethodReference
                || node instanceof Indexer
                || node instanceof Projection
                || node instanceof Selection;
    }

    private static boolean isElement(SpelNode node) {
        return node.toStringAST().equals(ELEMENT);
    }

    private static boolean isFollower(SpelNode node, int index) {
        return node instanceof CompoundExpression && index > 0;
    }

    private static boolean isMapKey(SpelNode node, int index) {
        return node instanceof InlineMap && index % 2 == 0 && isName(node.getChild(index));
    }

    private static boolean isName(SpelNode node) {
        return node instanceof PropertyOrFieldReference;
    }

    private static Optional<SpelNode> findInArguments(SpelNode follower) {
        if (follower instanceof Projection || follower instanceof Selection) {
            // Within them each element is what names belong to.
            return Optional.empty();
        }
        return children(follower)
                // A name in brackets is the key of a map.
                .filter(index -> !(follower instanceof Indexer && isName(follower.getChild(index))))
                .mapToObj(index -> findIn(follower.getChild(index)))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static IntStream children(SpelNode node) {
        return IntStream.range(0, node.getChildCount());
    }
}
