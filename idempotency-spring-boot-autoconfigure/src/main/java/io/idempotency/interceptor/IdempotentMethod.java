package io.idempotency.interceptor;

import io.idempotency.core.OperationPolicy;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.Set;

/**
 * What the annotation says about one method, with placeholders resolved and expressions parsed.
 *
 * @param method the most specific method
 * @param targetClass the class of the bean
 * @param operation the name of the operation
 * @param key where the key comes from; empty where the annotation does not say
 * @param header the header that holds the key of a handler method; empty where the configured names hold it
 * @param required whether a call without a key is refused
 * @param scope who is calling; empty where the annotation does not say
 * @param fingerprint what is compared; empty where the strategy says
 * @param fingerprintStrategy how the fingerprint is taken without an expression; empty where the configured one holds
 * @param ignoredFields the members of a JSON body that are not compared
 * @param policy how the operation is protected
 */
public record IdempotentMethod(
        Method method,
        Class<?> targetClass,
        String operation,
        Optional<ArgumentExpression> key,
        Optional<String> header,
        boolean required,
        Optional<ArgumentExpression> scope,
        Optional<ArgumentExpression> fingerprint,
        Optional<FingerprintStrategy> fingerprintStrategy,
        Set<String> ignoredFields,
        OperationPolicy policy) {}
