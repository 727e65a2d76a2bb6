// SPDX-License-Identifier: Apache-2.0
// The messages of the chat in view, oldest first. Only the last row changes while an answer streams. Lives on the GUI
// thread.
#pragma once

#include "block_parser.h"
#include "store/chat_store.h"

#include <QAbstractListModel>
#include <QtQml/qqmlregistration.h>

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace coterie::app {

/// "12.4 tok/s - 0.31 s to first token - 150 tokens", in the user's language; empty if nothing was generated.
QString statisticsText(const AnswerStatistics& statistics);
/// "12 % of experts from disk - 1.2 GiB - 0.8 s waiting for the disk"; empty if none came from disk.
QString diskText(const AnswerStatistics& statistics);
/// "Less exact - 12 % of router choices used other or fewer experts"; empty for an exact answer.
QString exactnessText(const AnswerStatistics& statistics);

class MessageModel : public QAbstractListModel {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("Conversation has one")
    Q_PROPERTY(int count READ count NOTIFY countChanged)
  public:
    enum Roles {
        MessageIdRole = Qt::UserRole + 1, ///< messageId
        RoleRole,                         ///< role: "user", "assistant", "system"
        TextRole,                         ///< text: plainText() of its parts
        /// document: the TextDocument that shows the message. It stays the same while the message streams and tells its
        /// own changes.
        DocumentRole,
        StateRole,       ///< state: "complete", "streaming", "stopped", "failed"
        CreatedRole,     ///< created, QDateTime in local time
        StatisticsRole,  ///< statistics, see statisticsText(); empty while streaming
        DiskRole,        ///< disk, see diskText(); empty while streaming
        ExactnessRole,   ///< exactness, see exactnessText(); empty while streaming
        NotesRole,       ///< notes: sentences about how the answer was made, a line each; empty after a restart
        ErrorWhatRole,   ///< errorWhat
        ErrorWhyRole,    ///< errorWhy
        ErrorActionRole, ///< errorAction
    };
    Q_ENUM(Roles)

    explicit MessageModel(QObject* parent = nullptr);

    void reset(std::vector<MessageRow> rows);
    /// Adds rows at the end.
    void append(std::vector<MessageRow> rows);
    /// Adds rows at the beginning.
    void prepend(std::vector<MessageRow> rows);
    /// Adds pieces to the last row, which is streaming.
    void appendPieces(std::span<const PartPiece> pieces);
    /// Ends the last row, which was streaming, with the state, statistics, error and notes of `ended`.
    void finish(const MessageRow& ended);
    const MessageRow* find(qint64 messageId) const;
    /// Returns the document that shows the message; nullptr if it is not among the rows.
    TextDocument* document(qint64 messageId) const;
    const std::vector<MessageRow>& rows() const { return rows_; }

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QHash<int, QByteArray> roleNames() const override;
    int count() const { return static_cast<int>(rows_.size()); }

  Q_SIGNALS:
    void countChanged();

  private:
    void followLast();
    TextDocument* documentOf(size_t row) const;

    std::vector<MessageRow> rows_;
    /// For each row its document, made when it is first needed.
    mutable std::vector<std::unique_ptr<TextDocument>> documents_;
    std::optional<MessageBlocks> streaming_; ///< cuts the blocks of the last row while it grows
};

} // namespace coterie::app
