package io.idempotency.faults;

import io.idempotency.faults.TcpProxy.Fault;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Disturbs one request: the next, or one after that, that holds certain bytes. */
final class Trap implements TcpProxy.Disturbance {

    private final Fault fault;

    private final String marker;

    private final AtomicInteger left;

    private volatile boolean sprung;

    /**
     * @param which 1 for the next request that holds the marker, 2 for the one after it, and so on
     */
    Trap(Fault fault, byte[] marker, int which) {
        this.fault = fault;
        this.marker = text(marker);
        this.left = new AtomicInteger(which);
    }

    @Override
    public @Nullable Fault faultFor(byte[] request) {
        if (!text(request).contains(marker) || left.decrementAndGet() != 0) {
            return null;
        }
        sprung = true;
        return fault;
    }

    boolean isSprung() {
        return sprung;
    }

    /** One character for each byte. */
    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }
}
