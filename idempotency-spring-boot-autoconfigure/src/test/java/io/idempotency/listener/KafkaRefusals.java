package io.idempotency.listener;

import io.idempotency.core.ClaimLostException;
import io.idempotency.core.FingerprintMismatchException;
import io.idempotency.core.IdempotencyStoreException;
import io.idempotency.core.InvalidIdempotencyKeyException;
import io.idempotency.core.OperationInDoubtException;
import io.idempotency.core.OperationInProgressException;
import io.idempotency.core.OutcomeUnavailableException;
import io.idempotency.core.RecordedFailureException;
import io.idempotency.core.StepConflictException;
import io.idempotency.core.StepInDoubtException;
import java.time.Duration;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.core.KafkaOperations;
import org.springframework.kafka.listener.DeadLetterPublishingRecoverer;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.ErrorHandlingUtils;
import org.springframework.util.backoff.FixedBackOff;

/** What the documentation shows for the listeners of Kafka. */
@Configuration(proxyBeanMethods = false)
class KafkaRefusals {

    // snippet:handler
    @Bean
    DefaultErrorHandler errorHandler(
            KafkaOperations<?, ?> deadLetters, @Value("${shop.redelivery-pause:5s}") Duration pause) {
        FixedBackOff failure = new FixedBackOff(pause.toMillis(), 3);
        FixedBackOff refusal = new FixedBackOff(pause.toMillis(), FixedBackOff.UNLIMITED_ATTEMPTS);
        DefaultErrorHandler handler = new DefaultErrorHandler(new DeadLetterPublishingRecoverer(deadLetters), failure);
        handler.setBackOffFunction((message, thrown) -> passes(thrown) ? refusal : failure);
        handler.addNotRetryableExceptions(
                InvalidIdempotencyKeyException.class,
                FingerprintMismatchException.class,
                OperationInDoubtException.class,
                OutcomeUnavailableException.class,
                RecordedFailureException.class,
                StepInDoubtException.class,
                StepConflictException.class);
        return handler;
    }

    /** It passes: the same message may well be executed later, from where it stopped. */
    private static boolean passes(Exception thrown) {
        Exception cause = ErrorHandlingUtils.unwrapIfNeeded(thrown);
        return cause instanceof OperationInProgressException
                || cause instanceof ClaimLostException
                || cause instanceof IdempotencyStoreException;
    }
    // end:handler
}
