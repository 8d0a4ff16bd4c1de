package io.idempotency.sample.mail;

import io.idempotency.sample.account.Account;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.client.RestClient;

/** Sends mails by a remote service that knows no idempotency keys, but can be asked what it sent. */
@Component
public class Mails {

    private static final ParameterizedTypeReference<List<Mail>> MAILS = new ParameterizedTypeReference<>() {};

    private final RestClient client;

    Mails(RestClient client) {
        this.client = client;
    }

    /**
     * Sends the mail that tells a customer of the account.
     *
     * @throws org.springframework.web.client.RestClientException if the service refuses, or nobody knows whether it sent
     */
    public Mail sendWelcome(Account account, String recipient) {
        return Objects.requireNonNull(client.post()
                .uri("/mails")
                .contentType(MediaType.APPLICATION_JSON)
                .body(Map.of(
                        "orderId",
                        account.orderId(),
                        "reference",
                        account.id(),
                        "recipient",
                        recipient,
                        "subject",
                        "Welcome"))
                .retrieve()
                .body(Mail.class));
    }

    /** Finds the mail that was sent for an account. */
    public Optional<Mail> findWelcome(Account account) {
        List<Mail> sent = client.get()
                .uri("/mails?reference={account}", account.id())
                .retrieve()
                .body(MAILS);
        return Objects.requireNonNull(sent).stream().findFirst();
    }
}
