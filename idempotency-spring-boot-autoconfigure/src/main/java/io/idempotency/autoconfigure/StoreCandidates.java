package io.idempotency.autoconfigure;

import java.lang.annotation.Annotation;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.util.ClassUtils;

/**
 * The beans that a store could be built on.
 *
 * @param dataSources how many data sources there are; 0 without Spring JDBC
 * @param redisConnectionFactories how many connection factories there are; 0 without Spring Data Redis
 */
record StoreCandidates(Beans dataSources, Beans redisConnectionFactories) {

    private static final String DATA_SOURCE = "javax.sql.DataSource";

    private static final String JDBC_OPERATIONS = "org.springframework.jdbc.core.JdbcOperations";

    private static final String REDIS_CONNECTION_FACTORY =
            "org.springframework.data.redis.connection.RedisConnectionFactory";

    /**
     * The beans of one type.
     *
     * @param count how many there are
     * @param qualified how many of them are marked for this library
     */
    record Beans(int count, int qualified) {

        static final Beans NONE = new Beans(0, 0);

        boolean areQualified() {
            return qualified > 0;
        }
    }

    static StoreCandidates in(ConfigurableListableBeanFactory beanFactory) {
        ClassLoader classLoader = beanFactory.getBeanClassLoader();
        return new StoreCandidates(
                ClassUtils.isPresent(JDBC_OPERATIONS, classLoader)
                        ? beans(beanFactory, DATA_SOURCE, IdempotencyDataSource.class)
                        : Beans.NONE,
                beans(beanFactory, REDIS_CONNECTION_FACTORY, IdempotencyRedisConnectionFactory.class));
    }

    private static Beans beans(
            ConfigurableListableBeanFactory beanFactory, String type, Class<? extends Annotation> qualifier) {
        Class<?> beanType = classOrNull(type, beanFactory.getBeanClassLoader());
        if (beanType == null) {
            return Beans.NONE;
        }
        int candidates = 0;
        int qualified = 0;
        // Without eager initialisation: a condition must not create beans.
        for (String name : BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beanFactory, beanType, true, false)) {
            if (beanFactory.findAnnotationOnBean(name, qualifier, false) != null) {
                qualified++;
                candidates++;
            } else if (isDefaultCandidate(beanFactory, name)) {
                candidates++;
            }
        }
        return new Beans(candidates, qualified);
    }

    /** Says whether a bean is meant where nobody names it; a bean without a definition is. */
    private static boolean isDefaultCandidate(ConfigurableListableBeanFactory beanFactory, String name) {
        return !beanFactory.containsBeanDefinition(name)
                || !(beanFactory.getMergedBeanDefinition(name) instanceof AbstractBeanDefinition definition)
                || (definition.isAutowireCandidate() && definition.isDefaultCandidate());
    }

    private static @Nullable Class<?> classOrNull(String name, @Nullable ClassLoader classLoader) {
        try {
            return ClassUtils.forName(name, classLoader);
        } catch (ClassNotFoundException | LinkageError absent) {
            return null;
        }
    }

    /** Returns the stores that could be meant when none is named; memory is never among them. */
    Set<StoreType> unnamed() {
        if (dataSources.areQualified() != redisConnectionFactories.areQualified()) {
            return Set.of(dataSources.areQualified() ? StoreType.JDBC : StoreType.REDIS);
        }
        Set<StoreType> types = EnumSet.noneOf(StoreType.class);
        if (dataSources.count() > 0) {
            types.add(StoreType.JDBC);
        }
        if (redisConnectionFactories.count() > 0) {
            types.add(StoreType.REDIS);
        }
        return types;
    }
}
