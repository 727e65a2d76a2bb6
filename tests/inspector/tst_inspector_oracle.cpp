// SPDX-License-Identifier: Apache-2.0
// Every view of the inspector over the real engine, compared with a trace that the float64 decoder of the tests
// computes for the same tokens: the grid's values and pixels, the text of each cell, the table, the exported files.
#include "app.h"
#include "colour_maps.h"
#include "decoder/tiny_families.h"
#include "inspector/expert_map_item.h"
#include "inspector/expert_table.h"
#include "inspector/inspector.h"
#include "session/session.h"
#include "settings.h"
#include "support/oracle_file.h"
#include "support/reference.h"
#include "support/tiny_model.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest>

#include <map>

using namespace coterie;
using namespace coterie::app;
using namespace coterie::test;

namespace {

constexpr int kAnswer = 24; // tokens, beyond two windows of 8

/// The experts of a layer with their weights and active neurons, in the router's order.
struct Route {
    std::vector<int> experts;
    std::vector<double> weights;
    std::vector<int> active;
    /// 0 if the expert was not chosen.
    double weightOf(int expert) const {
        const auto at = std::find(experts.begin(), experts.end(), expert);
        return at == experts.end() ? 0 : weights[static_cast<size_t>(at - experts.begin())];
    }
};

struct ModelUnderTest {
    QString path;
    OracleModel oracle;
    double weightTolerance = 0; ///< the largest difference of a router's weight
    double choiceTolerance = 0; ///< as in tst_oracle_agreement: a difference of router logits
};

/// Weights and choices of models with full precision differ by float32 alone; with 8-bit inputs by their rounding.
constexpr double kExact = 2e-3, kRounded = 0.03;

} // namespace

class TestInspectorOracle : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void everyViewIsTheTrace_data();
    void everyViewIsTheTrace();

  private:
    std::optional<ModelUnderTest> modelOf(const QString& name);
    void start(const QString& model);
    void answer();
    std::vector<int32_t> tokensOfRun();
    void compareRoutes(const OracleRun& run, const ModelUnderTest& model);
    void compareDense();
    void compareCounts();
    void comparePicture(bool dark);
    void compareTable();
    void compareFiles(const ModelUnderTest& model);
    void compareUse(int position, int layer, int expert, double weight, int active, const ModelUnderTest& model);
    Inspector& inspector() { return *app_->inspector(); }

    std::unique_ptr<QTemporaryDir> folder_;
    std::unique_ptr<App> app_;
    std::vector<std::vector<Route>> routes_; ///< [position][layer], by the oracle
};

void TestInspectorOracle::everyViewIsTheTrace_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"guide", "smallthinker", "qwen3moe", "gpt-oss", "llama"})
        QTest::newRow(name) << QString::fromLatin1(name);
    if (!referenceFolder().isEmpty()) QTest::newRow("tiny-smallthinker") << QStringLiteral("tiny-smallthinker");
}

std::optional<ModelUnderTest> TestInspectorOracle::modelOf(const QString& name) {
    if (name == QStringLiteral("guide") || name == QStringLiteral("tiny-smallthinker")) {
        const QString path = name == QStringLiteral("guide")
                                 ? QStringLiteral(COTERIE_GUIDE)
                                 : referenceFolder() + QStringLiteral("/models/tiny-smallthinker.gguf");
        auto oracle = readOracle(path.toStdString());
        if (!oracle) return std::nullopt;
        const double tolerance = oracle->head.eightBitInputs ? kRounded : kExact;
        return ModelUnderTest{path, std::move(*oracle), tolerance, 4 * tolerance};
    }
    TinyModelOptions options;
    for (const NamedOptions& family : tinyFamilies())
        if (family.options.architecture == name.toStdString()) options = family.options;
    options.chatTemplate = "";
    const QString path = folder_->filePath(QStringLiteral("model.gguf"));
    if (!saveTinyModel(options, path.toStdString())) return std::nullopt;
    return ModelUnderTest{path, makeTinyModel(options).oracle, kExact, 4 * kExact};
}

void TestInspectorOracle::start(const QString& model) {
    app_ = std::make_unique<App>(AppOptions{.dataFolder = folder_->path(),
                                            .factory = engine::openSession,
                                            .model = model,
                                            .guide = {},
                                            .inspect = {},
                                            .packedFiles = {}});
    app_->start();
    app_->settings()->autoTitles = false; // the engine does nothing but the answers
    app_->settings()->temperature = 0;
    app_->settings()->maxTokens = kAnswer;
    app_->settings()->thinking = false;
    inspector().setEnabled(true);
    QTRY_VERIFY(app_->models()->state() != ModelController::Opening);
    QVERIFY2(app_->models()->state() == ModelController::Ready, qPrintable(app_->models()->error().why));
}

void TestInspectorOracle::answer() {
    QVERIFY(app_->conversation()->send(QStringLiteral("Tell me a story about a fox.")));
    QTRY_VERIFY(!app_->conversation()->busy() && inspector().condition() == Inspector::Ready && !inspector().live());
}

/// The tokens of the prompt, as a session of our own reads them, and those of the answer from its record.
std::vector<int32_t> TestInspectorOracle::tokensOfRun() {
    engine::OpenOptions open;
    open.path = app_->models()->path().toStdString();
    const auto session = engine::openSession(open);
    if (!session) return {};
    const std::string prompt = app_->conversation()->messages()->rows().front().parts.front().text.toStdString();
    const engine::Message message{.role = engine::Role::User, .parts = {{.text = prompt}}};
    engine::GenerateOptions options;
    options.prompt.thinking = false;
    auto tokens = app_->models()->continuesText() ? session.value()->textTokens(prompt, options)
                                                  : session.value()->promptTokens({&message, 1}, options);
    if (!tokens || static_cast<int>(tokens->size()) != inspector().answerBegins()) return {};
    for (const engine::TokenRecord& token : inspector().answer()->tokens()) tokens->push_back(token.id);
    return {tokens->begin(), tokens->begin() + inspector().last() + 1}; // the last one was drawn, and not read
}

void TestInspectorOracle::compareRoutes(const OracleRun& run, const ModelUnderTest& model) {
    QVERIFY2(run.worstChoice <= model.choiceTolerance, qPrintable(QString::number(run.worstChoice)));
    inspector().setMode(Inspector::Now);
    const ExpertGrid& grid = *inspector().grid();
    double worst = 0;
    for (int p = inspector().first(); p <= inspector().last(); ++p) {
        inspector().setPosition(p);
        for (int l = 0; l < grid.layers(); ++l) {
            const Route& route = routes_[static_cast<size_t>(p)][static_cast<size_t>(l)];
            for (int e = 0; grid.has(l, e); ++e) {
                const double difference = std::abs(grid.value(l, e) - route.weightOf(e));
                worst = std::max(worst, difference);
                QVERIFY2(difference <= model.weightTolerance,
                         qPrintable(QStringLiteral("position %1, layer %2, expert %3: %4, and %5 by the oracle")
                                        .arg(p)
                                        .arg(l)
                                        .arg(e)
                                        .arg(grid.value(l, e))
                                        .arg(route.weightOf(e))));
                QCOMPARE(grid.value(l, e) > 0, route.weightOf(e) > 0);
            }
        }
    }
    qInfo("worst difference of a weight: %.5f", worst);
}

/// A model without experts shows its layers, and says that it has none.
void TestInspectorOracle::compareDense() {
    inspector().setMode(Inspector::Reply);
    const ExpertGrid& grid = *inspector().grid();
    QVERIFY(grid.dense());
    QCOMPARE(static_cast<size_t>(grid.layers()), routes_.front().size());
    const int answered = inspector().last() - inspector().answerBegins() + 1;
    for (int l = 0; l < grid.layers(); ++l) {
        for (const std::vector<Route>& token : routes_) QVERIFY(token[static_cast<size_t>(l)].experts.empty());
        QCOMPARE(grid.value(l, 0), double(answered));
    }
    QVERIFY2(inspector().remarks().join(' ').contains("no experts"), qPrintable(inspector().remarks().join(' ')));
}

/// Counts are whole numbers: they must be equal.
void TestInspectorOracle::compareCounts() {
    inspector().setMode(Inspector::Reply);
    const ExpertGrid& grid = *inspector().grid();
    double most = 0;
    for (int l = 0; l < grid.layers(); ++l) {
        for (int e = 0; grid.has(l, e); ++e) {
            int count = 0;
            for (int p = inspector().answerBegins(); p <= inspector().last(); ++p)
                count += routes_[static_cast<size_t>(p)][static_cast<size_t>(l)].weightOf(e) > 0 ? 1 : 0;
            QCOMPARE(grid.value(l, e), double(count));
            const QString text = grid.dense() ? QStringLiteral("Layer %1: ").arg(l)
                                              : QStringLiteral("Layer %1, expert %2: %3 of ").arg(l).arg(e).arg(count);
            QVERIFY2(grid.cellText(l, e).startsWith(text), qPrintable(grid.cellText(l, e)));
            most = std::max(most, double(count));
        }
    }
    QCOMPARE(grid.most(), most);
}

/// Each cell of the picture has the colour of the oracle's count.
void TestInspectorOracle::comparePicture(bool dark) {
    const ExpertGrid& grid = *inspector().grid();
    MapLook look{.dark = dark, .ground = Qt::black, .text = Qt::red, .mark = Qt::blue};
    look.font.setPixelSize(60); // larger than a cell: no figures
    const MapPlaces places{
        .cellWidth = 10, .cellHeight = 10, .x = 0, .layers = grid.layers(), .experts = grid.experts()};
    const QImage image = drawMap(grid, places, look, 10.0 * grid.experts(), 1);
    for (int l = 0; l < grid.layers(); ++l) {
        for (int e = 0; grid.has(l, e); ++e) {
            int count = 0;
            for (int p = inspector().answerBegins(); p <= inspector().last(); ++p)
                count += routes_[static_cast<size_t>(p)][static_cast<size_t>(l)].weightOf(e) > 0 ? 1 : 0;
            const double share = count > 0 ? 0.14 + 0.86 * count / grid.most() : 0.06;
            QCOMPARE(image.pixel(10 * e + 4, 10 * l + 4), mappedColour(ColourMap::Heat, share, dark));
        }
    }
}

void TestInspectorOracle::compareTable() {
    ExpertTable table;
    table.setGrid(inspector().grid());
    table.setEnabled(true);
    std::map<std::pair<int, int>, QString> listed;
    for (int row = 0; row < table.count(); ++row) {
        const auto at = [&](int role) { return table.data(table.index(row), role); };
        listed[{at(ExpertTable::LayerRole).toInt(), at(ExpertTable::ExpertRole).toInt()}] =
            at(ExpertTable::ValueRole).toString();
    }
    std::map<std::pair<int, int>, int> counts;
    for (int p = inspector().answerBegins(); p <= inspector().last(); ++p)
        for (size_t l = 0; l < routes_[static_cast<size_t>(p)].size(); ++l)
            for (const int expert : routes_[static_cast<size_t>(p)][l].experts) ++counts[{static_cast<int>(l), expert}];
    QCOMPARE(listed.size(), counts.size());
    for (const auto& [cell, count] : counts) QCOMPARE(listed[cell], QString::number(count));
}

void TestInspectorOracle::compareUse(int position, int layer, int expert, double weight, int active,
                                     const ModelUnderTest& model) {
    const Route& route = routes_[static_cast<size_t>(position)][static_cast<size_t>(layer)];
    const auto at = std::find(route.experts.begin(), route.experts.end(), expert);
    QVERIFY(at != route.experts.end());
    const auto rank = static_cast<size_t>(at - route.experts.begin());
    QVERIFY(std::abs(weight - route.weights[rank]) <= model.weightTolerance);
    // A gate that is nearly 0 may be on either side of it.
    if (model.oracle.activation == OracleActivation::ReGlu) QVERIFY(std::abs(active - route.active[rank]) <= 2);
}

void TestInspectorOracle::compareFiles(const ModelUnderTest& model) {
    const auto path = [&](const char* name) { return folder_->filePath(QLatin1String(name)); };
    QVERIFY(!inspector().exportCsv(QUrl::fromLocalFile(path("trace.csv"))).valid());
    QVERIFY(!inspector().exportJson(QUrl::fromLocalFile(path("trace.json"))).valid());
    int uses = 0, inCsv = 0, inJson = 0;
    for (const std::vector<Route>& token : routes_)
        for (const Route& route : token) uses += static_cast<int>(route.experts.size());
    QFile csv(path("trace.csv"));
    QVERIFY(csv.open(QIODevice::ReadOnly));
    csv.readLine();
    while (!csv.atEnd()) {
        // The token's text may hold commas in quotes; the numbers stand behind it.
        const QList<QByteArray> fields = csv.readLine().trimmed().split(',');
        const auto from = fields.size() - 10; // "prompt" and everything behind it
        compareUse(fields[0].toInt(), fields[from + 1].toInt(), fields[from + 3].toInt(), fields[from + 4].toDouble(),
                   fields[from + 6].toInt(), model);
        if (QTest::currentTestFailed()) return;
        ++inCsv;
    }
    QCOMPARE(inCsv, uses);
    QFile json(path("trace.json"));
    QVERIFY(json.open(QIODevice::ReadOnly));
    for (const QJsonValue& token : QJsonDocument::fromJson(json.readAll()).object()["tokens"].toArray()) {
        for (const QJsonValue& layer : token["layers"].toArray()) {
            for (const QJsonValue& use : layer["experts"].toArray()) {
                compareUse(token["position"].toInt(), layer["layer"].toInt(), use["expert"].toInt(),
                           use["weight"].toDouble(), use["active_neurons"].toInt(), model);
                if (QTest::currentTestFailed()) return;
                ++inJson;
            }
        }
    }
    QCOMPARE(inJson, uses);
}

void TestInspectorOracle::everyViewIsTheTrace() {
    QFETCH(QString, name);
    app_.reset();
    folder_ = std::make_unique<QTemporaryDir>();
    const auto model = modelOf(name);
    QVERIFY(model);
    start(model->path);
    if (QTest::currentTestFailed()) return;
    answer();
    if (QTest::currentTestFailed()) return;
    const std::vector<int32_t> tokens = tokensOfRun();
    QVERIFY(!tokens.empty());
    // The engine's choices: rounding may change which of two nearly equal experts is preferred (see runOracle()).
    OracleChoices choices(tokens.size(), std::vector<std::vector<int>>(model->oracle.layers.size()));
    for (size_t p = 0; p < tokens.size(); ++p) {
        const auto token = inspector().answer()->token(static_cast<int>(p));
        QVERIFY(token);
        for (const engine::TracedLayer& layer : token->layers)
            for (const engine::ExpertUse& use : layer.uses)
                choices[p][static_cast<size_t>(layer.layer)].push_back(use.expert);
    }
    const OracleRun run = runOracle(model->oracle, tokens, &choices);
    routes_.assign(tokens.size(), std::vector<Route>(model->oracle.layers.size()));
    for (size_t p = 0; p < tokens.size(); ++p)
        for (size_t l = 0; l < routes_[p].size(); ++l)
            routes_[p][l] = {run.experts[p][l], run.weights[p][l], run.active[p][l]};
    if (name == QStringLiteral("llama")) return compareDense();
    compareRoutes(run, *model);
    compareCounts();
    comparePicture(false);
    comparePicture(true);
    compareTable();
    compareFiles(*model);
}

QTEST_MAIN(TestInspectorOracle)
#include "tst_inspector_oracle.moc"
