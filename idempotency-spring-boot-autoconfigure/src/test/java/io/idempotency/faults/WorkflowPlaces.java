package io.idempotency.faults;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Where a workflow finds what it needs.
 *
 * @param records where the store is
 * @param systems where the other systems are
 */
record WorkflowPlaces(StoreAddress records, URI systems) {

    private static final int ARGUMENTS_OF_RECORDS = 6;

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
