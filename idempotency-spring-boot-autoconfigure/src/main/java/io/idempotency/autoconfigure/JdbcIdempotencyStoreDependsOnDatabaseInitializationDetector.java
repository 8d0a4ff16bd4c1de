package io.idempotency.autoconfigure;

import io.idempotency.store.jdbc.JdbcIdempotencyStore;
import java.util.Set;
import org.springframework.boot.sql.init.dependency.AbstractBeansOfTypeDependsOnDatabaseInitializationDetector;

/** Lets the JDBC store wait for what initialises the database. */
class JdbcIdempotencyStoreDependsOnDatabaseInitializationDetector
        extends AbstractBeansOfTypeDependsOnDatabaseInitializationDetector {

    @Override
    protected Set<Class<?>> getDependsOnDatabaseInitializationBeanTypes() {
        return Set.of(JdbcIdempotencyStore.class);
    }
}
