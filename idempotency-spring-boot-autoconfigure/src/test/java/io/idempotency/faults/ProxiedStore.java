package io.idempotency.faults;

import io.idempotency.core.IdempotencyStore;
import io.idempotency.core.Identity;
import java.time.Duration;

/** A store behind a proxy, and the same records seen past it. */
record ProxiedStore(StoreAddress address, TcpProxy proxy, OpenStore throughProxy, OpenStore pastProxy)
        implements AutoCloseable {

    static ProxiedStore open(StoreAddress address, Duration storeTimeout) {
        TcpProxy proxy = address.newProxy();
        return new ProxiedStore(
                address,
                proxy,
                address.through(proxy).open(storeTimeout),
                // What is seen past the proxy is seen on a busy machine too.
                address.open(Promptness.CLIENT_TIMEOUT));
    }

    IdempotencyStore store() {
        return throughProxy.store();
    }

    IdempotencyStore past() {
        return pastProxy.store();
    }

    byte[] marker(Identity identity) {
        return address.marker(identity);
    }

    @Override
    public void close() {
        proxy.disturb(request -> null);
        proxy.thaw();
        throughProxy.close();
        pastProxy.close();
        proxy.close();
    }
}
