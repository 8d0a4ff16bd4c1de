package io.idempotency.sample;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

@SpringBootApplication(proxyBeanMethods = false)
@ConfigurationPropertiesScan
class CheckoutApplication {

    public static void main(String[] arguments) {
        SpringApplication.run(CheckoutApplication.class, arguments);
    }
}
