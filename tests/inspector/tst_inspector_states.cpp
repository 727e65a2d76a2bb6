// SPDX-License-Identifier: Apache-2.0
// The inspector says what is missing where there is little to see, over the real engine: experts without neurons that
// rest, a model without experts, and a device that does not report what experts do.
#include "decoder/tiny_families.h"
#include "fakes/losing_backend.h"
#include "inspector/inspector.h"
#include "session/session.h"
#include "settings/settings.h"
#include "shell/app.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace coterie;
using namespace coterie::app;
using namespace coterie::test;

namespace {

/// The program with a small model of a family, on a device if one is given.
class Bench {
  public:
    explicit Bench(DeviceScript* device = nullptr) : device_(device) {}

    bool start(const char* architecture) {
        TinyModelOptions options;
        for (const NamedOptions& family : tinyFamilies())
            if (family.options.architecture == architecture) options = family.options;
        options.chatTemplate = "";
        const QString model = folder_.filePath(QStringLiteral("model.gguf"));
        if (options.architecture != architecture || !saveTinyModel(options, model.toStdString())) return false;
        const auto open = [device = device_](engine::OpenOptions opened) {
            if (device) {
                opened.device = device->name;
                opened.devices = losingDevices({device});
            }
            return engine::openSession(opened);
        };
        app_ = std::make_unique<App>(AppOptions{.dataFolder = folder_.path(), .factory = open, .model = model});
        app_->start();
        app_->settings()->autoTitles = false;
        app_->settings()->temperature = 0;
        app_->settings()->maxTokens = 12;
        inspector().setEnabled(true);
        return QTest::qWaitFor([this] { return app_->models()->state() == ModelController::Ready; }, kPatienceMs);
    }
    /// Waits until the answer has ended and its charts are there.
    bool answer() {
        return app_->conversation()->send(QStringLiteral("Tell me a story about a fox.")) &&
               QTest::qWaitFor([this] { return !app_->conversation()->busy() && inspector().charts()->measured(); },
                               kPatienceMs);
    }
    /// The same for an answer without a record, which has no charts. The queue is busy only once the question is
    /// stored.
    bool answerUnseen() {
        const qint64 before = inspector().messageId();
        return app_->conversation()->send(QStringLiteral("Tell me a story about a fox.")) &&
               QTest::qWaitFor(
                   [this, before] {
                       return inspector().messageId() != before && !app_->conversation()->busy() &&
                              !inspector().live() && inspector().condition() != Inspector::Finding;
                   },
                   kPatienceMs);
    }
    Inspector& inspector() { return *app_->inspector(); }
    App& app() { return *app_; }
    /// Closes the program and starts it again with the same chats and no model.
    void reopen(qint64 chat) {
        app_.reset();
        app_ = std::make_unique<App>(
            AppOptions{.dataFolder = folder_.path(), .factory = engine::openSession, .model = {}});
        app_->start();
        inspector().setEnabled(true);
        app_->conversation()->openChat(chat);
    }

  private:
    DeviceScript* device_;
    QTemporaryDir folder_;
    std::unique_ptr<App> app_;
};

bool hasFigure(const Inspector& inspector, const char* name) {
    const QVariantList rows = const_cast<Inspector&>(inspector).charts()->figures();
    return std::any_of(rows.begin(), rows.end(),
                       [&](const QVariant& row) { return row.toMap()["name"].toString() == QLatin1String(name); });
}

} // namespace

class TestInspectorStates : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void neuronsAreShownWhereSomeRest_data();
    void neuronsAreShownWhereSomeRest();
    void aDeviceThatReportsNothingIsNamed_data();
    void aDeviceThatReportsNothingIsNamed();
    void aDeviceThatReportsIsShown();
};

void TestInspectorStates::neuronsAreShownWhereSomeRest_data() {
    QTest::addColumn<bool>("rest");
    QTest::newRow("smallthinker") << true;
    for (const char* other : {"qwen3moe", "gpt-oss", "olmoe", "glm4moe", "llama"}) QTest::newRow(other) << false;
}

/// Only ReLU makes neurons zero. Other experts have no figures of active neurons, and the words say why.
void TestInspectorStates::neuronsAreShownWhereSomeRest() {
    QFETCH(bool, rest);
    Bench bench;
    QVERIFY(bench.start(QTest::currentDataTag()));
    QVERIFY(bench.answer());
    Inspector& inspector = bench.inspector();
    QCOMPARE(inspector.condition(), Inspector::Ready);
    QCOMPARE(inspector.charts()->neurons().empty(), !rest);
    QCOMPARE(hasFigure(inspector, "Active neurons"), rest);
    QVERIFY(hasFigure(inspector, "From memory"));
    if (inspector.dense()) return; // its layers have no measure of neurons
    inspector.tokens()->setMeasure(TokenMeasure::Neurons);
    const QString said = inspector.tokens()->measureText();
    QVERIFY2(said.contains("no neurons that rest") != rest, qPrintable(said));
    const auto& words = inspector.tokens()->strip().tokens;
    QVERIFY(!words.empty());
    QCOMPARE(std::all_of(words.begin(), words.end(), [](const StripToken& token) { return token.value.isEmpty(); }),
             !rest);
}

void TestInspectorStates::aDeviceThatReportsNothingIsNamed_data() {
    QTest::addColumn<QString>("what");
    QTest::newRow("smallthinker") << "experts did";
    QTest::newRow("llama") << "layers did";
}

/// Its answer has tokens and times, but no layers: an empty grid would say that no expert was used.
void TestInspectorStates::aDeviceThatReportsNothingIsNamed() {
    QFETCH(QString, what);
    DeviceScript device{.abilities = {.trace = false}};
    Bench bench(&device);
    QVERIFY(bench.start(QTest::currentDataTag()));
    Inspector& inspector = bench.inspector();
    int ready = 0;
    connect(&inspector, &Inspector::conditionChanged, this,
            [&] { ready += inspector.condition() == Inspector::Ready ? 1 : 0; });
    QVERIFY(bench.answerUnseen());
    const auto saysSo = [&] {
        return inspector.condition() == Inspector::NotTraced && inspector.conditionText().contains("device") &&
               inspector.conditionText().contains(what);
    };
    QVERIFY2(saysSo(), qPrintable(inspector.conditionText()));
    QCOMPARE(ready, 0); // also not while it was written
    QCOMPARE(inspector.grid()->cells()->layers(), 0);
    QVERIFY(inspector.charts()->sentence().isEmpty() && inspector.tokens()->strip().tokens.empty());
    QVERIFY(inspector.files()->exportCsv(QUrl::fromLocalFile(QStringLiteral("none.csv"))).valid());
    QVERIFY(bench.answerUnseen()); // the next answer in the same chat
    QVERIFY2(saysSo(), qPrintable(inspector.conditionText()));
    if (!inspector.dense()) { // the records of both have nothing to count
        inspector.grid()->setMode(ActivityGrid::Chat);
        QTRY_COMPARE(inspector.grid()->text(), QStringLiteral("This chat has no other answer that could be counted."));
    }
    bench.app().settings()->tracesKept = false; // from now on: not the reason for this answer
    QVERIFY2(saysSo(), qPrintable(inspector.conditionText()));
    const qint64 chat = bench.app().conversation()->chatId();
    bench.reopen(chat);
    QTRY_COMPARE(bench.inspector().condition(), Inspector::NotTraced);
    QVERIFY2(bench.inspector().conditionText().contains("device"), qPrintable(bench.inspector().conditionText()));
}

void TestInspectorStates::aDeviceThatReportsIsShown() {
    DeviceScript device;
    Bench bench(&device);
    QVERIFY(bench.start("smallthinker"));
    QVERIFY(bench.answer());
    QCOMPARE(bench.inspector().condition(), Inspector::Ready);
    QVERIFY(bench.inspector().grid()->cells()->most() > 0);
}

QTEST_MAIN(TestInspectorStates)
#include "tst_inspector_states.moc"
