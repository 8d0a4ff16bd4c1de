package io.idempotency.sample.worker;

import io.idempotency.sample.account.Accounts;
import io.idempotency.sample.order.Order;
import jakarta.validation.Valid;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Lets a worker begin a checkout and kills it in the second step, when the card is charged and the row of the account is
 * written, but the step is not recorded. Whoever sends the same checkout to this node then gets it finished.
 */
@RestController
class WorkerController {

    private static final String STEP = "create_account";

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private static final Duration PAUSE = Duration.ofMillis(50);

    private final Semaphore oneAtATime = new Semaphore(1);

    private final WorkerSettings settings;

    private final Accounts accounts;

    WorkerController(WorkerSettings settings, Accounts accounts) {
        this.settings = settings;
        this.accounts = accounts;
    }

    @PostMapping("/api/workers")
    KilledWorker kill(@RequestHeader("Idempotency-Key") String key, @Valid @RequestBody Order order)
            throws IOException, InterruptedException {
        if (!oneAtATime.tryAcquire()) {
            throw new ResponseStatusException(HttpStatus.CONFLICT, "Another worker is about to be killed");
        }
        try (WorkerProcess worker = new WorkerProcess(settings)) {
            await(worker::isReady);
            long before = accounts.count(order.orderId());
            CompletableFuture<?> answer =
                    worker.checkout(key, JsonMapper.shared().writeValueAsString(order));
            // The row may also be that of the gateway's webhook, which can come before the charge is recorded.
            await(() -> answer.isDone() || (accounts.count(order.orderId()) > before && worker.hasBegun(STEP)));
            if (answer.isDone()) {
                throw new ResponseStatusException(
                        HttpStatus.CONFLICT, "The key was used before; nothing was to be done");
            }
            Process killed = worker.kill();
            return new KilledWorker(killed.pid(), killed.exitValue(), STEP);
        } finally {
            oneAtATime.release();
        }
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > PATIENCE.toNanos()) {
                throw new ResponseStatusException(
                        HttpStatus.GATEWAY_TIMEOUT,
                        "The worker has not come to its second step within " + PATIENCE.toMinutes() + " minutes");
            }
            Thread.sleep(PAUSE.toMillis());
        }
    }
}
