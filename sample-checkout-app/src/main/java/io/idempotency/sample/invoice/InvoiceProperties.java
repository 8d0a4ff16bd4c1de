package io.idempotency.sample.invoice;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * The invoicing service.
 *
 * @param latency How long the service takes to issue an invoice.
 */
@ConfigurationProperties("sample.invoice")
record InvoiceProperties(Duration latency) {}
