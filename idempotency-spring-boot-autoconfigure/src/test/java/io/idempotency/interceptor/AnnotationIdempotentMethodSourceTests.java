package io.idempotency.interceptor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.idempotency.annotation.Idempotent;
import io.idempotency.core.OnAbandoned;
import io.idempotency.core.OnFailure;
import io.idempotency.core.OperationPolicy;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.core.annotation.AliasFor;
import org.springframework.mock.env.MockEnvironment;

class AnnotationIdempotentMethodSourceTests {

    private final MockEnvironment environment = new MockEnvironment();

    private final AtomicInteger policies = new AtomicInteger();

    private final AnnotationIdempotentMethodSource source = new AnnotationIdempotentMethodSource(
            () -> {
                policies.incrementAndGet();
                return OperationPolicy.DEFAULT;
            },
            environment::resolveRequiredPlaceholders,
            new DefaultListableBeanFactory(),
            List::of);

    @ParameterizedTest
    @CsvSource({
        "onMethod, method",
        "onOverridden, overridden",
        "onClass, class",
        "inherited, class",
        "onInterfaceMethod, class"
    })
    void theMostSpecificPlaceDecides(String name, String operation) {
        assertThat(find(Annotated.class, name))
                .hasValueSatisfying(found -> assertThat(found.operation()).isEqualTo(operation));
    }

    @ParameterizedTest
    @CsvSource({"onInterfaceMethod, interface method", "onInterface, interface", "onDefault, interface"})
    void interfacesAreAskedLast(String name, String operation) {
        assertThat(find(OfInterfaces.class, name))
                .hasValueSatisfying(found -> assertThat(found.operation()).isEqualTo(operation));
    }

    @Test
    void anInterfaceCoversItsOwnMethodsOnly() {
        assertThat(find(OfInterfaces.class, "ofNoInterface")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"onClass", "guarded", "hidden"})
    void aClassCoversEveryMethodThatAProxyCanSee(String name) {
        assertThat(find(Annotated.class, name)).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"toString", "hashCode", "equals", "secret", "forAll"})
    void aClassDoesNotCoverWhatNoProxySeesOrEveryObjectHas(String name) {
        assertThat(find(Annotated.class, name)).isEmpty();
    }

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
    void theMethodOfAnInterfaceCoversAnImplementationThatKnowsNothingOfIt() {
        assertThat(find(OfUnrelatedParent.class, "onInterfaceMethod"))
                .hasValueSatisfying(found -> assertThat(found.operation()).isEqualTo("interface method"));
        assertThat(find(OfDistantInterface.class, "onInterfaceMethod"))
                .hasValueSatisfying(found -> assertThat(found.operation()).isEqualTo("interface method"));
    }

    @Test
    void theInterfaceOfAProxyOfAnyMakingCoversWhatItInherits() throws NoSuchMethodException {
        Object repository = Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {OrderDeletions.class}, (proxy, method, values) -> null);

        assertThat(source.find(Deletions.class.getMethod("delete", String.class), repository.getClass()))
                .hasValueSatisfying(found -> assertThat(found.targetClass()).isEqualTo(OrderDeletions.class));
    }

    @Test
    void aClassDoesNotCoverMethodsOfObject() throws NoSuchMethodException {
        assertThat(source.find(Object.class.getMethod("notify"), Annotated.class))
                .isEmpty();
        assertThat(source.find(Object.class.getMethod("equals", Object.class), Annotated.class))
                .isEmpty();
    }

    @Test
    void aClassDoesNotCoverMethodsOfLibraries() throws NoSuchMethodException {
        Method inherited = Thread.class.getMethod("start");

        assertThat(source.find(inherited, AnnotatedThread.class)).isEmpty();
        assertThat(find(AnnotatedThread.class, "run")).isPresent();
    }

    @Test
    void metaAnnotationsAreMerged() {
        assertThat(find(Meta.class, "pay")).hasValueSatisfying(found -> {
            assertThat(found.operation()).isEqualTo("payment");
            assertThat(found.policy().retention()).isEqualTo(Duration.ofDays(7));
            assertThat(text(found, "k-1")).isEqualTo("k-1");
        });
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

    @Test
    void noTwoMethodsShareTheDefaultName() {
        assertThat(Arrays.stream(Named.class.getDeclaredMethods())
                        .map(method ->
                                source.find(method, Named.class).orElseThrow().operation()))
                .containsExactlyInAnyOrder(
                        Named.class.getName() + ".pay(java.lang.String)",
                        Named.class.getName() + ".pay(java.lang.String[])",
                        Named.class.getName() + ".pay(java.lang.String,int)");
        assertThat(find(NamedToo.class, "pay"))
                .hasValueSatisfying(found -> assertThat(found.operation()).startsWith(NamedToo.class.getName()));
    }

    @Test
    void everythingIsRead() {
        environment.withProperty("invoice.retention", "P3D").withProperty("invoice.name", "invoice");

        assertThat(find(Full.class, "pay")).hasValueSatisfying(found -> {
            assertThat(found.operation()).isEqualTo("invoice-v2");
            assertThat(found.header()).hasValue("webhook-id");
            assertThat(found.required()).isFalse();
            assertThat(text(found, "k-1", "t-1")).isEqualTo("k-1");
            assertThat(found.scope().orElseThrow().text(null, found.method(), new Object[] {"k-1", "t-1"}))
                    .isEqualTo("t-1");
            assertThat(found.fingerprint().orElseThrow().value(null, found.method(), new Object[] {"k-1", "t-1"}))
                    .isEqualTo(3);
            assertThat(found.fingerprintStrategy()).isEmpty();
            assertThat(found.policy())
                    .isEqualTo(OperationPolicy.DEFAULT
                            .withLease(Duration.ofSeconds(20))
                            .withRetention(Duration.ofDays(3))
                            .withMaxWait(Duration.ofMillis(1500))
                            .withOnFailure(OnFailure.HOLD)
                            .withOnAbandoned(OnAbandoned.HOLD)
                            .withRecordedFailures(Set.of(IllegalStateException.class)));
        });
    }

    @Test
    void whatIsNotSaidHasDefaults() {
        assertThat(find(Meta.class, "bare")).hasValueSatisfying(found -> {
            assertThat(found.key()).isEmpty();
            assertThat(found.header()).isEmpty();
            assertThat(found.required()).isTrue();
            assertThat(found.scope()).isEmpty();
            assertThat(found.fingerprint()).isEmpty();
            assertThat(found.fingerprintStrategy()).isEmpty();
            assertThat(found.policy()).isEqualTo(OperationPolicy.DEFAULT);
        });
    }

    @ParameterizedTest
    @CsvSource({"none, NONE", "raw, RAW", "auto, AUTO"})
    void aFingerprintMayBeAStrategy(String name, FingerprintStrategy strategy) {
        assertThat(find(Strategies.class, name)).hasValueSatisfying(found -> {
            assertThat(found.fingerprintStrategy()).hasValue(strategy);
            assertThat(found.fingerprint()).isEmpty();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"ignoring", "ignoringAndAuto"})
    void fieldsAreIgnoredByAuto(String name) {
        assertThat(find(Strategies.class, name, "retry.field", "order.sentAt")).hasValueSatisfying(found -> {
            assertThat(found.fingerprintStrategy()).hasValue(FingerprintStrategy.AUTO);
            assertThat(found.ignoredFields()).containsExactlyInAnyOrder("trace", "order.sentAt");
        });
    }

    @Test
    void aStrategyIsWrittenInCapitals() {
        assertThatExceptionOfType(InvalidIdempotentMethodException.class)
                .isThrownBy(() -> find(Strategies.class, "lowerCase"))
                .withMessageContaining("'none' belongs to nothing");
    }

    @ParameterizedTest
    @CsvSource({
        "noDuration, retention, 'soon'",
        "noUnit, lease, 'no unit'",
        "negative, maxWait, 'wait'",
        "tooLong, lease, 'max-duration'",
        "noPlaceholder, retention, 'nowhere.said'",
        "noExpression, key, '#p0.('",
        "unknownArgument, key, '-parameters'",
        "unknownArgument, key, '#p0'",
        "unknownInFingerprint, fingerprint, '#nothing'",
        "ignoringBesideRaw, ignoredFields, 'AUTO'",
        "ignoringBesideExpression, ignoredFields, 'AUTO'"
    })
    void whatCannotBeHonouredNamesMethodAndAttribute(String name, String attribute, String reason) {
        assertThatExceptionOfType(InvalidIdempotentMethodException.class)
                .isThrownBy(() -> find(Wrong.class, name))
                .withMessageContaining(Wrong.class.getName() + "." + name + "(java.lang.String)")
                .withMessageContaining(attribute)
                .withMessageContaining(reason);
    }

    @Test
    void whatWasReadIsKept() {
        Optional<IdempotentMethod> first = find(Full.class, "pay", "invoice.retention", "1d", "invoice.name", "x");

        assertThat(find(Full.class, "pay")).isSameAs(first);
        assertThat(policies).hasValue(1);
        assertThat(find(OfInterfaces.class, "ofNoInterface")).isSameAs(find(OfInterfaces.class, "ofNoInterface"));
    }

    @Test
    void expressionsNameTheArgumentsOfTheMethodThatCarriesThem() {
        assertThat(find(Renaming.class, "pay"))
                .hasValueSatisfying(found -> assertThat(text(found, "k-1")).isEqualTo("k-1"));
    }

    private Optional<IdempotentMethod> find(Class<?> type, String name, String... properties) {
        for (int index = 0; index < properties.length; index += 2) {
            environment.setProperty(properties[index], properties[index + 1]);
        }
        Method method = Arrays.stream(type.getMethods())
                .filter(candidate -> candidate.getName().equals(name) && !candidate.isBridge())
                .findFirst()
                .or(() -> Arrays.stream(type.getDeclaredMethods())
                        .filter(candidate -> candidate.getName().equals(name))
                        .findFirst())
                .orElseThrow();
        return source.find(method, type);
    }

    private static String text(IdempotentMethod method, Object... arguments) {
        return method.key().orElseThrow().text(null, method.method(), arguments);
    }

    interface Payments {

        @Idempotent(key = "#p0", operation = "interface method")
        void onInterfaceMethod(String id);
    }

    @Idempotent(key = "#p0", operation = "interface")
    interface Refunds {

        void onInterface(String id);

        default void onDefault(String id) {}
    }

    static class Parent {

        @Idempotent(key = "#p0", operation = "overridden")
        public void onOverridden(String id) {}

        public void inherited(String id) {}
    }

    @Idempotent(key = "'k'", operation = "class")
    static class Annotated extends Parent implements Payments {

        @Idempotent(key = "#p0", operation = "method")
        public void onMethod(String id) {}

        @Override
        public void onOverridden(String id) {}

        public void onClass(String id) {}

        @Override
        public void onInterfaceMethod(String id) {}

        void hidden() {}

        protected void guarded() {}

        @SuppressWarnings("unused")
        private void secret() {}

        public static void forAll() {}

        @Override
        public String toString() {
            return "x";
        }

        @Override
        public int hashCode() {
            return 1;
        }

        @Override
        public boolean equals(Object other) {
            return other == this;
        }
    }

    static class OfInterfaces implements Payments, Refunds {

        @Override
        public void onInterfaceMethod(String id) {}

        @Override
        public void onInterface(String id) {}

        public void ofNoInterface(String id) {}
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

    static class UnrelatedParent {

        public void onInterfaceMethod(String id) {}
    }

    static class OfUnrelatedParent extends UnrelatedParent implements Payments {}

    interface DistantPayments extends Payments {}

    static class OfDistantInterface extends UnrelatedParent implements DistantPayments {}

    interface Deletions {

        void delete(String id);
    }

    @Idempotent("#p0")
    interface OrderDeletions extends Deletions {}

    @Idempotent(key = "'k'")
    static class AnnotatedThread extends Thread {

        @Override
        public void run() {}
    }

    interface BaseRepository<T> {

        @Idempotent(key = "#p0")
        T save(T entity);
    }

    interface OrderRepository extends BaseRepository<String> {}

    interface InvoiceRepository extends BaseRepository<Integer> {}

    @Idempotent(retention = "7d", operation = "payment")
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @interface PaidOnce {

        @AliasFor(annotation = Idempotent.class, attribute = "key")
        String by();
    }

    static class Meta {

        @PaidOnce(by = "#p0")
        public void pay(String id) {}

        @Idempotent
        public void bare(String id) {}
    }

    static class Named {

        @Idempotent("#p0")
        public void pay(String id) {}

        @Idempotent("#p0")
        public void pay(String[] ids) {}

        @Idempotent("#p0")
        public void pay(String id, int amount) {}
    }

    static class NamedToo {

        @Idempotent("#p0")
        public void pay(String id) {}
    }

    static class Full {

        @Idempotent(
                key = "#id",
                header = "webhook-id",
                operation = "${invoice.name}-v2",
                scope = "#tenant",
                fingerprint = "#id.length()",
                required = false,
                lease = "20s",
                retention = "${invoice.retention}",
                maxWait = "1500ms",
                onFailure = OnFailure.HOLD,
                onAbandoned = OnAbandoned.HOLD,
                recordFailures = IllegalStateException.class)
        public void pay(String id, String tenant) {}
    }

    static class Strategies {

        @Idempotent(fingerprint = "NONE")
        public void none() {}

        @Idempotent(fingerprint = "RAW")
        public void raw() {}

        @Idempotent(fingerprint = "AUTO")
        public void auto() {}

        @Idempotent(ignoredFields = {"trace", "${retry.field}"})
        public void ignoring() {}

        @Idempotent(
                fingerprint = "AUTO",
                ignoredFields = {"trace", "${retry.field}", ""})
        public void ignoringAndAuto() {}

        @Idempotent(fingerprint = "none")
        public void lowerCase() {}
    }

    static class Wrong {

        @Idempotent(key = "#p0", retention = "soon")
        public void noDuration(String id) {}

        @Idempotent(key = "#p0", lease = "30")
        public void noUnit(String id) {}

        @Idempotent(key = "#p0", maxWait = "-1s")
        public void negative(String id) {}

        @Idempotent(key = "#p0", lease = "20m")
        public void tooLong(String id) {}

        @Idempotent(key = "#p0", retention = "${nowhere.said}")
        public void noPlaceholder(String id) {}

        @Idempotent(key = "#p0.(")
        public void noExpression(String id) {}

        @Idempotent(key = "#order.id")
        public void unknownArgument(String id) {}

        @Idempotent(key = "#p0", fingerprint = "#nothing")
        public void unknownInFingerprint(String id) {}

        @Idempotent(fingerprint = "RAW", ignoredFields = "sentAt")
        public void ignoringBesideRaw(String id) {}

        @Idempotent(fingerprint = "#p0", ignoredFields = "sentAt")
        public void ignoringBesideExpression(String id) {}
    }

    interface WithNames {

        @Idempotent("#orderId")
        void pay(String orderId);
    }

    static class Renaming implements WithNames {

        @Override
        public void pay(String id) {}
    }
}
