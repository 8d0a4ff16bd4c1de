package io.idempotency.web;

import io.idempotency.interceptor.IdempotentMethodSource;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.server.PathContainer;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.function.support.RouterFunctionMapping;
import org.springframework.web.servlet.handler.AbstractUrlHandlerMapping;
import org.springframework.web.servlet.mvc.condition.PathPatternsRequestCondition;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;
import org.springframework.web.util.ServletRequestPathUtils;

/**
 * Tells before a request is mapped whether it may be mapped to a protected handler, by method and path. All others pass
 * without being touched.
 *
 * <p>Where that cannot be told for sure, every request may be. That is so with handler mappings of an unknown kind, and
 * from the moment on at which a request was mapped to a protected handler that it did not seem to be meant for: a filter
 * had changed its path, or the handler was registered while the application runs.
 */
public final class ProtectedPaths {

    private static final Logger logger = LoggerFactory.getLogger(ProtectedPaths.class);

    private final Supplier<? extends Stream<HandlerMapping>> mappings;

    private final IdempotentMethodSource methods;

    private volatile @Nullable List<ProtectedPath> paths;

    private volatile boolean unknown;

    private volatile boolean asked;

    /**
     * Creates the paths of an application.
     *
     * @param mappings asked for by the first request, when they know their handlers
     * @param methods tells which handlers are annotated
     */
    public ProtectedPaths(Supplier<? extends Stream<HandlerMapping>> mappings, IdempotentMethodSource methods) {
        this.mappings = mappings;
        this.methods = methods;
    }

    /** Says whether a request may be mapped to a protected handler. */
    boolean mayLeadToProtected(HttpServletRequest request) {
        if (!asked) {
            // To write it for each request would take it from the caches of all other processors each time.
            asked = true;
        }
        List<ProtectedPath> known = paths();
        if (unknown || known.isEmpty()) {
            return unknown;
        }
        RequestMethod method = RequestMethod.resolve(request.getMethod());
        String sent = request.getDispatcherType() == DispatcherType.INCLUDE ? "" : SentPath.withinApplication(request);
        for (ProtectedPath each : known) {
            if (each.accepts(method) && (sent.isEmpty() || each.mayMatch(sent))) {
                // One that may match is nearly always the one that does, so the rest is asked once.
                return each.isWrittenAs(sent) || leads(known, method, request);
            }
        }
        return false;
    }

    private static boolean leads(
            List<ProtectedPath> known, @Nullable RequestMethod method, HttpServletRequest request) {
        List<PathContainer> paths;
        try {
            paths = parsed(request);
        } catch (IllegalArgumentException malformed) {
            return true;
        }
        return known.stream()
                .anyMatch(each -> each.accepts(method) && paths.stream().anyMatch(each::matches));
    }

    /**
     * Notes that a request was mapped to a protected handler though it did not seem to be meant for one.
     *
     * @return whether the same request would be protected if it came again; false where nobody asks about requests before
     *     they are mapped
     */
    boolean expectMore(HandlerMethod handler) {
        if (!asked) {
            return false;
        }
        unknown = true;
        logger.warn(
                "A request reached {} by a path that was not known to lead there, and was refused; from now on every"
                        + " request is watched. A filter between IdempotencyFilter and the handler changes paths (let it"
                        + " come first), the handler was registered after the start, or IdempotencyFilter is not"
                        + " registered for all requests",
                handler.getShortLogMessage());
        return true;
    }

    private List<ProtectedPath> paths() {
        List<ProtectedPath> known = paths;
        if (known == null) {
            known = new ArrayList<>();
            for (HandlerMapping mapping : mappings.get().toList()) {
                addAll(mapping, known);
            }
            paths = known;
        }
        return known;
    }

    private void addAll(HandlerMapping mapping, List<ProtectedPath> known) {
        if (mapping instanceof RequestMappingInfoHandlerMapping ofMethods) {
            ofMethods.getHandlerMethods().forEach((info, handler) -> {
                if (methods.find(handler.getMethod(), handler.getBeanType()).isPresent()) {
                    add(mapping, info, known);
                }
            });
        } else if (mapping instanceof Iterable<?> delegating) {
            // As that of Spring Data REST, which asks several ones in turn.
            for (Object each : delegating) {
                if (each instanceof HandlerMapping delegate) {
                    addAll(delegate, known);
                } else {
                    watchAll(mapping);
                }
            }
        } else if (!(mapping instanceof AbstractUrlHandlerMapping || mapping instanceof RouterFunctionMapping)) {
            watchAll(mapping);
        }
    }

    private void add(HandlerMapping mapping, RequestMappingInfo info, List<ProtectedPath> known) {
        PathPatternsRequestCondition condition = info.getPathPatternsCondition();
        if (condition == null) {
            // An application that has its paths matched in the way before PathPattern.
            watchAll(mapping);
        } else {
            Set<RequestMethod> accepted = info.getMethodsCondition().getMethods();
            condition.getPatterns().forEach(pattern -> known.add(ProtectedPath.of(pattern, accepted)));
        }
    }

    private void watchAll(HandlerMapping mapping) {
        if (!unknown) {
            unknown = true;
            logger.info(
                    "Every request that may change something is watched until it is mapped, since {} does not tell which"
                            + " paths lead to its handlers",
                    mapping.getClass().getName());
        }
    }

    /**
     * Returns the path as the dispatcher servlet will see it, unless somebody changes it on the way, and without its last
     * separator: some applications let a filter remove what the client has added.
     */
    private static List<PathContainer> parsed(HttpServletRequest request) {
        PathContainer path = ServletRequestPathUtils.parse(request).pathWithinApplication();
        int last = path.elements().size() - 1;
        return last > 0 && path.elements().get(last) instanceof PathContainer.Separator
                ? List.of(path, path.subPath(0, last))
                : List.of(path);
    }
}
