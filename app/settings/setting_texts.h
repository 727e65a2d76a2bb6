// SPDX-License-Identifier: Apache-2.0
// The words of the pages of settings about each setting: its title, an explanation, its unit, and words by which a
// search finds it. It also lists what stands on these pages without being a setting, so that a search finds that too.
// The types and ranges of the values are in setting_table.h. Plain values: any thread.
//
//     const SettingText& text = settingText(QStringLiteral("temperature"));
#pragma once

#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace coterie::app {

enum class SettingKind {
    Choice,   ///< one of a few texts, or on and off
    Number,   ///< a field
    Slider,   ///< a number in percent
    LongText, ///< a text of several lines
    Lines,    ///< a list of texts, one a line
    Special,  ///< shown by an item of its own
};

struct SettingText {
    QString key;
    SettingKind kind = SettingKind::Special;
    QString title;
    QString hint{};
    QString synonyms{};            ///< further words by which a search finds it
    bool advanced = false;         ///< shown only if all settings are, or if a search finds it
    bool ofAnswers = false;        ///< it is no setting, but it changes those of answers
    QString unit{};                ///< behind the field
    QString label{};               ///< name of the control for screen readers; empty: the title
    double scale = 1;              ///< the value is the number shown times this
    int decimals = 0;              ///< decimals of the number shown
    double least = 0;              ///< the range of the number shown, which may be narrower than that of the value
    double most = 0;               ///< see least
    double step = 1;               ///< distance between two values of a slider
    std::optional<double> empty{}; ///< the number that an empty field stands for
    QString emptyText{};           ///< stands in the empty field
    QStringList options{};         ///< names of the choices, in the order of SettingRow::choices; of a truth: on, off
};

/// The list is made in the user's language when it is first asked for.
const std::vector<SettingText>& settingTexts();
/// Returns the text of a key that is in the list.
const SettingText& settingText(const QString& key);

} // namespace coterie::app
