package io.idempotency.sample.ledger;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;
import tools.jackson.databind.JsonNode;

/** Shows what the shop and the systems around it did, side by side. */
@RestController
class LedgerController {

    private final ShopLedgers shops;

    private final RestClient simulators;

    private final CallCounter calls;

    LedgerController(ShopLedgers shops, RestClient simulators, CallCounter calls) {
        this.shops = shops;
        this.simulators = simulators;
        this.calls = calls;
    }

    @GetMapping("/api/ledger")
    Ledger ledger(@RequestParam(required = false) @Nullable String orderId) {
        JsonNode outside = Objects.requireNonNull(simulators
                .get()
                .uri(uri -> orderId == null
                        ? uri.path("/ledger").build()
                        : uri.path("/ledger").queryParam("orderId", "{id}").build(orderId))
                .retrieve()
                .body(JsonNode.class));
        // After the systems around it: what the shop told the gateway that it has taken is in its tables by then.
        ShopLedger shop = shops.read(orderId);
        return new Ledger(
                outside.at("/charges/count").asLong(),
                shop.accounts().count(),
                shop.invoices().count(),
                outside.at("/mails/count").asLong(),
                calls.executions(),
                calls.replays(),
                calls.conflicts(),
                shop,
                outside);
    }
}
