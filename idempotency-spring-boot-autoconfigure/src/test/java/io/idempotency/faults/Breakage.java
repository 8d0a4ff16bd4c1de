package io.idempotency.faults;

import java.util.List;

/**
 * How a text that a store sends to its server is broken on the way.
 *
 * @param marker what the text contains, and no other; empty where there is no such text
 * @param rightAndWrong what is replaced, by what, and so on; not every text has all of it
 */
record Breakage(String marker, List<String> rightAndWrong) {

    static final Breakage NONE = new Breakage("", List.of());

    static Breakage statement(String marker, String... rightAndWrong) {
        return new Breakage(marker, List.of(rightAndWrong));
    }

    /** @param verb the name of the script, with which it begins */
    static Breakage script(String verb, String... rightAndWrong) {
        return new Breakage("\n-- " + verb, List.of(rightAndWrong));
    }

    boolean isPlanned() {
        return !marker.isEmpty();
    }

    boolean isOf(String text) {
        return isPlanned() && text.contains(marker);
    }

    /** Returns the text as it is sent. */
    String applyTo(String text) {
        if (!isOf(text)) {
            return text;
        }
        String broken = text;
        for (int index = 0; index < rightAndWrong.size(); index += 2) {
            broken = broken.replace(rightAndWrong.get(index), rightAndWrong.get(index + 1));
        }
        return broken;
    }
}
