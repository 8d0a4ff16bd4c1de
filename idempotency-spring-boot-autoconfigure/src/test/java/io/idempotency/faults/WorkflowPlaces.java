package io.idempotency.faults;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Where a workflow finds what it needs. The rows that it writes are beside the records, if those are in a database.
 *
 * @param records where the store is
 * @param systems where the other systems are
 */
record WorkflowPlaces(StoreAddress records, URI systems) {

    private static final int ARGUMENTS_OF_RECORDS = 6;

    /** Makes places that no other test uses, with the table of the rows if they have any. */
    static WorkflowPlaces of(StoreAddress.Kind kind, URI systems) {
        WorkflowPlaces places = new WorkflowPlaces(kind.address(), systems);
        if (places.haveRows()) {
            places.jdbc().execute("CREATE TABLE effect (workflow VARCHAR(100), step VARCHAR(100))");
        }
        return places;
    }

    /** Says whether steps can write rows beside the records. */
    boolean haveRows() {
        return records.kind() != StoreAddress.Kind.REDIS;
    }

    /** Returns how many rows a step of a workflow has written. */
    int rows(WorkflowCall call, String step) {
        return count("SELECT count(*) FROM effect WHERE workflow = ? AND step = ?", call.key(), step);
    }

    /** Returns how many records there are of a step: one, or none. */
    int recordsOf(WorkflowCall call, String step) {
        return count(
                "SELECT count(*) FROM idempotency_step WHERE record_id = ? AND name = ?",
                call.identity().digest(),
                step);
    }

    private int count(String query, Object... arguments) {
        return Objects.requireNonNull(jdbc().queryForObject(query, Integer.class, arguments));
    }

    private JdbcTemplate jdbc() {
        return new JdbcTemplate(records.dataSource());
    }

    /** Returns it and some calls in the form of arguments for a main method, which follow its directory. */
    List<String> toArguments(List<WorkflowCall> calls) {
        List<String> arguments = new ArrayList<>(records.toArguments());
        arguments.add(systems.toString());
        calls.forEach(call -> arguments.add(call.toArgument()));
        return arguments;
    }

    static WorkflowPlaces ofArguments(String... arguments) {
        return new WorkflowPlaces(
                StoreAddress.ofArguments(List.of(arguments).subList(1, 1 + ARGUMENTS_OF_RECORDS)),
                URI.create(arguments[1 + ARGUMENTS_OF_RECORDS]));
    }

    static List<WorkflowCall> callsOf(String... arguments) {
        return Stream.of(arguments)
                .skip(2 + ARGUMENTS_OF_RECORDS)
                .map(WorkflowCall::ofArgument)
                .toList();
    }
}
