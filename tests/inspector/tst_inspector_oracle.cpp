// SPDX-License-Identifier: Apache-2.0
// Every view of the inspector over the real engine, compared with a trace that the float64 decoder of the tests
// computes for the same tokens: the grid's values and pixels in each mode, the text of each cell and the number under
// the cursor and the pointer, the table, the saved picture and the exported files. One run of a model serves all views.
#include "decoder/tiny_families.h"
#include "inspector/expert_map_item.h"
#include "inspector/expert_table.h"
#include "inspector/inspector.h"
#include "look/colour_maps.h"
#include "session/session.h"
#include "settings/settings.h"
#include "shell/app.h"
#include "support/csv_rows.h"
#include "support/english.h"
#include "support/oracle_file.h"
#include "support/reference.h"
#include "support/tiny_model.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QQuickWindow>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <array>
#include <set>

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
constexpr double kWritten = 0.005; // half of the last digit of a weight in the text of a cell

/// "Layer 3", and what mixes its tokens if not all layers do the same.
QStringList namesOf(const OracleModel& model) {
    QStringList mixers, names;
    for (const OracleLayer& layer : model.layers)
        mixers.append(layer.delta.valueHeads > 0   ? QStringLiteral("delta rule")
                      : layer.convolution.taps > 0 ? QStringLiteral("short convolution")
                      : layer.window > 0           ? QStringLiteral("attention to the latest tokens")
                                                   : QStringLiteral("attention"));
    for (const QString& mixer : mixers)
        names.append(QStringLiteral("Layer %1").arg(names.size()) +
                     (mixers.count(mixer) < mixers.size() ? QStringLiteral(" (%1)").arg(mixer) : QString()));
    return names;
}

/// The content that a grid must have, by the oracle.
struct Wanted {
    ExpertGrid::Kind kind = ExpertGrid::Counts;
    std::vector<std::vector<double>> values{}; ///< [layers][experts]
    double tolerance = 0;                      ///< allowed difference of a value; others are exact
    int tokens = 0;                            ///< behind counts

    double most() const {
        double most = 0;
        for (const auto& layer : values)
            for (const double value : layer) most = std::max(most, std::abs(value));
        return kind == ExpertGrid::Places ? double(engine::ExpertState::InMemory) : most;
    }
    int experts() const {
        size_t experts = 0;
        for (const auto& layer : values) experts = std::max(experts, layer.size());
        return static_cast<int>(experts);
    }
    bool dense() const { return experts() == 1; }
};

/// The colour of a cell, computed once more.
QRgb colourOf(ExpertGrid::Kind kind, double value, double most, bool dark) {
    switch (kind) {
    case ExpertGrid::Difference:
        return differenceColour(most > 0 ? value / most : 0, dark);
    case ExpertGrid::Places:
        return mappedColour(ColourMap::Presence, std::array{0.12, 0.4, 0.7, 1.0}.at(static_cast<size_t>(value)), dark);
    default:
        return mappedColour(ColourMap::Heat, value > 0 && most > 0 ? 0.14 + 0.86 * value / most : 0.06, dark);
    }
}

/// Whether a pixel has the value's colour, or one of a value within the tolerance.
bool isColoured(QRgb pixel, const Wanted& wanted, double value, bool dark) {
    const double most = wanted.most();
    const double by = wanted.tolerance > 0 && value > 0 ? 2 * wanted.tolerance : 0;
    const QRgb least = colourOf(wanted.kind, value - by, most, dark), middle = colourOf(wanted.kind, value, most, dark),
               top = colourOf(wanted.kind, std::min(value + by, most), most, dark);
    if (by == 0) return pixel == middle;
    const auto within = [](int channel, int a, int b, int c) {
        constexpr int rounding = 2;
        return channel >= std::min({a, b, c}) - rounding && channel <= std::max({a, b, c}) + rounding;
    };
    return within(qRed(pixel), qRed(least), qRed(middle), qRed(top)) &&
           within(qGreen(pixel), qGreen(least), qGreen(middle), qGreen(top)) &&
           within(qBlue(pixel), qBlue(least), qBlue(middle), qBlue(top));
}

} // namespace

class TestInspectorOracle : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void initTestCase() { useEnglishNumbers(); }
    void everyViewIsTheTrace_data();
    void everyViewIsTheTrace();

  private:
    std::optional<ModelUnderTest> modelOf(const QString& name);
    void start(const QString& model, bool drawn);
    void answer();
    std::vector<int32_t> tokensOfRun();
    void runOracleOn(const std::vector<int32_t>& tokens, const ModelUnderTest& model);
    Wanted routeAt(int position, double tolerance) const;
    Wanted countsOf(int from, int to) const;
    Wanted difference() const;
    Wanted waitsAt(int position) const;
    Wanted places() const;
    bool saysValue(const QString& text, const Wanted& wanted, int layer, int expert) const;
    void compareView(const Wanted& wanted);
    void comparePixels(const Wanted& wanted);
    void compareTable(const Wanted& wanted);
    void compareItem(const Wanted& wanted);
    void compareSaved(const Wanted& wanted);
    void comparePositions(const ModelUnderTest& model);
    void compareModes();
    void comparePlaces();
    void compareCsv(const ModelUnderTest& model);
    void compareJson(const ModelUnderTest& model);
    void compareUse(int position, int layer, const engine::ExpertUse& use, const ModelUnderTest& model);
    void compareDrawn();
    Inspector& inspector() const { return *app_->inspector(); }
    bool dense() const {
        return std::ranges::all_of(routes_.front(), [](const Route& route) { return route.experts.empty(); });
    }
    int uses() const;

    std::unique_ptr<QTemporaryDir> folder_;
    engine::Session* session_ = nullptr; ///< the app's
    std::unique_ptr<App> app_;
    std::vector<int32_t> tokens_; ///< tokens of the prompt and the answer, except the last
    std::vector<QString> words_;  ///< their texts, by a session of our own
    OracleRun run_;
    std::vector<std::vector<Route>> routes_; ///< [position][layer], by the oracle
    QStringList layerNames_;                 ///< [layers], by the oracle
};

void TestInspectorOracle::everyViewIsTheTrace_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("drawn"); // with a temperature and a fixed seed; else the likeliest tokens
    for (const char* name :
         {"guide", "smallthinker", "qwen3moe", "gpt-oss", "glm4moe", "qwen35moe", "qwen35", "lfm2moe", "llama"})
        QTest::newRow(name) << QString::fromLatin1(name) << false;
    QTest::newRow("qwen3moe, drawn") << QStringLiteral("qwen3moe") << true;
    if (!referenceFolder().isEmpty())
        QTest::newRow("tiny-smallthinker") << QStringLiteral("tiny-smallthinker") << false;
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

void TestInspectorOracle::start(const QString& model, bool drawn) {
    const auto open = [this](const engine::OpenOptions& options) {
        auto session = engine::openSession(options);
        if (session) session_ = session.value().get();
        return session;
    };
    app_ = std::make_unique<App>(AppOptions{
        .dataFolder = folder_->path(), .factory = open, .model = model, .guide = {}, .inspect = {}, .packedFiles = {}});
    app_->start();
    app_->settings()->autoTitles = false; // the engine does nothing but the answers
    app_->settings()->temperature = drawn ? 0.9 : 0;
    app_->settings()->setValue(QStringLiteral("seed"), 7);
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
    if (!tokens || static_cast<int>(tokens->size()) != inspector().timeline()->answerBegins()) return {};
    for (const engine::TokenRecord& token : inspector().shown().record()->tokens()) tokens->push_back(token.id);
    tokens->resize(static_cast<size_t>(inspector().timeline()->last() + 1)); // the last one was drawn, and not read
    words_.clear();
    for (const engine::TokenId token : *tokens)
        words_.push_back(QString::fromStdString(session.value()->tokenizer().decode(token, true)));
    return {tokens->begin(), tokens->end()};
}

/// Gives the oracle the engine's choices: rounding may change which of two nearly equal experts is preferred (see
/// runOracle()).
void TestInspectorOracle::runOracleOn(const std::vector<int32_t>& tokens, const ModelUnderTest& model) {
    OracleChoices choices(tokens.size(), std::vector<std::vector<int>>(model.oracle.layers.size()));
    for (size_t p = 0; p < tokens.size(); ++p) {
        const auto token = inspector().shown().record()->token(static_cast<int>(p));
        QVERIFY(token);
        for (const engine::TracedLayer& layer : token->layers)
            for (const engine::ExpertUse& use : layer.uses)
                choices[p][static_cast<size_t>(layer.layer)].push_back(use.expert);
    }
    layerNames_ = namesOf(model.oracle);
    run_ = runOracle(model.oracle, tokens, &choices);
    QVERIFY2(run_.worstChoice <= model.choiceTolerance, qPrintable(QString::number(run_.worstChoice)));
    routes_.assign(tokens.size(), std::vector<Route>(model.oracle.layers.size()));
    for (size_t p = 0; p < tokens.size(); ++p) {
        for (size_t l = 0; l < routes_[p].size(); ++l) {
            routes_[p][l] = {run_.experts[p][l], run_.weights[p][l], run_.active[p][l]};
            for (double& weight : routes_[p][l].weights)
                weight /= model.oracle.router.scale; // traces have them unscaled
        }
    }
}

// ------------------------------------------------------------------------------------------ what must be shown

Wanted TestInspectorOracle::routeAt(int position, double tolerance) const {
    Wanted wanted{.kind = ExpertGrid::Weights, .values = {}, .tolerance = tolerance};
    for (const Route& route : routes_[static_cast<size_t>(position)]) {
        const auto layer = static_cast<int>(wanted.values.size());
        wanted.values.emplace_back();
        for (int e = 0; inspector().shown().record()->expertsOfLayer()[static_cast<size_t>(layer)] > e; ++e)
            wanted.values.back().push_back(route.weightOf(e));
        if (wanted.values.back().size() == 1) wanted.values.back() = {0}; // a dense layer chooses nothing
    }
    return wanted;
}

/// The tokens at the positions [from, to) that used each expert; every token uses each layer of a dense model.
Wanted TestInspectorOracle::countsOf(int from, int to) const {
    Wanted wanted{.kind = ExpertGrid::Counts, .values = {}, .tokens = to - from};
    for (const int64_t experts : inspector().shown().record()->expertsOfLayer())
        wanted.values.emplace_back(static_cast<size_t>(experts), dense() ? to - from : 0);
    for (int p = from; p < to; ++p)
        for (size_t l = 0; l < wanted.values.size(); ++l)
            for (const int expert : routes_[static_cast<size_t>(p)][l].experts)
                if (wanted.values[l].size() > 1) ++wanted.values[l][static_cast<size_t>(expert)];
    return wanted;
}

/// The answer's shares of its layers' uses, less those of its prompt.
Wanted TestInspectorOracle::difference() const {
    const int begins = inspector().timeline()->answerBegins(), end = inspector().timeline()->last() + 1;
    const Wanted prompt = countsOf(0, begins);
    Wanted wanted = countsOf(begins, end);
    wanted.kind = ExpertGrid::Difference;
    for (size_t l = 0; l < wanted.values.size(); ++l) {
        const auto used = static_cast<double>(routes_.front()[l].experts.size()); // by each token
        for (size_t e = 0; used > 0 && e < wanted.values[l].size(); ++e)
            wanted.values[l][e] = wanted.values[l][e] / (used * (end - begins)) - prompt.values[l][e] / (used * begins);
    }
    return wanted;
}

/// The oracle knows nothing of disks: these are the figures of the record.
Wanted TestInspectorOracle::waitsAt(int position) const {
    Wanted wanted{.kind = ExpertGrid::Waits, .values = {}};
    const auto token = inspector().shown().record()->token(position);
    for (const engine::TracedLayer& layer : token->layers) wanted.values.push_back({layer.waitSeconds});
    return wanted;
}

/// The places of the experts, by the session itself.
Wanted TestInspectorOracle::places() const {
    Wanted wanted{.kind = ExpertGrid::Places, .values = {}};
    const std::vector<int64_t>& experts = app_->models()->openInfo()->expertsOfLayer;
    std::vector<uint8_t> states;
    for (const int64_t count : experts) states.resize(states.size() + static_cast<size_t>(count));
    session_->expertStates(states);
    auto state = states.begin();
    for (const int64_t count : experts) {
        wanted.values.emplace_back(state, state + count);
        state += count;
    }
    return wanted;
}

int TestInspectorOracle::uses() const {
    int uses = 0;
    for (const std::vector<Route>& token : routes_)
        for (const Route& route : token) uses += std::max(1, static_cast<int>(route.experts.size())); // dense: one
    return uses;
}

// ------------------------------------------------------------------------------------------ what is shown

/// Whether the text says the value of a cell, as far as its digits go.
bool TestInspectorOracle::saysValue(const QString& text, const Wanted& wanted, int layer, int expert) const {
    const double value = wanted.values[static_cast<size_t>(layer)][static_cast<size_t>(expert)];
    const bool single = wanted.values[static_cast<size_t>(layer)].size() == 1;
    const QString cell =
        layerNames_[layer] + (single ? QString() : QStringLiteral(", expert %1").arg(expert)) + QStringLiteral(": ");
    if (!text.startsWith(cell)) return false;
    QString said = text.mid(cell.size());
    said.remove(QStringLiteral(", not read until it was needed")); // the oracle knows nothing of disks
    static const QString places[] = {QStringLiteral("on disk"), QStringLiteral("being read"),
                                     QStringLiteral("in memory"), QStringLiteral("in the GPU's memory")};
    if (single && !wanted.dense() && wanted.kind != ExpertGrid::Places)
        return said == QStringLiteral("dense, every token uses all of it");
    switch (wanted.kind) {
    case ExpertGrid::Weights:
        if (value == 0) return said == QStringLiteral("not used");
        return said.startsWith(QStringLiteral("weight ")) &&
               std::abs(said.mid(7).toDouble() - value) <= wanted.tolerance + kWritten;
    case ExpertGrid::Counts:
        return said == QStringLiteral("%1 of %2 token(s)").arg(value).arg(wanted.tokens);
    case ExpertGrid::Places:
        return said == places[static_cast<size_t>(value)];
    case ExpertGrid::Difference:
        return said == ExpertGrid::pointsText(value) + QStringLiteral(" of its layer's uses");
    case ExpertGrid::Waits:
        return said == (value > 0 ? QStringLiteral("waited %1 for the disk").arg(ExpertGrid::waitText(value))
                                  : QStringLiteral("did not wait"));
    }
    return false;
}

/// Compares all that reads the grid, except what needs a window or a file.
void TestInspectorOracle::compareView(const Wanted& wanted) {
    const ExpertGrid& grid = *inspector().grid()->cells();
    QCOMPARE(grid.kind(), wanted.kind);
    QCOMPARE(grid.layers(), static_cast<int>(wanted.values.size()));
    QCOMPARE(grid.experts(), wanted.experts());
    const double slack = wanted.tolerance + (wanted.kind == ExpertGrid::Difference ? 1e-12 : 0);
    QVERIFY2(std::abs(grid.most() - wanted.most()) <= slack, qPrintable(QString::number(grid.most())));
    for (int l = 0; l < grid.layers(); ++l) {
        for (int e = 0; e < static_cast<int>(wanted.values[static_cast<size_t>(l)].size()); ++e) {
            const double want = wanted.values[static_cast<size_t>(l)][static_cast<size_t>(e)];
            QVERIFY2(std::abs(grid.value(l, e) - want) <= slack,
                     qPrintable(QStringLiteral("layer %1, expert %2: %3, and %4 by the oracle")
                                    .arg(l)
                                    .arg(e)
                                    .arg(grid.value(l, e))
                                    .arg(want)));
            if (wanted.kind == ExpertGrid::Weights) QCOMPARE(grid.value(l, e) > 0, want > 0);
            QVERIFY2(saysValue(grid.cellText(l, e), wanted, l, e), qPrintable(grid.cellText(l, e)));
        }
    }
    comparePixels(wanted);
    if (!QTest::currentTestFailed()) compareTable(wanted);
}

void TestInspectorOracle::comparePixels(const Wanted& wanted) {
    const ExpertGrid& grid = *inspector().grid()->cells();
    constexpr qreal cell = 10;
    const MapPlaces places{
        .cellWidth = cell, .cellHeight = cell, .x = 0, .layers = grid.layers(), .experts = grid.experts()};
    for (const bool dark : {false, true}) {
        MapLook look{.dark = dark, .ground = Qt::black, .text = Qt::red, .mark = Qt::blue};
        look.font.setPixelSize(60); // larger than a cell: no figures
        const QImage image = drawMap(grid, places, look, cell * grid.experts(), 1);
        for (int l = 0; l < grid.layers(); ++l)
            for (int e = 0; grid.has(l, e); ++e)
                QVERIFY2(isColoured(image.pixel(int(cell) * e + 3, int(cell) * l + 6), wanted,
                                    wanted.values[static_cast<size_t>(l)][static_cast<size_t>(e)], dark),
                         qPrintable(QStringLiteral("layer %1, expert %2").arg(l).arg(e)));
    }
}

void TestInspectorOracle::compareTable(const Wanted& wanted) {
    ExpertTable table;
    table.setGrid(inspector().grid()->cells());
    table.setProperty("enabled", true);
    std::set<std::pair<int, int>> listed;
    for (int row = 0; row < table.count(); ++row) {
        const auto at = [&](int role) { return table.data(table.index(row), role); };
        const int layer = at(ExpertTable::LayerNumberRole).toInt(), expert = at(ExpertTable::ExpertNumberRole).toInt();
        listed.insert({layer, expert});
        QVERIFY(saysValue(at(ExpertTable::TextRole).toString(), wanted, layer, expert));
        const double value = wanted.values[static_cast<size_t>(layer)][static_cast<size_t>(expert)];
        const QString said = at(ExpertTable::ValueRole).toString();
        if (wanted.kind == ExpertGrid::Counts) QCOMPARE(said, QString::number(value));
        if (wanted.kind == ExpertGrid::Difference) QCOMPARE(said, ExpertGrid::pointsText(value));
        if (wanted.kind == ExpertGrid::Weights)
            QVERIFY2(std::abs(said.toDouble() - value) <= wanted.tolerance + kWritten, qPrintable(said));
    }
    QCOMPARE(static_cast<int>(listed.size()), table.count());
    for (int l = 0; l < static_cast<int>(wanted.values.size()); ++l)
        for (int e = 0; e < static_cast<int>(wanted.values[static_cast<size_t>(l)].size()); ++e)
            QCOMPARE(listed.contains({l, e}), wanted.kind == ExpertGrid::Places ||
                                                  wanted.values[static_cast<size_t>(l)][static_cast<size_t>(e)] != 0);
}

/// The value under the cursor, which walks over all cells, and under the pointer, in a cell of each layer.
void TestInspectorOracle::compareItem(const Wanted& wanted) {
    QQuickWindow window;
    ExpertMapItem item(window.contentItem());
    item.setGrid(inspector().grid()->cells());
    item.setSize({600, 900});
    window.resize(600, 900);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window, kPatienceMs));
    window.requestActivate();
    QVERIFY(QTest::qWaitForWindowActive(&window, kPatienceMs));
    item.forceActiveFocus(Qt::TabFocusReason);
    QTest::keyClick(&window, Qt::Key_Home, Qt::ControlModifier);
    for (int l = 0; l < inspector().grid()->cells()->layers(); ++l) {
        for (int e = 0; inspector().grid()->cells()->has(l, e); ++e) {
            QCOMPARE(std::pair(item.cursorLayer(), item.cursorExpert()), std::pair(l, e));
            QVERIFY2(saysValue(item.cellText(), wanted, l, e), qPrintable(item.cellText()));
            QTest::keyClick(&window, Qt::Key_Right);
        }
        QTest::keyClick(&window, Qt::Key_Home);
        QTest::keyClick(&window, Qt::Key_Down);
    }
    for (int l = 0; l < inspector().grid()->cells()->layers(); ++l) {
        const int e = l * 5 % static_cast<int>(wanted.values[static_cast<size_t>(l)].size());
        QTest::mouseMove(&window, item.places().cell(l, e).center().toPoint());
        QTRY_COMPARE(std::pair(item.hoveredLayer(), item.hoveredExpert()), std::pair(l, e));
        QVERIFY2(saysValue(item.cellText(), wanted, l, e), qPrintable(item.cellText()));
    }
}

/// The cells of the saved picture, beside their figures.
void TestInspectorOracle::compareSaved(const Wanted& wanted) {
    for (const bool dark : {false, true}) {
        inspector().tokens()->setDark(dark);
        const QString path = folder_->filePath(QStringLiteral("grid.png"));
        QVERIFY(!inspector().files()->exportPng(QUrl::fromLocalFile(path)).valid());
        const QImage saved(path);
        const SharePicture picture(inspector().files()->sharedGrid());
        for (int l = 0; l < inspector().grid()->cells()->layers(); ++l)
            for (int e = 0; inspector().grid()->cells()->has(l, e); ++e)
                QVERIFY2(isColoured(saved.pixel((picture.cell(l, e).topLeft() + QPointF(3, 3)).toPoint()), wanted,
                                    wanted.values[static_cast<size_t>(l)][static_cast<size_t>(e)], dark),
                         qPrintable(QStringLiteral("layer %1, expert %2").arg(l).arg(e)));
    }
    inspector().tokens()->setDark(false);
}

/// Each position in turn: its route, which of its experts were missing, and its words.
void TestInspectorOracle::comparePositions(const ModelUnderTest& model) {
    inspector().grid()->setMode(ActivityGrid::Now);
    const ExpertGrid& grid = *inspector().grid()->cells();
    for (int p = inspector().timeline()->first(); p <= inspector().timeline()->last(); ++p) {
        inspector().timeline()->follow(); // the next position is shown at once then
        inspector().timeline()->setPosition(p);
        QCOMPARE(inspector().timeline()->position(), p);
        compareView(dense() ? waitsAt(p) : routeAt(p, model.weightTolerance));
        if (QTest::currentTestFailed()) return;
        const auto token = inspector().shown().record()->token(p);
        for (const engine::TracedLayer& layer : token->layers)
            for (const engine::ExpertUse& use : layer.uses)
                QCOMPARE(grid.waited(layer.layer, use.expert), !dense() && !use.hit);
        const bool prompt = p < inspector().timeline()->answerBegins();
        const int number = prompt ? p + 1 : p - inspector().timeline()->answerBegins() + 1;
        const QString said = inspector().timeline()->text();
        QVERIFY2(said.startsWith(QStringLiteral("Token %1 of ").arg(number)), qPrintable(said));
        QCOMPARE(said.contains(QStringLiteral("prompt")), prompt);
        const QString& words = words_[static_cast<size_t>(p)];
        const bool plain = std::all_of(words.begin(), words.end(), [](QChar c) { return c > u' ' && c < u'\x7f'; });
        if (plain) QVERIFY2(said.contains(words), qPrintable(said + u'|' + words));
    }
    const int middle = (inspector().timeline()->answerBegins() + inspector().timeline()->last()) / 2;
    inspector().timeline()->follow();
    inspector().timeline()->setPosition(middle);
    const Wanted wanted = dense() ? waitsAt(middle) : routeAt(middle, model.weightTolerance);
    compareItem(wanted);
    if (!QTest::currentTestFailed()) compareSaved(wanted);
}

/// Counts of the answer, and of the chat, which has no other; the difference from the prompt.
void TestInspectorOracle::compareModes() {
    const int begins = inspector().timeline()->answerBegins(), end = inspector().timeline()->last() + 1;
    inspector().grid()->setMode(ActivityGrid::Reply);
    compareView(countsOf(begins, end));
    if (!QTest::currentTestFailed()) compareItem(countsOf(begins, end));
    if (!QTest::currentTestFailed()) compareSaved(countsOf(begins, end));
    if (QTest::currentTestFailed()) return;
    inspector().grid()->setMode(ActivityGrid::Chat);
    compareView(countsOf(begins, end));
    if (!QTest::currentTestFailed()) compareItem(countsOf(begins, end));
    if (QTest::currentTestFailed() || dense()) return;
    inspector().comparison()->setAgainst(AnswerComparison::Prompt);
    compareView(difference());
    if (!QTest::currentTestFailed()) compareItem(difference());
    if (!QTest::currentTestFailed()) compareSaved(difference());
    inspector().comparison()->setAgainst(AnswerComparison::None);
}

void TestInspectorOracle::comparePlaces() {
    inspector().grid()->setMode(ActivityGrid::Store);
    // The session may still be reading experts that the answer did not need.
    Wanted wanted;
    const auto agree = [&] {
        wanted = places();
        std::vector<uint8_t> all;
        for (const auto& layer : wanted.values)
            for (const double state : layer) all.push_back(static_cast<uint8_t>(state));
        return all == inspector().grid()->cells()->content().places;
    };
    QTRY_VERIFY(agree());
    compareView(wanted);
    if (QTest::currentTestFailed()) return;
    // There is room for all experts: those that the oracle's routes used have stayed.
    const Wanted used = countsOf(0, inspector().timeline()->last() + 1);
    for (size_t l = 0; l < used.values.size(); ++l)
        for (size_t e = 0; e < used.values[l].size(); ++e)
            if (used.values[l][e] > 0) QCOMPARE(wanted.values[l][e], double(engine::ExpertState::InMemory));
    compareSaved(wanted);
}

// ------------------------------------------------------------------------------------------ files

void TestInspectorOracle::compareUse(int position, int layer, const engine::ExpertUse& use,
                                     const ModelUnderTest& model) {
    const auto traced = inspector().shown().record()->token(position);
    const auto& known = traced->layers[static_cast<size_t>(layer)].uses;
    const auto same =
        std::find_if(known.begin(), known.end(), [&](const engine::ExpertUse& k) { return k.expert == use.expert; });
    QVERIFY(same != known.end());
    QCOMPARE(use.hit, same->hit);
    const Route& route = routes_[static_cast<size_t>(position)][static_cast<size_t>(layer)];
    if (route.experts.empty()) { // a dense layer
        QCOMPARE(use.expert, 0);
        QCOMPARE(use.weight, 1.0F);
        return;
    }
    const auto at = std::find(route.experts.begin(), route.experts.end(), use.expert);
    QVERIFY(at != route.experts.end());
    const auto rank = static_cast<size_t>(at - route.experts.begin());
    QVERIFY(std::abs(static_cast<double>(use.weight) - route.weights[rank]) <= model.weightTolerance);
    // A gate that is nearly 0 may be on either side of it.
    if (model.oracle.activation == OracleActivation::ReGlu)
        QVERIFY(std::abs(use.activeNeurons - route.active[rank]) <= 2);
}

void TestInspectorOracle::compareCsv(const ModelUnderTest& model) {
    const QString path = folder_->filePath(QStringLiteral("trace.csv"));
    QVERIFY(!inspector().files()->exportCsv(QUrl::fromLocalFile(path)).valid());
    QFile csv(path);
    QVERIFY(csv.open(QIODevice::ReadOnly));
    const QList<QList<QByteArray>> rows = csvRows(csv.readAll());
    QCOMPARE(static_cast<int>(rows.size()) - 1, uses());
    for (const QList<QByteArray>& row : rows.mid(1)) {
        QCOMPARE(row.size(), qsizetype{13});
        const int position = row[0].toInt(), layer = row[4].toInt();
        const auto at = static_cast<size_t>(position);
        const bool prompt = position < inspector().timeline()->answerBegins();
        QCOMPARE(row[1].toInt(), tokens_[at]);
        if (prompt) QCOMPARE(QString::fromUtf8(row[2]), words_[at]);
        QCOMPARE(row[3], QByteArray(prompt ? "1" : "0"));
        compareUse(position, layer,
                   {.expert = row[6].toInt(),
                    .weight = row[7].toFloat(),
                    .hit = row[8] == "1",
                    .activeNeurons = row[9].toInt()},
                   model);
        if (QTest::currentTestFailed()) return;
        const auto token = inspector().shown().record()->token(position);
        QVERIFY(std::abs(row[10].toDouble() - token->layers[static_cast<size_t>(layer)].waitSeconds) <= 1e-6);
        QCOMPARE(row[11].toLongLong(), token->headRows);
        QVERIFY(std::abs(row[12].toDouble() - token->seconds) <= 1e-6);
    }
}

void TestInspectorOracle::compareJson(const ModelUnderTest& model) {
    const QString path = folder_->filePath(QStringLiteral("trace.json"));
    QVERIFY(!inspector().files()->exportJson(QUrl::fromLocalFile(path)).valid());
    QFile json(path);
    QVERIFY(json.open(QIODevice::ReadOnly));
    int inJson = 0;
    for (const QJsonValue& token : QJsonDocument::fromJson(json.readAll()).object()["tokens"].toArray()) {
        const int position = token["position"].toInt();
        QCOMPARE(token["token"].toInt(), tokens_[static_cast<size_t>(position)]);
        const auto traced = inspector().shown().record()->token(position);
        for (const QJsonValue& layer : token["layers"].toArray()) {
            const int number = layer["layer"].toInt();
            QVERIFY(std::abs(layer["wait_s"].toDouble() - traced->layers[static_cast<size_t>(number)].waitSeconds) <=
                    1e-6);
            for (const QJsonValue& use : layer["experts"].toArray()) {
                compareUse(position, number,
                           {.expert = use["expert"].toInt(),
                            .weight = static_cast<float>(use["weight"].toDouble()),
                            .hit = use["hit"].toBool(),
                            .activeNeurons = use["active_neurons"].toInt()},
                           model);
                if (QTest::currentTestFailed()) return;
                ++inJson;
            }
        }
    }
    QCOMPARE(inJson, uses());
}

/// The same seed draws the same tokens in another chat, and not always the likeliest ones.
void TestInspectorOracle::compareDrawn() {
    std::vector<int32_t> first;
    for (const engine::TokenRecord& token : inspector().shown().record()->tokens()) first.push_back(token.id);
    int unlikely = 0;
    for (size_t p = static_cast<size_t>(inspector().timeline()->answerBegins()); p < tokens_.size(); ++p) {
        const std::vector<double>& logits = run_.logits[p - 1];
        unlikely += std::max_element(logits.begin(), logits.end()) - logits.begin() == tokens_[p] ? 0 : 1;
    }
    QVERIFY2(unlikely > 2, qPrintable(QString::number(unlikely)));
    app_->conversation()->newChat();
    answer();
    if (QTest::currentTestFailed()) return;
    std::vector<int32_t> again;
    for (const engine::TokenRecord& token : inspector().shown().record()->tokens()) again.push_back(token.id);
    QCOMPARE(again, first);
}

void TestInspectorOracle::everyViewIsTheTrace() {
    QFETCH(QString, name);
    QFETCH(bool, drawn);
    app_.reset();
    folder_ = std::make_unique<QTemporaryDir>();
    const auto model = modelOf(name);
    QVERIFY(model);
    start(model->path, drawn);
    if (QTest::currentTestFailed()) return;
    answer();
    if (QTest::currentTestFailed()) return;
    tokens_ = tokensOfRun();
    QVERIFY(!tokens_.empty());
    runOracleOn(tokens_, *model);
    if (QTest::currentTestFailed()) return;
    QCOMPARE(dense(), name == QStringLiteral("llama") || name == QStringLiteral("qwen35"));
    QCOMPARE(inspector().charts()->remarks().join(u' ').contains("no experts"), dense());
    comparePositions(*model);
    if (!QTest::currentTestFailed()) compareModes();
    if (!QTest::currentTestFailed()) comparePlaces();
    if (!QTest::currentTestFailed()) compareCsv(*model);
    if (!QTest::currentTestFailed()) compareJson(*model);
    if (!QTest::currentTestFailed() && drawn) compareDrawn();
}

int main(int argc, char** argv) {
    qputenv("QT_QUICK_BACKEND", "software");
    QGuiApplication application(argc, argv);
    TestInspectorOracle test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_inspector_oracle.moc"
