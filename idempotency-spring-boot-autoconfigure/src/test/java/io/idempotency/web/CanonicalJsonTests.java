package io.idempotency.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CanonicalJsonTests {

    private static final CanonicalJson EVERYTHING = new CanonicalJson(Set.of());

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{\"a\":1,\"b\":{\"c\":2,\"d\":3}} | {\"b\":{\"d\":3,\"c\":2},\"a\":1}",
                "{\"a\":[1,2]}                     | { \"a\" : [ 1 ,\t2 ] }",
                "{\"a\":\"\\u00e9/\"}              | {\"a\":\"é\\/\"}",
                "{\"\\u0061\":null}                | {\"a\":null}",
                "{\"b\":{},\"ba\":1,\"\":0,\"é\":2}   | {\"é\":2,\"\":0,\"ba\":1,\"b\":{}}",
                "{\"c\":{\"z\":[{\"y\":1,\"x\":2}],\"y\":0},\"b\":\"t\",\"a\":[1]}"
                        + " | {\"a\":[1],\"b\":\"t\",\"c\":{\"y\":0,\"z\":[{\"x\":2,\"y\":1}]}}"
            })
    void orderOfMembersSpacingAndEscapesDoNotMatter(String one, String other) {
        assertThat(canonical(one)).isEqualTo(canonical(other));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "[1,2]                | [2,1]",
                "[1,[2]]              | [[1],2]",
                "{\"a\":null}         | {}",
                "{\"a\":1}            | {\"a\":\"1\"}",
                "{\"a\":1.0}          | {\"a\":1.00}",
                "{\"a\":true}         | {\"a\":\"true\"}",
                "{\"a\":{\"b\":1}}    | {\"a\":{},\"b\":1}",
                "{\"a\":1,\"a\":2}    | {\"a\":2,\"a\":1}",
                "{\"a\":\"b\"}        | [\"a\",\"b\"]",
                "{\"a\":{\"b\":1}}    | {\"a\":{\"b\":2}}",
                "[1,[2,3]]            | [1,[3,2]]",
                "{\"a\":\"b\",\"c\":1} | {\"a\":\"b\",\"c\":\"1\"}",
                "{\"a\":\"\\ud800\"}     | {\"a\":\"?\"}",
                "{\"a\":\"\\ud800\"}     | {\"a\":\"\\ud801\"}",
                "{\"a\":[]}             | {\"a\":{}}",
                "{\"a\":{},\"b\":1}      | {\"a\":{\"b\":1}}",
                "[[],[[]]]            | [[[]],[]]",
                "[{\"a\":1},{\"b\":1}]  | [{\"a\":1,\"b\":1}]",
                "{\"}\":1}            | {}",
                "[]                   | {}"
            })
    void anotherContentHasAnotherForm(String one, String other) {
        assertThat(canonical(one)).isNotEqualTo(canonical(other));
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "{}", "{\"\":0}", "{\"a\":{}}", "[[[[1]]]]", "0", "\"\""})
    void manySmallValuesTakeAtMostFortyTimesTheMemoryOfTheirText(String value) {
        byte[] document =
                ("[" + (value + ",").repeat(1_000_000 / (value.length() + 1)) + "0]").getBytes(StandardCharsets.UTF_8);
        EVERYTHING.bytes(document);

        assertThat(allocatedBy(() -> EVERYTHING.bytes(document))).isLessThan(40L * document.length);
    }

    @Test
    void manyMembersTakeAtMostFortyTimesTheMemoryOfTheirText() {
        StringBuilder text = new StringBuilder("{");
        for (int name = 99_999; name > 0; name--) {
            text.append('"').append(name).append("\":0,");
        }
        byte[] document = text.append("\"0\":0}").toString().getBytes(StandardCharsets.UTF_8);
        EVERYTHING.bytes(document);

        assertThat(allocatedBy(() -> EVERYTHING.bytes(document))).isLessThan(40L * document.length);
    }

    /** Returns the bytes that this thread allocates meanwhile, which do not depend on how busy the machine is. */
    private static long allocatedBy(Runnable work) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        work.run();
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "{", "{\"a\":1} {\"b\":2}", "not json", "{\"a\":01}", "{'a':1}"})
    void whatIsNoSingleDocumentHasNoForm(String text) {
        assertThat(EVERYTHING.bytes(text.getBytes(StandardCharsets.UTF_8))).isEmpty();
    }

    @Test
    void nestingBeyondTheLimitOfTheParserCountsAsNoJson() {
        assertThat(EVERYTHING.bytes("[".repeat(100_000).getBytes(StandardCharsets.UTF_8)))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{\"a\":1,\"sentAt\":1}                  | {\"sentAt\":{\"x\":[2]},\"a\":1}",
                "{\"a\":1,\"sentAt\":1}                  | {\"a\":1}",
                "{\"a\":[{\"b\":{\"c\":1,\"d\":2}},3]}   | {\"a\":[{\"b\":{\"d\":2}},3]}",
                "[{\"sentAt\":1}]                      | [{\"sentAt\":2}]"
            })
    void ignoredFieldsMakeNoDifference(String one, String other) {
        assertThat(withoutSome(one)).isEqualTo(withoutSome(other));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{\"a\":{\"sentAt\":1}}        | {\"a\":{\"sentAt\":2}}",
                "{\"a\":{\"b\":{\"d\":1}}}     | {\"a\":{\"b\":{\"d\":2}}}",
                "{\"c\":1}                     | {\"c\":2}"
            })
    void fieldsOfTheSameNameElsewhereAreCompared(String one, String other) {
        assertThat(withoutSome(one)).isNotEqualTo(withoutSome(other));
    }

    private static byte[] withoutSome(String json) {
        return new CanonicalJson(Set.of("sentAt", "a.b.c"))
                .bytes(json.getBytes(StandardCharsets.UTF_8))
                .orElseThrow();
    }

    private static byte[] canonical(String json) {
        return EVERYTHING.bytes(json.getBytes(StandardCharsets.UTF_8)).orElseThrow();
    }
}
