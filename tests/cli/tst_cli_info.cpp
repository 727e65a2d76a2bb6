// SPDX-License-Identifier: Apache-2.0
// coterie-cli info: the figures of a model, for people and as JSON.
#include "cli/cli_run.h"
#include "support/tiny_model.h"

#include <QJsonArray>
#include <QTemporaryDir>
#include <QtTest>

using coterie::engine::TensorType;
using namespace coterie::test;

class TestCliInfo : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    /// Writes a model and returns its path.
    QString save(const QString& name, const TinyModelOptions& options) const {
        const QString path = folder_.filePath(name);
        return saveTinyModel(options, path.toStdString()) ? path : QString();
    }

  private Q_SLOTS:
    void infoDescribes() {
        const QString model = save("sparse.gguf", {.architecture = "smallthinker", .context = 4096});
        const Run json = cli({"info", model, "--json", "--context", "1000"});
        QCOMPARE(json.code, 0);
        const QJsonObject info = object(json.out);
        QCOMPARE(info["path"].toString(), model);
        QCOMPARE(info["architecture"].toString(), QString("smallthinker"));
        QCOMPARE(info["experts"].toInt(), 8);
        QCOMPARE(info["memory"]["context"].toInt(), 1000);
        QVERIFY(info["problems"].toArray().isEmpty());
        const Run text = cli({"info", model});
        QCOMPARE(text.code, 0);
        QVERIFY(text.out.contains("smallthinker") && text.out.contains("KV cache") && !text.out.contains("won't work"));
    }

    /// States are planned, cost the same at any context, and are named beside the layers that have them.
    void statesOfRecurrentLayers() {
        const QString model = save("states.gguf", {.architecture = "qwen35", .layers = 3, .draftLayers = 1});
        const auto about = [&](const char* context) {
            return object(cli({"info", model, "--json", "--context", context}).out);
        };
        const QJsonObject shorter = about("100"), longer = about("200");
        QCOMPARE(shorter["layers"].toInt(), 3);
        QCOMPARE(shorter["recurrent_layers"].toInt(), 2);
        const QJsonValue memory = shorter["memory"], other = longer["memory"];
        const int each = memory["state_each"].toInt(), copies = memory["state_copies"].toInt();
        QVERIFY(each > 0 && copies > 0);
        QCOMPARE(memory["state"].toInt(), each * (copies + 2));
        QCOMPARE(other["state"], memory["state"]);
        QCOMPARE(other["key_value"].toInt(), 2 * memory["key_value"].toInt());
        const QString text = cli({"info", model}).out;
        QVERIFY2(text.contains("3, of which 2 need no more memory for a longer chat"), qPrintable(text));
        QVERIFY2(text.contains("states ") && text.contains("to go back to"), qPrintable(text));
        QVERIFY2(text.contains("nextn_predict_layers"), qPrintable(text));
    }

    /// Dense layers beside layers with experts have slots of their own, which count among all slots.
    void slotsOfDenseLayers() {
        const auto slotsOf = [](const QString& model) {
            return object(cli({"info", model, "--json"}).out).value("memory").toObject();
        };
        const QString one = save("one.gguf", {.architecture = "glm4moe", .layers = 2, .sharedFeedForward = 96});
        const QJsonObject memory = slotsOf(one);
        QCOMPARE(memory["slots"].toInt(), 1 + 8);
        QCOMPARE(memory["own_slots"].toInt(), 1);
        QVERIFY(memory["own_slot_bytes"].toInt() > memory["slot_bytes"].toInt());
        const QByteArray text = cli({"info", one}).out;
        QVERIFY2(text.contains("slots for 9 of 9, 1 of them for a dense layer ("), text);
        const QString two =
            save("two.gguf", {.architecture = "glm4moe", .layers = 3, .sharedFeedForward = 96, .leadingDense = 2});
        QVERIFY(cli({"info", two}).out.contains("slots for 10 of 10, 2 of them for dense layers ("));
        const QString none = save("none.gguf", {.architecture = "smallthinker"});
        QCOMPARE(slotsOf(none)["own_slots"].toInt(-1), 0);
        QCOMPARE(slotsOf(none)["own_slot_bytes"].toInt(-1), 0);
        QVERIFY(!cli({"info", none}).out.contains("dense layer"));
        QCOMPARE(slotsOf(none)["small_slots"].toInt(-1), 0);
        QCOMPARE(slotsOf(none)["large_slot_bytes"], slotsOf(none)["slot_bytes"]);
    }

    /// Experts of two sizes share slots of two sizes.
    void slotsOfTwoSizes() {
        TinyModelOptions options{.architecture = "qwen3moe", .layers = 2, .tied = false};
        options.typeOf = [](const std::string& name) {
            return name == "blk.0.ffn_down_exps.weight" ? TensorType::F32 : TensorType::Q8_0;
        };
        const QString model = save("mixed.gguf", options);
        const QJsonObject memory = object(cli({"info", model, "--json"}).out).value("memory").toObject();
        QCOMPARE(memory["slots"].toInt(), 16);
        QCOMPARE(memory["small_slots"].toInt(), 8);
        QCOMPARE(memory["slot_bytes"].toInt(),
                 (memory["large_slot_bytes"].toInt() + memory["small_slot_bytes"].toInt()) / 2);
        QVERIFY(memory["small_slot_bytes"].toInt() < memory["slot_bytes"].toInt());
        const QByteArray text = cli({"info", model}).out;
        QVERIFY2(text.contains("slots for 16 of 16, 8 small ones ("), text);
    }
};

QTEST_GUILESS_MAIN(TestCliInfo)
#include "tst_cli_info.moc"
