// SPDX-License-Identifier: Apache-2.0
// The pictures of the settings by scope, of presets, and of the search in settings.
#include "settings/presets.h"
#include "shots.h"

namespace coterie::tests {
namespace {

using Prepare = std::function<void(WindowFixture&)>;

/// Opens the page with values in every scope.
void withValues(WindowFixture& fixture, app::Pages::Page page, bool all) {
    talk(fixture);
    app::App& app = *fixture.app();
    app.settings()->systemPrompt = QStringLiteral("Answer briefly.");
    app.settings()->allSettings = all;
    app.settings()->setModelSettings(app.models()->settingsKey(), {{QStringLiteral("topK"), 20}});
    app::Conversation& chat = *app.conversation();
    if (!chat.setOwnSettings(chat.chatId(),
                             {{app::kPresetKey, QStringLiteral("precise")}, {QStringLiteral("maxTokens"), 400}}))
        qFatal("not kept");
    settle();
    app.pages()->open(page);
    settle();
}

Prepare chatPage(bool all) {
    return [all](WindowFixture& fixture) { withValues(fixture, app::Pages::ChatSettings, all); };
}

Prepare searching(const QString& words) {
    return [words](WindowFixture& fixture) {
        withValues(fixture, app::Pages::Settings, false);
        QQuickItem* field = awaited(fixture, QStringLiteral("Search in settings"), QAccessible::EditableText);
        field->forceActiveFocus(Qt::TabFocusReason);
        field->setProperty("text", words);
    };
}

/// Chooses a scope by its radio button.
Prepare inScope(const QString& scope) {
    return [scope](WindowFixture& fixture) {
        withValues(fixture, app::Pages::ChatSettings, false);
        awaited(fixture, scope, QAccessible::RadioButton)->forceActiveFocus(Qt::TabFocusReason);
        key(fixture, Qt::Key_Space);
    };
}

/// A model with a memory budget of its own: the row of all models says so, further up.
void modelsOwnBudget(WindowFixture& fixture) {
    constexpr double kMebi = 1024 * 1024;
    withValues(fixture, app::Pages::Settings, true);
    fixture.app()->settings()->setModelSettings(fixture.app()->models()->settingsKey(),
                                                {{QStringLiteral("memoryBudget"), 1536 * kMebi}});
    awaited(fixture, QStringLiteral("This model"), QAccessible::RadioButton)->forceActiveFocus(Qt::TabFocusReason);
    key(fixture, Qt::Key_Space);
}

/// The row for what computes, after somebody looked for graphics processors and found these.
Prepare withDevices(std::vector<engine::DeviceInfo> found, const QString& chosen = {}) {
    return [found, chosen](WindowFixture& fixture) {
        fixture.setDevices({.list = [found] { return found; }});
        withValues(fixture, app::Pages::Settings, true);
        app::DeviceList& devices = *fixture.app()->devices();
        fixture.app()->settings()->device = chosen;
        devices.look();
        waitUntil([&devices] { return devices.looked(); });
        QQuickItem* field = awaited(fixture, QStringLiteral("Search in settings"), QAccessible::EditableText);
        field->setProperty("text", QStringLiteral("graphics"));
    };
}

const std::vector<engine::DeviceInfo> kCards{
    {.name = "vulkan:0", .description = "AMD Radeon RX 7600 (RADV NAVI33), Mesa 24.3", .memory = uint64_t{8} << 30},
    {.name = "vulkan:1",
     .description = "Intel(R) HD Graphics 520 (SKL GT2)",
     .problem = "No driver for Vulkan is installed, or none that works"},
    {.name = "vulkan:2", .description = "llvmpipe (LLVM 15.0.6, 256 bits), Mesa 24.3", .simulated = true},
};

} // namespace

QList<Shot> settingShots() {
    const QSize tall{1180, 1400};
    return {
        {.name = "chat-settings", .prepare = chatPage(false)},
        {.name = "chat-settings-all", .size = tall, .script = "from-disk", .prepare = chatPage(true)},
        {.name = "chat-settings-all-dark",
         .size = tall,
         .theme = "dark",
         .script = "from-disk",
         .prepare = chatPage(true)},
        {.name = "chat-settings-large-narrow", .size = {640, 900}, .scale = 2, .prepare = chatPage(false)},
        {.name = "settings-search", .script = "from-disk", .prepare = searching(QStringLiteral("sampling"))},
        {.name = "settings-search-nothing", .prepare = searching(QStringLiteral("xyzzy"))},
        {.name = "settings-search-nothing-dark-large",
         .size = {640, 640},
         .theme = "dark",
         .scale = 1.6,
         .prepare = searching(QStringLiteral("xyzzy"))},
        {.name = "settings-presets", .prepare = inScope(QStringLiteral("Presets"))},
        {.name = "settings-presets-dark", .theme = "dark", .prepare = inScope(QStringLiteral("Presets"))},
        {.name = "settings-model", .prepare = inScope(QStringLiteral("This model"))},
        {.name = "settings-devices", .prepare = withDevices(kCards, QStringLiteral("vulkan:0"))},
        {.name = "settings-devices-dark-large",
         .size = {640, 900},
         .theme = "dark",
         .scale = 1.6,
         .prepare = withDevices(kCards)},
        {.name = "settings-devices-gone", .prepare = withDevices({}, QStringLiteral("vulkan:0"))},
        {.name = "settings-devices-none", .prepare = withDevices({})},
        {.name = "settings-model-budget", .size = {1180, 3000}, .prepare = modelsOwnBudget},
    };
}

} // namespace coterie::tests
