package io.idempotency.web;

import static org.assertj.core.api.Assertions.assertThat;

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
                "{\"\\u0061\":null}                | {\"a\":null}"
            })
    void orderOfMembersSpacingAndEscapesDoNotMatter(String one, String other) {
        assertThat(digest(one)).isEqualTo(digest(other));
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
                "[]                   | {}"
            })
    void anotherContentIsAnotherDigest(String one, String other) {
        assertThat(digest(one)).isNotEqualTo(digest(other));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "{", "{\"a\":1} {\"b\":2}", "not json", "{\"a\":01}", "{'a':1}"})
    void whatIsNoSingleDocumentHasNoDigest(String text) {
        assertThat(EVERYTHING.digest(text.getBytes(StandardCharsets.UTF_8))).isEmpty();
    }

    @Test
    void nestingBeyondTheLimitOfTheParserCountsAsNoJson() {
        assertThat(EVERYTHING.digest("[".repeat(100_000).getBytes(StandardCharsets.UTF_8)))
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
        assertThat(digestWithoutSome(one)).isEqualTo(digestWithoutSome(other));
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
        assertThat(digestWithoutSome(one)).isNotEqualTo(digestWithoutSome(other));
    }

    private static byte[] digestWithoutSome(String json) {
        return new CanonicalJson(Set.of("sentAt", "a.b.c"))
                .digest(json.getBytes(StandardCharsets.UTF_8))
                .orElseThrow();
    }

    private static byte[] digest(String json) {
        return EVERYTHING.digest(json.getBytes(StandardCharsets.UTF_8)).orElseThrow();
    }
}
