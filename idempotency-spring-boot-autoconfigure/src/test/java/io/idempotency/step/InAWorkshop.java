package io.idempotency.step;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/** What is true of steps, by attempts that fail, vanish and lose their claims. */
@Timeout(60)
abstract class InAWorkshop {

    final Workshop workshop = new Workshop();

    final IdempotentSteps steps = workshop.steps();

    final List<String> ran = workshop.ran();

    @AfterEach
    void close() {
        workshop.close();
    }

    /** The work of a step, or of a look-up. */
    String run(String what) {
        ran.add(what);
        return what;
    }

    /** Ships an item, or fails if it is the failing one. */
    String shipped(int item, int failing) {
        return steps.run("ship", Integer.toString(item), String.class, step -> {
            if (item == failing) {
                throw new IllegalStateException("planted");
            }
            return run("item " + item);
        });
    }
}
