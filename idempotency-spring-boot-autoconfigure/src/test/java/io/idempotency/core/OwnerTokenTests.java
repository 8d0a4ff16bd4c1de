package io.idempotency.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class OwnerTokenTests {

    @Test
    void itsBytesAreItsBitsInTheirOrder() {
        OwnerToken token = new OwnerToken(0x0102030405060708L, 0x090a0b0c0d0e0f10L);

        assertThat(token.toBytes()).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
        assertThat(token).hasToString("01020304-0506-0708-090a-0b0c0d0e0f10");
    }

    @Test
    void itIsRestoredFromItsBytes() {
        OwnerToken token = OwnerToken.random();

        assertThat(OwnerToken.ofBytes(token.toBytes())).isEqualTo(token);
        assertThatIllegalArgumentException().isThrownBy(() -> OwnerToken.ofBytes(new byte[15]));
    }
}
