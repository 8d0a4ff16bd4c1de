package io.idempotency.store.jdbc;

import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.util.Objects;
import java.util.function.IntConsumer;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.PlatformTransactionManager;

/** How the rows of a shop are written, and what their transactions are made by. */
record Bookings(PlatformTransactionManager transactionManager, IntConsumer rows, Runnable end)
        implements AutoCloseable {

    static Bookings by(TransactionalShop.Manager manager, DataSource application) {
        return switch (manager) {
            case JDBC -> byJdbc(new JdbcTransactionManager(application), application);
            case PLAIN_JDBC -> byJdbc(new DataSourceTransactionManager(application), application);
            case JPA -> byJpa(application);
        };
    }

    private static Bookings byJdbc(PlatformTransactionManager manager, DataSource application) {
        JdbcTemplate jdbc = new JdbcTemplate(application);
        return new Bookings(manager, number -> jdbc.update("INSERT INTO booking VALUES (?, 0)", number), () -> {});
    }

    private static Bookings byJpa(DataSource application) {
        LocalContainerEntityManagerFactoryBean factory = new LocalContainerEntityManagerFactoryBean();
        factory.setDataSource(application);
        factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
        factory.setManagedTypes(PersistenceManagedTypes.of(Booking.class.getName()));
        factory.afterPropertiesSet();
        EntityManagerFactory entityManagers = Objects.requireNonNull(factory.getObject());
        JpaTransactionManager manager = new JpaTransactionManager(entityManagers);
        manager.setJpaDialect(new HibernateJpaVendorAdapter().getJpaDialect());
        manager.afterPropertiesSet();
        EntityManager entityManager = SharedEntityManagerCreator.createSharedEntityManager(entityManagers);
        return new Bookings(manager, number -> entityManager.persist(new Booking(number)), factory::destroy);
    }

    void insert(int number) {
        rows.accept(number);
    }

    @Override
    public void close() {
        end.run();
    }
}
