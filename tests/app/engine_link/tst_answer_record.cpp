// SPDX-License-Identifier: Apache-2.0
// The records of answers: recorded while an answer is written over a scripted engine, kept with the message, and found
// again.
#include "app/store_on_disk.h"
#include "app/verify_ok.h"
#include "chats/conversation.h"
#include "engine_link/record_keeper.h"
#include "fakes/fake_session.h"
#include "fakes/forwarding_session.h"
#include "records/token_bytes.h"
#include "settings/settings.h"
#include "store/chat_reader.h"

#include <QSignalSpy>
#include <QtTest>

#include <limits>
#include <thread>

using namespace coterie;
using namespace coterie::app;
using namespace coterie::test;

namespace {

constexpr int64_t kPrompt = 3;

FakeScript words() {
    FakeScript script;
    script.pieces = {"Once ", "upon ", "a ", "time"};
    script.promptTokens = kPrompt;
    script.layers = 3;
    script.bytesFromDisk = uint64_t{10} << 20; // four experts per token
    return script;
}

/// A session that holds back the text of its last tokens for as long as they may be the beginning of something else, as
/// the engine does.
class HoldingSession final : public ForwardingSession {
  public:
    HoldingSession(std::unique_ptr<engine::Session> inner, int64_t reported)
        : ForwardingSession(std::move(inner)), reported_(reported) {}
    engine::Result<engine::Generated> chat(std::span<const engine::Message> conversation,
                                           const engine::GenerateOptions& options,
                                           const engine::DeltaCallback& onDelta) override {
        return ForwardingSession::chat(conversation, options, [&](const engine::Delta& delta) {
            if (delta.token < 0 || delta.generated <= reported_) onDelta(delta);
        });
    }

  private:
    int64_t reported_;
};

engine::SessionFactory holdingFactory(engine::SessionFactory inner, int64_t reported) {
    using Opened = engine::Result<std::unique_ptr<engine::Session>>;
    return [inner = std::move(inner), reported](const engine::OpenOptions& options) -> Opened {
        Opened session = inner(options);
        if (!session) return session;
        return std::unique_ptr<engine::Session>(new HoldingSession(std::move(session).value(), reported));
    };
}

/// The parts of the program that write answers and keep their records. The names of signals are noted in their order.
struct Bench {
    /// reported: so many tokens of an answer are reported; see HoldingSession
    explicit Bench(const FakeScript& from = words(), int64_t context = 0,
                   int64_t reported = std::numeric_limits<int64_t>::max())
        : script(from), worker(holdingFactory(fakeFactory(from, control), reported)) {
        auto reader = store->openReader();
        if (reader) history.setReader(std::move(reader).value());
        answers.setStore(&*store);
        answers.setTraced(true);
        openKeeper();
        QSignalSpy ready(&worker, &EngineWorker::opened);
        engine::OpenOptions model;
        model.path = "model.gguf";
        model.context = context;
        worker.open(model);
        ready.wait(kPatienceMs);
        note(&AnswerQueue::grew, "grew");
        note(&AnswerQueue::ended, "ended");
        note(&AnswerQueue::recordBegun, "recordBegun");
        note(&AnswerQueue::recordGrew, "recordGrew");
        note(&AnswerQueue::recorded, "recorded");
        note(&AnswerQueue::failed, "failed");
        QObject::connect(&answers, &AnswerQueue::recorded, &answers,
                         [this](const AnswerRecord& record) { records.push_back(record); });
    }
    ~Bench() {
        control->allowAll();
        answers.saveForExit();
        history.setReader(nullptr);
        keeper.reset();
    }

    template <typename Signal>
    void note(Signal signal, const char* name) {
        QObject::connect(&answers, signal, &answers, [this, name] { signals_.append(QLatin1String(name)); });
    }
    void openKeeper() {
        keeper = std::make_unique<RecordKeeper>();
        auto reader = store->openReader();
        if (reader) keeper->setStore(&*store, std::move(reader).value());
    }
    /// Adds a turn, and lets the engine write its answer.
    StoredTurn say(const engine::GenerateOptions& options = {}) {
        auto turn = store->addTurn({.chat = 0, .title = "T", .prompt = "Hello", .model = {}});
        if (!turn) return {};
        answers.add({.answer = turn->answer, .options = options});
        return turn.value();
    }
    /// The same, to its end.
    StoredTurn sayAll() {
        control->allowAll();
        const StoredTurn turn = say();
        const auto idle = [this] { return !answers.busy(); };
        return QTest::qWaitFor(idle, kPatienceMs) ? turn : StoredTurn{};
    }
    /// Waits for as many tokens of the running answer.
    bool hasTokens(qint64 message, size_t tokens) {
        return QTest::qWaitFor(
            [&] {
                const AnswerRecord* record = answers.record(message);
                return record != nullptr && record->tokens.size() >= tokens;
            },
            kPatienceMs);
    }

    FakeScript script;
    StoreOnDisk store;
    std::shared_ptr<FakeControl> control = std::make_shared<FakeControl>();
    PromptHistory history;
    EngineWorker worker;
    AnswerQueue answers{&worker, &history};
    std::unique_ptr<RecordKeeper> keeper;
    QStringList signals_;
    std::vector<AnswerRecord> records;
};

/// Finds a record, and tells how that ended.
struct Search {
    explicit Search(RecordKeeper& keeper)
        : found(&keeper, &RecordKeeper::found), missing(&keeper, &RecordKeeper::missing),
          unreadable(&keeper, &RecordKeeper::unreadable) {}

    bool ended(int times = 1) {
        return QTest::qWaitFor([&] { return found.count() + missing.count() + unreadable.count() >= times; },
                               kPatienceMs);
    }
    AnswerRecord record() const { return found.last().at(1).value<AnswerRecord>(); }

    QSignalSpy found, missing, unreadable;
};

/// Whether the trace holds what the script's formulas say, from the first token that was read on.
bool isWhole(const AnswerRecord& record, const FakeScript& script, int64_t passes) {
    const std::vector<engine::TracedToken> tokens = record.trace->last(10000);
    if (record.trace->promptTokens() != script.promptTokens || record.trace->reused() != script.promptReused)
        return false;
    if (static_cast<int64_t>(tokens.size()) != script.promptTokens - script.promptReused + passes) return false;
    for (size_t i = 0; i < tokens.size(); ++i) {
        if (tokens[i].position != script.promptReused + static_cast<int64_t>(i)) return false;
        if (static_cast<int64_t>(tokens[i].layers.size()) != script.layers) return false;
        for (const engine::TracedLayer& layer : tokens[i].layers) {
            const engine::TracedLayer wanted = fakeRoute(script, tokens[i].position, layer.layer);
            if (layer.uses.size() != wanted.uses.size()) return false;
            for (size_t use = 0; use < wanted.uses.size(); ++use)
                if (layer.uses[use].expert != wanted.uses[use].expert || layer.uses[use].hit != wanted.uses[use].hit)
                    return false;
        }
    }
    return true;
}

/// Number of the answer's tokens that the trace has.
int64_t tracedTokens(const AnswerRecord& record) { return record.trace->newest() + 1 - record.trace->promptTokens(); }

bool same(const AnswerRecord& a, const AnswerRecord& b) {
    return a.message == b.message && a.trace->last(10000) == b.trace->last(10000) &&
           a.trace->promptTokens() == b.trace->promptTokens() && a.tokens == b.tokens;
}

/// The record as it comes back from the store, where times are kept as floats.
AnswerRecord asStored(AnswerRecord record) {
    record.tokens = engine::readTokenBytes(engine::tokenBytes(record.tokens)).value();
    return record;
}

/// A record without an engine: its trace has this many tokens of one layer.
AnswerRecord made(qint64 message, int64_t tokens) {
    auto log =
        engine::TraceLog::create({.layers = 1, .experts = 65536, .expertsPerToken = 8, .neurons = 65535}, tokens);
    std::shared_ptr<engine::TraceLog> trace = std::move(log).value();
    trace->answerBegins(0, 1);
    uint32_t random = static_cast<uint32_t>(message) * 2654435761u + 1;
    for (int64_t position = 0; position < tokens; ++position) {
        std::vector<engine::ExpertUse> uses(8);
        for (engine::ExpertUse& use : uses) {
            random = random * 1664525u + 1013904223u;
            use = {.expert = static_cast<int32_t>(random >> 16),
                   .weight = static_cast<float>(random >> 8 & 0xffff) / 65535.0f,
                   .hit = true,
                   .activeNeurons = static_cast<int32_t>(random >> 10 & 0xffff)};
        }
        trace->layerDone(position, 0, uses, 0);
        trace->tokenDone(position, 1, 0.5);
    }
    return {.message = message, .trace = trace, .tokens = {{.id = 1, .seconds = 0.5}}};
}

bool isThreeParts(const QSignalSpy& spy) {
    const auto error = spy.last().at(1).value<ErrorInfo>();
    return !error.what.isEmpty() && !error.why.isEmpty() && !error.action.isEmpty();
}

} // namespace

class TestAnswerRecord : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    // Recording.
    void aRunningAnswerHasARecord();
    void signalsComeInOrder();
    void nothingIsRecordedUnlessAsked();
    void lookingIsEnough();
    void aStoppedAnswerKeepsItsRecord();
    void aFailedAnswerKeepsItsRecord();
    void anAnswerCutOffByTheEndKeepsItsRecord();
    void theEndLeavesNoTokenWithoutText();
    void aFailureLeavesNoTokenWithoutText();
    void anAnswerThatNeverBeganHasNone();
    void aPrefixIsNotRecorded();
    void aContinuedAnswerHasAWholeRecord();
    void aContinuedAnswerThatTheEndCutsOffIsWhole();
    void aContinuedAnswerThatFailsIsWhole();
    void anotherPromptBeginsANewRecord();
    void theHitRateIsThatOfTheInspector();
    void reusedTokensAreNotTraced();
    void aDenseModelHasARecord();
    void aLongAnswerKeepsItsLatestTokens();
    void aLongPromptKeepsItsFirstToken();
    void answersInAQueueHaveTheirOwn();
    // Keeping.
    void aRecordIsKeptAndFound();
    void aRecordIsFoundBeforeItIsStored();
    void theEndWaitsForWhatIsBeingPacked();
    void onlyTheLastSearchIsAnswered();
    void damagedRecordsAreToldInWords_data();
    void damagedRecordsAreToldInWords();
    void theOldestGoFirst();
    void aSmallerLimitHoldsAtOnce();
    void allAreRemoved();
    void recordsVanishWithTheirMessages();
    void aMessageThatIsGoneIsNoError();
    void withoutAStoreNothingIsKept();
};

void TestAnswerRecord::aRunningAnswerHasARecord() {
    Bench bench;
    const StoredTurn turn = bench.say();
    bench.control->allow(kPrompt + 2);
    QVERIFY(bench.hasTokens(turn.answer.id, 2));
    const AnswerRecord* record = bench.answers.record(turn.answer.id);
    QCOMPARE(record->message, turn.answer.id);
    QCOMPARE(record->trace->newest(), kPrompt); // the first token went through the model, the second did not yet
    QCOMPARE(record->tokens[1].seconds, fakeSeconds(1));
    QVERIFY((record->tokens[1].text == std::vector{engine::TextRange{.part = 0, .begin = 5, .end = 10}}));
    QVERIFY(!bench.answers.record(turn.prompt.id) && !bench.answers.record(0));
    bench.control->allowAll();
    QTRY_COMPARE(bench.records.size(), size_t{1});
    QVERIFY(!bench.answers.record(turn.answer.id));
    QCOMPARE(bench.records[0].message, turn.answer.id);
    QCOMPARE(bench.records[0].tokens.size(), size_t{4});
    QVERIFY(isWhole(bench.records[0], words(), 4)); // the last token is read too, which draws the end
}

void TestAnswerRecord::signalsComeInOrder() {
    Bench bench;
    bench.sayAll();
    QTRY_COMPARE(bench.records.size(), size_t{1});
    QStringList order = bench.signals_;
    QCOMPARE(order.takeFirst(), QStringLiteral("recordBegun"));
    QCOMPARE(order.takeLast(), QStringLiteral("recorded"));
    QCOMPARE(order.takeLast(), QStringLiteral("ended"));
    QCOMPARE(order.last(), QStringLiteral("recordGrew")); // after the last text
    QVERIFY(order.contains(QStringLiteral("grew")));
    for (qsizetype i = 0; i < order.size(); ++i) // a piece of text never comes without its token
        if (order[i] == QStringLiteral("grew")) QCOMPARE(order.value(i + 1), QStringLiteral("recordGrew"));
}

void TestAnswerRecord::nothingIsRecordedUnlessAsked() {
    Bench bench;
    bench.answers.setTraced(false);
    QVERIFY(bench.sayAll().chat != 0);
    QVERIFY(bench.records.empty());
    QVERIFY(!bench.signals_.contains(QStringLiteral("recordBegun")));
    QVERIFY(!bench.signals_.contains(QStringLiteral("recordGrew")));
    QVERIFY(bench.control->options().at(0).trace == nullptr);
}

void TestAnswerRecord::lookingIsEnough() {
    Bench bench;
    bench.answers.setTraced(false);
    bench.answers.setWatched(true);
    bench.sayAll();
    QCOMPARE(bench.records.size(), size_t{1});
}

void TestAnswerRecord::aStoppedAnswerKeepsItsRecord() {
    Bench bench;
    const StoredTurn turn = bench.say();
    bench.control->allow(kPrompt + 3);
    QVERIFY(bench.hasTokens(turn.answer.id, 3));
    bench.answers.stop(turn.answer.id);
    QTRY_COMPARE(bench.records.size(), size_t{1});
    QCOMPARE(bench.records[0].tokens.size(), size_t{3});
    QVERIFY(isWhole(bench.records[0], words(), 2));
    QCOMPARE(bench.store->message(turn.answer.id)->state, MessageState::Stopped);
}

void TestAnswerRecord::aFailedAnswerKeepsItsRecord() {
    FakeScript script = words();
    script.failAfter = 2;
    script.failure = {engine::ErrorKind::Io, "The answer broke off", "The disk is gone", "Connect it"};
    Bench bench(script);
    const StoredTurn turn = bench.sayAll();
    QTRY_COMPARE(bench.signals_.count(QStringLiteral("failed")), 1);
    QCOMPARE(bench.records.size(), size_t{1});
    QCOMPARE(bench.records[0].tokens.size(), size_t{2});
    QVERIFY(isWhole(bench.records[0], script, 1));
    QCOMPARE(bench.store->message(turn.answer.id)->state, MessageState::Failed);
}

void TestAnswerRecord::anAnswerCutOffByTheEndKeepsItsRecord() {
    Bench bench;
    const StoredTurn turn = bench.say();
    bench.control->allow(kPrompt + 2);
    QVERIFY(bench.hasTokens(turn.answer.id, 2));
    bench.answers.saveForExit();
    QCOMPARE(bench.signals_.last(), QStringLiteral("recorded"));
    QCOMPARE(bench.records.at(0).tokens.size(), size_t{2});
    QCOMPARE(bench.store->message(turn.answer.id)->statistics.tokens, qint64{2});
}

/// The engine goes on while this thread does something else, and until it finds that it was cancelled.
void TestAnswerRecord::theEndLeavesNoTokenWithoutText() {
    FakeScript script = words();
    script.promptTokens = 5; // those of "Hello"
    Bench bench(script);
    const StoredTurn turn = bench.say();
    bench.control->allow(script.promptTokens + 1);
    QVERIFY(bench.hasTokens(turn.answer.id, 1));
    bench.control->allow(2);
    while (!bench.control->waits()) std::this_thread::yield();
    const auto whole = bench.answers.record(turn.answer.id)->trace;
    QCOMPARE(whole->newest(), script.promptTokens + 1); // two tokens went through the model
    bench.answers.saveForExit();
    const AnswerRecord& record = bench.records.at(0);
    QCOMPARE(bench.store->message(turn.answer.id)->text(), QStringLiteral("Once "));
    QCOMPARE(record.tokens.size(), size_t{1});
    QCOMPARE(tracedTokens(record), int64_t{1});
    QVERIFY(isWhole(record, script, 1));
    bench.keeper->keep(record);
    bench.openKeeper();
    Search search(*bench.keeper);
    bench.keeper->find(turn.answer.id);
    QVERIFY(search.ended());
    QVERIFY(same(search.record(), asStored(record)));
    // It can be continued from there.
    Job job{.answer = *bench.store->message(turn.answer.id), .begun = search.record(), .shared = 1};
    job.options.prefix = {0};
    bench.control->allowAll();
    bench.answers.add(job);
    QTRY_COMPARE(bench.records.size(), size_t{2});
    QCOMPARE(bench.store->message(turn.answer.id)->text(), QStringLiteral("Once upon a time"));
    QCOMPARE(bench.records[1].tokens.size(), size_t{4});
    QVERIFY(isWhole(bench.records[1], script, 4));
}

/// The text of the last tokens is not reported if the engine fails.
void TestAnswerRecord::aFailureLeavesNoTokenWithoutText() {
    FakeScript script = words();
    script.failAfter = 3;
    script.failure = {engine::ErrorKind::Io, "The answer broke off", "The disk is gone", "Connect it"};
    Bench bench(script, 0, 1);
    const StoredTurn turn = bench.sayAll();
    QTRY_COMPARE(bench.records.size(), size_t{1});
    QCOMPARE(bench.store->message(turn.answer.id)->text(), QStringLiteral("Once "));
    QCOMPARE(bench.records[0].tokens.size(), size_t{1});
    QCOMPARE(tracedTokens(bench.records[0]), int64_t{1});
    QVERIFY(isWhole(bench.records[0], script, 1));
}

void TestAnswerRecord::anAnswerThatNeverBeganHasNone() {
    Bench bench;
    const StoredTurn first = bench.say(), second = bench.say();
    bench.answers.stop(second.answer.id); // it waits
    QVERIFY(!bench.answers.record(second.answer.id));
    QTRY_VERIFY(bench.answers.record(first.answer.id));
    bench.answers.stop(first.answer.id); // its prompt is not read yet
    QTRY_VERIFY(!bench.answers.busy());
    QCOMPARE(bench.signals_.count(QStringLiteral("ended")), 2);
    QVERIFY(bench.records.empty());
}

void TestAnswerRecord::aPrefixIsNotRecorded() {
    Bench bench;
    auto turn = bench.store->addTurn({.chat = 0, .title = "T", .prompt = "Hello", .model = {}});
    VERIFY_OK(turn);
    MessageRow answer = turn->answer;
    answer.parts = textParts(QStringLiteral("It was: "));
    engine::GenerateOptions options;
    options.prefix = {1, 2};
    bench.control->allowAll();
    bench.answers.add({.answer = answer, .options = options});
    QTRY_COMPARE(bench.records.size(), size_t{1});
    QCOMPARE(bench.records[0].tokens.size(), size_t{4});
}

/// The answer was stopped after two of its four tokens, and is continued with their record.
struct Continued {
    explicit Continued(Bench& bench, bool allowed = true) {
        const StoredTurn turn = bench.say();
        bench.control->allow(static_cast<int>(bench.script.promptTokens) + 2);
        if (!bench.hasTokens(turn.answer.id, 2)) return;
        bench.answers.stop(turn.answer.id);
        if (!QTest::qWaitFor([&] { return bench.records.size() == 1; }, kPatienceMs)) return;
        const auto row = bench.store->message(turn.answer.id);
        if (!row) return;
        job = {.answer = *row, .begun = bench.records[0], .shared = 2};
        job.options.prefix = {0, 1};
        if (allowed) bench.control->allowAll();
    }
    Job job;
};

void TestAnswerRecord::aContinuedAnswerHasAWholeRecord() {
    FakeScript script = words();
    script.promptTokens = 5; // those of "Hello"
    Bench bench(script);
    Continued continued(bench);
    QCOMPARE(continued.job.answer.text(), QStringLiteral("Once upon "));
    bench.answers.add(continued.job);
    QTRY_COMPARE(bench.records.size(), size_t{2});
    const AnswerRecord& whole = bench.records[1];
    QVERIFY(isWhole(whole, script, 4));
    QCOMPARE(whole.tokens.size(), size_t{4});
    QVERIFY((whole.tokens[3].text == std::vector{engine::TextRange{.part = 0, .begin = 12, .end = 16}}));
    QCOMPARE(whole.tokens[1].seconds, bench.records[0].tokens[1].seconds);
    QCOMPARE(whole.tokens[2].seconds, whole.tokens[1].seconds + fakeSeconds(2)); // its own call began anew
}

void TestAnswerRecord::aContinuedAnswerThatTheEndCutsOffIsWhole() {
    FakeScript script = words();
    script.promptTokens = 5;
    Bench bench(script);
    Continued continued(bench, false);
    bench.answers.add(continued.job);
    bench.control->allow(5 + 1);
    QVERIFY(bench.hasTokens(continued.job.answer.id, 3));
    bench.answers.saveForExit();
    QCOMPARE(bench.records.back().tokens.size(), size_t{3});
    QCOMPARE(bench.store->message(continued.job.answer.id)->statistics.tokens, qint64{3});
    bench.control->allowAll();
}

void TestAnswerRecord::aContinuedAnswerThatFailsIsWhole() {
    FakeScript script = words();
    script.failAfter = 3;
    script.failure = {engine::ErrorKind::Io, "The answer broke off", "The disk is gone", "Connect it"};
    Bench bench(script);
    Continued continued(bench);
    bench.answers.add(continued.job);
    QTRY_COMPARE(bench.records.size(), size_t{2});
    QCOMPARE(bench.records[1].tokens.size(), size_t{3});
    const auto row = bench.store->message(continued.job.answer.id);
    QCOMPARE(row->state, MessageState::Failed);
    QCOMPARE(row->statistics.tokens, qint64{3});
}

/// A prefetched expert counts as read from disk, and layers of a dense model are no hits.
void TestAnswerRecord::theHitRateIsThatOfTheInspector() {
    for (const bool dense : {false, true}) {
        FakeScript script = words();
        script.dense = dense;
        if (dense) script.bytesFromDisk = uint64_t{200} << 20; // a layer or two
        Bench bench(script);
        const StoredTurn turn = bench.sayAll();
        const AnswerStatistics kept = bench.store->message(turn.answer.id)->statistics;
        QVERIFY(kept.expertsFromDisk > 0);
        QCOMPARE(kept.hitRate, dense ? 0 : 1 - kept.expertsFromDisk);
    }
}

void TestAnswerRecord::anotherPromptBeginsANewRecord() {
    FakeScript script = words();
    script.promptTokens = 5;
    Bench bench(script);
    Continued continued(bench);
    continued.job.systemPrompt = QStringLiteral("Be brief."); // the fake then reads more tokens than the trace has
    bench.answers.add(continued.job);
    QTRY_COMPARE(bench.records.size(), size_t{2});
    QVERIFY(!bench.records[1].trace->continues());
    QCOMPARE(bench.records[1].tokens.size(), size_t{2});
}

void TestAnswerRecord::reusedTokensAreNotTraced() {
    FakeScript script = words();
    script.promptReused = 2;
    Bench bench(script);
    bench.sayAll();
    QCOMPARE(bench.records.size(), size_t{1});
    QVERIFY(isWhole(bench.records[0], script, 4));
}

void TestAnswerRecord::aDenseModelHasARecord() {
    FakeScript script = words();
    script.dense = true;
    Bench bench(script);
    bench.sayAll();
    QCOMPARE(bench.records.size(), size_t{1});
    QVERIFY(isWhole(bench.records[0], script, 4));
    QCOMPARE(bench.records[0].trace->shape().experts, int64_t{1});
}

void TestAnswerRecord::aLongAnswerKeepsItsLatestTokens() {
    FakeScript script = words();
    script.fixedContext = true; // the answer goes on beyond the five tokens for which the record has room
    Bench bench(script, 5);
    bench.sayAll();
    QCOMPARE(bench.records.size(), size_t{1});
    QCOMPARE(bench.records[0].trace->newest(), kPrompt + 3);
    QCOMPARE(bench.records[0].trace->last(100).size(), size_t{5});
}

void TestAnswerRecord::aLongPromptKeepsItsFirstToken() {
    FakeScript script = words();
    script.promptTokens = 9000;
    script.contextSize = 10000;
    Bench bench(script, 10000);
    bench.sayAll();
    QCOMPARE(bench.records.size(), size_t{1});
    QVERIFY(bench.records[0].trace->token(0));
    QVERIFY(isWhole(bench.records[0], script, 4));
}

void TestAnswerRecord::answersInAQueueHaveTheirOwn() {
    Bench bench;
    const StoredTurn first = bench.say(), second = bench.say();
    bench.control->allow(kPrompt + 1);
    QVERIFY(bench.hasTokens(first.answer.id, 1));
    QVERIFY(!bench.answers.record(second.answer.id));
    bench.control->allowAll();
    QTRY_COMPARE(bench.records.size(), size_t{2});
    QCOMPARE(bench.records[0].message, first.answer.id);
    QCOMPARE(bench.records[1].message, second.answer.id);
    QVERIFY(bench.records[0].trace != bench.records[1].trace);
    QVERIFY(isWhole(bench.records[0], words(), 4) && isWhole(bench.records[1], words(), 4));
    const qsizetype ended = bench.signals_.indexOf(QStringLiteral("ended"));
    QCOMPARE(bench.signals_.value(ended + 1), QStringLiteral("recorded"));
    QVERIFY(bench.signals_.lastIndexOf(QStringLiteral("recordBegun")) > ended);
}

void TestAnswerRecord::aRecordIsKeptAndFound() {
    Bench bench;
    const StoredTurn turn = bench.sayAll();
    QCOMPARE(bench.records.size(), size_t{1});
    QSignalSpy counted(bench.keeper.get(), &RecordKeeper::bytesChanged);
    bench.keeper->keep(bench.records[0]);
    QVERIFY(counted.count() || counted.wait(kPatienceMs));
    QVERIFY(bench.keeper->bytes() > 0);
    QCOMPARE(bench.keeper->bytes(), static_cast<double>(bench.store->records().totalBytes().value()));
    bench.keeper.reset();
    bench.history.setReader(nullptr);
    bench.store.reopen();
    bench.answers.setStore(&*bench.store);
    bench.openKeeper();
    QVERIFY(bench.keeper->bytes() > 0);
    Search search(*bench.keeper);
    bench.keeper->find(turn.answer.id);
    QVERIFY(search.ended());
    QCOMPARE(search.found.count(), 1);
    QCOMPARE(search.found[0].at(0).toLongLong(), turn.answer.id);
    QVERIFY(same(search.record(), asStored(bench.records[0])));
    bench.keeper->find(turn.prompt.id);
    QVERIFY(search.ended(2));
    QCOMPARE(search.missing.count(), 1);
    QCOMPARE(search.missing[0].at(0).toLongLong(), turn.prompt.id);
}

void TestAnswerRecord::aRecordIsFoundBeforeItIsStored() {
    Bench bench;
    const qint64 message = bench.store.say("Hello", "x").answer.id;
    const AnswerRecord first = made(message, 5), second = made(message, 6);
    Search search(*bench.keeper);
    bench.keeper->keep(first);
    bench.keeper->keep(second); // it was continued
    QCOMPARE(bench.keeper->tokens(*bench.store, message).size(), second.tokens.size());
    bench.keeper->find(message);
    QVERIFY(search.found.isEmpty()); // it is told later, as for stored ones
    QVERIFY(search.ended());
    QVERIFY(search.record().trace == second.trace);
    bench.openKeeper(); // waits until both are stored
    QCOMPARE(bench.keeper->tokens(*bench.store, message).size(), second.tokens.size());
    Search again(*bench.keeper);
    bench.keeper->find(message);
    QVERIFY(again.ended());
    QVERIFY(same(again.record(), second));
}

void TestAnswerRecord::theEndWaitsForWhatIsBeingPacked() {
    Bench bench;
    std::vector<qint64> messages;
    for (int i = 0; i < 5; ++i) {
        messages.push_back(bench.store.say("Hello", "x").answer.id);
        bench.keeper->keep(made(messages.back(), 500));
    }
    bench.keeper->find(messages.front());
    bench.keeper.reset();
    for (const qint64 message : messages) QVERIFY(bench.store->records().get(RecordKind::Trace, message)->has_value());
    QCOMPARE(bench.store.number("SELECT count(*) FROM token_records"), qint64{5});
}

void TestAnswerRecord::onlyTheLastSearchIsAnswered() {
    Bench bench;
    std::vector<qint64> messages;
    for (int i = 0; i < 20; ++i) {
        messages.push_back(bench.store.say("Hello", "x").answer.id);
        bench.keeper->keep(made(messages.back(), 50 + i));
    }
    bench.openKeeper();
    Search search(*bench.keeper);
    for (const qint64 message : messages) bench.keeper->find(message);
    QVERIFY(search.ended());
    QCoreApplication::processEvents();
    QCOMPARE(search.found.count(), 1);
    QCOMPARE(search.found[0].at(0).toLongLong(), messages.back());
    QCOMPARE(search.record().message, messages.back());
    QVERIFY(same(search.record(), made(messages.back(), 69)));
    QVERIFY(search.missing.isEmpty() && search.unreadable.isEmpty());
}

void TestAnswerRecord::damagedRecordsAreToldInWords_data() {
    QTest::addColumn<QString>("sql");
    QTest::newRow("compressed bytes") << "UPDATE traces SET data = x'00000005ffffffffff'";
    QTest::newRow("cut") << "UPDATE traces SET data = substr(data, 1, length(data) - 3)";
    QTest::newRow("empty trace") << "UPDATE traces SET data = x''";
    QTest::newRow("empty tokens") << "UPDATE token_records SET data = x''";
    QTest::newRow("later trace") << "UPDATE traces SET version = 2";
    QTest::newRow("later tokens") << "UPDATE token_records SET version = 7";
}

void TestAnswerRecord::damagedRecordsAreToldInWords() {
    QFETCH(QString, sql);
    Bench bench;
    const StoredTurn turn = bench.store.say("Hello", "the answer");
    bench.keeper->keep(made(turn.answer.id, 20));
    bench.openKeeper();
    SQLite::Database(bench.store.file(), SQLite::OPEN_READWRITE).exec(sql.toStdString());
    Search search(*bench.keeper);
    bench.keeper->find(turn.answer.id);
    QVERIFY(search.ended());
    QCOMPARE(search.unreadable.count(), 1);
    QCOMPARE(search.unreadable[0].at(0).toLongLong(), turn.answer.id);
    QVERIFY(isThreeParts(search.unreadable));
    QCOMPARE(bench.store->messages(turn.chat)->back().text(), QStringLiteral("the answer"));
    bench.keeper->keep(made(turn.answer.id, 3)); // a new record takes its place
    bench.openKeeper();
    Search again(*bench.keeper);
    bench.keeper->find(turn.answer.id);
    QVERIFY(again.ended());
    QCOMPARE(again.found.count(), 1);
}

void TestAnswerRecord::theOldestGoFirst() {
    Bench bench;
    std::vector<qint64> messages;
    const auto keep = [&] {
        messages.push_back(bench.store.say("Hello", "x").answer.id);
        bench.keeper->keep(made(messages.back(), 1000));
        bench.openKeeper();
    };
    keep();
    const double one = bench.keeper->bytes();
    QVERIFY(one > 20000);
    for (int i = 0; i < 4; ++i) keep();
    bench.keeper->setLimit(static_cast<qint64>(3.5 * one));
    QVERIFY(bench.keeper->bytes() <= 3.5 * one);
    QCOMPARE(bench.store.number("SELECT count(*) FROM traces"), qint64{3});
    messages.push_back(bench.store.say("Hello", "x").answer.id);
    QSignalSpy counted(bench.keeper.get(), &RecordKeeper::bytesChanged);
    bench.keeper->keep(made(messages.back(), 1200));
    QVERIFY(counted.wait(kPatienceMs));
    QVERIFY(bench.keeper->bytes() <= 3.5 * one);
    QString kept;
    for (const qint64 message : messages) {
        const bool trace = bench.store->records().get(RecordKind::Trace, message)->has_value();
        QCOMPARE(bench.store->records().get(RecordKind::Tokens, message)->has_value(), trace);
        kept += trace ? u'1' : u'0';
    }
    QCOMPARE(kept, QStringLiteral("000111"));
}

void TestAnswerRecord::aSmallerLimitHoldsAtOnce() {
    Bench bench;
    bench.keeper->keep(made(bench.store.say("Hello", "x").answer.id, 100));
    bench.openKeeper();
    QVERIFY(bench.keeper->bytes() > 0);
    QSignalSpy counted(bench.keeper.get(), &RecordKeeper::bytesChanged);
    bench.keeper->setLimit(10);
    QCOMPARE(counted.count(), 1);
    QCOMPARE(bench.keeper->bytes(), 0.0);
}

void TestAnswerRecord::allAreRemoved() {
    Bench bench;
    const qint64 stored = bench.store.say("Hello", "x").answer.id, waiting = bench.store.say("Hello", "x").answer.id;
    bench.keeper->keep(made(stored, 100));
    bench.openKeeper();
    bench.keeper->keep(made(waiting, 100));
    bench.keeper->removeAll();
    QCOMPARE(bench.keeper->bytes(), 0.0);
    Search search(*bench.keeper);
    bench.keeper->find(waiting);
    QVERIFY(search.ended());
    bench.keeper->find(stored);
    QVERIFY(search.ended(2));
    QCOMPARE(search.missing.count(), 2);
    bench.openKeeper();
    QCOMPARE(bench.keeper->bytes(), 0.0);
}

void TestAnswerRecord::recordsVanishWithTheirMessages() {
    Bench bench;
    const StoredTurn one = bench.store.say("Hello", "x"), two = bench.store.say("Hello", "y");
    const StoredTurn beside = bench.store.say("Hello", "z");
    for (const StoredTurn& turn : {one, two, beside}) bench.keeper->keep(made(turn.answer.id, 10));
    bench.openKeeper();
    VERIFY_OK(bench.store->remove(one.chat));
    VERIFY_OK(bench.store->removeMessage(two.answer.id));
    QCOMPARE(bench.store.number("SELECT count(*) FROM traces"), qint64{3}); // they can be restored
    VERIFY_OK(bench.store->purge(QDateTime::currentDateTime().addDays(1)));
    QCOMPARE(bench.store.number("SELECT count(*) FROM traces"), qint64{1});
    QCOMPARE(bench.store.number("SELECT count(*) FROM token_records"), qint64{1});
    const double before = bench.keeper->bytes();
    bench.keeper->recount();
    QVERIFY(bench.keeper->bytes() < before && bench.keeper->bytes() > 0);
    Search search(*bench.keeper);
    bench.keeper->find(beside.answer.id);
    QVERIFY(search.ended());
    QCOMPARE(search.found.count(), 1);
}

void TestAnswerRecord::aMessageThatIsGoneIsNoError() {
    Bench bench;
    QSignalSpy failures(bench.keeper.get(), &RecordKeeper::failed);
    bench.keeper->keep(made(99, 10));
    bench.keeper->setStore(&*bench.store, nullptr);
    QVERIFY(failures.isEmpty());
    QCOMPARE(bench.keeper->bytes(), 0.0);
}

void TestAnswerRecord::withoutAStoreNothingIsKept() {
    RecordKeeper keeper;
    Search search(keeper);
    keeper.keep(made(1, 10));
    keeper.find(1);
    QVERIFY(search.ended());
    QCOMPARE(search.missing.count(), 1);
    keeper.removeAll();
    keeper.setLimit(5);
    QCOMPARE(keeper.bytes(), 0.0);
}

QTEST_GUILESS_MAIN(TestAnswerRecord)
#include "tst_answer_record.moc"
