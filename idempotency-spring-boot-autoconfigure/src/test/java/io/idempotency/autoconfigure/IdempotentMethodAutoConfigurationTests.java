package io.idempotency.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.annotation.Idempotent;
import io.idempotency.interceptor.IdempotentMethodSource;
import io.idempotency.interceptor.IdempotentMethodVerifier;
import io.idempotency.testsupport.CapturedLog;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

class IdempotentMethodAutoConfigurationTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    PropertyPlaceholderAutoConfiguration.class,
                    IdempotencyAutoConfiguration.class,
                    IdempotentMethodAutoConfiguration.class,
                    InMemoryIdempotencyStoreAutoConfiguration.class))
            .withPropertyValues("idempotency.store=memory");

    @Test
    void methodsAreProtectedInAnApplicationWithoutAnyOtherProxy() {
        runner.withPropertyValues("spring.aop.auto=false")
                .withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class))
                .withBean(Shop.class)
                .run(context -> {
                    Shop shop = context.getBean(Shop.class);

                    assertThat(shop.pay("k", 1)).isEqualTo(shop.pay("k", 1)).isEqualTo(1);
                    assertThat(shop.pay("l", 1)).isEqualTo(2);
                });
    }

    @Test
    void placeholdersAreThoseOfTheApplication() {
        runner.withPropertyValues("shop.operation=shop-payment")
                .withBean(Shop.class)
                .run(context -> assertThat(context.getBean(IdempotentMethodSource.class)
                                .find(Shop.class.getMethod("named", String.class), Shop.class))
                        .hasValueSatisfying(
                                found -> assertThat(found.operation()).isEqualTo("shop-payment")));
    }

    @Test
    void switchedOffEverythingRunsStraightThrough() {
        runner.withPropertyValues("idempotency.enabled=false", "shop.operation=x")
                .withBean(Shop.class)
                .run(context -> {
                    assertThat(context)
                            .hasNotFailed()
                            .doesNotHaveBean("idempotentMethodAdvisor")
                            .doesNotHaveBean(IdempotentMethodVerifier.class);
                    assertThat(context.getBean(Shop.class).pay("k", 1)).isEqualTo(1);
                    assertThat(context.getBean(Shop.class).pay("k", 1)).isEqualTo(2);
                });
    }

    @Test
    void aSourceOfTheApplicationTakesPrecedence() {
        IdempotentMethodSource none = (method, targetClass) -> Optional.empty();

        runner.withBean(IdempotentMethodSource.class, () -> none)
                .run(context -> assertThat(context)
                        .getBean(IdempotentMethodSource.class)
                        .isSameAs(none));
    }

    @Test
    void noBeanIsCreatedTooEarlyToBePostProcessed() {
        String checker =
                "org.springframework.context.support.PostProcessorRegistrationDelegate$BeanPostProcessorChecker";
        try (CapturedLog log = new CapturedLog(checker, "DEBUG")) {
            runner.withConfiguration(AutoConfigurations.of(
                            AopAutoConfiguration.class,
                            DataSourceAutoConfiguration.class,
                            DataSourceTransactionManagerAutoConfiguration.class,
                            TransactionAutoConfiguration.class,
                            JdbcIdempotencyStoreAutoConfiguration.class))
                    .withPropertyValues("idempotency.store=jdbc", "shop.operation=x")
                    .withBean(LatePostProcessor.class)
                    .withBean(Shop.class)
                    .run(context -> {
                        assertThat(context).hasNotFailed();
                        assertThat(context.getBean(Shop.class).pay("k", 1)).isEqualTo(1);
                        assertThat(context.getBean(Shop.class).pay("k", 1)).isEqualTo(1);
                    });

            assertThat(log.lines()).isEmpty();
        }
    }

    @Test
    void controllersKeepTheirClassAlsoWhereInterfacesArePreferred() {
        runner.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class))
                .withPropertyValues("spring.aop.proxy-target-class=false")
                .withBean("controller", OrderController.class)
                .withBean("service", OrderService.class)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(AopUtils.isCglibProxy(context.getBean("controller")))
                            .isTrue();
                    assertThat(AopUtils.isJdkDynamicProxy(context.getBean("service")))
                            .isTrue();
                });
    }

    static class Shop {

        private final AtomicInteger runs = new AtomicInteger();

        @Idempotent("#id")
        public int pay(String id, int amount) {
            return runs.incrementAndGet();
        }

        @Idempotent(key = "#id", operation = "${shop.operation:shop}")
        public void named(String id) {}
    }

    interface Orders {

        String create(String id);
    }

    @RestController
    static class OrderController implements Orders {

        @Override
        @PostMapping("/orders")
        @Idempotent("#id")
        public String create(String id) {
            return id;
        }
    }

    static class OrderService implements Orders {

        @Override
        @Idempotent("#id")
        public String create(String id) {
            return id;
        }
    }

    /** Neither ordered nor infrastructure: it is created while the proxies are being prepared. */
    static class LatePostProcessor implements BeanPostProcessor {}
}
