package io.idempotency;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Arrays;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.util.ClassUtils;

/**
 * What may see what, and how wiring looks. Every rule takes the base package, so that it can be tried on a tree with
 * planted faults as well.
 */
final class ArchitectureRules {

    private ArchitectureRules() {}

    static ArchRule coreSeesNothingElse(String base) {
        return classes()
                .that()
                .resideInAPackage(base + ".core..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(base + ".core..", "java..", "org.jspecify..", "org.slf4j..")
                .because("the engine knows neither Spring nor any store");
    }

    static ArchRule layersSeeWhatTheyMay(String base) {
        return layeredArchitecture()
                .consideringOnlyDependenciesInLayers()
                .ensureAllClassesAreContainedInArchitectureIgnoring(base)
                .layer("annotation")
                .definedBy(base + ".annotation..")
                .layer("core")
                .definedBy(base + ".core..")
                .layer("json")
                .definedBy(base + ".json..")
                .layer("step")
                .definedBy(base + ".step..")
                .layer("client")
                .definedBy(base + ".client..")
                .layer("interceptor")
                .definedBy(base + ".interceptor..")
                .layer("web")
                .definedBy(base + ".web..")
                .layer("openapi")
                .definedBy(base + ".openapi..")
                .layer("store")
                .definedBy(base + ".store..")
                .layer("actuate")
                .definedBy(base + ".actuate..")
                .layer("autoconfigure")
                .definedBy(base + ".autoconfigure..")
                .whereLayer("annotation")
                .mayOnlyAccessLayers("core")
                .whereLayer("core")
                .mayNotAccessAnyLayer()
                .whereLayer("json")
                .mayOnlyAccessLayers("core")
                .whereLayer("step")
                .mayOnlyAccessLayers("core")
                .whereLayer("client")
                .mayOnlyAccessLayers("core", "step")
                .whereLayer("interceptor")
                .mayOnlyAccessLayers("annotation", "core", "step")
                .whereLayer("web")
                .mayOnlyAccessLayers("annotation", "core", "interceptor")
                .whereLayer("openapi")
                .mayOnlyAccessLayers("core", "interceptor", "web")
                .whereLayer("store")
                .mayOnlyAccessLayers("core")
                .whereLayer("actuate")
                .mayOnlyAccessLayers("core")
                .whereLayer("autoconfigure")
                .mayNotBeAccessedByAnyLayer();
    }

    static ArchRule packagesAreFreeOfCycles(String base) {
        return slices().matching(base + ".(**)").should().beFreeOfCycles();
    }

    static ArchRule storesDoNotSeeOneAnother(String base) {
        return slices().matching(base + ".store.(*)..").should().notDependOnEachOther();
    }

    static ArchRule theBasePackageIsEmpty(String base) {
        return noClasses()
                .that()
                .doNotHaveSimpleName("package-info")
                .should()
                .resideInAPackage(base)
                .because("the layers do not look there");
    }

    /** Redis, JDBC, Servlet and Boot types stay where they are the subject. */
    static ArchRule technologyStaysIn(String base, Technology technology) {
        String[] homes = Stream.concat(technology.homes.stream(), Stream.of("autoconfigure"))
                .map(home -> base + "." + home + "..")
                .toArray(String[]::new);
        return noClasses()
                .that()
                .resideOutsideOfPackages(homes)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(technology.packages.toArray(String[]::new))
                .because("an application without " + technology + " must be able to load them");
    }

    static ArchRule packagesAreNullMarked() {
        return classes().should(new ArchCondition<>("reside in a @NullMarked package") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                report(type, type.getPackage().isAnnotatedWith(NullMarked.class), "its package is @NullMarked", events);
            }
        });
    }

    static ArchRule autoConfigurationsArePublicAndFinal(String base) {
        return classes()
                .that()
                .areAnnotatedWith(AutoConfiguration.class)
                .should()
                .bePublic()
                .andShould()
                .haveModifier(JavaModifier.FINAL)
                .andShould()
                .haveSimpleNameEndingWith("AutoConfiguration")
                .andShould()
                .resideInAPackage(base + ".autoconfigure..");
    }

    static ArchRule beanMethodsAreNotPublic() {
        return methods()
                .that()
                .areAnnotatedWith(Bean.class)
                .should()
                .notBePublic()
                .because("beans are asked for, bean methods are not called");
    }

    static ArchRule classConditionsAreOnClasses() {
        return noMethods()
                .that(alwaysTrue())
                .should()
                .beAnnotatedWith(ConditionalOnClass.class)
                .because("the signature of the method is loaded before its condition is asked");
    }

    /** Boot's own neighbours are required dependencies; any other may be absent, and is named by a text. */
    static ArchRule neighboursExistAndOptionalOnesAreTexts(String base) {
        return classes()
                .that()
                .areAnnotatedWith(AutoConfiguration.class)
                .should(new ArchCondition<>("be ordered by neighbours that exist, optional ones by name") {
                    @Override
                    public void check(JavaClass type, ConditionEvents events) {
                        AutoConfiguration order = type.reflect().getAnnotation(AutoConfiguration.class);
                        Stream.of(order.afterName(), order.beforeName())
                                .flatMap(Arrays::stream)
                                .forEach(name -> report(type, exists(name), name + " exists", events));
                        Stream.of(order.after(), order.before())
                                .flatMap(Arrays::stream)
                                .map(Class::getPackageName)
                                .forEach(name -> report(type, isRequired(name), name + " is required", events));
                    }

                    private boolean exists(String name) {
                        return ClassUtils.isPresent(name, ArchitectureRules.class.getClassLoader());
                    }

                    private boolean isRequired(String packageName) {
                        return packageName.startsWith(base + ".")
                                || packageName.startsWith("org.springframework.boot.autoconfigure");
                    }
                });
    }

    private static void report(JavaClass type, boolean holds, String claim, ConditionEvents events) {
        events.add(new SimpleConditionEvent(
                type, holds, type.getName() + ": " + (holds ? "" : "it is not true that ") + claim));
    }
}
