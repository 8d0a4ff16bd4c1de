package io.idempotency.sample;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.io.ClassPathResource;

class MigrationTests {

    @ParameterizedTest
    @ValueSource(strings = {"h2", "postgresql"})
    void theTableOfTheStarterIsMigratedAsItsJarShipsIt(String platform) throws IOException {
        assertThat(text("db/migration/" + platform + "/V2__idempotency_record.sql"))
                .isEqualTo(text("io/idempotency/store/jdbc/schema-" + platform + ".sql"));
    }

    private static String text(String resource) throws IOException {
        return new ClassPathResource(resource).getContentAsString(StandardCharsets.UTF_8);
    }
}
