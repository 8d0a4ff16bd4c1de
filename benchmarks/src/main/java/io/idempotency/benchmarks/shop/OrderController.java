package io.idempotency.benchmarks.shop;

import io.idempotency.annotation.Idempotent;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Two handlers that do the same and next to nothing, so that what is around them shows as much as it can. */
@RestController
class OrderController {

    private final AtomicLong orders = new AtomicLong();

    record Item(String article, int quantity) {}

    record Order(long id, String article, int quantity) {}

    @PostMapping("/orders")
    Order create(@RequestBody Item item) {
        return new Order(orders.incrementAndGet(), item.article(), item.quantity());
    }

    @PostMapping("/protected-orders")
    @Idempotent
    Order createOnce(@RequestBody Item item) {
        return new Order(orders.incrementAndGet(), item.article(), item.quantity());
    }
}
