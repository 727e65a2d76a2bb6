// SPDX-License-Identifier: Apache-2.0
// See setting_search.h. There are a few dozen settings, so each change goes through all of them.
#include "shell/setting_search.h"

#include "settings/setting_table.h"
#include "settings/setting_texts.h"

#include <algorithm>

namespace coterie::app {
namespace {

bool belongsToAnswers(const QString& key) {
    const std::vector<SettingRow>& table = settingTable();
    return std::any_of(table.begin(), table.end(),
                       [&](const SettingRow& row) { return row.key == key && row.scope == SettingScope::Answer; });
}

} // namespace

void SettingSearch::setText(const QString& text) {
    if (text == text_) return;
    text_ = text;
    words_ = text.toCaseFolded().split(u' ', Qt::SkipEmptyParts);
    find();
}

void SettingSearch::setAdvanced(bool advanced) {
    if (advanced == advanced_) return;
    advanced_ = advanced;
    find();
}

void SettingSearch::setAnswersOnly(bool answersOnly) {
    if (answersOnly == answersOnly_) return;
    answersOnly_ = answersOnly;
    find();
}

void SettingSearch::setAbsent(const QStringList& absent) {
    if (absent == absent_) return;
    absent_ = absent;
    find();
}

void SettingSearch::find() {
    shown_.clear();
    for (const SettingText& setting : settingTexts()) {
        if (absent_.contains(setting.key) || (answersOnly_ && !belongsToAnswers(setting.key))) continue;
        const QString text = (setting.title + u' ' + setting.hint + u' ' + setting.synonyms).toCaseFolded();
        const bool found =
            std::all_of(words_.begin(), words_.end(), [&](const QString& word) { return text.contains(word); });
        if (searching() ? found : advanced_ || !setting.advanced) shown_.append(setting.key);
    }
    Q_EMIT changed();
}

} // namespace coterie::app
