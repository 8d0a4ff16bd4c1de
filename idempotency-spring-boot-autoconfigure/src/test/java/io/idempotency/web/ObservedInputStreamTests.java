package io.idempotency.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import jakarta.servlet.ReadListener;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.DelegatingServletInputStream;

class ObservedInputStreamTests {

    private static final byte[] CONTENT = {1, 2, 3};

    private final Source source = new Source();

    private final ObservedBody body = new ObservedBody(10);

    private final ObservedInputStream stream = new ObservedInputStream(new DelegatingServletInputStream(source), body);

    @Test
    void whatIsInMemoryAlreadyIsReadWithoutAListener() throws IOException {
        stream.drain();

        assertThatIllegalStateException()
                .isThrownBy(() -> stream.setReadListener(new Listener()))
                .withMessageContaining("read it without a ReadListener");
        assertThat(stream.readAllBytes()).isEqualTo(CONTENT);
    }

    @Test
    void whatNobodyHasReadIsKeptForWhoReadsItAfterTheFingerprint() throws IOException {
        byte[] first = stream.readNBytes(2);

        stream.drain();

        assertThat(body.bytes()).isEqualTo(CONTENT);
        assertThat(first).containsExactly(1, 2);
        assertThat(stream.readAllBytes()).containsExactly(3);
    }

    @Test
    void readingNothingIsNotTheEnd() throws IOException {
        assertThat(stream.read(new byte[0], 0, 0)).isZero();

        stream.drain();

        assertThat(body.bytes()).isEqualTo(CONTENT);
    }

    @Test
    void aStreamThatHasEndedIsNotReadAgain() throws IOException {
        stream.readAllBytes();
        int reads = source.reads;

        stream.drain();

        assertThat(body.bytes()).isEqualTo(CONTENT);
        assertThat(source.reads).isEqualTo(reads);
    }

    @Test
    void itsEndIsSeenByWhoReadsByteForByteToo() throws IOException {
        for (int value = 0; value >= 0; value = stream.read()) {
            assertThat(value).isLessThan(4);
        }
        int reads = source.reads;

        stream.drain();

        assertThat(body.bytes()).isEqualTo(CONTENT);
        assertThat(source.reads).isEqualTo(reads);
    }

    private static final class Source extends ByteArrayInputStream {

        private int reads;

        Source() {
            super(CONTENT);
        }

        @Override
        public synchronized int read() {
            reads++;
            return super.read();
        }

        @Override
        public synchronized int read(byte[] bytes, int offset, int count) {
            reads++;
            return super.read(bytes, offset, count);
        }
    }

    private static final class Listener implements ReadListener {

        @Override
        public void onDataAvailable() {}

        @Override
        public void onAllDataRead() {}

        @Override
        public void onError(Throwable failure) {}
    }
}
