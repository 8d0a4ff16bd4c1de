package io.idempotency.autoconfigure;

/** The stores that can be chosen by the property {@code idempotency.store}. */
public enum StoreType {

    /** A table in a database. */
    JDBC,

    /** A Redis server. */
    REDIS,

    /** The memory of this JVM, for development and tests. */
    MEMORY
}
