// SPDX-License-Identifier: Apache-2.0
// The tools that the program runs: what they return, and how calls are asked for, run and answered with a real store
// and a scripted engine.
#include "fakes/fake_session.h"
#include "shell/app.h"
#include "tools/calculator.h"
#include "tools/tool_box.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include <cmath>
#include <random>

using namespace coterie;
using namespace coterie::app;
using namespace coterie::test;

namespace {

MessagePart call(const char* tool, const char* arguments) {
    MessagePart part;
    part.kind = PartKind::ToolCall;
    part.tool = QLatin1String(tool);
    part.arguments = QString::fromUtf8(arguments);
    return part;
}

FakeScript calling(std::vector<engine::ToolCall> calls) {
    FakeScript script;
    script.promptTokens = 1;
    for (engine::ToolCall& asked : calls) script.pieces.emplace_back(std::move(asked));
    script.afterTools = {"It ", "is ", "14."};
    return script;
}

const engine::ToolCall kSum{.name = "calculator", .arguments = R"json({"expression": "2*(3+4)"})json"};
const engine::ToolCall kTime{.name = "current_time", .arguments = "{}"};

/// The program over a scripted engine, with tools switched on.
struct Program {
    explicit Program(const FakeScript& from) : script(from) {
        control->allowAll();
        start();
    }
    void start() {
        app = std::make_unique<App>(
            AppOptions{.dataFolder = folder.path(), .factory = fakeFactory(script, control), .model = {}});
        QFile file(folder.filePath(QStringLiteral("model.gguf")));
        if (!file.open(QIODevice::WriteOnly)) qFatal("no model file");
        app->settings()->setValue(QStringLiteral("tools"), true);
        app->settings()->autoTitles = false; // each request belongs to an answer
        app->models()->open(file.fileName());
        if (!QTest::qWaitFor([this] { return app->conversation()->canSend(); }, kPatienceMs)) qFatal("no model");
    }
    /// Ends the program and starts it again with this chat.
    void restart(qint64 chat) {
        app.reset();
        start();
        app->conversation()->openChat(chat);
    }
    const std::vector<MessageRow>& rows() { return app->conversation()->messages()->rows(); }
    QString lastText() { return rows().empty() ? QString() : rows().back().text(); }
    bool ended(size_t messages) {
        return QTest::qWaitFor([&] { return rows().size() == messages && !app->conversation()->busy(); }, kPatienceMs);
    }
    bool asked() {
        return QTest::qWaitFor([this] { return app->tools()->asking(); }, kPatienceMs);
    }
    void always(const char* key) { app->settings()->setValue(QLatin1String(key), QStringLiteral("always")); }

    FakeScript script;
    QTemporaryDir folder;
    std::shared_ptr<FakeControl> control = std::make_shared<FakeControl>();
    std::unique_ptr<App> app;
};

} // namespace

class TestTools : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void calculator_data();
    void calculator();
    void calculatorRefusesWhatIsNoArithmetic_data();
    void calculatorRefusesWhatIsNoArithmetic();
    void calculatorTakesAnyText();
    void currentTime();
    void readAnAttachedFile();
    void argumentsOfAnotherTypeAreRead();
    void noCharacterOfAFileIsCut();
    void searchMyChats();
    void wrongCallsAreAnswered();
    void definitionsAreFunctions();
    void askedOnceThenAnswered();
    void theQuestionShowsWhatWasWritten();
    void alwaysAndNeverAreRemembered();
    void alwaysAndNeverAreTakenBack();
    void severalCallsOfOneAnswer();
    void toolsAreOffUnlessOffered();
    void aLoopIsLimited();
    void aLoopCanBeStopped();
    void aQuestionOutlivesTheProgram();
    void aStoppedQuestionIsNotAskedAgain();
    void whatWasNotRunWithToolsOffIsNotAskedLater();
    void aMessageInsteadOfAnAnswerToTheQuestion();
    void aChatInTheBackgroundWaits();
    void eachOfTwoChatsAsks();
    void eachOfTwoVersionsAsks();
    void eachVersionAsksAfterARestart();
    void aVersionKeepsWhatWasAnswered();
    void aVersionAsksAlsoWithToolsOffNow();
    void aVersionAsksOnceTheOtherIsWritten();
    void aResultOfAVersionOutOfViewIsAskedForAgain();
    void aFileOfATemporaryChatIsRead();
};

void TestTools::calculator_data() {
    QTest::addColumn<QString>("expression");
    QTest::addColumn<QString>("result");
    const auto row = [](const char* expression, const char* result) {
        QTest::newRow(expression) << QString::fromUtf8(expression) << QString::fromLatin1(result);
    };
    row("2 + 3 * 4", "14");
    row("(2 + 3) * 4", "20");
    row("2^3^2", "512");
    row("2**10", "1024");
    row("-2^2", "-4");
    row("2^-1", "0.5");
    row("10 - 4 - 3", "3");
    row("100 / 8 / 2", "6.25");
    row("17 % 5", "2");
    row("0.1 + 0.2", "0.3");
    row("1e3 + 1.5e-1", "1000.15");
    row("5!", "120");
    row("3!!", "720");
    row("sqrt(16) + abs(-3)", "7");
    row("max(1, 7, 3) - min(4, 2)", "5");
    row("ln(e)", "1");
    row("log(1000)", "3");
    row("cos(pi)", "-1");
    row("0 * -1", "0");
    row("6 \u00d7 7 \u00f7 2 \u2212 1", "20");
    row("123456789 * 1000", "123456789000");
    row("2^53 + 1", "9007199254740993"); // no double has this value
    row("2^60", "1152921504606846976");
    row("2^63 - 1", "about 9.22337203685478e+18"); // 2^63 does not fit
    row("-2^62 * 2", "-9223372036854775808");
    row("-2^62 * 2 / -1", "about 9.22337203685478e+18");
    row("-2^62 * 2 % (-1)", "0");
    row("abs(-2^62 * 2)", "about 9.22337203685478e+18");
    row("9223372036854775807", "9223372036854775807");
    row("12345678901234567890 * 3", "about 3.70370367037037e+19");
    row("4000000000000000001 - 1", "4000000000000000000");
    row("3037000500 * 3037000500", "about 9.22337203700025e+18");
    row("1000000000000000003 / 1", "1000000000000000003");
    row("1000000000000000003 % 10", "3");
    row("1000000000000000001 / 2", "about 5e+17");
    row("max(1000000000000000001, 1000000000000000003)", "1000000000000000003");
    row("min(1000000000000000001, 1000000000000000003)", "1000000000000000001");
    row("round(1000000000000000001)", "1000000000000000001");
    row("floor(7.5) + 2^60", "1152921504606846983");
    row("abs(-3) + 2^60", "1152921504606846979");
    row("20!", "2432902008176640000");
    row("21!", "about 5.10909421717094e+19");
    row("170!", "about 7.257415615308e+306");
    row("1e18 + 1", "1000000000000000001");
    row("12e2", "1200");
    row("1.5e15", "about 1.5e+15");
    row("1e15 / 7", "142857142857143");
    row("(-1)^1000000000000000001", "-1");
    row("1^1000000000000000000 + 0^5", "1");
    row("0^0", "1");
    row("2.5 * 2", "5");
    row("-7 % (-3)", "-1");
    row("1/(1 + exp(1000))", "0"); // too large in between, but the whole is known
    row("1/3", "0.333333333333333");
}

void TestTools::calculator() {
    QFETCH(const QString, expression);
    QFETCH(const QString, result);
    const Calculated is = calculate(expression);
    QVERIFY2(is.value, qPrintable(is.problem));
    QCOMPARE(calculatedText(is), result);
}

void TestTools::calculatorRefusesWhatIsNoArithmetic_data() {
    QTest::addColumn<QString>("expression");
    for (const char* expression : {"", "2 +", "(2", "2)", "2 3", "x", "sqrt", "sqrt()", "sqrt(1, 2)", "system(1)", "2e",
                                   "..", "1/0", "sqrt(-1)", "171!", "(-1)!", "2.5!", "10^400",
                                   // A later step hides one that has no result.
                                   "1/(1/0)", "max(5, 0/0)", "min(5, sqrt(-1))", "(0/0)^0", "1^ln(-1)", "exp(ln(0))",
                                   "5 % 0", "1/0^-1", "max(2, ln(0))",
                                   // A sign for per cent
                                   "200 * 15% + 30", "200 * 15% - 1", "15% * 200", "200 * (15%)", "max(15%, 2)", "15%"})
        QTest::newRow(expression) << QString::fromLatin1(expression);
    QTest::newRow("too deep") << QString(500, u'(');
    QTest::newRow("too many signs") << QString(999, u'-');
    QTest::newRow("too long") << QString(100000, u'1');
}

void TestTools::calculatorRefusesWhatIsNoArithmetic() {
    QFETCH(const QString, expression);
    const Calculated is = calculate(expression);
    QVERIFY(!is.value);
    QVERIFY(!is.problem.isEmpty());
    const bool percent = expression.contains(u"15%");
    QCOMPARE(is.problem.contains(QStringLiteral("15/100")), percent); // it says how to write that
}

void TestTools::calculatorTakesAnyText() {
    std::mt19937 random(17);
    const QString letters = QStringLiteral("0123456789.+-*/%^!(),esqrtpi \u00d7");
    for (int i = 0; i < 20000; ++i) {
        QString text;
        for (auto n = random() % 40; n > 0; --n)
            text += letters[static_cast<qsizetype>(random() % static_cast<unsigned>(letters.size()))];
        const Calculated is = calculate(text);
        QVERIFY(is.value.has_value() == is.problem.isEmpty());
        if (is.value) QVERIFY(std::isfinite(*is.value));
    }
}

void TestTools::currentTime() {
    const QDateTime now(QDate(2026, 2, 3), QTime(4, 5, 6), Qt::UTC);
    QCOMPARE(runTool(call("current_time", "{}"), {.now = now}), QStringLiteral("Tuesday, 2026-02-03 04:05:06 UTC"));
}

void TestTools::readAnAttachedFile() {
    MessageRow prompt;
    MessagePart file;
    file.kind = PartKind::Attachment;
    file.name = QStringLiteral("notes.txt");
    file.text = QString(5000, u'a') + QString(10, u'b');
    prompt.parts = {file};
    const ToolPlace place{.path = {prompt}};
    const QString first = runTool(call("read_file", R"({"name": "notes.txt"})"), place);
    QVERIFY(first.startsWith(QString(4000, u'a') + QStringLiteral("\n[")));
    QVERIFY(first.contains(QStringLiteral("start 4000")));
    QCOMPARE(runTool(call("read_file", R"({"name": "notes.txt", "start": 5000})"), place), QString(10, u'b'));
    QCOMPARE(runTool(call("read_file", R"({"name": "notes.txt", "start": 1e300})"), place), QString());
    QCOMPARE(runTool(call("read_file", R"({"name": "notes.txt", "start": -7})"), place), first);
    QVERIFY(runTool(call("read_file", R"({"name": "other"})"), place).contains(QStringLiteral("notes.txt")));
    QVERIFY(runTool(call("read_file", R"({"name": "notes.txt"})"), {}).startsWith(QStringLiteral("No file")));
}

/// Models write numbers as texts, and names as numbers.
void TestTools::argumentsOfAnotherTypeAreRead() {
    MessageRow prompt;
    MessagePart file;
    file.kind = PartKind::Attachment;
    file.name = QStringLiteral("2024");
    file.text = QString(4000, u'a') + QString(10, u'b');
    prompt.parts = {file};
    const ToolPlace place{.path = {prompt}};
    QCOMPARE(runTool(call("read_file", R"({"name": "2024", "start": "4000"})"), place), QString(10, u'b'));
    QCOMPARE(runTool(call("read_file", R"({"name": 2024, "start": 4000})"), place), QString(10, u'b'));
    for (const char* start : {R"("nan")", R"("end")", "null", "[1]"}) {
        const QByteArray arguments = QByteArray(R"({"name": 2024, "start": )") + start + '}';
        QVERIFY(runTool(call("read_file", arguments.constData()), place).startsWith(u'a'));
    }
    QCOMPARE(runTool(call("calculator", R"({"expression": 7})"), {}), QStringLiteral("7"));
    QVERIFY(!runTool(call("search_chats", R"({"words": 42})"), {}).startsWith(QStringLiteral("Say which")));
}

/// A character of two halves is in one piece or in the next one.
void TestTools::noCharacterOfAFileIsCut() {
    MessageRow prompt;
    MessagePart file;
    file.kind = PartKind::Attachment;
    file.name = QStringLiteral("a");
    const QString smile = QString::fromUtf8("\xF0\x9F\x98\x80");
    file.text = QString(3999, u'a') + smile + QStringLiteral("b");
    prompt.parts = {file};
    const ToolPlace place{.path = {prompt}};
    const QString first = runTool(call("read_file", R"({"name": "a"})"), place);
    QCOMPARE(first, QString(3999, u'a') + QStringLiteral("\n[The file goes on: read it with start 3999.]"));
    for (const char* arguments : {R"({"name": "a", "start": 3999})", R"({"name": "a", "start": 4000})"})
        QCOMPARE(runTool(call("read_file", arguments), place), smile + u'b');
}

void TestTools::searchMyChats() {
    QTemporaryDir folder;
    auto store = ChatStore::open({.folder = folder.path(), .migrations = {}});
    QVERIFY(store);
    QVERIFY((*store)->addTurn(
        {.title = QStringLiteral("Harbour"), .prompt = QStringLiteral("The lighthouse is white"), .model = {}}));
    const ToolPlace place{.chats = store->get()};
    const QString found = runTool(call("search_chats", R"({"words": "lighthouse"})"), place);
    QVERIFY2(found.contains(QStringLiteral("Harbour")) && found.contains(QStringLiteral("lighthouse is white")),
             qPrintable(found));
    QVERIFY(!found.contains(QStringLiteral("No message")));
    const QString scattered = runTool(call("search_chats", R"({"words": "white harbour"})"), place);
    QVERIFY2(scattered.startsWith(QStringLiteral("No message contains all of these words.")) &&
                 scattered.contains(QStringLiteral("lighthouse is white")),
             qPrintable(scattered));
    QVERIFY(runTool(call("search_chats", R"({"words": "submarine"})"), place).startsWith(QStringLiteral("No chat")));
    QVERIFY(runTool(call("search_chats", R"({"words": " "})"), place).startsWith(QStringLiteral("Say which")));
}

void TestTools::wrongCallsAreAnswered() {
    QVERIFY(runTool(call("rm", "{}"), {}).contains(QStringLiteral("calculator")));
    QVERIFY(runTool(call("calculator", "[1]"), {}).contains(QStringLiteral("JSON object")));
    QVERIFY(runTool(call("calculator", "{}"), {}).contains(QStringLiteral("\"expression\" is missing")));
    QVERIFY(!runTool(call("calculator", R"({"expression": 7})"), {}).isEmpty());
    MessagePart code = call("", "");
    code.code = QStringLiteral("import os");
    QVERIFY(runTool(code, {}).contains(QStringLiteral("runs no code")));
}

void TestTools::definitionsAreFunctions() {
    const QJsonArray tools = QJsonDocument::fromJson(toolDefinitions()).array();
    QCOMPARE(tools.size(), toolNames().size());
    for (const QJsonValue& tool : tools) {
        QCOMPARE(tool[QStringLiteral("type")].toString(), QStringLiteral("function"));
        const QString name = tool[QStringLiteral("function")][QStringLiteral("name")].toString();
        QVERIFY(toolNames().contains(name));
        QVERIFY(!toolTitle(name).isEmpty());
        QVERIFY(!toolPermissionKey(name).isEmpty());
    }
}

void TestTools::askedOnceThenAnswered() {
    Program program(calling({kSum}));
    QVERIFY(program.app->conversation()->send(QStringLiteral("What is 2*(3+4)?")));
    QVERIFY(program.asked());
    QCOMPARE(program.app->tools()->title(), QStringLiteral("Calculator"));
    QCOMPARE(program.app->tools()->arguments(), QStringLiteral("expression: 2*(3+4)"));
    program.app->tools()->allow(false);
    QVERIFY(program.ended(4));
    QCOMPARE(program.rows()[2].role, engine::Role::Tool);
    QCOMPARE(program.rows()[2].parts.front().text, QStringLiteral("14"));
    QCOMPARE(program.lastText(), QStringLiteral("It is 14."));
    const auto conversation = program.control->conversations().back();
    QCOMPARE(conversation.back(), engine::Message::toolResult("calculator", "14"));
    QVERIFY(!program.control->options().front().prompt.tools.empty());
    // The question was for this call only.
    QVERIFY(program.app->conversation()->send(QStringLiteral("Again")));
    QVERIFY(program.asked());
}

void TestTools::theQuestionShowsWhatWasWritten() {
    const char* const written = R"json({"expression": "2 +\n3", "big": 12345678901234567890123, "small": 1.50,
                                        "list": [1, {"a": null}], "yes": true})json";
    Program program(calling({{.name = "calculator", .arguments = written}}));
    QVERIFY(program.app->conversation()->send(QStringLiteral("What is it?")));
    QVERIFY(program.asked());
    QCOMPARE(program.app->tools()->arguments(),
             QStringLiteral("expression: 2 + 3\nbig: 12345678901234567890123\nsmall: 1.50\nlist: [1,{\"a\":null}]\n"
                            "yes: true"));
}

void TestTools::alwaysAndNeverAreRemembered() {
    Program program(calling({kSum}));
    QVERIFY(program.app->conversation()->send(QStringLiteral("One")));
    QVERIFY(program.asked());
    program.app->tools()->allow(true);
    QVERIFY(program.ended(4));
    QVERIFY(program.app->conversation()->send(QStringLiteral("Two")));
    QVERIFY(program.ended(8)); // without a question
    QCOMPARE(program.rows()[6].parts.front().text, QStringLiteral("14"));

    program.app->settings()->setValue(QStringLiteral("toolCalculator"), QStringLiteral("ask"));
    QVERIFY(program.app->conversation()->send(QStringLiteral("Three")));
    QVERIFY(program.asked());
    program.app->tools()->refuse(true);
    QVERIFY(program.ended(12));
    QCOMPARE(program.rows()[10].parts.front().text, QStringLiteral("The user does not allow this call."));
    QVERIFY(program.app->conversation()->send(QStringLiteral("Four")));
    QVERIFY(program.ended(16));
    QCOMPARE(program.rows()[14].parts.front().text, QStringLiteral("The user does not allow this tool."));
}

void TestTools::alwaysAndNeverAreTakenBack() {
    Program program(calling({kSum}));
    UndoStack& undo = *program.app->undo();
    const auto permission = [&] { return program.app->settings()->value(QStringLiteral("toolCalculator")).toString(); };
    QVERIFY(program.app->conversation()->send(QStringLiteral("One")));
    QVERIFY(program.asked());
    program.app->tools()->allow(true);
    QCOMPARE(undo.notice(), QStringLiteral("Calculator is always allowed from now on"));
    QVERIFY(program.ended(4));
    QCOMPARE(undo.undoTitle(), QStringLiteral("Always allow Calculator"));
    QVERIFY(undo.undo());
    QCOMPARE(permission(), QStringLiteral("ask"));
    QCOMPARE(program.rows().size(), size_t{4}); // the result stays
    QVERIFY(undo.redo());
    QCOMPARE(permission(), QStringLiteral("always"));
    QVERIFY(undo.undo());
    QVERIFY(program.app->conversation()->send(QStringLiteral("Two")));
    QVERIFY(program.asked()); // it asks again
    program.app->tools()->refuse(true);
    QVERIFY(program.ended(8));
    QCOMPARE(undo.undoTitle(), QStringLiteral("Never allow Calculator"));
    QVERIFY(undo.undo());
    QCOMPARE(permission(), QStringLiteral("ask"));
}

void TestTools::severalCallsOfOneAnswer() {
    Program program(calling({kSum, kTime, {.name = "unknown", .arguments = "{}"}}));
    program.always("toolTime");
    QVERIFY(program.app->conversation()->send(QStringLiteral("Both")));
    QVERIFY(program.asked());
    program.app->tools()->allow(false);
    QVERIFY(program.ended(4));
    const auto& results = program.rows()[2].parts;
    QCOMPARE(results.size(), size_t{3});
    QCOMPARE(results[0].text, QStringLiteral("14"));
    QVERIFY(results[1].text.contains(QString::number(QDate::currentDate().year())));
    QVERIFY(results[2].text.startsWith(QStringLiteral("There is no such tool")));
    // The model gets a message for each.
    QCOMPARE(program.control->conversations().back().size(), size_t{5});
}

void TestTools::toolsAreOffUnlessOffered() {
    Program program(calling({kSum}));
    program.app->settings()->setValue(QStringLiteral("tools"), false);
    QVERIFY(program.app->conversation()->send(QStringLiteral("Sum")));
    QVERIFY(program.ended(2));
    QVERIFY(!program.app->tools()->asking());
    QVERIFY(program.control->options().back().prompt.tools.empty());
}

void TestTools::aLoopIsLimited() {
    FakeScript script = calling({kSum});
    script.afterTools = script.pieces;
    Program program(script);
    program.always("toolCalculator");
    QVERIFY(program.app->conversation()->send(QStringLiteral("Loop")));
    QTRY_VERIFY(program.app->error().valid());
    QCOMPARE(program.rows().size(), size_t{2 + 2 * 8});
    QVERIFY(!program.app->conversation()->busy());
}

void TestTools::aLoopCanBeStopped() {
    Program program(calling({kSum}));
    QVERIFY(program.app->conversation()->send(QStringLiteral("Sum")));
    QVERIFY(program.asked());
    program.app->tools()->stop();
    QVERIFY(!program.app->tools()->asking());
    QCOMPARE(program.rows().size(), size_t{2});
}

void TestTools::aQuestionOutlivesTheProgram() {
    Program program(calling({kSum}));
    QVERIFY(program.app->conversation()->send(QStringLiteral("Sum")));
    QVERIFY(program.asked());
    const qint64 chat = program.app->conversation()->chatId();
    program.always("toolCalculator"); // it asks nevertheless: nothing begins because a chat is opened
    program.restart(chat);
    QVERIFY(program.asked());
    QCOMPARE(program.app->tools()->title(), QStringLiteral("Calculator"));
    program.app->tools()->allow(false);
    QVERIFY(program.ended(4));
    QCOMPARE(program.rows()[2].parts.front().text, QStringLiteral("14"));
    QCOMPARE(program.lastText(), QStringLiteral("It is 14."));
    program.restart(chat); // nothing is left to ask
    QVERIFY(!program.app->tools()->asking());
}

void TestTools::aStoppedQuestionIsNotAskedAgain() {
    Program program(calling({kSum}));
    QVERIFY(program.app->conversation()->send(QStringLiteral("Sum")));
    QVERIFY(program.asked());
    program.app->tools()->stop();
    QCOMPARE(program.rows().back().state, MessageState::Stopped);
    const qint64 chat = program.app->conversation()->chatId();
    program.restart(chat);
    QCOMPARE(program.rows().size(), size_t{2});
    QCOMPARE(program.rows().back().state, MessageState::Stopped);
    QVERIFY(!program.app->tools()->asking());
}

void TestTools::whatWasNotRunWithToolsOffIsNotAskedLater() {
    Program program(calling({kSum}));
    program.app->settings()->setValue(QStringLiteral("tools"), false);
    QVERIFY(program.app->conversation()->send(QStringLiteral("Sum")));
    QVERIFY(program.ended(2));
    const qint64 chat = program.app->conversation()->chatId();
    program.app->settings()->setValue(QStringLiteral("tools"), true);
    program.app->conversation()->newChat();
    program.app->conversation()->openChat(chat);
    QCOMPARE(program.rows().size(), size_t{2});
    QVERIFY(!program.app->tools()->asking());
}

void TestTools::aMessageInsteadOfAnAnswerToTheQuestion() {
    Program program(calling({kSum}));
    QVERIFY(program.app->conversation()->send(QStringLiteral("Sum")));
    QVERIFY(program.asked());
    QVERIFY(program.app->conversation()->send(QStringLiteral("Never mind")));
    QVERIFY(program.asked()); // about the second answer's call
    program.app->tools()->allow(false);
    QVERIFY(program.ended(7)); // the first call has a result, too, which says why it was not run
    QCOMPARE(program.rows()[2].role, engine::Role::Tool);
    QCOMPARE(program.rows()[2].parent, program.rows()[1].id);
    QCOMPARE(program.rows()[3].parent, program.rows()[2].id);
    QCOMPARE(program.rows()[5].role, engine::Role::Tool);
    QCOMPARE(program.rows()[5].parent, program.rows()[4].id);
}

void TestTools::aChatInTheBackgroundWaits() {
    Program program(calling({kSum}));
    QSignalSpy asking(program.app->tools(), &ToolRunner::askingChanged);
    QVERIFY(program.app->conversation()->send(QStringLiteral("Sum")));
    QVERIFY(program.asked());
    const qint64 chat = program.app->conversation()->chatId();
    program.app->conversation()->newChat();
    QVERIFY(!program.app->tools()->asking());
    program.app->conversation()->openChat(chat);
    QVERIFY(program.app->tools()->asking());
    program.app->tools()->allow(false);
    QVERIFY(program.ended(4));
    QCOMPARE(asking.count(), 2);
}

/// The call of the active chat is shown first, then that of the chat beside it.
void TestTools::eachOfTwoChatsAsks() {
    Program program(calling({kSum}));
    Panes& panes = *program.app->panes();
    ToolRunner& tools = *program.app->tools();
    QVERIFY(program.app->conversation()->send(QStringLiteral("Left")));
    QVERIFY(program.asked());
    const qint64 left = panes.active()->chatId();
    panes.openSecond();
    QCOMPARE(tools.chat(), left); // the other side still asks
    QVERIFY(program.app->conversation()->send(QStringLiteral("Right")));
    const qint64 right = panes.active()->chatId();
    QTRY_COMPARE(tools.chat(), right);
    tools.allow(false);
    QVERIFY(program.ended(4));
    QTRY_COMPARE(tools.chat(), left);
    QVERIFY(tools.asking());
    tools.allow(false);
    QTRY_COMPARE(panes.other()->messages()->count(), 4);
    QCOMPARE(tools.chat(), qint64{0});
}

/// A question is about the version in view, and waits while another one is shown.
void TestTools::eachOfTwoVersionsAsks() {
    Program program(calling({kSum}));
    ToolRunner& tools = *program.app->tools();
    MessageActions& actions = *program.app->conversation()->actions();
    QVERIFY(program.app->conversation()->send(QStringLiteral("Sum")));
    QVERIFY(program.asked());
    actions.regenerate(program.rows()[1].id);
    QVERIFY(program.ended(2));
    QVERIFY(program.asked()); // about the second version
    actions.showVersion(program.rows()[1].id, -1);
    QVERIFY(program.asked());
    const qint64 first = program.rows()[1].id;
    tools.allow(false);
    QVERIFY(program.ended(4));
    QCOMPARE(program.rows()[1].id, first);
    QCOMPARE(program.rows()[2].parts.front().text, QStringLiteral("14"));
    actions.showVersion(first, 1);
    QVERIFY(program.asked());
    tools.allow(false);
    QVERIFY(program.ended(4));
    QVERIFY(program.rows()[1].id != first);
    QVERIFY(!tools.has(program.app->conversation()->chatId()));
}

/// The questions are found in the store then.
void TestTools::eachVersionAsksAfterARestart() {
    Program program(calling({kSum}));
    QVERIFY(program.app->conversation()->send(QStringLiteral("Sum")));
    QVERIFY(program.asked());
    program.app->conversation()->actions()->regenerate(program.rows()[1].id);
    QVERIFY(program.ended(2) && program.asked());
    program.restart(program.app->conversation()->chatId());
    QVERIFY(program.asked());
    MessageActions& actions = *program.app->conversation()->actions();
    for (const int step : {-1, 1, -1}) {
        actions.showVersion(program.rows()[1].id, step);
        QVERIFY(program.app->tools()->asking());
    }
    const qint64 first = program.rows()[1].id;
    program.app->tools()->allow(false);
    QVERIFY(program.ended(4));
    QCOMPARE(program.rows()[1].id, first);
}

void TestTools::aVersionKeepsWhatWasAnswered() {
    Program program(calling({kSum, kTime}));
    ToolRunner& tools = *program.app->tools();
    MessageActions& actions = *program.app->conversation()->actions();
    QVERIFY(program.app->conversation()->send(QStringLiteral("Both")));
    QVERIFY(program.asked());
    actions.regenerate(program.rows()[1].id);
    QVERIFY(program.ended(2) && program.asked());
    tools.refuse(false);
    const QString second = tools.title();
    actions.showVersion(program.rows()[1].id, -1);
    QVERIFY(tools.asking());
    QVERIFY(tools.title() != second); // its first call is the calculator's
    actions.showVersion(program.rows()[1].id, 1);
    QVERIFY(tools.asking());
    QCOMPARE(tools.title(), second);
}

/// It was offered the tools that it calls.
void TestTools::aVersionAsksAlsoWithToolsOffNow() {
    Program program(calling({kSum}));
    ToolRunner& tools = *program.app->tools();
    MessageActions& actions = *program.app->conversation()->actions();
    QVERIFY(program.app->conversation()->send(QStringLiteral("Sum")));
    QVERIFY(program.asked());
    program.app->settings()->setValue(QStringLiteral("tools"), false);
    actions.regenerate(program.rows()[1].id);
    QVERIFY(program.ended(2));
    QCOMPARE(program.rows()[1].notes.size(), 1); // why it was not run
    QVERIFY(!tools.asking());
    QVERIFY(!tools.has(program.app->conversation()->chatId())); // the list marks no chat because of another version
    actions.showVersion(program.rows()[1].id, -1);
    QVERIFY(tools.asking());
    QVERIFY(program.rows()[1].notes.isEmpty());
    tools.allow(false);
    QVERIFY(program.ended(4));
    QCOMPARE(program.rows()[2].parts.front().text, QStringLiteral("14"));
}

/// Also a version that asked before the program was started, and was not in view since.
void TestTools::aVersionAsksOnceTheOtherIsWritten() {
    Program program(calling({kSum}));
    const auto lookBackWhileAnotherIsWritten = [&program](int step) {
        Conversation& chat = *program.app->conversation();
        program.control->hold();
        chat.actions()->regenerate(program.rows()[1].id);
        QVERIFY(chat.busy());
        chat.actions()->showVersion(program.rows()[1].id, step);
        QVERIFY(!program.app->tools()->asking());
        program.control->allowAll();
        QTRY_VERIFY(!chat.busy());
        QVERIFY(program.asked());
    };
    QVERIFY(program.app->conversation()->send(QStringLiteral("Sum")));
    QVERIFY(program.asked());
    const qint64 first = program.rows()[1].id;
    lookBackWhileAnotherIsWritten(-1);
    QCOMPARE(program.rows()[1].id, first);
    program.app->conversation()->actions()->showVersion(first, 1);
    program.restart(program.app->conversation()->chatId());
    QVERIFY(program.asked());
    QVERIFY(program.rows()[1].id != first);
    lookBackWhileAnotherIsWritten(-2);
    QCOMPARE(program.rows()[1].id, first);
    program.app->tools()->allow(false);
    QVERIFY(program.ended(4));
    QCOMPARE(program.rows()[1].id, first);
}

void TestTools::aResultOfAVersionOutOfViewIsAskedForAgain() {
    Program program(calling({kSum}));
    ToolRunner& tools = *program.app->tools();
    MessageActions& actions = *program.app->conversation()->actions();
    program.app->settings()->setValue(QStringLiteral("tools"), false);
    QVERIFY(program.app->conversation()->send(QStringLiteral("Sum")));
    QVERIFY(program.ended(2));
    program.app->settings()->setValue(QStringLiteral("tools"), true);
    actions.regenerate(program.rows()[1].id);
    QVERIFY(program.ended(2));
    QVERIFY(program.asked());
    QSignalSpy asking(program.app->tools(), &ToolRunner::askingChanged);
    tools.allow(false);
    actions.showVersion(program.rows()[1].id, -1); // the result comes after that
    QTRY_COMPARE(asking.count(), 2);
    QVERIFY(asking.back()[1].toBool()); // the chat waits again
    QVERIFY(!tools.asking());           // but not under this version
    actions.showVersion(program.rows()[1].id, 1);
    QVERIFY(program.asked());
    tools.allow(false);
    QVERIFY(program.ended(4));
    QCOMPARE(program.rows()[2].parts.front().text, QStringLiteral("14"));
}

void TestTools::aFileOfATemporaryChatIsRead() {
    Program program(calling({{.name = "read_file", .arguments = R"({"name": "notes.txt"})"}}));
    Conversation& chat = *program.app->conversation();
    QFile file(program.folder.filePath(QStringLiteral("notes.txt")));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("The tide is at nine.") > 0);
    file.close();
    program.always("toolFiles");
    chat.newTemporaryChat();
    chat.files()->add({QUrl::fromLocalFile(file.fileName())});
    QTRY_COMPARE(chat.files()->count(), 1);
    QVERIFY(chat.send(QStringLiteral("When is the tide?")));
    QVERIFY(program.ended(4));
    QVERIFY(isTemporary(chat.chatId()));
    QCOMPARE(program.rows()[2].parts.front().text, QStringLiteral("The tide is at nine."));
}

QTEST_MAIN(TestTools)
#include "tst_tools.moc"
