package io.idempotency.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.Collectors;

/** A signal that the kernel gives to processes. */
enum Signal {
    /** The process does nothing more, but keeps its memory and its connections. */
    STOP,

    /** The process goes on as if no time had passed. */
    CONT,

    /** The process is gone, without having been told. */
    KILL;

    void sendTo(List<Long> processes) {
        String ids = processes.stream().map(String::valueOf).collect(Collectors.joining(" "));
        try {
            int status = new ProcessBuilder("sh", "-c", "kill -" + this + " " + ids)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
            if (status != 0 && this != KILL) {
                throw new IllegalStateException("Not all of the processes " + ids + " took the signal " + this);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException("No signal can be sent", failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
