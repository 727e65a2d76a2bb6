// SPDX-License-Identifier: Apache-2.0
// Compares log-probabilities with those of another engine, if the reference data lie beside the checkout, and measures
// the difference as their check does.
#include "decoder/loaded_model.h"
#include "support/reference.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

using namespace coterie::engine;
using namespace coterie::test;

namespace {

std::vector<double> logSoftmax(std::span<const float> logits) {
    double largest = -std::numeric_limits<double>::infinity(), sum = 0;
    for (const float logit : logits) largest = std::max(largest, static_cast<double>(logit));
    for (const float logit : logits) sum += std::exp(static_cast<double>(logit) - largest);
    std::vector<double> out;
    for (const float logit : logits) out.push_back(static_cast<double>(logit) - largest - std::log(sum));
    return out;
}

/// The models of a folder whose names begin so. An older copy of the reference data lacks some folders.
void addModels(const QString& folder, const QStringList& beginnings, std::vector<QString>& names) {
    const QString ending = QStringLiteral(".expected.json");
    for (const QString& beginning : beginnings)
        for (const QString& file : QDir(referenceFolder() + "/" + folder).entryList({beginning + "*" + ending}))
            names.push_back(folder + "/" + file.chopped(ending.size()));
}

} // namespace

class ReferenceModelsTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void agrees_data();
    void agrees();
};

void ReferenceModelsTest::agrees_data() {
    if (referenceFolder().isEmpty()) QSKIP("No reference data beside this checkout");
    QTest::addColumn<QString>("stem");
    QTest::addColumn<const KernelTable*>("kernels");
    std::vector<QString> names;
    addModels("quants_low/models", {"tiny-"}, names); // formats with codebooks, alone and mixed
    addModels("families/models", {"tiny-qwen3", "tiny-gemma", "tiny-lfm2", "tiny-glm4moe"}, names);
    for (const char* name :
         {"models/stories260k", "models/tiny-llama", "models/tiny-llama-ropefreqs", "models/tiny-smallthinker",
          "models/tiny-smallthinker-full", "models/tiny-smallthinker-long", "models/tiny-smollm3", "models/tiny-qwen2",
          "models/tiny-qwen3", "models/tiny-qwen3moe", "models/tiny-olmoe", "quants/tiny-llama-F16",
          "quants/tiny-llama-BF16", "quants/tiny-llama-Q8_0", "quants/tiny-llama-Q4_0"})
        names.emplace_back(name);
    // In the short form the best table alone reads a prompt of thousands of tokens.
    for (const QString& name : names)
        for (const KernelTable* table : testedKernels())
            if (table == testedKernels().front() || longTests() || !name.endsWith("-long"))
                QTest::addRow("%s %s", qPrintable(name), table->name) << referenceFolder() + "/" + name << table;
}

void ReferenceModelsTest::agrees() {
    QFETCH(QString, stem);
    QFETCH(const KernelTable*, kernels);
    QFile description(stem + ".expected.json"), probabilities(stem + ".expected.f32");
    QVERIFY(description.open(QIODevice::ReadOnly) && probabilities.open(QIODevice::ReadOnly));
    const QJsonObject want = QJsonDocument::fromJson(description.readAll()).object();
    const QByteArray bytes = probabilities.readAll();
    const auto* expected = reinterpret_cast<const float*>(bytes.constData());
    std::vector<int32_t> tokens;
    for (const QJsonValue token : want["tokens"].toArray()) tokens.push_back(token.toInt());

    const QString path = QFileInfo(stem).path() + "/" + want["model"].toString();
    auto model = loadModel(systemFiles(), {.kernels = kernels}, path.toStdString());
    QVERIFY2(model.ok(), model ? "" : model.error().line().c_str());
    const auto got = logitsOf(*model->decoder, tokens);
    QVERIFY2(got.ok(), got ? "" : got.error().line().c_str());
    const auto vocabulary = static_cast<size_t>(want["vocab"].toInt());
    double worst = 0;
    for (const QJsonValue position : want["positions"].toArray()) {
        const std::vector<double> ours = logSoftmax(got.value()[static_cast<size_t>(position.toInt())]);
        QCOMPARE(ours.size(), vocabulary);
        for (size_t i = 0; i < vocabulary; ++i)
            if (expected[i] > 1e-5f)
                worst = std::max(worst, std::abs(ours[i] - std::log(static_cast<double>(expected[i]))));
        expected += vocabulary;
    }
    QVERIFY2(worst <= want["tolerance"].toDouble(), qPrintable(QString::number(worst)));
}

QTEST_APPLESS_MAIN(ReferenceModelsTest)
#include "tst_reference_models.moc"
