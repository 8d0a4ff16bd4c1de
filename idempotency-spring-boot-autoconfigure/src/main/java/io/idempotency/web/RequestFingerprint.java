package io.idempotency.web;

import io.idempotency.core.Fingerprint;
import io.idempotency.core.FramedDigest;
import io.idempotency.interceptor.FingerprintStrategy;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.Part;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.InvalidMediaTypeException;
import org.springframework.http.MediaType;
import org.springframework.util.StringUtils;

/**
 * The fingerprint of a request: its method, its path within the application, its query and its body. All but the bytes of
 * the body are those that the handler sees, which filters may have changed. Where something may have changed them, the
 * parameters that the handler sees come besides; where a dispatch has, the path and query that the client sent.
 */
final class RequestFingerprint {

    private final HttpServletRequest request;

    private final ExchangeRequest observed;

    private final ObservedBody body;

    private final CanonicalJson canonicalJson;

    private final int maxRequestSize;

    private final @Nullable MediaType contentType;

    private final boolean canonical;

    /** Must be created before the body is read by others than filters. */
    RequestFingerprint(
            HttpServletRequest request,
            ExchangeRequest observed,
            ObservedBody body,
            FingerprintStrategy strategy,
            Set<String> ignoredFields,
            int maxRequestSize) {
        this.request = request;
        this.observed = observed;
        this.body = body;
        this.canonicalJson = new CanonicalJson(ignoredFields);
        this.maxRequestSize = maxRequestSize;
        this.contentType = contentType(request.getContentType());
        this.canonical = strategy == FingerprintStrategy.AUTO && isJson(contentType);
        if (!canonical) {
            body.keepDigestOnly();
        }
    }

    private static @Nullable MediaType contentType(@Nullable String value) {
        if (MediaType.APPLICATION_JSON_VALUE.equals(value)) {
            // What nearly all of them are needs no parser.
            return MediaType.APPLICATION_JSON;
        }
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
        if (observed.getContentLengthLong() > maxRequestSize) {
            throw new RequestTooLargeException(maxRequestSize);
        }
        List<byte[]> parts = new ArrayList<>();
        parts.add(bytes(request.getMethod()));
        parts.add(bytes(SentPath.withinApplication(request)));
        parts.add(CanonicalParameters.digest(request.getQueryString()));
        addBody(parts);
        addChanged(parts);
        return Fingerprint.of(parts.toArray(byte[][]::new));
    }

    /** A dispatch has a path and a query of its own, and adds its parameters to those of the client. */
    @SuppressWarnings("ReferenceEquality") // whether anything is in between
    private void addChanged(List<byte[]> parts) {
        boolean dispatched = request.getDispatcherType() != DispatcherType.REQUEST;
        if (dispatched) {
            parts.add(sent(RequestDispatcher.FORWARD_REQUEST_URI, RequestDispatcher.FORWARD_QUERY_STRING));
            parts.add(sent(AsyncContext.ASYNC_REQUEST_URI, AsyncContext.ASYNC_QUERY_STRING));
        }
        if (dispatched || request != observed) {
            parts.add(handledParameters());
        }
    }

    private byte[] sent(String uri, String query) {
        return FramedDigest.sha256(
                FramedDigest.sha256((String) request.getAttribute(uri)),
                CanonicalParameters.digest((String) request.getAttribute(query)));
    }

    private byte[] handledParameters() {
        try {
            return CanonicalParameters.digest(CanonicalParameters.of(request));
        } catch (IllegalStateException unreadable) {
            // The handler cannot read them either.
            return new byte[0];
        }
    }

    private void addBody(List<byte[]> parts) throws IOException, ServletException {
        Optional<Collection<Part>> multipart = multipart();
        if (multipart.isPresent()) {
            parts.add(bytes("parts"));
            parts.add(parts(multipart.get()));
        } else if (MediaType.APPLICATION_FORM_URLENCODED.equalsTypeAndSubtype(contentType)) {
            parts.add(bytes("form"));
            parts.add(CanonicalParameters.digest(parameters()));
            parts.add(drained());
        } else {
            byte[] content = drained();
            parts.add(bytes("body"));
            parts.add(bytes(body.isEmpty() ? "" : mediaType()));
            parts.add(content);
        }
    }

    /** Asking for the parameters makes the container read the body; what it leaves counts as bytes. */
    private Map<String, String[]> parameters() throws IOException {
        Map<String, String[]> parameters;
        try {
            parameters = CanonicalParameters.of(request);
        } catch (IllegalStateException unreadable) {
            throw new IOException("The parameters cannot be read", unreadable);
        }
        if (CanonicalParameters.length(parameters) > maxRequestSize) {
            throw new RequestTooLargeException(maxRequestSize);
        }
        return parameters;
    }

    private byte[] drained() throws IOException {
        observed.drainBody();
        if (body.isTooLarge()) {
            throw new RequestTooLargeException(maxRequestSize);
        }
        Optional<byte[]> json = canonical ? json(body.bytes()) : Optional.empty();
        byte[] content = json.orElseGet(this::bytes);
        body.ignore();
        return content;
    }

    /** Returns the type without its parameters; empty where it is not known. */
    private String mediaType() {
        return contentType == null ? "" : contentType.getType() + '/' + contentType.getSubtype();
    }

    private Optional<byte[]> json(byte[] document) {
        Charset charset = charset();
        if (charset == null) {
            return canonicalJson.bytes(document);
        }
        try {
            String text = charset.newDecoder().decode(ByteBuffer.wrap(document)).toString();
            return canonicalJson.bytes(text.getBytes(StandardCharsets.UTF_8));
        } catch (CharacterCodingException malformed) {
            return Optional.empty();
        }
    }

    /** Digests the bytes, whose meaning depends on their charset. */
    private byte[] bytes() {
        Charset charset = charset();
        return charset == null ? body.digest() : FramedDigest.sha256(bytes(charset.name()), body.digest());
    }

    /** Returns the charset that the content type names; {@code null} where it is UTF-8, or the default. */
    private @Nullable Charset charset() {
        Charset charset = contentType == null ? null : contentType.getCharset();
        return StandardCharsets.UTF_8.equals(charset) ? null : charset;
    }

    private Optional<Collection<Part>> multipart() throws IOException, ServletException {
        if (!MediaType.MULTIPART_FORM_DATA.equalsTypeAndSubtype(contentType)) {
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
