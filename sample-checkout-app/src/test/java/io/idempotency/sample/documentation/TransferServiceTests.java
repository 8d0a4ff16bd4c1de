package io.idempotency.sample.documentation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.idempotency.sample.documentation.TransferService.Receipt;
import io.idempotency.sample.documentation.TransferService.Transfer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

@SpringBootTest(
        webEnvironment = WebEnvironment.NONE,
        properties = {
            "spring.config.name=none",
            "spring.flyway.enabled=false",
            "spring.datasource.generate-unique-name=true",
            "idempotency.store=jdbc"
        })
class TransferServiceTests {

    @Autowired
    private TransferService transfers;

    @Autowired
    private JdbcClient database;

    @BeforeEach
    void openAccounts() {
        database.sql("CREATE TABLE IF NOT EXISTS account (name VARCHAR(9) PRIMARY KEY, cents BIGINT)")
                .update();
        database.sql("MERGE INTO account VALUES ('ada', 500), ('bob', 0)").update();
    }

    @Test
    void aTransferThatIsSentTwiceIsMadeOnce() {
        Transfer transfer = new Transfer("transfer_1", "ada", "bob", 200);

        Receipt receipt = transfers.transfer(transfer);

        assertThat(transfers.transfer(transfer)).isEqualTo(receipt);
        assertThat(cents("ada")).isEqualTo(300);
        assertThat(cents("bob")).isEqualTo(200);
    }

    @Test
    void aTransferThatFailsHasNoEffectAndMayBeSentAgain() {
        Transfer transfer = new Transfer("transfer_2", "ada", "eve", 200);

        assertThatIllegalArgumentException().isThrownBy(() -> transfers.transfer(transfer));
        assertThat(cents("ada")).isEqualTo(500);
        database.sql("INSERT INTO account VALUES ('eve', 0)").update();

        assertThat(transfers.transfer(transfer)).isEqualTo(new Receipt("transfer_2"));
        assertThat(cents("ada")).isEqualTo(300);
    }

    private long cents(String account) {
        return database.sql("SELECT cents FROM account WHERE name = ?")
                .param(account)
                .query(Long.class)
                .single();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        TransferService transferService(JdbcClient database) {
            return new TransferService(database);
        }
    }
}
