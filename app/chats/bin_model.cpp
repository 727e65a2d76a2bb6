// SPDX-License-Identifier: Apache-2.0
// See bin_model.h.
#include "chats/bin_model.h"

#include <algorithm>

namespace coterie::app {
namespace {

constexpr qsizetype kLongestTitle = 200; // characters; the page shows about two lines of a message

qint64 daysSince(const QDateTime& then) { return std::max<qint64>(0, then.date().daysTo(QDate::currentDate())); }

} // namespace

void BinModel::setListing(bool listing) {
    if (listing == listing_) return;
    listing_ = listing;
    show(listing ? read() : std::vector<Row>());
    Q_EMIT listingChanged();
}

void BinModel::refresh() {
    if (listing_) show(read());
}

std::vector<BinModel::Row> BinModel::read() {
    if (!store_) return {};
    const auto chats = store_->removedChats();
    const auto messages = store_->removedMessages();
    if (!chats || !messages) {
        Q_EMIT failed(ErrorInfo(!chats ? chats.error() : messages.error()));
        return {};
    }
    std::vector<Row> rows;
    for (const ChatRow& chat : *chats)
        rows.push_back({.kind = Chat,
                        .id = chat.id,
                        .chat = chat.id,
                        .title = chat.title,
                        .chatTitle = {},
                        .removed = chat.removed});
    for (const MessageRow& message : *messages) {
        const auto chat = store_->chat(message.chat);
        rows.push_back({.kind = message.role == engine::Role::User ? Prompt : Answer,
                        .id = message.id,
                        .chat = message.chat,
                        .title = message.text().left(kLongestTitle).simplified(),
                        .chatTitle = chat ? chat->title : QString(),
                        .removed = message.removed});
    }
    std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.removed > b.removed; });
    return rows;
}

/// Removes the rows that are gone one by one, so that views keep the others. New rows are rare: then all are replaced.
void BinModel::show(std::vector<Row> rows) {
    if (rows == rows_) return;
    const auto stays = [&](const Row& row) { return std::find(rows.begin(), rows.end(), row) != rows.end(); };
    for (int at = count() - 1; at >= 0; --at) {
        if (stays(rows_[static_cast<size_t>(at)])) continue;
        beginRemoveRows({}, at, at);
        rows_.erase(rows_.begin() + at);
        endRemoveRows();
    }
    if (rows != rows_) {
        beginResetModel();
        rows_ = std::move(rows);
        endResetModel();
    }
    Q_EMIT countChanged();
}

QVariant BinModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
    const Row& row = rows_[static_cast<size_t>(index.row())];
    switch (role) {
    case KindRole:
        return row.kind;
    case Qt::DisplayRole:
    case TitleRole:
        return row.title;
    case ChatTitleRole:
        return row.chatTitle;
    case DaysAgoRole:
        return daysSince(row.removed);
    case DaysLeftRole:
        return std::max<qint64>(0, kBinDays - daysSince(row.removed));
    default:
        return {};
    }
}

void BinModel::restore(int row) {
    if (!has(row)) return;
    const Row taken = rows_[static_cast<size_t>(row)];
    const auto state = store_->state(taken.chat);
    if (taken.kind == Chat) {
        const engine::Status done = store_->restore(taken.id);
        if (!done) return Q_EMIT failed(ErrorInfo(done.error()));
    } else {
        const auto done = store_->restoreMessage(taken.id);
        if (!done) return Q_EMIT failed(ErrorInfo(done.error()));
    }
    refresh();
    Q_EMIT restored(taken.chat, taken.kind == Chat ? 0 : taken.id, state ? state->leaf : 0);
}

engine::Status BinModel::eraseOne(const Row& row) {
    return row.kind == Chat ? store_->erase(row.id) : store_->eraseMessage(row.id);
}

void BinModel::erase(int row) {
    if (!has(row)) return;
    const engine::Status done = eraseOne(rows_[static_cast<size_t>(row)]);
    if (!done) return Q_EMIT failed(ErrorInfo(done.error()));
    refresh();
    Q_EMIT erased();
}

void BinModel::eraseAll() {
    if (rows_.empty()) return;
    for (const Row& row : rows_) {
        const engine::Status done = eraseOne(row);
        // A message below another one that was erased is gone too.
        if (!done && done.error().kind != engine::ErrorKind::NotFound) {
            Q_EMIT failed(ErrorInfo(done.error()));
            break;
        }
    }
    refresh();
    Q_EMIT erased();
}

} // namespace coterie::app
