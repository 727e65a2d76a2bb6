// SPDX-License-Identifier: Apache-2.0
// See setting_step.h.
#include "settings/setting_step.h"

#include "settings/settings.h"

#include <utility>

namespace coterie::app {

SettingPlace programPlace(Settings* settings) {
    const auto read = [settings](const QStringList& keys) -> engine::Result<SettingValues> {
        SettingValues values;
        for (const QString& key : keys)
            values.insert(key,
                          settings->changedFromDefault(key) ? settings->value(key) : QJsonValue(QJsonValue::Undefined));
        return values;
    };
    const auto write = [settings](const SettingValues& values) -> engine::Status {
        for (const auto& [key, value] : values.asKeyValueRange())
            settings->setValue(key, value.isUndefined() ? settingRow(key).usual : value);
        return {};
    };
    return {.read = read, .write = write};
}

SettingPlace modelPlace(Settings* settings, const QString& model) {
    return objectPlace([settings, model]() -> engine::Result<QJsonObject> { return settings->modelSettings(model); },
                       [settings, model](const QJsonObject& all) -> engine::Status {
                           settings->setModelSettings(model, all);
                           return {};
                       });
}

SettingPlace objectPlace(std::function<engine::Result<QJsonObject>()> read,
                         std::function<engine::Status(const QJsonObject& all)> write) {
    const auto readKeys = [read](const QStringList& keys) -> engine::Result<SettingValues> {
        const auto all = read();
        if (!all) return all.error();
        SettingValues values;
        for (const QString& key : keys) values.insert(key, all->value(key));
        return values;
    };
    const auto writeKeys = [read = std::move(read),
                            write = std::move(write)](const SettingValues& values) -> engine::Status {
        auto all = read();
        if (!all) return all.error();
        for (const auto& [key, value] : values.asKeyValueRange()) all->insert(key, value); // undefined: removes it
        return write(*all);
    };
    return {.read = readKeys, .write = writeKeys};
}

engine::Result<std::optional<Undoable>> changeSettings(const SettingPlace& place, const SettingValues& values,
                                                       Undoable words) {
    const QStringList keys = values.keys();
    const auto found = place.read(keys);
    if (!found) return found.error();
    const SettingValues before = *found;
    if (before == values) return std::optional<Undoable>();
    if (const engine::Status written = place.write(values); !written) return written.error();
    const auto kept = place.read(keys); // a value out of its range was clamped
    if (!kept) return kept.error();
    const SettingValues after = *kept;
    if (after == before) return std::optional<Undoable>();
    words.undo = [place, before] { return place.write(before); };
    words.redo = [place, after] { return place.write(after); };
    words.stands = [place, before] {
        const auto later = place.read(before.keys());
        return later && *later != before;
    };
    return std::optional<Undoable>(std::move(words));
}

} // namespace coterie::app
