package io.idempotency.sample;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** One delivery of an event of the payment gateway, with the headers of Standard Webhooks. */
record Delivery(String event, Map<String, String> headers) {

    private static final byte[] SECRET = Base64.getDecoder().decode("Y2hlY2tvdXQtc2FtcGxlLXNlY3JldA==");

    /** Signs an event now, as a delivery of its own. */
    static Delivery signed(String event) {
        return signed(event, ShopClient.unique("msg"), Instant.now());
    }

    static Delivery signed(String event, String id, Instant at) {
        String timestamp = String.valueOf(at.getEpochSecond());
        return new Delivery(
                event,
                Map.of(
                        "webhook-id", id,
                        "webhook-timestamp", timestamp,
                        "webhook-signature", "v1," + signature(id + "." + timestamp + "." + event)));
    }

    Delivery with(String header, String value) {
        Map<String, String> changed = new HashMap<>(headers);
        changed.put(header, value);
        return new Delivery(event, changed);
    }

    Delivery without(String header) {
        Map<String, String> changed = new HashMap<>(headers);
        changed.remove(header);
        return new Delivery(event, changed);
    }

    private static String signature(String signed) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(SECRET, mac.getAlgorithm()));
            return Base64.getEncoder().encodeToString(mac.doFinal(signed.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException unavailable) {
            throw new IllegalStateException(unavailable);
        }
    }
}
