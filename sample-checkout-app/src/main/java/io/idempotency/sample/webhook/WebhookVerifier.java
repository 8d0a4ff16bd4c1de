package io.idempotency.sample.webhook;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;

/**
 * Tells whether a delivery was signed by the gateway, and lately, as
 * <a href="https://github.com/standard-webhooks/standard-webhooks">Standard Webhooks</a> says.
 */
@Component
class WebhookVerifier {

    private static final Duration TOLERANCE = Duration.ofMinutes(5);

    private static final String SECRET_PREFIX = "whsec_";

    private static final String VERSION = "v1,";

    private final SecretKeySpec key;

    WebhookVerifier(WebhookProperties properties) {
        String secret = properties.secret();
        if (!secret.startsWith(SECRET_PREFIX)) {
            throw new IllegalArgumentException("sample.webhook.secret must begin with " + SECRET_PREFIX);
        }
        this.key =
                new SecretKeySpec(Base64.getDecoder().decode(secret.substring(SECRET_PREFIX.length())), "HmacSHA256");
    }

    boolean isGenuine(HttpHeaders headers, byte[] body) {
        String id = headers.getFirst("webhook-id");
        String timestamp = headers.getFirst("webhook-timestamp");
        String signatures = headers.getFirst("webhook-signature");
        if (id == null || timestamp == null || signatures == null || !isRecent(timestamp)) {
            return false;
        }
        byte[] expected = bytes(VERSION + signature(id, timestamp, body));
        // Several while the gateway changes its secret.
        return Stream.of(signatures.split(" ")).anyMatch(given -> MessageDigest.isEqual(bytes(given), expected));
    }

    private static boolean isRecent(String timestamp) {
        try {
            Instant sent = Instant.ofEpochSecond(Long.parseLong(timestamp));
            return Duration.between(sent, Instant.now()).abs().compareTo(TOLERANCE) <= 0;
        } catch (NumberFormatException | DateTimeException | ArithmeticException malformed) {
            return false;
        }
    }

    private String signature(String id, String timestamp, byte[] body) {
        try {
            Mac mac = Mac.getInstance(key.getAlgorithm());
            mac.init(key);
            mac.update(bytes(id + "." + timestamp + "."));
            return Base64.getEncoder().encodeToString(mac.doFinal(body));
        } catch (GeneralSecurityException unavailable) {
            throw new IllegalStateException(unavailable);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
