-- One row for each operation that was claimed, looked up by its primary key alone. Copy this file into your own
-- migrations. If you change the prefix of the names, set idempotency.jdbc.table-prefix as well.
CREATE TABLE IF NOT EXISTS idempotency_record (
    -- SHA-256 of namespace, operation, scope and key. The key itself is not kept.
    id             BINARY(32)          NOT NULL,
    -- The name of the operation, cut to 255 characters: for people, nothing looks it up.
    operation      VARCHAR(255)        NOT NULL,
    -- 1 in progress, 2 completed, 3 retryable, 4 in doubt
    state          SMALLINT            NOT NULL,
    -- Who holds the claim or held it last, null once an operator has decided about the record.
    owner          BINARY(16),
    -- Counts the claims that were granted, never going back while the row lives.
    attempt        BIGINT              NOT NULL,
    -- Counts how often the row was claimed anew after it had expired.
    generation     BIGINT              NOT NULL,
    -- One byte for the version, then the digest of what was asked.
    fingerprint    BINARY(33)          NOT NULL,
    -- Whether steps were recorded, so that even a retryable record keeps its fingerprint.
    bound          BOOLEAN             NOT NULL,
    -- Whether the record is in doubt, rather than free, when its holder vanishes.
    hold_abandoned BOOLEAN             NOT NULL,
    -- The end of the claim unless it is renewed, null when nobody holds it.
    lease_until    TIMESTAMP(6) WITH TIME ZONE,
    -- When the row may be deleted, null means never.
    expires_at     TIMESTAMP(6) WITH TIME ZONE,
    -- What every retry gets.
    outcome        BINARY LARGE OBJECT,
    PRIMARY KEY (id)
);

-- For the deletion of expired rows.
CREATE INDEX IF NOT EXISTS idempotency_record_expires_at ON idempotency_record (expires_at);

-- One row for each step that was recorded of an operation. It goes with the row of the operation.
CREATE TABLE IF NOT EXISTS idempotency_step (
    record_id   BINARY(32)   NOT NULL,
    -- That of the operation, whose next one begins without steps.
    generation  BIGINT       NOT NULL,
    -- SHA-256 of name and item. The item itself is not kept.
    id          BINARY(32)   NOT NULL,
    -- The name of the step: for people, nothing looks it up.
    name        VARCHAR(255) NOT NULL,
    -- 1 running, 2 done
    state       SMALLINT     NOT NULL,
    -- One byte for the version, then the digest of the arguments.
    fingerprint BINARY(33)   NOT NULL,
    -- The attempt of the operation that recorded the step.
    attempt     BIGINT       NOT NULL,
    -- When that was.
    recorded_at TIMESTAMP(6) WITH TIME ZONE NOT NULL,
    -- What the step gave, null unless it is done.
    result      BINARY LARGE OBJECT,
    PRIMARY KEY (record_id, generation, id),
    FOREIGN KEY (record_id) REFERENCES idempotency_record (id) ON DELETE CASCADE
);
