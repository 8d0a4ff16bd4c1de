package io.idempotency.interceptor;

import io.idempotency.core.TransactionSettings;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.annotation.BeanFactoryAnnotationUtils;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.interceptor.TransactionAttribute;
import org.springframework.util.StringUtils;
import org.springframework.util.StringValueResolver;

/**
 * Reads what {@code @Transactional} and a qualifier of its class say about the transaction that is to be opened around a
 * transactional operation. Loaded only where Spring's transactions are on the class path.
 */
final class DeclaredTransactions {

    /** With these the method works in the transaction that is open already. */
    private static final Set<Integer> JOINING = Set.of(
            TransactionDefinition.PROPAGATION_REQUIRED,
            TransactionDefinition.PROPAGATION_SUPPORTS,
            TransactionDefinition.PROPAGATION_MANDATORY,
            TransactionDefinition.PROPAGATION_NESTED);

    private final AnnotationTransactionAttributeSource attributes = new AnnotationTransactionAttributeSource(false);

    private final BeanFactory beanFactory;

    DeclaredTransactions(StringValueResolver placeholders, BeanFactory beanFactory) {
        attributes.setEmbeddedValueResolver(placeholders);
        this.beanFactory = beanFactory;
    }

    /**
     * Returns manager, isolation and time-out that the method or its class asks for.
     *
     * @throws InvalidIdempotentMethodException if the method would not work in a transaction that is open already
     */
    TransactionSettings of(Method method, Class<?> targetClass) {
        TransactionAttribute attribute = attributes.getTransactionAttribute(method, targetClass);
        if (attribute == null) {
            return TransactionSettings.DEFAULT;
        }
        if (!JOINING.contains(attribute.getPropagationBehavior())) {
            throw new InvalidIdempotentMethodException(
                    "The @Transactional of " + Signature.of(method, targetClass)
                            + " does not join the transaction that transactional = true opens; let its propagation be REQUIRED");
        }
        return new TransactionSettings(
                Optional.ofNullable(attribute.getQualifier())
                        .filter(StringUtils::hasText)
                        .or(() -> qualifierOf(targetClass)),
                attribute.getIsolationLevel(),
                Optional.of(attribute.getTimeout())
                        .filter(seconds -> seconds != TransactionDefinition.TIMEOUT_DEFAULT)
                        .map(Duration::ofSeconds));
    }

    /** A qualifier of the class names its transaction manager, as it does to Spring, unless there is none of that name. */
    private Optional<String> qualifierOf(Class<?> targetClass) {
        return Optional.ofNullable(BeanFactoryAnnotationUtils.getQualifierValue(targetClass))
                .filter(this::isTransactionManager);
    }

    /** Looks at definitions only: when methods are looked at, it is too early to make transaction managers. */
    private boolean isTransactionManager(String qualifier) {
        return beanFactory instanceof ListableBeanFactory beans
                && Stream.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(
                                beans, PlatformTransactionManager.class, true, false))
                        .anyMatch(name ->
                                BeanFactoryAnnotationUtils.isQualifierMatch(qualifier::equals, name, beanFactory));
    }
}
