// SPDX-License-Identifier: Apache-2.0
// The answers that are to be written: a queue of jobs, of which the engine does one at a time. It stores the text as it
// grows, and passes it on to whoever shows the chat. An answer that the store refuses is kept here and stored later.
// It also records what the engine makes of a traced answer: its trace and its tokens. Lives on the GUI thread.
//
//     answers.add({.answer = turn.answer, .options = settings.options(canThink)});
//     connect(&answers, &AnswerQueue::grew, this, [](qint64 message, const std::vector<PartPiece>& pieces) {...});
#pragma once

#include "common/error_info.h"
#include "engine_link/answer_record.h"
#include "engine_link/engine_worker.h"
#include "store/chat_store.h"

#include <QElapsedTimer>
#include <QHash>
#include <QObject>
#include <QTimer>
#include <QtQml/qqmlregistration.h>

#include <deque>
#include <functional>
#include <optional>
#include <vector>

namespace coterie::app {

/// An answer to be written. The conversation that it continues ends at the answer's parent.
struct Job {
    MessageRow answer;                 ///< as the store has it: streaming; with parts if it continues a prefix
    QString systemPrompt{};            ///< before the conversation; empty: none
    engine::GenerateOptions options{}; ///< resolved; with the tokens of the prefix if there is one
    QString prefixText{};              ///< the prefix as text, if its tokens are not known
    qsizetype kept = 0;                ///< number of leading parts of the answer that are not in the prefix
    QStringList notes{};               ///< sentences for the user about how it is made
    AnswerRecord begun{};              ///< the prefix's record, if it is known: the answer's record begins with it
    qsizetype shared = 0;              ///< leading tokens of the prefix that the trace of `begun` is of
};

/// Returns a mark of what the model gets besides the conversation: the system prompt, the tools, and whether it thinks.
/// Answers with the same mark (AnswerStatistics::asked) were asked for in the same way.
QString askedMark(const QString& systemPrompt, const engine::PromptOptions& prompt);

/// The tokens of an answer that was written since the program started: a prefix to continue it.
struct WrittenTokens {
    QString model;                    ///< name of the model whose tokens these are
    std::vector<engine::TokenId> ids; ///< those of the whole answer, without its first `kept` parts
    qsizetype kept = 0;               ///< see Job
};

/// A request beside the answers: it is made when there is nothing else to do, and ends as soon as there is.
struct Question {
    ConversationSource conversation;
    engine::GenerateOptions options{};
    std::function<void(const QString&)> answered{}; ///< gets the text of the whole answer; not called if it was cut off
    /// If it is set, it gets the outcome in place of `answered`, also an error.
    std::function<void(const GenerationOutcome&)> finished{};
    std::function<bool()> wanted{}; ///< if it is set and returns false, the question is not asked any more
};

class AnswerQueue : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("App has one; only its states are for QML")
  public:
    /// The state of a chat's answer.
    enum State {
        Waiting,  ///< an earlier job is being done
        Reading,  ///< the engine reads the prompt
        Writing,  ///< the engine writes the answer
        Stopping, ///< stop() was called; at most one more token follows
        Idle,     ///< no answer of the chat is unfinished; no job has this state
    };
    Q_ENUM(State)

    /// An unfinished job, as a view shows it.
    struct Progress {
        qint64 message = 0;
        State state = Waiting;
        qint64 promptDone = 0, promptTotal = 0; ///< tokens of the prompt
        double promptSecondsLeft = -1;          ///< an estimate, see steadySecondsLeft(); below 0: there is none yet
    };

    /// Both outlive this object.
    AnswerQueue(EngineWorker* worker, const PromptHistory* history, QObject* parent = nullptr);

    void setStore(ChatStore* store) { store_ = store; }
    /// The store of temporary chats: see isTemporary().
    void setTemporaryStore(ChatStore* store) { temporary_ = store; }
    /// Says which model writes the next answers.
    void setModel(const QString& name) { modelName_ = name; }
    /// Answers that begin from now on are traced, because their records are kept. Off at first.
    void setTraced(bool traced) { traced_ = traced; }
    /// The same because somebody looks at them; an answer is traced if either is on. Off at first.
    void setWatched(bool watched) { watched_ = watched; }
    /// Traced answers that begin from now on also record how probable their tokens were, which costs time
    /// (engine::TokenDetails). Off at first.
    void setDetailed(bool detailed) { detailed_ = detailed; }
    /// Adds a job at the queue's end.
    void add(Job job);
    /// Asks the model something that no chat shows. Answers always come first: they end a question that runs, and it
    /// is not asked again.
    void ask(Question question);
    /// Ends the answer within one token, or before it begins.
    void stop(qint64 message);
    /// Ends the chat's answer, if one is unfinished.
    void stopChat(qint64 chat);
    /// Stores that a whole answer counts as stopped: the tools that it calls are not run.
    void markStopped(MessageRow answer);
    /// Ends the answer, and forgets what it had written: the store keeps the text that it has.
    void abandon(qint64 message);
    /// Returns the tokens of an answer that has ended; nullptr if they are not known.
    const WrittenTokens* written(qint64 message) const;
    /// Forgets these tokens, because the message's text was changed.
    void forgetWritten(qint64 message);
    /// Saves the unfinished answers so far as ended by the program's end, without waiting for the engine. An answer
    /// that is continued keeps the figures and the record of its first part until the engine has added a token. Call it
    /// when the program ends.
    void saveForExit();

    bool busy() const { return running_.has_value(); }
    /// Whether the engine is at work on this answer.
    bool writes(qint64 message) const { return running_ && running_->row.id == message; }
    /// Returns the chat's unfinished job.
    std::optional<Progress> progress(qint64 chat) const;
    /// Returns the row of an answer that is newer than the store's; nullptr if the store has it. The row includes
    /// pieces that grew() has not reported yet: call flush() before.
    const MessageRow* newest(qint64 message) const;
    /// Returns the record of this answer so far if the engine writes it now and traces it, else nullptr. It is valid
    /// until the event loop runs again, and has tokens that recordGrew() has not reported yet.
    const AnswerRecord* record(qint64 message) const;
    /// Returns the engine's counts since it began this answer, or nothing if it does not write it now.
    std::optional<engine::Counts> counts(qint64 message) const;
    /// Emits grew() and recordGrew() now for all that they have not reported yet.
    void flush();
    /// Returns the finished answers that the store refused.
    const std::vector<MessageRow>& unsaved() const { return unsaved_; }
    /// Tries to store them again.
    void retryUnsaved();

  Q_SIGNALS:
    /// A job of the chat was added, has ended, or has another state or progress.
    void progressed(qint64 chat);
    /// The answer has more text; at most 30 times a second.
    void grew(qint64 message, const std::vector<coterie::app::PartPiece>& pieces);
    /// The answer continues a prefix, and the engine reads the text of the prefix differently: these are all parts.
    void rewritten(qint64 message, const std::vector<coterie::app::MessagePart>& parts);
    void ended(const coterie::app::MessageRow& answer);
    /// The job is done, without an error and without having been stopped. Its answer has all parts; this comes after
    /// ended().
    void answered(const coterie::app::Job& job);
    /// The engine begins to trace the answer: record() returns its empty record. This comes before the prompt is read.
    void recordBegun(qint64 message);
    /// The record has more; at most 30 times a second, after grew() if the text has grown too.
    void recordGrew(qint64 message);
    /// The record of an answer that ended in any way, also by stop() or an error. This comes after ended(), and not for
    /// an answer that was not traced or ended before its trace had a token.
    void recorded(const coterie::app::AnswerRecord& record);
    /// An answer was continued without a new record, or nothing was added to it: the one from before is still its
    /// record. This comes after ended(), in place of recorded().
    void recordStays(qint64 message);
    /// The store refused an answer's text, which is kept in memory.
    void notStored(const coterie::app::ErrorInfo& error);
    /// The chat's time changed in the store.
    void chatStored(qint64 chat);
    /// The store now has the text of the unfinished answer up to here: newest() returns it. It comes less than a second
    /// after new text, because a killed program may lose no more.
    void progressStored(qint64 message);
    /// The engine failed while it answered: the model may have vanished.
    void failed(const engine::Error& error);

  private:
    /// The job that the engine does.
    struct Running {
        quint64 request = 0;
        Job job; ///< its answer is `row`
        Progress progress;
        MessageRow row;                    ///< the whole answer so far
        AnswerStatistics before{};         ///< figures of the text that it continues
        bool continues = false;            ///< it has such a text
        qint64 begunTokens = 0;            ///< tokens of this text that `before` does not count: another answer's
        QString modelBefore{};             ///< name of the model that wrote this text
        bool wrote = false;                ///< the engine has drawn a token
        QString asked{};                   ///< see askedMark()
        qsizetype kept = 0;                ///< see Job
        QStringList notes{};               ///< see Job
        std::vector<PartPiece> notEmitted; ///< its last pieces, which grew() has not reported yet
        AnswerRecord record;
        std::shared_ptr<engine::TraceLog> trace{}; ///< the trace of `record`
        std::vector<engine::TokenRecord> begun{};  ///< tokens with which the record begins if the trace does
        double begunSeconds = 0;                   ///< time that they took
        size_t added = 0;                          ///< tokens of the record that came after them
        bool recordNotEmitted = false;             ///< the record has more than recordGrew() has reported
        QElapsedTimer promptEmitted{};             ///< since recordGrew() reported that the prompt is being read
        size_t savedParts = 0;                     ///< number of parts that the store has
        qsizetype savedLength = 0;                 ///< length of the last of these parts in the store
        QElapsedTimer thought{};                   ///< since the thought that is being written began

        qsizetype lastLength() const { return row.parts.empty() ? 0 : row.parts.back().text.size(); }
        bool saved() const { return savedParts == row.parts.size() && savedLength == lastLength(); }
    };

    void startNext();
    void startQuestion();
    void endQuestion();
    static QString askedTogether(const Running& running);
    static bool addedNothing(const Running& running);
    static AnswerStatistics figuresOf(const Running& running, const GenerationOutcome* outcome);
    void onQuestionFinished(const GenerationOutcome& outcome);
    void setState(State state);
    void timeThoughts(const PartPiece& piece);
    void emitSoon();
    void emitPromptRecord();
    void takeBegun();
    void forgetTextOfBegun(const std::vector<MessagePart>& parts);
    void onTraceBegun(quint64 request, const std::shared_ptr<engine::TraceLog>& trace);
    void onTokens(quint64 request, const std::vector<engine::TokenRecord>& tokens);
    void onProgress(quint64 request, qint64 done, qint64 total, double secondsLeft);
    void onBegun(quint64 request);
    void onDelta(quint64 request, const PartPiece& piece);
    void onContinued(quint64 request, const std::vector<MessagePart>& parts);
    void onFinished(const GenerationOutcome& outcome);
    void saveProgress();
    ChatStore* storeOf(const MessageRow& row) const { return isTemporary(row.id) ? temporary_ : store_; }
    void end(const MessageRow& row);
    qint64 takeOut(qint64 message);
    void emitRecord(const Running& running);
    void remember(qint64 message, const WrittenTokens& tokens);

    EngineWorker* worker_;
    const PromptHistory* history_;
    ChatStore* store_ = nullptr;
    ChatStore* temporary_ = nullptr;
    QString modelName_;
    std::deque<Job> waiting_;
    std::optional<Running> running_;
    std::deque<Question> questions_; ///< the first one is being asked if asking_ is its request
    quint64 asking_ = 0;             ///< 0: none is being asked
    QString asked_;                  ///< the answer to it so far
    std::vector<MessageRow> unsaved_;
    QHash<qint64, WrittenTokens> written_; ///< tokens of the latest answers, by message
    std::deque<qint64> writtenOrder_;      ///< the same messages, the oldest first
    quint64 lastRequest_ = 0;
    bool traced_ = false, watched_ = false, detailed_ = false;
    QTimer emitTimer_, saveTimer_;
    std::optional<engine::Counts> begun_; ///< the engine's counts when the running answer began
};

} // namespace coterie::app

Q_DECLARE_METATYPE(coterie::app::MessageRow)
