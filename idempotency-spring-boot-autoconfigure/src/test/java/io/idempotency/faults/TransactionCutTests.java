package io.idempotency.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idempotency.core.IdempotencyStoreException;
import io.idempotency.core.IdempotentResult;
import io.idempotency.faults.TcpProxy.Fault;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.transaction.TransactionException;

/**
 * The connection of a transactional operation is cut at each statement that is about its record. Whatever its caller is
 * told, the next call leaves one booking.
 */
@Tag("faults")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TransactionCutTests {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Map<StoreAddress.Kind, CutShop> shops = new EnumMap<>(StoreAddress.Kind.class);

    private String key;

    @BeforeEach
    void newKey() {
        key = UUID.randomUUID().toString();
    }

    @AfterAll
    void close() {
        shops.values().forEach(CutShop::close);
    }

    static Stream<Arguments> cuts() {
        return Stream.of(StoreAddress.Kind.POSTGRES, StoreAddress.Kind.MARIADB)
                .flatMap(kind -> Stream.of(Fault.CUT_BEFORE_REQUEST, Fault.CUT_BEFORE_REPLY, Fault.CUT_IN_REPLY)
                        .map(cut -> Arguments.of(kind, cut)));
    }

    @ParameterizedTest
    @MethodSource("cuts")
    void nothingRunsWhereTheLockIsCut(StoreAddress.Kind kind, Fault cut) {
        CutShop shop = shop(kind);
        shop.cut(cut, Point.BEFORE_LOCK, shop.marker(key));

        assertThatBookingFails(shop, IdempotencyStoreException.class);
        assertThat(shop.past.executions(key)).isZero();

        assertThatTheNextCallBooks(shop, 1);
    }

    @ParameterizedTest
    @MethodSource("cuts")
    void allIsUndoneWhereTheRecordingIsCut(StoreAddress.Kind kind, Fault cut) {
        CutShop shop = shop(kind);
        shop.cut(cut, Point.BEFORE_RECORDING, shop.marker(key));

        assertThatBookingFails(shop, IdempotencyStoreException.class);

        assertThatTheNextCallBooks(shop, 2);
    }

    @ParameterizedTest
    @MethodSource("cuts")
    void theRecordTellsWhetherACommitThatIsCutTookEffect(StoreAddress.Kind kind, Fault cut) {
        CutShop shop = shop(kind);
        shop.cut(cut, Point.BEFORE_COMMIT_OF_RECORD, "COMMIT".getBytes(StandardCharsets.US_ASCII));

        if (cut == Fault.CUT_BEFORE_REQUEST) {
            assertThatBookingFails(shop, TransactionException.class);
            assertThatTheNextCallBooks(shop, 2);
        } else {
            IdempotentResult<String> booked = shop.throughProxy.book(key, Duration.ZERO);
            assertThat(booked.replayed()).isFalse();
            assertThat(shop.trap.isSprung()).isTrue();
            assertThat(shop.past.book(key, PATIENCE).replayed()).isTrue();
            assertThatBookedOnce(shop, 1);
        }
    }

    private void assertThatBookingFails(CutShop shop, Class<? extends Exception> failure) {
        assertThatThrownBy(() -> shop.throughProxy.book(key, Duration.ZERO)).isInstanceOf(failure);
        assertThat(shop.trap.isSprung()).isTrue();
        assertThat(shop.past.bookings(key)).isZero();
    }

    private void assertThatTheNextCallBooks(CutShop shop, int executions) {
        IdempotentResult<String> booked = shop.past.book(key, PATIENCE);
        assertThat(booked.replayed()).isFalse();
        assertThat(booked.attempt()).isEqualTo(2);
        assertThatBookedOnce(shop, executions);
    }

    private void assertThatBookedOnce(CutShop shop, int executions) {
        assertThat(shop.past.executions(key)).isEqualTo(executions);
        assertThat(shop.past.bookings(key)).isOne();
    }

    private CutShop shop(StoreAddress.Kind kind) {
        return shops.computeIfAbsent(kind, CutShop::new);
    }

    /** A shop behind a proxy, and another past it. */
    private static final class CutShop implements AutoCloseable {

        private final StoreAddress address;

        private final TcpProxy proxy;

        private final BookingShop past;

        private final BookingShop throughProxy;

        private volatile Point point = Point.BEFORE_LOCK;

        private volatile Trap trap;

        CutShop(StoreAddress.Kind kind) {
            BookingShop.Places places = BookingShop.Places.of(kind, true);
            address = places.records();
            proxy = address.newProxy();
            past = new BookingShop(places, reached -> {});
            throughProxy = new BookingShop(places.through(proxy), this::reached);
        }

        /** At this point of the next execution, the next request that holds the marker is cut. */
        void cut(Fault cut, Point at, byte[] marker) {
            point = at;
            trap = new Trap(cut, marker, 1);
        }

        private void reached(Point reached) {
            if (reached == point) {
                proxy.disturb(trap);
            }
        }

        byte[] marker(String key) {
            return address.marker(BookingShop.identity(key));
        }

        @Override
        public void close() {
            List.of(throughProxy, past).forEach(BookingShop::close);
            proxy.close();
        }
    }
}
