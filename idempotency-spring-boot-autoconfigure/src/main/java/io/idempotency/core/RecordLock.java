package io.idempotency.core;

/** What a store answers when a record is to be locked by its owner. */
public enum RecordLock {

    /** The record is locked until the transaction ends: nobody takes it over so long, whatever its lease. */
    LOCKED,

    /** Another holder has taken over, or the record is gone. */
    LOST,

    /** The record was written at this moment, which this transaction must not see: the same in a new one may succeed. */
    CONFLICT
}
