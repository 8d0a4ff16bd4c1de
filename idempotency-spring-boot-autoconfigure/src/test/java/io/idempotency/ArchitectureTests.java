package io.idempotency;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.annotation.ImportCandidates;

/** Holds the module to its structure. Each rule must also find the faults that are planted for it. */
class ArchitectureTests {

    private static final String BASE = "io.idempotency";

    private static final String FAULTY_BASE = "io.idempotencyfaults";

    private static final JavaClasses MODULE = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages(BASE);

    private static final Pattern FAULTY_CLASS =
            Pattern.compile(Pattern.quote(FAULTY_BASE) + "(?:\\.[a-z]+)*\\.[A-Z][\\w$]*");

    private static final JavaClasses FAULTS = new ClassFileImporter().importPackages(FAULTY_BASE);

    @Test
    void coreSeesNothingElse() {
        holdsAndFinds(ArchitectureRules::coreSeesNothingElse, "core.CoreSeesRedis", "core.CoreSeesJson");
    }

    @Test
    void layersSeeWhatTheyMay() {
        holdsAndFinds(
                ArchitectureRules::layersSeeWhatTheyMay,
                "annotation.AnnotationSeesJson",
                "core.CoreSeesJson",
                "json.JsonSeesStore",
                "actuate.ActuateSeesStore",
                "step.StepSeesJson",
                "client.ClientSeesJson",
                "interceptor.InterceptorSeesAutoconfigure",
                "web.WebSeesStore",
                "openapi.OpenApiSeesStore",
                "store.memory.MemorySeesInterceptor",
                "unlisted.UnlistedType");
    }

    @Test
    void packagesAreFreeOfCycles() {
        holdsAndFinds(ArchitectureRules::packagesAreFreeOfCycles, "core.CoreSeesJson");
    }

    @Test
    void storesDoNotSeeOneAnother() {
        holdsAndFinds(ArchitectureRules::storesDoNotSeeOneAnother, "store.redis.RedisSeesJdbc");
    }

    @Test
    void theBasePackageIsEmpty() {
        holdsAndFinds(ArchitectureRules::theBasePackageIsEmpty, "RootType");
    }

    @Test
    void redisStaysInItsStore() {
        holdsAndFinds(base -> ArchitectureRules.technologyStaysIn(base, Technology.REDIS), "core.CoreSeesRedis");
    }

    @Test
    void jdbcStaysInItsStore() {
        holdsAndFinds(base -> ArchitectureRules.technologyStaysIn(base, Technology.JDBC), "json.JsonSeesJdbc");
    }

    @Test
    void servletsStayInWeb() {
        holdsAndFinds(
                base -> ArchitectureRules.technologyStaysIn(base, Technology.SERVLET),
                "interceptor.InterceptorSeesServlet");
    }

    @Test
    void springdocStaysInOpenapi() {
        holdsAndFinds(base -> ArchitectureRules.technologyStaysIn(base, Technology.OPENAPI), "web.WebSeesOpenApi");
    }

    @Test
    void healthStaysInActuate() {
        holdsAndFinds(base -> ArchitectureRules.technologyStaysIn(base, Technology.HEALTH), "web.WebSeesHealth");
    }

    @Test
    void springBootStaysInAutoconfigure() {
        holdsAndFinds(base -> ArchitectureRules.technologyStaysIn(base, Technology.BOOT), "web.WebSeesBoot");
    }

    @Test
    void packagesAreNullMarked() {
        holdsAndFinds(base -> ArchitectureRules.packagesAreNullMarked(), "unlisted.UnlistedType");
    }

    @Test
    void autoConfigurationsArePublicAndFinal() {
        holdsAndFinds(
                ArchitectureRules::autoConfigurationsArePublicAndFinal,
                "autoconfigure.FaultyAutoConfigurations$HiddenAutoConfiguration",
                "autoconfigure.FaultyAutoConfigurations$OpenAutoConfiguration",
                "autoconfigure.FaultyAutoConfigurations$WithoutSuffix",
                "unlisted.UnlistedType$StrayAutoConfiguration");
    }

    @Test
    void beanMethodsAreNotPublic() {
        holdsAndFinds(
                base -> ArchitectureRules.beanMethodsAreNotPublic(),
                "autoconfigure.FaultyAutoConfigurations$PublicBeanAutoConfiguration");
    }

    @Test
    void classConditionsAreOnClasses() {
        holdsAndFinds(
                base -> ArchitectureRules.classConditionsAreOnClasses(),
                "autoconfigure.FaultyAutoConfigurations$ConditionalBeanAutoConfiguration");
    }

    @Test
    void neighboursExistAndOptionalOnesAreTexts() {
        holdsAndFinds(
                ArchitectureRules::neighboursExistAndOptionalOnesAreTexts,
                "autoconfigure.FaultyAutoConfigurations$MissingNeighbourAutoConfiguration",
                "autoconfigure.FaultyAutoConfigurations$LiteralNeighbourAutoConfiguration");
    }

    /** One that is not listed is never active, and one that is listed and gone stops the start. */
    @Test
    void theImportsListEveryAutoConfigurationAndNothingElse() {
        List<String> listed = ImportCandidates.load(
                        AutoConfiguration.class, getClass().getClassLoader())
                .getCandidates();
        List<String> annotated = MODULE.stream()
                .filter(type -> type.isAnnotatedWith(AutoConfiguration.class))
                .map(JavaClass::getName)
                .toList();

        assertThat(listed)
                .filteredOn(name -> name.startsWith(BASE))
                .isNotEmpty()
                .containsExactlyInAnyOrderElementsOf(annotated);
    }

    /** The rule holds in the module, and finds every class of the faulty tree that is named. */
    private static void holdsAndFinds(Function<String, ArchRule> rule, String... faults) {
        rule.apply(BASE).check(MODULE);
        List<String> details =
                rule.apply(FAULTY_BASE).evaluate(FAULTS).getFailureReport().getDetails();
        assertThat(details)
                .extracting(ArchitectureTests::origin)
                .contains(Stream.of(faults)
                        .map(fault -> FAULTY_BASE + "." + fault)
                        .toArray(String[]::new));
    }

    /** A detail names the class with the fault first, and then what it should not see. */
    private static String origin(String detail) {
        Matcher origin = FAULTY_CLASS.matcher(detail);
        return origin.find() ? origin.group() : "";
    }
}
