package io.idempotency.openapi;

import io.idempotency.annotation.Idempotent;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.parameters.HeaderParameter;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** An application whose operations are described, protected or not. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration(
        excludeName = {
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.SecurityAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterAutoConfiguration",
            "org.springframework.boot.jetty.autoconfigure.servlet.JettyServletWebServerAutoConfiguration"
        })
@Import(DescribedShop.Orders.class)
class DescribedShop {

    @Bean
    OpenAPI description() {
        return new OpenAPI()
                .components(new Components().addParameters("Key", new HeaderParameter().name("X-Idempotency-Key")));
    }

    record Order(String id) {}

    @RestController
    static class Orders {

        @PostMapping("/orders")
        @ResponseStatus(HttpStatus.CREATED)
        @Idempotent
        Order create(@RequestBody Order order) {
            return order;
        }

        @PostMapping("/events")
        @Idempotent(header = "webhook-id", required = false, fingerprint = "NONE", retention = "7d")
        void event(@RequestBody Order order) {}

        @PostMapping("/payments")
        @Idempotent(key = "#order.id")
        void pay(@RequestBody Order order) {}

        @PostMapping("/unprotected")
        Order unprotected(@RequestBody Order order) {
            return order;
        }

        @RequestMapping(
                path = "/both",
                method = {RequestMethod.GET, RequestMethod.PUT})
        @Idempotent(operation = "both")
        String both() {
            return "";
        }

        // snippet:declared
        @PostMapping("/declared")
        @ApiResponse(responseCode = "409", description = "sold out")
        @Idempotent
        void declared(@Parameter(description = "mine") @RequestHeader("idempotency-key") String key) {}
        // end:declared

        @PostMapping("/referring")
        @Operation(parameters = @Parameter(ref = "#/components/parameters/Key"))
        @Idempotent
        void referring() {}

        @PostMapping(path = "/imports", consumes = "application/json")
        @Idempotent
        void importJson(@RequestBody Order order) {}

        @PostMapping(path = "/imports", consumes = "text/csv")
        void importText(@RequestBody String text) {}
    }
}
