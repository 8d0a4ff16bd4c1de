package io.idempotency.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.sun.management.ThreadMXBean;
import io.idempotency.core.Outcome;
import io.idempotency.core.OutcomeCodecException;
import io.idempotency.web.HttpOutcome.Ending;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpOutcomeCodecTests {

    private final HttpOutcomeCodec codec = new HttpOutcomeCodec();

    @ParameterizedTest
    @EnumSource(Ending.class)
    void everyPartOfAResponseIsKept(Ending ending) {
        HttpOutcome response = new HttpOutcome(ending, 201, headers(), "grüße", new byte[] {0, -1, 13, 10});

        HttpOutcome decoded = codec.decode(codec.encode(response));

        assertThat(decoded).usingRecursiveComparison().isEqualTo(response);
        assertThat(decoded.headers().get("Link")).containsExactly("</1>; rel=\"next\"", "</2>; rel=\"last\"");
    }

    @Test
    void theLayoutStaysAsItIsStored() {
        HttpOutcome response = new HttpOutcome(Ending.BODY, 204, Map.of("ETag", List.of("x")), "", new byte[] {7});

        assertThat(codec.encode(response).format()).isEqualTo("http/1");
        assertThat(codec.encode(response).content())
                .containsExactly(
                        'B', 0, 204, 0, 0, 0, 1, 0, 0, 0, 4, 'E', 'T', 'a', 'g', 0, 0, 0, 1, 0, 0, 0, 1, 'x', 0, 0, 0,
                        0, 0, 0, 0, 1, 7);
    }

    @Test
    void textsAreStoredAsUtf8() {
        HttpOutcome response =
                new HttpOutcome(Ending.ERROR, 400, Map.of("E", List.of("\u00e9")), "\u20ac", new byte[] {7});

        assertThat(codec.encode(response).content())
                .containsExactly(
                        'E', 1, 144, 0, 0, 0, 1, 0, 0, 0, 1, 'E', 0, 0, 0, 1, 0, 0, 0, 2, 0xc3, 0xa9, 0, 0, 0, 3, 0xe2,
                        0x82, 0xac, 0, 0, 0, 1, 7);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "plain", "\u20ac and more"})
    void aLargeBodyIsCopiedOnce(String text) {
        int size = 1024 * 1024;
        HttpOutcome response = new HttpOutcome(Ending.BODY, 200, headers(), text, new byte[size]);
        codec.encode(response);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

        long before = threads.getCurrentThreadAllocatedBytes();
        Outcome encoded = codec.encode(response);
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;

        assertThat(encoded.content()).hasSizeGreaterThan(size);
        assertThat(allocated).isLessThan(size + size / 2);
    }

    @Test
    void everyTruncationIsToldAndNothingElse() {
        byte[] content = codec.encode(new HttpOutcome(Ending.BODY, 200, headers(), "", new byte[] {1, 2, 3}))
                .content();

        for (int length = 0; length < content.length; length++) {
            Outcome damaged = new Outcome(Outcome.Kind.VALUE, "http/1", Arrays.copyOf(content, length));
            assertThatExceptionOfType(OutcomeCodecException.class).isThrownBy(() -> codec.decode(damaged));
        }
    }

    @Test
    void aLengthThatIsTooLargeReservesNoMemory() {
        byte[] content = {'B', 0, 200 - 256, 0, 0, 0, 0, 127, -1, -1, -1};

        assertThatExceptionOfType(OutcomeCodecException.class)
                .isThrownBy(() -> codec.decode(new Outcome(Outcome.Kind.VALUE, "http/1", content)));
    }

    @Test
    void aHeaderHasANameAndAtLeastOneValue() {
        assertThatExceptionOfType(OutcomeCodecException.class)
                .isThrownBy(() -> decodeAgain(200, Map.of("ETag", List.of())));
        assertThatIllegalArgumentException().isThrownBy(() -> decodeAgain(200, Map.of("", List.of("x"))));
        assertThatIllegalArgumentException().isThrownBy(() -> decodeAgain(200, Map.of("E\r\nTag", List.of("x"))));
    }

    @Test
    void aNameThatWasDamagedIsNotWritten() {
        byte[] content = {
            'B', 0, 200 - 256, 0, 0, 0, 1, 0, 0, 0, 1, '\n', 0, 0, 0, 1, 0, 0, 0, 1, 'x', 0, 0, 0, 0, 0, 0, 0, 0
        };

        assertThatExceptionOfType(OutcomeCodecException.class)
                .isThrownBy(() -> codec.decode(new Outcome(Outcome.Kind.VALUE, "http/1", content)));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 99, 1000})
    void aStatusHasThreeDigits(int status) {
        assertThatExceptionOfType(OutcomeCodecException.class).isThrownBy(() -> decodeAgain(status, headers()));
    }

    @Test
    void nothingFollowsTheBody() {
        byte[] content = codec.encode(new HttpOutcome(Ending.BODY, 200, headers(), "", new byte[] {1}))
                .content();

        assertThatExceptionOfType(OutcomeCodecException.class)
                .isThrownBy(() -> decode(Arrays.copyOf(content, content.length + 1)));
    }

    @Test
    void garbageIsToldOrCanBeReplayed() {
        byte[] valid = codec.encode(new HttpOutcome(Ending.BODY, 200, headers(), "", new byte[] {1, 2, 3}))
                .content();
        Random random = new Random(42);

        for (int round = 0; round < 20_000; round++) {
            byte[] mutated = valid.clone();
            for (int left = 1 + random.nextInt(4); left > 0; left--) {
                mutated[random.nextInt(mutated.length)] =
                        (byte) (random.nextBoolean() ? random.nextInt(4) : random.nextInt());
            }
            assertToldOrReplayable(mutated);
        }
    }

    @Test
    void anOutcomeOfAnotherDoorIsNoResponse() {
        Outcome json = new Outcome(Outcome.Kind.VALUE, "json/1", new byte[0]);

        assertThatExceptionOfType(OutcomeCodecException.class).isThrownBy(() -> codec.decode(json));
    }

    private void assertToldOrReplayable(byte[] content) {
        HttpOutcome decoded;
        try {
            decoded = decode(content);
        } catch (OutcomeCodecException told) {
            return;
        }
        assertThat(decoded.status()).isBetween(100, 999);
        assertThat(decoded.headers().values())
                .allSatisfy(values -> assertThat(values).isNotEmpty());
    }

    private HttpOutcome decodeAgain(int status, Map<String, List<String>> headers) {
        return codec.decode(codec.encode(new HttpOutcome(Ending.BODY, status, headers, "", new byte[0])));
    }

    private HttpOutcome decode(byte[] content) {
        return codec.decode(new Outcome(Outcome.Kind.VALUE, "http/1", content));
    }

    private static Map<String, List<String>> headers() {
        Map<String, List<String>> headers = new LinkedHashMap<>();
        headers.put("Content-Type", List.of("text/plain;charset=UTF-8"));
        headers.put("Link", List.of("</1>; rel=\"next\"", "</2>; rel=\"last\""));
        return headers;
    }
}
