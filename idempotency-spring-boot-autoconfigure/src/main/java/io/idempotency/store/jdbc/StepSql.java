package io.idempotency.store.jdbc;

/** Writes the statements about steps in the language of one database. */
record StepSql(JdbcDialect dialect) {

    /** Finds no row, but fails when the table or a column is missing. */
    String check() {
        return """
                SELECT record_id, generation, id, name, state, fingerprint, attempt, recorded_at, result
                FROM {step}
                WHERE 1 = 0
                """;
    }

    /** Binds the record of a running claim to its fingerprint, by its owner, unless it is bound. */
    String bind() {
        return bindAnyway() + " AND bound = :no";
    }

    /** Binds the record of a running claim to its fingerprint, by its owner, and locks it so, also if it is bound. */
    String bindAnyway() {
        return """
                UPDATE {record}
                SET bound = :yes
                WHERE id = :id AND owner = :owner AND state = 1\
                """;
    }

    /** Binds the record of a running claim to its fingerprint and starts the lease anew, by its owner. */
    String bindAndRenew() {
        return """
                UPDATE {record}
                SET bound = :yes, lease_until = %s
                WHERE id = :id AND owner = :owner AND state = 1
                """.formatted(dialect.nowPlus("lease"));
    }

    /** Locks a record that is in doubt at {@code :attempt}, and changes nothing. */
    String lockDoubt() {
        return """
                UPDATE {record}
                SET bound = bound
                WHERE id = :id AND attempt = :attempt AND state = 4
                """;
    }

    /** Records anew what is recorded of a step already. */
    String update() {
        return """
                UPDATE {step}
                SET name = :name, state = :state, fingerprint = :fingerprint, attempt = :attempt, recorded_at = %s,
                    result = :outcome
                WHERE record_id = :id AND id = :step AND generation = (%s)
                """.formatted(dialect.now(), ownedGeneration());
    }

    /** Forgets a step. */
    String forget() {
        return """
                DELETE FROM {step}
                WHERE record_id = :id AND id = :step AND generation = (%s)
                """.formatted(ownedGeneration());
    }

    /** The generation of the record of a running claim, which is locked by its owner. */
    private String ownedGeneration() {
        return """
                SELECT generation
                FROM {record}
                WHERE id = :id AND owner = :owner AND state = 1
                %s\
                """.formatted(dialect.rowLock().orElse(""));
    }

    /** Reads the steps of the generation that stands. */
    String read() {
        return """
                SELECT id, name, state, fingerprint, attempt, result
                FROM {step}
                WHERE record_id = :id AND generation = (SELECT generation FROM {record} WHERE id = :id)
                """;
    }

    /** Forgets the steps of the generations before the one that stands. */
    String forgetEarlierGenerations() {
        return """
                DELETE FROM {step}
                WHERE record_id = :id AND generation < (SELECT generation FROM {record} WHERE id = :id)
                """;
    }

    /** Gives a step that has no end its result, of a record that is in doubt at {@code :attempt}. */
    String resolve() {
        return """
                UPDATE {step}
                SET state = 2, recorded_at = %s, result = :outcome
                WHERE record_id = :id AND id = :step AND state = 1 AND generation = (
                    SELECT generation
                    FROM {record}
                    WHERE id = :id AND attempt = :attempt AND state = 4
                    %s)
                """.formatted(dialect.now(), dialect.rowLock().orElse(""));
    }

    /** Forgets the steps that have no end, of a record that is locked. */
    String forgetRunning() {
        return """
                DELETE FROM {step}
                WHERE record_id = :id AND state = 1
                """;
    }
}
