package io.idempotency.interceptor;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.idempotency.core.InvalidIdempotencyKeyException;
import io.idempotency.core.InvalidIdempotencyKeyException.Reason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FailingExpressionTests extends WithExpressions {

    @ParameterizedTest
    @ValueSource(strings = {"''.concat(#p0.ref)", "T(java.util.Objects).requireNonNull(#p0.ref)"})
    void aNullThatACalledMethodRefusesIsAMissingKey(String expression) {
        assertThatExceptionOfType(InvalidIdempotencyKeyException.class)
                .isThrownBy(() -> key(expression, new Order("o-1", null), null))
                .withMessageContaining("Shop.pay")
                .withMessageContaining("'" + expression + "'")
                .extracting(InvalidIdempotencyKeyException::reason)
                .isEqualTo(Reason.MISSING);
    }

    @ParameterizedTest
    @ValueSource(strings = {"T(java.util.UUID).fromString(#p0.id)", "#p0.id.substring(50)"})
    void aValueThatACalledMethodRefusesIsAMalformedKey(String expression) {
        assertThatExceptionOfType(InvalidIdempotencyKeyException.class)
                .isThrownBy(() -> key(expression, new Order("secret-1", null), null))
                .withMessageContaining("Shop.pay")
                .withMessageContaining("'" + expression + "'")
                .withMessageNotContaining("secret")
                .withNoCause()
                .extracting(InvalidIdempotencyKeyException::reason)
                .isEqualTo(Reason.MALFORMED);
    }

    @Test
    void anExpressionThatFailsNamesMethodAndExpression() {
        assertThatExceptionOfType(InvalidIdempotentMethodException.class)
                .isThrownBy(() -> key("#p0.nowhere()", "k-1", null))
                .withMessageContaining("Shop.pay")
                .withMessageContaining("#p0.nowhere()");
        assertThatExceptionOfType(InvalidIdempotentMethodException.class)
                .isThrownBy(() -> expression("#p0.nowhere()").value(null, METHOD, new Object[] {"k-1", null}));
        assertThatExceptionOfType(InvalidIdempotentMethodException.class)
                .isThrownBy(() -> expression("''.concat(#p1)").value(null, METHOD, new Object[] {"k-1", null}))
                .withMessageContaining("Shop.pay")
                .withMessageContaining("''.concat(#p1)");
    }

    @Test
    void whatABeanThrowsIsTheCauseOfAFailure() {
        beanFactory.registerSingleton("tenant", new Tenant());

        assertThatExceptionOfType(InvalidIdempotentMethodException.class)
                .isThrownBy(() -> key("@tenant.unknown()", "k-1", null))
                .withMessageContaining("Shop.pay")
                .withMessageContaining("@tenant.unknown()")
                .withCauseInstanceOf(IllegalStateException.class);
    }
}
