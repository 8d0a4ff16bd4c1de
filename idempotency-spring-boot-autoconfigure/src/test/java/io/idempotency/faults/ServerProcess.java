package io.idempotency.faults;

import io.idempotency.testsupport.RedisProcess;
import java.util.List;

/** A server that belongs to one test class, which may stop it, kill it and start it again with its data. */
interface ServerProcess extends AutoCloseable {

    static ServerProcess start(StoreAddress.Kind kind) {
        return switch (kind) {
            case POSTGRES -> PostgresProcess.start();
            case MARIADB -> MariaDbProcess.start();
            case REDIS -> new OfRedis(RedisProcess.durable());
        };
    }

    /** Returns a place on it that nobody else uses. */
    StoreAddress newAddress();

    /** Returns its processes, parents first. */
    List<Long> processes();

    default void freeze() {
        Signal.STOP.sendTo(processes());
    }

    default void thaw() {
        Signal.CONT.sendTo(processes());
    }

    /** Ends it as {@code kill -9} does, and returns when it is gone. */
    void kill();

    /** Starts it again on the same port, with what it had written. */
    void restart();

    @Override
    void close();

    /** A Redis that writes every command to its file before it answers. */
    record OfRedis(RedisProcess server) implements ServerProcess {

        @Override
        public StoreAddress newAddress() {
            return StoreAddress.redis(server.host(), server.port());
        }

        @Override
        public List<Long> processes() {
            return List.of(server.pid());
        }

        @Override
        public void kill() {
            server.kill();
        }

        @Override
        public void restart() {
            server.restart();
        }

        @Override
        public void close() {
            server.close();
        }
    }
}
