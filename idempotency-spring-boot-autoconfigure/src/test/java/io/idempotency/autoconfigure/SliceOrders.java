package io.idempotency.autoconfigure;

import io.idempotency.annotation.Idempotent;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** A controller of a user that is tested by a slice. */
@RestController
class SliceOrders {

    private final AtomicInteger executions = new AtomicInteger();

    int executions() {
        return executions.get();
    }

    @PostMapping("/orders")
    @Idempotent
    String create() {
        return "order " + executions.incrementAndGet();
    }

    @PostMapping("/missing")
    @Idempotent
    String miss() {
        executions.incrementAndGet();
        throw new ResponseStatusException(HttpStatus.NOT_FOUND, "no such order");
    }

    @PostMapping("/failing")
    @Idempotent
    String fail() {
        executions.incrementAndGet();
        throw new ResponseStatusException(HttpStatus.BAD_GATEWAY);
    }

    @PostMapping("/later")
    @Idempotent
    Callable<String> later() {
        return () -> "order " + executions.incrementAndGet();
    }
}
