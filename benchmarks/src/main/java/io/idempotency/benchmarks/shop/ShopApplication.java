package io.idempotency.benchmarks.shop;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/**
 * Takes orders. It also runs on a class path without the starter: a JVM passes over annotations that it has no classes of.
 */
@SpringBootApplication(proxyBeanMethods = false)
public class ShopApplication {

    /** Starts the application. */
    public static void main(String[] args) {
        SpringApplication.run(ShopApplication.class, args);
    }
}
