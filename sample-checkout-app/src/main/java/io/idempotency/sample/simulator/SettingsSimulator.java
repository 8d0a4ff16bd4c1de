package io.idempotency.sample.simulator;

/** Shows and changes, at {@code /settings}, how the simulated systems behave. */
final class SettingsSimulator implements Simulator {

    private final CurrentSettings settings;

    SettingsSimulator(CurrentSettings settings) {
        this.settings = settings;
    }

    @Override
    public Reply answer(Call call) {
        if (call.method().equals("PUT")) {
            SettingsDocument document = new SettingsDocument(call.body());
            Settings changed = document.read();
            if (!document.errors().isEmpty()) {
                return Reply.refused(400, "The settings are incomplete or not valid", document.errors());
            }
            settings.set(changed);
        }
        return Reply.ok(settings.get());
    }
}
