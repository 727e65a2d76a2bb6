// SPDX-License-Identifier: Apache-2.0
// coterie-cli agreement: a model agrees with itself, and the lossy options move it and save what they promise. Also the
// sums behind it, and that every command that generates takes those options.
#include "base/power/power.h"
#include "cli/cli_run.h"
#include "cli/commands/distribution.h"
#include "support/tiny_model.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <cmath>
#include <limits>
#include <random>

using namespace coterie::test;
using coterie::app::Distribution;
using coterie::app::distributionOf;
using coterie::app::divergence;
using coterie::app::likeliestOf;

namespace {

constexpr double kUsesPerToken = 4 * 4; // layers x experts
constexpr int kTightSlots = 24;         // the model has 64 experts

TinyModelOptions sparse() {
    TinyModelOptions options;
    options.architecture = "smallthinker";
    options.type = coterie::engine::TensorType::Q8_0;
    options.layers = 4;
    options.width = 128;
    options.feedForward = 256;
    options.experts = 16;
    options.expertsPerToken = 4;
    return options;
}

std::vector<float> randomLogits(size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal(0, 3);
    std::vector<float> logits(count);
    for (float& logit : logits) logit = normal(random);
    return logits;
}

/// The textbook's sum over the whole vocabulary.
double wholeDivergence(const std::vector<float>& one, const std::vector<float>& other) {
    const auto softmax = [](const std::vector<float>& logits) {
        std::vector<double> out;
        double sum = 0;
        for (const float logit : logits) out.push_back(std::exp(static_cast<double>(logit)));
        for (const double value : out) sum += value;
        for (double& value : out) value /= sum;
        return out;
    };
    const std::vector<double> p = softmax(one), q = softmax(other);
    double sum = 0;
    for (size_t i = 0; i < p.size(); ++i) sum += p[i] * std::log(p[i] / q[i]);
    return sum;
}

} // namespace

class TestCliAgreement : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString dense_, sparse_, tight_;

    QString path(const QString& name) const { return folder_.path() + QStringLiteral("/m\u00f6 del ") + name; }
    /// Twenty positions of an answer that may go past its end.
    static QStringList call(const QString& model, const QStringList& more = {}) {
        return QStringList{"agreement", model, "--raw",      "--prompt",   "Once upon a time",
                           "--tokens",  "20",  "--past-end", "--data-dir", ""} +
               more;
    }
    static QJsonObject report(const QString& model, const QStringList& more = {}) {
        const Run run = cli(call(model, more) + QStringList{"--json"});
        if (run.code != 0 || !run.err.isEmpty()) qWarning("%d: %s", run.code, run.err.constData());
        return object(run.out);
    }
    static double at(const QJsonObject& report, const char* pass, const char* key) {
        return report[pass][key].toDouble(-1);
    }

  private Q_SLOTS:
    void initTestCase() {
        dense_ = path("dense.gguf");
        sparse_ = path("sparse.gguf");
        QVERIFY(saveTinyModel({}, dense_.toStdString()));
        QVERIFY(saveTinyModel(sparse(), sparse_.toStdString()));
        // A budget for some of the experts: how many slots it leaves depends on what else the process holds.
        const QJsonValue memory = object(cli({"info", sparse_, "--json"}).out).value("memory");
        qint64 bytes = qint64(memory["minimum_total"].toDouble());
        for (int tries = 0; tries < 100; ++tries, bytes += 256 << 10) {
            tight_ = QString::number(bytes / 1024) + "KiB";
            const QJsonObject r = object(cli(call(sparse_, {"--memory", tight_, "--json"})).out);
            if (r["slots"].toInt() >= kTightSlots) return;
        }
        QFAIL("no budget leaves enough slots");
    }

    void aModelAgreesWithItself() {
        for (const QStringList& more : {QStringList{}, {"--memory", tight_}, {"--prefer-cached", "0", "--sure", "0"}}) {
            const QJsonObject r = report(sparse_, more);
            QCOMPARE(r["positions"].toInt(), 20);
            QCOMPARE(r["same_token"].toDouble(), 1.0);
            QCOMPARE(r["kl_divergence"].toDouble(-1), 0.0);
            QCOMPARE(r["log_probability_lost"].toDouble(-1), 0.0);
            QCOMPARE(r["prefer_cached"].toDouble(-1), 0.0);
            QCOMPARE(r["sure"].toDouble(-1), 0.0);
            QCOMPARE(r["choices_changed"].toDouble(-1), 0.0);
            for (const char* pass : {"exact", "approximate"}) {
                QCOMPARE(at(r, pass, "experts_per_token"), kUsesPerToken);
                QVERIFY(at(r, pass, "hit_rate") >= 0 && at(r, pass, "hit_rate") <= 1);
                // An expert that is arriving counts as a hit, and as read from disk.
                QVERIFY(at(r, pass, "disk_rate") >= 1 - at(r, pass, "hit_rate") - 1e-3);
                QVERIFY(at(r, pass, "disk_rate") <= 1);
            }
        }
    }

    void preferringWhatIsThereSavesReads() {
        const QJsonObject r = report(sparse_, {"--prefer-cached", "1", "--memory", tight_});
        QVERIFY(r["slots"].toInt() < r["total_experts"].toInt());
        // Three of four experts need no read now. Hits say less: an expert that was prefetched in time is one.
        const double exact = at(r, "exact", "disk_bytes_per_token"),
                     approximate = at(r, "approximate", "disk_bytes_per_token");
        QVERIFY2(approximate < 0.75 * exact, qPrintable(QString("%1 %2").arg(approximate).arg(exact)));
        QCOMPARE(at(r, "approximate", "experts_per_token"), kUsesPerToken);
        QVERIFY(r["kl_divergence"].toDouble() > 0);
        QVERIFY(r["choices_changed"].toDouble() > 0.1 && r["choices_changed"].toDouble() <= 1);
        QVERIFY(r["same_token"].toDouble() <= 1);
        QCOMPARE(r["prefer_cached"].toDouble(), 1.0);
    }

    void beingSureSavesExperts() {
        const QJsonObject some = report(sparse_, {"--sure", "0.7"}), few = report(sparse_, {"--sure", "0.3"});
        QCOMPARE(at(few, "exact", "experts_per_token"), kUsesPerToken);
        QVERIFY(at(some, "approximate", "experts_per_token") < kUsesPerToken);
        QVERIFY(at(few, "approximate", "experts_per_token") < at(some, "approximate", "experts_per_token"));
        QVERIFY(at(few, "approximate", "experts_per_token") >= 4);
        QVERIFY(few["kl_divergence"].toDouble() > some["kl_divergence"].toDouble());
        QVERIFY(some["kl_divergence"].toDouble() > 0);
        QCOMPARE(some["sure"].toDouble(), 0.7);
    }

    void aDenseModelHasNothingToChoose() {
        const QJsonObject r = report(dense_, {"--prefer-cached", "1", "--sure", "0.1"});
        QCOMPARE(r["same_token"].toDouble(), 1.0);
        QCOMPARE(r["kl_divergence"].toDouble(-1), 0.0);
        QVERIFY(r.contains("choices_changed") && r["choices_changed"].isNull());
    }

    void aPromptFromAFileIsTheSame() {
        QFile file(path("prompt.txt"));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("Once upon a time") == 16);
        file.close();
        const QStringList named{"agreement", sparse_,      "--raw", "--tokens", "20", "--past-end",
                                "--json",    "--data-dir", "",      "--sure",   "0.5"};
        const Run fromFile = cli(named + QStringList{"--prompt-file", file.fileName()});
        const Run fromCall = cli(named + QStringList{"--prompt", "Once upon a time"});
        const Run other = cli(named);
        QCOMPARE(fromFile.code, 0);
        QCOMPARE(other.code, 0); // a prompt of its own
        QCOMPARE(object(fromFile.out)["kl_divergence"], object(fromCall.out)["kl_divergence"]);
        QVERIFY(object(fromFile.out)["kl_divergence"] != object(other.out)["kl_divergence"]);
    }

    void textTellsTheSame() {
        const Run run = cli(call(sparse_));
        QCOMPARE(run.code, 0);
        for (const char* text : {"20 positions", "the same likeliest token at 100.0 %", "KL divergence 0.000000 nats",
                                 "choices changed 0.0 %", "hit rate", "disk, a token",
                                 "experts, a token               16.00         16.00"})
            QVERIFY2(run.out.contains(text), run.out);
        const QByteArray dense = cli(call(dense_)).out;
        QVERIFY2(dense.contains("2 of 2 layers in a budget") && dense.contains("layers, a token"), dense);
        QVERIFY2(!dense.contains("experts"), dense);
    }

    void badCallsEndWithTwo_data() {
        QTest::addColumn<QStringList>("call");
        const auto row = [](const char* name, const QStringList& call) { QTest::newRow(name) << call; };
        row("no model", {"agreement"});
        row("no such model", call(path("gone.gguf")));
        row("no such prompt", {"agreement", sparse_, "--prompt-file", path("gone.txt")});
        row("two prompts", call(sparse_, {"--prompt-file", path("prompt.txt")}));
        row("no tokens", call(sparse_, {"--tokens", "0"}));
        for (const char* option : {"--prefer-cached", "--sure"})
            for (const char* value : {"-0.1", "1.01", "nan", "much", ""}) {
                QTest::addRow("agreement %s %s", option, value) << call(sparse_, {QString(option) + "=" + value});
                for (const char* command : {"generate", "trace"})
                    QTest::addRow("%s %s %s", command, option, value)
                        << QStringList{command, sparse_, "--prompt", "a", QString(option) + "=" + value};
                for (const char* command : {"chat", "bench"})
                    QTest::addRow("%s %s %s", command, option, value)
                        << QStringList{command, sparse_, QString(option) + "=" + value};
            }
    }
    void badCallsEndWithTwo() {
        QFETCH(QStringList, call);
        const Run run = cli(call);
        QVERIFY2(isErrorLine(run.err), run.err);
        QCOMPARE(run.code, 2);
        QCOMPARE(run.out, QByteArray());
    }

    /// In words, and only with what they belong to.
    void badTimesEndWithTwo_data() {
        QTest::addColumn<QStringList>("options");
        QTest::newRow("no word") << QStringList{"--sure", "0.9", "--sure-when=sometimes"};
        QTest::newRow("nothing to approximate") << QStringList{"--sure-when", "scarce"};
        QTest::newRow("the other one") << QStringList{"--sure", "0.9", "--prefer-cached-when", "scarce"};
        QTest::newRow("none") << QStringList{"--prefer-cached", "0.9", "--prefer-cached-when="};
    }
    void badTimesEndWithTwo() {
        QFETCH(QStringList, options);
        const Run run = cli(QStringList{"generate", sparse_, "--prompt", "a"} + options);
        QVERIFY2(isErrorLine(run.err), run.err);
        QCOMPARE(run.code, 2);
    }

    /// A budget with a name is never short; whether the battery is low, this machine says.
    void aLowBatteryTurnsScarceOptionsOn() {
        const QStringList answer{"generate", sparse_,        "--prompt", "Once",     "--raw", "--temperature", "0",
                                 "--json",   "--max-tokens", "24",       "--memory", "1GiB",  "--sure",        "0.3"};
        const QJsonObject always = object(cli(answer + QStringList{"--sure-when", "always"}).out);
        QVERIFY(!always["exact"].toBool(true) && !always["same_bits"].toBool(true));
        QVERIFY(always["choices_changed"].toDouble() > 0);
        QCOMPARE(always["text"], object(cli(answer).out)["text"]);
        const bool low = coterie::engine::batteryIsLow(coterie::engine::readPower());
        const QJsonObject scarce = object(cli(answer + QStringList{"--sure-when", "scarce"}).out);
        QCOMPARE(scarce["exact"].toBool(low), !low);
        QCOMPARE(scarce["same_bits"].toBool(low), !low);
        QCOMPARE(scarce["text"] == always["text"], low);
    }

    /// The context ends with the prompt: no token is decoded.
    void nothingToCompareIsSaid() {
        const Run run = cli({"agreement", sparse_, "--raw", "--prompt", "a", "--context", "1"});
        QVERIFY2(isErrorLine(run.err) && run.err.contains("nothing to compare"), run.err);
        QCOMPARE(run.code, 2);
    }

    void lossyOptionsAreLabelledAndTaken() {
        for (const char* command : {"generate", "chat", "bench", "trace", "agreement"}) {
            const QByteArray help = cli({command, "--help"}).out;
            const bool answers = QByteArray("generate chat trace").contains(command);
            QCOMPARE(help.contains("--sure-when WHEN") && help.contains("--prefer-cached-when WHEN"), answers);
            for (const char* text : {"Lossy", "the answer changes", "--prefer-cached SHARE", "--sure SHARE"})
                QVERIFY2(help.contains(text), command);
        }
        const QStringList answer{"generate",      sparse_, "--prompt",     "Once", "--raw",
                                 "--temperature", "0",     "--max-tokens", "24"};
        const Run exact = cli(answer), sure = cli(answer + QStringList{"--sure", "0.3"});
        QCOMPARE(exact.code, 0);
        QCOMPARE(sure.code, 0);
        QVERIFY(sure.out != exact.out);
        const Run bench = cli(
            {"bench", sparse_, "--prompt-tokens", "4", "--generate", "8", "--runs", "1", "--json", "--sure", "0.3"});
        const Run plain = cli({"bench", sparse_, "--prompt-tokens", "4", "--generate", "8", "--runs", "1", "--json"});
        QCOMPARE(bench.code, 0);
        QVERIFY(object(bench.out)["bytes_per_token"].toDouble() < object(plain.out)["bytes_per_token"].toDouble());
    }

    /// Fewer uses a layer, and what they were can be replayed.
    void tracesTellWhatRan() {
        const QString out = path("trace.csv");
        const QStringList trace{"trace", sparse_,        "--prompt", "Once",  "--raw", "--temperature",
                                "0",     "--max-tokens", "12",       "--out", out};
        QCOMPARE(cli(trace).code, 0);
        const auto whole = bytesOf(out).count('\n');
        QCOMPARE(cli(trace + QStringList{"--sure", "0.3"}).code, 0);
        const auto cut = bytesOf(out).count('\n');
        QVERIFY(cut < whole && cut > whole / 5);
        const Run replay = cli({"replay", out, "--budget", "16slots"});
        QVERIFY2(replay.code == 0, replay.err);
    }

    void divergenceIsTheTextbooks() {
        for (unsigned seed = 1; seed < 20; ++seed) {
            const std::vector<float> one = randomLogits(50, seed), other = randomLogits(50, seed + 100);
            const double whole = wholeDivergence(one, other);
            const Distribution all = likeliestOf(one, 50);
            QVERIFY(std::abs(divergence(all, distributionOf(other, all.tokens)) - whole) < 1e-9);
            QCOMPARE(all.others, 0.0);
            double last = 0;
            for (const size_t most : {1u, 5u, 20u, 49u, 60u}) { // the finer, the more is seen
                const Distribution some = likeliestOf(one, most);
                QCOMPARE(some.tokens.size(), std::min<size_t>(most, 50));
                const double seen = divergence(some, distributionOf(other, some.tokens));
                QVERIFY(seen >= last - 1e-12 && seen <= whole + 1e-9);
                last = seen;
                QCOMPARE(divergence(some, distributionOf(one, some.tokens)), 0.0);
            }
        }
    }

    void distributionsNameTheLikeliest() {
        const Distribution d = likeliestOf(std::vector<float>{1, 3, 2, 3, 0}, 3);
        QCOMPARE(d.tokens, std::vector<int32_t>({1, 2, 3}));
        QCOMPARE(d.likeliest, 1); // the first of equal ones
        const double sum = std::exp(1.0) + 2 * std::exp(3.0) + std::exp(2.0) + std::exp(0.0);
        QVERIFY(std::abs(d.logProbabilities[1] - (2 - std::log(sum))) < 1e-12);
        QVERIFY(std::abs(d.others - (std::exp(1.0) + 1) / sum) < 1e-12);
        QCOMPARE(distributionOf(std::vector<float>{5, 0, 0, 0, 9}, d.tokens).likeliest, 4); // one that is not named
        const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
        const Distribution odd = likeliestOf(std::vector<float>{nan, 1, -infinity, 0}, 2);
        QCOMPARE(odd.tokens, std::vector<int32_t>({1, 3}));
        QCOMPARE(odd.others, 0.0);
        QCOMPARE(divergence(odd, distributionOf(std::vector<float>{nan, 1, nan, 0}, odd.tokens)), 0.0);
    }
};

QTEST_GUILESS_MAIN(TestCliAgreement)
#include "tst_cli_agreement.moc"
