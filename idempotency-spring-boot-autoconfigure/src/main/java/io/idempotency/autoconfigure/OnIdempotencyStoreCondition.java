package io.idempotency.autoconfigure;

import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Decides which store is the chosen one; see {@link ConditionalOnIdempotencyStore}. */
class OnIdempotencyStoreCondition extends SpringBootCondition implements ConfigurationCondition {

    @Override
    public ConfigurationPhase getConfigurationPhase() {
        return ConfigurationPhase.REGISTER_BEAN;
    }

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        StoreType type = metadata.getAnnotations()
                .get(ConditionalOnIdempotencyStore.class)
                .getEnum("value", StoreType.class);
        ConditionMessage.Builder message = ConditionMessage.forCondition(ConditionalOnIdempotencyStore.class, type);
        StoreType chosen = chosen(context.getEnvironment());
        if (chosen != null) {
            return new ConditionOutcome(chosen == type, message.because("idempotency.store is " + chosen));
        }
        Set<StoreType> candidates = StoreCandidates.in(Objects.requireNonNull(context.getBeanFactory()))
                .unnamed();
        return new ConditionOutcome(
                candidates.equals(Set.of(type)), message.because("the candidates are " + candidates));
    }

    static @Nullable StoreType chosen(Environment environment) {
        return Binder.get(environment)
                .bind("idempotency.store", StoreType.class)
                .orElse(null);
    }
}
