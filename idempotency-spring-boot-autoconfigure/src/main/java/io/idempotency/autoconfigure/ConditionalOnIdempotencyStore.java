package io.idempotency.autoconfigure;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Conditional;

/**
 * Matches when a store is the chosen one: named by {@code idempotency.store} or, without that property, the only
 * candidate.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Conditional(OnIdempotencyStoreCondition.class)
@interface ConditionalOnIdempotencyStore {

    StoreType value();
}
