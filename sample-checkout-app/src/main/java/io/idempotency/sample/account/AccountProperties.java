package io.idempotency.sample.account;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Accounts of customers.
 *
 * @param latency How long it takes to open an account, after its row was written.
 */
@ConfigurationProperties("sample.account")
record AccountProperties(Duration latency) {}
