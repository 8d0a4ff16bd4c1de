package io.idempotency.autoconfigure;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
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
     * @param single whether one of them is meant when nothing else is said: the only one, or the primary one
     */
    record Beans(int count, boolean single) {

        static final Beans NONE = new Beans(0, false);
    }

    static StoreCandidates in(ConfigurableListableBeanFactory beanFactory) {
        ClassLoader classLoader = beanFactory.getBeanClassLoader();
        return new StoreCandidates(
                ClassUtils.isPresent(JDBC_OPERATIONS, classLoader) ? beans(beanFactory, DATA_SOURCE) : Beans.NONE,
                beans(beanFactory, REDIS_CONNECTION_FACTORY));
    }

    private static Beans beans(ConfigurableListableBeanFactory beanFactory, String type) {
        Class<?> beanType = classOrNull(type, beanFactory.getBeanClassLoader());
        if (beanType == null) {
            return Beans.NONE;
        }
        // Without eager initialisation: a condition must not create beans.
        List<String> names = List.of(beanFactory.getBeanNamesForType(beanType, true, false));
        long primary =
                names.stream().filter(name -> isPrimary(beanFactory, name)).count();
        return new Beans(names.size(), names.size() == 1 || primary == 1);
    }

    private static @Nullable Class<?> classOrNull(String name, @Nullable ClassLoader classLoader) {
        try {
            return ClassUtils.forName(name, classLoader);
        } catch (ClassNotFoundException | LinkageError absent) {
            return null;
        }
    }

    private static boolean isPrimary(ConfigurableListableBeanFactory beanFactory, String name) {
        return beanFactory.containsBeanDefinition(name)
                && beanFactory.getBeanDefinition(name).isPrimary();
    }

    /** Returns the stores that could be meant when none is named; memory is never among them. */
    Set<StoreType> unnamed() {
        boolean jdbc = dataSources.count() > 0;
        boolean redis = redisConnectionFactories.count() > 0;
        if (jdbc && redis) {
            return Set.of(StoreType.JDBC, StoreType.REDIS);
        }
        if (jdbc) {
            return Set.of(StoreType.JDBC);
        }
        return redis ? Set.of(StoreType.REDIS) : Set.of();
    }
}
