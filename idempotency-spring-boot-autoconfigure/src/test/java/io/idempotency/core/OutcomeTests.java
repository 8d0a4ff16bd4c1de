package io.idempotency.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OutcomeTests {

    @ParameterizedTest
    @EnumSource(value = Outcome.Kind.class, mode = EnumSource.Mode.EXCLUDE, names = "UNREADABLE")
    void whatIsStoredIsRead(Outcome.Kind kind) {
        byte[] content = "{\"id\":1}".getBytes(StandardCharsets.UTF_8);

        Outcome read = Outcome.ofBytes(new Outcome(kind, "json/1", content).toBytes());

        assertThat(read.kind()).isEqualTo(kind);
        assertThat(read.format()).isEqualTo("json/1");
        assertThat(read.content()).isEqualTo(content);
    }

    @Test
    void theLayoutDoesNotChange() {
        assertThat(Outcome.tombstone("x").toBytes()).containsExactly(1, 'T', 6, 't', 'e', 'x', 't', '/', '1', 'x');
    }

    @Test
    void anotherLayoutAndGarbageAreUnreadable() {
        byte[] newer = Outcome.tombstone("x").toBytes();
        newer[0] = 2;
        assertThat(Outcome.ofBytes(newer).kind()).isEqualTo(Outcome.Kind.UNREADABLE);
        assertThat(Outcome.ofBytes(new byte[0]).kind()).isEqualTo(Outcome.Kind.UNREADABLE);
        assertThat(Outcome.ofBytes(new byte[] {1, 'V', 127, 'x'}).kind()).isEqualTo(Outcome.Kind.UNREADABLE);
        assertThat(Outcome.ofBytes(new byte[] {1, 'V', -1, 'x'}).kind()).isEqualTo(Outcome.Kind.UNREADABLE);
    }

    @Test
    void noBytesMakeReadingFail() {
        Random random = new Random(42);
        byte[] valid = Outcome.tombstone("a reason").toBytes();
        for (int round = 0; round < 10_000; round++) {
            byte[] bytes = Arrays.copyOf(valid, random.nextInt(valid.length + 1));
            if (bytes.length > 0) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            assertThat(Outcome.ofBytes(bytes)).isNotNull();
        }
    }
}
