package io.idempotency.interceptor;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.annotation.Idempotent;
import java.lang.reflect.Method;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CoveredMethodTests extends WithAMethodSource {

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

    @Test
    void theMethodOfAnInterfaceCoversAnImplementationThatKnowsNothingOfIt() {
        assertThat(find(OfUnrelatedParent.class, "onInterfaceMethod"))
                .hasValueSatisfying(found -> assertThat(found.operation()).isEqualTo("interface method"));
        assertThat(find(OfDistantInterface.class, "onInterfaceMethod"))
                .hasValueSatisfying(found -> assertThat(found.operation()).isEqualTo("interface method"));
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

    static class UnrelatedParent {

        public void onInterfaceMethod(String id) {}
    }

    static class OfUnrelatedParent extends UnrelatedParent implements Payments {}

    interface DistantPayments extends Payments {}

    static class OfDistantInterface extends UnrelatedParent implements DistantPayments {}

    @Idempotent(key = "'k'")
    static class AnnotatedThread extends Thread {

        @Override
        public void run() {}
    }
}
