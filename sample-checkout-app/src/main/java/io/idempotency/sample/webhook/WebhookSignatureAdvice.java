package io.idempotency.sample.webhook;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.HttpStatus;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.mvc.method.annotation.RequestBodyAdviceAdapter;

// snippet:signature
/** Refuses deliveries whose raw body the gateway did not sign, before the handler or its key is touched. */
@RestControllerAdvice(assignableTypes = PaymentWebhookController.class)
class WebhookSignatureAdvice extends RequestBodyAdviceAdapter {

    private static final int LARGEST_BODY = 64 * 1024;

    private final WebhookVerifier verifier;

    WebhookSignatureAdvice(WebhookVerifier verifier) {
        this.verifier = verifier;
    }

    @Override
    public HttpInputMessage beforeBodyRead(
            HttpInputMessage message,
            MethodParameter parameter,
            Type type,
            Class<? extends HttpMessageConverter<?>> converterType)
            throws IOException {
        byte[] body = message.getBody().readNBytes(LARGEST_BODY + 1);
        if (body.length > LARGEST_BODY) {
            throw new ResponseStatusException(HttpStatus.CONTENT_TOO_LARGE);
        }
        if (!verifier.isGenuine(message.getHeaders(), body)) {
            throw new ResponseStatusException(HttpStatus.UNAUTHORIZED);
        }
        return new VerifiedMessage(message.getHeaders(), new ByteArrayInputStream(body));
    }
    // end:signature

    @Override
    public @Nullable Object handleEmptyBody(
            @Nullable Object body,
            HttpInputMessage message,
            MethodParameter parameter,
            Type type,
            Class<? extends HttpMessageConverter<?>> converterType) {
        throw new ResponseStatusException(HttpStatus.UNAUTHORIZED);
    }

    @Override
    public boolean supports(
            MethodParameter parameter, Type type, Class<? extends HttpMessageConverter<?>> converterType) {
        return true;
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
}
