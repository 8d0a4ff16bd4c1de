package io.idempotency.store.jdbc;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.Version;

/** A row that a business operation writes. */
@Entity
@Table(name = "booking")
class Booking {

    @Id
    private Integer number;

    @Version
    private Integer version;

    protected Booking() {}

    Booking(int number) {
        this.number = number;
    }

    Integer version() {
        return version;
    }
}
