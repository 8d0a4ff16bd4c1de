package io.idempotency.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.idempotency.core.Claim;
import io.idempotency.core.ClaimOutcome;
import io.idempotency.core.Fingerprint;
import io.idempotency.core.IdempotencyStoreException;
import io.idempotency.core.Identity;
import io.idempotency.core.Ownership;
import io.idempotency.core.StepIdentity;
import io.idempotency.core.StepRecord;
import io.idempotency.core.StepState;
import io.idempotency.testsupport.PreparedStatements;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What happens inside of a statement that writes a step, when it has read to whom the record belongs and has not written
 * yet. H2 lets a function look into that, whether it locks what it reads or reads an old version as others do.
 */
@ParameterizedClass
@EnumSource(names = {"H2", "GENERIC"})
class LateStepsTests {

    private static final StepIdentity CHARGE = StepIdentity.of("charge", null);

    @Parameter
    private TestDatabase.Product product;

    private final Identity identity = Claims.newIdentity();

    private TestDatabase database;

    private JdbcIdempotencyStore others;

    private JdbcIdempotencyStore writer;

    @BeforeEach
    void open() {
        database = product.open();
        database.jdbc().execute("CREATE ALIAS MEANWHILE FOR '%s.happens'".formatted(Meanwhile.class.getName()));
        database.waitForLocksBriefly();
        others = database.openStore();
        DataSource watched = new PreparedStatements(
                database.application(),
                sql -> sql.contains("idempotency_step")
                        ? sql.replaceFirst("(?<=SELECT (id, )?)generation", "MEANWHILE(generation)")
                        : sql);
        writer = database.openStore(watched, new JdbcStoreSettings("idempotency_", 0, Duration.ofSeconds(20)));
    }

    @AfterEach
    void close() {
        writer.close();
        others.close();
        database.close();
    }

    @Test
    void nobodyTakesARecordOverWhoseStepIsBeingRecorded() {
        Claim holder = abandoned();

        Ownership ownership = meanwhile(this::claim, () -> writer.recordStep(holder, done(holder)));

        assertThat(ownership).isEqualTo(Ownership.OWNED);
        assertThat(steps()).extracting(StepRecord::state).containsExactly(StepState.DONE);
    }

    @Test
    void nobodyTakesARecordOverWhoseStepIsBeingRecordedAnew() {
        Claim holder = abandoned();
        others.recordStep(holder, running(holder));

        Ownership ownership = meanwhile(this::claim, () -> writer.recordStep(holder, done(holder)));

        assertThat(ownership).isEqualTo(Ownership.OWNED);
        assertThat(steps()).extracting(StepRecord::state).containsExactly(StepState.DONE);
    }

    @Test
    void nobodyTakesARecordOverWhoseStepIsBeingForgotten() {
        Claim holder = abandoned();
        others.recordStep(holder, running(holder));

        Ownership ownership = meanwhile(this::claim, () -> writer.forgetStep(holder, CHARGE));

        assertThat(ownership).isEqualTo(Ownership.OWNED);
        assertThat(steps()).isEmpty();
    }

    @Test
    void nobodyEndsADoubtWhoseStepIsBeingResolved() {
        Claim holder = Claims.granted(others, identity);
        others.recordStep(holder, running(holder));
        others.hold(holder);

        boolean resolved = meanwhile(
                () -> others.release(holder, Claims.RETENTION),
                () -> writer.resolveStep(identity, holder.attempt(), CHARGE, Claims.OUTCOME));

        assertThat(resolved).isTrue();
        assertThat(others.release(holder, Claims.RETENTION)).isEqualTo(Ownership.OWNED);
        assertThat(steps()).extracting(StepRecord::state).containsExactly(StepState.DONE);
    }

    /** Does what is denied to others while a statement is under way. */
    private static <T> T meanwhile(Supplier<Object> denied, Supplier<T> verb) {
        AtomicReference<@Nullable Object> answer = new AtomicReference<>();
        Meanwhile.others.set(() -> answer.set(answer(denied)));
        T result = verb.get();

        assertThat(answer.get()).isInstanceOfAny(IdempotencyStoreException.class, ClaimOutcome.InProgress.class);
        return result;
    }

    private static Object answer(Supplier<Object> verb) {
        try {
            return verb.get();
        } catch (IdempotencyStoreException lockedOut) {
            return lockedOut;
        }
    }

    /** What a statement does between its reading and its writing. */
    public static final class Meanwhile {

        private static final AtomicReference<@Nullable Runnable> others = new AtomicReference<>();

        private Meanwhile() {}

        /** Called by the database. */
        public static long happens(long generation) {
            Runnable once = others.getAndSet(null);
            if (once != null) {
                once.run();
            }
            return generation;
        }
    }

    private Claim abandoned() {
        Claim claim = Claims.granted(others, identity);
        database.expireLeases();
        return claim;
    }

    private Object claim() {
        return others.claim(Claims.request(identity));
    }

    private List<StepRecord> steps() {
        return ((ClaimOutcome.Granted) others.claim(Claims.request(identity))).steps();
    }

    private static StepRecord running(Claim claim) {
        return new StepRecord(CHARGE, StepState.RUNNING, Fingerprint.none(), claim.attempt(), null);
    }

    private static StepRecord done(Claim claim) {
        return running(claim).done(Claims.OUTCOME);
    }
}
