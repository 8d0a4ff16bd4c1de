package io.idempotency.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.core.ClaimRequest;
import io.idempotency.core.Fingerprint;
import io.idempotency.core.IdempotencyStore;
import io.idempotency.core.IdempotencyStoreException;
import io.idempotency.core.Identity;
import io.idempotency.core.OperationPolicy;
import io.idempotency.core.OwnerToken;
import io.idempotency.store.memory.InMemoryIdempotencyStore;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class InMemoryIdempotencyStoreAutoConfigurationTests {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(InMemoryIdempotencyStoreAutoConfiguration.class));

    @Test
    void theStoreIsThereWhenItIsNamed() {
        application
                .withPropertyValues("idempotency.store=memory")
                .run(context -> assertThat(context).hasSingleBean(InMemoryIdempotencyStore.class));
    }

    @Test
    void theStoreIsNeverAFallBack() {
        application.run(context -> assertThat(context).doesNotHaveBean(IdempotencyStore.class));
    }

    @Test
    void theStoreIsNotThereWhenTheStarterIsSwitchedOff() {
        application
                .withPropertyValues("idempotency.store=memory", "idempotency.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(IdempotencyStore.class));
    }

    @Test
    void aStoreOfTheUserIsLeftAlone() {
        application
                .withPropertyValues("idempotency.store=memory")
                .withBean("own", IdempotencyStore.class, () -> new InMemoryIdempotencyStore(1))
                .run(context -> assertThat(context)
                        .hasSingleBean(IdempotencyStore.class)
                        .hasBean("own"));
    }

    @Test
    void theStoreKeepsAsManyRecordsAsConfigured() {
        application
                .withPropertyValues("idempotency.store=memory", "idempotency.memory.max-records=1")
                .run(context -> {
                    IdempotencyStore store = context.getBean(IdempotencyStore.class);
                    store.claim(request("one"));

                    assertThatThrownBy(() -> store.claim(request("another")))
                            .isInstanceOf(IdempotencyStoreException.class);
                });
    }

    private static ClaimRequest request(String key) {
        return ClaimRequest.of(
                Identity.of("limit", "operation", null, key),
                Fingerprint.none(),
                OwnerToken.random(),
                OperationPolicy.DEFAULT);
    }
}
