package io.idempotency.interceptor;

import java.util.Optional;
import org.springframework.aop.Advisor;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.util.ClassUtils;

/** Method security that stands inside of the protection: what was recorded would be given to who has lost the right. */
final class LateAuthorization {

    /** By name, since Spring Security is the user's own choice. */
    private static final String AUTHORIZATION =
            "org.springframework.security.authorization.method.AuthorizationAdvisor";

    private LateAuthorization() {}

    /** Returns one sentence with method and remedy; empty where whoever calls the method is checked before. */
    static Optional<String> problem(AnnotationLookup.Found<?> found, Iterable<Advisor> inside) {
        for (Advisor advisor : inside) {
            if (isAuthorization(advisor.getAdvice()) && applies(advisor, found)) {
                return Optional.of(
                        "%s is secured inside of its protection, by %s, so that who has lost the right would get"
                                        .formatted(
                                                found.signature(),
                                                advisor.getAdvice().getClass().getName())
                                + " an old result; let method security come before, by an order below %d, which is the default of"
                                        .formatted(AnnotatedMethodAdvisor.ORDER)
                                + " @EnableMethodSecurity");
            }
        }
        return Optional.empty();
    }

    private static boolean isAuthorization(Object advice) {
        return ClassUtils.getAllInterfacesAsSet(advice).stream()
                .map(Class::getName)
                .anyMatch(AUTHORIZATION::equals);
    }

    private static boolean applies(Advisor advisor, AnnotationLookup.Found<?> found) {
        return !(advisor instanceof PointcutAdvisor selective)
                || (selective.getPointcut().getClassFilter().matches(found.targetClass())
                        && selective.getPointcut().getMethodMatcher().matches(found.method(), found.targetClass()));
    }
}
