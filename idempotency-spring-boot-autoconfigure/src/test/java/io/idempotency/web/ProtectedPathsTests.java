package io.idempotency.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.core.OperationPolicy;
import io.idempotency.interceptor.IdempotentMethod;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.MappingMatch;
import java.lang.reflect.Method;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.mock.web.MockHttpServletMapping;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.util.ReflectionUtils;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerExecutionChain;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.handler.SimpleUrlHandlerMapping;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.util.ServletRequestPathUtils;
import org.springframework.web.util.WebUtils;
import org.springframework.web.util.pattern.PathPatternParser;

@ExtendWith(OutputCaptureExtension.class)
class ProtectedPathsTests {

    private final RequestMappingHandlerMapping mapping = new RequestMappingHandlerMapping();

    private final Orders orders = new Orders();

    @Test
    void aRequestMayLeadToAProtectedHandlerByItsMethodAndPath() {
        register("create", RequestMethod.POST, "/shops/{shop}/orders");
        register("list", RequestMethod.PUT, "/shops/{shop}/orders");
        ProtectedPaths paths = paths(mapping);

        assertThat(paths.mayLeadToProtected(request("POST", "/shops/7/orders"))).isTrue();
        assertThat(paths.mayLeadToProtected(request("PUT", "/shops/7/orders"))).isFalse();
        assertThat(paths.mayLeadToProtected(request("POST", "/shops/7"))).isFalse();
        assertThat(paths.mayLeadToProtected(request("POST", "/shops/7/orders/8")))
                .isFalse();
    }

    @Test
    void aHandlerWithoutMethodsAnswersAllOfThem() {
        register("create", null, "/orders");

        assertThat(paths(mapping).mayLeadToProtected(request("PATCH", "/orders")))
                .isTrue();
        assertThat(paths(mapping).mayLeadToProtected(request("LOCK", "/orders")))
                .isTrue();
    }

    @Test
    void thePathIsTheOneWithinTheApplication() {
        register("create", RequestMethod.POST, "/orders");
        MockHttpServletRequest request = request("POST", "/shop/orders");
        request.setContextPath("/shop");

        assertThat(paths(mapping).mayLeadToProtected(request)).isTrue();
        assertThat(ServletRequestPathUtils.hasParsedRequestPath(request)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "/orders, /orders/",
        "/orders, /%6frders",
        "/orders, /orders;a=b",
        "/orders/{id}, /orders/7",
        "/orders/{id}, /orders/%7e",
        "/orders/{id:[0-9]+}/items, /orders/7/items/",
        "/orders/*, /orders/7",
        "/orders/**, /orders",
        "/orders/**, /orders/7/items",
        "/orders/{*rest}, /orders",
        "/order?, /orders",
        "/o*s, /orders",
        "/orders.{form}, /orders.json",
        "/**, /anywhere",
        "/**/orders, /shops/7/orders",
        "/{any}, /anywhere",
        "/, /"
    })
    void aPathMayLeadToEachHandlerWhosePatternItMatches(String pattern, String path) {
        register("create", RequestMethod.POST, pattern);

        assertThat(paths(mapping).mayLeadToProtected(request("POST", path))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/orders", "/orders/{id}", "/orders/**", "/order?", "/o*s", "/**/orders", "/{any}", "/"})
    void aPathLeadsToNoHandlerWhosePatternItDoesNotMatch(String pattern) {
        register("create", RequestMethod.POST, pattern);

        assertThat(paths(mapping).mayLeadToProtected(request("POST", "/other/way")))
                .isFalse();
        assertThat(paths(mapping).mayLeadToProtected(request("POST", "/other/%7eway")))
                .isFalse();
    }

    @Test
    void aPathThatMightMatchOnePatternMayMatchAnother() {
        register("create", RequestMethod.POST, "/orders/{id}/items");
        register("create", RequestMethod.POST, "/orders/{id}/parts");

        assertThat(paths(mapping).mayLeadToProtected(request("POST", "/orders/7/parts")))
                .isTrue();
    }

    @Test
    void anIncludedPathIsTheOneThatIsLookedAt() {
        register("create", RequestMethod.POST, "/orders");
        MockHttpServletRequest request = request("POST", "/page");
        request.setDispatcherType(DispatcherType.INCLUDE);
        request.setAttribute(WebUtils.INCLUDE_REQUEST_URI_ATTRIBUTE, "/orders");

        assertThat(paths(mapping).mayLeadToProtected(request)).isTrue();
    }

    @Test
    void aPatternThatIgnoresTheCaseOfLettersIsFollowedWhateverTheMappingDoes() {
        PathPatternParser parser = new PathPatternParser();
        parser.setCaseSensitive(false);
        register("create", RequestMethod.POST, "/orders", parser);

        assertThat(paths(mapping).mayLeadToProtected(request("POST", "/Orders")))
                .isTrue();
    }

    @Test
    void theServletMayHaveAPathOfItsOwn() {
        register("create", RequestMethod.POST, "/orders/{id}");
        MockHttpServletRequest request = request("POST", "/shop/api/orders/7");
        request.setContextPath("/shop");
        request.setHttpServletMapping(new MockHttpServletMapping("orders", "/api/*", "dispatcher", MappingMatch.PATH));
        request.setServletPath("/api");

        assertThat(paths(mapping).mayLeadToProtected(request)).isTrue();
    }

    @Test
    void aPathThatCannotBeReadMayLeadWhereverItsMethodMay() {
        register("create", RequestMethod.POST, "/orders");

        assertThat(paths(mapping).mayLeadToProtected(request("POST", "/%zz"))).isTrue();
        assertThat(paths(mapping).mayLeadToProtected(request("PUT", "/%zz"))).isFalse();
    }

    @Test
    void whereNothingIsProtectedNoRequestIs() {
        register("list", RequestMethod.POST, "/orders");

        assertThat(paths(mapping, new SimpleUrlHandlerMapping()).mayLeadToProtected(request("POST", "/orders")))
                .isFalse();
    }

    @Test
    void throughAMappingOfAnUnknownKindEveryRequestMay() {
        HandlerMapping unknown = request -> null;

        assertThat(paths(mapping, unknown).mayLeadToProtected(request("POST", "/anywhere")))
                .isTrue();
    }

    @Test
    void aMappingThatAsksOthersIsLookedThrough() {
        register("create", RequestMethod.POST, "/orders");
        ProtectedPaths paths = paths(new DelegatingMapping(List.of(mapping, new SimpleUrlHandlerMapping())));

        assertThat(paths.mayLeadToProtected(request("POST", "/orders"))).isTrue();
        assertThat(paths.mayLeadToProtected(request("POST", "/anywhere"))).isFalse();
    }

    @Test
    void aMappingThatAsksOneOfAnUnknownKindMayLeadAnywhere() {
        HandlerMapping unknown = request -> null;
        ProtectedPaths paths = paths(new DelegatingMapping(List.of(mapping, unknown)));

        assertThat(paths.mayLeadToProtected(request("POST", "/anywhere"))).isTrue();
    }

    @Test
    void theFirstMappingOfAnUnknownKindIsNamedOnce(CapturedOutput output) {
        HandlerMapping unknown = request -> null;
        ProtectedPaths paths = paths(mapping, unknown, unknown);

        paths.mayLeadToProtected(request("POST", "/anywhere"));
        paths.mayLeadToProtected(request("POST", "/anywhere"));

        assertThat(output).containsOnlyOnce(unknown.getClass().getName());
    }

    @Test
    void everyRequestMayOnceOneHasComeByAnotherPath() {
        register("create", RequestMethod.POST, "/orders");
        ProtectedPaths paths = paths(mapping);
        HandlerMethod reached = new HandlerMethod(orders, method("create"));

        assertThat(paths.mayLeadToProtected(request("POST", "/anywhere"))).isFalse();
        assertThat(paths.expectMore(reached)).isTrue();
        assertThat(paths.mayLeadToProtected(request("POST", "/anywhere"))).isTrue();
    }

    @Test
    void aRequestIsRefusedForTheTimeBeingAlsoIfOthersWereRefusedBefore() {
        register("create", RequestMethod.POST, "/orders");
        ProtectedPaths paths = paths(mapping);
        HandlerMethod reached = new HandlerMethod(orders, method("create"));
        paths.mayLeadToProtected(request("POST", "/anywhere"));
        paths.expectMore(reached);

        assertThat(paths.expectMore(reached)).isTrue();
    }

    @Test
    void nothingBetterIsExpectedWithoutTheFilter() {
        register("create", RequestMethod.POST, "/orders");

        assertThat(paths(mapping).expectMore(new HandlerMethod(orders, method("create"))))
                .isFalse();
    }

    private void register(String name, @Nullable RequestMethod method, String path) {
        register(name, method, path, PathPatternParser.defaultInstance);
    }

    private void register(String name, @Nullable RequestMethod method, String path, PathPatternParser parser) {
        RequestMappingInfo.BuilderConfiguration options = new RequestMappingInfo.BuilderConfiguration();
        options.setPatternParser(parser);
        RequestMappingInfo.Builder info = RequestMappingInfo.paths(path).options(options);
        mapping.registerMapping((method == null ? info : info.methods(method)).build(), orders, method(name));
    }

    private static Method method(String name) {
        return ReflectionUtils.findMethod(Orders.class, name);
    }

    private static MockHttpServletRequest request(String method, String path) {
        return new MockHttpServletRequest(method, path);
    }

    private static ProtectedPaths paths(HandlerMapping... mappings) {
        return new ProtectedPaths(
                () -> Stream.of(mappings),
                (method, type) -> method.getName().equals("create")
                        ? Optional.of(new IdempotentMethod(
                                method,
                                type,
                                "operation",
                                Optional.empty(),
                                Optional.empty(),
                                true,
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                Set.of(),
                                OperationPolicy.DEFAULT))
                        : Optional.empty());
    }

    private record DelegatingMapping(List<HandlerMapping> delegates)
            implements HandlerMapping, Iterable<HandlerMapping> {

        @Override
        public @Nullable HandlerExecutionChain getHandler(HttpServletRequest request) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Iterator<HandlerMapping> iterator() {
            return delegates.iterator();
        }
    }

    static class Orders {

        public void create() {}

        public void list() {}
    }
}
