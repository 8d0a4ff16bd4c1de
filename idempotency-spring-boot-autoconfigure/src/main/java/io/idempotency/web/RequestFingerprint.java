package io.idempotency.web;

import io.idempotency.core.Fingerprint;
import io.idempotency.core.FramedDigest;
import io.idempotency.interceptor.FingerprintStrategy;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.Part;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.util.StringUtils;

/** The fingerprint of a request: its method, its path within the application, its query and its body. */
final class RequestFingerprint {

    private final ExchangeRequest request;

    private final ObservedBody body;

    private final int maxRequestSize;

    private final @Nullable MediaType contentType;

    private final boolean canonical;

    /** Must be created before the body is read by others than filters. */
    RequestFingerprint(ExchangeRequest request, ObservedBody body, FingerprintStrategy strategy, int maxRequestSize) {
        this.request = request;
        this.body = body;
        this.maxRequestSize = maxRequestSize;
        this.contentType = contentType(request.getContentType());
        this.canonical = strategy == FingerprintStrategy.AUTO && isJson(contentType);
        if (!canonical) {
            body.keepDigestOnly();
        }
    }

    private static @Nullable MediaType contentType(@Nullable String value) {
        try {
            return StringUtils.hasLength(value) ? MediaType.parseMediaType(value) : null;
        } catch (InvalidMediaTypeException unknown) {
            return null;
        }
    }

    private static boolean isJson(@Nullable MediaType type) {
        return type != null
                && (type.getSubtype().equals("json") || type.getSubtype().endsWith("+json"));
    }

    /**
     * Takes the fingerprint. The body can still be read afterwards.
     *
     * @throws RequestTooLargeException if the body is larger than the limit
     */
    Fingerprint take() throws IOException, ServletException {
        List<byte[]> parts = new ArrayList<>();
        parts.add(bytes(request.getMethod()));
        parts.add(bytes(path()));
        parts.add(CanonicalParameters.digest(request.getQueryString()));
        parts.addAll(body());
        return Fingerprint.of(parts.toArray(byte[][]::new));
    }

    private String path() {
        String uri = request.getRequestURI();
        String contextPath = request.getContextPath();
        return uri.startsWith(contextPath) ? uri.substring(contextPath.length()) : uri;
    }

    private List<byte[]> body() throws IOException, ServletException {
        Optional<Collection<Part>> multipart = multipart();
        if (multipart.isPresent()) {
            return List.of(bytes("parts"), parts(multipart.get()));
        }
        if (MediaType.APPLICATION_FORM_URLENCODED.equalsTypeAndSubtype(contentType)) {
            // Asking for the parameters makes the container read the body; what it leaves counts as bytes.
            byte[] parameters = CanonicalParameters.digest(request.getParameterMap());
            return List.of(bytes("form"), parameters, drained());
        }
        return List.of(bytes("body"), drained());
    }

    private byte[] drained() throws IOException {
        request.drainBody();
        if (body.isTooLarge()) {
            throw new RequestTooLargeException(maxRequestSize);
        }
        if (!canonical) {
            return body.digest();
        }
        byte[] bytes = body.bytes();
        return CanonicalJson.digest(bytes).orElseGet(() -> FramedDigest.sha256(bytes));
    }

    private Optional<Collection<Part>> multipart() throws IOException, ServletException {
        if (contentType == null || !contentType.getType().equals("multipart")) {
            return Optional.empty();
        }
        try {
            return Optional.of(request.getParts());
        } catch (IllegalStateException notParsed) {
            // Multipart is switched off, or the handler parses the body itself: its bytes are compared.
            return Optional.empty();
        }
    }

    /** Digests the parts in their order, by name, file name, type and content; the boundary between them is left out. */
    private byte[] parts(Collection<Part> parts) throws IOException {
        long size = 0;
        List<byte[]> digests = new ArrayList<>();
        for (Part part : parts) {
            size += part.getSize();
            if (size > maxRequestSize) {
                throw new RequestTooLargeException(maxRequestSize);
            }
            digests.add(FramedDigest.sha256(part.getName(), part.getSubmittedFileName(), part.getContentType()));
            digests.add(content(part));
        }
        return FramedDigest.sha256(digests.toArray(byte[][]::new));
    }

    private static byte[] content(Part part) throws IOException {
        MessageDigest digest = FramedDigest.newSha256();
        byte[] buffer = new byte[8192];
        try (InputStream content = part.getInputStream()) {
            for (int count = content.read(buffer); count >= 0; count = content.read(buffer)) {
                digest.update(buffer, 0, count);
            }
        }
        return digest.digest();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
