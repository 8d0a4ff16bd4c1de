package io.idempotency.autoconfigure;

import io.idempotency.core.CommitProbe;
import io.idempotency.core.EngineSettings;
import io.idempotency.core.IdempotencyListener;
import io.idempotency.core.IdempotencyOperations;
import io.idempotency.core.IdempotencyStore;
import io.idempotency.core.IdempotencyTemplate;
import io.idempotency.core.OnAbandoned;
import io.idempotency.core.OnFailure;
import io.idempotency.core.OperationPolicy;
import io.idempotency.core.OutcomeCodecFactory;
import io.idempotency.core.PassThroughOperations;
import io.idempotency.core.SurroundingTransaction;
import io.idempotency.core.WorkTransactions;
import io.idempotency.interceptor.SpringSurroundingTransaction;
import io.idempotency.interceptor.SpringWorkTransactions;
import io.idempotency.json.JsonOutcomeCodecFactory;
import io.idempotency.step.IdempotentSteps;
import io.idempotency.step.JournaledSteps;
import io.idempotency.store.jdbc.ConnectionProbe;
import io.idempotency.store.memory.InMemoryIdempotencyStore;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.StringUtils;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration Auto-configuration} for the engine. The engine
 * and the store are lazy: an application in which nothing is annotated and no door is injected needs no store.
 */
@AutoConfiguration
@EnableConfigurationProperties(IdempotencyProperties.class)
public final class IdempotencyAutoConfiguration {

    static final String DEFAULT_POLICY = "idempotencyDefaultPolicy";

    private static final String UNNAMED_APPLICATION = "application";

    private static final Logger logger = LoggerFactory.getLogger(IdempotencyAutoConfiguration.class);

    /** For this library only: a policy that the application has as a bean is not meant to replace it. */
    @Bean(defaultCandidate = false)
    OperationPolicy idempotencyDefaultPolicy(IdempotencyProperties properties) {
        return new OperationPolicy(
                properties.getLease(),
                properties.getMaxDuration(),
                properties.getRetention(),
                properties.getWait(),
                OnFailure.RELEASE,
                OnAbandoned.RETRY,
                properties.getOnStoreFailure(),
                Set.of(),
                Optional.empty());
    }

    @Bean
    @ConditionalOnMissingBean
    OutcomeCodecFactory idempotencyOutcomeCodecs(IdempotencyProperties properties) {
        long maxBytes = properties.getMaxOutcomeSize().toBytes();
        return new JsonOutcomeCodecFactory((int) Math.min(maxBytes, Integer.MAX_VALUE));
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({TransactionSynchronizationManager.class, ConnectionHolder.class})
    static class ConnectionConfiguration {

        @Bean
        @ConditionalOnMissingBean
        CommitProbe idempotencyCommitProbe() {
            return new ConnectionProbe();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(TransactionSynchronizationManager.class)
    static class TransactionConfiguration {

        @Bean
        @ConditionalOnMissingBean
        SurroundingTransaction idempotencySurroundingTransaction(ObjectProvider<CommitProbe> probe) {
            return new SpringSurroundingTransaction(probe.getIfAvailable(() -> CommitProbe.NONE));
        }

        @Bean
        @ConditionalOnMissingBean
        WorkTransactions idempotencyWorkTransactions(
                BeanFactory beanFactory,
                @IdempotencyTransactionManager ObjectProvider<PlatformTransactionManager> meant,
                ObjectProvider<PlatformTransactionManager> managers,
                ObjectProvider<CommitProbe> probe) {
            return new SpringWorkTransactions(
                    beanFactory,
                    () -> meant.getIfAvailable(() -> managers.getIfUnique()),
                    probe.getIfAvailable(() -> CommitProbe.NONE));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBooleanProperty(name = "idempotency.enabled", matchIfMissing = true)
    static class EnabledConfiguration {

        @Bean
        @Lazy
        @ConditionalOnMissingBean(IdempotencyStore.class)
        IdempotencyStore missingIdempotencyStore(Environment environment, ConfigurableListableBeanFactory beanFactory) {
            throw new NoIdempotencyStoreException(
                    OnIdempotencyStoreCondition.chosen(environment), StoreCandidates.in(beanFactory));
        }

        @Bean
        EngineFlush idempotencyEngineFlush() {
            return new EngineFlush();
        }

        @Bean
        @Lazy
        @ConditionalOnMissingBean(IdempotencyOperations.class)
        IdempotencyTemplate idempotencyTemplate(
                IdempotencyStore store,
                OutcomeCodecFactory codecs,
                IdempotencyProperties properties,
                Environment environment,
                @Qualifier(DEFAULT_POLICY) OperationPolicy defaultPolicy,
                ObjectProvider<SurroundingTransaction> transaction,
                ObjectProvider<WorkTransactions> transactions,
                ObjectProvider<IdempotencyListener> listeners,
                EngineFlush flush) {
            IdempotencyTemplate template = new IdempotencyTemplate(
                    store,
                    codecs,
                    new EngineSettings(
                            namespace(properties, environment, store),
                            properties.getStoreTimeout(),
                            properties.getMaxWaiters()),
                    defaultPolicy,
                    transaction.getIfAvailable(() -> SurroundingTransaction.NONE),
                    transactions.getIfAvailable(() -> WorkTransactions.NONE),
                    listeners.orderedStream().toList());
            flush.start(template);
            return template;
        }

        @Bean
        @ConditionalOnMissingBean
        IdempotentSteps idempotentSteps(OutcomeCodecFactory codecs, ObjectProvider<IdempotencyOperations> operations) {
            return JournaledSteps.recorded(codecs, operations::getObject);
        }

        private static String namespace(
                IdempotencyProperties properties, Environment environment, IdempotencyStore store) {
            String namespace = properties.getNamespace();
            if (StringUtils.hasText(namespace)) {
                return namespace;
            }
            String application = environment.getProperty("spring.application.name");
            if (StringUtils.hasText(application)) {
                return application;
            }
            if (!(store instanceof InMemoryIdempotencyStore)) {
                logger.warn("Neither spring.application.name nor idempotency.namespace is set: applications without a"
                        + " name that share a store take the keys of one another for their own. Set one of them");
            }
            return UNNAMED_APPLICATION;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBooleanProperty(name = "idempotency.enabled", havingValue = false)
    static class DisabledConfiguration {

        @Bean
        @ConditionalOnMissingBean(IdempotencyOperations.class)
        PassThroughOperations idempotencyPassThroughOperations(OutcomeCodecFactory codecs) {
            logger.warn("idempotency.enabled is false: operations run without protection");
            return new PassThroughOperations(codecs);
        }

        @Bean
        @ConditionalOnMissingBean
        IdempotentSteps idempotentSteps(OutcomeCodecFactory codecs) {
            return JournaledSteps.passedThrough(codecs);
        }
    }
}
