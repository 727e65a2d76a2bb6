// SPDX-License-Identifier: Apache-2.0
// The messages of the chat in view, oldest first. Only the last row changes while an answer streams. Lives on the GUI
// thread.
#pragma once

#include "common/row_list.h"
#include "markdown/block_parser.h"
#include "store/chat_store.h"
#include "text/text_sequence.h"

#include <QtQml/qqmlregistration.h>

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace coterie::app {

/// "150 tokens - 12 tok/s", in the user's language; empty if nothing was generated.
QString statisticsText(const AnswerStatistics& statistics);
/// "0.31 s to first token - 1.2 GiB of memory - hit rate 93 %"; empty if none was measured.
QString resourcesText(const AnswerStatistics& statistics);
/// "12 % of experts from disk - 1.2 GiB - 0.8 s waiting for the disk"; empty if none came from disk.
QString diskText(const AnswerStatistics& statistics);
/// "Less exact - 12 % of router choices used other or fewer experts"; empty for an exact answer.
QString exactnessText(const AnswerStatistics& statistics);

/// Fills an empty document with the blocks of a message as the window shows them: prompts as they are, all others as
/// Markdown.
void fillDocument(TextDocument& document, const MessageRow& message);

class MessageModel : public coterie::app::RowList, public TextSequence {
    Q_OBJECT
    Q_INTERFACES(coterie::app::TextSequence)
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
        NotesRole,       ///< notes: sentences about how the answer was made, a line each
        ErrorWhatRole,   ///< errorWhat
        ErrorWhyRole,    ///< errorWhy
        ErrorActionRole, ///< errorAction
        ResourcesRole,   ///< resources, see resourcesText(); empty while streaming
        ModelNameRole,   ///< modelName: the model that wrote the answer
        VersionRole,     ///< version: the number of this one among its siblings, from 1
        FilesRole,       ///< files: the attached files, a map each: name, detail, text (its beginning)
        VersionsRole,    ///< versions: how many siblings there are, this one included
        ThinkingRole,    ///< thinking: whether a thought is being written, which says so itself
        UnansweredRole,  ///< unanswered: an answer that was stopped before it began, or a prompt that has none below it
    };
    Q_ENUM(Roles)

    explicit MessageModel(QObject* parent = nullptr);

    // Siblings belong to the rows one by one; a row without them has none.

    void reset(std::vector<MessageRow> rows, std::vector<Siblings> siblings = {});
    /// Adds rows at the end.
    void append(std::vector<MessageRow> rows, std::vector<Siblings> siblings = {});
    /// Adds rows at the beginning.
    void prepend(std::vector<MessageRow> rows, std::vector<Siblings> siblings = {});
    /// Shows another path of the same chat. Rows that both paths have at their beginning stay as they are.
    void showPath(std::vector<MessageRow> rows, std::vector<Siblings> siblings);
    /// Adds pieces to the last row, which is streaming.
    void appendPieces(std::span<const PartPiece> pieces);
    /// Makes the last row, whose text stays, one that streams.
    void resume();
    /// Replaces the parts of the last row, which is streaming.
    void rewrite(const std::vector<MessagePart>& parts);
    /// Ends the last row, which was streaming, with the state, statistics, error and notes of `ended`.
    void finish(const MessageRow& ended);
    const MessageRow* find(qint64 messageId) const;
    /// Returns the message's siblings; those of an unknown message are empty.
    Siblings siblings(qint64 messageId) const;
    /// Id of the last row; 0 if there is none.
    qint64 lastId() const { return rows_.empty() ? 0 : rows_.back().id; }
    /// Returns the document that shows the message; nullptr if it is not among the rows.
    TextDocument* document(qint64 messageId) const;
    /// Returns that document if it was made already, else nullptr.
    TextDocument* madeDocument(qint64 messageId) const;
    int indexOf(const TextDocument* text) const override;
    TextDocument* textAt(int index) const override;
    const std::vector<MessageRow>& rows() const { return rows_; }
    /// The sum of promptBytes() over all rows. A row whose parts stay as they are is measured once.
    qsizetype promptBytes() const;
    /// Returns the row of the message, or -1.
    Q_INVOKABLE int rowOf(qint64 messageId) const;

    QVariant data(const QModelIndex& index, int role) const override;
    int count() const override { return static_cast<int>(rows_.size()); }

  Q_SIGNALS:
    void countChanged();
    /// The document of this message was made now, because a view shows the message.
    void documentMade(qint64 messageId) const;
    /// Another path will be shown, is shown: it differs from this row on.
    void pathChanging(int row);
    void pathChanged(int row);

  private:
    /// Values that are made when they are first needed.
    struct Shown {
        std::unique_ptr<TextDocument> document{};
        std::optional<qsizetype> promptBytes{};
    };

    void followLast();
    void refreshAnswered(int row);
    TextDocument* documentOf(size_t row) const;
    void replaceLastDocument();
    void replaceAll(std::vector<MessageRow> rows, std::vector<Siblings> siblings);
    int commonRows(const std::vector<MessageRow>& rows) const;

    std::vector<MessageRow> rows_;
    std::vector<Siblings> siblings_;         ///< for each row
    mutable std::vector<Shown> shown_;       ///< for each row
    std::optional<MessageBlocks> streaming_; ///< cuts the blocks of the last row while it grows
};

} // namespace coterie::app
