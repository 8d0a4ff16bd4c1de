package io.idempotency.interceptor;

import io.idempotency.core.TransactionSettings;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringValueResolver;

/** The transactions that annotated methods ask for. */
record MethodTransactions(StringValueResolver placeholders, BeanFactory beanFactory) {

    private static final boolean TRANSACTIONS_PRESENT = ClassUtils.isPresent(
            "org.springframework.transaction.interceptor.TransactionAttribute",
            MethodTransactions.class.getClassLoader());

    /**
     * Returns what is to be opened around a method.
     *
     * @throws InvalidIdempotentMethodException if there are no transactions, or the method would not work in it
     */
    TransactionSettings of(AnnotationLookup.Found<?> found) {
        if (!TRANSACTIONS_PRESENT) {
            throw new InvalidIdempotentMethodException(found.signature()
                    + " is transactional, but there are no transactions; add spring-boot-starter-jdbc or"
                    + " spring-boot-starter-data-jpa");
        }
        return new DeclaredTransactions(placeholders, beanFactory).of(found.method(), found.targetClass());
    }
}
