package io.idempotency.sample;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.ClassPathResource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What an editor is told of the properties of the shop. */
class ConfigurationMetadataTests {

    @Test
    void everyPropertyIsDescribedAndNoneTwice() throws IOException {
        JsonNode metadata = JsonMapper.shared()
                .readTree(new ClassPathResource("META-INF/spring-configuration-metadata.json")
                        .getContentAsString(StandardCharsets.UTF_8));
        List<JsonNode> properties = metadata.get("properties").valueStream().toList();

        assertThat(properties)
                .extracting(property -> property.get("name").asString())
                .contains("sample.webhook.secret")
                .doesNotHaveDuplicates();
        assertThat(properties)
                .allSatisfy(property ->
                        assertThat(property.path("description").asString()).endsWith("."));
    }
}
