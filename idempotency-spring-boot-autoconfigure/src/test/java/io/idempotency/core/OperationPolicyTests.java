package io.idempotency.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OperationPolicyTests {

    private final OperationPolicy policy = OperationPolicy.DEFAULT;

    @Test
    void durationsOutOfTheirLimitsAreRefusedByName() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> policy.withLease(Duration.ZERO))
                .withMessageContaining("lease");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> policy.withRetention(Duration.ofSeconds(-1)))
                .withMessageContaining("retention");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> policy.withRetention(Duration.ofSeconds(Long.MAX_VALUE)))
                .withMessageContaining("retention");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> policy.withMaxWait(Duration.ofSeconds(-1)))
                .withMessageContaining("wait");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> policy.withMaxDuration(Duration.ofSeconds(1)))
                .withMessageContaining("max-duration");
    }

    @Test
    void aFailureIsRecordedWhenItsKindIsNamedOrAllAre() {
        IOException failure = new IOException();

        assertThat(policy.records(failure)).isFalse();
        assertThat(policy.withRecordedFailures(Set.of(IOException.class)).records(failure))
                .isTrue();
        assertThat(policy.withRecordedFailures(Set.of(RuntimeException.class)).records(failure))
                .isFalse();
        assertThat(policy.withOnFailure(OnFailure.STORE).records(failure)).isTrue();
    }

    @Test
    void whatTheLibraryRefusesIsNeverRecorded() {
        Identity other = Identity.of("shop", "pay", null, "k");
        StepIdentity step = StepIdentity.of("charge", null);
        List<OperationPolicy> recording = List.of(
                policy.withOnFailure(OnFailure.STORE), policy.withRecordedFailures(Set.of(RuntimeException.class)));

        for (OperationPolicy any : recording) {
            assertThat(List.of(
                            new ClaimLostException(other, 1),
                            new IdempotencyStoreException("planted", null),
                            new OperationInProgressException(other, Duration.ofSeconds(1)),
                            new OperationInDoubtException(other, 1),
                            new StepInDoubtException(other, step, 1),
                            new StepConflictException(other, step, "planted", null)))
                    .noneMatch(any::records);
            assertThat(any.records(new RecordedFailureException(other, "java.io.IOException", "declined")))
                    .isTrue();
        }
    }

    @Test
    void theRecordOfARunningClaimOutlivesEveryRenewal() {
        ClaimRequest request =
                ClaimRequest.of(Identity.of("shop", "pay", null, "k"), Fingerprint.none(), OwnerToken.random(), policy);

        assertThat(request.lifetime()).isGreaterThan(policy.maxDuration().plus(policy.lease()));
    }
}
