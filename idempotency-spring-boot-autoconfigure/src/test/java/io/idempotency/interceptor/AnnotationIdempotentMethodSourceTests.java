package io.idempotency.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.idempotency.annotation.Idempotent;
import io.idempotency.core.OnAbandoned;
import io.idempotency.core.OnFailure;
import io.idempotency.core.OperationPolicy;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.annotation.AliasFor;

class AnnotationIdempotentMethodSourceTests extends WithAMethodSource {

    @Test
    void metaAnnotationsAreMerged() {
        assertThat(find(Meta.class, "pay")).hasValueSatisfying(found -> {
            assertThat(found.operation()).isEqualTo("payment");
            assertThat(found.policy().retention()).isEqualTo(Duration.ofDays(7));
            assertThat(text(found, "k-1")).isEqualTo("k-1");
        });
    }

    @Test
    void noTwoMethodsShareTheDefaultName() {
        assertThat(Arrays.stream(Named.class.getDeclaredMethods())
                        .map(method ->
                                source.find(method, Named.class).orElseThrow().operation()))
                .containsExactlyInAnyOrder(
                        Named.class.getName() + ".pay(java.lang.String)",
                        Named.class.getName() + ".pay(java.lang.String[])",
                        Named.class.getName() + ".pay(java.lang.String,int)");
        assertThat(find(NamedToo.class, "pay"))
                .hasValueSatisfying(found -> assertThat(found.operation()).startsWith(NamedToo.class.getName()));
    }

    @Test
    void everythingIsRead() {
        environment.withProperty("invoice.retention", "P3D").withProperty("invoice.name", "invoice");

        assertThat(find(Full.class, "pay")).hasValueSatisfying(found -> {
            assertThat(found.operation()).isEqualTo("invoice-v2");
            assertThat(found.header()).hasValue("webhook-id");
            assertThat(found.required()).isFalse();
            assertThat(text(found, "k-1", "t-1")).isEqualTo("k-1");
            assertThat(found.scope().orElseThrow().text(null, found.method(), new Object[] {"k-1", "t-1"}))
                    .isEqualTo("t-1");
            assertThat(found.fingerprint().orElseThrow().value(null, found.method(), new Object[] {"k-1", "t-1"}))
                    .isEqualTo(3);
            assertThat(found.fingerprintStrategy()).isEmpty();
            assertThat(found.policy())
                    .isEqualTo(OperationPolicy.DEFAULT
                            .withLease(Duration.ofSeconds(20))
                            .withRetention(Duration.ofDays(3))
                            .withMaxWait(Duration.ofMillis(1500))
                            .withOnFailure(OnFailure.HOLD)
                            .withOnAbandoned(OnAbandoned.HOLD)
                            .withRecordedFailures(Set.of(IllegalStateException.class)));
        });
    }

    @Test
    void whatIsNotSaidHasDefaults() {
        assertThat(find(Meta.class, "bare")).hasValueSatisfying(found -> {
            assertThat(found.key()).isEmpty();
            assertThat(found.header()).isEmpty();
            assertThat(found.required()).isTrue();
            assertThat(found.scope()).isEmpty();
            assertThat(found.fingerprint()).isEmpty();
            assertThat(found.fingerprintStrategy()).isEmpty();
            assertThat(found.policy()).isEqualTo(OperationPolicy.DEFAULT);
        });
    }

    @ParameterizedTest
    @CsvSource({"none, NONE", "raw, RAW", "auto, AUTO"})
    void aFingerprintMayBeAStrategy(String name, FingerprintStrategy strategy) {
        assertThat(find(Strategies.class, name)).hasValueSatisfying(found -> {
            assertThat(found.fingerprintStrategy()).hasValue(strategy);
            assertThat(found.fingerprint()).isEmpty();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"ignoring", "ignoringAndAuto"})
    void fieldsAreIgnoredByAuto(String name) {
        assertThat(find(Strategies.class, name, "retry.field", "order.sentAt")).hasValueSatisfying(found -> {
            assertThat(found.fingerprintStrategy()).hasValue(FingerprintStrategy.AUTO);
            assertThat(found.ignoredFields()).containsExactlyInAnyOrder("trace", "order.sentAt");
        });
    }

    @Test
    void aStrategyIsWrittenInCapitals() {
        assertThatExceptionOfType(InvalidIdempotentMethodException.class)
                .isThrownBy(() -> find(Strategies.class, "lowerCase"))
                .withMessageContaining("'none' belongs to nothing");
    }

    @Test
    void whatWasReadIsKept() {
        Optional<IdempotentMethod> first = find(Full.class, "pay", "invoice.retention", "1d", "invoice.name", "x");

        assertThat(find(Full.class, "pay")).isSameAs(first);
        assertThat(policies).hasValue(1);
        assertThat(find(OfInterfaces.class, "ofNoInterface")).isSameAs(find(OfInterfaces.class, "ofNoInterface"));
    }

    @Test
    void expressionsNameTheArgumentsOfTheMethodThatCarriesThem() {
        assertThat(find(Renaming.class, "pay"))
                .hasValueSatisfying(found -> assertThat(text(found, "k-1")).isEqualTo("k-1"));
    }

    @Idempotent(retention = "7d", operation = "payment")
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @interface PaidOnce {

        @AliasFor(annotation = Idempotent.class, attribute = "key")
        String by();
    }

    static class Meta {

        @PaidOnce(by = "#p0")
        public void pay(String id) {}

        @Idempotent
        public void bare(String id) {}
    }

    static class Named {

        @Idempotent("#p0")
        public void pay(String id) {}

        @Idempotent("#p0")
        public void pay(String[] ids) {}

        @Idempotent("#p0")
        public void pay(String id, int amount) {}
    }

    static class NamedToo {

        @Idempotent("#p0")
        public void pay(String id) {}
    }

    static class Full {

        @Idempotent(
                key = "#id",
                header = "webhook-id",
                operation = "${invoice.name}-v2",
                scope = "#tenant",
                fingerprint = "#id.length()",
                required = false,
                lease = "20s",
                retention = "${invoice.retention}",
                maxWait = "1500ms",
                onFailure = OnFailure.HOLD,
                onAbandoned = OnAbandoned.HOLD,
                recordFailures = IllegalStateException.class)
        public void pay(String id, String tenant) {}
    }

    static class Strategies {

        @Idempotent(fingerprint = "NONE")
        public void none() {}

        @Idempotent(fingerprint = "RAW")
        public void raw() {}

        @Idempotent(fingerprint = "AUTO")
        public void auto() {}

        @Idempotent(ignoredFields = {"trace", "${retry.field}"})
        public void ignoring() {}

        @Idempotent(
                fingerprint = "AUTO",
                ignoredFields = {"trace", "${retry.field}", ""})
        public void ignoringAndAuto() {}

        @Idempotent(fingerprint = "none")
        public void lowerCase() {}
    }

    interface WithNames {

        @Idempotent("#orderId")
        void pay(String orderId);
    }

    static class Renaming implements WithNames {

        @Override
        public void pay(String id) {}
    }
}
