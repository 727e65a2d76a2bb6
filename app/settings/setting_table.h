// SPDX-License-Identifier: Apache-2.0
// The settings as one table: the key, type, range and default value of each, and where it may be set. Settings keeps
// the program's values in a file; ChatSettings puts those of a model, a preset and a chat above them. Plain values: any
// thread.
#pragma once

#include <QJsonValue>
#include <QString>
#include <QStringList>

#include <vector>

namespace coterie::app {

enum class SettingScope {
    Program, ///< the program has one value
    Opening, ///< used when a model is opened: a model can have a value of its own
    Answer,  ///< resolved for each answer: a model, a preset and a chat can have values of their own
};

struct SettingRow {
    QString key;
    QJsonValue usual;      ///< the default value, whose JSON type is the setting's type
    double least = 0;      ///< the range of a number
    double most = 0;       ///< see least
    bool whole = false;    ///< a number without a fraction
    QStringList choices{}; ///< the possible texts; empty: any text
    bool texts = false;    ///< a list of texts, none of them empty
    SettingScope scope = SettingScope::Program;

    /// Returns the possible value that is nearest to `wanted`; the default value if it has another type.
    QJsonValue accepted(const QJsonValue& wanted) const;
};

const std::vector<SettingRow>& settingTable();
/// Returns the row of a key that is in the table.
const SettingRow& settingRow(const QString& key);

} // namespace coterie::app
