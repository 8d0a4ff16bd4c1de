package io.idempotency.interceptor;

import io.idempotency.core.OperationPolicy;
import io.idempotency.core.TransactionSettings;
import java.lang.annotation.Annotation;
import java.util.List;
import java.util.Optional;
import org.aopalliance.aop.Advice;

/** What is to be verified about the methods with one annotation. */
interface VerifiedMethods<A extends Annotation> {

    AnnotationLookup<A> lookup();

    /** Returns what must be around their beans. */
    Class<? extends Advice> advice();

    /**
     * Looks at one method.
     *
     * @param classProxy whether the proxy of the bean is a subclass of its class
     * @return one sentence for each problem, with method and remedy; empty where there is none
     */
    List<String> problems(AnnotationLookup.Found<A> found, boolean classProxy);

    /** Says whether the annotation means a method that has no problem. */
    boolean isMeant(AnnotationLookup.Found<A> found);

    /** Returns how such a method is protected by a claim of its own; empty where it has none. */
    Optional<OperationPolicy> policy(AnnotationLookup.Found<A> found);

    /** Returns the transaction that such a method runs in. */
    Optional<TransactionSettings> transaction(AnnotationLookup.Found<A> found);
}
