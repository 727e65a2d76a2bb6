// SPDX-License-Identifier: Apache-2.0
// Keeps the rows in the store's order. If only one chat changed, only its row is moved and changed, so that views keep
// their position.
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

void ChatListModel::setStore(ChatStore* store) {
    store_ = store;
    refresh();
}

void ChatListModel::refresh() {
    if (!store_) return replaceRows({});
    auto rows = store_->chats(filter_);
    if (!rows) {
        Q_EMIT failed(ErrorInfo(rows.error()));
        return;
    }
    replaceRows(std::move(rows).value());
}

void ChatListModel::replaceRows(std::vector<ChatRow> rows) {
    const auto sameIds = [&] {
        return std::equal(rows.begin(), rows.end(), rows_.begin(), rows_.end(),
                          [](const ChatRow& a, const ChatRow& b) { return a.id == b.id; });
    };
    if (sameIds()) {
        for (size_t i = 0; i < rows.size(); ++i) {
            if (rows[i] == rows_[i]) continue;
            rows_[i] = std::move(rows[i]);
            const QModelIndex changed = index(static_cast<int>(i));
            Q_EMIT dataChanged(changed, changed);
        }
        return;
    }
    beginResetModel();
    rows_ = std::move(rows);
    endResetModel();
    Q_EMIT countChanged();
}

void ChatListModel::setCurrentChatId(qint64 chatId) {
    if (chatId == current_) return;
    const qint64 before = std::exchange(current_, chatId);
    for (size_t i = 0; i < rows_.size(); ++i) {
        if (rows_[i].id != before && rows_[i].id != chatId) continue;
        const QModelIndex changed = index(static_cast<int>(i));
        Q_EMIT dataChanged(changed, changed, {CurrentRole});
    }
    Q_EMIT currentChatIdChanged();
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
    case SnippetRole:
        return row.snippet;
    default:
        return {};
    }
}

QHash<int, QByteArray> ChatListModel::roleNames() const {
    return {{ChatIdRole, "chatId"},   {TitleRole, "title"},     {UpdatedRole, "updated"},
            {SectionRole, "section"}, {CurrentRole, "current"}, {SnippetRole, "snippet"}};
}

void ChatListModel::setFilter(const QString& filter) {
    if (filter == filter_) return;
    filter_ = filter;
    Q_EMIT filterChanged();
    refresh();
}

const ChatRow* ChatListModel::find(qint64 chatId) const {
    const auto row = std::find_if(rows_.begin(), rows_.end(), [=](const ChatRow& r) { return r.id == chatId; });
    return row == rows_.end() ? nullptr : &*row;
}

void ChatListModel::rename(qint64 chatId, const QString& title) {
    const QString clean = title.simplified();
    if (!store_ || clean.isEmpty()) return;
    const engine::Status done = store_->rename(chatId, clean);
    if (!done) {
        Q_EMIT failed(ErrorInfo(done.error()));
        return;
    }
    refresh();
    Q_EMIT renamed(chatId, clean);
}

void ChatListModel::remove(qint64 chatId) {
    if (!store_) return;
    const ChatRow* row = find(chatId);
    const QString title = row ? row->title : QString();
    const engine::Status done = store_->remove(chatId);
    if (!done) {
        Q_EMIT failed(ErrorInfo(done.error()));
        return;
    }
    setUndo(chatId, title);
    refresh();
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
    refresh();
    const ChatRow* row = find(chatId);
    return row == nullptr ? -1 : static_cast<int>(row - rows_.data());
}

void ChatListModel::forgetUndo() { setUndo(0, {}); }

void ChatListModel::setUndo(qint64 chatId, const QString& title) {
    undoId_ = chatId;
    undoTitle_ = title;
    Q_EMIT undoChanged();
}

} // namespace coterie::app
