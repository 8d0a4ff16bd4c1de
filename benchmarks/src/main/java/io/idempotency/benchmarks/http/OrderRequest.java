package io.idempotency.benchmarks.http;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** The bytes of the requests of one connection. A key is written into them, so that none costs more than its digits. */
final class OrderRequest {

    private static final String BODY = "{\"article\":\"Through the Looking-Glass\",\"quantity\":2}";

    private static final byte[] DIGITS = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private static final int COUNTED_DIGITS = 12;

    private final byte[] bytes;

    private final int keyEnd;

    private final boolean newKeys;

    private long sent;

    OrderRequest(Candidate candidate) {
        String key = UUID.randomUUID().toString();
        String head = """
                POST %s HTTP/1.1
                Host: localhost
                Content-Type: application/json
                Accept: application/json
                Content-Length: %d
                Idempotency-Key: %s""".formatted(candidate.isProtected() ? "/protected-orders" : "/orders", BODY.length(), key)
                .replace("\n", "\r\n");
        bytes = (head + "\r\n\r\n" + BODY).getBytes(StandardCharsets.US_ASCII);
        keyEnd = head.length();
        newKeys = candidate != Candidate.REPLAYED;
    }

    byte[] next() {
        if (newKeys) {
            long rest = ++sent;
            for (int digit = 1; digit <= COUNTED_DIGITS; digit++) {
                bytes[keyEnd - digit] = DIGITS[(int) (rest & 0xf)];
                rest >>= 4;
            }
        }
        return bytes;
    }
}
