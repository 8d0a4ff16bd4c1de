package io.idempotency.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.core.Claim;
import io.idempotency.core.ClaimOutcome;
import io.idempotency.core.ClaimRequest;
import io.idempotency.core.Fingerprint;
import io.idempotency.core.IdempotencyStore;
import io.idempotency.core.Identity;
import io.idempotency.core.OnAbandoned;
import io.idempotency.core.Outcome;
import io.idempotency.core.OwnerToken;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;

/** The words in which these tests talk to a store. */
final class Claims {

    static final Duration LEASE = Duration.ofSeconds(30);

    static final Duration RETENTION = Duration.ofHours(1);

    static final Outcome OUTCOME =
            new Outcome(Outcome.Kind.VALUE, "text/1", "an outcome".getBytes(StandardCharsets.UTF_8));

    private Claims() {}

    static Identity newIdentity() {
        return Identity.of("test", "operation", null, UUID.randomUUID().toString());
    }

    static ClaimRequest request(Identity identity) {
        return request(identity, LEASE);
    }

    static ClaimRequest request(Identity identity, Duration lease) {
        return new ClaimRequest(
                identity, Fingerprint.of("asked"), OwnerToken.random(), lease, RETENTION, OnAbandoned.RETRY);
    }

    static Claim granted(IdempotencyStore store, ClaimRequest request) {
        ClaimOutcome answer = store.claim(request);
        assertThat(answer).isInstanceOf(ClaimOutcome.Granted.class);
        return ((ClaimOutcome.Granted) answer).claim();
    }

    static Claim granted(IdempotencyStore store, Identity identity) {
        return granted(store, request(identity));
    }

    static void complete(IdempotencyStore store, Identity identity) {
        store.complete(granted(store, identity), OUTCOME, RETENTION);
    }
}
