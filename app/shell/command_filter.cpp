// SPDX-License-Identifier: Apache-2.0
// See command_filter.h.
#include "shell/command_filter.h"

#include <algorithm>

namespace coterie::app {
namespace {

constexpr int kByPageWords = 4, kOnItsPage = 5, kNowhere = 6; // see distance()

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
    if (rowCount() > 0) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, 0), {CommandList::TitleRole, SearchRole});
    Q_EMIT wordsChanged();
}

bool CommandFilter::filterAcceptsRow(int row, const QModelIndex& parent) const {
    if (!commands_ || parent.isValid()) return false;
    const Command& command = commandAt(row);
    if (command.local || command.id == QStringLiteral("window.palette")) return false; // the palette is open
    return distance(command) < kNowhere;
}

bool CommandFilter::lessThan(const QModelIndex& left, const QModelIndex& right) const {
    const int a = distance(commandAt(left.row())), b = distance(commandAt(right.row()));
    return a != b ? a < b : left.row() < right.row();
}

/// How far the words are from the command's title, from 0 on: a group gives all its commands the same words.
int CommandFilter::distance(const Command& command) const {
    const QString words = words_.simplified();
    if (command.title.compare(words, Qt::CaseInsensitive) == 0) return 0;
    if (command.title.startsWith(words, Qt::CaseInsensitive)) return 1;
    if (hasAll(command.title, words)) return 2;
    if (hasAll(command.group + u' ' + command.title, words)) return 3;
    if (!command.pageWords.isEmpty() && hasAll(command.title + u' ' + command.pageWords, words)) return kByPageWords;
    const bool found = std::any_of(command.found.begin(), command.found.end(),
                                   [&](const QString& text) { return hasAll(text, words); });
    return found ? kOnItsPage : kNowhere;
}

int CommandFilter::firstPossible() const {
    const auto distanceOf = [this](int row) { return distance(commandAt(mapToSource(index(row, 0)).row())); };
    for (int row = 0; row < rowCount() && distanceOf(row) == distanceOf(0); ++row)
        if (index(row, 0).data(CommandList::EnabledRole).toBool()) return row;
    return 0;
}

QVariant CommandFilter::data(const QModelIndex& index, int role) const {
    const bool titled = role == CommandList::TitleRole || role == Qt::DisplayRole;
    if (!commands_ || !index.isValid() || (!titled && role != SearchRole))
        return QSortFilterProxyModel::data(index, role);
    const Command& command = commandAt(mapToSource(index).row());
    const QString search = distance(command) == kOnItsPage ? words_.simplified() : QString();
    if (role == SearchRole) return search;
    return search.isEmpty() ? QSortFilterProxyModel::data(index, role)
                            : tr("%1: %2", "a page, and the words to find there").arg(command.title, search);
}

QHash<int, QByteArray> CommandFilter::roleNames() const {
    QHash<int, QByteArray> names = QSortFilterProxyModel::roleNames();
    names.insert(SearchRole, "search");
    return names;
}

} // namespace coterie::app
