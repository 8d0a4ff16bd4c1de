package io.idempotency.store.jdbc;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JdbcStoreSettingsTests {

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "x;", "1x", "a.b.c", "\"x\"", "x-y", "x$"})
    void settingsRefuseAPrefixThatIsMoreThanAName(String prefix) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new JdbcStoreSettings(prefix, 4, Duration.ofSeconds(2)))
                .withMessageContaining("idempotency.jdbc.table-prefix");
    }

    @Test
    void settingsRefuseANegativePool() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new JdbcStoreSettings("x_", -1, Duration.ofSeconds(2)))
                .withMessageContaining("idempotency.jdbc.pool-size");
    }

    @Test
    void settingsRefuseNoTime() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new JdbcStoreSettings("x_", 4, Duration.ZERO))
                .withMessageContaining("idempotency.store-timeout");
    }
}
