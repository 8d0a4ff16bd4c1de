package io.idempotency.sample.documentation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import io.idempotency.autoconfigure.AutoConfigureIdempotency;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;

@WebMvcTest
@AutoConfigureIdempotency
class WebhookReceiverTests {

    @Autowired
    private MockMvc mvc;

    @Autowired
    private WebhookReceivers receivers;

    private final String id = UUID.randomUUID().toString();

    static Stream<Arguments> senders() {
        return Stream.of(
                Arguments.of("standard", new String[] {"webhook-id"}, "{\"attempt\":%d}"),
                Arguments.of("stripe", new String[0], "{\"id\":\"ID\",\"type\":\"paid\",\"pending_webhooks\":%d}"),
                Arguments.of("github", new String[] {"X-GitHub-Delivery"}, "{\"attempt\":%d}"),
                Arguments.of("shopify", new String[] {"X-Shopify-Event-Id"}, "{\"attempt\":%d}"),
                Arguments.of("cloud-events", new String[] {"ce-id", "ce-source"}, "{\"attempt\":%d}"));
    }

    @ParameterizedTest
    @MethodSource("senders")
    void aDeliveryThatIsMadeAgainIsProcessedOnce(String sender, String[] headers, String body) throws Exception {
        int before = receivers.processed().size();

        MockHttpServletResponse first =
                deliver(sender, id, headers, body.replace("ID", id).formatted(1));
        MockHttpServletResponse second =
                deliver(sender, id, headers, body.replace("ID", id).formatted(2));
        MockHttpServletResponse other =
                deliver(sender, id + 2, headers, body.replace("ID", id + 2).formatted(1));

        assertThat(first.getStatus()).isEqualTo(204);
        assertThat(second.getStatus()).isEqualTo(204);
        assertThat(second.getHeader("Idempotent-Replayed")).isEqualTo("true");
        assertThat(other.getStatus()).isEqualTo(204);
        assertThat(receivers.processed()).hasSize(before + 2);
    }

    private MockHttpServletResponse deliver(String sender, String id, String[] idHeaders, String body)
            throws Exception {
        HttpHeaders headers = new HttpHeaders();
        headers.setContentType(MediaType.APPLICATION_JSON);
        for (String name : idHeaders) {
            headers.set(name, id);
        }
        return mvc.perform(post("/webhooks/" + sender).headers(headers).content(body))
                .andReturn()
                .getResponse();
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import(WebhookReceivers.class)
    static class Application {}
}
