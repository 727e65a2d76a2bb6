// SPDX-License-Identifier: Apache-2.0
// See command_filter.h.
#include "shell/command_filter.h"

#include <algorithm>

namespace coterie::app {

void CommandFilter::setCommands(CommandList* commands) {
    if (commands == commands_) return;
    commands_ = commands;
    setSourceModel(commands);
    Q_EMIT commandsChanged();
}

void CommandFilter::setWords(const QString& words) {
    if (words == words_) return;
    words_ = words;
    invalidateFilter();
    Q_EMIT wordsChanged();
}

bool CommandFilter::filterAcceptsRow(int row, const QModelIndex& parent) const {
    if (!commands_ || parent.isValid()) return false;
    const Command& command = commands_->all()[static_cast<size_t>(row)];
    if (command.local || command.id == QStringLiteral("window.palette")) return false; // the palette is open
    const QString text = command.group + u' ' + command.title;
    const QStringList words = words_.split(u' ', Qt::SkipEmptyParts);
    return std::all_of(words.begin(), words.end(),
                       [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

} // namespace coterie::app
