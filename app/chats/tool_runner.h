// SPDX-License-Identifier: Apache-2.0
// Runs the tools that a model calls, if they were offered to it and the user allows it. The calls of an answer are done
// one after the other; each may ask first. Then the results are stored after the answer, and the model answers again.
// A question waits until the answer that asks is the last message in view. tool_box.h has the tools themselves, which
// run on a thread of their own. Lives on the GUI thread.
//
//     connect(&answers, &AnswerQueue::answered, &tools, &ToolRunner::take);
//     tools.setShown(panes.active()->leaf(), 0);   // asking() is about this answer
//     tools.allow(false);
#pragma once

#include "common/call_queue.h"
#include "common/error_info.h"
#include "common/undo_stack.h"
#include "engine_link/answer_queue.h"
#include "store/chat_reader.h"

#include <QObject>
#include <QSet>
#include <QtQml/qqmlregistration.h>

#include <array>
#include <map>
#include <memory>
#include <vector>

namespace coterie::app {

class Settings;

class ToolRunner : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("App has one")
    Q_PROPERTY(qint64 chat READ chat NOTIFY changed)
    Q_PROPERTY(bool asking READ asking NOTIFY changed)
    Q_PROPERTY(bool running READ running NOTIFY changed)
    Q_PROPERTY(QString title READ title NOTIFY changed)
    Q_PROPERTY(QString arguments READ arguments NOTIFY changed)
  public:
    /// Both outlive this object.
    ToolRunner(AnswerQueue* answers, Settings* settings, QObject* parent = nullptr);
    ~ToolRunner() override;

    void setStore(ChatStore* store, std::unique_ptr<ChatReader> reader);
    /// The same for temporary chats: see isTemporary(). Tools search the chats of the other store only.
    void setTemporaryStore(ChatStore* store, std::unique_ptr<ChatReader> reader);
    /// Sets the last messages of the chats that the user looks at; 0: none. What is said below is about the first one
    /// if it has calls, else about the second one. Calls of another version of an answer wait until it is shown.
    void setShown(qint64 first, qint64 second);

    /// The chat that the rest is about; 0: no answer in view has calls.
    qint64 chat() const;
    /// Whether a tool of this answer waits for the user's answer.
    bool asking() const;
    /// Whether a tool of this answer is being run.
    bool running() const;
    /// Whether the chat has calls that are not done, whether they are in view or not.
    bool has(qint64 chat) const;
    /// The tool that asks or runs, in the user's language.
    QString title() const;
    /// Its arguments, a line each: "expression: 2 * 3".
    QString arguments() const;

    /// Runs the tool that asks. always: it doesn't ask again, which can be undone: see done().
    Q_INVOKABLE void allow(bool always);
    /// Tells the model that the user does not allow it. always: the tool is never run, and doesn't ask again, which can
    /// be undone.
    Q_INVOKABLE void refuse(bool always);
    /// Drops the calls of this answer, which counts as stopped; the model gets no results.
    Q_INVOKABLE void stop();

    /// Begins with the calls of an answer, if it has any.
    void take(const Job& job);
    /// Asks about the calls of an answer that ended earlier, for example before the program was started, unless they
    /// are being done. It asks also where the settings allow the tool always: nothing begins because a chat is opened.
    void takeUp(const Job& job);
    /// Drops the calls of a chat that is deleted.
    void drop(qint64 chat);
    /// Returns the results for the calls of this answer that are not done, if the user writes a message instead; none
    /// if there are no such calls.
    std::vector<MessagePart> resultsInstead(qint64 answer) const;

  Q_SIGNALS:
    void changed();
    /// A tool of the chat asks, in view or not, or no longer does.
    void askingChanged(qint64 chat, bool asking);
    void failed(const coterie::app::ErrorInfo& error);
    /// The user's answer was kept for the tool's next calls. Undoing it lets the tool ask again; what was run stays.
    void done(const coterie::app::Undoable& step);

  private:
    /// The calls of one answer.
    struct Calls {
        Job job;
        std::vector<MessagePart> calls;
        std::vector<MessagePart> results; ///< results of the first calls
        quint64 run = 0;                  ///< the number of the run that is under way; 0: none
        bool aside = false;               ///< not asked about until the answer is shown again: see follow()

        const MessagePart& next() const { return calls[results.size()]; }
        qint64 chat() const { return job.answer.chat; }
    };

    const Calls* shown() const;
    static Calls callsOf(const Job& job);
    static MessagePart resultOf(const MessagePart& call, const QString& text);
    QString permission(const QString& tool) const;
    void setPermission(const QString& tool, const QString& answer);
    bool isShown(qint64 answer) const;
    void follow(qint64 chat);
    void advance(qint64 answer);
    void run(qint64 answer);
    void addResult(qint64 answer, const QString& text);
    void finish(qint64 answer);
    void announce(qint64 chat);
    ChatStore* storeOf(qint64 id) const { return isTemporary(id) ? temporary_ : store_; }

    AnswerQueue* answers_;
    Settings* settings_;
    ChatStore* store_ = nullptr;
    ChatStore* temporary_ = nullptr;
    // Used by thread_.
    std::unique_ptr<ChatReader> reader_, temporaryReader_;
    std::map<qint64, Calls> calls_; ///< by answer
    std::array<qint64, 2> shown_{}; ///< see setShown()
    QSet<qint64> asking_;           ///< chats that are known to ask
    quint64 lastRun_ = 0;
    CallQueue toGui_;
    CallThread thread_{QStringLiteral("tools")};
};

} // namespace coterie::app
