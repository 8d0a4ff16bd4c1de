package io.idempotency.sample.simulator;

import tools.jackson.databind.json.JsonMapper;

/** Shows and changes, at {@code /settings}, how the simulated systems behave. */
final class SettingsSimulator implements Simulator {

    private final CurrentSettings settings;

    SettingsSimulator(CurrentSettings settings) {
        this.settings = settings;
    }

    @Override
    public Reply answer(Call call) {
        if (call.method().equals("PUT")) {
            settings.set(JsonMapper.shared().treeToValue(call.body(), Settings.class));
        }
        return Reply.ok(settings.get());
    }
}
