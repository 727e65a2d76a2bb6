// SPDX-License-Identifier: Apache-2.0
// The contract of coterie-cli, asked of the real program: what it prints, its exit codes, its one error line, no file
// left behind.
#include "cli/cli_run.h"
#include "support/reference.h"
#include "support/tiny_model.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QtTest>

#include <csignal>
#include <limits>
#include <sys/types.h>

using namespace coterie::test;

namespace {

/// A context so long that nobody waits for its end.
TinyModelOptions endlessOptions() {
    TinyModelOptions options;
    options.context = 20000;
    options.chatTemplate = "";
    return options;
}

bool replaceInFile(const QString& path, const QByteArray& from, const QByteArray& to) {
    QByteArray bytes = bytesOf(path);
    if (!bytes.contains(from) || from.size() != to.size()) return false;
    bytes.replace(from, to);
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
}

} // namespace

class TestCli : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString dense_, sparse_, plain_;

    QString path(const QString& name) const { return folder_.path() + QStringLiteral("/m\u00f6 del ") + name; }
    QString write(const QString& name, const QByteArray& bytes) const {
        QFile file(path(name));
        return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() ? path(name) : QString();
    }
    QString save(const QString& name, const TinyModelOptions& options) const {
        return saveTinyModel(options, path(name).toStdString()) ? path(name) : QString();
    }
    QStringList files() const { return QDir(folder_.path()).entryList(QDir::Files | QDir::Hidden, QDir::Name); }

  private Q_SLOTS:
    void initTestCase() {
        TinyModelOptions dense, sparse;
        sparse.architecture = "smallthinker";
        sparse.context = 4096;
        dense_ = save("dense.gguf", dense);
        sparse_ = save("sparse.gguf", sparse);
        write("text.gguf", "no model");
        write("tokens.json", R"({"tokens": [1, 2, 3, 4], "positions": [1, 3]})");
        write("all.json", R"({"tokens": [1, 2, 3, 4]})");
        write("template.jinja",
              "{% for m in messages %}{{ m.content }}|{% endfor %}{{ strftime_now('%Y-%m-%d %a %j') }}\n");
        write("context.json", R"({"messages": [{"content": "gr\u00fcn"}, {"content": "blau"}]})");
        write("list.json", "[1, 2]");
        write("broken.json", "{\"messages\": ");
        write("raise.jinja", "{{ raise_exception('never; ever') }}");
        write("unclosed.jinja", "{% for m in messages %}");
        QCOMPARE(files().size(), 11);
    }

    void helpAndVersion() {
        const Run help = cli({"--help"});
        QCOMPARE(help.code, 0);
        for (const char* command : {"info", "tokenize", "render", "logits", "generate", "chat", "bench", "trace",
                                    "agreement", "replay", "kernels", "devices"}) {
            QVERIFY2(help.out.contains(command), command);
            const Run own = cli({command, "--help"});
            QCOMPARE(own.code, 0);
            for (const char* option :
                 {"--threads", "--memory", "--context", "--kernels", "--device", "--device-memory", "--json"})
                QVERIFY2(own.out.contains(option), option);
        }
        const Run version = cli({"--version"});
        QCOMPARE(version.code, 0);
        static const QRegularExpression line(
            QStringLiteral("^coterie-cli \\d+\\.\\d+\\.\\d+ \\((?:commit [0-9a-f]{12}, )?built from source\\)\n$"));
        QVERIFY2(line.match(version.out).hasMatch(), qPrintable(version.out));
    }

    void badCallsEndWithTwo_data() {
        QTest::addColumn<QStringList>("call");
        const auto row = [](const char* name, const QStringList& call) { QTest::newRow(name) << call; };
        const QString gone = path("gone.gguf"), text = path("text.gguf"), tokens = path("tokens.json");
        row("nothing", {});
        row("unknown command", {"sing"});
        row("unknown option", {"info", dense_, "--loud"});
        row("extra argument", {"info", dense_, "more"});
        for (const char* command :
             {"info", "tokenize", "generate", "chat", "bench", "trace", "replay", "logits", "render"})
            QTest::addRow("%s without a file", command) << QStringList{command};
        for (const QString& file : {gone, text, folder_.path()}) {
            const QByteArray name = QFileInfo(file).fileName().toUtf8();
            QTest::addRow("info of %s", name.data()) << QStringList{"info", file};
            QTest::addRow("tokenize with %s", name.data()) << QStringList{"tokenize", file};
            QTest::addRow("generate with %s", name.data()) << QStringList{"generate", file, "--prompt", "a"};
            QTest::addRow("chat with %s", name.data()) << QStringList{"chat", file};
            QTest::addRow("bench of %s", name.data()) << QStringList{"bench", file, "--json"};
            QTest::addRow("trace of %s", name.data())
                << QStringList{"trace", file, "--prompt", "a", "--out", path("t.csv")};
            QTest::addRow("logits of %s", name.data())
                << QStringList{"logits", file, "--tokens", tokens, "--out", path("l.f32")};
            QTest::addRow("render %s", name.data()) << QStringList{"render", file, gone};
        }
        row("generate without a prompt", {"generate", dense_});
        row("prompt without a value", {"generate", dense_, "--prompt"});
        row("temperature below 0", {"generate", dense_, "--prompt", "a", "--temperature", "-1"});
        row("temperature no number", {"generate", dense_, "--prompt", "a", "--temperature", "warm"});
        row("top-p over 1", {"generate", dense_, "--prompt", "a", "--top-p", "1.5"});
        row("seed below 0", {"generate", dense_, "--prompt", "a", "--seed", "-1"});
        row("seed too long", {"generate", dense_, "--prompt", "a", "--seed", "99999999999999999999999"});
        row("max tokens below 0", {"generate", dense_, "--prompt", "a", "--max-tokens", "-5"});
        row("empty stop", {"generate", dense_, "--prompt", "a", "--stop", ""});
        row("no threads", {"info", dense_, "--threads", "0"});
        row("half a thread", {"info", dense_, "--threads", "0.5"});
        row("context below 1", {"info", dense_, "--context", "0"});
        row("unknown kernels", {"info", dense_, "--kernels", "abacus"});
        row("kernels unknown", {"kernels", "--kernels", "abacus"});
        row("unknown device", {"generate", dense_, "--prompt", "a", "--device", "abacus:0"});
        row("unknown device", {"generate", dense_, "--prompt", "a", "--device", "abacus"});
        row("memory without a unit", {"generate", dense_, "--prompt", "a", "--device-memory", "5"});
        row("no runs", {"bench", dense_, "--runs", "0", "--json"});
        row("trace as text", {"trace", dense_, "--prompt", "a", "--out", path("t.txt")});
        row("trace into no folder", {"trace", dense_, "--prompt", "a", "--out", path("none/t.csv")});
        row("logits without tokens", {"logits", dense_, "--out", path("l.f32")});
        row("logits of a list", {"logits", dense_, "--tokens", path("list.json"), "--out", path("l.f32")});
        row("logits of broken JSON", {"logits", dense_, "--tokens", path("broken.json"), "--out", path("l.f32")});
        row("logits into no folder", {"logits", dense_, "--tokens", tokens, "--out", path("none/l.f32")});
        row("render broken JSON", {"render", path("template.jinja"), path("broken.json")});
        row("render a list", {"render", path("template.jinja"), path("list.json")});
        row("render an unclosed loop", {"render", path("unclosed.jinja"), path("context.json")});
        row("render a refusal", {"render", path("raise.jinja"), path("context.json")});
        for (const char* time : {"yesterday", "2026-13-01", "2026-02-30T00:00:00", "2026-01-15T9:30:00",
                                 "2026-01-15 09:30:00", "2026-01-15T24:00"})
            QTest::addRow("render at %s", time)
                << QStringList{"render", path("template.jinja"), path("context.json"), "--now", time};
    }
    void badCallsEndWithTwo() {
        QFETCH(QStringList, call);
        const QStringList before = files();
        const Run run = cli(call);
        QVERIFY2(isErrorLine(run.err), run.err);
        QCOMPARE(run.code, 2);
        QCOMPARE(run.out, QByteArray());
        QCOMPARE(files(), before);
    }

    void memoryIsReadStrictly_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<qint64>("bytes"); // -1: refused
        QTest::newRow("MiB") << "900MiB" << qint64(900) * 1024 * 1024;
        QTest::newRow("GiB") << "6GiB" << qint64(6) * 1024 * 1024 * 1024;
        QTest::newRow("fraction") << "1.5GiB" << qint64(1536) * 1024 * 1024;
        QTest::newRow("KiB") << "204800KiB" << qint64(200) * 1024 * 1024;
        for (const char* bad :
             {"",       "5",    "MiB",    "900 MiB",  "900mib", "900MB",   "900M",    "-1GiB",       "+1GiB",
              "1e3MiB", "0GiB", "0.0MiB", "1.2.3GiB", ".GiB",   "0x10MiB", "900MiBs", "99999999TiB", "nan",
              "inf",    "Auto", "auto ",  "1,5GiB"})
            QTest::newRow(bad) << bad << qint64(-1);
    }
    void memoryIsReadStrictly() {
        QFETCH(QString, text);
        QFETCH(qint64, bytes);
        const Run run = cli({"info", dense_, "--json", "--memory=" + text});
        if (bytes < 0) {
            QCOMPARE(run.code, 2);
            QVERIFY2(isErrorLine(run.err) && run.err.contains("--memory"), run.err);
        } else {
            QCOMPARE(run.code, 0);
            QCOMPARE(qint64(object(run.out).value("memory")["budget"].toDouble()), bytes);
        }
    }
    void memoryMayBeAutomatic() {
        const Run run = cli({"info", dense_, "--json", "--memory", "auto"});
        QCOMPARE(run.code, 0);
        QVERIFY(object(run.out).value("memory")["budget"].toDouble() > 0);
    }

    void infoTellsWhoPredictsTheHead() {
        const auto predictor = [](const QStringList& call) { return object(cli(call).out).value("head_predictor"); };
        QVERIFY(predictor({"info", dense_, "--json"}).isNull());
        TinyModelOptions own{.architecture = "smallthinker", .headPredictorRank = 4};
        const QString byFile = save("own.gguf", own);
        QCOMPARE(predictor({"info", byFile, "--json"})["kind"].toString(), QString("file"));
        QCOMPARE(predictor({"info", byFile, "--json"})["rank"].toInt(), 4);
        QVERIFY(cli({"info", byFile}).out.contains("of rank 4"));

        TinyModelOptions large{.type = coterie::engine::TensorType::Q8_0, .layers = 1, .context = 1024};
        large.width = 512; // a sketch's group of columns
        large.vocabulary = 1 << 13;
        const QString derived = save("large.gguf", large), data = path("data/below");
        const QStringList info{"info", derived, "--data-dir", data};
        QVERIFY(cli(info).out.contains("none yet"));
        QVERIFY(!QFileInfo::exists(data)); // nothing to keep so far
        const auto headRows = [&](int runs, const QString& head) {
            const QStringList bench{
                "bench",  derived, "--json", "--prompt-tokens",    "500", "--generate", "50", "--data-dir", data,
                "--head", head,    "--runs", QString::number(runs)};
            return object(cli(bench).out)["head_rows"].toDouble(-1);
        };
        QCOMPARE(headRows(1, "predicted"), 1.0); // it is measured
        QVERIFY(cli(info).out.contains("not used yet"));
        QCOMPARE(predictor(info + QStringList{"--json"})["used"].toBool(true), false);
        headRows(4, "predicted");
        const QJsonValue measured = predictor(info + QStringList{"--json"});
        QCOMPARE(measured["kind"].toString(), QString("derived"));
        QCOMPARE(measured["states"], measured["states_needed"]);
        QVERIFY(measured["used"].toBool() && measured["agreement"].toDouble() >= 0.995);
        QVERIFY(measured["rows"].toDouble() > 0 && measured["rows"].toDouble() < 0.5);
        QVERIFY(cli(info).out.contains("% of the rows"));
        const double rows = headRows(1, "predicted");
        QVERIFY2(rows > 0 && rows < 0.5, qPrintable(QString::number(rows)));
        QCOMPARE(headRows(1, "full"), 1.0);
        QVERIFY(QFile::remove(byFile) && QFile::remove(derived) && QDir(path("data")).removeRecursively());
    }

    void keysAndValuesInEitherFormat() {
        const QStringList info{"info", dense_, "--json", "--context", "100"};
        const auto memory = [&](const QStringList& more) { return object(cli(info + more).out).value("memory"); };
        const QJsonValue exact = memory({}), compact = memory({"--kv-cache", "q8_0"});
        QCOMPARE(exact["key_value_format"].toString(), QString("F16"));
        QCOMPARE(compact["key_value_format"].toString(), QString("Q8_0"));
        QCOMPARE(compact["key_value"].toInt() * 64, exact["key_value"].toInt() * 34);
        QVERIFY(cli({"info", dense_, "--kv-cache=q8_0"}).out.contains("(Q8_0)"));
        const Run generated =
            cli({"generate", dense_, "--prompt", "ab", "--raw", "--max-tokens", "3", "--kv-cache", "q8_0"});
        QCOMPARE(generated.code, 0);
        const Run wrong = cli({"info", dense_, "--kv-cache", "q4_0"});
        QCOMPARE(wrong.code, 2);
        QVERIFY2(isErrorLine(wrong.err) && wrong.err.contains("q4_0") && wrong.err.contains("q8_0"), wrong.err);
    }

    void aContextBeyondTheTrainedOneIsTold() {
        const Run info = cli({"info", dense_, "--context", "1024"});
        QCOMPARE(info.code, 0);
        QVERIFY2(info.out.contains("1024") && info.out.contains("YaRN"), info.out);
        const QStringList call{"generate", dense_, "--prompt", "ab", "--raw", "--max-tokens", "2"};
        const Run generated = cli(call + QStringList{"--context", "1024"});
        QCOMPARE(generated.code, 0);
        QVERIFY2(generated.err.startsWith("note: ") && generated.err.contains("1024"), generated.err);
        QVERIFY(cli(call).err.isEmpty());
        const Run tooLong = cli(call + QStringList{"--context", "1000000000"});
        QCOMPARE(tooLong.code, 2);
        QVERIFY2(isErrorLine(tooLong.err), tooLong.err);
    }

    void aModelInSeveralFiles() {
        TinyModelOptions options;
        options.shards = 3;
        save("split.gguf", options);
        const QString shard = path("split-00002-of-00003.gguf");
        QCOMPARE(object(cli({"info", shard, "--json"}).out)["parts"].toInt(), 3);
        QCOMPARE(cli({"generate", shard, "--prompt", "ab", "--max-tokens", "3"}).code, 0);
        QVERIFY(QFile::remove(path("split-00003-of-00003.gguf")));
        const Run missing = cli({"generate", shard, "--prompt", "ab"});
        QCOMPARE(missing.code, 2);
        QVERIFY2(isErrorLine(missing.err) && missing.err.contains("split-00003-of-00003.gguf"), missing.err);
    }

    void toolsAreReadFromFiles() {
        const QString source = "{{ tools | length if tools }}{{ more }}{{ messages[0].content }}";
        TinyModelOptions options;
        options.chatTemplate = source.toStdString();
        const QString model = save("tools.gguf", options);
        write("tools.json", R"([{"name": "f"}])");
        write("more.json", R"({"more": "m"})");
        const auto promptTokens = [&](const QStringList& more) {
            const Run run = cli(QStringList{"generate", model, "--prompt", "x", "--max-tokens", "1", "--json"} + more);
            return run.code == 0 ? object(run.out)["prompt_tokens"].toInt() : -1;
        };
        QCOMPARE(promptTokens({}), 1);
        QCOMPARE(promptTokens({"--tools", path("tools.json"), "--variables", path("more.json")}), 3);
        const Run wrong = cli({"generate", model, "--prompt", "x", "--tools", path("more.json")});
        QCOMPARE(wrong.code, 2);
        QVERIFY2(isErrorLine(wrong.err) && wrong.err.contains("tools"), wrong.err);
        QCOMPARE(cli({"generate", model, "--prompt", "x", "--tools", path("nothing.json")}).code, 2);
        write("marked.json", "\xEF\xBB\xBF"
                             R"([{"name": "f"}])");
        QCOMPARE(promptTokens({"--tools", path("marked.json"), "--variables", path("more.json")}), 3);
        write("deep.json", QByteArray(100000, '[') + QByteArray(100000, ']'));
        const Run deep = cli({"generate", model, "--prompt", "x", "--tools", path("deep.json")});
        QCOMPARE(deep.code, 2);
        QVERIFY2(deep.err.startsWith("error: ") && deep.err.contains("nested too deeply"), deep.err);
    }

    void numbersOfToolsKeepTheirDigits() {
        TinyModelOptions options;
        options.chatTemplate = "{{ tools[0].n }}";
        const QString model = save("digits.gguf", options);
        write("number.json", R"([{"name": "f", "n": 12345678901234567890123}])");
        write("string.json", R"([{"name": "f", "n": "12345678901234567890123"}])");
        const auto promptTokens = [&](const char* tools) {
            const Run run =
                cli({"generate", model, "--prompt", "x", "--max-tokens", "1", "--json", "--tools", path(tools)});
            return run.code == 0 ? object(run.out)["prompt_tokens"].toInt() : -1;
        };
        QVERIFY(promptTokens("string.json") > 0);
        QCOMPARE(promptTokens("number.json"), promptTokens("string.json")); // the same text
    }

    void infoSaysWhatWontWork() {
        TinyModelOptions options;
        options.skipTensor = "output_norm.weight";
        const Run json = cli({"info", save("lacking.gguf", options), "--json"});
        QCOMPARE(json.code, 0);
        QCOMPARE(object(json.out)["problems"].toArray().size(), 1);
        QVERIFY(object(json.out).value("memory").isNull());
        const Run text = cli({"info", path("lacking.gguf")});
        QVERIFY(text.out.contains("won't work") && text.out.contains("output_norm.weight"));
        QVERIFY(QFile::remove(path("lacking.gguf")));
    }

    void infoSaysWhatTheTemplateCantDo() {
        TinyModelOptions options;
        options.chatTemplate = "{% for m in messages if m.role != 'system' %}{{ m.content[0].text }}{% endfor %}";
        const Run json = cli({"info", save("lacks.gguf", options), "--json"});
        QCOMPARE(json.code, 0);
        QCOMPARE(object(json.out)["turns"].toString(), QStringLiteral("template"));
        QCOMPARE(object(json.out)["notes"].toArray().size(), 2);
        const Run text = cli({"info", path("lacks.gguf")});
        QVERIFY(text.out.contains("no place for a system message") && text.out.contains("no place for tools"));
        // The words reach the model all the same.
        const auto promptTokens = [&](const QStringList& more) {
            const Run run = cli(QStringList{"generate", path("lacks.gguf"), "--max-tokens", "1", "--json"} + more);
            return run.code == 0 ? object(run.out)["prompt_tokens"].toInt() : -1;
        };
        const int asked = promptTokens({"--prompt", "xyz"});
        QVERIFY(asked >= 1 && asked <= 3);
        QVERIFY(promptTokens({"--prompt", "xyz", "--system", "qqqq"}) > asked);
        QVERIFY(QFile::remove(path("lacks.gguf")));
    }

    void tokenizeLineByLine() {
        const QByteArray input = "\"Hello\"\n\"\"\n\"<|im_end|>\"\n\"\\u00e9\\n\"";
        const Run run = cli({"tokenize", dense_, "--jsonl"}, input);
        QCOMPARE(run.code, 0);
        const QList<QByteArray> lines = run.out.split('\n');
        QCOMPARE(lines.size(), 5); // four, and nothing behind the last end
        for (int i = 0; i < 4; ++i) QVERIFY(QJsonDocument::fromJson(lines[i]).isArray());
        QCOMPARE(lines[1], QByteArray("[]"));
        QVERIFY(QJsonDocument::fromJson(lines[2]).array().size() > 1);
        const Run special = cli({"tokenize", dense_, "--jsonl", "--special"}, input);
        QCOMPARE(special.out.split('\n')[2], QByteArray("[299]"));
        const Run whole = cli({"tokenize", dense_}, "Hello");
        QCOMPARE(whole.out, lines[0] + "\n");
    }

    void tokenizeRefusesOtherLines_data() {
        QTest::addColumn<QByteArray>("input");
        QTest::newRow("number") << QByteArray("\"a\"\n5\n");
        QTest::newRow("bare text") << QByteArray("\"a\"\nhello\n");
        QTest::newRow("empty line") << QByteArray("\"a\"\n\n\"b\"\n");
        QTest::newRow("half a pair") << QByteArray("\"a\"\n\"\\ud800\"\n");
    }
    void tokenizeRefusesOtherLines() {
        QFETCH(QByteArray, input);
        const Run run = cli({"tokenize", dense_, "--jsonl"}, input);
        QCOMPARE(run.code, 2);
        QVERIFY2(isErrorLine(run.err) && run.err.contains("Line 2"), run.err);
    }

    void renderToTheByte() {
        const QStringList call{"render", path("template.jinja"), path("context.json"), "--now"};
        for (const char* time : {"2026-01-15T09:30:00", "2026-01-15T09:30", "2026-01-15"}) {
            const Run run = cli(call + QStringList{time});
            QCOMPARE(run.err, QByteArray());
            QCOMPARE(run.code, 0);
            QCOMPARE(run.out, QByteArray("gr\xC3\xBCn|blau|2026-01-15 Thu 015"));
        }
        const Run leap = cli(call + QStringList{"2024-12-31"});
        QCOMPARE(leap.out, QByteArray("gr\xC3\xBCn|blau|2024-12-31 Tue 366"));
        QVERIFY(cli({"render", path("raise.jinja"), path("context.json")}).err.contains("never"));
    }

    void logitsOfThePositionsAskedFor() {
        const QString some = path("some.f32"), all = path("all.f32");
        QCOMPARE(cli({"logits", dense_, "--tokens", path("tokens.json"), "--out", some}).code, 0);
        QCOMPARE(cli({"logits", dense_, "--tokens", path("all.json"), "--out", all}).code, 0);
        const QByteArray two = bytesOf(some), four = bytesOf(all);
        const int row = 300 * 4;
        QCOMPARE(two.size(), 2 * row);
        QCOMPARE(four.size(), 4 * row);
        QCOMPARE(two.mid(0, row), four.mid(row, row));
        QCOMPARE(two.mid(row, row), four.mid(3 * row, row));
        QVERIFY(QFile::remove(some) && QFile::remove(all));
    }

    void logitsRefusesOtherRequests_data() {
        QTest::addColumn<QByteArray>("json");
        QTest::newRow("no tokens") << QByteArray(R"({"positions": [0]})");
        QTest::newRow("empty tokens") << QByteArray(R"({"tokens": []})");
        QTest::newRow("empty positions") << QByteArray(R"({"tokens": [1], "positions": []})");
        QTest::newRow("text among tokens") << QByteArray(R"({"tokens": [1, "2"]})");
        QTest::newRow("fraction") << QByteArray(R"({"tokens": [1.5]})");
        QTest::newRow("negative id") << QByteArray(R"({"tokens": [-1]})");
        QTest::newRow("unknown id") << QByteArray(R"({"tokens": [300]})");
        QTest::newRow("number beyond doubles") << QByteArray(R"({"tokens": [1e999]})");
        QTest::newRow("huge id") << QByteArray(R"({"tokens": [18446744073709551615]})");
        QTest::newRow("position behind the end") << QByteArray(R"({"tokens": [1, 2], "positions": [2]})");
        QTest::newRow("falling positions") << QByteArray(R"({"tokens": [1, 2, 3], "positions": [2, 1]})");
        QTest::newRow("same position twice") << QByteArray(R"({"tokens": [1, 2, 3], "positions": [1, 1]})");
    }
    void logitsRefusesOtherRequests() {
        QFETCH(QByteArray, json);
        const QString request = write("request.json", json);
        const QStringList before = files();
        const Run run = cli({"logits", dense_, "--tokens", request, "--out", path("l.f32")});
        QCOMPARE(run.code, 2);
        QVERIFY2(isErrorLine(run.err), run.err);
        QCOMPARE(files(), before);
        QVERIFY(QFile::remove(request));
    }

    void generateWritesTheTextAlone() {
        const QStringList call{"generate", sparse_, "--prompt",     QStringLiteral("Gr\u00fc\u00dfe \u732b"),
                               "--seed",   "5",     "--max-tokens", "20"};
        const Run text = cli(call), again = cli(call), json = cli(call + QStringList{"--json"});
        QCOMPARE(text.code, 0);
        QCOMPARE(text.err, QByteArray());
        QVERIFY(!text.out.isEmpty());
        QCOMPARE(again.out, text.out);
        QCOMPARE(json.code, 0);
        const QJsonObject result = object(json.out);
        QCOMPARE(result["text"].toString().toUtf8(), text.out);
        QCOMPARE(result["seed"].toInt(), 5);
        const Run raw = cli(call + QStringList{"--raw", "--json"});
        QVERIFY(object(raw.out)["prompt_tokens"].toInt() < result["prompt_tokens"].toInt());
        QVERIFY(object(raw.out)["prompt_tokens"].toInt() > 5);
    }

    void promptsThatLookLikeOptions() {
        for (const char* prompt :
             {"-x", "--raw", "[a, b]", "{\"a\": 1}", "\"quoted\"", "a\nb", "@file", "#", "%TEMP%"}) {
            const Run run = cli({"generate", dense_, "--prompt", prompt, "--raw", "--json", "--max-tokens", "1"});
            QVERIFY2(run.code == 0, run.err);
            const QByteArray ids = cli({"tokenize", dense_, "--special"}, prompt).out;
            QCOMPARE(object(run.out)["prompt_tokens"].toInt(), QJsonDocument::fromJson(ids).array().size());
        }
    }

    void aStopEndsTheText() {
        const QStringList call{"generate", dense_, "--prompt", "Hello", "--temperature", "0", "--max-tokens", "30"};
        const QString whole = QString::fromUtf8(cli(call).out);
        QVERIFY(whole.size() > 8);
        const QString stop = whole.mid(4, 3);
        const Run run = cli(call + QStringList{"--stop", stop, "--stop", "never in there"});
        QCOMPARE(QString::fromUtf8(run.out), whole.left(whole.indexOf(stop)));
    }

    void whatFailsWhileRunningEndsWithOne() {
        const QStringList before = files();
        const Run full = cli({"generate", dense_, "--prompt", QString(600, 'x')});
        QCOMPARE(full.code, 1);
        QVERIFY2(isErrorLine(full.err), full.err);
        QCOMPARE(full.out, QByteArray());
        const Run memory = cli({"generate", dense_, "--prompt", "a", "--memory", "1MiB"});
        QCOMPARE(memory.code, 1);
        QVERIFY2(isErrorLine(memory.err), memory.err);
        for (const QString& command : {QString("trace"), QString("logits")}) {
            QStringList call{command, dense_, "--memory", "1MiB", "--out", path("out.csv")};
            call += command == "trace" ? QStringList{"--prompt", "a"} : QStringList{"--tokens", path("tokens.json")};
            const Run run = cli(call);
            QCOMPARE(run.code, 1);
            QVERIFY2(isErrorLine(run.err), run.err);
        }
        QCOMPARE(files(), before);
    }

    void aFullDiskEndsWithOne() {
        if (!QFile::exists("/dev/full")) QSKIP("no /dev/full here");
        QProcess process;
        process.setStandardOutputFile("/dev/full");
        process.start(cliProgram(), {"generate", dense_, "--prompt", "a", "--seed", "1", "--max-tokens", "20"});
        QVERIFY(process.waitForFinished(coterie::kPatienceMs));
        QCOMPARE(process.exitCode(), 1);
        QVERIFY(isErrorLine(process.readAllStandardError()));
    }

    void anInterruptLeavesNothingBehind() {
#ifdef Q_OS_WIN
        QSKIP("Ctrl-C can't be sent to one process there");
#else
        const QString endless = save("endless.gguf", endlessOptions());
        QVERIFY(replaceInFile(endless, "<|im_end|>", "<|im_xxx|>") &&
                replaceInFile(endless, "<|endoftext|>", "<|xxxxxxxxx|>"));
        QVERIFY(replaceInFile(endless, "tokenizer.ggml.eos_token_id", "tokenizer.ggml.xxx_token_id"));
        const QStringList before = files();
        const QStringList call{"--prompt", "a", "--raw", "--seed", "1", "--max-tokens", "18000"};
        QProcess process;
        process.start(cliProgram(), QStringList{"generate", endless} + call);
        QVERIFY(process.waitForReadyRead(coterie::kPatienceMs)); // it is generating
        QCOMPARE(kill(pid_t(process.processId()), SIGINT), 0);
        QVERIFY(process.waitForFinished(coterie::kPatienceMs));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        const QByteArray err = process.readAllStandardError();
        QCOMPARE(process.exitCode(), 1);
        QVERIFY2(isErrorLine(err) && err.contains("stopped"), err);
        QCOMPARE(files(), before);
        QVERIFY(QFile::remove(endless));
#endif
    }

    void anInterruptAtThePromptEndsTheChat() {
#ifdef Q_OS_WIN
        QSKIP("Ctrl-C can't be sent to one process there");
#else
        QProcess process;
        process.start(cliProgram(), {"chat", dense_, "--seed", "1", "--max-tokens", "3"});
        process.write("Hello\n");
        QVERIFY(process.waitForReadyRead(coterie::kPatienceMs));
        const QDeadlineTimer patience(coterie::kPatienceMs);
        do { // one that comes before it asks again stops the answer, so more are sent until one ends it
            QVERIFY(!patience.hasExpired());
            kill(pid_t(process.processId()), SIGINT);
        } while (!process.waitForFinished(100));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 0);
#endif
    }

    void chatAnswersLineByLine() {
        const QStringList call{"chat", dense_, "--temperature", "0", "--max-tokens", "6"};
        const Run one = cli(call, "Hello\n");
        QCOMPARE(one.code, 0);
        QVERIFY(one.out.endsWith('\n'));
        const Run again = cli(call, "Hello\r\n\n/new\nHello\n/quit\nnever asked\n");
        QCOMPARE(again.code, 0);
        QCOMPARE(again.out, one.out + one.out);
        const Run help = cli(call, "/help");
        QVERIFY(help.out.contains("/new") && help.out.contains("/quit"));
        QCOMPARE(cli(call, "").out, QByteArray());
        const Run tooLong = cli(call, QByteArray(600, 'x'));
        QCOMPARE(tooLong.code, 1);
        QVERIFY2(isErrorLine(tooLong.err), tooLong.err);
    }

    void benchHasExactlyItsFields() {
        const QStringList fields{"load_s",
                                 "load_s_min",
                                 "load_s_max",
                                 "first_token_s",
                                 "first_token_s_min",
                                 "first_token_s_max",
                                 "prefill_tps",
                                 "prefill_tps_min",
                                 "prefill_tps_max",
                                 "chunk",
                                 "chunk_why",
                                 "prompt_disk_bytes",
                                 "prompt_io_wait_share",
                                 "decode_tps",
                                 "decode_tps_min",
                                 "decode_tps_max",
                                 "bytes_per_token",
                                 "read_gbps",
                                 "memory_gbps",
                                 "peak_rss",
                                 "budget",
                                 "hit_rate",
                                 "disk_bytes_per_token",
                                 "io_wait_share",
                                 "experts_guessed",
                                 "guesses_used",
                                 "neurons_active",
                                 "head_rows",
                                 "logits_hash",
                                 "kernels",
                                 "device",
                                 "device_why",
                                 "threads"};
        const QStringList call{"bench", sparse_,  "--json", "--prompt-tokens", "20", "--generate",
                               "8",     "--runs", "3",      "--threads",       "2"};
        const Run run = cli(call);
        QCOMPARE(run.code, 0);
        QJsonObject report = object(run.out);
        QStringList found = report.keys(), wanted = fields;
        wanted.sort();
        QCOMPARE(found, wanted); // keys() are sorted
        QCOMPARE(report["threads"].toInt(), 2);
        QVERIFY(QRegularExpression("^[0-9a-f]{16}$").match(report["logits_hash"].toString()).hasMatch());
        for (const QString& name : {QString("first_token_s"), QString("prefill_tps"), QString("decode_tps")}) {
            QVERIFY(report[name].toDouble() >= report[name + "_min"].toDouble());
            QVERIFY(report[name].toDouble() <= report[name + "_max"].toDouble());
        }
        for (const char* share : {"hit_rate", "neurons_active", "head_rows"})
            QVERIFY2(report[share].toDouble(-1) >= 0 && report[share].toDouble() <= 1, share);
        QVERIFY(report["bytes_per_token"].toDouble() > 0 && report["peak_rss"].toDouble() > 0);
        QCOMPARE(object(cli(call).out)["logits_hash"], report["logits_hash"]);
        QStringList asText = call;
        asText.removeAll("--json");
        const Run text = cli(asText);
        QVERIFY(text.out.contains("decode_tps") && text.out.contains(report["logits_hash"].toString().toUtf8()));
    }

    /// The length of a chunk is reported with its reason, can be forced, and changes no bit.
    void benchWithAnyChunk() {
        const QStringList call{"bench", sparse_, "--json", "--prompt-tokens", "20", "--generate", "8", "--runs", "1"};
        const QJsonObject planned = object(cli(call).out);
        QCOMPARE(planned["chunk_why"].toString(), QString("all experts are in memory"));
        for (const char* chunk : {"1", "7"}) {
            const QJsonObject forced = object(cli(call + QStringList{"--chunk", chunk}).out);
            QCOMPARE(forced["chunk"].toInt(), QString(chunk).toInt());
            QCOMPARE(forced["chunk_why"].toString(), QString("--chunk"));
            QCOMPARE(forced["logits_hash"], planned["logits_hash"]);
        }
        const Run info = cli({"info", sparse_});
        QVERIFY2(info.out.contains("tokens at a time: all experts are in memory"), info.out.constData());
    }

    /// The steps of tokens and of the prompt's chunks, as a table and as fields; their bytes are those of the counters.
    void benchListsTheSteps() {
        const QStringList call{"bench",  sparse_, "--prompt-tokens", "20", "--generate", "8",
                               "--runs", "2",     "--chunk",         "7",  "--threads",  "2"};
        const QJsonObject plain = object(cli(call + QStringList{"--json"}).out);
        QVERIFY(!plain.contains("steps"));
        const QJsonObject report = object(cli(call + QStringList{"--json", "--steps"}).out);
        QCOMPARE(report["logits_hash"], plain["logits_hash"]);
        const QJsonObject token = report["steps"]["token"].toObject(), chunk = report["steps"]["chunk"].toObject();
        QCOMPARE(token["passes"].toInt(), 2 * 7); // the first token comes from the prompt
        QCOMPARE(chunk["passes"].toInt(), 2 * 3); // 7 + 7 + 6
        double bytes = 0, shares = 0;
        QStringList names;
        for (const QJsonValue& step : token["steps"].toArray()) {
            names << step["step"].toString();
            shares += step["share"].toDouble();
            if (names.last() != "attention") bytes += step["bytes"].toDouble();
        }
        for (const char* name : {"router", "q, k, v", "attention", "gate", "up", "down", "head"})
            QVERIFY2(names.contains(name), name);
        QVERIFY2(std::abs(shares - 1) < 0.01, qPrintable(QString::number(shares)));
        const double counted = report["bytes_per_token"].toDouble();
        QVERIFY2(std::abs(bytes - counted) <= static_cast<double>(names.size()),
                 qPrintable(QString("%1, %2").arg(bytes).arg(counted)));
        const QByteArray text = cli(call + QStringList{"--steps"}).out;
        for (const char* line : {"\nsteps of a token ", "\nsteps of a prompt's chunk ", "\nrouter ", "\ntogether "})
            QVERIFY2(text.contains(line), text.constData());
    }

    void eachAblationOfBenchKeepsTheAnswer() {
        const QStringList call{"bench", sparse_,  "--json", "--prompt-tokens", "20", "--generate",
                               "8",     "--runs", "1",      "--threads",       "2"};
        const QJsonObject whole = object(cli(call).out);
        for (const char* option : {"--no-kv-cache", "--no-sparsity", "--no-grouping"}) {
            const QJsonObject without = object(cli(call + QStringList{option}).out);
            QVERIFY2(without["logits_hash"].toString().size() == 16, option);
            QCOMPARE(without["logits_hash"], whole["logits_hash"]);
            // Decoding takes one token at a time: there is nothing to group.
            const bool more = without["bytes_per_token"].toDouble() > whole["bytes_per_token"].toDouble();
            QCOMPARE(more, qstrcmp(option, "--no-grouping") != 0);
            QVERIFY2(cli({"bench", "--help"}).out.contains(option), option);
            QVERIFY(
                cli({"bench", "--help"}).out.contains("hit_rate counts experts that were in memory, or on their way"));
        }
    }

    void whatBenchDidNotMeasureIsNull() {
        const QJsonObject one =
            object(cli({"bench", dense_, "--json", "--prompt-tokens", "5", "--generate", "1", "--runs", "1"}).out);
        for (const char* name : {"decode_tps", "decode_tps_min", "bytes_per_token", "read_gbps", "hit_rate",
                                 "disk_bytes_per_token", "io_wait_share", "neurons_active"})
            QVERIFY2(one[name].isNull(), name);
        QVERIFY(one["prefill_tps"].toDouble() > 0);
        const QStringList call{"bench", dense_,   "--json", "--prompt-tokens", "5", "--generate",
                               "2",     "--runs", "1",      "--memory"};
        const auto least = QRegularExpression("at least (\\d+) MiB").match(cli(call + QStringList{"1MiB"}).err);
        QVERIFY(least.hasMatch());
        const QString little = QString::number(least.captured(1).toInt() + 8) + "MiB";
        const QJsonObject tight = object(cli(call + QStringList{little}).out);
        QVERIFY(tight["decode_tps"].toDouble() > 0);
        QVERIFY(tight["memory_gbps"].isNull()); // a buffer beyond every cache does not fit
    }

    void traceAsCsvAndJson() {
        const QStringList call{"trace",         sparse_, "--prompt",     "a \"b\"", "--raw",
                               "--temperature", "0",     "--max-tokens", "3",       "--out"};
        QCOMPARE(cli(call + QStringList{path("t.csv")}).code, 0);
        QCOMPARE(cli(call + QStringList{path("t.json")}).code, 0);
        const QByteArray csv = bytesOf(path("t.csv"));
        const QList<QByteArray> lines = csv.trimmed().split('\n');
        QCOMPARE(
            lines.first(),
            QByteArray(
                "position,token,text,prompt,layer,rank,expert,weight,hit,active_neurons,wait_s,head_rows,seconds"));
        const QJsonArray tokens = object(bytesOf(path("t.json")))["tokens"].toArray();
        const int prompt = QJsonDocument::fromJson(cli({"tokenize", sparse_}, "a \"b\"").out).array().size();
        QVERIFY(tokens.size() >= prompt && tokens.size() <= prompt + 2); // the last token drawn went through no layer
        QCOMPARE(lines.size() - 1, tokens.size() * 2 * 2);               // layers x experts a token
        for (int i = 0; i < tokens.size(); ++i) {
            QCOMPARE(tokens[i]["position"].toInt(), i);
            QCOMPARE(tokens[i]["prompt"].toBool(), i < prompt);
            QVERIFY(tokens[i]["seconds"].toDouble() > 0);
            const QJsonArray layers = tokens[i]["layers"].toArray();
            QCOMPARE(layers.size(), 2);
            for (const QJsonValue layer : layers) QCOMPARE(layer["experts"].toArray().size(), 2);
        }
        QVERIFY(QFile::remove(path("t.csv")) && QFile::remove(path("t.json")));
        QCOMPARE(cli({"trace", dense_, "--prompt", "a", "--raw", "--max-tokens", "1", "--out", path("d.csv")}).code, 0);
        const QList<QByteArray> dense = bytesOf(path("d.csv")).trimmed().split('\n');
        QVERIFY(dense.size() > 2 && dense.size() % 2 == 1); // a line for each of two layers
        for (const QByteArray& line : dense.mid(1)) QVERIFY2(line.contains(",0,0,1.00000,"), line);
        const QString most = QString::number(std::numeric_limits<qint64>::max());
        QCOMPARE(cli({"trace", dense_, "--prompt", "a", "--raw", "--max-tokens", most, "--out", path("d.csv")}).code,
                 0);
        QVERIFY(bytesOf(path("d.csv")).contains("\n0,")); // the log has room from the first token on
        QVERIFY(QFile::remove(path("d.csv")));
    }

    /// Without drivers, because a software device compiles all shaders for it; tests/gpu lists devices with them.
    void devicesAreListed() {
        const QStringList noDrivers{"VK_ICD_FILENAMES=/nowhere.json", "VK_DRIVER_FILES=/nowhere.json"};
        const Run json = cli({"devices", "--json"}, {}, noDrivers);
        QCOMPARE(json.code, 0);
        const QJsonArray list = object(json.out)["devices"].toArray();
        QCOMPARE(list.first()["name"].toString(), QString("cpu"));
        for (const QJsonValue device : list) {
            if (!device["usable"].toBool()) continue;
            const QStringList call{"generate", dense_, "--prompt", "a", "--max-tokens", "2"};
            const Run run = cli(call + QStringList{"--device", device["name"].toString()});
            QVERIFY2(run.code == 0, run.err);
        }
        QVERIFY(cli({"devices"}, {}, noDrivers).out.startsWith("cpu  "));
        QVERIFY(cli({"info", dense_, "--device", "abacus"}).err.contains("This machine has cpu"));
    }

    void kernelsAreListed() {
        const Run json = cli({"kernels", "--json"});
        QCOMPARE(json.code, 0);
        const QJsonArray list = object(json.out)["kernels"].toArray();
        QCOMPARE(list.last()["name"].toString(), QString("scalar"));
        QVERIFY(list.last()["runs_here"].toBool());
        int chosen = 0;
        for (const QJsonValue table : list) {
            chosen += table["chosen"].toBool();
            if (!table["runs_here"].toBool()) continue;
            const Run run =
                cli({"generate", dense_, "--prompt", "a", "--max-tokens", "2", "--kernels", table["name"].toString()});
            QVERIFY2(run.code == 0, run.err);
        }
        QCOMPARE(chosen, 1);
        QVERIFY(cli({"kernels"}).out.contains("scalar"));
        QCOMPARE(object(cli({"kernels", "--json", "--kernels", "scalar"}).out)["kernels"]
                     .toArray()
                     .last()["chosen"]
                     .toBool(),
                 true);
    }
};

QTEST_GUILESS_MAIN(TestCli)
#include "tst_cli.moc"
