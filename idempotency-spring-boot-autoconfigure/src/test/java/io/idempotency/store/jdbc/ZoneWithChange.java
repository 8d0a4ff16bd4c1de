package io.idempotency.store.jdbc;

import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.time.zone.ZoneRulesProvider;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;

/** A time zone whose clocks are set forward or back by an hour at a moment of one's choice. */
record ZoneWithChange(Direction direction, Instant change) {

    /** What happens to the clocks. */
    enum Direction {
        FORWARD(0, 1),
        BACK(1, 0);

        private final ZoneOffset before;

        private final ZoneOffset after;

        Direction(int hoursBefore, int hoursAfter) {
            this.before = ZoneOffset.ofHours(hoursBefore);
            this.after = ZoneOffset.ofHours(hoursAfter);
        }
    }

    private static final AtomicInteger zones = new AtomicInteger();

    ZoneWithChange(Direction direction, Duration untilChange) {
        this(direction, Instant.ofEpochSecond(Instant.now().plus(untilChange).getEpochSecond()));
    }

    /** Makes it known to a database and returns the statement that sets it in a session. */
    String useIn(TestDatabase database) {
        return switch (database.dialect().platform()) {
            case "postgresql" -> "SET TIME ZONE '" + posix() + "'";
            case "mariadb", "mysql" -> "SET time_zone = '" + addTo(database.jdbc()) + "'";
            // H2 and what is H2 in disguise.
            default -> "SET TIME ZONE '" + addToJava() + "'";
        };
    }

    /**
     * In the manner of POSIX: standard time, daylight saving time, when that begins and when it ends. One of the two is the
     * change; the other is half a year away.
     */
    private String posix() {
        LocalDateTime local = LocalDateTime.ofInstant(change, direction.before);
        String now = rule(local);
        String later = rule(local.plusDays(180));
        return "AAA0BBB-1," + (direction == Direction.FORWARD ? now + "," + later : later + "," + now);
    }

    /** The day of the year, counted from 0, and the time. */
    private static String rule(LocalDateTime local) {
        return "%d/%tT".formatted(local.getDayOfYear() - 1, local);
    }

    /** Adds it to the time zones of MariaDB or MySQL, which have none unless somebody loads them, and returns its name. */
    private String addTo(JdbcTemplate jdbc) {
        String name = newName();
        jdbc.execute((ConnectionCallback<int[]>) connection -> {
            try (Statement statement = connection.createStatement()) {
                for (String insert : List.of(
                        "mysql.time_zone (Use_leap_seconds) VALUES ('N')",
                        "mysql.time_zone_name (Name, Time_zone_id) VALUES ('%s', LAST_INSERT_ID())".formatted(name),
                        "mysql.time_zone_transition_type (Time_zone_id, Transition_type_id, `Offset`)"
                                + " VALUES (LAST_INSERT_ID(), 0, %d), (LAST_INSERT_ID(), 1, %d)"
                                        .formatted(
                                                direction.before.getTotalSeconds(), direction.after.getTotalSeconds()),
                        "mysql.time_zone_transition (Time_zone_id, Transition_time, Transition_type_id)"
                                + " VALUES (LAST_INSERT_ID(), 0, 0), (LAST_INSERT_ID(), %d, 1)"
                                        .formatted(change.getEpochSecond()))) {
                    statement.addBatch("INSERT INTO " + insert);
                }
                return statement.executeBatch();
            }
        });
        return name;
    }

    /** Adds it to the time zones of Java, and with them to those of H2, and returns its name. */
    private String addToJava() {
        String name = newName();
        LocalDateTime local = LocalDateTime.ofInstant(change, direction.before);
        ZoneRules rules = ZoneRules.of(
                direction.before,
                direction.before,
                List.of(),
                List.of(ZoneOffsetTransition.of(local, direction.before, direction.after)),
                List.of());
        ZoneRulesProvider.registerProvider(new OneZone(name, rules));
        return name;
    }

    private static String newName() {
        return "Test/Change-" + zones.incrementAndGet();
    }

    private static final class OneZone extends ZoneRulesProvider {

        private final String name;

        private final ZoneRules rules;

        OneZone(String name, ZoneRules rules) {
            this.name = name;
            this.rules = rules;
        }

        @Override
        protected Set<String> provideZoneIds() {
            return Set.of(name);
        }

        @Override
        protected ZoneRules provideRules(String zone, boolean forCaching) {
            return rules;
        }

        @Override
        protected NavigableMap<String, ZoneRules> provideVersions(String zone) {
            return new TreeMap<>(Map.of("1", rules));
        }
    }
}
