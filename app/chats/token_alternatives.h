// SPDX-License-Identifier: Apache-2.0
// The tokens that the model could have written in place of one token of an answer, with their probabilities. They come
// from the answer's record, or the engine computes them when it has nothing else to do. Choosing one makes a new answer
// beside the old one: the tokens before, then the chosen one, and the model goes on from there.
//
//     alternatives.show(answer, 12);  // a list model of ten or more rows, at once or a moment later
//     alternatives.choose(3);
//
// The probabilities are those of the softmax over all rows of the head, at temperature 1 and before any filter of the
// sampler (engine::TokenRecord). Lives on the GUI thread.
#pragma once

#include "common/error_info.h"
#include "common/row_list.h"
#include "engine_link/answer_queue.h"
#include "store/chat_store.h"
#include "text/text_document.h"

#include <QtQml/qqmlregistration.h>

#include <vector>

namespace coterie::app {

class Conversation;
struct ConversationParts;

class TokenAlternatives : public coterie::app::RowList {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("A conversation has one")
    Q_PROPERTY(qint64 messageId READ messageId NOTIFY changed)
    Q_PROPERTY(int token READ token NOTIFY changed)
    Q_PROPERTY(int tokenCount READ tokenCount NOTIFY changed)
    Q_PROPERTY(QString words READ words NOTIFY changed)
    Q_PROPERTY(State state READ state NOTIFY changed)
    Q_PROPERTY(QString stateText READ stateText NOTIFY changed)
    Q_PROPERTY(qint64 mode READ mode WRITE setMode NOTIFY modeChanged)
    Q_PROPERTY(qint64 tinted READ tinted WRITE setTinted NOTIFY tintedChanged)
    Q_PROPERTY(int count READ count NOTIFY changed)
    Q_PROPERTY(int chosenRow READ chosenRow NOTIFY changed)
  public:
    enum State {
        Closed,      ///< no token is shown
        Waiting,     ///< an answer is being written: the engine computes them after it
        Computing,   ///< the engine computes them
        Ready,       ///< the rows are there
        Unavailable, ///< stateText() says why there are none
    };
    Q_ENUM(State)
    enum Roles {
        TextRole = Qt::UserRole + 1, ///< text: what the token writes
        ShareRole,                   ///< share: its probability, 0..1
        ProbabilityRole,             ///< probability, as text; empty if it is not known
        ChosenRole,                  ///< chosen: the answer has this one
        EndsRole,                    ///< ends: the answer would end here
    };
    Q_ENUM(Roles)

    /// Both outlive this object.
    TokenAlternatives(Conversation* conversation, const ConversationParts* parts, QObject* parent = nullptr);

    void setStore(ChatStore* store) { store_ = store; }

    /// Shows the alternatives of the answer's token with this index. They close if the answer leaves the path or gets
    /// other words.
    Q_INVOKABLE void show(qint64 message, int token);
    /// Tells the message's document where its tokens are, so that a view can find the one under the pointer. Returns
    /// false if they are not known: the state says why.
    Q_INVOKABLE bool prepare(qint64 message);
    Q_INVOKABLE void close();
    /// Goes to the next token (1) or the one before (-1).
    Q_INVOKABLE void step(int by);
    /// Branches off with this row's token. Does nothing for the chosen one. If the branch has no room in the context,
    /// ContextView says so, and nothing is stored.
    Q_INVOKABLE void choose(int row);

    qint64 messageId() const { return message_; }
    int token() const { return token_; }
    int tokenCount() const { return static_cast<int>(tokens_.size()); }
    QString words() const; ///< the end of the text before the token
    State state() const { return state_; }
    QString stateText() const { return stateText_; } ///< tells what is awaited or missing, or how exact the rows are
    /// The message in which every click shows alternatives; 0: none.
    qint64 mode() const { return mode_; }
    void setMode(qint64 message);
    /// The message whose words have colours by their probability (Inspector has the colours); 0: none.
    qint64 tinted() const { return tinted_; }
    void setTinted(qint64 message);
    int count() const override { return static_cast<int>(rows_.size()); }
    int chosenRow() const; ///< the row of the answer's own token; -1 if there are no rows

    QVariant data(const QModelIndex& index, int role) const override;

  Q_SIGNALS:
    void changed();
    void modeChanged();
    void tintedChanged();
    /// An answer was begun: the view should follow it.
    void begun();
    void failed(const coterie::app::ErrorInfo& error);

  private:
    struct Row {
        engine::TokenId id = -1;
        double probability = -1; ///< less than 0: not known
        QString text{};
        bool ends = false;
    };

    bool read(qint64 message);
    void showToken(int token);
    void ask();
    void follow();
    void closeFrom(int first);
    void onAnswered(quint64 question, const GenerationOutcome& outcome);
    QString computedText(const GenerationOutcome& outcome) const;
    void setRows(const std::vector<engine::TokenChance>& chances);
    void setState(State state, const QString& text);
    std::vector<engine::TokenId> idsBefore(int token) const;
    std::vector<MessagePart> partsBefore(int token, const QString& chosen) const;
    engine::GenerateOptions optionsFor(int token) const;
    QString markOf(const engine::PromptOptions& prompt) const;
    void addRecord(Job& job, const Row& chosen) const;
    void endThere(const MessageRow& answer, const std::vector<MessagePart>& parts);
    void branch(const std::vector<MessagePart>& parts, Job job);
    const MessageRow* row() const;

    Conversation* conversation_;
    const ConversationParts* parts_;
    ChatStore* store_ = nullptr;
    qint64 message_ = 0, mode_ = 0, tinted_ = 0;
    int token_ = -1;
    State state_ = Closed;
    QString stateText_;
    std::vector<engine::TokenRecord> tokens_; ///< the tokens of the message, without those of its prefix
    std::vector<engine::TokenId> prefix_;     ///< the tokens before them
    std::vector<PartRange> ranges_;           ///< [tokens_] the characters that each one wrote
    std::vector<Row> rows_;
    QString askedMark_;                       ///< see askedMark(): that of the latest question
    quint64 question_ = 0, lastQuestion_ = 0; ///< the question whose answer is awaited; 0: none
    bool asked_ = false;                      ///< the engine has it; an answer that begins takes it away
};

} // namespace coterie::app
