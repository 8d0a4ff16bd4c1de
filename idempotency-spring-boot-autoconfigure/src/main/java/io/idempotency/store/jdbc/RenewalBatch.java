package io.idempotency.store.jdbc;

import io.idempotency.core.Claim;
import io.idempotency.core.RecordState;
import io.idempotency.core.Renewal;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Renews many claims in one batch. */
final class RenewalBatch {

    private final JdbcStatements statements;

    RenewalBatch(JdbcStatements statements) {
        this.statements = statements;
    }

    /**
     * Renews claims and says of each what became of it.
     *
     * <p>In the order of the keys: some drivers send a batch as one transaction, and two of those that lock rows in
     * different orders would wait for each other.
     */
    Map<Claim, Renewal> renew(Connection connection, Collection<Claim> claims) throws SQLException {
        List<Claim> ordered = new ArrayList<>(claims);
        ordered.sort(Comparator.comparing(claim -> claim.identity().hex()));
        int[] renewed = statements
                .renew()
                .updateEach(
                        connection, ordered.stream().map(RecordParameters::of).toList());
        Map<Claim, Renewal> answers = new HashMap<>();
        for (int index = 0; index < renewed.length; index++) {
            Claim claim = ordered.get(index);
            answers.put(claim, answer(connection, claim, renewed[index]));
        }
        return answers;
    }

    private Renewal answer(Connection connection, Claim claim, int renewed) throws SQLException {
        // Some drivers do not count the rows of a batch, if they are told to be fast.
        boolean isRenewed = renewed == Statement.SUCCESS_NO_INFO
                ? statements.renew().update(connection, RecordParameters.of(claim))
                : renewed == 1;
        return isRenewed ? Renewal.RENEWED : whyNot(connection, claim);
    }

    /** A record that was not renewed and is still the owner's was locked. */
    private Renewal whyNot(Connection connection, Claim claim) throws SQLException {
        Map<String, Object> parameters = new HashMap<>(RecordParameters.of(claim));
        parameters.put("state", RecordState.IN_PROGRESS.code());
        return statements.isOwned(connection, parameters) ? Renewal.BUSY : Renewal.LOST;
    }
}
