package io.idempotency.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.SecureRandom;
import java.util.ArrayList;
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

    /** Every token tells which random one it follows. */
    private final OwnerTokens numbered = new OwnerTokens(() -> draws.incrementAndGet() << 20, millis::get);

    private int drawOfNext() {
        return (int) (numbered.next().mostSignificant() >> 20);
    }

    @Test
    void manyThreadsNeverGetTheSameToken() throws Exception {
        int threads = 8;
        OwnerTokens tokens = new OwnerTokens(new SecureRandom()::nextLong, System::currentTimeMillis);
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
    void aRandomTokenIsFollowedByOthers() {
        assertThat(Stream.generate(numbered::next).limit(1_000)).doesNotHaveDuplicates();

        assertThat(draws).hasValue(2);
    }

    @Test
    void itIsFollowedForATenthOfASecond() {
        int first = drawOfNext();

        millis.addAndGet(100);

        assertThat(drawOfNext()).isEqualTo(first);
    }

    @ParameterizedTest
    @ValueSource(longs = {101, 3_600_000, -101})
    void oneOfAnEarlierTimeIsFollowedNoMore(long passed) {
        int earlier = drawOfNext();

        millis.addAndGet(passed);

        int later = drawOfNext();
        assertThat(later).isGreaterThan(earlier);
        assertThat(drawOfNext()).isEqualTo(later);
    }

    @Test
    void bothHalvesOfTheFirstTokenAreRandom() {
        OwnerTokens ones = new OwnerTokens(() -> -1, millis::get);

        assertThat(ones.next()).isEqualTo(new OwnerToken(-1, -1));
    }
}
