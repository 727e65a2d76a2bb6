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

/// Whether the word occurs at the beginning of a word of the text. In scripts without small letters, of which some
/// write no spaces between words, that is everywhere.
bool hasBeginning(const QString& text, const QString& word) {
    for (qsizetype at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
        const QChar before = at > 0 ? text[at - 1] : QChar();
        if (!before.isLower() && !before.isDigit()) return true;
    }
    return false;
}

bool hasAnywhere(const QString& text, const QString& word) { return text.contains(word); }

} // namespace

SettingSearch::SettingSearch(QObject* parent) : QObject(parent) {
    connect(this, &SettingSearch::wishesChanged, this, &SettingSearch::find);
    find();
}

QString SettingSearch::wordsFor(const QString& key) { return settingText(key).title; }

void SettingSearch::find() {
    words_ = text_.toCaseFolded().split(u' ', Qt::SkipEmptyParts);
    collect(hasBeginning);
    if (count() == 0) collect(hasAnywhere);
    Q_EMIT changed();
}

void SettingSearch::collect(Has has) {
    const auto found = [this, has](const QString& text) {
        const QString folded = text.toCaseFolded();
        return std::all_of(words_.begin(), words_.end(), [&](const QString& word) { return has(folded, word); });
    };
    shown_.clear();
    pages_.clear();
    for (const SettingText& setting : settingTexts()) {
        if (absent_.contains(setting.key) || (answersOnly_ && !belongsToAnswers(setting))) continue;
        const QString text = setting.title + u' ' + setting.hint + u' ' + setting.synonyms;
        if (searching() ? found(text) : advanced_ || !setting.advanced) shown_.append(setting.key);
    }
    if (commands_ == nullptr || !searching()) return;
    for (const Command& command : commands_->all())
        if (!command.pageWords.isEmpty() && found(command.title + u' ' + command.pageWords))
            pages_.append(
                QVariantMap{{QStringLiteral("command"), command.id}, {QStringLiteral("title"), command.title}});
}

} // namespace coterie::app
