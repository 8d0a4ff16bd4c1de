package io.idempotency.interceptor;

import org.springframework.expression.spel.ExpressionState;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.Elvis;
import org.springframework.expression.spel.ast.OpAnd;
import org.springframework.expression.spel.ast.OpOr;
import org.springframework.expression.spel.ast.OpPlus;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.Ternary;

/**
 * Finds concatenations with {@code null} in an expression that was evaluated. The expression language writes them as the
 * text "null", so that {@code 'order-' + #id} would be one key for all callers without an id.
 */
final class NullOperands {

    private NullOperands() {}

    static boolean existIn(SpelNode node, ExpressionState state) {
        if (node instanceof Ternary) {
            boolean condition = Boolean.TRUE.equals(node.getChild(0).getValue(state));
            return existIn(node.getChild(0), state) || existIn(node.getChild(condition ? 1 : 2), state);
        }
        if (node instanceof Elvis) {
            Object value = node.getChild(0).getValue(state);
            return existIn(node.getChild(value == null || value.equals("") ? 1 : 0), state);
        }
        return isConcatenationWithNull(node, state) || existInChildren(node, state);
    }

    private static boolean isConcatenationWithNull(SpelNode node, ExpressionState state) {
        if (!(node instanceof OpPlus)) {
            return false;
        }
        for (int index = 0; index < node.getChildCount(); index++) {
            SpelNode operand = node.getChild(index);
            if (!(operand instanceof OpPlus) && operand.getValue(state) == null) {
                return true;
            }
        }
        return false;
    }

    private static boolean existInChildren(SpelNode node, ExpressionState state) {
        if (node instanceof Projection || node instanceof Selection || node instanceof OpAnd || node instanceof OpOr) {
            // What is in there may not have been evaluated, or for another object than this one.
            return false;
        }
        for (int index = 0; index < node.getChildCount(); index++) {
            if (existIn(node.getChild(index), state)) {
                return true;
            }
        }
        return false;
    }
}
