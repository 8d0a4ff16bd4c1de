package io.idempotency.testsupport;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/** Everything that loggers of one name say at a level, with the stack traces, as long as it is open. */
public final class CapturedLog implements AutoCloseable {

    private final List<String> lines = new CopyOnWriteArrayList<>();

    private final Logger logger;

    private final @Nullable Level levelBefore;

    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            IThrowableProxy thrown = event.getThrowableProxy();
            lines.add(event.getFormattedMessage() + (thrown == null ? "" : "\n" + ThrowableProxyUtil.asString(thrown)));
        }
    };

    public CapturedLog(String name, String level) {
        logger = (Logger) LoggerFactory.getLogger(name);
        levelBefore = logger.getLevel();
        logger.setLevel(Level.toLevel(level));
        appender.setContext(logger.getLoggerContext());
        appender.start();
        logger.addAppender(appender);
    }

    /** Returns what was said so far. */
    public List<String> lines() {
        return List.copyOf(lines);
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
        logger.setLevel(levelBefore);
        appender.stop();
    }
}
