package io.idempotency.sample;

import static io.idempotency.sample.ShopClient.unique;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.idempotency.sample.ShopClient.Made;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Webhooks that are sent from a shell, where it has what the script needs. */
interface ScriptStories {

    ShopClient shop();

    @Test
    default void theScriptSignsAsTheGatewayDoes() throws IOException, InterruptedException {
        assumeThat(run(Map.of(), "bash", "-c", "command -v curl && command -v openssl"))
                .as("curl and openssl are installed")
                .contains("curl", "openssl");
        String eventId = unique("evt");
        String orderId = unique("order");

        String first = send(Map.of(), eventId, orderId);
        String second = send(Map.of(), eventId, orderId);
        String late = send(Map.of("WEBHOOK_TIMESTAMP", "1000"), eventId, orderId);

        assertThat(first).contains(" 200 ", "\"invoiceId\"").doesNotContain("Idempotent-Replayed");
        assertThat(second).contains(" 200 ", "\"invoiceId\"", "Idempotent-Replayed: true");
        assertThat(late).contains(" 401 ");
        assertThat(shop().ledger(orderId).made()).isEqualTo(new Made(0, 1, 1, 1));
    }

    private String send(Map<String, String> delivery, String eventId, String orderId)
            throws IOException, InterruptedException {
        return run(delivery, "bash", "send-webhook.sh", eventId, orderId);
    }

    private String run(Map<String, String> variables, String... command) throws IOException, InterruptedException {
        ProcessBuilder shell = new ProcessBuilder(List.of(command)).redirectErrorStream(true);
        shell.environment().put("SHOP_URL", shop().url());
        shell.environment().putAll(variables);
        Process process = shell.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return output;
    }
}
