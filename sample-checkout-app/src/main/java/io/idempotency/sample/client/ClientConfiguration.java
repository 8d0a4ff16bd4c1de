package io.idempotency.sample.client;

import io.idempotency.client.IdempotencyKeyInterceptor;
import io.idempotency.sample.simulator.SimulatorAddress;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.client.RestClient;

/** The client of the gateway, the invoicing and the mail service. It sends each of them the key of the step that calls. */
@Configuration(proxyBeanMethods = false)
class ClientConfiguration {

    @Bean
    RestClient restClient(RestClient.Builder builder, SimulatorAddress address) {
        return builder.baseUrl(address.url())
                .requestInterceptor(new IdempotencyKeyInterceptor())
                .build();
    }
}
