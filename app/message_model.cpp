// SPDX-License-Identifier: Apache-2.0
// Rows are kept as the store has them. A row's document is filled when a view asks for it, and for the streaming row
// as text arrives.
#include "message_model.h"

#include "units.h"

#include <QLocale>
#include <QQmlEngine>

#include <algorithm>
#include <utility>

namespace coterie::app {
namespace {

QString stateName(MessageState state) {
    switch (state) {
    case MessageState::Complete:
        return QStringLiteral("complete");
    case MessageState::Streaming:
        return QStringLiteral("streaming");
    case MessageState::Stopped:
        return QStringLiteral("stopped");
    case MessageState::Failed:
        return QStringLiteral("failed");
    }
    return {};
}

std::unique_ptr<TextDocument> newDocument() {
    auto document = std::make_unique<TextDocument>();
    QQmlEngine::setObjectOwnership(document.get(), QQmlEngine::CppOwnership); // QML must not delete it
    return document;
}

} // namespace

QString statisticsText(const AnswerStatistics& statistics) {
    if (statistics.tokens <= 0) return {};
    const QLocale locale;
    QStringList parts;
    if (statistics.tokensPerSecond > 0) {
        parts.append(MessageModel::tr("%1 tok/s").arg(locale.toString(statistics.tokensPerSecond, 'f', 1)));
    }
    if (statistics.firstTokenSeconds > 0) {
        parts.append(MessageModel::tr("%1 to first token").arg(secondsText(statistics.firstTokenSeconds, 2)));
    }
    parts.append(MessageModel::tr("%Ln token(s)", "of an answer", statistics.tokens));
    return factsText(parts);
}

QString diskText(const AnswerStatistics& statistics) {
    if (statistics.expertsFromDisk <= 0) return {};
    const QString share =
        statistics.dense ? MessageModel::tr("%1 of layers from disk") : MessageModel::tr("%1 of experts from disk");
    return factsText({share.arg(shareText(statistics.expertsFromDisk)), sizeText(statistics.diskBytes),
                      MessageModel::tr("%1 waiting for the disk").arg(secondsText(statistics.waitSeconds))});
}

QString exactnessText(const AnswerStatistics& statistics) {
    if (!statistics.lessExact) return {};
    if (statistics.choicesChanged <= 0) return MessageModel::tr("Less exact: it continues a less exact answer");
    return MessageModel::tr("Less exact: %1 of router choices used other or fewer experts")
        .arg(shareText(statistics.choicesChanged));
}

MessageModel::MessageModel(QObject* parent) : QAbstractListModel(parent) {}

void MessageModel::reset(std::vector<MessageRow> rows) {
    const bool countsDiffer = rows.size() != rows_.size();
    beginResetModel();
    const auto before = std::exchange(documents_, {}); // items show them until the reset has ended
    rows_ = std::move(rows);
    documents_.resize(rows_.size());
    streaming_.reset();
    followLast();
    endResetModel();
    if (countsDiffer) Q_EMIT countChanged();
}

void MessageModel::append(std::vector<MessageRow> rows) {
    if (rows.empty()) return;
    beginInsertRows({}, count(), count() + static_cast<int>(rows.size()) - 1);
    std::move(rows.begin(), rows.end(), std::back_inserter(rows_));
    documents_.resize(rows_.size());
    followLast();
    endInsertRows();
    Q_EMIT countChanged();
}

void MessageModel::followLast() {
    streaming_.reset();
    if (rows_.empty() || rows_.back().state != MessageState::Streaming) return;
    documents_.back() = newDocument();
    streaming_.emplace(*documents_.back());
    for (size_t i = 0; i < rows_.back().parts.size(); ++i)
        streaming_->add({static_cast<qsizetype>(i), rows_.back().parts[i]});
}

void MessageModel::prepend(std::vector<MessageRow> rows) {
    if (rows.empty()) return;
    beginInsertRows({}, 0, static_cast<int>(rows.size()) - 1);
    std::vector<std::unique_ptr<TextDocument>> documents(rows.size());
    std::move(documents_.begin(), documents_.end(), std::back_inserter(documents));
    documents_ = std::move(documents);
    rows_.insert(rows_.begin(), std::make_move_iterator(rows.begin()), std::make_move_iterator(rows.end()));
    endInsertRows();
    Q_EMIT countChanged();
}

void MessageModel::appendPieces(std::span<const PartPiece> pieces) {
    if (rows_.empty() || !streaming_ || pieces.empty()) return;
    for (size_t i = 0; i < pieces.size();) {
        PartPiece piece = pieces[i]; // the words of one part together: the view then lays them out once
        while (++i < pieces.size() && pieces[i].index == piece.index) piece.part.text += pieces[i].part.text;
        addPiece(rows_.back().parts, piece);
        streaming_->add(piece);
    }
    const QModelIndex last = index(count() - 1);
    Q_EMIT dataChanged(last, last, {TextRole});
}

void MessageModel::finish(const MessageRow& ended) {
    if (rows_.empty()) return;
    MessageRow& row = rows_.back();
    row.state = ended.state;
    row.statistics = ended.statistics;
    row.error = ended.error;
    row.notes = ended.notes;
    if (streaming_) streaming_->finish();
    streaming_.reset();
    const QModelIndex last = index(count() - 1);
    Q_EMIT dataChanged(last, last);
}

const MessageRow* MessageModel::find(qint64 messageId) const {
    const auto row = std::find_if(rows_.begin(), rows_.end(), [=](const MessageRow& r) { return r.id == messageId; });
    return row == rows_.end() ? nullptr : &*row;
}

TextDocument* MessageModel::document(qint64 messageId) const {
    const MessageRow* row = find(messageId);
    return row ? documentOf(static_cast<size_t>(row - rows_.data())) : nullptr;
}

TextDocument* MessageModel::documentOf(size_t row) const {
    std::unique_ptr<TextDocument>& document = documents_[row];
    if (document) return document.get();
    document = newDocument();
    const MessageRow& message = rows_[row];
    if (message.role == QStringLiteral("assistant"))
        MessageBlocks::fill(*document, message.parts);
    else
        MessageBlocks::fillVerbatim(*document, message.parts);
    return document.get();
}

int MessageModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : count(); }

QVariant MessageModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
    const auto at = static_cast<size_t>(index.row());
    const MessageRow& row = rows_[at];
    switch (role) {
    case MessageIdRole:
        return row.id;
    case RoleRole:
        return row.role;
    case Qt::DisplayRole:
    case TextRole:
        return row.text();
    case DocumentRole:
        return QVariant::fromValue<QObject*>(documentOf(at));
    case StateRole:
        return stateName(row.state);
    case CreatedRole:
        return row.created;
    case StatisticsRole:
        return row.state == MessageState::Streaming ? QString() : statisticsText(row.statistics);
    case DiskRole:
        return row.state == MessageState::Streaming ? QString() : diskText(row.statistics);
    case ExactnessRole:
        return row.state == MessageState::Streaming ? QString() : exactnessText(row.statistics);
    case NotesRole:
        return row.notes.join(u'\n');
    case ErrorWhatRole:
        return row.error.what;
    case ErrorWhyRole:
        return row.error.why;
    case ErrorActionRole:
        return row.error.action;
    default:
        return {};
    }
}

QHash<int, QByteArray> MessageModel::roleNames() const {
    return {{MessageIdRole, "messageId"},
            {RoleRole, "role"},
            {TextRole, "text"},
            {DocumentRole, "document"},
            {StateRole, "state"},
            {CreatedRole, "created"},
            {StatisticsRole, "statistics"},
            {DiskRole, "disk"},
            {ExactnessRole, "exactness"},
            {NotesRole, "notes"},
            {ErrorWhatRole, "errorWhat"},
            {ErrorWhyRole, "errorWhy"},
            {ErrorActionRole, "errorAction"}};
}

} // namespace coterie::app
