// SPDX-License-Identifier: Apache-2.0
// Changes values of settings as a step that can be undone. Every part of the program that offers to undo such a change
// makes its step here. Lives on the GUI thread.
//
//     const auto step = changeSettings(programPlace(settings), {{key, value}}, {.title = tr("Change the theme")});
//     if (step && *step) Q_EMIT done(**step);
#pragma once

#include "common/undo_stack.h"

#include "base/result.h"

#include <QHash>
#include <QJsonObject>
#include <QJsonValue>
#include <QString>
#include <QStringList>

#include <functional>
#include <optional>

namespace coterie::app {

class Settings;

/// Values by key. One that is undefined is not set in its place.
using SettingValues = QHash<QString, QJsonValue>;

/// A place that keeps values of settings. It does not change with what is in view, so that it is still the same when
/// the step is undone. The objects that its functions use must outlive the step.
struct SettingPlace {
    /// Returns the values of these keys.
    std::function<engine::Result<SettingValues>(const QStringList& keys)> read;
    /// Writes these values and leaves the others as they are. A value that is undefined is taken away.
    std::function<engine::Status(const SettingValues& values)> write;
};

/// The program's own settings. A key with its default value counts as not set.
SettingPlace programPlace(Settings* settings);
/// The settings of a model's answers, see Settings::modelSettings().
SettingPlace modelPlace(Settings* settings, const QString& model);
/// A place that keeps all of its values as one object.
SettingPlace objectPlace(std::function<engine::Result<QJsonObject>()> read,
                         std::function<engine::Status(const QJsonObject& all)> write);

/// Writes the values, and returns the step that did it, of which `words` has the texts; no step if nothing has changed.
engine::Result<std::optional<Undoable>> changeSettings(const SettingPlace& place, const SettingValues& values,
                                                       Undoable words);

} // namespace coterie::app
