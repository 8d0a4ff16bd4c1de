package io.idempotency.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.idempotency.annotation.Idempotent;
import io.idempotency.autoconfigure.IdempotencyAutoConfiguration;
import io.idempotency.autoconfigure.IdempotentMethodAutoConfiguration;
import io.idempotency.core.FingerprintMismatchException;
import io.idempotency.core.IdempotencyStore;
import io.idempotency.core.IdempotencyStoreException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.TransactionTemplate;

class EventListenerTests {

    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext(Shop.class);

    private final String id = UUID.randomUUID().toString();

    @AfterEach
    void close() {
        context.close();
    }

    @Test
    void anEventThatIsPublishedAgainExecutesNothing() {
        context.publishEvent(new Paid(id, 10));
        context.publishEvent(new Paid(id, 10));

        assertThat(mails().sent()).containsExactly("paid " + id);
    }

    @Test
    void aRefusalReachesThePublisher() {
        context.publishEvent(new Paid(id, 10));

        assertThatExceptionOfType(FingerprintMismatchException.class)
                .isThrownBy(() -> context.publishEvent(new Paid(id, 20)));
        assertThat(mails().sent()).containsExactly("paid " + id);
    }

    @Test
    void aListenerAfterTheCommitIsRecorded() {
        inATransaction(() -> context.publishEvent(new Shipped(id)));
        inATransaction(() -> context.publishEvent(new Shipped(id)));

        assertThat(mails().sent()).containsExactly("shipped " + id);
    }

    @Test
    void aListenerAfterTheEndIsRecorded() {
        inATransaction(() -> context.publishEvent(new Returned(id)));
        inATransaction(() -> context.publishEvent(new Returned(id)));

        assertThat(mails().sent()).containsExactly("returned " + id);
    }

    /** Spring logs what a listener after the commit throws, and nobody publishes the event again. */
    @Test
    void aRefusalAfterTheCommitLosesTheEvent() {
        context.getBean(SwitchableStore.class).setDown(true);
        inATransaction(() -> context.publishEvent(new Shipped(id)));
        context.getBean(SwitchableStore.class).setDown(false);

        assertThat(mails().sent()).isEmpty();
    }

    @Test
    void aRefusalBeforeTheCommitRollsBack() {
        context.getBean(SwitchableStore.class).setDown(true);

        assertThatExceptionOfType(IdempotencyStoreException.class)
                .isThrownBy(() -> inATransaction(() -> context.publishEvent(new Paid(id, 10))));
        assertThat(mails().sent()).isEmpty();
    }

    private Mails mails() {
        return context.getBean(Mails.class);
    }

    private void inATransaction(Runnable work) {
        context.getBean(TransactionTemplate.class).executeWithoutResult(status -> work.run());
    }

    record Paid(String id, int amount) {}

    record Shipped(String id) {}

    record Returned(String id) {}

    static class Mails {

        private final List<String> sent = new CopyOnWriteArrayList<>();

        List<String> sent() {
            return sent;
        }

        @EventListener
        @Idempotent(operation = "mail-paid", key = "#event.id")
        void paid(Paid event) {
            sent.add("paid " + event.id());
        }

        @TransactionalEventListener
        @Idempotent(operation = "mail-shipped", key = "#event.id")
        void shipped(Shipped event) {
            sent.add("shipped " + event.id());
        }

        @TransactionalEventListener(phase = TransactionPhase.AFTER_COMPLETION)
        @Idempotent(operation = "mail-returned", key = "#event.id")
        void returned(Returned event) {
            sent.add("returned " + event.id());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    @ImportAutoConfiguration({IdempotencyAutoConfiguration.class, IdempotentMethodAutoConfiguration.class})
    @Import({Mails.class, SwitchableStore.class})
    static class Shop {

        @Bean
        IdempotencyStore store(SwitchableStore switchable) {
            return switchable.store();
        }

        @Bean
        JdbcTransactionManager transactions() {
            return new JdbcTransactionManager(new DriverManagerDataSource("jdbc:h2:mem:events"));
        }

        @Bean
        TransactionTemplate template(JdbcTransactionManager transactions) {
            return new TransactionTemplate(transactions);
        }
    }
}
