// SPDX-License-Identifier: Apache-2.0
// The actions on messages, over a scripted engine and a real database: edit, regenerate, continue, delete, fork, go
// through versions, and undo all of it.
#include "app/app_bench.h"
#include "common/language.h"
#include "engine_link/answer_prefix.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QGuiApplication>
#include <QSet>
#include <QSignalSpy>
#include <QtTest>

#include <memory>

using namespace coterie;
using namespace coterie::app;
using namespace coterie::test;

class TestMessageActions : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void initTestCase() { QVERIFY(useLanguage()); }
    void init();
    void cleanup() {
        tester_.reset();
        bench_.reset();
    }

    void regeneratingAddsAVersion();
    void regeneratingAPromptAnswersItAgain();
    void regeneratingCanBeWarmerOrCooler();
    void regeneratingWithAPresetChangesOneAnswer();
    void regeneratingWithAnotherModelOpensItFirst();
    void aModelThatFailsToOpenAnswersNothing();
    void anEditedPromptIsANewBranch();
    void anEditedPromptKeepsItsFiles();
    void anEditedPromptThatIsTooLongIsNotSent();
    void anEditedAnswerIsANewVersion();
    void editsOutliveTheirChatInView();
    void editsOutliveTheProgram();
    void editsMoveWithTheirChat();
    void aLeftEditComesBackByUndo();
    void onlyTheTextOfAnAnswerIsEdited_data();
    void onlyTheTextOfAnAnswerIsEdited();
    void aStoppedAnswerContinuesWithItsTokens();
    void anAnswerContinuesWithTheTokensOfItsRecord();
    void f22AModelWithNothingToAddSaysSo();
    void anAnswerWithoutTokensContinuesWithItsText();
    void anAnswerThatEndsInAThoughtNeedsItsTokens();
    void continuingIsUndoneAndRepeated();
    void undoingEndsAContinuedAnswer();
    void deletingIsSoftAndUndone();
    void deletingEndsAnAnswerBelow();
    void versionsAreShownInTurn();
    void undoWorksAfterFurtherSteps();
    void undoShowsItsChat();
    void aForkHasThePathFilesAndSettings();
    void forkingIsUndone();
    void copiesSourceAndShownText();
    void actionsWaitForAnotherChat();
    void refusalsSayWhy();
    void aReadOnlyStoreIsSaid();
    void figuresAreKeptWithEachAnswer();
    void commandsActOnTheFocusedMessage();

  private:
    AppBench& bench() { return *bench_; }
    void begin(const FakeScript& script);
    MessageActions& actions() { return *bench_->chat().actions(); }
    UndoStack& undo() { return *bench_->app().undo(); }
    MessageModel& messages() { return *bench_->chat().messages(); }
    bool idle() {
        return QTest::qWaitFor([this] { return bench_->chat().state() == Conversation::Idle; }, kPatienceMs);
    }
    /// Sends the prompt and waits for its answer.
    bool talk(const QString& prompt) {
        bench_->control().allowAll();
        const int before = messages().count();
        if (!bench_->chat().send(prompt)) return false;
        // A prompt that is counted first is stored a moment later.
        return QTest::qWaitFor([&] { return messages().count() > before; }, kPatienceMs) && idle();
    }
    qint64 id(int row) { return messages().index(row).data(MessageModel::MessageIdRole).toLongLong(); }
    QString text(int row) { return messages().index(row).data(MessageModel::TextRole).toString(); }
    /// "2/3" of the message in this row.
    QString version(int row) {
        const QModelIndex index = messages().index(row);
        return QStringLiteral("%1/%2")
            .arg(index.data(MessageModel::VersionRole).toInt())
            .arg(index.data(MessageModel::VersionsRole).toInt());
    }
    QStringList texts() {
        QStringList all;
        for (int row = 0; row < messages().count(); ++row) all.append(text(row));
        return all;
    }
    bool edit(qint64 message, const QString& text) {
        actions().beginEdit(message);
        actions().setEditText(message, text);
        actions().keepEdit(message);
        return QTest::qWaitFor([&] { return actions().edited().isEmpty(); }, kPatienceMs) && idle();
    }
    ErrorInfo error() { return bench_->chat().error(); }

    std::unique_ptr<AppBench> bench_;
    std::unique_ptr<QAbstractItemModelTester> tester_;
};

namespace {

const QString kAnswer = QStringLiteral("Once upon a time");

/// A script with a thought before its text.
FakeScript thinking() {
    FakeScript script = AppBench::words();
    script.pieces.insert(script.pieces.begin(), {FakePiece("A story. ", engine::PartKind::Thought),
                                                 FakePiece("A short one.", engine::PartKind::Thought)});
    return script;
}

} // namespace

void TestMessageActions::init() { begin(AppBench::words()); }

void TestMessageActions::begin(const FakeScript& script) {
    cleanup();
    bench_ = std::make_unique<AppBench>(script);
    tester_ =
        std::make_unique<QAbstractItemModelTester>(&messages(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    OPEN_MODEL(bench());
}

void TestMessageActions::regeneratingAddsAVersion() {
    QVERIFY(talk(QStringLiteral("One")) && talk(QStringLiteral("Two")));
    const qint64 first = id(1);
    actions().regenerate(first);
    QCOMPARE(messages().count(), 2); // the next turn belongs to the other version
    QVERIFY(id(1) != first);
    QVERIFY(idle());
    QCOMPARE(text(1), kAnswer);
    QCOMPARE(version(1), QStringLiteral("2/2"));
    QCOMPARE(bench().control().conversations().back().size(), size_t{1});
    QVERIFY(undo().undo());
    QCOMPARE(messages().count(), 4);
    QCOMPARE(id(1), first);
    QCOMPARE(version(1), QStringLiteral("1/2"));
    QVERIFY(undo().redo());
    QCOMPARE(version(1), QStringLiteral("2/2"));
    QCOMPARE(messages().count(), 2);
}

void TestMessageActions::regeneratingAPromptAnswersItAgain() {
    QVERIFY(talk(QStringLiteral("One")));
    actions().regenerate(id(0));
    QVERIFY(idle());
    QCOMPARE(texts(), QStringList({QStringLiteral("One"), kAnswer}));
    QCOMPARE(version(1), QStringLiteral("2/2"));
}

void TestMessageActions::regeneratingCanBeWarmerOrCooler() {
    QVERIFY(talk(QStringLiteral("One")));
    bench().app().settings()->setValue(QStringLiteral("temperature"), 0.8);
    actions().regenerateWarmer(id(1), 0.25);
    QVERIFY(idle());
    QCOMPARE(bench().control().options().back().sampling.temperature, 1.05f);
    actions().regenerateWarmer(id(1), -2);
    QVERIFY(idle());
    QCOMPARE(bench().control().options().back().sampling.temperature, 0.0f);
}

void TestMessageActions::regeneratingWithAPresetChangesOneAnswer() {
    QVERIFY(talk(QStringLiteral("One")));
    const QString preset = bench().app().presets()->add(
        QStringLiteral("Pirate"), {{QStringLiteral("topK"), 3}, {QStringLiteral("systemPrompt"), "Arr"}});
    QVERIFY(bench().chat().setOwnSettings(bench().chat().chatId(),
                                          {{QStringLiteral("topK"), 9}, {QStringLiteral("minP"), 0.5}}));
    actions().regenerateAs(id(1), preset);
    QVERIFY(idle());
    QCOMPARE(version(1), QStringLiteral("2/2"));
    QCOMPARE(bench().control().options().back().sampling.topK, 3); // the preset comes before the chat
    QCOMPARE(bench().control().options().back().sampling.minP, 0.5f);
    QCOMPARE(bench().control().conversations().back().front(), engine::Message::text(engine::Role::System, "Arr"));
    actions().regenerate(id(1));
    QVERIFY(idle());
    QCOMPARE(bench().control().options().back().sampling.topK, 9);
    QCOMPARE(bench().control().conversations().back().size(), size_t{1});
}

void TestMessageActions::regeneratingWithAnotherModelOpensItFirst() {
    QVERIFY(talk(QStringLiteral("One")));
    const QString other = QDir(bench().folder()).filePath(QStringLiteral("other.gguf"));
    QVERIFY(QFile::copy(bench().model(), other));
    actions().regenerateWith(id(1), other);
    QCOMPARE(bench().models().state(), ModelController::Opening);
    QTRY_COMPARE(version(1), QStringLiteral("2/2"));
    QVERIFY(idle());
    QCOMPARE(bench().models().path(), other);
    QCOMPARE(text(1), kAnswer);
    QVERIFY(undo().undo());
    QCOMPARE(version(1), QStringLiteral("1/2"));
    QCOMPARE(bench().models().path(), bench().model());
    QTRY_COMPARE(bench().models().state(), ModelController::Ready);
    QVERIFY(undo().redo());
    QCOMPARE(bench().models().path(), other);
}

void TestMessageActions::aModelThatFailsToOpenAnswersNothing() {
    QVERIFY(talk(QStringLiteral("One")));
    actions().regenerateWith(id(1), QStringLiteral("/no/such/model.gguf"));
    QTRY_VERIFY(bench().models().error().valid());
    QCOMPARE(version(1), QStringLiteral("1/1"));
    OPEN_MODEL(bench()); // a later opening has nothing to do with it
    QVERIFY(idle());
    QCOMPARE(version(1), QStringLiteral("1/1"));
}

void TestMessageActions::anEditedPromptIsANewBranch() {
    QVERIFY(talk(QStringLiteral("One")) && talk(QStringLiteral("Two")));
    bench().chat().setDraft(QStringLiteral("not sent yet"));
    const qint64 first = id(0);
    QVERIFY(edit(first, QStringLiteral("Another one")));
    QCOMPARE(texts(), QStringList({QStringLiteral("Another one"), kAnswer}));
    QCOMPARE(version(0), QStringLiteral("2/2"));
    QCOMPARE(bench().chat().draft(), QStringLiteral("not sent yet"));
    QVERIFY(undo().undo());
    QCOMPARE(texts(), QStringList({QStringLiteral("One"), kAnswer, QStringLiteral("Two"), kAnswer}));
    QVERIFY(edit(id(2), QStringLiteral("Three")));
    QCOMPARE(texts(), QStringList({QStringLiteral("One"), kAnswer, QStringLiteral("Three"), kAnswer}));
    QCOMPARE(bench().control().conversations().back().size(), size_t{3});
}

void TestMessageActions::anEditedPromptKeepsItsFiles() {
    QVERIFY(talk(QStringLiteral("One")));
    const qint64 chat = bench().chat().chatId();
    tester_.reset();
    bench().stop();
    {
        auto store = ChatStore::open({.folder = bench().folder(), .migrations = {}});
        QVERIFY(bool(store));
        auto turn = store.value()->addTurn({.chat = chat,
                                            .title = {},
                                            .prompt = QStringLiteral("Read this"),
                                            .model = {},
                                            .files = {{.name = QStringLiteral("a.txt"),
                                                       .mediaType = QStringLiteral("text/plain"),
                                                       .text = QStringLiteral("a file"),
                                                       .bytes = "a file"}}});
        QVERIFY(bool(turn));
        turn->answer.state = MessageState::Complete;
        QVERIFY(bool(store.value()->finishAnswer(turn->answer)));
    }
    bench().start();
    OPEN_MODEL(bench());
    bench().control().allowAll();
    QCOMPARE(messages().count(), 4);
    QVERIFY(edit(id(2), QStringLiteral("Read it well")));
    const MessageRow* row = messages().find(id(2));
    QCOMPARE(row->parts.size(), size_t{2});
    QCOMPARE(row->text(), QStringLiteral("Read it well"));
    QCOMPARE(row->parts[1].name, QStringLiteral("a.txt"));
    actions().fork(id(2)); // a fork has them too
    QCOMPARE(messages().find(id(2))->parts[1].name, QStringLiteral("a.txt"));
}

void TestMessageActions::anEditedPromptThatIsTooLongIsNotSent() {
    FakeScript script = AppBench::words();
    script.contextSize = 64;
    begin(script);
    QVERIFY(talk(QStringLiteral("One")));
    const QString words(100, u'x'); // the fake makes a token of each byte
    actions().beginEdit(id(0));
    actions().setEditText(id(0), words);
    actions().keepEdit(id(0));
    const ContextView& view = *bench().chat().context();
    QTRY_VERIFY(view.full());
    QVERIFY2(view.words().contains(QStringLiteral("37 tokens")), qPrintable(view.words()));
    QVERIFY(!error().valid());
    QCOMPARE(actions().editText(id(0)), words);
    QCOMPARE(texts().front(), QStringLiteral("One"));
    QCOMPARE(version(0), QStringLiteral("1/1"));
}

void TestMessageActions::anEditedAnswerIsANewVersion() {
    QVERIFY(talk(QStringLiteral("One")) && talk(QStringLiteral("Two")));
    const qint64 first = id(1);
    const size_t asked = bench().control().conversations().size();
    QVERIFY(edit(first, kAnswer)); // nothing was changed
    QCOMPARE(version(1), QStringLiteral("1/1"));
    QVERIFY(edit(first, QStringLiteral("Twice upon a time")));
    QCOMPARE(texts(), QStringList({QStringLiteral("One"), QStringLiteral("Twice upon a time")}));
    QCOMPARE(version(1), QStringLiteral("2/2"));
    QCOMPARE(bench().control().conversations().size(), asked);
    QVERIFY(undo().undo());
    QCOMPARE(messages().count(), 4);
    QCOMPARE(text(1), kAnswer);
    QVERIFY(undo().redo());
    QCOMPARE(text(1), QStringLiteral("Twice upon a time"));
    QVERIFY(talk(QStringLiteral("Go on"))); // the model sees the version
    QCOMPARE(bench().control().conversations().back()[1].parts[0].text, std::string("Twice upon a time"));
}

void TestMessageActions::editsOutliveTheirChatInView() {
    QVERIFY(talk(QStringLiteral("One")));
    const qint64 chat = bench().chat().chatId(), prompt = id(0), answer = id(1);
    actions().beginEdit(prompt);
    actions().setEditText(prompt, QStringLiteral("half a"));
    actions().beginEdit(answer);
    bench().chat().newChat();
    QVERIFY(talk(QStringLiteral("Other")));
    bench().chat().openChat(chat);
    QCOMPARE(actions().edited().size(), 2);
    QCOMPARE(actions().editText(prompt), QStringLiteral("half a"));
    QCOMPARE(actions().editText(answer), kAnswer);
    actions().leaveEdit(answer);
    QCOMPARE(actions().edited(), QVariantList{prompt});
    QVERIFY(undo().undoTitle().isEmpty()); // nothing was typed there
}

void TestMessageActions::editsOutliveTheProgram() {
    QVERIFY(talk(QStringLiteral("One")));
    const qint64 chat = bench().chat().chatId(), prompt = id(0), answer = id(1);
    actions().beginEdit(prompt);
    actions().setEditText(prompt, QStringLiteral("half a"));
    bench().restart(); // before the timer ends
    bench().chat().openChat(chat);
    QCOMPARE(actions().edited(), QVariantList{prompt});
    QCOMPARE(actions().editText(prompt), QStringLiteral("half a"));
    QCOMPARE(texts().front(), QStringLiteral("One")); // nothing was sent
    actions().leaveEdit(prompt);
    actions().beginEdit(answer);
    bench().chat().keepDraft();
    actions().keepEdit(answer); // nothing was typed
    bench().restart();
    bench().chat().openChat(chat);
    QVERIFY(actions().edited().isEmpty());
}

/// Each side of the window has a conversation of its own, and a chat may be shown by the other one next.
void TestMessageActions::editsMoveWithTheirChat() {
    QVERIFY(talk(QStringLiteral("One")));
    const qint64 chat = bench().chat().chatId(), prompt = id(0);
    actions().beginEdit(prompt);
    actions().setEditText(prompt, QStringLiteral("half a"));
    Conversation *const first = &bench().chat(), *const second = bench().app().panes()->second();
    bench().app().panes()->openBeside(0);
    first->newChat();
    second->openChat(chat);
    QCOMPARE(second->actions()->editText(prompt), QStringLiteral("half a"));
    second->actions()->leaveEdit(prompt);
    second->newChat();
    first->openChat(chat);
    QVERIFY(first->actions()->edited().isEmpty());
}

void TestMessageActions::aLeftEditComesBackByUndo() {
    QVERIFY(talk(QStringLiteral("One")));
    actions().beginEdit(id(0));
    actions().setEditText(id(0), QStringLiteral("A long text"));
    actions().leaveEdit(id(0));
    QVERIFY(actions().edited().isEmpty());
    QCOMPARE(undo().undoTitle(), QStringLiteral("Leave the edit"));
    QVERIFY(undo().undo());
    QCOMPARE(actions().editText(id(0)), QStringLiteral("A long text"));
    QVERIFY(undo().redo());
    QVERIFY(actions().edited().isEmpty());
}

void TestMessageActions::onlyTheTextOfAnAnswerIsEdited_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QStringList>("texts"); // the text parts; the first and the third part are a thought and a call
    QTest::newRow("the first") << "Let me loook.\n\nIt is 4." << QStringList{"Let me loook.", "It is 4."};
    QTest::newRow("the second") << "Let me look.\n\nIt is 5." << QStringList{"Let me look.", "It is 5."};
    QTest::newRow("both") << "Let me see.\n\nIt was 4." << QStringList{"Let me see.\n\nIt was 4."};
    QTest::newRow("the border") << "Let me look. It is 4." << QStringList{"Let me look. It is 4."};
    QTest::newRow("a line fewer") << "Let me look.\nIt is 4." << QStringList{"Let me look.\nIt is 4."};
    QTest::newRow("words between") << "Let me look.\nOh.\nIt is 4." << QStringList{"Let me look.\nOh.\nIt is 4."};
    QTest::newRow("longer at the end") << "Let me look.\n\nIt is 4.\n\nSure."
                                       << QStringList{"Let me look.", "It is 4.\n\nSure."};
    QTest::newRow("at the beginning") << "Oh. Let me look.\n\nIt is 4." << QStringList{"Oh. Let me look.", "It is 4."};
    QTest::newRow("nothing") << "" << QStringList{};
}

void TestMessageActions::onlyTheTextOfAnAnswerIsEdited() {
    QFETCH(QString, text);
    QFETCH(QStringList, texts);
    const std::vector<MessagePart> parts{{.kind = PartKind::Thought, .text = QStringLiteral("Hm")},
                                         {.text = QStringLiteral("Let me look.")},
                                         {.kind = PartKind::ToolCall, .text = QStringLiteral("2+2")},
                                         {.text = QStringLiteral("It is 4.")}};
    const std::vector<MessagePart> changed = withText(parts, text);
    QStringList left;
    std::vector<MessagePart> others;
    for (const MessagePart& part : changed) {
        if (part.kind == PartKind::Text)
            left.append(part.text);
        else
            others.push_back(part);
    }
    QCOMPARE(left, texts);
    QVERIFY(others == std::vector<MessagePart>({parts[0], parts[2]}));
    QVERIFY(changed.front() == parts.front());
    const std::vector<MessagePart> onlyThought{parts[0]};
    QCOMPARE(withText(onlyThought, QStringLiteral("New")).back().text, QStringLiteral("New"));
}

void TestMessageActions::aStoppedAnswerContinuesWithItsTokens() {
    begin(thinking());
    QVERIFY(bench().chat().send(QStringLiteral("One")));
    bench().control().allow(1 + 4); // a thought of two tokens, then "Once upon "
    QTRY_COMPARE(bench().lastText(), QStringLiteral("Once upon "));
    QVERIFY(!actions().canContinue(id(1)));
    bench().chat().stop();
    QVERIFY(idle());
    QCOMPARE(bench().lastState(), QStringLiteral("stopped"));
    const qint64 answer = id(1);
    QVERIFY(actions().canContinue(answer));
    QVERIFY(!actions().canContinue(id(0)));
    actions().continueAnswer(answer);
    QCOMPARE(bench().lastState(), QStringLiteral("streaming"));
    QCOMPARE(text(1), QStringLiteral("Once upon ")); // it does not vanish meanwhile
    bench().control().allow(1 + 1);
    QTRY_COMPARE(bench().lastText(), QStringLiteral("Once upon a "));
    bench().control().allowAll();
    QVERIFY(idle());
    QCOMPARE(text(1), kAnswer);
    QCOMPARE(id(1), answer);
    QCOMPARE(bench().lastState(), QStringLiteral("complete"));
    const engine::GenerateOptions options = bench().control().options().back();
    QVERIFY(options.prefix == std::vector<engine::TokenId>({0, 1, 2, 3}));
    QCOMPARE(options.prompt.thinking, std::optional(true)); // as it was begun
    QVERIFY(bench().last(MessageModel::NotesRole).isEmpty());
    QVERIFY(bench().last(MessageModel::StatisticsRole).contains(QStringLiteral("6 tokens")));
    const auto& parts = messages().find(answer)->parts;
    QCOMPARE(parts.size(), size_t{2});
    QCOMPARE(parts[0].text, QStringLiteral("A story. A short one."));
    tester_.reset();
    bench().restart();
    QCOMPARE(bench().lastText(), kAnswer);
}

void TestMessageActions::anAnswerContinuesWithTheTokensOfItsRecord() {
    QVERIFY(bench().chat().send(QStringLiteral("One")));
    bench().control().allow(1 + 2);
    QTRY_COMPARE(bench().lastText(), QStringLiteral("Once upon "));
    bench().chat().stop();
    QVERIFY(idle());
    tester_.reset();
    bench().restart(); // only the record knows the tokens now
    OPEN_MODEL(bench());
    bench().control().allowAll();
    actions().continueAnswer(id(1));
    QVERIFY(idle());
    QCOMPARE(text(1), kAnswer);
    QVERIFY(bench().control().options().back().prefix == std::vector<engine::TokenId>({0, 1}));
    QVERIFY(bench().last(MessageModel::NotesRole).isEmpty());
}

void TestMessageActions::f22AModelWithNothingToAddSaysSo() {
    QVERIFY(talk(QStringLiteral("One")));
    const QString before = bench().last(MessageModel::StatisticsRole) + bench().last(MessageModel::ResourcesRole);
    bench().control().allowAll();
    const QSignalSpy recorded(bench().app().answers(), &AnswerQueue::recorded);
    const QSignalSpy stays(bench().app().answers(), &AnswerQueue::recordStays);
    actions().continueAnswer(id(1));
    QVERIFY(idle());
    QCOMPARE(text(1), kAnswer);
    QVERIFY(recorded.isEmpty() && stays.count() == 1); // g1: the inspector still shows how the answer was written
    QCOMPARE(bench().last(MessageModel::NotesRole), QStringLiteral("The model had nothing to add."));
    QCOMPARE(bench().last(MessageModel::StatisticsRole) + bench().last(MessageModel::ResourcesRole), before);
}

void TestMessageActions::anAnswerWithoutTokensContinuesWithItsText() {
    begin(thinking());
    QVERIFY(talk(QStringLiteral("One")));
    bench().app().records()->removeAll();
    tester_.reset();
    bench().restart();
    OPEN_MODEL(bench());
    bench().control().allowAll();
    bench().app().records()->removeAll();
    actions().continueAnswer(id(1));
    QVERIFY(idle());
    // The fake, which does not know these tokens, begins its script again.
    QCOMPARE(text(1), kAnswer + QStringLiteral("\n\n") + kAnswer);
    QCOMPARE(messages().find(id(1))->parts[0].text, QStringLiteral("A story. A short one."));
    const engine::GenerateOptions options = bench().control().options().back();
    QCOMPARE(options.prefix.size(), static_cast<size_t>(kAnswer.size()));
    QCOMPARE(options.prefix.front(), engine::TokenId{'O'});
    QCOMPARE(options.prompt.thinking, std::optional(false));
    QVERIFY(bench().last(MessageModel::NotesRole).contains(QStringLiteral("made into tokens again")));
}

void TestMessageActions::anAnswerThatEndsInAThoughtNeedsItsTokens() {
    begin(thinking());
    QVERIFY(bench().chat().send(QStringLiteral("One")));
    bench().control().allow(1 + 1);
    QTRY_COMPARE(messages().find(id(1))->parts.size(), size_t{1});
    bench().chat().stop();
    QVERIFY(idle());
    bench().app().settings()->tracesKept = false;
    tester_.reset();
    bench().restart();
    bench().app().records()->removeAll();
    OPEN_MODEL(bench());
    actions().continueAnswer(id(1));
    QVERIFY(error().valid() && !error().why.isEmpty() && !error().action.isEmpty());
    QCOMPARE(bench().chat().state(), Conversation::Idle);
    QCOMPARE(bench().lastState(), QStringLiteral("stopped"));
}

void TestMessageActions::continuingIsUndoneAndRepeated() {
    QVERIFY(bench().chat().send(QStringLiteral("One")));
    bench().control().allow(1 + 2);
    QTRY_COMPARE(bench().lastText(), QStringLiteral("Once upon "));
    bench().chat().stop();
    QVERIFY(idle());
    bench().control().allowAll();
    actions().continueAnswer(id(1));
    QVERIFY(idle());
    QVERIFY(undo().undo());
    QCOMPARE(text(1), QStringLiteral("Once upon "));
    QCOMPARE(bench().lastState(), QStringLiteral("stopped"));
    QVERIFY(undo().redo());
    QCOMPARE(text(1), kAnswer);
    QCOMPARE(bench().lastState(), QStringLiteral("complete"));
    QVERIFY(undo().undo());
    tester_.reset();
    bench().restart();
    QCOMPARE(bench().lastText(), QStringLiteral("Once upon "));
}

void TestMessageActions::undoingEndsAContinuedAnswer() {
    QVERIFY(bench().chat().send(QStringLiteral("One")));
    bench().control().allow(1 + 1);
    QTRY_COMPARE(bench().lastText(), QStringLiteral("Once "));
    bench().chat().stop();
    QVERIFY(idle());
    actions().continueAnswer(id(1));
    bench().control().allow(1 + 1);
    QTRY_COMPARE(bench().lastText(), QStringLiteral("Once upon "));
    QVERIFY(undo().undo());
    QCOMPARE(bench().chat().state(), Conversation::Idle);
    QCOMPARE(text(1), QStringLiteral("Once "));
    QVERIFY(undo().redo());
    QCOMPARE(text(1), QStringLiteral("Once upon "));
    QCOMPARE(bench().lastState(), QStringLiteral("stopped"));
    QVERIFY(talk(QStringLiteral("Two"))); // the engine is free
    QCOMPARE(text(1), QStringLiteral("Once upon "));
}

void TestMessageActions::deletingIsSoftAndUndone() {
    QVERIFY(talk(QStringLiteral("One")) && talk(QStringLiteral("Two")));
    const QStringList all = texts();
    actions().remove(id(2));
    QCOMPARE(texts(), all.mid(0, 2));
    QCOMPARE(actions().removedTitle(), QStringLiteral("Two"));
    QVERIFY(undo().undo());
    QCOMPARE(texts(), all);
    QVERIFY(actions().removedTitle().isEmpty());
    QVERIFY(undo().redo());
    QCOMPARE(texts(), all.mid(0, 2));
    QVERIFY(undo().undo());
    actions().remove(id(0));
    QCOMPARE(messages().count(), 0);
    QVERIFY(undo().undo());
    QCOMPARE(texts(), all);
}

void TestMessageActions::deletingEndsAnAnswerBelow() {
    QVERIFY(bench().chat().send(QStringLiteral("One")));
    bench().control().allow(1 + 1);
    QTRY_COMPARE(bench().lastText(), QStringLiteral("Once "));
    actions().remove(id(0));
    QCOMPARE(messages().count(), 0);
    QVERIFY(idle());
    QVERIFY(undo().undo());
    QCOMPARE(texts(), QStringList({QStringLiteral("One"), QStringLiteral("Once ")}));
    QCOMPARE(bench().lastState(), QStringLiteral("stopped"));
}

void TestMessageActions::versionsAreShownInTurn() {
    QVERIFY(talk(QStringLiteral("One")));
    for (int i = 0; i < 2; ++i) {
        actions().regenerate(id(1));
        QVERIFY(idle());
    }
    QVERIFY(talk(QStringLiteral("Two")));
    QCOMPARE(version(1), QStringLiteral("3/3"));
    QVERIFY(!actions().canShow(id(1), 1));
    const QString before = undo().undoTitle();
    for (const int by : {-1, 1}) actions().showVersion(id(1), by);
    QCOMPARE(version(1), QStringLiteral("3/3"));
    QCOMPARE(undo().undoTitle(), before); // back where it was: that is no step
    actions().showVersion(id(1), -1);
    QCOMPARE(version(1), QStringLiteral("2/3"));
    QCOMPARE(messages().count(), 2);
    actions().showVersion(id(1), -1);
    QCOMPARE(version(1), QStringLiteral("1/3"));
    actions().showVersion(id(1), -1); // there is none
    QCOMPARE(version(1), QStringLiteral("1/3"));
    QVERIFY(undo().undo()); // going through versions is one step
    QCOMPARE(version(1), QStringLiteral("3/3"));
    QCOMPARE(messages().count(), 4);
    QVERIFY(undo().redo());
    QCOMPARE(version(1), QStringLiteral("1/3"));
}

void TestMessageActions::undoWorksAfterFurtherSteps() {
    QVERIFY(talk(QStringLiteral("One")));
    QList<QStringList> seen{texts()};
    QVERIFY(edit(id(0), QStringLiteral("Uno")));
    seen.append(texts());
    QVERIFY(edit(id(1), QStringLiteral("Changed")));
    seen.append(texts());
    actions().regenerate(id(1));
    QVERIFY(idle());
    seen.append(texts());
    actions().remove(id(1));
    seen.append(texts());
    for (int step = 3; step >= 0; --step) {
        QVERIFY(undo().undo());
        QCOMPARE(texts(), seen[step]);
    }
    QVERIFY(!undo().undo());
    for (int step = 1; step <= 4; ++step) {
        QVERIFY(undo().redo());
        QCOMPARE(texts(), seen[step]);
    }
}

void TestMessageActions::undoShowsItsChat() {
    QVERIFY(talk(QStringLiteral("One")));
    const qint64 chat = bench().chat().chatId();
    actions().remove(id(1));
    bench().chat().newChat();
    QVERIFY(undo().undo());
    QCOMPARE(bench().chat().chatId(), chat);
    QCOMPARE(texts(), QStringList({QStringLiteral("One"), kAnswer}));
}

void TestMessageActions::aForkHasThePathFilesAndSettings() {
    QVERIFY(talk(QStringLiteral("One")) && talk(QStringLiteral("Two")));
    const qint64 chat = bench().chat().chatId();
    actions().regenerate(id(1));
    QVERIFY(idle());
    QVERIFY(undo().undo());
    const QJsonObject own{{QStringLiteral("temperature"), 0.5}};
    QVERIFY(bool(bench().chat().setOwnSettings(chat, own)));
    actions().fork(id(2));
    QVERIFY(bench().chat().chatId() != chat);
    QCOMPARE(bench().chat().settings().layer(ChatSettings::Chat), own);
    QCOMPARE(bench().chat().title(), QStringLiteral("Fork of One"));
    QCOMPARE(texts(), QStringList({QStringLiteral("One"), kAnswer, QStringLiteral("Two")}));
    QCOMPARE(version(1), QStringLiteral("1/1")); // other branches stay behind
    QCOMPARE(messages().index(1).data(MessageModel::ModelNameRole).toString(), bench().models().name());
    QVERIFY(!messages().index(1).data(MessageModel::StatisticsRole).toString().isEmpty());
    QCOMPARE(bench().app().chats()->count(), 2);
    ChatSearchModel& search = *bench().app().search();
    search.setWords(QStringLiteral("upon"));
    QTRY_VERIFY(!search.searching() && search.count() > 0);
    QSet<qint64> found;
    for (int row = 0; row < search.count(); ++row)
        found.insert(search.index(row).data(ChatSearchModel::ChatIdRole).toLongLong());
    QCOMPARE(found, QSet<qint64>({chat, bench().chat().chatId()})); // its messages are found
}

void TestMessageActions::forkingIsUndone() {
    QVERIFY(talk(QStringLiteral("One")));
    const qint64 chat = bench().chat().chatId();
    actions().fork(id(1));
    const qint64 fork = bench().chat().chatId();
    QVERIFY(undo().undo());
    QCOMPARE(bench().chat().chatId(), chat);
    QCOMPARE(bench().app().chats()->count(), 1);
    QVERIFY(undo().redo());
    QCOMPARE(bench().chat().chatId(), fork);
    QCOMPARE(bench().app().chats()->count(), 2);
}

void TestMessageActions::copiesSourceAndShownText() {
    FakeScript script = thinking();
    script.pieces.emplace_back("\n\n```python\nprint(1)\n```\n");
    begin(script);
    QVERIFY(talk(QStringLiteral("One")));
    actions().copyMarkdown(id(1));
    QCOMPARE(QGuiApplication::clipboard()->text(), kAnswer + QStringLiteral("\n\n```python\nprint(1)\n```\n"));
    actions().copyPlain(id(1));
    const QString plain = QGuiApplication::clipboard()->text();
    QVERIFY2(plain.startsWith(kAnswer) && plain.contains(QStringLiteral("print(1)")), qPrintable(plain));
    QVERIFY(!plain.contains(u'`') && !plain.contains(QStringLiteral("A story")));
}

void TestMessageActions::actionsWaitForAnotherChat() {
    QVERIFY(talk(QStringLiteral("One")));
    const qint64 chat = bench().chat().chatId();
    const auto control = [&]() -> FakeControl& { return bench().control(); };
    tester_.reset();
    bench().restart(); // the engine waits again
    OPEN_MODEL(bench());
    bench().chat().newChat();
    QVERIFY(bench().chat().send(QStringLiteral("Other")));
    QTRY_COMPARE(control().conversations().size(), size_t{1});
    bench().chat().openChat(chat);
    actions().regenerate(id(1));
    QCOMPARE(bench().chat().state(), Conversation::Waiting);
    QCOMPARE(version(1), QStringLiteral("2/2"));
    actions().regenerate(id(1)); // this chat has an answer that waits
    QVERIFY(error().valid());
    control().allowAll();
    QVERIFY(idle());
    QCOMPARE(text(1), kAnswer);
    QCOMPARE(control().conversations().size(), size_t{2});
}

void TestMessageActions::refusalsSayWhy() {
    QVERIFY(talk(QStringLiteral("One")));
    bench().models().close();
    QTRY_VERIFY(!bench().chat().canSend());
    const auto said = [this] {
        const ErrorInfo told = error();
        bench().chat().dismissError();
        return !told.what.isEmpty() && !told.why.isEmpty() && !told.action.isEmpty();
    };
    actions().regenerate(id(1));
    QVERIFY(said());
    actions().continueAnswer(id(1));
    QVERIFY(said());
    actions().beginEdit(id(0));
    actions().setEditText(id(0), QStringLiteral("Uno"));
    actions().keepEdit(id(0));
    QVERIFY(said());
    QCOMPARE(actions().editText(id(0)), QStringLiteral("Uno"));
    QCOMPARE(texts(), QStringList({QStringLiteral("One"), kAnswer}));
    QVERIFY(undo().undoTitle().isEmpty());
}

void TestMessageActions::aReadOnlyStoreIsSaid() {
    QVERIFY(talk(QStringLiteral("One")));
    tester_.reset();
    bench().stop();
    QFile::setPermissions(bench().folder(), QFile::ReadOwner | QFile::ExeOwner);
    const auto writable = qScopeGuard(
        [this] { QFile::setPermissions(bench().folder(), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner); });
    if (QFile(QDir(bench().folder()).filePath(QStringLiteral("probe"))).open(QIODevice::WriteOnly))
        QSKIP("This user may write everywhere");
    bench().start();
    OPEN_MODEL(bench());
    actions().remove(id(1));
    QVERIFY(error().valid() && !error().why.isEmpty() && !error().action.isEmpty());
    QCOMPARE(messages().count(), 2);
}

void TestMessageActions::figuresAreKeptWithEachAnswer() {
    QLocale::setDefault(QLocale::c());
    FakeScript script = AppBench::words();
    script.layers = 32;
    script.bytesFromDisk = 40 << 20; // 16 of the 128 experts that a token uses
    begin(script);
    QVERIFY(talk(QStringLiteral("One")));
    QCOMPARE(bench().last(MessageModel::ModelNameRole), QStringLiteral("Scripted"));
    const QString told = bench().last(MessageModel::ResourcesRole);
    QVERIFY2(told.contains(QStringLiteral(" of memory")), qPrintable(told));
    QVERIFY2(told.endsWith(QStringLiteral("hit rate 88 %")), qPrintable(told));
    tester_.reset();
    bench().restart();
    QCOMPARE(bench().last(MessageModel::ResourcesRole), told);
    QCOMPARE(bench().last(MessageModel::ModelNameRole), QStringLiteral("Scripted"));
}

void TestMessageActions::commandsActOnTheFocusedMessage() {
    CommandList& commands = *bench().app().commands();
    const auto run = [&](const char* name) { return commands.run(QLatin1String(name)); };
    QVERIFY(!run("message.edit")); // there is no message
    QVERIFY(talk(QStringLiteral("One")) && talk(QStringLiteral("Two")));
    QVERIFY(!run("message.nextVersion"));
    actions().setFocused(id(1));
    QVERIFY(!run("message.continue")); // it is not the last one
    QVERIFY(run("message.regenerate"));
    QVERIFY(idle());
    QCOMPARE(messages().count(), 2);
    QVERIFY(run("message.previousVersion"));
    QCOMPARE(messages().count(), 4);
    actions().setFocused(0);
    QVERIFY(run("message.delete")); // the last one
    QCOMPARE(messages().count(), 3);
    actions().setFocused(id(0));
    QVERIFY(run("message.edit"));
    QCOMPARE(actions().edited(), QVariantList{id(0)});
    bench().app().pages()->open(Pages::Settings);
    QVERIFY(run("message.fork"));
    QCOMPARE(messages().count(), 1);
    QCOMPARE(bench().app().pages()->current(), Pages::Chat);
}

QTEST_MAIN(TestMessageActions)
#include "tst_message_actions.moc"
