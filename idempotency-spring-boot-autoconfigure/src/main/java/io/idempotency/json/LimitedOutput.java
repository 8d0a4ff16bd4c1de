package io.idempotency.json;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** Collects bytes up to a limit, so that a value of any size takes no more memory than that. */
final class LimitedOutput extends OutputStream {

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    private final int limit;

    private boolean full;

    LimitedOutput(int limit) {
        this.limit = limit;
    }

    /** Says whether there were more bytes than the limit allows. */
    boolean isFull() {
        return full;
    }

    byte[] toByteArray() {
        return bytes.toByteArray();
    }

    @Override
    public void write(int single) throws IOException {
        write(new byte[] {(byte) single}, 0, 1);
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
        if (length > limit - bytes.size()) {
            full = true;
            throw new IOException("The limit of " + limit + " bytes is reached");
        }
        bytes.write(source, offset, length);
    }
}
