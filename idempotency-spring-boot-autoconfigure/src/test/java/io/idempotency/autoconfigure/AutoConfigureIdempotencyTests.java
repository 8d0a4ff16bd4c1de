package io.idempotency.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.asyncDispatch;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.annotation.Import;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.MvcResult;

@WebMvcTest
@AutoConfigureIdempotency
class AutoConfigureIdempotencyTests {

    @Autowired
    private MockMvc mvc;

    @Autowired
    private SliceOrders orders;

    private final String key = UUID.randomUUID().toString();

    @Test
    void aHandlerNeedsItsKey() throws Exception {
        assertThat(mvc.perform(post("/orders")).andReturn().getResponse().getStatus())
                .isEqualTo(400);
    }

    @Test
    void aRequestThatIsSentAgainIsReplayed() throws Exception {
        int before = orders.executions();

        String first = send("/orders").getContentAsString();
        MockHttpServletResponse second = send("/orders");

        assertThat(second.getContentAsString()).isEqualTo(first).startsWith("order");
        assertThat(second.getHeader("Idempotent-Replayed")).isEqualTo("true");
        assertThat(orders.executions()).isEqualTo(before + 1);
    }

    @ParameterizedTest
    @CsvSource({"/missing,404,1", "/failing,502,2"})
    void anErrorEndsItsClaimThoughNoErrorPageIsRendered(String path, int status, int executions) throws Exception {
        int before = orders.executions();

        assertThat(send(path).getStatus()).isEqualTo(status);
        assertThat(send(path).getStatus()).isEqualTo(status);

        assertThat(orders.executions()).isEqualTo(before + executions);
    }

    @Test
    void anAsynchronousHandlerEndsItsClaimInItsDispatch() throws Exception {
        MvcResult started = perform("/later");
        assertThat(send("/later").getStatus()).isEqualTo(409);

        String first =
                mvc.perform(asyncDispatch(started)).andReturn().getResponse().getContentAsString();

        assertThat(send("/later").getContentAsString()).isEqualTo(first).startsWith("order");
    }

    private MockHttpServletResponse send(String path) throws Exception {
        return perform(path).getResponse();
    }

    private MvcResult perform(String path) throws Exception {
        return mvc.perform(post(path).header("Idempotency-Key", key)).andReturn();
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import(SliceOrders.class)
    static class Application {}
}
