package io.idempotency.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CanonicalParametersTests {

    @ParameterizedTest
    @CsvSource({"%,%25", "a=%2,a=%252", "%ZZ,%25ZZ"})
    void whatCannotBeDecodedDiffersFromWhatIsDecodedToIt(String malformed, String decoded) {
        assertThat(CanonicalParameters.digest(malformed))
                .isEqualTo(CanonicalParameters.digest(malformed))
                .isNotEqualTo(CanonicalParameters.digest(decoded));
    }
}
