package io.idempotency.autoconfigure;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.annotation.Import;

/**
 * Makes {@code @Idempotent} work in a test of a slice of the application, such as {@code @WebMvcTest}, where it does
 * nothing otherwise. The records are kept in memory, whatever {@code idempotency.store} says, and live as long as the
 * application context of the test.
 *
 * <p>A handler that answers asynchronously ends its claim in the ASYNC dispatch, which MockMvc makes only when it is told
 * to, by {@code asyncDispatch}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ImportAutoConfiguration({
    IdempotencyAutoConfiguration.class,
    IdempotentMethodAutoConfiguration.class,
    IdempotencyWebAutoConfiguration.class
})
@Import(SliceStoreConfiguration.class)
public @interface AutoConfigureIdempotency {}
