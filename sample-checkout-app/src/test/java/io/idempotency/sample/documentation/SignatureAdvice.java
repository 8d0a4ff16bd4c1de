package io.idempotency.sample.documentation;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.test.context.TestComponent;
import org.springframework.core.MethodParameter;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.HttpStatus;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.mvc.method.annotation.RequestBodyAdviceAdapter;

@TestComponent // no part of the shop
// snippet:signature
/** Refuses deliveries whose raw body is not signed by the sender, before the handler or its key is touched. */
@RestControllerAdvice(assignableTypes = WebhookReceivers.class)
class SignatureAdvice extends RequestBodyAdviceAdapter {

    private static final byte[] SECRET = "shared with the sender".getBytes(StandardCharsets.UTF_8);

    @Override
    public boolean supports(
            MethodParameter parameter, Type type, Class<? extends HttpMessageConverter<?>> converterType) {
        return true;
    }

    @Override
    public HttpInputMessage beforeBodyRead(
            HttpInputMessage message,
            MethodParameter parameter,
            Type type,
            Class<? extends HttpMessageConverter<?>> converterType)
            throws IOException {
        byte[] body = message.getBody().readAllBytes();
        String given = message.getHeaders().getFirst("X-Signature");
        if (given == null || !MessageDigest.isEqual(bytes(given), bytes(signature(body)))) {
            throw new ResponseStatusException(HttpStatus.UNAUTHORIZED);
        }
        return new VerifiedMessage(message.getHeaders(), new ByteArrayInputStream(body));
    }
    // end:signature

    static String signature(byte[] body) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(SECRET, mac.getAlgorithm()));
            return HexFormat.of().formatHex(mac.doFinal(body));
        } catch (GeneralSecurityException unavailable) {
            throw new IllegalStateException(unavailable);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private record VerifiedMessage(HttpHeaders headers, InputStream body) implements HttpInputMessage {

        @Override
        public HttpHeaders getHeaders() {
            return headers;
        }

        @Override
        public InputStream getBody() {
            return body;
        }
    }

    @Override
    public @Nullable Object handleEmptyBody(
            @Nullable Object body,
            HttpInputMessage message,
            MethodParameter parameter,
            Type type,
            Class<? extends HttpMessageConverter<?>> converterType) {
        throw new ResponseStatusException(HttpStatus.UNAUTHORIZED);
    }
}
