package io.idempotency.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The walk of the documentation in which a node is killed, where the shell has what its script needs. */
@Tag("faults")
@Tag("faults-long")
class KillScriptTests {

    @Test
    void theScriptKillsANodeAndAnotherOneFinishesItsCheckout() throws IOException, InterruptedException {
        assumeThat(List.of("bash", "curl", "openssl")).allMatch(KillScriptTests::isInstalled);
        Process script = script(Map.of(
                "CLASS_PATH",
                System.getProperty("java.class.path"),
                "PATIENCE",
                "300",
                "PORT_A",
                String.valueOf(ShopProcess.freePort()),
                "PORT_B",
                String.valueOf(ShopProcess.freePort()),
                "PORT_SIMULATORS",
                String.valueOf(ShopProcess.freePort())));

        String output = new String(script.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(script.waitFor()).as(output).isZero();
        assertThat(output)
                .contains(
                        "killed in the step create_account: 1 charge, 1 account, 0 mail",
                        "has finished it: 1 charge, 1 account, 1 mail");
        List<String> answers = output.lines()
                .filter(line -> line.contains("\"orderNumber\""))
                .map(String::strip)
                .toList();
        assertThat(answers).hasSize(2);
        assertThat(answers.get(1)).isEqualTo(answers.get(0));
    }

    private static Process script(Map<String, String> variables) throws IOException {
        ProcessBuilder script = new ProcessBuilder(
                        "bash",
                        "kill-worker.sh",
                        "--spring.datasource.url=jdbc:h2:file:./target/" + ShopClient.unique("killed")
                                + ";WRITE_DELAY=0;AUTO_SERVER=TRUE")
                .redirectErrorStream(true);
        script.environment().putAll(variables);
        return script.start();
    }

    private static boolean isInstalled(String program) {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(directory -> new File(directory, program).canExecute());
    }
}
