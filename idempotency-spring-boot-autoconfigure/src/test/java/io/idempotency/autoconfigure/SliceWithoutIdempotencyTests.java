package io.idempotency.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.annotation.Import;
import org.springframework.test.web.servlet.MockMvc;

/** A slice that does not ask for this library, which is on its class path all the same. */
@WebMvcTest
class SliceWithoutIdempotencyTests {

    @Autowired
    private MockMvc mvc;

    @Test
    void theAnnotationDoesNothing() throws Exception {
        assertThat(send()).isEqualTo("order 1");
        assertThat(send()).isEqualTo("order 2");
    }

    private String send() throws Exception {
        return mvc.perform(post("/orders").header("Idempotency-Key", "k"))
                .andReturn()
                .getResponse()
                .getContentAsString();
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import(SliceOrders.class)
    static class Application {}
}
