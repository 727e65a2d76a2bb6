// SPDX-License-Identifier: Apache-2.0
// The rows and the selection; chat_list_actions.cpp has the actions. After each change the rows that the list should
// have are computed, and the steps that lead there are emitted: one for a change of one chat.
#include "chats/chat_list_model.h"

#include <QDate>
#include <QHash>

#include <algorithm>

namespace coterie::app {
namespace {

/// The section "week" covers the last seven days, including today and yesterday.
constexpr qint64 kWeekDays = 7;
/// With more steps than this, views are faster if they make all rows again.
constexpr size_t kMostSteps = 64;

QString dayOf(const QDateTime& time) {
    const qint64 days = time.date().daysTo(QDate::currentDate());
    if (days <= 0) return QStringLiteral("today");
    if (days == 1) return QStringLiteral("yesterday");
    return days < kWeekDays ? QStringLiteral("week") : QStringLiteral("older");
}

bool sameRow(const ChatEntry& a, const ChatEntry& b) { return a.same(b); }

} // namespace

ChatListModel::ChatListModel(QObject* parent) : RowList(parent) {}

void ChatListModel::setStore(ChatStore* store) {
    store_ = store;
    refreshAll();
}

void ChatListModel::setSort(const QString& sort) {
    ChatSort wanted = ChatSort::Used;
    if (sort == QStringLiteral("title")) wanted = ChatSort::Title;
    if (sort == QStringLiteral("created")) wanted = ChatSort::Created;
    if (wanted == order_.sort()) return;
    beginResetModel();
    order_.setSort(wanted);
    rows_ = order_.entries();
    endResetModel();
}

void ChatListModel::refreshAll() {
    if (!store_) return;
    auto chats = store_->chats();
    auto folders = store_->folders().list();
    if (!chats || !folders) return Q_EMIT failed(ErrorInfo(!chats ? chats.error() : folders.error()));
    beginResetModel();
    order_.setChats(std::move(*chats));
    order_.setFolders(std::move(*folders));
    rows_ = order_.entries();
    endResetModel();
    Q_EMIT countChanged();
    Q_EMIT foldersChanged();
}

void ChatListModel::refresh(qint64 chatId) { refreshMany({chatId}); }

void ChatListModel::refreshMany(const Chats& chats) {
    if (!store_) return;
    QSet<qint64> kept = selected_;
    for (const qint64 id : chats) {
        const auto chat = store_->chat(id);
        if (chat) {
            order_.put(*chat);
        } else {
            order_.remove(id);
            kept.remove(id);
        }
    }
    rearrange();
    for (const qint64 id : chats) emitChanged({.place = ChatEntry::Place::Loose, .id = id}, {});
    emitFolders();
    select(kept);
}

void ChatListModel::readFolders() {
    auto folders = store_->folders().list();
    if (!folders) return Q_EMIT failed(ErrorInfo(folders.error()));
    order_.setFolders(std::move(*folders));
    rearrange();
    emitFolders();
    Q_EMIT foldersChanged();
}

/// Brings the rows into the order that they should have.
void ChatListModel::rearrange() {
    std::vector<ChatEntry> wanted = order_.entries();
    QHash<qint64, ChatEntry::Place> places; // known before views read the section of a row that moves
    for (const ChatEntry& entry : wanted) places.insert(2 * entry.id + (entry.isFolder() ? 1 : 0), entry.place);
    for (ChatEntry& row : rows_) row.place = places.value(2 * row.id + (row.isFolder() ? 1 : 0), row.place);
    const size_t least = std::min(rows_.size(), wanted.size());
    size_t head = 0, tail = 0;
    while (head < least && rows_[head].same(wanted[head])) ++head;
    while (tail < least - head && rows_[rows_.size() - 1 - tail].same(wanted[wanted.size() - 1 - tail])) ++tail;
    const size_t before = rows_.size() - head - tail, after = wanted.size() - head - tail;
    const auto at = [](size_t place) { return static_cast<int>(place); };
    if (before == 0 && after > 0) {
        beginInsertRows({}, at(head), at(head + after - 1));
        rows_ = std::move(wanted);
        endInsertRows();
        return Q_EMIT countChanged();
    }
    if (after == 0 && before > 0) {
        beginRemoveRows({}, at(head), at(head + before - 1));
        rows_ = std::move(wanted);
        endRemoveRows();
        return Q_EMIT countChanged();
    }
    if (before == after && before > 1) {
        const auto old = rows_.begin() + static_cast<ptrdiff_t>(head),
                   neu = wanted.begin() + static_cast<ptrdiff_t>(head);
        const auto count = static_cast<ptrdiff_t>(before);
        if (std::equal(old + 1, old + count, neu, sameRow))
            moveRow(head, head + before - 1);
        else if (std::equal(old, old + count - 1, neu + 1, sameRow))
            moveRow(head + before - 1, head);
    }
    rearrangeFar(std::move(wanted));
}

/// The same for several rows: those that are gone are removed, then each that is missing is inserted, and each that is
/// elsewhere moved.
void ChatListModel::rearrangeFar(std::vector<ChatEntry> wanted) {
    const size_t countBefore = rows_.size();
    const auto keyOf = [](const ChatEntry& entry) { return 2 * entry.id + (entry.isFolder() ? 1 : 0); };
    QSet<qint64> kept;
    for (const ChatEntry& entry : wanted) kept.insert(keyOf(entry));
    size_t steps = 0;
    for (size_t row = rows_.size(); row-- > 0 && steps <= kMostSteps;) {
        if (kept.contains(keyOf(rows_[row]))) continue;
        ++steps;
        beginRemoveRows({}, static_cast<int>(row), static_cast<int>(row));
        rows_.erase(rows_.begin() + static_cast<ptrdiff_t>(row));
        endRemoveRows();
    }
    for (size_t row = 0; row < wanted.size() && steps <= kMostSteps; ++row) {
        if (row < rows_.size() && rows_[row].same(wanted[row])) continue;
        ++steps;
        if (const int from = find(wanted[row]); from >= 0) {
            moveRow(static_cast<size_t>(from), row);
        } else {
            beginInsertRows({}, static_cast<int>(row), static_cast<int>(row));
            rows_.insert(rows_.begin() + static_cast<ptrdiff_t>(row), wanted[row]);
            endInsertRows();
        }
    }
    if (steps > kMostSteps) {
        beginResetModel();
        rows_ = std::move(wanted);
        endResetModel();
    } else {
        rows_ = std::move(wanted); // the same rows, with their new places
    }
    if (rows_.size() != countBefore) Q_EMIT countChanged();
}

void ChatListModel::moveRow(size_t from, size_t to) {
    const auto source = static_cast<int>(from), target = static_cast<int>(to);
    if (source == target) return;
    beginMoveRows({}, source, source, {}, target > source ? target + 1 : target);
    const auto first = rows_.begin();
    if (target < source)
        std::rotate(first + target, first + source, first + source + 1);
    else
        std::rotate(first + source, first + source + 1, first + target + 1);
    endMoveRows();
}

int ChatListModel::find(const ChatEntry& entry) const {
    const auto row = std::find_if(rows_.begin(), rows_.end(), [&](const ChatEntry& e) { return e.same(entry); });
    return row == rows_.end() ? -1 : static_cast<int>(row - rows_.begin());
}

/// No roles: all of them.
void ChatListModel::emitChanged(const ChatEntry& entry, const QList<int>& roles) {
    const int row = find(entry);
    if (row >= 0) Q_EMIT dataChanged(index(row), index(row), roles);
}

void ChatListModel::emitFolders() {
    for (const FolderRow& folder : order_.folders())
        emitChanged({.place = ChatEntry::Place::Folder, .id = folder.id}, {TitleRole, FoldedRole, ChatCountRole});
}

void ChatListModel::setCurrentChatId(qint64 chatId) {
    if (chatId == current_) return;
    const qint64 before = std::exchange(current_, chatId);
    for (const qint64 changed : {before, chatId})
        emitChanged({.place = ChatEntry::Place::Loose, .id = changed}, {CurrentRole});
}

/// Puts the chat among those that are marked in this role, or takes it out.
void ChatListModel::mark(QSet<qint64>& marked, qint64 chatId, bool is, Roles role) {
    if (is == marked.contains(chatId)) return;
    if (is)
        marked.insert(chatId);
    else
        marked.remove(chatId);
    emitChanged({.place = ChatEntry::Place::Loose, .id = chatId}, {role});
}

void ChatListModel::setUnread(qint64 chatId, bool unread) {
    const ChatRow* chat = order_.chat(chatId);
    if (!store_ || !chat || chat->unread == unread) return;
    const engine::Status kept = store_->setUnread(chatId, unread);
    if (!kept) return Q_EMIT failed(ErrorInfo(kept.error()));
    refresh(chatId);
}

QVariant ChatListModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
    const ChatEntry& entry = rows_[static_cast<size_t>(index.row())];
    if (role == SectionRole) return sectionOf(entry);
    return entry.isFolder() ? folderData(entry, role) : chatData(entry, role);
}

QVariant ChatListModel::folderData(const ChatEntry& entry, int role) const {
    const FolderRow* folder = order_.folder(entry.id);
    if (!folder) return {}; // its row is just being removed
    switch (role) {
    case ChatIdRole:
        return 0;
    case FolderIdRole:
        return folder->id;
    case Qt::DisplayRole:
    case TitleRole:
        return folder->name;
    case FoldedRole:
        return folder->folded;
    case ChatCountRole:
        return order_.chatsIn(folder->id);
    case CurrentRole:
    case AnsweringRole:
    case UnreadRole:
    case PinnedRole:
    case InFolderRole:
    case SelectedRole:
        return false;
    default:
        return {};
    }
}

QVariant ChatListModel::chatData(const ChatEntry& entry, int role) const {
    const ChatRow* chat = order_.chat(entry.id);
    if (!chat) return {}; // its row is just being removed
    switch (role) {
    case ChatIdRole:
        return chat->id;
    case Qt::DisplayRole:
    case TitleRole:
        return chat->title;
    case UpdatedRole:
        return chat->updated;
    case CurrentRole:
        return chat->id == current_;
    case AnsweringRole:
        return answering_.contains(chat->id);
    case AskingRole:
        return asking_.contains(chat->id);
    case UnreadRole:
        return chat->unread;
    case PinnedRole:
        return chat->pinned;
    case InFolderRole:
        return entry.place == ChatEntry::Place::InFolder;
    case SelectedRole:
        return selected_.contains(chat->id);
    case FolderIdRole:
    case ChatCountRole:
        return 0;
    case FoldedRole:
        return false;
    default:
        return {};
    }
}

/// Chats that are sorted by title have no days. Then they have a heading only if another section is above them.
QString ChatListModel::sectionOf(const ChatEntry& entry) const {
    switch (entry.place) {
    case ChatEntry::Place::Pinned:
        return QStringLiteral("pinned");
    case ChatEntry::Place::Folder:
    case ChatEntry::Place::InFolder:
        return QStringLiteral("folders");
    case ChatEntry::Place::Loose:
        break;
    }
    const ChatRow* chat = order_.chat(entry.id);
    if (!chat) return {};
    if (order_.sort() == ChatSort::Title) return QStringLiteral("chats");
    return dayOf(order_.sort() == ChatSort::Created ? chat->created : chat->updated);
}

bool ChatListModel::isPinned(qint64 chatId) const {
    const ChatRow* chat = order_.chat(chatId);
    return chat && chat->pinned;
}

QVariantList ChatListModel::folders() const {
    QVariantList list;
    for (const FolderRow& folder : order_.folders())
        list.append(QVariantMap{{QStringLiteral("id"), folder.id}, {QStringLiteral("name"), folder.name}});
    return list;
}

void ChatListModel::select(const QSet<qint64>& chats) {
    if (chats == selected_) return;
    const QSet<qint64> before = std::exchange(selected_, chats);
    for (size_t row = 0; row < rows_.size(); ++row) {
        const ChatEntry& entry = rows_[row];
        if (entry.isFolder() || before.contains(entry.id) == chats.contains(entry.id)) continue;
        const QModelIndex changed = index(static_cast<int>(row));
        Q_EMIT dataChanged(changed, changed, {SelectedRole});
    }
    Q_EMIT selectionChanged();
}

void ChatListModel::toggleSelected(int row) {
    if (row < 0 || row >= count() || rows_[static_cast<size_t>(row)].isFolder()) return;
    toggleChat(rows_[static_cast<size_t>(row)].id);
}

void ChatListModel::toggleChat(qint64 chatId) {
    QSet<qint64> wanted = selected_;
    if (!wanted.remove(chatId)) wanted.insert(chatId);
    anchor_ = chatId;
    select(wanted);
}

void ChatListModel::selectChats(const QVariantList& chats) {
    QSet<qint64> wanted;
    for (const QVariant& chat : chats) wanted.insert(chat.toLongLong());
    select(wanted);
}

void ChatListModel::selectTo(int row) {
    if (row < 0 || row >= count()) return;
    const int begun = rowOf(anchor_), from = begun < 0 ? row : begun;
    QSet<qint64> wanted;
    for (int at = std::min(from, row); at <= std::max(from, row); ++at) {
        const ChatEntry& entry = rows_[static_cast<size_t>(at)];
        if (!entry.isFolder()) wanted.insert(entry.id);
    }
    if (begun < 0 && !rows_[static_cast<size_t>(row)].isFolder()) anchor_ = rows_[static_cast<size_t>(row)].id;
    select(wanted);
}

void ChatListModel::selectAll() {
    QSet<qint64> wanted;
    for (const ChatEntry& entry : rows_)
        if (!entry.isFolder()) wanted.insert(entry.id);
    select(wanted);
}

void ChatListModel::clearSelection(int row) {
    const bool chat = row >= 0 && row < count() && !rows_[static_cast<size_t>(row)].isFolder();
    anchor_ = chat ? rows_[static_cast<size_t>(row)].id : 0;
    select({});
}

} // namespace coterie::app
