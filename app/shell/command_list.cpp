// SPDX-License-Identifier: Apache-2.0
// See command_list.h.
#include "shell/command_list.h"

#include <QKeySequence>

#include <algorithm>

namespace coterie::app {
namespace {

bool isEnabled(const Command& command) { return !command.enabled || command.enabled(); }

QString titleOf(const Command& command) {
    const QString full = command.fullTitle ? command.fullTitle() : QString();
    return full.isEmpty() ? command.title : full;
}

/// Returns the keys as this system writes them.
QStringList shownKeys(const Command& command) {
    QStringList shown;
    for (const QString& keys : command.keys)
        shown.append(QKeySequence(keys, QKeySequence::PortableText).toString(QKeySequence::NativeText));
    return shown;
}

} // namespace

void CommandList::add(Command command) {
    Q_ASSERT(find(command.id) == nullptr);
    const int row = count();
    beginInsertRows({}, row, row);
    commands_.push_back(std::move(command));
    endInsertRows();
}

void CommandList::refresh() {
    if (!commands_.empty()) Q_EMIT dataChanged(index(0), index(count() - 1), {EnabledRole, TitleRole, Qt::DisplayRole});
}

const Command* CommandList::find(const QString& id) const {
    const auto found = std::find_if(commands_.begin(), commands_.end(), [&](const Command& c) { return c.id == id; });
    return found == commands_.end() ? nullptr : &*found;
}

bool CommandList::run(const QString& id) {
    const Command* command = find(id);
    if (command == nullptr || command->local || !isEnabled(*command)) return false;
    if (command->run)
        command->run();
    else
        Q_EMIT wanted(id);
    Q_EMIT ran(id);
    return true;
}

QString CommandList::title(const QString& id) const {
    const Command* command = find(id);
    return command == nullptr ? QString() : titleOf(*command);
}

QString CommandList::tip(const QString& text, const QString& id) const {
    const Command* command = find(id);
    const QString words = text.isEmpty() ? title(id) : text;
    if (command == nullptr || command->keys.isEmpty()) return words;
    return tr("%1 (%2)", "what a button does (its key)").arg(words, shownKeys(*command).constFirst());
}

QVariant CommandList::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
    const Command& command = commands_[static_cast<size_t>(index.row())];
    switch (role) {
    case CommandIdRole:
        return command.id;
    case HeadingRole:
        return index.row() > 0 && commands_[static_cast<size_t>(index.row()) - 1].group == command.group
                   ? QString()
                   : command.group;
    case Qt::DisplayRole:
    case TitleRole:
        return titleOf(command);
    case KeysRole:
        return command.local ? QStringList() : command.keys;
    case ShownKeysRole:
        return shownKeys(command);
    case EnabledRole:
        return isEnabled(command);
    default:
        return {};
    }
}

} // namespace coterie::app
