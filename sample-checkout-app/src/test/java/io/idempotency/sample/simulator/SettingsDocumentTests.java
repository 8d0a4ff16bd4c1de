package io.idempotency.sample.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

class SettingsDocumentTests {

    private static final Settings SETTINGS =
            new Settings(Duration.ofHours(1), Duration.ZERO, 3, 1_000_000, Duration.ofMillis(1), Duration.ofDays(1), 0);

    @Test
    void whatIsShownCanBeReadAgain() {
        SettingsDocument document = new SettingsDocument(JsonMapper.shared().valueToTree(SETTINGS));

        assertThat(document.read()).isEqualTo(SETTINGS);
        assertThat(document.errors()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.5", "1.0", "-1", "1000001", "10000000000", "\"3\"", "true", "[1]"})
    void aCountIsAWholeNumberWithinItsLimits(String value) {
        assertThat(errorsOf("mailFailures", value)).hasSize(1).containsKey("mailFailures");
        assertThat(errorsOf("mailFailures", value).get("mailFailures")).startsWith("must be a whole number");
        assertThat(errorsOf("lostReplies", value)).hasSize(1).containsKey("lostReplies");
        assertThat(errorsOf("webhookAttempts", value)).hasSize(1).containsKey("webhookAttempts");
    }

    @ParameterizedTest
    @ValueSource(strings = {"5", "1.5", "\"soon\"", "\"\"", "\"-PT1S\"", "\"PT24H0.001S\"", "\"PT2562047788015215H\""})
    void aTimeIsATextWithinItsLimits(String value) {
        assertThat(errorsOf("invoiceLatency", value)).hasSize(1).containsKey("invoiceLatency");
        assertThat(errorsOf("invoiceLatency", value).get("invoiceLatency")).startsWith("must be a time");
        assertThat(errorsOf("mailLatency", value)).hasSize(1).containsKey("mailLatency");
        assertThat(errorsOf("webhookBackOff", value)).hasSize(1).containsKey("webhookBackOff");
        assertThat(errorsOf("webhookTimeout", value)).hasSize(1).containsKey("webhookTimeout");
    }

    @Test
    void aWebhookWithoutTimeToAnswerIsNone() {
        assertThat(errorsOf("webhookTimeout", "\"PT0S\"")).containsKey("webhookTimeout");
    }

    private static Map<String, String> errorsOf(String field, String value) {
        ObjectNode json = JsonMapper.shared().valueToTree(SETTINGS);
        json.set(field, JsonMapper.shared().readTree(value));
        SettingsDocument document = new SettingsDocument(json);
        document.read();
        return document.errors();
    }
}
