package io.idempotency.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Compares what the configuration processor found in the code with what {@code docs/configuration.md} says. */
class ConfigurationReferenceTests {

    private static final Path REFERENCE = Path.of("..", "docs", "configuration.md");

    private static final Pattern ROW =
            Pattern.compile("\\| `((?:idempotency|management)\\.[a-z.-]+)` \\| (.*?) \\| (.*?) \\|");

    private record Property(String defaultValue, String description) {}

    @Test
    void theReferenceListsExactlyThePropertiesOfTheCode() throws IOException {
        assertThat(documented()).containsExactlyInAnyOrderEntriesOf(inMetadata());
    }

    @Test
    void everyPropertyIsDescribedInTheGrammarOfSpringBoot() throws IOException {
        assertThat(inMetadata())
                .isNotEmpty()
                .allSatisfy((name, property) -> assertThat(property.description())
                        .isNotBlank()
                        .endsWith(".")
                        .doesNotStartWithIgnoringCase("the ")
                        .doesNotStartWithIgnoringCase("a "));
    }

    @Test
    void everySwitchSaysWhether() throws IOException {
        for (JsonNode property : metadata().get("properties")) {
            if (property.get("type").asString().equals("java.lang.Boolean")) {
                assertThat(property.get("description").asString()).startsWith("Whether");
            }
        }
    }

    private static Map<String, Property> documented() throws IOException {
        Map<String, Property> properties = new TreeMap<>();
        Matcher row = ROW.matcher(Files.readString(REFERENCE));
        while (row.find()) {
            properties.put(row.group(1), new Property(row.group(2).replace("`", ""), row.group(3)));
        }
        return properties;
    }

    private static Map<String, Property> inMetadata() throws IOException {
        Map<String, Property> properties = new TreeMap<>();
        for (JsonNode property : metadata().get("properties")) {
            JsonNode description = property.get("description");
            properties.put(
                    property.get("name").asString(),
                    new Property(
                            defaultValue(property.get("defaultValue")),
                            description == null ? "" : description.asString()));
        }
        return properties;
    }

    private static String defaultValue(JsonNode value) {
        if (value == null) {
            return "";
        }
        if (!value.isArray()) {
            return value.asString();
        }
        return value.valueStream()
                .map(JsonNode::asString)
                .reduce((left, right) -> left + ", " + right)
                .orElse("");
    }

    private static JsonNode metadata() throws IOException {
        try (InputStream metadata =
                ConfigurationReferenceTests.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
            assertThat(metadata).isNotNull();
            return JsonMapper.builder().build().readTree(metadata);
        }
    }
}
