package io.idempotency.interceptor;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.idempotency.annotation.Idempotent;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnusableAnnotationTests extends WithAMethodSource {

    @ParameterizedTest
    @CsvSource({
        "noDuration, retention, 'soon'",
        "noUnit, lease, 'no unit'",
        "negative, maxWait, 'wait'",
        "tooLong, lease, 'max-duration'",
        "noPlaceholder, retention, 'nowhere.said'",
        "noExpression, key, '#p0.('",
        "unknownArgument, key, '-parameters'",
        "unknownArgument, key, '#p0'",
        "unknownInFingerprint, fingerprint, '#nothing'",
        "ignoringBesideRaw, ignoredFields, 'AUTO'",
        "ignoringBesideExpression, ignoredFields, 'AUTO'"
    })
    void whatCannotBeHonouredNamesMethodAndAttribute(String name, String attribute, String reason) {
        assertThatExceptionOfType(InvalidIdempotentMethodException.class)
                .isThrownBy(() -> find(Wrong.class, name))
                .withMessageContaining(Wrong.class.getName() + "." + name + "(java.lang.String)")
                .withMessageContaining(attribute)
                .withMessageContaining(reason);
    }

    static class Wrong {

        @Idempotent(key = "#p0", retention = "soon")
        public void noDuration(String id) {}

        @Idempotent(key = "#p0", lease = "30")
        public void noUnit(String id) {}

        @Idempotent(key = "#p0", maxWait = "-1s")
        public void negative(String id) {}

        @Idempotent(key = "#p0", lease = "20m")
        public void tooLong(String id) {}

        @Idempotent(key = "#p0", retention = "${nowhere.said}")
        public void noPlaceholder(String id) {}

        @Idempotent(key = "#p0.(")
        public void noExpression(String id) {}

        @Idempotent(key = "#order.id")
        public void unknownArgument(String id) {}

        @Idempotent(key = "#p0", fingerprint = "#nothing")
        public void unknownInFingerprint(String id) {}

        @Idempotent(fingerprint = "RAW", ignoredFields = "sentAt")
        public void ignoringBesideRaw(String id) {}

        @Idempotent(fingerprint = "#p0", ignoredFields = "sentAt")
        public void ignoringBesideExpression(String id) {}
    }
}
