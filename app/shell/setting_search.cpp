// SPDX-License-Identifier: Apache-2.0
// See setting_search.h. There are a few dozen settings, so each change goes through all of them.
#include "shell/setting_search.h"

#include "settings/setting_table.h"
#include "settings/setting_texts.h"

#include <algorithm>

namespace coterie::app {
namespace {

bool belongsToAnswers(const SettingText& setting) {
    const std::vector<SettingRow>& table = settingTable();
    return setting.ofAnswers || std::any_of(table.begin(), table.end(), [&](const SettingRow& row) {
               return row.key == setting.key && row.scope == SettingScope::Answer;
           });
}

} // namespace

SettingSearch::SettingSearch(QObject* parent) : QObject(parent) {
    connect(this, &SettingSearch::wishesChanged, this, &SettingSearch::find);
    find();
}

QString SettingSearch::wordsFor(const QString& key) { return settingText(key).title; }

void SettingSearch::find() {
    words_ = text_.toCaseFolded().split(u' ', Qt::SkipEmptyParts);
    shown_.clear();
    for (const SettingText& setting : settingTexts()) {
        if (absent_.contains(setting.key) || (answersOnly_ && !belongsToAnswers(setting))) continue;
        const QString text = (setting.title + u' ' + setting.hint + u' ' + setting.synonyms).toCaseFolded();
        const bool found =
            std::all_of(words_.begin(), words_.end(), [&](const QString& word) { return text.contains(word); });
        if (searching() ? found : advanced_ || !setting.advanced) shown_.append(setting.key);
    }
    Q_EMIT changed();
}

} // namespace coterie::app
