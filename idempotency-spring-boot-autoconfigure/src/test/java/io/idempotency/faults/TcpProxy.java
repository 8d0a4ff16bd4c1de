package io.idempotency.faults;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** Stands between clients and a server on this machine and passes bytes on, until a test disturbs it. */
final class TcpProxy implements AutoCloseable {

    /** What happens to one request and its reply. */
    enum Fault {

        /** The connection is reset and the server never sees the request. */
        CUT_BEFORE_REQUEST,

        /** The server has answered, so it has applied the request; the connection is reset before the client hears. */
        CUT_BEFORE_REPLY,

        /** As before, but the client gets one byte of the reply before the connection ends. */
        CUT_IN_REPLY,

        /** The server gets the request; then nothing passes any more on this connection, and the others go on. */
        STRAND_AFTER_REQUEST,

        /** The server gets the request; then nothing passes any more, on any connection, until {@link #thaw()}. */
        FREEZE_AFTER_REQUEST
    }

    /** Decides about the requests that pass. */
    @FunctionalInterface
    interface Disturbance {

        /** Returns what happens to this request; {@code null} to let it pass. */
        @Nullable
        Fault faultFor(byte[] request);
    }

    private static final int BUFFER_SIZE = 64 * 1024;

    private static final CountDownLatch OPEN = new CountDownLatch(0);

    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "tcp-proxy");
        thread.setDaemon(true);
        return thread;
    });

    private final Set<Link> links = ConcurrentHashMap.newKeySet();

    private final InetSocketAddress server;

    private final InetSocketAddress address;

    private volatile ServerSocket listener;

    private volatile CountDownLatch gate = OPEN;

    private volatile Disturbance disturbance = request -> null;

    TcpProxy(String host, int port) {
        this.server = new InetSocketAddress(host, port);
        this.listener = listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        this.address = (InetSocketAddress) listener.getLocalSocketAddress();
    }

    String host() {
        return address.getHostString();
    }

    int port() {
        return address.getPort();
    }

    /** From now on this decides about every request. */
    void disturb(Disturbance disturbance) {
        this.disturbance = disturbance;
    }

    /** Nothing passes any more, in neither direction, until {@link #thaw()}; who connects is not answered either. */
    void freeze() {
        gate = new CountDownLatch(1);
    }

    void thaw() {
        gate.countDown();
    }

    /** The server of the connections of now is gone without a word; those that are made later have another. */
    void strand() {
        links.forEach(link -> link.stranded = true);
    }

    /** Resets all connections and refuses new ones, as a server that is down, until {@link #comeBack()}. */
    void refuse() {
        closeQuietly(listener);
        links.forEach(Link::reset);
    }

    void comeBack() {
        listener = listen(address);
    }

    private ServerSocket listen(InetSocketAddress at) {
        try {
            ServerSocket socket = new ServerSocket();
            socket.setReuseAddress(true);
            socket.bind(at);
            threads.execute(() -> accept(socket));
            return socket;
        } catch (IOException failure) {
            throw new UncheckedIOException("The proxy cannot listen", failure);
        }
    }

    private void accept(ServerSocket socket) {
        while (!socket.isClosed()) {
            try {
                link(socket.accept()).open(socket);
            } catch (IOException closedOrServerDown) {
                // The loop ends with the socket; a client that cannot be linked is reset and may try again.
            }
        }
    }

    private Link link(Socket client) throws IOException {
        Socket upstream = new Socket();
        try {
            upstream.connect(server);
        } catch (IOException down) {
            client.setSoLinger(true, 0);
            client.close();
            throw down;
        }
        client.setTcpNoDelay(true);
        upstream.setTcpNoDelay(true);
        Link link = new Link(client, upstream);
        links.add(link);
        return link;
    }

    private static void closeQuietly(AutoCloseable closeable) {
        try {
            closeable.close();
        } catch (Exception alreadyBroken) {
            // There is nobody to tell.
        }
    }

    @Override
    public void close() {
        thaw();
        refuse();
        threads.shutdownNow();
    }

    /** One client's connection and the one to the server behind it. */
    private final class Link {

        private final Socket client;

        private final Socket upstream;

        /** Set before the request is passed on, so it is seen when the reply comes. */
        private volatile @Nullable Fault cut;

        private volatile boolean stranded;

        Link(Socket client, Socket upstream) {
            this.client = client;
            this.upstream = upstream;
        }

        /** Begins to pass, unless the others were reset while this one came about. */
        void open(ServerSocket listener) {
            if (listener.isClosed()) {
                reset();
                return;
            }
            threads.execute(this::passRequests);
            threads.execute(this::passReplies);
        }

        /** Passes one piece on; false ends the connection. */
        private interface Piece {
            boolean pass(byte[] piece, OutputStream to) throws IOException;
        }

        void passRequests() {
            pump(client, upstream, (request, to) -> {
                Fault fault = disturbance.faultFor(request);
                if (fault == Fault.CUT_BEFORE_REQUEST) {
                    reset();
                    return false;
                }
                if (fault == Fault.FREEZE_AFTER_REQUEST) {
                    freeze();
                } else if (fault == Fault.STRAND_AFTER_REQUEST) {
                    stranded = true;
                } else {
                    cut = fault;
                }
                to.write(request);
                return true;
            });
        }

        void passReplies() {
            pump(upstream, client, (reply, to) -> {
                if (cut == null) {
                    to.write(reply);
                    return true;
                }
                if (cut == Fault.CUT_IN_REPLY) {
                    to.write(reply, 0, 1);
                } else {
                    reset();
                }
                return false;
            });
        }

        private void pump(Socket from, Socket to, Piece piece) {
            try {
                InputStream input = from.getInputStream();
                byte[] buffer = new byte[BUFFER_SIZE];
                for (int length = input.read(buffer); length >= 0; length = input.read(buffer)) {
                    gate.await();
                    if (stranded) {
                        continue;
                    }
                    if (!piece.pass(Arrays.copyOf(buffer, length), to.getOutputStream())) {
                        break;
                    }
                }
            } catch (IOException cut) {
                // One side is gone, so the other goes too.
            } catch (InterruptedException closed) {
                Thread.currentThread().interrupt();
            } finally {
                close();
            }
        }

        void reset() {
            try {
                client.setSoLinger(true, 0);
            } catch (IOException alreadyClosed) {
                // Then it needs no reset.
            }
            close();
        }

        private void close() {
            links.remove(this);
            closeQuietly(client);
            closeQuietly(upstream);
        }
    }
}
