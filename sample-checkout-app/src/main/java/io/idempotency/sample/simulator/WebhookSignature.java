package io.idempotency.sample.simulator;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs webhooks as <a href="https://github.com/standard-webhooks/standard-webhooks">Standard Webhooks</a> says. */
record WebhookSignature(String secret) {

    String of(String id, String timestamp, String body) {
        try {
            byte[] key = Base64.getDecoder().decode(secret.substring("whsec_".length()));
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, mac.getAlgorithm()));
            byte[] signed = (id + "." + timestamp + "." + body).getBytes(StandardCharsets.UTF_8);
            return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(signed));
        } catch (GeneralSecurityException unavailable) {
            throw new IllegalStateException(unavailable);
        }
    }
}
