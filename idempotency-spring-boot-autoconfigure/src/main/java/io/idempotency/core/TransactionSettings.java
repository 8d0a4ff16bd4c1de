package io.idempotency.core;

import java.time.Duration;
import java.util.Optional;

/**
 * The transaction in which a transactional operation writes its record and its rows.
 *
 * @param manager names the transaction manager by bean name or qualifier; empty: the one that is meant when nothing is said
 * @param isolation one of the constants of {@code java.sql.Connection}, such as 2 for READ COMMITTED, or
 *     {@value #DATABASE_ISOLATION} for the default of the database
 * @param timeout how long the transaction may last; empty: until max-duration, which is the limit in any case
 */
public record TransactionSettings(Optional<String> manager, int isolation, Optional<Duration> timeout) {

    /** Stands for the default isolation of the database. */
    public static final int DATABASE_ISOLATION = -1;

    /** What holds where nothing is said. */
    public static final TransactionSettings DEFAULT =
            new TransactionSettings(Optional.empty(), DATABASE_ISOLATION, Optional.empty());
}
