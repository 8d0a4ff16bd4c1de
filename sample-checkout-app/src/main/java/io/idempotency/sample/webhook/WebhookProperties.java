package io.idempotency.sample.webhook;

import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Webhooks of the payment gateway.
 *
 * @param secret Secret that gateway and shop share, as Standard Webhooks writes it.
 */
@ConfigurationProperties("sample.webhook")
record WebhookProperties(String secret) {}
