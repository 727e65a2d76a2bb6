// SPDX-License-Identifier: Apache-2.0
// The engine's thread over a scripted engine whose steps the test allows one by one.
#include "engine_link/engine_worker.h"
#include "fakes/fake_session.h"

#include <QSignalSpy>
#include <QtTest>

using namespace coterie;
using namespace coterie::app;
using namespace coterie::test;

namespace {

FakeScript threeWords() {
    FakeScript script;
    script.pieces = {"Once ", "upon ", "a time"};
    script.promptTokens = 2;
    return script;
}

engine::OpenOptions model(const char* path) {
    engine::OpenOptions options;
    options.path = path;
    return options;
}

/// Writes until it is stopped.
FakeScript endless() {
    FakeScript script = threeWords();
    script.endless = true;
    script.contextSize = int64_t{1} << 40;
    return script;
}

engine::Result<std::vector<engine::Message>> hello() {
    return std::vector{engine::Message::text(engine::Role::User, "Hello")};
}

GenerateRequest request(quint64 id) {
    GenerateRequest made;
    made.id = id;
    made.conversation = hello;
    return made;
}

/// A worker, the signals that it sends, and the control of its engine.
struct Bench {
    explicit Bench(FakeScript script = threeWords()) : worker(fakeFactory(std::move(script), control)) {}
    ~Bench() { control->allowAll(); }

    bool open() {
        worker.open(model("model.gguf"));
        return opened.wait(kPatienceMs);
    }
    QString text() const {
        QString all;
        for (const QList<QVariant>& d : deltas) all += d.at(1).value<PartPiece>().part.text;
        return all;
    }
    GenerationOutcome outcome(int at = 0) const { return finished.at(at).at(0).value<GenerationOutcome>(); }

    std::shared_ptr<FakeControl> control = std::make_shared<FakeControl>();
    EngineWorker worker;
    QSignalSpy opened{&worker, &EngineWorker::opened};
    QSignalSpy failed{&worker, &EngineWorker::openFailed};
    QSignalSpy progress{&worker, &EngineWorker::openProgress};
    QSignalSpy deltas{&worker, &EngineWorker::delta};
    QSignalSpy finished{&worker, &EngineWorker::finished};
    QSignalSpy counted{&worker, &EngineWorker::counted};
};

} // namespace

class TestEngineWorker : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void opensWithProgress();
    void tellsWhyItCannotOpen();
    void onlyTheLastOpeningCounts();
    void streamsInOrder();
    void stopsWithinOneToken();
    void aCancelBeforeTheStartHolds();
    void aCancelBeforeTheSessionIsCalledHolds();
    void withoutAModelItSaysSo();
    void openingAnotherModelEndsTheAnswer();
    void closingForgetsTelemetry();
    void tracesWhatItIsAskedTo();
    void tracesNothingUnlessAsked();
    void tellsWhereExpertsAre();
    void countsTokens();
    void goesWhileItGenerates();
};

void TestEngineWorker::opensWithProgress() {
    Bench bench;
    QVERIFY(bench.open());
    QCOMPARE(bench.opened.at(0).at(1).value<engine::ModelInfo>().path, std::string("model.gguf"));
    QVERIFY(bench.progress.count() > 2);
    QCOMPARE(bench.progress.last().at(1).toDouble(), 1.0);
    QVERIFY(bench.worker.telemetry());
}

void TestEngineWorker::tellsWhyItCannotOpen() {
    Bench bench(*fakeScript("out-of-memory"));
    bench.worker.open(model("model.gguf"));
    QVERIFY(bench.failed.wait(kPatienceMs));
    QCOMPARE(bench.failed.at(0).at(1).value<engine::Error>().kind, engine::ErrorKind::OutOfMemory);
    QVERIFY(!bench.worker.telemetry());
}

void TestEngineWorker::onlyTheLastOpeningCounts() {
    Bench bench;
    bench.worker.open(model("first.gguf"));
    bench.worker.cancelOpening();
    const quint64 second = bench.worker.open(model("second.gguf"));
    QTRY_VERIFY(!bench.opened.isEmpty() && bench.opened.last().at(0).toULongLong() == second);
    QCOMPARE(bench.opened.last().at(1).value<engine::ModelInfo>().path, std::string("second.gguf"));
    for (const QList<QVariant>& failure : bench.failed) QVERIFY(failure.at(0).toULongLong() != second);
}

void TestEngineWorker::streamsInOrder() {
    Bench bench;
    QVERIFY(bench.open());
    QSignalSpy prompts(&bench.worker, &EngineWorker::promptProgress);
    bench.worker.generate(request(1));
    bench.control->allow(2 + 1);
    QTRY_COMPARE(bench.deltas.count(), 1);
    QCOMPARE(bench.text(), QStringLiteral("Once "));
    QCOMPARE(prompts.last().at(2).toLongLong(), qint64{2});
    bench.control->allowAll();
    QVERIFY(bench.finished.count() || bench.finished.wait(kPatienceMs));
    QCOMPARE(bench.text(), QStringLiteral("Once upon a time"));
    QCOMPARE(bench.outcome().reason, engine::FinishReason::EndOfGeneration);
    QCOMPARE(bench.outcome().statistics.generated, int64_t{3});
    QVERIFY(!bench.outcome().error);
}

void TestEngineWorker::stopsWithinOneToken() {
    Bench bench(endless());
    QVERIFY(bench.open());
    bench.worker.generate(request(1));
    bench.control->allow(2 + 5);
    QTRY_COMPARE(bench.deltas.count(), 5);
    bench.worker.cancel(1);
    QVERIFY(bench.finished.count() || bench.finished.wait(kPatienceMs));
    QCOMPARE(bench.outcome().reason, engine::FinishReason::Cancelled);
    QCOMPARE(bench.deltas.count(), 5);
    // The cancellation doesn't affect the next answer.
    bench.worker.generate(request(2));
    bench.control->allow(2 + 1);
    QTRY_COMPARE(bench.deltas.count(), 6);
    bench.worker.cancel(2);
    QTRY_COMPARE(bench.finished.count(), 2);
}

void TestEngineWorker::aCancelBeforeTheStartHolds() {
    Bench bench(endless());
    QVERIFY(bench.open());
    bench.control->allowAll();
    for (quint64 id = 1; id <= 200; ++id) {
        bench.worker.generate(request(id));
        bench.worker.cancel(id);
    }
    QTRY_COMPARE(bench.finished.count(), 200);
    for (int i = 0; i < 200; ++i) QCOMPARE(bench.outcome(i).reason, engine::FinishReason::Cancelled);
}

/// It comes between the start and the session's call, which does not even begin to read the prompt.
void TestEngineWorker::aCancelBeforeTheSessionIsCalledHolds() {
    Bench bench(endless());
    QVERIFY(bench.open());
    bench.control->allowAll();
    QSignalSpy prompts(&bench.worker, &EngineWorker::promptProgress);
    GenerateRequest late = request(1);
    late.conversation = [&bench] { // the engine's thread asks for it
        bench.worker.cancel(1);
        return hello();
    };
    bench.worker.generate(late);
    QTRY_COMPARE(bench.finished.count(), 1);
    QCOMPARE(bench.outcome().reason, engine::FinishReason::Cancelled);
    QVERIFY(prompts.isEmpty());
}

void TestEngineWorker::withoutAModelItSaysSo() {
    Bench bench;
    bench.worker.generate(request(1));
    QVERIFY(bench.finished.wait(kPatienceMs));
    QVERIFY(bench.outcome().error);
    QVERIFY(!bench.outcome().error->action.empty());
}

void TestEngineWorker::openingAnotherModelEndsTheAnswer() {
    Bench bench(endless());
    QVERIFY(bench.open());
    bench.worker.generate(request(1));
    bench.control->allow(2 + 3);
    QTRY_VERIFY(bench.deltas.count() > 0);
    bench.worker.open(model("other.gguf"));
    QTRY_COMPARE(bench.opened.count(), 2);
    QCOMPARE(bench.finished.count(), 1);
    QCOMPARE(bench.outcome().reason, engine::FinishReason::Cancelled);
}

void TestEngineWorker::closingForgetsTelemetry() {
    Bench bench;
    QVERIFY(bench.open());
    bench.worker.close();
    QTRY_VERIFY(!bench.worker.telemetry());
}

void TestEngineWorker::tracesWhatItIsAskedTo() {
    Bench bench;
    QVERIFY(bench.open());
    QStringList order;
    std::shared_ptr<const engine::TraceLog> trace;
    std::vector<engine::TokenRecord> tokens;
    connect(&bench.worker, &EngineWorker::traceBegun, &bench.worker,
            [&](quint64 id, const std::shared_ptr<const engine::TraceLog>& begun) {
                order.append(QStringLiteral("trace %1").arg(id));
                trace = begun;
            });
    connect(&bench.worker, &EngineWorker::promptProgress, &bench.worker,
            [&] { order.append(QStringLiteral("prompt")); });
    connect(&bench.worker, &EngineWorker::tokensDrawn, &bench.worker,
            [&](quint64, const std::vector<engine::TokenRecord>& drawn) {
                order.append(QStringLiteral("tokens"));
                tokens.insert(tokens.end(), drawn.begin(), drawn.end());
            });
    connect(&bench.worker, &EngineWorker::delta, &bench.worker, [&] { order.append(QStringLiteral("text")); });
    GenerateRequest traced = request(5);
    traced.traced = true;
    bench.control->allowAll();
    bench.worker.generate(traced);
    QTRY_COMPARE(bench.finished.count(), 1);
    QCOMPARE(order.join(u' '), QStringLiteral("trace 5 prompt prompt prompt tokens text tokens text tokens text"));
    QCOMPARE(tokens.size(), size_t{3});
    QVERIFY((tokens[2].text == std::vector{engine::TextRange{.part = 0, .begin = 10, .end = 16}}));
    QVERIFY(trace);
    QCOMPARE(trace->promptTokens(), int64_t{2});
    const std::vector<engine::TracedToken> all = trace->last(100);
    QCOMPARE(all.size(), size_t{5});
    QCOMPARE(all.front().position, int64_t{0});
    QCOMPARE(all.back().layers.size(), size_t{12});
    QCOMPARE(all.back().layers[7].uses[2].expert, fakeRoute(threeWords(), 4, 7).uses[2].expert);
}

void TestEngineWorker::tracesNothingUnlessAsked() {
    Bench bench;
    QVERIFY(bench.open());
    QSignalSpy traces(&bench.worker, &EngineWorker::traceBegun), tokens(&bench.worker, &EngineWorker::tokensDrawn);
    bench.control->allowAll();
    bench.worker.generate(request(1));
    QTRY_COMPARE(bench.finished.count(), 1);
    QCOMPARE(bench.text(), QStringLiteral("Once upon a time"));
    QVERIFY(traces.isEmpty() && tokens.isEmpty());
}

void TestEngineWorker::tellsWhereExpertsAre() {
    Bench bench;
    QVERIFY(bench.worker.expertStates().empty());
    QVERIFY(bench.open());
    const std::vector<uint8_t> states = bench.worker.expertStates();
    QCOMPARE(states.size(), size_t{12 * 32});
    QCOMPARE(states.front(), uint8_t{2}); // in memory
    bench.worker.close();
    QTRY_VERIFY(bench.worker.expertStates().empty());
}

void TestEngineWorker::countsTokens() {
    Bench bench;
    QVERIFY(bench.open());
    const quint64 count = bench.worker.count(hello, {});
    QVERIFY(bench.counted.wait(kPatienceMs));
    QCOMPARE(bench.counted.at(0).at(0).toULongLong(), count);
    QCOMPARE(bench.counted.at(0).at(1).toLongLong(), qint64{5});
}

void TestEngineWorker::goesWhileItGenerates() {
    auto control = std::make_shared<FakeControl>();
    {
        EngineWorker worker(fakeFactory(endless(), control));
        QSignalSpy opened(&worker, &EngineWorker::opened);
        QSignalSpy deltas(&worker, &EngineWorker::delta);
        worker.open(model("model.gguf"));
        QVERIFY(opened.wait(kPatienceMs));
        worker.generate(request(1));
        control->allow(4);
        QTRY_VERIFY(deltas.count() > 0);
    }
    QCOMPARE(control->conversations().size(), size_t{1});
}

QTEST_GUILESS_MAIN(TestEngineWorker)
#include "tst_engine_worker.moc"
