package io.idempotency.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OwnerTokensTests {

    private final AtomicLong millis = new AtomicLong(1_000);

    private final AtomicInteger draws = new AtomicInteger();

    /** Every value tells which draw it is of. */
    private final OwnerTokens numbered = new OwnerTokens(this::fillWithNumberOfDraw, millis::get);

    private void fillWithNumberOfDraw(byte[] values) {
        int draw = draws.incrementAndGet();
        ByteBuffer buffer = ByteBuffer.wrap(values);
        while (buffer.hasRemaining()) {
            buffer.putLong(draw);
        }
    }

    private int drawOfNext() {
        return (int) numbered.next().value().getMostSignificantBits();
    }

    @Test
    void manyThreadsNeverGetTheSameToken() throws Exception {
        int threads = 8;
        OwnerTokens tokens = new OwnerTokens(new SecureRandom()::nextBytes, System::currentTimeMillis);
        CountDownLatch together = new CountDownLatch(threads);
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Future<List<OwnerToken>>> taken = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                taken.add(executor.submit(() -> {
                    together.countDown();
                    together.await();
                    return Stream.generate(tokens::next).limit(10_000).toList();
                }));
            }
            List<OwnerToken> all = new ArrayList<>();
            for (Future<List<OwnerToken>> each : taken) {
                all.addAll(each.get());
            }
            assertThat(all).hasSize(threads * 10_000).doesNotHaveDuplicates();
        } finally {
            executor.shutdownNow();
        }
    }

    @Test
    void valuesAreDrawnForManyTokensAtOnce() {
        Stream.generate(numbered::next).limit(640).toList();

        assertThat(draws).hasValue(10);
    }

    @ParameterizedTest
    @ValueSource(longs = {101, 3_600_000, -101})
    void whatIsLeftOfAnEarlierTimeIsDropped(long passed) {
        int earlier = drawOfNext();

        millis.addAndGet(passed);

        assertThat(drawOfNext()).isGreaterThan(earlier);
    }

    @Test
    void allBitsOfATokenAreRandom() {
        OwnerTokens ones = new OwnerTokens(values -> Arrays.fill(values, (byte) -1), millis::get);

        assertThat(ones.next().value().getMostSignificantBits()).isEqualTo(-1);
        assertThat(ones.next().value().getLeastSignificantBits()).isEqualTo(-1);
    }
}
