package io.idempotency.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.annotation.Idempotent;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AnnotatedInterfaceTests extends WithAMethodSource {

    @ParameterizedTest
    @ValueSource(classes = {OrderHandler.class, InheritingHandler.class, InheritingGenericHandler.class})
    void anInterfaceCoversItsGenericAndItsInheritedMethods(Class<?> type) throws NoSuchMethodException {
        assertThat(source.find(type.getMethod("handle", Order.class), type))
                .hasValueSatisfying(
                        found -> assertThat(text(found, new Order("o-1"))).isEqualTo("o-1"));
    }

    @Test
    void aMethodIsFoundThroughItsBridgeToo() throws NoSuchMethodException {
        assertThat(source.find(Handler.class.getMethod("handle", Object.class), InheritingHandler.class))
                .hasValueSatisfying(
                        found -> assertThat(found.method().getParameterTypes()).containsExactly(Order.class));
    }

    @Test
    void aGenericInterfaceDoesNotCoverAnOverload() throws NoSuchMethodException {
        assertThat(source.find(OrderHandler.class.getMethod("handle", String.class), OrderHandler.class))
                .isEmpty();
    }

    @Test
    void theInterfaceOfAProxyOfAnyMakingCoversWhatItInherits() throws NoSuchMethodException {
        Object repository = Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {OrderDeletions.class}, (proxy, method, values) -> null);

        assertThat(source.find(Deletions.class.getMethod("delete", String.class), repository.getClass()))
                .hasValueSatisfying(found -> assertThat(found.targetClass()).isEqualTo(OrderDeletions.class));
    }

    @Test
    void aProxyOfItsOwnMakingIsNamedByItsInterface() throws NoSuchMethodException {
        Method save = BaseRepository.class.getMethod("save", Object.class);
        Object orders = proxy(OrderRepository.class);
        Object invoices = proxy(InvoiceRepository.class);

        assertThat(source.find(orders.getClass().getMethod("save", Object.class), orders.getClass()))
                .isEmpty();
        assertThat(source.find(save, orders.getClass())).hasValueSatisfying(found -> {
            assertThat(found.targetClass()).isEqualTo(OrderRepository.class);
            assertThat(found.operation()).isEqualTo(OrderRepository.class.getName() + ".save(java.lang.Object)");
        });
        assertThat(source.find(save, invoices.getClass()))
                .hasValueSatisfying(found -> assertThat(found.operation())
                        .isEqualTo(InvoiceRepository.class.getName() + ".save(java.lang.Object)"));
        assertThat(source.find(save, String.class))
                .hasValueSatisfying(found -> assertThat(found.operation())
                        .isEqualTo(BaseRepository.class.getName() + ".save(java.lang.Object)"));
    }

    private static Object proxy(Class<?> type) {
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> null);
    }

    public record Order(String id) {}

    @Idempotent(key = "#p0.id")
    interface Handler<T> {

        String handle(T command);
    }

    static class OrderHandler implements Handler<Order> {

        @Override
        public String handle(Order order) {
            return order.id();
        }

        public String handle(String id) {
            return id;
        }
    }

    static class OrderHandling {

        public String handle(Order order) {
            return order.id();
        }
    }

    static class InheritingHandler extends OrderHandling implements Handler<Order> {}

    abstract static class GenericHandler<T extends Record> implements Handler<T> {}

    static class InheritingGenericHandler extends GenericHandler<Order> {

        @Override
        public String handle(Order order) {
            return order.id();
        }
    }

    interface Deletions {

        void delete(String id);
    }

    @Idempotent("#p0")
    interface OrderDeletions extends Deletions {}

    interface BaseRepository<T> {

        @Idempotent(key = "#p0")
        T save(T entity);
    }

    interface OrderRepository extends BaseRepository<String> {}

    interface InvoiceRepository extends BaseRepository<Integer> {}
}
