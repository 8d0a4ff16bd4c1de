package io.idempotency.sample.page;

import java.util.List;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Tells the page what happened since it asked last, and whether anything is protected at all. */
@RestController
class TimelineController {

    private final Timeline timeline;

    private final boolean enabled;

    private final String store;

    TimelineController(
            Timeline timeline,
            @Value("${idempotency.enabled:true}") boolean enabled,
            @Value("${idempotency.store}") String store) {
        this.timeline = timeline;
        this.enabled = enabled;
        this.store = store;
    }

    @GetMapping("/api/timeline")
    Answer timeline(@RequestParam(defaultValue = "0") long after) {
        return new Answer(enabled, store, timeline.after(after));
    }

    /**
     * What the page is told.
     *
     * @param enabled whether the starter is switched on
     * @param store where it keeps its records
     * @param entries the oldest first
     */
    record Answer(boolean enabled, String store, List<TimelineEntry> entries) {}
}
