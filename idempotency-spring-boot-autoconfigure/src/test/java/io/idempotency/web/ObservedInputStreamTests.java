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

    private final ObservedInputStream stream = new ObservedInputStream(
            new DelegatingServletInputStream(new ByteArrayInputStream(CONTENT)), new ObservedBody(10));

    @Test
    void whatIsInMemoryAlreadyIsReadWithoutAListener() throws IOException {
        stream.drain();

        assertThatIllegalStateException()
                .isThrownBy(() -> stream.setReadListener(new Listener()))
                .withMessageContaining("read it without a ReadListener");
        assertThat(stream.readAllBytes()).isEqualTo(CONTENT);
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
