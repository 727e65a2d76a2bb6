// SPDX-License-Identifier: Apache-2.0
// coterie-cli replay: the table over a trace that the program recorded, its figures against counting by hand, and files
// that are no traces.
#include "cli/cli_run.h"
#include "experts/slot_layout.h"
#include "support/tiny_model.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QtTest>

#include <array>

using namespace coterie::test;

namespace {

const QByteArray kHeader = "position,token,text,prompt,layer,rank,expert,weight,hit,active_neurons,wait_s,head_rows\n";

/// A line of a trace of one expert a layer.
QByteArray line(int position, int layer, int expert, const QByteArray& text = "a") {
    return QByteArray::number(position) + ",5,\"" + text + "\",1," + QByteArray::number(layer) + ",0," +
           QByteArray::number(expert) + ",1.00000,0,0,0.000000,0\n";
}

} // namespace

class TestCliReplay : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    QString path(const QString& name) const { return folder_.path() + QStringLiteral("/tr\u00e4 ce ") + name; }
    QString write(const QString& name, const QByteArray& bytes) const {
        QFile file(path(name));
        return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() ? path(name) : QString();
    }
    static QJsonObject replayed(const QString& trace, const QStringList& more = {}) {
        return object(cli(QStringList{"replay", trace, "--json"} + more).out);
    }
    /// Three layers in a circle, four tokens; quotes, commas and line breaks in the text.
    static QByteArray circle() {
        QByteArray csv = kHeader;
        for (int i = 0; i < 12; ++i) csv += line(i / 3, i % 3, 7, i < 3 ? "a \"\"b\"\",\n" : "c");
        return csv;
    }

  private Q_SLOTS:
    void ofARecordedRun() {
        TinyModelOptions options;
        options.architecture = "smallthinker";
        QVERIFY(saveTinyModel(options, path("m.gguf").toStdString()));
        const auto record = [&](const QString& out) {
            return cli({"trace", path("m.gguf"), "--prompt", "some words", "--raw", "--temperature", "0",
                        "--max-tokens", "30", "--out", out})
                .code;
        };
        QCOMPARE(record(path("r.csv")), 0);
        QCOMPARE(record(path("r.json")), 0);
        const QJsonObject csv = replayed(path("r.csv"));
        QCOMPARE(csv, replayed(path("r.json")));
        QCOMPARE(csv["token_cycle"].toDouble(), 4.0);
        QCOMPARE(csv["uses"].toInt(), csv["tokens"].toInt() * 4);
        const QJsonArray budgets = csv["budgets"].toArray();
        QCOMPARE(budgets.size(), 5);
        QCOMPARE(budgets[0]["slots"].toInt(), 3); // 0.9 of 4 experts
        QCOMPARE(budgets[4]["slots"].toInt(), 20);
        for (const QJsonValue budget : budgets) {
            const QJsonObject rates = budget["hit_rate"].toObject();
            for (const char* policy : {"expected", "lru", "lfu"}) {
                QVERIFY(rates[policy].isDouble());
                QVERIFY(rates[policy].toDouble() <= budget["belady"].toDouble());
            }
        }
        // Room for all: each expert is missed once.
        const double all = 1 - csv["experts"].toDouble() / csv["uses"].toDouble();
        QVERIFY(std::abs(budgets[4]["hit_rate"]["lru"].toDouble() - all) < 1e-5);
        const Run table = cli({"replay", path("r.csv")});
        QCOMPARE(table.code, 0);
        QCOMPARE(table.out.count('\n'), 7);
        for (const char* title : {"expected", "lru", "lfu", "belady"}) QVERIFY(table.out.contains(title));
    }

    /// A dense layer is its one expert: with room for all of them, only the first token misses.
    void ofADenseModel() {
        QVERIFY(saveTinyModel({}, path("dense.gguf").toStdString()));
        for (const char* name : {"d.csv", "d.json"}) {
            QCOMPARE(cli({"trace", path("dense.gguf"), "--prompt", "some words", "--raw", "--temperature", "0",
                          "--max-tokens", "10", "--out", path(name)})
                         .code,
                     0);
            const QJsonObject result = replayed(path(name), {"--budget", "2slots", "--budget", "1slots"});
            const int tokens = result["tokens"].toInt();
            QVERIFY(tokens > 5);
            QCOMPARE(result["uses"].toInt(), 2 * tokens); // the model has two layers
            QCOMPARE(result["experts"].toInt(), 2);
            const QJsonArray budgets = result["budgets"].toArray();
            QVERIFY(std::abs(budgets[0]["hit_rate"]["lru"].toDouble() - (1 - 1.0 / tokens)) < 1e-5);
            QCOMPARE(budgets[1]["hit_rate"]["lru"].toDouble(), 0.0);
        }
    }

    /// Dense layers beside layers with experts take their own slots from a budget in bytes, as in the store.
    void bytesOfSlotsOfTheirOwn() {
        const TinyModelOptions options{.architecture = "glm4moe",
                                       .layers = 4,
                                       .sharedFeedForward = 96,
                                       .leadingDense = 2,
                                       .denseFeedForward = 960};
        QVERIFY(saveTinyModel(options, path("lead.gguf").toStdString()));
        const QJsonValue memory = object(cli({"info", path("lead.gguf"), "--json"}).out).value("memory");
        const auto each = static_cast<uint64_t>(memory["slot_bytes"].toDouble());
        const auto own = static_cast<uint64_t>(memory["own_slot_bytes"].toDouble());
        QVERIFY(each > 0 && own > 10 * each); // counted as two of the others, they would leave room for more
        QCOMPARE(cli({"trace", path("lead.gguf"), "--prompt", "some words", "--raw", "--temperature", "0",
                      "--max-tokens", "10", "--out", path("lead.csv")})
                     .code,
                 0);
        const std::array<int, 4> experts{1, 1, 8, 8};
        const std::array<uint64_t, 4> bytes{own / 2, own / 2, each, each};
        const coterie::engine::SlotLayout layout(experts, bytes);
        QStringList call{"--slot-bytes", QString::number(each)};
        for (const uint64_t slots : {4, 5, 18}) {
            const uint64_t room = layout.arenaBytes(slots) + each / 2;
            call += QStringList{"--budget", QString::number(static_cast<double>(room) / 1024, 'f', 6) + "KiB"};
        }
        const Run unsaid = cli(QStringList{"replay", path("lead.csv")} + call);
        QCOMPARE(unsaid.code, 2);
        QVERIFY2(isErrorLine(unsaid.err) && unsaid.err.contains("--own-slot-bytes"), unsaid.err);
        call += QStringList{"--own-slots", QString::number(memory["own_slots"].toInt()), "--own-slot-bytes",
                            QString::number(own)};
        const QJsonObject result = replayed(path("lead.csv"), call);
        QCOMPARE(result["token_cycle"].toDouble(), 6.0); // two dense layers, and two experts in each of the others
        const QJsonArray budgets = result["budgets"].toArray();
        QCOMPARE(budgets.size(), 3);
        QCOMPARE(budgets[0]["slots"].toInt(), 4);
        QCOMPARE(budgets[1]["slots"].toInt(), 5);
        QCOMPARE(budgets[2]["slots"].toInt(), 18);
    }

    /// With the model, slots have its store's sizes, also as recorded use divides them, and a budget in bytes needs no
    /// more figures.
    void slotsOfTheModel() {
        TinyModelOptions options{
            .architecture = "qwen3moe", .layers = 2, .width = 256, .headDim = 64, .feedForward = 512, .tied = false};
        options.typeOf = [](const std::string& name) {
            return name == "blk.0.ffn_down_exps.weight" ? coterie::engine::TensorType::F32
                                                        : coterie::engine::TensorType::Q8_0;
        };
        const QString model = path("mixed.gguf"), trace = path("mixed.csv");
        QVERIFY(saveTinyModel(options, model.toStdString()));
        QCOMPARE(cli({"trace", model, "--prompt", "some words", "--raw", "--temperature", "0", "--max-tokens", "10",
                      "--data-dir", path("used"), "--out", trace})
                     .code,
                 0);
        const auto info = [&](const QStringList& more) {
            return object(cli(QStringList{"info", model, "--json"} + more).out).value("memory");
        };
        const QJsonValue memory = info({"--data-dir", path("unused")});
        const double bytes = 4 * (memory["large_slot_bytes"].toDouble() + memory["small_slot_bytes"].toDouble());
        const QStringList call{"--budget",   QString::number(bytes / 1024 + 1, 'f', 6) + "KiB",
                               "--budget",   "16slots",
                               "--data-dir", path("unused")};
        const QJsonArray budgets = replayed(trace, call + QStringList{"--model", model})["budgets"].toArray();
        QCOMPARE(budgets.size(), 2);
        QCOMPARE(budgets[0]["slots"].toInt(), 8);
        QCOMPARE(budgets[0]["small_slots"].toInt(), 4);
        QCOMPARE(budgets[1]["small_slots"].toInt(), 8);
        QCOMPARE(replayed(trace, {"--budget", "8slots"})["budgets"][0]["small_slots"].toInt(-1), 0);
        for (const int more : {4, 5, 6}) {
            const double room = memory["minimum_total"].toDouble() + more * 1024 * 1024;
            const QJsonValue planned =
                info({"--memory", QString::number(room / 1024, 'f', 0) + "KiB", "--data-dir", path("used")});
            QVERIFY(planned["small_slots"].toInt() > 0 && planned["slots"].toInt() < 16);
            const QJsonValue used = replayed(trace, {"--budget", QString::number(planned["slots"].toInt()) + "slots",
                                                     "--model", model, "--data-dir", path("used")})["budgets"][0];
            QCOMPARE(used["small_slots"].toInt(), planned["small_slots"].toInt());
        }
        for (const QStringList& wrong : {QStringList{path("no.gguf")}, {model, "--slot-bytes", "9"}}) {
            const Run run = cli(QStringList{"replay", trace, "--model"} + wrong);
            QCOMPARE(run.code, 2);
            QVERIFY2(isErrorLine(run.err), run.err);
        }
        // Three layers are not those of this model.
        QCOMPARE(cli({"replay", write("three.csv", circle()), "--model", model}).code, 2);
    }

    void countedByHand() {
        const QString trace = write("circle.csv", circle());
        const QJsonObject result = replayed(trace, {"--budget", "2slots", "--budget", "0.7", "--budget", "1.9KiB",
                                                    "--budget", "9", "--slot-bytes", "1000"});
        QCOMPARE(result["tokens"].toInt(), 4);
        const QJsonArray budgets = result["budgets"].toArray();
        QCOMPARE(budgets.size(), 4);
        for (const int i : {0, 1}) { // 2 slots; 0.7 x 3 experts are 2 of them
            QCOMPARE(budgets[i]["slots"].toInt(), 2);
            QCOMPARE(budgets[i]["hit_rate"]["lru"].toDouble(), 0.0);
            QVERIFY(std::abs(budgets[i]["belady"].toDouble() - 5 / 12.0) < 1e-5);
        }
        QCOMPARE(budgets[2]["slots"].toInt(), 1);
        QCOMPARE(budgets[3]["slots"].toInt(), 27);
        for (const char* policy : {"expected", "lru", "lfu"}) QCOMPARE(budgets[3]["hit_rate"][policy].toDouble(), 0.75);
        QCOMPARE(budgets[3]["share_of_belady"].toDouble(), 1.0);
    }

    void badCalls_data() {
        QTest::addColumn<QStringList>("more");
        for (const char* budget :
             {"", "x", "0", "-1", "nan", "1e9", "1.5slots", "slots", "1slot", "auto", "1GB", "1.5x"})
            QTest::addRow("budget '%s'", budget) << QStringList{QString("--budget=") + budget};
        QTest::newRow("no slots") << QStringList{"--budget", "0slots"};
        QTest::newRow("more slots than can be counted") << QStringList{"--budget", "99999999999999999999slots"};
        QTest::newRow("bytes of unknown slots") << QStringList{"--budget", "1GiB"};
        QTest::newRow("slots larger than the budget") << QStringList{"--budget", "1KiB", "--slot-bytes", "1025"};
        QTest::newRow("own slots of no bytes")
            << QStringList{"--budget", "1MiB", "--slot-bytes", "9", "--own-slots", "1"};
        QTest::newRow("own slots larger than the budget")
            << QStringList{"--budget", "1KiB", "--slot-bytes", "9", "--own-slots", "1", "--own-slot-bytes", "1025"};
        QTest::newRow("slots of no bytes") << QStringList{"--budget", "1", "--slot-bytes", "0"};
    }
    void badCalls() {
        QFETCH(QStringList, more);
        const Run run = cli(QStringList{"replay", write("c.csv", circle())} + more);
        QCOMPARE(run.code, 2);
        QVERIFY2(isErrorLine(run.err), run.err);
    }

    void hostileFiles_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QByteArray>("place");
        const auto csv = [](const char* name, const QByteArray& bytes, const char* place) {
            QTest::newRow(name) << "h.csv" << bytes << QByteArray(place);
        };
        const QByteArray good = line(0, 0, 1) + line(0, 1, 1);
        csv("nothing", "", "line 1");
        csv("no header", good, "line 1");
        csv("a column is missing", "position,layer\n0,0\n", "line 1");
        csv("no tokens", kHeader, "No token");
        csv("a token without layers", kHeader + "0,5,\"a\",1,,,,,,,,0\n", "line 2");
        csv("garbled position", kHeader + good + "x" + line(1, 0, 1), "line 4");
        csv("garbled layer", kHeader + good + line(1, 0, 1).replace(",1,0,0,1,", ",1,0x,0,1,"), "line 4");
        csv("half a number", kHeader + good + line(1, 0, 1).replace(",1,0,0,1,", ",1,0,0,1.5,"), "line 4");
        csv("a layer alone", kHeader + good + line(1, 0, 1).replace(",1,0,0,1,", ",1,0,0,,"), "line 4");
        csv("negative expert", kHeader + good + line(1, 0, -1), "line 4");
        csv("huge layer", kHeader + line(0, 2147483647, 1), "line 2");
        csv("more than any number", kHeader + line(0, 0, 1).replace(",0,0,1,", ",0,0,99999999999,"), "line 2");
        csv("an expert twice", kHeader + good + line(1, 0, 1) + line(1, 0, 1) + line(1, 1, 1), "line 6");
        csv("a layer is missing", kHeader + good + line(1, 0, 1) + line(2, 0, 1), "line 5");
        csv("the last token lacks a layer", kHeader + good + line(1, 0, 1), "line 4");
        csv("another layer", kHeader + good + line(1, 0, 1) + line(1, 2, 1) + line(2, 0, 1), "line 6");
        csv("a layer too many", kHeader + good + line(1, 0, 1) + line(1, 1, 1) + line(1, 2, 1), "line 6");
        csv("layers out of order", kHeader + line(0, 1, 1) + line(0, 0, 1), "line 3");
        csv("cut off", kHeader + good + "1,5,\"a", "line 4");
        csv("too few columns", kHeader + good + "1,5\n", "line 4");
        csv("a quote in the middle", kHeader + good + "1,5\",\"a\",1,0,0,1,1,0,0,0,0\n", "line 4");
        csv("behind a quote", kHeader + "0,5,\"a\"b,1,0,0,1,1,0,0,0,0\n", "line 2");
        csv("lines within text count", kHeader + line(0, 0, 1, "a\nb\nc") + line(0, 1, -1), "line 5");
        QByteArray wide = kHeader;
        for (int expert = 0; expert < 1500; ++expert) wide += line(0, 0, expert);
        csv("a layer of many experts", wide, "line 1501");
        csv("binary", QByteArray(2000, '\0'), "line 1");
        const auto json = [](const char* name, const QByteArray& bytes, const char* place) {
            QTest::newRow(name) << "h.json" << bytes << QByteArray(place);
        };
        const QByteArray one = R"({"layers":[{"layer":0,"experts":[{"expert":3}]}]})";
        json("no JSON", "{\"tokens\": [", "JSON");
        json("a list", "[]", "tokens");
        json("no tokens in JSON", R"({"tokens": []})", "No token");
        json("a token is a number", R"({"tokens": [)" + one + ", 5]}", "token 1");
        json("layers are a number", R"({"tokens": [)" + one + R"(, {"layers": 5}]})", "token 1");
        json("no experts", R"({"tokens": [{"layers": [{"layer": 0}]}]})", "token 0");
        json("an expert as text", R"({"tokens": [{"layers": [{"layer": 0, "experts": [{"expert": "3"}]}]}]})",
             "token 0");
        json("a negative one", R"({"tokens": [{"layers": [{"layer": 0, "experts": [{"expert": -3}]}]}]})", "token 0");
        json("a layer beyond", R"({"tokens": [{"layers": [{"layer": 4294967296, "experts": [{"expert": 3}]}]}]})",
             "token 0");
        QTest::newRow("no ending") << "h.txt" << circle() << QByteArray(".csv");
    }
    void hostileFiles() {
        QFETCH(QString, name);
        QFETCH(QByteArray, bytes);
        QFETCH(QByteArray, place);
        const Run run = cli({"replay", write(name, bytes)});
        QCOMPARE(run.code, 2);
        QVERIFY2(isErrorLine(run.err), run.err);
        QVERIFY2(run.err.contains(place), run.err);
        QVERIFY(run.out.isEmpty());
    }

    void filesThatAreNotThere() {
        for (const QString& file : {path("gone.csv"), folder_.path() + "/x.json"}) {
            const Run run = cli({"replay", file});
            QCOMPARE(run.code, 2);
            QVERIFY2(isErrorLine(run.err), run.err);
        }
    }

    /// Windows ends lines with CR LF; the last line may have no end.
    void otherLineEnds() {
        const QJsonObject wanted = replayed(write("n.csv", kHeader + line(0, 0, 1) + line(1, 0, 1)), {"--budget", "1"});
        QCOMPARE(wanted["tokens"].toInt(), 2);
        QByteArray csv = kHeader + line(0, 0, 1) + line(1, 0, 1);
        csv.replace("\n", "\r\n");
        QCOMPARE(replayed(write("n.csv", csv), {"--budget", "1"}), wanted);
        csv.chop(2);
        QCOMPARE(replayed(write("n.csv", csv), {"--budget", "1"}), wanted);
    }
};

QTEST_GUILESS_MAIN(TestCliReplay)
#include "tst_cli_replay.moc"
