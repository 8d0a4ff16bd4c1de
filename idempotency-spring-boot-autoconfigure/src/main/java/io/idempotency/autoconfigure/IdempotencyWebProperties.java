package io.idempotency.autoconfigure;

import io.idempotency.interceptor.FingerprintStrategy;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.util.unit.DataSize;

/** The properties of the HTTP door. */
@ConfigurationProperties("idempotency.web")
public class IdempotencyWebProperties {

    /**
     * Whether handler methods record their HTTP responses. When switched off, they are ordinary methods that need a
     * key expression.
     */
    private boolean enabled = true;

    /**
     * Names of the request headers that hold the key.
     */
    private List<String> headerNames = new ArrayList<>(List.of("Idempotency-Key", "X-Idempotency-Key"));

    /**
     * Whether only quoted keys are accepted, as the Internet draft demands.
     */
    private boolean strict;

    /**
     * Regular expression that every key in a header must match.
     */
    private @Nullable String keyPattern;

    /**
     * Length of the longest key that a header may hold, in characters, at most 1024.
     */
    private int maxKeyLength = 255;

    /**
     * Largest body of a request to a protected handler.
     */
    private DataSize maxRequestSize = DataSize.ofMegabytes(1);

    /**
     * Largest body of a response that is recorded. A larger one is delivered, but cannot be replayed.
     */
    private DataSize maxResponseSize = DataSize.ofMegabytes(1);

    /**
     * Names of the response headers that are recorded and replayed.
     */
    private List<String> keptHeaders = new ArrayList<>(List.of(
            "Content-Type",
            "Content-Encoding",
            "Content-Language",
            "Content-Disposition",
            "Content-Location",
            "Location",
            "ETag",
            "Last-Modified",
            "Link",
            "Cache-Control"));

    /**
     * How the fingerprint of a request is taken where the operation does not say it.
     */
    private FingerprintStrategy fingerprint = FingerprintStrategy.AUTO;

    /**
     * Order of the filter. It must come after the one of Spring Security.
     */
    private int filterOrder = -90;

    public boolean isEnabled() {
        return enabled;
    }

    public void setEnabled(boolean enabled) {
        this.enabled = enabled;
    }

    public List<String> getHeaderNames() {
        return headerNames;
    }

    public void setHeaderNames(List<String> headerNames) {
        this.headerNames = headerNames;
    }

    public boolean isStrict() {
        return strict;
    }

    public void setStrict(boolean strict) {
        this.strict = strict;
    }

    public @Nullable String getKeyPattern() {
        return keyPattern;
    }

    public void setKeyPattern(@Nullable String keyPattern) {
        this.keyPattern = keyPattern;
    }

    public int getMaxKeyLength() {
        return maxKeyLength;
    }

    public void setMaxKeyLength(int maxKeyLength) {
        this.maxKeyLength = maxKeyLength;
    }

    public DataSize getMaxRequestSize() {
        return maxRequestSize;
    }

    public void setMaxRequestSize(DataSize maxRequestSize) {
        this.maxRequestSize = maxRequestSize;
    }

    public DataSize getMaxResponseSize() {
        return maxResponseSize;
    }

    public void setMaxResponseSize(DataSize maxResponseSize) {
        this.maxResponseSize = maxResponseSize;
    }

    public List<String> getKeptHeaders() {
        return keptHeaders;
    }

    public void setKeptHeaders(List<String> keptHeaders) {
        this.keptHeaders = keptHeaders;
    }

    public FingerprintStrategy getFingerprint() {
        return fingerprint;
    }

    public void setFingerprint(FingerprintStrategy fingerprint) {
        this.fingerprint = fingerprint;
    }

    public int getFilterOrder() {
        return filterOrder;
    }

    public void setFilterOrder(int filterOrder) {
        this.filterOrder = filterOrder;
    }
}
