package io.idempotency.faults;

/** The points of the protocol at which a JVM is stopped or killed. */
enum Point {
    BEFORE_CLAIM,
    AFTER_CLAIM,

    /** Transactional operations only: the transaction is open. */
    BEFORE_LOCK,

    /** Transactional operations only. */
    AFTER_LOCK,

    /** In the work, which has written its row in a transaction that is open. */
    BEFORE_COMMIT,

    /** In the work, which has committed its row; not in transactional operations. */
    AFTER_COMMIT,

    /** The work has ended. */
    BEFORE_RECORDING,

    /** Transactional operations only: the outcome is written in a transaction that is open. */
    BEFORE_COMMIT_OF_RECORD,

    /** The outcome is recorded, and nobody has been told yet. */
    AFTER_RECORDING
}
