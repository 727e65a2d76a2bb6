// SPDX-License-Identifier: Apache-2.0
// The engine's thread: owns the session, takes requests as queued calls and answers with queued signals. Each token's
// delta is sent at once; the receiver batches them. A second thread does what need not wait for an answer: it counts
// the tokens of prompts, and looks at a model before the open one is given up for it.
//
// Threads: construct and destroy on the GUI thread; open(), close(), generate() and count() may be called from any
// thread and return at once; cancelOpening(), cancel(), telemetry(), expertStates() and the questions about tokens
// act directly and are thread-safe. Signals are queued to the thread that this object lives on, and are emitted there.
#pragma once

#include "base/mutex.h"
#include "common/call_queue.h"
#include "engine_link/memory_outlook.h"
#include "engine_link/prompt_history.h"
#include "records/trace_log.h"
#include "session/session.h"
#include "store/message_part.h"

#include <QMetaType>
#include <QObject>
#include <QString>

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace coterie::app {

struct GenerateRequest {
    quint64 id = 0;                  ///< rises with each request, from 1
    ConversationSource conversation; ///< called on the engine's thread
    engine::GenerateOptions options;
    /// The beginning of the answer as text, if its tokens are not known: they become options.prefix.
    QString prefixText{};
    bool traced = false;        ///< traceBegun() and tokensDrawn() report what it makes the experts do
    engine::BegunTrace begun{}; ///< the trace of the answer that it begins with
};

struct GenerationOutcome {
    quint64 id = 0;
    engine::FinishReason reason = engine::FinishReason::EndOfGeneration;
    engine::GenerationStatistics statistics;
    std::vector<engine::TokenId> tokens;        ///< ids of the whole answer, with the prefix; empty after an error
    std::vector<engine::TokenRecord> records{}; ///< the new tokens, if the options ask for alternatives
    uint64_t memoryBytes = 0;                   ///< memory that the program held when the answer ended
    std::vector<engine::Sentence> notes;        ///< sentences for the user, see engine::Generated::notes
    std::optional<engine::Error> error;
};

/// Asks which of the oldest turns of a conversation must be left out.
struct FitRequest {
    RowSource rows;         ///< the conversation; its last row may be a prompt that is not stored yet (id 0)
    QString systemPrompt{}; ///< before the conversation; empty: none
    engine::GenerateOptions options{};
    qint64 most = 0;         ///< tokens that the conversation may have
    qint64 mostOfLast = 0;   ///< tokens that the last turn may have if only it is left
    bool mayBeEmpty = false; ///< if that is too long, everything is left out
};

struct Fit {
    quint64 number = 0;
    bool fits = false;  ///< false: even the last turn alone is too long
    qint64 leftOut = 0; ///< the last message that must be left out; 0: none
    std::optional<engine::Error> error{};
};

class EngineWorker : public QObject {
    Q_OBJECT
  public:
    /// With an inspector, a model that can't be opened is refused before the open one is closed.
    explicit EngineWorker(engine::SessionFactory factory, ModelInspector inspect = {}, QObject* parent = nullptr);
    /// Cancels the running call and waits for it.
    ~EngineWorker() override;

    /// Inspects the model. If it can be opened, closes the open one and opens it; running generations and openings are
    /// cancelled. Returns the number that the signals about this opening carry. options.onProgress is replaced by the
    /// worker's own.
    quint64 open(const engine::OpenOptions& options);
    void close();
    void cancelOpening();
    void generate(const GenerateRequest& request);
    /// Counts the conversation's tokens, also while an answer is written, and emits counted() with the number that this
    /// returns.
    quint64 count(ConversationSource conversation, const engine::GenerateOptions& options);
    /// The same for a text alone, without a template around it.
    quint64 countText(const QString& text);
    /// Finds the longest end of the conversation that fits, on the counting thread, and emits fitted() with the number
    /// that this returns. An end begins with a prompt.
    quint64 fit(FitRequest request);
    /// Ends generate(id) and those before it: each within one token, or before it starts.
    void cancel(quint64 id);
    /// The same for all requests so far.
    void cancelAll() { cancel(~quint64{0}); }
    /// Returns nothing if no model is open.
    std::optional<engine::Telemetry> telemetry() const;
    /// Returns where each expert of the open model is now, as engine::Session::expertStates() writes it. Empty if no
    /// model is open.
    std::vector<uint8_t> expertStates() const;
    /// Returns the text that the token writes, as the open model's vocabulary has it; empty if no model is open.
    QString tokenText(engine::TokenId token) const;
    /// Returns the token's text as files of traces have it; empty if no model is open.
    std::string traceText(engine::TokenId token) const;
    /// Whether an answer of the open model ends with this token.
    bool endsAnswer(engine::TokenId token) const;
    int64_t vocabularySize() const; ///< tokens that the open model knows; 0: none is open
    /// Bytes that the process held before the latest opening began, when no model was open.
    uint64_t heldBefore() const { return heldBefore_; }

  Q_SIGNALS:
    void openProgress(quint64 opening, double share);
    void opened(quint64 opening, const engine::ModelInfo& info);
    /// kept: the model that was open before is still open.
    void openFailed(quint64 opening, const engine::Error& error, bool kept);
    /// The engine is about to answer a traced request, and adds to this trace until finished(), or until the receiver
    /// ends it. There is no such signal if there is no memory for a trace: the answer goes on without one.
    void traceBegun(quint64 id, const std::shared_ptr<engine::TraceLog>& trace);
    /// secondsLeft: an estimate; below 0: there is none yet.
    void promptProgress(quint64 id, qint64 done, qint64 total, double secondsLeft);
    /// The first token was drawn; it may have no text yet.
    void begun(quint64 id);
    /// These tokens of a traced request have become final. Their text follows at once with delta(), if they have some.
    void tokensDrawn(quint64 id, const std::vector<engine::TokenRecord>& tokens);
    void delta(quint64 id, const coterie::app::PartPiece& piece);
    /// In place of a delta(), all parts so far, with the prefix: at the first words after a prefix, since they show how
    /// the engine reads the prefix's text, and when words that were reported turn out to be a thought.
    void continued(quint64 id, const std::vector<coterie::app::MessagePart>& parts);
    void finished(const GenerationOutcome& outcome);
    /// tokens is -1 if they can't be counted.
    void counted(quint64 count, qint64 tokens);
    void fitted(const coterie::app::Fit& fit);

  private:
    std::optional<engine::Error> refusal(engine::OpenOptions options) const;
    void openNow(engine::OpenOptions options, quint64 opening);
    void reportOpenFailed(quint64 opening, const engine::Error& error);
    GenerationOutcome generateNow(const GenerateRequest& request, const std::atomic<bool>& cancelled);
    std::shared_ptr<engine::TraceLog> beginTrace(const GenerateRequest& request, const engine::ModelInfo& model);
    void report(const GenerateRequest& request, const engine::Delta& delta, bool& afterPrefix);
    qint64 tokensOf(const ConversationSource& conversation, const engine::GenerateOptions& options) const;
    Fit fitOf(const FitRequest& request) const;
    std::shared_ptr<engine::Session> session() const;
    void setSession(std::shared_ptr<engine::Session> session);

    const engine::SessionFactory factory_;
    const ModelInspector inspect_;
    CallThread toEngine_{QStringLiteral("engine")};
    CallThread besides_{QStringLiteral("counts")};
    CallQueue toGui_; ///< lives on this object's thread; its calls emit the signals

    mutable engine::Mutex mutex_;
    std::shared_ptr<engine::Session> session_ COTERIE_GUARDED_BY(mutex_); ///< the pointer is guarded, not the session
    /// Requests that have not ended, each with the flag that cancels it, which is made before the request is queued.
    std::map<quint64, std::shared_ptr<std::atomic<bool>>> requests_ COTERIE_GUARDED_BY(mutex_);

    std::atomic<uint64_t> heldBefore_{0};
    std::atomic<quint64> wantedOpening_{0}; ///< an opening with another number gives up
    std::atomic<quint64> lastCount_{0};
};

} // namespace coterie::app

Q_DECLARE_METATYPE(coterie::app::Fit)
Q_DECLARE_METATYPE(coterie::app::GenerationOutcome)
Q_DECLARE_METATYPE(coterie::engine::ModelInfo)
Q_DECLARE_METATYPE(coterie::engine::Error)
