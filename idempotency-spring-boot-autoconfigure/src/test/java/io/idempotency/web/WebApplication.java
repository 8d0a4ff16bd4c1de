package io.idempotency.web;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** An application on Tomcat or Jetty, with a store in memory unless said otherwise, and a client of it, for a test class. */
final class WebApplication implements BeforeAllCallback, AfterAllCallback {

    private static final String SECURITY = "org.springframework.boot.security.autoconfigure.";

    private static final List<String> WITHOUT_SECURITY = List.of(
            SECURITY + "SecurityAutoConfiguration",
            SECURITY + "UserDetailsServiceAutoConfiguration",
            SECURITY + "web.servlet.ServletWebSecurityAutoConfiguration",
            SECURITY + "web.servlet.SecurityFilterAutoConfiguration");

    private static final String DATABASE = "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration";

    private static final List<String> WITHOUT_SERVERS = List.of(
            DATABASE,
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
            "org.springframework.boot.data.redis.autoconfigure.DataRedisRepositoriesAutoConfiguration");

    static final boolean ON_JETTY =
            System.getProperty("idempotency.test.server", "tomcat").equals("jetty");

    private static final String OTHER_SERVER = ON_JETTY
            ? "org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration"
            : "org.springframework.boot.jetty.autoconfigure.servlet.JettyServletWebServerAutoConfiguration";

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final List<String> properties =
            new ArrayList<>(List.of("server.port=0", "springdoc.api-docs.enabled=false"));

    private final List<String> excluded = new ArrayList<>(WITHOUT_SERVERS);

    private final Class<?> base;

    private final Class<?>[] sources;

    private ConfigurableApplicationContext context = new SpringApplicationBuilder().context();

    private WebApplication(Class<?> base, Class<?>... sources) {
        this.base = base;
        this.sources = sources;
        excluded.add(OTHER_SERVER);
    }

    /** An application of these configurations, controllers and other components. */
    static WebApplication of(Class<?>... sources) {
        WebApplication application = new WebApplication(BaseConfiguration.class, sources);
        application.excluded.addAll(WITHOUT_SECURITY);
        return application;
    }

    /** An application whose store is in its database. */
    static WebApplication withDatabase(Class<?>... sources) {
        WebApplication application = new WebApplication(DatabaseConfiguration.class, sources);
        application.excluded.addAll(WITHOUT_SECURITY);
        application.excluded.remove(DATABASE);
        application.excluded.add("org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration");
        return application.with("spring.datasource.generate-unique-name=true");
    }

    static WebApplication secured(Class<?>... sources) {
        return new WebApplication(BaseConfiguration.class, sources);
    }

    WebApplication with(String... properties) {
        this.properties.addAll(List.of(properties));
        return this;
    }

    @Override
    public void beforeAll(ExtensionContext test) {
        context = new SpringApplicationBuilder(base)
                .sources(sources)
                .properties(properties.toArray(String[]::new))
                .properties("spring.autoconfigure.exclude=" + String.join(",", excluded))
                .run();
    }

    @Override
    public void afterAll(ExtensionContext test) {
        context.close();
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    ControllableStore store() {
        return bean(ControllableStore.class);
    }

    URI uri(String path) {
        return URI.create("http://localhost:" + context.getEnvironment().getProperty("local.server.port") + path);
    }

    /**
     * Begins a request. Jetty closes a kept connection after an answer to a request whose body nobody read, and the client
     * may use it once more before it notices: there each request has a connection of its own, so that none has to be sent
     * again.
     */
    HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri(path)).timeout(Duration.ofSeconds(30));
        return ON_JETTY ? request.header("Connection", "close") : request;
    }

    HttpResponse<String> send(HttpRequest.Builder request) {
        return send(request, BodyHandlers.ofString());
    }

    <T> HttpResponse<T> send(HttpRequest.Builder request, HttpResponse.BodyHandler<T> body) {
        try {
            return client.send(request.build(), body);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    /** Posts JSON. */
    HttpResponse<String> post(String path, String body, String... headers) {
        return send(json(path, body, headers));
    }

    HttpRequest.Builder json(String path, String body, String... headers) {
        HttpRequest.Builder request = request(path).header("Content-Type", "application/json");
        if (headers.length > 0) {
            request.headers(headers);
        }
        return request.POST(BodyPublishers.ofString(body));
    }

    /** Says whether a response is the recorded one. */
    static boolean isReplay(HttpResponse<?> response) {
        return response.headers().firstValue("Idempotent-Replayed").isPresent();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class BaseConfiguration {

        @Bean
        ControllableStore store() {
            return new ControllableStore();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class DatabaseConfiguration {}
}
