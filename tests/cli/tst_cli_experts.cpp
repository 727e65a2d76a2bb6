// SPDX-License-Identifier: Apache-2.0
// coterie-cli experts: its tables against traces of the same texts, its pictures pixel by pixel against its tables,
// texts and folders that can't be used, and which experts of the bundled model light up for three domains.
#include "cli/cli_run.h"
#include "cli/commands/experts_report.h"
#include "export/colour_scale.h"
#include "support/tiny_model.h"

#include <QDir>
#include <QFile>
#include <QImage>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QtTest>

#include <cmath>
#include <map>
#include <set>

using namespace coterie::app;
using namespace coterie::test;

namespace {

using Row = QMap<QString, QString>;
using Cell = std::pair<int, int>; // layer and expert

constexpr int kLayers = 5, kExperts = 8, kAll = kLayers * kExperts;

/// The lines of a CSV file without line breaks in its fields, by the names of its columns.
QList<Row> table(const QString& path) {
    QList<Row> rows;
    QList<QByteArray> lines = bytesOf(path).split('\n');
    if (lines.size() < 2 || !lines.takeLast().isEmpty()) return {};
    const auto fields = [](const QByteArray& line) {
        QStringList out{QString()};
        bool quoted = false;
        for (const QChar c : QString::fromUtf8(line)) {
            if (c == '"') quoted = !quoted;
            if (c == ',' && !quoted) out.append(QString());
            if ((c != ',' || quoted) && c != '"') out.last() += c;
        }
        return out;
    };
    const QStringList names = fields(lines.takeFirst());
    for (const QByteArray& line : lines) {
        const QStringList values = fields(line);
        if (values.size() != names.size()) return {};
        Row row;
        for (qsizetype i = 0; i < names.size(); ++i) row[names[i]] = values[i];
        rows.append(row);
    }
    return rows;
}

struct Counts {
    int uses = 0, misses = 0;
    double weight = 0;
};

Cell cellOf(const Row& row) { return {row["layer"].toInt(), row["expert"].toInt()}; }

std::map<Cell, Counts> countsOf(const QString& path) {
    std::map<Cell, Counts> counts;
    for (const Row& row : table(path))
        counts[cellOf(row)] = {row["uses"].toInt(), row["misses"].toInt(), row["weight"].toDouble()};
    return counts;
}

/// The experts of each layer as the table lists them, and the uses of a layer.
int expertsIn(const std::map<Cell, Counts>& counts, int layer) {
    return static_cast<int>(
        std::count_if(counts.begin(), counts.end(), [&](const auto& entry) { return entry.first.first == layer; }));
}
int usesIn(const std::map<Cell, Counts>& counts, int layer) {
    int sum = 0;
    for (const auto& [cell, count] : counts) sum += cell.first == layer ? count.uses : 0;
    return sum;
}
double shareIn(const std::map<Cell, Counts>& counts, Cell cell) {
    const int all = usesIn(counts, cell.first);
    return all == 0 ? 0 : static_cast<double>(counts.at(cell).uses) / all;
}

} // namespace

class TestCliExperts : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void initTestCase();
    void tablesEqualTraces();
    void picturesEqualTables();
    void plotsEqualTables();
    void differencesAreTheLargest();
    void resources();
    void fewTokens();
    void expertsWithoutReLU();
    void layersThatDoNotChoose();
    void aDenseModelHasNoExperts();
    void badTexts_data();
    void badTexts();
    void badFolders();
    void nothingIsLeftIfWritingFails();
    void theGuideUsesOtherExpertsForOtherTexts();

  private:
    QString path(const QString& name) const { return folder_.path() + QStringLiteral("/ex p\u00e4 ") + name; }
    void write(const QString& folder, const QString& name, const QByteArray& bytes) const {
        QVERIFY(QDir().mkpath(folder));
        QFile file(folder + "/" + name);
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(bytes), bytes.size());
    }
    /// Runs the command with a record folder of the test's own.
    Run experts(const QString& model, const QString& texts, const QString& out, const QStringList& more = {}) const {
        return cli(QStringList{"experts", model, "--texts", texts, "--out", out, "--data-dir", path("data")} + more);
    }
    QString out(const QString& name) const { return path("out") + "/" + name; }

    QTemporaryDir folder_;
    const QMap<QString, QByteArray> texts_{{"a, \"b\"", "Some words about the sea, and the sea again."},
                                           {"\u00e9t\u00e9", "\u00e9t\u00e9 na\u00efve \u4e2d\u6587"},
                                           {"numbers", "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18"},
                                           {"same start", "1 2 3 4 5 6 7 8 9 10 and so on"}};
};

void TestCliExperts::initTestCase() {
#ifdef Q_OS_WIN
    QSKIP("a name of a text has quotes, which Windows refuses");
#endif
    TinyModelOptions options;
    options.architecture = "smallthinker";
    options.layers = kLayers;
    QVERIFY(saveTinyModel(options, path("m.gguf").toStdString()));
    for (auto text = texts_.begin(); text != texts_.end(); ++text) write(path("texts"), text.key() + ".txt", *text);
    write(path("texts"), ".hidden", "not a domain");
    QVERIFY(QDir().mkpath(path("texts") + "/folder"));
    const Run run = experts(path("m.gguf"), path("texts"), path("out"));
    QVERIFY2(run.code == 0, run.err);
    QVERIFY2(run.err.isEmpty(), run.err);
    QStringList wanted{"differences.csv"};
    for (const QString& name : texts_.keys())
        for (const char* kind : {".experts.csv", ".experts.png", ".neurons.csv", ".neurons.png"}) wanted += name + kind;
    wanted.sort();
    QStringList found = QDir(path("out")).entryList(QDir::AllEntries | QDir::NoDotAndDotDot | QDir::Hidden);
    found.sort();
    QCOMPARE(found, wanted);
}

void TestCliExperts::tablesEqualTraces() {
    for (auto text = texts_.begin(); text != texts_.end(); ++text) {
        QCOMPARE(cli({"trace", path("m.gguf"), "--raw", "--max-tokens", "0", "--prompt", QString::fromUtf8(*text),
                      "--out", path("t.csv")})
                     .code,
                 0);
        std::map<Cell, Counts> traced;
        std::set<QString> tokens;
        const QList<Row> trace = table(path("t.csv"));
        QVERIFY(!trace.isEmpty());
        for (const Row& row : trace) {
            tokens.insert(row["position"]);
            ++traced[cellOf(row)].uses;
            traced[cellOf(row)].weight += row["weight"].toDouble();
        }
        const std::map<Cell, Counts> counts = countsOf(out(text.key() + ".experts.csv"));
        QCOMPARE(counts.size(), size_t{kAll}); // also experts that are not used
        for (const auto& [cell, count] : counts) {
            QCOMPARE(count.uses, traced[cell].uses);
            QVERIFY(count.misses <= count.uses);
            QVERIFY(std::abs(count.weight - traced[cell].weight) < 1e-5 * (count.uses + 1)); // five digits in a trace
        }
        for (int layer = 0; layer < kLayers; ++layer)
            QCOMPARE(usesIn(counts, layer), 2 * static_cast<int>(tokens.size()));
        for (const Row& row : table(out(text.key() + ".experts.csv")))
            QVERIFY(std::abs(row["share"].toDouble() - shareIn(counts, cellOf(row))) < 1e-6);
    }
}

void TestCliExperts::picturesEqualTables() {
    double scale = 0;
    for (const QString& name : texts_.keys()) {
        const auto counts = countsOf(out(name + ".experts.csv"));
        for (const auto& entry : counts) scale = std::max(scale, shareIn(counts, entry.first));
    }
    for (const QString& name : texts_.keys()) {
        const auto counts = countsOf(out(name + ".experts.csv"));
        const QImage image(out(name + ".experts.png"), "PNG");
        QCOMPARE(image.size(), QSize(kExperts * kCellSize, kLayers * kCellSize));
        QVERIFY(image.text("Description").contains(QString::number(scale * 100, 'f', 2)));
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                QCOMPARE(image.pixel(x, y),
                         mappedColour(ColourMap::Heat, shareIn(counts, {y / kCellSize, x / kCellSize}) / scale, false));
    }
}

void TestCliExperts::plotsEqualTables() {
    const MapAnchors colours = mapAnchors(ColourMap::Heat, false);
    const std::set<uint32_t> known{colours.first, colours.through, colours.last,
                                   mapAnchors(ColourMap::Presence, false).first};
    for (const QString& name : texts_.keys()) {
        const QImage image(out(name + ".neurons.png"), "PNG");
        QCOMPARE(image.size(), QSize(kLayers * kPlotColumn + 2 * kPlotBorder, kPlotHeight + 2 * kPlotBorder + 1));
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x) QVERIFY(known.contains(image.pixel(x, y)));
        const QList<Row> rows = table(out(name + ".neurons.csv"));
        QCOMPARE(rows.size(), kLayers);
        for (const Row& row : rows) {
            const int left = kPlotBorder + row["layer"].toInt() * kPlotColumn;
            // First and last row of a colour in a column of pixels. The table is rounded, so a row may be one off.
            const auto spans = [&](int x, uint32_t colour, const char* top, const char* bottom) {
                const auto rowOf = [&](const char* key) {
                    return kPlotBorder + (1 - row[key].toDouble()) * kPlotHeight;
                };
                int first = -1, last = -1;
                for (int y = 0; y < image.height(); ++y) {
                    if (image.pixel(x, y) != colour) continue;
                    if (first < 0) first = y;
                    last = y;
                }
                return std::abs(first - rowOf(top)) <= 2 && std::abs(last - rowOf(bottom)) <= 2;
            };
            QVERIFY(row["least"].toDouble() <= row["q1"].toDouble() && row["q3"].toDouble() <= row["most"].toDouble());
            QVERIFY(row["q1"].toDouble() > 0 && row["q1"].toDouble() < row["q3"].toDouble());
            QVERIFY(spans(left + 2, colours.through, "q3", "q1"));
            QVERIFY(spans(left + 2, colours.last, "median", "median"));
            QCOMPARE(image.pixel(left, kPlotBorder + kPlotHeight / 2), mapAnchors(ColourMap::Presence, false).first);
            QCOMPARE(image.pixel(left, kPlotBorder + 1), colours.first);
            const int middle = left + kPlotColumn / 2;
            const auto inner = [&](const char* key) {
                return kPlotBorder + static_cast<int>(std::lround((1 - row[key].toDouble()) * kPlotHeight));
            };
            QVERIFY(inner("most") + 1 >= inner("q3") || image.pixel(middle, inner("most") + 1) == colours.last);
            QVERIFY(image.pixel(middle, std::max(inner("most") - 2, 0)) != colours.last);
            QVERIFY(inner("least") - 1 <= inner("q1") || image.pixel(middle, inner("least") - 1) == colours.last);
        }
    }
}

void TestCliExperts::differencesAreTheLargest() {
    const QList<Row> rows = table(out("differences.csv"));
    std::map<std::pair<QString, QString>, QList<Row>> pairs;
    for (const Row& row : rows) pairs[{row["first"], row["second"]}].append(row);
    QCOMPARE(pairs.size(), 6U); // four domains have six pairs
    for (const auto& [names, lines] : pairs) {
        const QString first = QString(names.first).replace("a, b", "a, \"b\""); // table() drops a doubled quote
        const auto before = countsOf(out(first + ".experts.csv")), after = countsOf(out(names.second + ".experts.csv"));
        QCOMPARE(before.size(), size_t{kAll});
        QCOMPARE(after.size(), size_t{kAll});
        std::vector<double> all;
        for (const auto& entry : before)
            all.push_back(std::abs(shareIn(after, entry.first) - shareIn(before, entry.first)));
        std::sort(all.rbegin(), all.rend());
        std::set<Cell> seen;
        for (qsizetype i = 0; i < lines.size(); ++i) {
            const Cell cell = cellOf(lines[i]);
            QVERIFY(seen.insert(cell).second);
            const double difference = lines[i]["difference"].toDouble();
            QVERIFY(std::abs(difference - (shareIn(after, cell) - shareIn(before, cell))) < 1e-6);
            QVERIFY(std::abs(std::abs(difference) - all[static_cast<size_t>(i)]) < 1e-6);
            QVERIFY(std::abs(lines[i]["first_share"].toDouble() - shareIn(before, cell)) < 1e-6);
            QVERIFY(std::abs(lines[i]["second_share"].toDouble() - shareIn(after, cell)) < 1e-6);
        }
        QVERIFY(lines.size() == 20 || all[static_cast<size_t>(lines.size())] == 0);
    }
}

void TestCliExperts::resources() {
    const Run run = experts(path("m.gguf"), path("texts"), path("out"), {"--resources", "--json"});
    QCOMPARE(run.code, 0);
    const QJsonObject report = object(run.out);
    QCOMPARE(report["files"].toArray().size(), 4 * texts_.size() + 1);
    const QJsonArray domains = report["domains"].toArray();
    QCOMPARE(domains.size(), texts_.size());
    int all = 0;
    std::set<Cell> used;
    for (const QJsonValue domain : domains) {
        const auto counts = countsOf(out(domain["name"].toString() + ".experts.csv"));
        QCOMPARE(usesIn(counts, 0), 2 * domain["tokens"].toInt());
        int usedHere = 0;
        double gini = 0, entropy = 0;
        for (const auto& [cell, count] : counts) {
            usedHere += count.uses > 0 ? 1 : 0;
            if (count.uses > 0) used.insert(cell);
            const double share = shareIn(counts, cell);
            entropy -= count.uses > 0 ? share * std::log2(share) / kLayers : 0;
            for (int other = 0; other < kExperts; ++other)
                gini += std::abs(share - shareIn(counts, {cell.first, other})) / (2 * kExperts) /
                        kLayers; // the shares' sum is 1
        }
        const QJsonObject cost = domain["resources"].toObject();
        QVERIFY(std::abs(cost["utilisation"].toDouble() - usedHere / static_cast<double>(kAll)) < 1e-4);
        QVERIFY(std::abs(cost["gini"].toDouble() - gini) < 1e-4);
        QVERIFY(std::abs(cost["entropy_bits"].toDouble() - entropy) < 1e-4);
        QVERIFY(cost["seconds_per_token"].toDouble() > 0);
        QVERIFY(cost["hit_rate"].toDouble() >= 0 && cost["hit_rate"].toDouble() <= 1);
        QVERIFY(cost["disk_bytes"].isDouble());
        QVERIFY(cost["joules_per_token"].isNull() || cost["joules_per_token"].toDouble() >= 0);
        all += domain["tokens"].toInt();
    }
    const QJsonObject whole = report["resources"].toObject();
    QVERIFY(std::abs(whole["utilisation"].toDouble() - static_cast<double>(used.size()) / kAll) < 1e-4);
    QVERIFY(whole["peak_memory"].toDouble() > 1 << 20);
    // The first text at least comes from disk.
    QVERIFY(whole["disk_bytes"].toDouble() > 0);
    QVERIFY(all > 30);

    const Run text = experts(path("m.gguf"), path("texts"), path("out"), {"--resources"});
    QCOMPARE(text.code, 0);
    for (const char* word : {"utilisation", "gini", "entropy", "hit rate", "from disk", "numbers", "MiB at most"})
        QVERIFY2(text.out.contains(word), text.out);
    QCOMPARE(text.out.contains(" J"), !whole["joules_per_token"].isNull());
    const QJsonObject plain = object(experts(path("m.gguf"), path("texts"), path("out"), {"--json"}).out);
    QVERIFY(!plain.contains("resources") && plain["domains"][0]["tokens"].toInt() > 0);
    QVERIFY(!plain["domains"][0].toObject().contains("resources"));
}

void TestCliExperts::fewTokens() {
    const QJsonObject report =
        object(experts(path("m.gguf"), path("texts"), path("few"), {"--tokens", "5", "--json"}).out);
    QCOMPARE(report["domains"].toArray().size(), texts_.size());
    for (const QJsonValue domain : report["domains"].toArray()) {
        QCOMPARE(domain["tokens"].toInt(), 5);
        const auto counts = countsOf(path("few") + "/" + domain["name"].toString() + ".experts.csv");
        for (int layer = 0; layer < kLayers; ++layer) QCOMPARE(usesIn(counts, layer), 10);
    }
    // More than the context holds is refused by the engine, and nothing is written.
    write(path("long texts"), "long.txt", QByteArray("0123456789 ").repeated(200));
    const Run run = experts(path("m.gguf"), path("long texts"), path("long"), {"--tokens", "2000"});
    QVERIFY2(isErrorLine(run.err), run.err);
    QVERIFY(run.code != 0);
    QVERIFY(!QFile::exists(path("long")));
    QVERIFY(isErrorLine(experts(path("m.gguf"), path("texts"), path("few"), {"--tokens", "0"}).err));
}

void TestCliExperts::expertsWithoutReLU() {
    TinyModelOptions options;
    options.architecture = "qwen3moe";
    QVERIFY(saveTinyModel(options, path("q.gguf").toStdString()));
    const Run run = experts(path("q.gguf"), path("texts"), path("q"));
    QCOMPARE(run.code, 0);
    QVERIFY2(run.err.startsWith("note: ") && run.err.contains("ReLU"), run.err);
    QVERIFY(QDir(path("q")).entryList({"*.neurons.*"}).isEmpty());
    QCOMPARE(QDir(path("q")).entryList({"*.experts.*"}).size(), 2 * texts_.size());
}

/// A model whose first layer is dense: grey in the picture, not part of the scale, and its use is in the table.
void TestCliExperts::layersThatDoNotChoose() {
    TinyModelOptions options;
    options.architecture = "glm4moe";
    options.sharedFeedForward = options.feedForward; // as this family's files have it
    QVERIFY(saveTinyModel(options, path("lead.gguf").toStdString()));
    const Run run = experts(path("lead.gguf"), path("texts"), path("lead"), {"--json"});
    QVERIFY2(run.code == 0, run.err);
    const double scale = object(run.out)["largest_share"].toDouble();
    QVERIFY(scale > 0 && scale <= 0.5); // two experts a token
    const auto counts = countsOf(path("lead") + "/numbers.experts.csv");
    QCOMPARE(expertsIn(counts, 0), 1);
    QCOMPARE(expertsIn(counts, 1), 8);
    QCOMPARE(2 * usesIn(counts, 0), usesIn(counts, 1));
    const QImage image(path("lead") + "/numbers.experts.png");
    QCOMPARE(image.size(), QSize(8 * kCellSize, 2 * kCellSize));
    for (int x = 0; x < image.width(); ++x)
        QCOMPARE(image.pixel(x, kCellSize - 1), mapAnchors(ColourMap::Presence, false).first);
}

void TestCliExperts::aDenseModelHasNoExperts() {
    QVERIFY(saveTinyModel({}, path("dense.gguf").toStdString()));
    const Run run = experts(path("dense.gguf"), path("texts"), path("dense"));
    QCOMPARE(run.code, 2);
    QVERIFY2(isErrorLine(run.err) && run.err.contains("no experts"), run.err);
    QVERIFY(!QFile::exists(path("dense")));
}

void TestCliExperts::badTexts_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArray>("word");
    QTest::newRow("empty") << "empty.txt" << QByteArray() << QByteArray("empty.txt");
    QTest::newRow("no UTF-8") << "latin.txt" << QByteArray("\xe9t\xe9") << QByteArray("UTF-8");
    QTest::newRow("cut off") << "cut.txt" << QByteArray("abc\xe4\xb8") << QByteArray("UTF-8");
    QTest::newRow("a picture") << "p.png" << QByteArray("\x89PNG\r\n") << QByteArray("UTF-8");
    QTest::newRow("the same name") << "good.md" << QByteArray("words") << QByteArray("good.txt");
    QTest::newRow("the same name but for its case") << "GOOD.md" << QByteArray("words") << QByteArray("same name");
}

void TestCliExperts::badTexts() {
    QFETCH(QString, name);
    QFETCH(QByteArray, bytes);
    QFETCH(QByteArray, word);
    QTemporaryDir texts;
    write(texts.path(), "good.txt", "good words");
    write(texts.path(), name, bytes);
    const Run run = experts(path("m.gguf"), texts.path(), path("bad"));
    QCOMPARE(run.code, 2);
    QVERIFY2(isErrorLine(run.err), run.err);
    QVERIFY2(run.err.contains(word), run.err);
    QVERIFY(run.out.isEmpty());
    QVERIFY(!QFile::exists(path("bad")));
}

void TestCliExperts::badFolders() {
    const auto refused = [&](const QString& texts, const QString& to, const char* word) {
        const Run run = experts(path("m.gguf"), texts, to);
        return run.code != 0 && isErrorLine(run.err) && run.err.contains(word) && run.out.isEmpty();
    };
    QTemporaryDir empty;
    QVERIFY(refused(empty.path(), path("bad"), "no files"));
    write(empty.path(), ".DS_Store", "x");
    QVERIFY(refused(empty.path(), path("bad"), "no files"));
    QVERIFY(refused(path("nowhere"), path("bad"), "no such folder"));
    QVERIFY(refused(path("m.gguf"), path("bad"), "m.gguf")); // a file
    QVERIFY(refused(path("texts"), path("texts") + "/../" + QFileInfo(path("texts")).fileName(), "--out"));
    QVERIFY(refused(path("texts"), path("m.gguf"), "m.gguf"));
    QVERIFY(!QFile::exists(path("bad")));
    QVERIFY(isErrorLine(experts(path("gone.gguf"), path("texts"), path("bad")).err));
    QCOMPARE(cli({"experts", path("m.gguf"), "--texts", path("texts")}).code, 2); // no --out
    // A file that may not be read; the administrator may read every file.
    write(empty.path(), "secret.txt", "words");
    QVERIFY(QFile::setPermissions(empty.filePath("secret.txt"), {}));
    if (bytesOf(empty.filePath("secret.txt")).isEmpty()) QVERIFY(refused(empty.path(), path("bad"), "secret.txt"));
}

/// A folder is in the place of a file.
void TestCliExperts::nothingIsLeftIfWritingFails() {
    QTemporaryDir texts;
    write(texts.path(), "a.txt", "some words");
    QVERIFY(QDir().mkpath(path("blocked") + "/a.experts.png"));
    const Run run = experts(path("m.gguf"), texts.path(), path("blocked"));
    QVERIFY(run.code != 0);
    QVERIFY2(isErrorLine(run.err) && run.err.contains("a.experts.png"), run.err);
    // Whole files that were written before are kept; nothing is half a file.
    QCOMPARE(QDir(path("blocked")).entryList(QDir::AllEntries | QDir::NoDotAndDotDot | QDir::Hidden, QDir::Name),
             (QStringList{"a.experts.csv", "a.experts.png"}));
    QCOMPARE(table(path("blocked") + "/a.experts.csv").size(), kAll);
}

/// In the last layer, the expert that each domain uses most is another one, and it does more there than chance.
void TestCliExperts::theGuideUsesOtherExpertsForOtherTexts() {
    const QString guide = QStringLiteral(GUIDE);
    if (guide.isEmpty() || !QFile::exists(guide)) QSKIP("this build has no demo model");
    if (object(cli({"info", guide, "--json"}).out)["name"].toString() != QStringLiteral("Coterie Guide"))
        QSKIP("the demo model of this build is another one");
    QTemporaryDir texts;
    write(texts.path(), "spanish.txt",
          "\u00bfCu\u00e1l es la capital de Francia y d\u00f3nde est\u00e1 la estaci\u00f3n de tren?");
    write(texts.path(), "sum.txt", "What is 7 times 8? What is 12 + 30? What is 100 - 37?");
    write(texts.path(), "story.txt", "Once upon a time there was a little fox who lived in a forest with her mother.");
    const Run run = experts(guide, texts.path(), path("guide"));
    QVERIFY2(run.code == 0, run.err);
    // The expert that each domain uses most in layers 5 and 7. By chance, its share would be a sixteenth.
    const std::map<QString, std::vector<Cell>> favourites{
        {"spanish", {{5, 3}, {7, 15}}}, {"story", {{5, 14}, {7, 11}}}, {"sum", {{5, 6}, {7, 6}}}};
    std::map<QString, std::map<Cell, Counts>> counts;
    for (const auto& entry : favourites)
        counts[entry.first] = countsOf(path("guide") + "/" + entry.first + ".experts.csv");
    const QList<Row> differences = table(path("guide") + "/differences.csv");
    for (const auto& [domain, cells] : favourites) {
        for (const Cell& cell : cells) {
            const double share = shareIn(counts[domain], cell);
            QVERIFY2(share > 0.25,
                     qPrintable(QStringLiteral("%1: layer %2, %3").arg(domain).arg(cell.first).arg(share)));
            for (int e = 0; e < 16; ++e) QVERIFY(shareIn(counts[domain], {cell.first, e}) <= share);
            for (const auto& other : counts)
                if (other.first != domain) QVERIFY(shareIn(other.second, cell) < share / 2);
            // The table of differences names it against both others.
            QCOMPARE(std::count_if(differences.begin(), differences.end(),
                                   [&](const Row& row) {
                                       return cellOf(row) == cell &&
                                              (row["first"] == domain || row["second"] == domain);
                                   }),
                     2);
        }
    }
}

QTEST_GUILESS_MAIN(TestCliExperts)
#include "tst_cli_experts.moc"
