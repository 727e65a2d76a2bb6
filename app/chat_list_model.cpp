// SPDX-License-Identifier: Apache-2.0
// Keeps the rows in the store's order: the chat that changed last comes first.
#include "chat_list_model.h"

#include <QDate>

#include <algorithm>

namespace coterie::app {
namespace {

/// The section "week" covers the last seven days, including today and yesterday.
constexpr qint64 kWeekDays = 7;

QString sectionOf(const QDateTime& updated) {
    const qint64 days = updated.date().daysTo(QDate::currentDate());
    if (days <= 0) return QStringLiteral("today");
    if (days == 1) return QStringLiteral("yesterday");
    return days < kWeekDays ? QStringLiteral("week") : QStringLiteral("older");
}

} // namespace

ChatListModel::ChatListModel(QObject* parent) : QAbstractListModel(parent) {}

ChatListModel::~ChatListModel() {
    if (reader_) reader_->cancel();
    thread_.finish();
}

void ChatListModel::setStore(ChatStore* store) {
    store_ = store;
    if (!store_) return;
    auto reader = store_->openReader();
    if (!reader) return Q_EMIT failed(ErrorInfo(reader.error()));
    reader_ = std::move(reader).value();
    showRows(0, store_->chats()); // the window opens with its list
}

/// Has the thread read what filter() asks for.
void ChatListModel::readAll() {
    if (!reader_) return;
    const bool before = searching();
    const quint64 query = wanted_ = reader_->cancel();
    thread_.push([this, query, words = filter_] {
        reader_->begin(query);
        told_.push([this, query, rows = reader_->chats(words)] { showRows(query, rows); });
    });
    if (!before) Q_EMIT searchingChanged();
}

void ChatListModel::showRows(quint64 query, const engine::Result<std::vector<ChatRow>>& rows) {
    if (query != wanted_) return;
    shown_ = query;
    Q_EMIT searchingChanged();
    if (!rows) return Q_EMIT failed(ErrorInfo(rows.error()));
    const auto sameId = [](const ChatRow& a, const ChatRow& b) { return a.id == b.id; };
    if (std::equal(rows->begin(), rows->end(), rows_.begin(), rows_.end(), sameId)) { // views keep their position
        rows_ = rows.value();
        if (!rows_.empty()) Q_EMIT dataChanged(index(0), index(count() - 1));
        return;
    }
    beginResetModel();
    rows_ = rows.value();
    endResetModel();
    Q_EMIT countChanged();
}

void ChatListModel::refresh(qint64 chatId) {
    if (!store_) return;
    const auto chat = store_->chat(chatId);
    const qsizetype old = rowOf(chatId);
    if (!chat) {
        if (old >= 0) removeRow(old);
        return;
    }
    if (chatId == undoId_) setUndo(0, {});    // it was restored in another way
    if (!filter_.isEmpty()) return readAll(); // the query says whether this chat is a hit
    const auto newer = [&](const ChatRow& row) {
        return row.id != chatId && std::tie(row.updated, row.id) > std::tie(chat->updated, chat->id);
    };
    const auto target = static_cast<int>(std::count_if(rows_.begin(), rows_.end(), newer));
    if (old < 0) {
        beginInsertRows({}, target, target);
        rows_.insert(rows_.begin() + target, chat.value());
        endInsertRows();
        return Q_EMIT countChanged();
    }
    const auto from = static_cast<int>(old);
    if (target != from && beginMoveRows({}, from, from, {}, target > from ? target + 1 : target)) {
        const auto first = rows_.begin();
        if (target < from)
            std::rotate(first + target, first + from, first + from + 1);
        else
            std::rotate(first + from, first + from + 1, first + target + 1);
        endMoveRows();
    }
    rows_[static_cast<size_t>(target)] = chat.value();
    tellChanged(chatId, {});
}

void ChatListModel::removeRow(qsizetype row) {
    beginRemoveRows({}, static_cast<int>(row), static_cast<int>(row));
    rows_.erase(rows_.begin() + row);
    endRemoveRows();
    Q_EMIT countChanged();
}

/// No roles: all of them.
void ChatListModel::tellChanged(qint64 chatId, const QList<int>& roles) {
    const qsizetype row = rowOf(chatId);
    if (row < 0) return;
    const QModelIndex changed = index(static_cast<int>(row));
    Q_EMIT dataChanged(changed, changed, roles);
}

void ChatListModel::setCurrentChatId(qint64 chatId) {
    if (chatId == current_) return;
    const qint64 before = std::exchange(current_, chatId);
    for (const qint64 changed : {before, chatId}) tellChanged(changed, {CurrentRole});
    Q_EMIT currentChatIdChanged();
}

void ChatListModel::setAnswering(qint64 chatId, bool answering) {
    if (answering == answering_.contains(chatId)) return;
    if (answering)
        answering_.insert(chatId);
    else
        answering_.remove(chatId);
    tellChanged(chatId, {AnsweringRole});
}

int ChatListModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : count(); }

QVariant ChatListModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
    const ChatRow& row = rows_[static_cast<size_t>(index.row())];
    switch (role) {
    case ChatIdRole:
        return row.id;
    case Qt::DisplayRole:
    case TitleRole:
        return row.title;
    case UpdatedRole:
        return row.updated;
    case SectionRole:
        return sectionOf(row.updated);
    case CurrentRole:
        return row.id == current_;
    case AnsweringRole:
        return answering_.contains(row.id);
    case SnippetRole:
        return row.snippet;
    default:
        return {};
    }
}

QHash<int, QByteArray> ChatListModel::roleNames() const {
    return {{ChatIdRole, "chatId"},   {TitleRole, "title"},         {UpdatedRole, "updated"}, {SectionRole, "section"},
            {CurrentRole, "current"}, {AnsweringRole, "answering"}, {SnippetRole, "snippet"}};
}

void ChatListModel::setFilter(const QString& filter) {
    if (filter == filter_) return;
    filter_ = filter;
    Q_EMIT filterChanged();
    readAll();
}

qsizetype ChatListModel::rowOf(qint64 chatId) const {
    const auto row = std::find_if(rows_.begin(), rows_.end(), [=](const ChatRow& r) { return r.id == chatId; });
    return row == rows_.end() ? -1 : row - rows_.begin();
}

void ChatListModel::rename(qint64 chatId, const QString& title) {
    const QString clean = title.simplified();
    if (!store_ || clean.isEmpty()) return;
    const engine::Status done = store_->rename(chatId, clean);
    if (!done) return Q_EMIT failed(ErrorInfo(done.error()));
    refresh(chatId);
    Q_EMIT renamed(chatId, clean);
}

void ChatListModel::remove(qint64 chatId) {
    if (!store_) return;
    const qsizetype row = rowOf(chatId);
    const QString title = row < 0 ? QString() : rows_[static_cast<size_t>(row)].title;
    const engine::Status done = store_->remove(chatId);
    if (!done) return Q_EMIT failed(ErrorInfo(done.error()));
    setUndo(chatId, title);
    refresh(chatId);
    Q_EMIT removed(chatId);
}

int ChatListModel::undoRemove() {
    if (!store_ || undoId_ == 0) return -1;
    const engine::Status done = store_->restore(undoId_);
    if (!done) {
        Q_EMIT failed(ErrorInfo(done.error()));
        return -1;
    }
    const qint64 chatId = undoId_;
    setUndo(0, {});
    if (filter_.isEmpty())
        refresh(chatId);
    else
        readAll();
    return static_cast<int>(rowOf(chatId));
}

void ChatListModel::forgetUndo() { setUndo(0, {}); }

void ChatListModel::setUndo(qint64 chatId, const QString& title) {
    undoId_ = chatId;
    undoTitle_ = title;
    Q_EMIT undoChanged();
}

} // namespace coterie::app
