// SPDX-License-Identifier: Apache-2.0
// The files that the inspector writes: a record as coterie-cli writes it, and pictures that say what they show.
#include "app/app_bench.h"
#include "cli/cli_run.h"
#include "export/colour_scale.h"
#include "inspector/expert_map_item.h"
#include "inspector/inspector.h"
#include "session/session.h"
#include "settings/settings.h"
#include "support/csv_rows.h"
#include "support/english.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLocale>
#include <QTemporaryDir>
#include <QtTest>

using namespace coterie;
using namespace coterie::app;
using namespace coterie::test;

namespace {

constexpr int kPrompt = 5;

FakeScript story(const std::string& name = "Scripted") {
    FakeScript script;
    script.name = name;
    script.pieces = {"Once ", "upon ", "a ", "time ", "a ", "fox ", "was ", "here"};
    script.promptTokens = kPrompt;
    script.layers = 4;
    return script;
}

QUrl fileIn(const QTemporaryDir& folder, const char* name) { return QUrl::fromLocalFile(folder.filePath(name)); }

/// Waits for an answer whose record is shown.
bool answerTo(App& app, const QString& prompt) {
    if (!app.conversation()->send(prompt)) return false;
    return QTest::qWaitFor([&] { return app.conversation()->busy(); }, kPatienceMs) &&
           QTest::qWaitFor(
               [&] { return !app.conversation()->busy() && app.inspector()->condition() == Inspector::Ready; },
               kPatienceMs);
}

/// The number of pixels inside the place that differ from the one in its corner.
int inked(const QImage& picture, const QRectF& place) {
    const QRect pixels = place.toRect().intersected(picture.rect());
    int count = 0;
    for (int y = pixels.top(); y <= pixels.bottom(); ++y)
        for (int x = pixels.left(); x <= pixels.right(); ++x)
            count += picture.pixel(x, y) != picture.pixel(pixels.topLeft()) ? 1 : 0;
    return count;
}

/// The values of the saved record in this column, one for each token of the prompt.
QList<QByteArray> promptColumn(App& app, const QByteArray& name) {
    const QTemporaryDir folder;
    QList<QByteArray> values;
    if (app.inspector()->files()->exportCsv(fileIn(folder, "trace.csv")).valid()) return values;
    const QList<QList<QByteArray>> rows = csvRows(bytesOf(folder.filePath("trace.csv")));
    const qsizetype column = rows.front().indexOf(name);
    for (const QList<QByteArray>& line : rows.mid(1))
        if (line[3] == "1" && line[4] == "0" && line[5] == "0") values.append(line[column]);
    return values;
}

QStringList wordsOf(const SharePicture& picture) {
    QStringList words;
    for (const SharePicture::Text& text : picture.texts()) words.append(text.words);
    return words;
}

} // namespace

class TestInspectorFiles : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void initTestCase() { useEnglishNumbers(); }
    void n21TheCsvIsThatOfTheCommandLine();
    void n21ThePromptIsTheOneThatWasRead();
    void n21WithoutTheModelTokensHaveNoWords();
    void n22APictureNamesPromptModelAndAxes();
    void aPictureNamesTheQuestionBeforeTheTools();
    void f30APictureHasTheLettersOfTheWindow();
    void n22ChartsAreSharedWithTheirFigures();
    void chartsOfAChatSaySo();
    void aComparisonIsSavedWithItsRuns();
    void tokensAreSavedInTheirColours();
    void aPictureOfNothingIsRefused();
    void n3AnEmptyPathIsRefusedInWords();
    void aLargeGridFitsIntoThePicture();
    void everyKindHasItsLegend();

  private:
    /// Has its answers written at once, and recorded.
    static void open(AppBench& bench) {
        OPEN_MODEL(bench);
        bench.control().allowAll();
        bench.app().inspector()->setEnabled(true);
    }
};

void TestInspectorFiles::n21TheCsvIsThatOfTheCommandLine() {
    if (!QFile::exists(QStringLiteral(COTERIE_GUIDE))) QSKIP("this build has no demo model");
    const QString prompt = QStringLiteral("Tell me a story, \"long\" or short,\nabout a fox.");
    const QTemporaryDir folder;
    const Run run =
        cli({"trace", COTERIE_GUIDE, "--prompt", prompt, "--out", folder.filePath("cli.csv"), "--temperature", "0",
             "--max-tokens", "24", "--no-thinking", "--data-dir", folder.filePath("records")});
    QVERIFY2(run.code == 0, run.err.constData());
    App app({.dataFolder = folder.filePath("data"),
             .factory = engine::openSession,
             .model = QStringLiteral(COTERIE_GUIDE),
             .packedFiles = {}});
    app.settings()->autoTitles = false;
    app.settings()->temperature = 0;
    app.settings()->maxTokens = 24;
    app.settings()->thinking = false;
    app.start();
    QTRY_COMPARE(app.models()->state(), ModelController::Ready);
    app.inspector()->setEnabled(true);
    QVERIFY(answerTo(app, prompt));
    QVERIFY(!app.inspector()->files()->exportCsv(fileIn(folder, "window.csv")).valid());
    QVERIFY(!app.inspector()->files()->exportJson(fileIn(folder, "window.json")).valid());

    const QList<QList<QByteArray>> window = csvRows(bytesOf(folder.filePath("window.csv"))),
                                   command = csvRows(bytesOf(folder.filePath("cli.csv")));
    QVERIFY(command.size() > 100);
    QCOMPARE(window.size(), command.size());
    QCOMPARE(window.front(), command.front());
    // Times differ from run to run, and an expert is there sooner if the model was open for longer before the prompt.
    const QList<QByteArray> differing{"hit", "wait_s", "seconds"};
    QStringList promptWords;
    for (qsizetype i = 1; i < command.size(); ++i) {
        QCOMPARE(window[i].size(), command[i].size());
        for (qsizetype column = 0; column < command[i].size(); ++column)
            if (!differing.contains(command.front()[column]))
                QVERIFY2(window[i][column] == command[i][column],
                         qPrintable(QStringLiteral("line %1, %2: %3, and %4 by the command line")
                                        .arg(i)
                                        .arg(command.front()[column], window[i][column], command[i][column])));
        if (command[i][3] == "1") promptWords.append(QString::fromUtf8(window[i][2]));
    }
    QVERIFY2(promptWords.join(QString()).contains("fox"), qPrintable(promptWords.join(u'|')));
    // The JSON has the same tokens.
    const QJsonArray tokens =
        QJsonDocument::fromJson(bytesOf(folder.filePath("window.json"))).object()["tokens"].toArray();
    QMap<int, QPair<int, QString>> byPosition;
    for (const QList<QByteArray>& line : command.mid(1))
        byPosition[line[0].toInt()] = {line[1].toInt(), QString::fromUtf8(line[2])};
    QCOMPARE(tokens.size(), byPosition.size());
    for (const QJsonValue& token : tokens)
        QCOMPARE((QPair<int, QString>(token["token"].toInt(-1), token["text"].toString())),
                 byPosition[token["position"].toInt()]);
}

/// The record has the prompt's tokens, whatever the system prompt is now.
void TestInspectorFiles::n21ThePromptIsTheOneThatWasRead() {
    AppBench bench(story());
    open(bench);
    bench.app().settings()->systemPrompt = QStringLiteral("Be");
    QVERIFY(answerTo(bench.app(), "Fox"));
    const QList<QByteArray> words{"B", "e", "F", "o", "x"}, ids{"66", "101", "70", "111", "120"};
    QCOMPARE(promptColumn(bench.app(), "text"), words);
    bench.app().settings()->systemPrompt = QStringLiteral("No");
    QCOMPARE(promptColumn(bench.app(), "text"), words);
    QCOMPARE(promptColumn(bench.app(), "token"), ids);
    QVERIFY(bench.app().inspector()->files()->promptRemark().isEmpty());
    // The same after a start, when the record comes from the store.
    bench.restart();
    OPEN_MODEL(bench);
    bench.app().inspector()->setEnabled(true);
    QTRY_COMPARE(bench.app().inspector()->condition(), Inspector::Ready);
    QCOMPARE(promptColumn(bench.app(), "text"), words);
    QCOMPARE(promptColumn(bench.app(), "token"), ids);
}

/// Without the model only the question's words are known, from the message: the fake has them in the second token.
void TestInspectorFiles::n21WithoutTheModelTokensHaveNoWords() {
    AppBench bench(story());
    open(bench);
    QVERIFY(answerTo(bench.app(), "Hello"));
    QVERIFY(bench.app().inspector()->files()->promptRemark().isEmpty());
    bench.models().close();
    QTRY_VERIFY(!bench.models().openInfo());
    QCOMPARE(promptColumn(bench.app(), "token"), (QList<QByteArray>{"72", "101", "108", "108", "111"}));
    QCOMPARE(promptColumn(bench.app(), "text"), (QList<QByteArray>{"", "Hello", "", "", ""}));
    QVERIFY(bench.app().inspector()->files()->promptRemark().startsWith("The file has only the numbers"));
}

void TestInspectorFiles::n22APictureNamesPromptModelAndAxes() {
    AppBench bench(story("Tiny Moon 3B"));
    open(bench);
    Inspector& inspector = *bench.app().inspector();
    const QString prompt =
        QStringLiteral("Why is the sea blue? ") + QStringLiteral("Say it in many words. ").repeated(20);
    QVERIFY(answerTo(bench.app(), prompt));
    inspector.grid()->setMode(ActivityGrid::Reply);
    const QTemporaryDir folder;
    for (const bool dark : {false, true}) {
        inspector.tokens()->setDark(dark);
        QVERIFY(!inspector.files()->exportPng(fileIn(folder, "grid.png")).valid());
        const QImage saved(folder.filePath("grid.png"));
        QCOMPARE(saved.width(), 1600);
        const SharePicture picture(inspector.files()->sharedGrid());
        const QStringList words = wordsOf(picture);
        const auto beginning = [&](const QString& with) {
            return std::any_of(words.begin(), words.end(), [&](const QString& each) { return each.startsWith(with); });
        };
        QVERIFY2(words.front().startsWith(bench.chat().title().left(12)), qPrintable(words.front()));
        QVERIFY2(beginning(QStringLiteral("\u201cWhy is the sea blue?")), qPrintable(words.join(u'\n')));
        QVERIFY2(!words.join(QString()).contains(prompt.simplified()), "the prompt is not cut");
        const QString date =
            QLocale().toString(bench.chat().messages()->rows().back().created.date(), QLocale::LongFormat);
        QVERIFY2(words.contains(QStringLiteral("Tiny Moon 3B \u00b7 ") + date), qPrintable(words.join(u'\n')));
        QVERIFY(words.contains(inspector.grid()->text()));
        QCOMPARE(words.back(), QStringLiteral("Coterie"));
        // Beside the name at the right is the mark, with lit dots in it.
        const QRectF name(picture.texts().back().place.topLeft() * 2, picture.texts().back().place.size() * 2);
        const QRgb ember = mapAnchors(ColourMap::Heat, dark).through;
        int lit = 0;
        for (int y = static_cast<int>(name.top()); y < static_cast<int>(name.bottom()); ++y)
            for (int x = static_cast<int>(name.center().x()); x < static_cast<int>(name.right()); ++x)
                lit += saved.pixel(x, y) == ember ? 1 : 0;
        QVERIFY2(lit >= 12, qPrintable(QString::number(lit)));
        // The axes: each layer, and experts up to the last ones.
        for (const char* label : {"layer 0", "1", "2", "3", "expert", "0", "30", "not used"})
            QVERIFY2(words.contains(QLatin1String(label)), label);
        // Every text is inside the picture and drawn, and no two overlap.
        for (size_t i = 0; i < picture.texts().size(); ++i) {
            const SharePicture::Text& text = picture.texts()[i];
            const QRectF place(text.place.topLeft() * 2, text.place.size() * 2);
            QVERIFY2(QRectF(saved.rect()).contains(place), qPrintable(text.words));
            QVERIFY2(inked(saved, place) > 5, qPrintable(text.words));
            for (size_t other = 0; other < i; ++other)
                QVERIFY2(!picture.texts()[other].place.intersects(text.place),
                         qPrintable(text.words + u'|' + picture.texts()[other].words));
        }
        const ExpertGrid& grid = *inspector.grid()->cells();
        for (int l = 0; l < grid.layers(); ++l)
            for (int e = 0; e < grid.experts(); ++e)
                QCOMPARE(saved.pixel((picture.cell(l, e).topLeft() + QPointF(4, 4)).toPoint()),
                         cellColour(grid, grid.value(l, e), dark).rgb());
    }
}

void TestInspectorFiles::n22ChartsAreSharedWithTheirFigures() {
    AppBench bench(story());
    open(bench);
    Inspector& inspector = *bench.app().inspector();
    QVERIFY(answerTo(bench.app(), "Why is the sea blue?"));
    QTRY_VERIFY(!inspector.charts()->coverage().empty());
    const QTemporaryDir folder;
    QVERIFY(!inspector.files()->exportCharts(fileIn(folder, "charts.png")).valid());
    const QImage saved(folder.filePath("charts.png"));
    QCOMPARE(saved.width(), 1600);
    QVERIFY(saved.height() > 1000);
    const QStringList words = wordsOf(SharePicture(inspector.files()->sharedCharts()));
    QVERIFY(words.contains(QStringLiteral("\u201cWhy is the sea blue?\u201d")));
    QVERIFY(words.contains(QStringLiteral("From memory")));
    QVERIFY(words.contains(QStringLiteral("Different experts used, by tokens")));
    QVERIFY(words.contains(QStringLiteral("Share of active neurons in each layer")));
}

/// Beside the grid of the chat, charts add its answers up. Sentence and figures are still those of one answer.
void TestInspectorFiles::chartsOfAChatSaySo() {
    AppBench bench(story());
    open(bench);
    Inspector& inspector = *bench.app().inspector();
    QVERIFY(answerTo(bench.app(), "Hello"));
    QVERIFY(answerTo(bench.app(), "Again"));
    const QString said = QStringLiteral("From 2 answer(s) of this chat.");
    const auto shared = [&] { return wordsOf(SharePicture(inspector.files()->sharedCharts())).filter(said); };
    QTRY_VERIFY(inspector.charts()->measured());
    QVERIFY(!inspector.files()->summary().contains(said));
    QVERIFY(shared().isEmpty());
    inspector.grid()->setMode(ActivityGrid::Chat);
    QTRY_VERIFY(inspector.charts()->measured() && inspector.charts()->text() == said);
    QVERIFY2(inspector.files()->summary().contains(said), qPrintable(inspector.files()->summary()));
    QCOMPARE(shared().size(), static_cast<qsizetype>(inspector.files()->sharedCharts().charts.size()));
    QVERIFY(!shared().isEmpty());
}

/// Both stand beside each other below the difference, as in the window.
void TestInspectorFiles::aComparisonIsSavedWithItsRuns() {
    AppBench bench(story());
    open(bench);
    Inspector& inspector = *bench.app().inspector();
    QVERIFY(answerTo(bench.app(), "Why is the sea blue?"));
    inspector.grid()->setMode(ActivityGrid::Reply);
    QVERIFY(inspector.files()->sharedGrid().runs.empty());
    inspector.comparison()->setAgainst(AnswerComparison::Prompt);
    QCOMPARE(inspector.grid()->cells()->kind(), ExpertGrid::Difference);
    const QTemporaryDir folder;
    QVERIFY(!inspector.files()->exportPng(fileIn(folder, "both.png")).valid());
    const QImage saved(folder.filePath("both.png"));
    const SharePicture picture(inspector.files()->sharedGrid());
    for (const QString& words : {QStringLiteral("This answer"), QStringLiteral("Its prompt"), inspector.grid()->text(),
                                 inspector.grid()->comparedText()})
        QVERIFY2(wordsOf(picture).contains(words.simplified()), qPrintable(words));
    const ExpertGrid* const runs[] = {inspector.grid()->answerCells(), inspector.grid()->comparedCells()};
    for (size_t run = 0; run < 2; ++run) {
        for (int l = 0; l < runs[run]->layers(); ++l) {
            for (int e = 0; e < runs[run]->experts(); ++e) {
                const QRectF cell = picture.runCell(run, l, e);
                QVERIFY(QRectF(saved.rect()).contains(cell));
                QCOMPARE(saved.pixel((cell.topLeft() + QPointF(2, 2)).toPoint()), // beside its figure
                         cellColour(*runs[run], runs[run]->value(l, e), false).rgb());
            }
        }
    }
    QVERIFY(picture.runCell(0, 0, 31).right() < picture.runCell(1, 0, 0).left());
    QVERIFY(picture.cell(3, 0).bottom() < picture.runCell(0, 0, 0).top());
    for (size_t i = 0; i < picture.texts().size(); ++i)
        for (size_t other = 0; other < i; ++other)
            QVERIFY2(!picture.texts()[other].place.intersects(picture.texts()[i].place),
                     qPrintable(picture.texts()[i].words + u'|' + picture.texts()[other].words));
}

/// A measure colours the tokens, or else the selected expert; the picture says which, as the window does.
void TestInspectorFiles::tokensAreSavedInTheirColours() {
    AppBench bench(story());
    open(bench);
    Inspector& inspector = *bench.app().inspector();
    QVERIFY(answerTo(bench.app(), "Why is the sea blue?"));
    const QTemporaryDir folder;
    const auto tinted = [&](bool dark) {
        std::vector<int> tokens;
        const SharedPage page = inspector.files()->sharedTokens();
        const SharePicture picture(page);
        const QImage saved(folder.filePath("tokens.png"));
        const QRgb ground = saved.pixel(0, 0);
        for (int i = 0; i < inspector.tokens()->strip().all; ++i) {
            const QRectF cell = picture.tokenCell(page.strips.size() - 1, i);
            if (!QRectF(saved.rect()).contains(cell)) return std::vector<int>{-1};
            if (saved.pixel((cell.topLeft() + QPointF(4, 4)).toPoint()) != ground) tokens.push_back(i);
        }
        return (qGray(ground) < 128) == dark ? tokens : std::vector<int>{-2};
    };
    for (const bool dark : {false, true}) {
        inspector.tokens()->setDark(dark);
        inspector.tokens()->setMeasure(TokenMeasure::None);
        QVERIFY(!inspector.files()->exportTokens(fileIn(folder, "tokens.png")).valid());
        QCOMPARE(tinted(dark), std::vector<int>{});
        inspector.tokens()->setMeasure(TokenMeasure::Time);
        QVERIFY(!inspector.files()->exportTokens(fileIn(folder, "tokens.png")).valid());
        QVERIFY(!tinted(dark).empty());
        QStringList words = wordsOf(SharePicture(inspector.files()->sharedTokens()));
        QVERIFY(words.contains(QStringLiteral("\u201cWhy is the sea blue?\u201d")));
        QVERIFY2(words.contains(inspector.tokens()->measureText()), qPrintable(words.join(u'\n')));
        QVERIFY2(words.contains(QStringLiteral("All 8 token(s) of the answer")), qPrintable(words.join(u'\n')));

        const int position = inspector.timeline()->answerBegins() + 2;
        inspector.timeline()->setPosition(position);
        const auto route = inspector.shown().record()->token(position);
        QVERIFY(route && !route->layers.empty() && !route->layers[0].uses.empty());
        const int layer = static_cast<int>(route->layers[0].layer),
                  expert = static_cast<int>(route->layers[0].uses[0].expert);
        inspector.grid()->select(layer, expert);
        std::vector<int> served;
        for (const int at : inspector.shown().record()->servedBy(layer, expert, inspector.timeline()->answerBegins()))
            served.push_back(at - inspector.timeline()->answerBegins());
        QVERIFY(std::find(served.begin(), served.end(), 2) != served.end());
        QVERIFY(!inspector.files()->exportTokens(fileIn(folder, "tokens.png")).valid());
        QCOMPARE(tinted(dark), served);
        words = wordsOf(SharePicture(inspector.files()->sharedTokens()));
        QVERIFY2(words.contains(inspector.tokens()->selectionText()), qPrintable(words.join(u'\n')));
        inspector.grid()->deselect();
    }
    QCOMPARE(inspector.files()->suggestedName("tokens"), QStringLiteral("Why is the sea blue - tokens.png"));
}

void TestInspectorFiles::aPictureOfNothingIsRefused() {
    AppBench bench(story());
    Inspector& inspector = *bench.app().inspector();
    inspector.setEnabled(true);
    const QTemporaryDir folder;
    QCOMPARE(inspector.files()->exportPng(fileIn(folder, "grid.png")).why,
             QStringLiteral("There is nothing to show yet"));
    QCOMPARE(inspector.files()->exportCharts(fileIn(folder, "grid.png")).why,
             QStringLiteral("There is nothing to show yet"));
    QCOMPARE(inspector.files()->exportTokens(fileIn(folder, "grid.png")).why,
             QStringLiteral("There is nothing to show yet"));
    QVERIFY(!QFile::exists(folder.filePath("grid.png")));
}

/// A dialog can end without a file. Every way to save says so, and not with the system's words.
void TestInspectorFiles::n3AnEmptyPathIsRefusedInWords() {
    AppBench bench(story());
    open(bench);
    Inspector& inspector = *bench.app().inspector();
    QVERIFY(answerTo(bench.app(), "Hello: a / b"));
    const QUrl none;
    for (const ErrorInfo& error :
         {inspector.files()->exportCsv(none), inspector.files()->exportJson(none), inspector.files()->exportPng(none),
          inspector.files()->exportCharts(none), inspector.files()->exportTokens(none)})
        QCOMPARE(error.why, QStringLiteral("No file was named"));
    bench.app().exchange()->exportChat(bench.chat().chatId(), ChatExchange::Json, none);
    QCOMPARE(bench.app().exchange()->state(), ChatExchange::Failed);
    QCOMPARE(bench.app().exchange()->error().why, QStringLiteral("No file was named"));
    QCOMPARE(inspector.files()->suggestedName("csv"), QStringLiteral("Hello a b.csv"));
}

/// The answer follows the result of a tool, which nobody asked.
void TestInspectorFiles::aPictureNamesTheQuestionBeforeTheTools() {
    AppBench bench(*fakeScript("tools"));
    open(bench);
    bench.app().settings()->setValue(QStringLiteral("tools"), true);
    const QString asked = QStringLiteral("What is twice seven?");
    QVERIFY(bench.chat().send(asked));
    QTRY_VERIFY(bench.app().tools()->asking());
    QCOMPARE(bench.app().inspector()->files()->sharedGrid().prompt, asked);
    bench.app().tools()->allow(false);
    QTRY_COMPARE(bench.lastText(), QStringLiteral("It is 14."));
    QTRY_VERIFY(!bench.chat().busy() && bench.app().inspector()->condition() == Inspector::Ready);
    QCOMPARE(bench.app().inspector()->messageId(), bench.chat().messages()->lastId());
    QCOMPARE(bench.app().inspector()->files()->sharedGrid().prompt, asked);
}

void TestInspectorFiles::f30APictureHasTheLettersOfTheWindow() {
    AppBench bench(story("Tiny Moon 3B"));
    InspectorFiles& files = *bench.app().inspector()->files();
    QVERIFY(files.setProperty("family", QStringLiteral("Letters of the window")));
    const SharePicture picture(files.sharedCharts());
    QVERIFY(!picture.texts().empty());
    for (const SharePicture::Text& text : picture.texts())
        QCOMPARE(text.font.family(), QStringLiteral("Letters of the window"));
}

void TestInspectorFiles::aLargeGridFitsIntoThePicture() {
    ExpertGrid grid;
    GridContent content{.kind = ExpertGrid::Counts, .expertsOfLayer = std::vector<int64_t>(48, 256), .most = 4};
    for (int i = 0; i < 48 * 256; ++i) content.values.push_back(i % 5);
    grid.setContent(content);
    const SharePicture picture({.title = "A large one", .grid = &grid});
    const QImage image = picture.draw();
    QCOMPARE(image.width(), 1600);
    QVERIFY(QRectF(image.rect()).contains(picture.cell(47, 255)));
    for (int l = 0; l < 48; ++l)
        for (int e = 0; e < 256; ++e)
            QCOMPARE(image.pixel(picture.cell(l, e).center().toPoint()),
                     cellColour(grid, grid.value(l, e), false).rgb());
    for (const char* label : {"layer 0", "45", "0", "250"})
        QVERIFY2(wordsOf(picture).contains(QLatin1String(label)), label);
    for (size_t i = 0; i < picture.texts().size(); ++i)
        for (size_t other = 0; other < i; ++other)
            QVERIFY2(!picture.texts()[other].place.intersects(picture.texts()[i].place),
                     qPrintable(picture.texts()[i].words + u'|' + picture.texts()[other].words));
}

void TestInspectorFiles::everyKindHasItsLegend() {
    ExpertGrid grid;
    const auto words = [&](ExpertGrid::Kind kind, double most, int64_t experts = 3) {
        const auto cells = static_cast<size_t>(experts);
        grid.setContent({.kind = kind,
                         .expertsOfLayer = std::vector<int64_t>{experts},
                         .values = std::vector<double>(cells, most),
                         .most = most});
        const SharePicture picture({.title = "Kind", .grid = &grid});
        return picture.draw().isNull() ? QStringList() : wordsOf(picture);
    };
    QVERIFY(words(ExpertGrid::Weights, 0.5).contains(QStringLiteral("weight 0.50")));
    QVERIFY(words(ExpertGrid::Counts, 7).contains(QStringLiteral("7 token(s)")));
    QVERIFY(words(ExpertGrid::Difference, 0.34).contains(QStringLiteral("34 points less")));
    QVERIFY(words(ExpertGrid::Places, 2).contains(QStringLiteral("arriving")));
    QVERIFY(!words(ExpertGrid::Places, 2).contains(QStringLiteral("in the GPU's memory")));
    grid.setContent({.kind = ExpertGrid::Places, .expertsOfLayer = {2}, .places = {0, 3}});
    const SharePicture onGpu({.title = "Kind", .grid = &grid});
    QVERIFY(wordsOf(onGpu).contains(QStringLiteral("in the GPU's memory")));
    QVERIFY(!onGpu.draw().isNull());
    const QStringList dense = words(ExpertGrid::Waits, 0.002, 1);
    QVERIFY(dense.contains(QStringLiteral("waited 2.0 ms")));
    QVERIFY(!dense.contains(QStringLiteral("expert")));
}

QTEST_MAIN(TestInspectorFiles)
#include "tst_inspector_files.moc"
