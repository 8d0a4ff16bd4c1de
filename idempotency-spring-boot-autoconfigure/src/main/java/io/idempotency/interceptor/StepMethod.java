package io.idempotency.interceptor;

import io.idempotency.core.OnAbandoned;
import io.idempotency.core.TransactionSettings;
import java.lang.reflect.Type;
import java.util.Optional;

/**
 * What the annotation says about a step, with placeholders resolved and expressions parsed.
 *
 * @param signature the method, for messages
 * @param name the name of the step
 * @param item for which of several items it is done; empty where there is one
 * @param compared whether its arguments are compared between attempts
 * @param fingerprint what of them is compared; empty: all
 * @param onAbandoned what becomes of it when an attempt vanished inside
 * @param transaction in which it is recorded together with its rows; empty where it is recorded by itself
 * @param type the return type, with its generic arguments
 */
record StepMethod(
        String signature,
        String name,
        Optional<ArgumentExpression> item,
        boolean compared,
        Optional<ArgumentExpression> fingerprint,
        OnAbandoned onAbandoned,
        Optional<TransactionSettings> transaction,
        Type type) {}
