package io.idempotency.sample.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.core.IdempotencyOperations;
import io.idempotency.core.IdempotentResult;
import io.idempotency.sample.documentation.InvoiceService.Invoice;
import io.idempotency.sample.documentation.InvoiceService.Order;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@SpringBootTest(
        webEnvironment = WebEnvironment.NONE,
        properties = {"spring.config.name=none", "spring.flyway.enabled=false", "idempotency.store=memory"})
class InvoiceServiceTests {

    private static final Order ORDER = new Order("order_1", 120000);

    @Autowired
    private InvoiceService invoices;

    @Test
    void theAnnotatedMethodRunsOnce() {
        Invoice first = invoices.createInvoice(ORDER);

        assertThat(invoices.createInvoice(ORDER)).isEqualTo(first).isNotSameAs(first);
    }

    @Test
    void theWorkOfTheProgrammaticDoorRunsOnce() {
        IdempotentResult<Invoice> first = invoices.cancelInvoice(ORDER);
        IdempotentResult<Invoice> second = invoices.cancelInvoice(ORDER);

        assertThat(first.replayed()).isFalse();
        assertThat(second.replayed()).isTrue();
        assertThat(second.value()).isEqualTo(first.value());
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        InvoiceService invoiceService(IdempotencyOperations idempotency) {
            return new InvoiceService(idempotency);
        }
    }
}
