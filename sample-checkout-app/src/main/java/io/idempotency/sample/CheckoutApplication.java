package io.idempotency.sample;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

/** The shop. */
@SpringBootApplication(proxyBeanMethods = false)
@ConfigurationPropertiesScan
public class CheckoutApplication {

    public static void main(String[] arguments) {
        SpringApplication.run(CheckoutApplication.class, arguments);
    }
}
