// SPDX-License-Identifier: Apache-2.0
// The forecast of the settings page: the smallest budget that works, plans that follow the settings, and no access to
// the file while the page is not visible. tests/decoder tests the real planner.
#include "app/app_bench.h"
#include "base/memory.h"
#include "engine_link/memory_outlook.h"

#include <QSignalSpy>
#include <QtTest>

#include <atomic>

using namespace coterie;
using namespace coterie::app;
using namespace coterie::test;

namespace {

constexpr uint64_t kMiB = 1 << 20;

FakeScript largeModel() {
    FakeScript script = AppBench::words();
    script.layers = 32;
    return script;
}

/// A model that needs `least` bytes and has no experts; it counts how often it was inspected.
ModelInspector needing(uint64_t least, std::atomic<int>* asked = nullptr) {
    return [=](const engine::OpenOptions& options) -> engine::Result<engine::ModelInfo> {
        if (asked) ++*asked;
        engine::ModelInfo info;
        if (options.memory < least) {
            info.problems = {{engine::ErrorKind::OutOfMemory, "too little", {}, {}}};
        } else {
            info.memory.budget = options.memory;
            info.memory.resident = info.memory.minimumTotal = least;
            info.memory.context = options.context;
        }
        return info;
    };
}

engine::OpenOptions withBudget(uint64_t bytes) {
    engine::OpenOptions options;
    options.memory = bytes;
    return options;
}

const auto kAlways = [] { return true; };

} // namespace

class TestMemoryForecast : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void findsTheLeastBudget_data();
    void findsTheLeastBudget();
    void anAutomaticContextNeedsItsShortest();
    void tooLittleShowsTheLeast();
    void aModelThatCannotRunIsSaid();
    void aFileThatCannotBeReadIsSaid();
    void givesUpWhenNobodyAsks();
    void foretellsWhatOpeningGives();
    void followsTheSettings();
    void statesCostTheSameAtAnyContext();
    void aModelHasABudgetOfItsOwn();
    void saysTooLittleBeforeItIsOpened();
    void looksAtNothingWhileDisabled();
    void countsTheOpenModelAsClosed();
    void withoutAModelThereIsNothingToSay();
};

void TestMemoryForecast::findsTheLeastBudget_data() {
    QTest::addColumn<quint64>("least");
    for (const quint64 least : {1 * kMiB, 383 * kMiB, 1024 * kMiB, 1025 * kMiB, 7777 * kMiB})
        QTest::addRow("%llu MiB", least / kMiB) << least;
}

/// The forecast names a budget that works, and exceeds `least` by no more than the program's growth and the rounding of
/// the shown figure.
void TestMemoryForecast::findsTheLeastBudget() {
    QFETCH(quint64, least);
    const auto outlook = lookAhead(needing(least), withBudget(9999 * kMiB), kAlways);
    QVERIFY(outlook && outlook->fits && !outlook->error);
    QVERIFY(outlook->leastBudget >= least);
    QVERIFY(outlook->leastBudget <= least + (least < 1024 * kMiB ? 16 + 16 : 16 + 103) * kMiB);
}

void TestMemoryForecast::anAutomaticContextNeedsItsShortest() {
    std::vector<int64_t> contexts;
    const ModelInspector inspect = [&](const engine::OpenOptions& options) {
        contexts.push_back(options.context);
        auto info = needing(kMiB)(options);
        info.value().trainedContext = 512;
        return info;
    };
    QVERIFY(lookAhead(inspect, withBudget(kMiB), kAlways));
    QCOMPARE(contexts, (std::vector<int64_t>{0, 512})); // the model was trained for less than the usual shortest
    contexts.clear();
    engine::OpenOptions chosen = withBudget(kMiB);
    chosen.context = 9000;
    QVERIFY(lookAhead(inspect, chosen, kAlways));
    QCOMPARE(contexts, (std::vector<int64_t>{9000, 9000}));
}

void TestMemoryForecast::tooLittleShowsTheLeast() {
    const auto outlook = lookAhead(needing(500 * kMiB), withBudget(100 * kMiB), kAlways);
    QVERIFY(outlook && !outlook->fits && !outlook->error);
    QCOMPARE(outlook->leastBudget, 528 * kMiB);
    QCOMPARE(outlook->info.memory.budget, 528 * kMiB);
}

void TestMemoryForecast::aModelThatCannotRunIsSaid() {
    const auto outlook = lookAhead(needing(~uint64_t{0}), withBudget(kMiB), kAlways);
    QVERIFY(outlook && outlook->error && !outlook->fits);
    QCOMPARE(outlook->error->why.english(), std::string("too little"));
    QVERIFY(!outlook->error->action.empty());
}

void TestMemoryForecast::aFileThatCannotBeReadIsSaid() {
    const engine::Error gone{engine::ErrorKind::Io, "It can't be read", "Its disk is gone", "Bring it back"};
    const ModelInspector inspect = [&](const engine::OpenOptions&) { return engine::Result<engine::ModelInfo>(gone); };
    const auto outlook = lookAhead(inspect, {}, kAlways);
    QVERIFY(outlook && outlook->error);
    QCOMPARE(outlook->error->what, gone.what);
}

void TestMemoryForecast::givesUpWhenNobodyAsks() {
    std::atomic<int> asked = 0;
    const auto goOn = [&] { return asked < 2; };
    QVERIFY(!lookAhead(needing(500 * kMiB, &asked), withBudget(100 * kMiB), goOn));
    QCOMPARE(asked.load(), 2);
}

void TestMemoryForecast::foretellsWhatOpeningGives() {
    AppBench bench(largeModel());
    OPEN_MODEL(bench);
    MemoryForecast& forecast = *bench.app().forecast();
    QCOMPARE(forecast.state(), MemoryForecast::NoModel); // the page was not visible yet
    forecast.setEnabled(true);
    QTRY_COMPARE(forecast.state(), MemoryForecast::Fits);
    QVERIFY(forecast.automatic());
    QCOMPARE(forecast.name(), QStringLiteral("Scripted"));
    QCOMPARE(forecast.allExperts(), 1024);
    QCOMPARE(forecast.tokenExperts(), 128);
    ExpertMonitor& measured = *bench.app().experts();
    measured.sample(0);
    QCOMPARE(forecast.room(), measured.room());
    MemoryMonitor& memory = *bench.app().memory();
    memory.measure();
    QCOMPARE(forecast.budget(), memory.budget());
    QVERIFY(!memory.scarce());
    QCOMPARE(forecast.experts(), memory.cacheLimit());
    QCOMPARE(forecast.weights(), memory.weights());
    QCOMPARE(forecast.needed(), forecast.weights() + forecast.experts() + forecast.keyValue() + forecast.program());
    QVERIFY(forecast.needed() <= forecast.budget());
}

/// Recurrent layers need memory, but no more of it for a longer context.
void TestMemoryForecast::statesCostTheSameAtAnyContext() {
    FakeScript script = largeModel();
    script.recurrentLayers = 24;
    AppBench bench(script);
    OPEN_MODEL(bench);
    MemoryForecast& forecast = *bench.app().forecast();
    forecast.setEnabled(true);
    QTRY_COMPARE(forecast.state(), MemoryForecast::Fits);
    QCOMPARE(forecast.states(), 48.0 * kMiB);
    QVERIFY(forecast.layers() == 32 && forecast.recurrentLayers() == 24);
    QCOMPARE(forecast.needed(),
             forecast.weights() + forecast.experts() + forecast.keyValue() + forecast.states() + forecast.program());
    bench.app().settings()->contextTokens = 8192;
    QTRY_COMPARE(forecast.context(), 8192);
    QCOMPARE(forecast.states(), 48.0 * kMiB);
    MemoryMonitor& memory = *bench.app().memory();
    memory.measure();
    QCOMPARE(memory.states(), 24.0 * kMiB);
}

void TestMemoryForecast::followsTheSettings() {
    AppBench bench(largeModel());
    OPEN_MODEL(bench);
    MemoryForecast& forecast = *bench.app().forecast();
    Settings& settings = *bench.app().settings();
    forecast.setEnabled(true);
    QTRY_COMPARE(forecast.state(), MemoryForecast::Fits);
    const int before = forecast.room();
    const double cache = forecast.keyValue();
    settings.memoryBudget = 1024.0 * kMiB;
    QTRY_COMPARE(forecast.budget(), 1024.0 * kMiB);
    QVERIFY(!forecast.automatic());
    QVERIFY(forecast.room() < before);
    settings.contextTokens = 8192;
    QTRY_COMPARE(forecast.context(), 8192);
    QCOMPARE(forecast.keyValue(), 2 * cache);
    const double least = forecast.least();
    settings.keyValueFormat = QStringLiteral("q8_0");
    QTRY_VERIFY(forecast.keyValue() < 2 * cache);
    QVERIFY(forecast.least() < least); // because the KV cache is smaller
    QCOMPARE(bench.models().state(), ModelController::Ready);
    QVERIFY(bench.models().outdated()); // the forecast opened no model
}

void TestMemoryForecast::aModelHasABudgetOfItsOwn() {
    AppBench bench(largeModel());
    OPEN_MODEL(bench);
    Settings& settings = *bench.app().settings();
    MemoryForecast& forecast = *bench.app().forecast();
    forecast.setEnabled(true);
    settings.memoryBudget = 4096.0 * kMiB;
    QTRY_COMPARE(forecast.budget(), 4096.0 * kMiB);
    settings.setModelSettings(bench.models().settingsKey(), {{"memoryBudget", 1024.0 * kMiB}, {"threads", 3}});
    QTRY_COMPARE(forecast.budget(), 1024.0 * kMiB);
    QCOMPARE(bench.models().openOptions().threads, 3);
    QVERIFY(bench.models().outdated());
    bench.models().reopen();
    QTRY_COMPARE(bench.models().state(), ModelController::Ready);
    QVERIFY(!bench.models().outdated());
    settings.threads = 2; // concerns the others
    settings.memoryBudget = 2048.0 * kMiB;
    QVERIFY(!bench.models().outdated());
    bench.models().setBudget(1536.0 * kMiB); // concerns this one
    QCOMPARE(bench.models().openOptions().memory, uint64_t{1536} << 20);
    QCOMPARE(settings.memoryBudget(), 2048.0 * kMiB);
    UndoStack& undo = *bench.app().undo();
    QCOMPARE(undo.notice(), QStringLiteral("Memory budget changed"));
    QVERIFY(undo.undo());
    QCOMPARE(bench.models().openOptions().memory, uint64_t{1024} << 20);
    QVERIFY(undo.redo());
    QCOMPARE(bench.models().openOptions().memory, uint64_t{1536} << 20);
    settings.setModelSettings(bench.models().settingsKey(), {});
    bench.models().setBudget(512.0 * kMiB);
    QCOMPARE(settings.memoryBudget(), 512.0 * kMiB);
    QVERIFY(undo.undo());
    QCOMPARE(settings.memoryBudget(), 2048.0 * kMiB);
    QVERIFY(undo.redo());
    QCOMPARE(settings.memoryBudget(), 512.0 * kMiB);
    QCOMPARE(bench.models().openOptions().threads, 2);
}

void TestMemoryForecast::saysTooLittleBeforeItIsOpened() {
    AppBench bench(largeModel());
    OPEN_MODEL(bench);
    MemoryForecast& forecast = *bench.app().forecast();
    bench.app().settings()->memoryBudget = 100.0 * kMiB;
    forecast.setEnabled(true);
    QTRY_COMPARE(forecast.state(), MemoryForecast::TooLittle);
    QCOMPARE(bench.models().state(), ModelController::Ready);
    QCOMPARE(forecast.budget(), 100.0 * kMiB);
    QVERIFY(forecast.needed() > forecast.budget() && forecast.needed() <= forecast.least());
    bench.app().settings()->memoryBudget = forecast.least();
    QTRY_COMPARE(forecast.state(), MemoryForecast::Fits);
    // Opening agrees with the forecast.
    bench.models().reopen();
    QTRY_COMPARE(bench.models().state(), ModelController::Ready);
    bench.app().settings()->memoryBudget = 100.0 * kMiB;
    bench.models().reopen();
    QTRY_VERIFY(bench.models().error().valid());
    QCOMPARE(bench.models().state(), ModelController::Ready);  // the open model stays open
    QTRY_COMPARE(forecast.state(), MemoryForecast::TooLittle); // least() is still shown
}

void TestMemoryForecast::looksAtNothingWhileDisabled() {
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("model.gguf")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    std::atomic<int> asked = 0;
    App app({.dataFolder = folder.path(),
             .factory = fakeFactory(AppBench::words()),
             .model = {},
             .inspect = needing(kMiB, &asked)});
    app.settings()->memoryBudget = 4096.0 * kMiB;
    app.models()->open(file.fileName());
    QTRY_COMPARE(app.models()->state(), ModelController::Ready);
    const int opening = asked; // the worker looked at the model before it opened it
    app.settings()->contextTokens = 777;
    QCoreApplication::processEvents();
    QCOMPARE(asked.load(), opening);
    app.forecast()->setEnabled(true);
    QTRY_COMPARE(app.forecast()->state(), MemoryForecast::Fits);
    app.forecast()->setEnabled(false);
    const int before = asked;
    app.settings()->memoryBudget = 3.0 * kMiB;
    QCoreApplication::processEvents();
    QCOMPARE(asked.load(), before);
    QCOMPARE(app.forecast()->budget(), 4096.0 * kMiB);
}

void TestMemoryForecast::countsTheOpenModelAsClosed() {
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("model.gguf")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    std::atomic<uint64_t> held = 0;
    auto control = std::make_shared<FakeControl>();
    App app({.dataFolder = folder.path(),
             .factory = fakeFactory(AppBench::words(), control),
             .model = {},
             .inspect = [&](const engine::OpenOptions& options) {
                 held = options.held;
                 return needing(kMiB)(options);
             }});
    app.settings()->memoryBudget = 4096.0 * kMiB;
    app.models()->open(file.fileName());
    QTRY_COMPARE(app.models()->state(), ModelController::Ready);
    // The fake reports weights that are larger than this whole process, so the forecast uses the memory that the
    // process held before the model was opened.
    app.forecast()->setEnabled(true);
    QTRY_COMPARE(app.forecast()->state(), MemoryForecast::Fits);
    QVERIFY(held > 0 && held <= engine::readMemory().resident);
    app.models()->close();
    QTRY_VERIFY((app.memory()->measure(), app.memory()->budget() == 0)); // it is closed
    app.models()->open(QStringLiteral("/nowhere/model.gguf")); // no model is open, and the forecast is about this one
    QTRY_COMPARE(held.load(), uint64_t{0});
}

void TestMemoryForecast::withoutAModelThereIsNothingToSay() {
    AppBench bench;
    MemoryForecast& forecast = *bench.app().forecast();
    forecast.setEnabled(true);
    QCOMPARE(forecast.state(), MemoryForecast::NoModel);
    QCOMPARE(forecast.least(), 0.0);
    OPEN_MODEL(bench);
    QTRY_COMPARE(forecast.state(), MemoryForecast::Fits);
    bench.models().close();
    QTRY_COMPARE(forecast.state(), MemoryForecast::NoModel);
}

QTEST_GUILESS_MAIN(TestMemoryForecast)
#include "tst_memory_forecast.moc"
