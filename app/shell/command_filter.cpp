// SPDX-License-Identifier: Apache-2.0
// See command_filter.h.
#include "shell/command_filter.h"

#include <algorithm>

namespace coterie::app {
namespace {

/// Whether the text has each of the words, in any case and order.
bool hasAll(const QString& text, const QString& words) {
    const QStringList all = words.split(u' ', Qt::SkipEmptyParts);
    return std::all_of(all.begin(), all.end(),
                       [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

} // namespace

void CommandFilter::setCommands(CommandList* commands) {
    if (commands == commands_) return;
    commands_ = commands;
    setSourceModel(commands);
    sort(0);
    Q_EMIT commandsChanged();
}

void CommandFilter::setWords(const QString& words) {
    if (words == words_) return;
    words_ = words;
    invalidate();
    Q_EMIT wordsChanged();
}

bool CommandFilter::filterAcceptsRow(int row, const QModelIndex& parent) const {
    if (!commands_ || parent.isValid()) return false;
    const Command& command = commands_->all()[static_cast<size_t>(row)];
    if (command.local || command.id == QStringLiteral("window.palette")) return false; // the palette is open
    return hasAll(command.group + u' ' + command.title, words_);
}

bool CommandFilter::lessThan(const QModelIndex& left, const QModelIndex& right) const {
    const int a = distance(left), b = distance(right);
    return a != b ? a < b : left.row() < right.row();
}

/// How far the words are from the command's title, from 0 on: a group gives all its commands the same words.
int CommandFilter::distance(const QModelIndex& source) const {
    const QString& title = commands_->all()[static_cast<size_t>(source.row())].title;
    const QString words = words_.simplified();
    if (title.compare(words, Qt::CaseInsensitive) == 0) return 0;
    if (title.startsWith(words, Qt::CaseInsensitive)) return 1;
    return hasAll(title, words) ? 2 : 3;
}

} // namespace coterie::app
