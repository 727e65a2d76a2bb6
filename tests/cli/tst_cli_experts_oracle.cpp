// SPDX-License-Identifier: Apache-2.0
// The tables of coterie-cli experts for several families, compared with what the float64 decoder of the tests computes
// for the same tokens: uses and weights of each expert, and active neurons of each layer.
#include "cli/cli_run.h"
#include "decoder/tiny_families.h"
#include "support/csv_rows.h"
#include "support/oracle_file.h"
#include "support/reference.h"
#include "support/tiny_model.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <vector>

using namespace coterie::test;

namespace {

/// As in tst_inspector_oracle.cpp: differences of weights by float32 alone, and those by 8-bit inputs.
constexpr double kExact = 2e-3, kRounded = 0.03;
constexpr double kWritten = 1e-4; // tables round

struct ModelUnderTest {
    QString path;
    OracleModel oracle;
    double tolerance = kExact; ///< the largest difference of a weight
    int64_t experts = 0, neurons = 0;
};

using Rows = QList<std::map<QByteArray, QByteArray>>;

/// The lines of a CSV file by the names of its columns.
Rows table(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return {};
    QList<QList<QByteArray>> lines = csvRows(file.readAll());
    if (lines.isEmpty()) return {};
    const QList<QByteArray> names = lines.takeFirst();
    Rows rows;
    for (const QList<QByteArray>& line : lines) {
        rows.emplace_back();
        for (qsizetype i = 0; i < names.size() && i < line.size(); ++i) rows.back()[names[i]] = line[i];
    }
    return rows;
}

/// A text as the model reads it: its tokens, and the experts that the engine chose.
struct Reading {
    std::vector<int32_t> tokens;
    OracleChoices choices;
};

/// A value between two ranks is between their values.
double quantile(std::vector<double> values, double at) {
    std::sort(values.begin(), values.end());
    const double rank = at * static_cast<double>(values.size() - 1);
    const auto low = static_cast<size_t>(rank);
    const size_t high = std::min(low + 1, values.size() - 1);
    return values[low] + (values[high] - values[low]) * (rank - static_cast<double>(low));
}

} // namespace

class TestCliExpertsOracle : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void tablesEqualTheOracle_data();
    void tablesEqualTheOracle();

  private:
    std::optional<ModelUnderTest> modelOf(const QString& name) const;
    Reading readingOf(const ModelUnderTest& model, const QString& text) const;
    void compareUses(const OracleRun& run, const ModelUnderTest& model, const Rows& rows) const;
    void compareNeurons(const OracleRun& run, const ModelUnderTest& model, const Rows& rows) const;
    QString path(const QString& name) const { return folder_->filePath(name); }

    std::unique_ptr<QTemporaryDir> folder_;
};

void TestCliExpertsOracle::tablesEqualTheOracle_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<bool>("hasNeurons");
    QTest::newRow("smallthinker") << QStringLiteral("smallthinker") << true;
    for (const char* name : {"gpt-oss", "qwen3moe", "olmoe", "glm4moe"})
        QTest::newRow(name) << QString::fromLatin1(name) << false;
    if (!referenceFolder().isEmpty()) QTest::newRow("tiny-smallthinker") << QStringLiteral("tiny-smallthinker") << true;
}

std::optional<ModelUnderTest> TestCliExpertsOracle::modelOf(const QString& name) const {
    if (name == QStringLiteral("tiny-smallthinker")) {
        const QString file = referenceFolder() + QStringLiteral("/models/tiny-smallthinker.gguf");
        auto oracle = readOracle(file.toStdString());
        if (!oracle) return std::nullopt;
        const QJsonObject info = object(cli({"info", file, "--json"}).out);
        const double tolerance = oracle->head.eightBitInputs ? kRounded : kExact;
        return ModelUnderTest{.path = file,
                              .oracle = std::move(*oracle),
                              .tolerance = tolerance,
                              .experts = info["experts"].toInt(),
                              .neurons = info["feed_forward"].toInt()};
    }
    TinyModelOptions options;
    for (const NamedOptions& family : tinyFamilies())
        if (family.options.architecture == name.toStdString()) options = family.options;
    const QString file = path(QStringLiteral("model.gguf"));
    if (options.architecture != name.toStdString() || !saveTinyModel(options, file.toStdString())) return std::nullopt;
    return ModelUnderTest{.path = file,
                          .oracle = makeTinyModel(options).oracle,
                          .experts = options.experts,
                          .neurons = options.feedForward};
}

/// By the command trace, which reads the text as the command experts does.
Reading TestCliExpertsOracle::readingOf(const ModelUnderTest& model, const QString& text) const {
    const QStringList call{"trace",        model.path, "--raw",
                           "--max-tokens", "0",        "--prompt",
                           text,           "--out",    path(QStringLiteral("trace.csv"))};
    if (cli(call).code != 0) return {};
    Reading reading;
    for (const auto& row : table(path(QStringLiteral("trace.csv")))) {
        const auto position = row.at("position").toUInt(), layer = row.at("layer").toUInt();
        if (reading.tokens.size() <= position) {
            reading.tokens.push_back(row.at("token").toInt());
            reading.choices.emplace_back(model.oracle.layers.size());
        }
        reading.choices[position][layer].push_back(row.at("expert").toInt());
    }
    return reading;
}

/// Each expert of each layer has a line.
void TestCliExpertsOracle::compareUses(const OracleRun& run, const ModelUnderTest& model, const Rows& rows) const {
    std::map<std::pair<int, int>, std::pair<int, double>> wanted; // uses and weight of [layer, expert]
    std::map<int, int> ofLayer;
    for (size_t token = 0; token < run.experts.size(); ++token) {
        for (size_t l = 0; l < run.experts[token].size(); ++l) {
            const auto layer = static_cast<int>(l);
            for (size_t i = 0; i < run.experts[token][l].size(); ++i) {
                auto& [uses, weight] = wanted[{layer, run.experts[token][l][i]}];
                ++uses;
                weight +=
                    run.weights[token][l][i] / model.oracle.router.scale; // the engine reports it before the scale
                ++ofLayer[layer];
            }
        }
    }
    std::map<int, int> lines;
    for (const auto& row : rows) {
        const int layer = row.at("layer").toInt(), expert = row.at("expert").toInt();
        ++lines[layer];
        if (!ofLayer.contains(layer)) { // a dense layer: one expert, which every token uses
            QCOMPARE(expert, 0);
            QCOMPARE(row.at("uses").toInt(), static_cast<int>(run.experts.size()));
            continue;
        }
        const auto [uses, weight] = wanted[{layer, expert}];
        QCOMPARE(row.at("uses").toInt(), uses);
        QVERIFY(std::abs(row.at("weight").toDouble() - weight) <= uses * model.tolerance + kWritten);
        QVERIFY(std::abs(row.at("share").toDouble() - static_cast<double>(uses) / ofLayer[layer]) <= kWritten);
    }
    QCOMPARE(lines.size(), run.experts.front().size());
    for (const auto& [layer, count] : lines) QCOMPARE(count, ofLayer.contains(layer) ? int(model.experts) : 1);
}

void TestCliExpertsOracle::compareNeurons(const OracleRun& run, const ModelUnderTest& model, const Rows& rows) const {
    QCOMPARE(rows.size(), static_cast<qsizetype>(run.experts.front().size()));
    for (const auto& row : rows) {
        const auto layer = row.at("layer").toUInt();
        std::vector<double> shares;
        size_t experts = 1;
        for (const auto& token : run.active) {
            double active = 0;
            for (const int count : token[layer]) active += count;
            experts = token[layer].size();
            shares.push_back(active / static_cast<double>(experts * static_cast<size_t>(model.neurons)));
        }
        // A gate that is nearly 0 may have another sign in float32: two neurons of a token, more with 8-bit inputs.
        const double neurons = model.tolerance > kExact ? 12 : 2;
        const double tolerance = neurons / static_cast<double>(experts * static_cast<size_t>(model.neurons)) + kWritten;
        const std::map<QByteArray, double> at{{"least", 0}, {"q1", 0.25}, {"median", 0.5}, {"q3", 0.75}, {"most", 1}};
        for (const auto& [name, rank] : at) {
            const double written = row.at(name).toDouble(), computed = quantile(shares, rank);
            QVERIFY2(std::abs(written - computed) <= tolerance, qPrintable(QStringLiteral("layer %1, %2: %3, not %4")
                                                                               .arg(layer)
                                                                               .arg(QString::fromLatin1(name))
                                                                               .arg(written)
                                                                               .arg(computed)));
        }
        QVERIFY(quantile(shares, 1) > 0);
    }
}

void TestCliExpertsOracle::tablesEqualTheOracle() {
    QFETCH(QString, name);
    QFETCH(bool, hasNeurons);
    folder_ = std::make_unique<QTemporaryDir>();
    const std::optional<ModelUnderTest> model = modelOf(name);
    QVERIFY(model && model->experts > 1 && model->neurons > 0);
    const QMap<QString, QString> texts{{"sea", "Some words about the sea, and the sea again."},
                                       {"numbers", "1 2 3 4 5 6 7 8 9 10 11 12"}};
    QVERIFY(QDir().mkpath(path("texts")));
    for (auto text = texts.begin(); text != texts.end(); ++text) {
        QFile file(path("texts/" + text.key() + ".txt"));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text->toUtf8()) == text->size());
    }
    const Run run = cli({"experts", model->path, "--texts", path("texts"), "--out", path("out")});
    QVERIFY2(run.code == 0, run.err);
    for (auto text = texts.begin(); text != texts.end(); ++text) {
        const Reading reading = readingOf(*model, *text);
        QVERIFY(reading.tokens.size() > 8);
        const OracleRun oracle = runOracle(model->oracle, reading.tokens, &reading.choices);
        QVERIFY2(oracle.worstChoice <= 4 * model->tolerance, qPrintable(QString::number(oracle.worstChoice)));
        compareUses(oracle, *model, table(path("out/" + text.key() + ".experts.csv")));
        if (QTest::currentTestFailed()) return;
        const QString neurons = path("out/" + text.key() + ".neurons.csv");
        QCOMPARE(QFile::exists(neurons), hasNeurons);
        if (hasNeurons) compareNeurons(oracle, *model, table(neurons));
    }
}

QTEST_MAIN(TestCliExpertsOracle)
#include "tst_cli_experts_oracle.moc"
