package io.idempotency.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idempotency.annotation.Idempotent;
import io.idempotency.autoconfigure.IdempotencyAutoConfiguration;
import io.idempotency.autoconfigure.IdempotentMethodAutoConfiguration;
import io.idempotency.core.IdempotencyStore;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/** Three nodes with a store in common, each of which makes the report of the day every few milliseconds. */
class ScheduledMethodTests {

    private final SwitchableStore switchable = new SwitchableStore();

    private final Calendar calendar = new Calendar();

    private final Archive archive = new Archive();

    private final List<AnnotationConfigApplicationContext> nodes = new CopyOnWriteArrayList<>();

    @BeforeEach
    void start() {
        IntStream.range(0, 3).forEach(node -> {
            AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
            context.registerBean(IdempotencyStore.class, switchable::store);
            context.registerBean(Calendar.class, () -> calendar);
            context.registerBean(Archive.class, () -> archive);
            context.register(Node.class);
            context.refresh();
            nodes.add(context);
        });
    }

    @AfterEach
    void stop() {
        nodes.forEach(AnnotationConfigApplicationContext::close);
    }

    @Test
    void oneNodeDoesTheWorkOfTheDay() {
        awaitRuns();
        calendar.day.set(LocalDate.of(2026, 12, 1));
        awaitRuns();

        assertThat(archive.reports).containsExactly(LocalDate.of(2026, 11, 30), LocalDate.of(2026, 12, 1));
    }

    @Test
    void aRefusalDoesNotEndTheSchedule() {
        switchable.setDown(true);
        calendar.day.set(LocalDate.of(2026, 12, 2));
        awaitRuns();
        List<LocalDate> whileDown = List.copyOf(archive.reports);
        switchable.setDown(false);
        awaitRuns();

        assertThat(whileDown).doesNotContain(LocalDate.of(2026, 12, 2));
        assertThat(archive.reports).containsOnlyOnce(LocalDate.of(2026, 12, 2));
    }

    /** Waits until every node has begun and ended some runs from now on. */
    private void awaitRuns() {
        List<Integer> before = runs();
        await().atMost(Duration.ofSeconds(60))
                .until(() ->
                        IntStream.range(0, nodes.size()).allMatch(node -> runs().get(node) > before.get(node) + 3));
    }

    private List<Integer> runs() {
        return nodes.stream()
                .map(node -> node.getBean(Schedule.class).runs.get())
                .toList();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableScheduling
    @ImportAutoConfiguration({IdempotencyAutoConfiguration.class, IdempotentMethodAutoConfiguration.class})
    @Import({Schedule.class, Reports.class})
    static class Node {}

    /** What all nodes share with the outside. */
    static class Archive {

        private final List<LocalDate> reports = new CopyOnWriteArrayList<>();
    }

    static class Calendar {

        private final AtomicReference<LocalDate> day = new AtomicReference<>(LocalDate.of(2026, 11, 30));

        LocalDate today() {
            return day.get();
        }
    }

    static class Schedule {

        private final AtomicInteger runs = new AtomicInteger();

        private final Reports reports;

        private final Calendar calendar;

        Schedule(Reports reports, Calendar calendar) {
            this.reports = reports;
            this.calendar = calendar;
        }

        // snippet:schedule
        @Scheduled(fixedDelayString = "${shop.report-interval:20ms}")
        void report() {
            runs.incrementAndGet();
            reports.make(calendar.today());
        }
        // end:schedule
    }

    static class Reports {

        private final Archive archive;

        Reports(Archive archive) {
            this.archive = archive;
        }

        // snippet:report
        @Idempotent(operation = "daily-report", key = "#day", retention = "7d")
        void make(LocalDate day) {
            archive.reports.add(day);
        }
        // end:report
    }
}
