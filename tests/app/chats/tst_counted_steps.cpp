// SPDX-License-Identifier: Apache-2.0
// Steps whose conversation is counted before they are done, over a scripted engine and a real database: what a person
// types, attaches, leaves, or changes in the settings or in the tree of messages before the count is known.
#include "app/app_bench.h"
#include "common/language.h"
#include "engine_link/attached_file.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QtTest>

#include <memory>

using namespace coterie;
using namespace coterie::app;
using namespace coterie::test;

class TestCountedSteps : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void initTestCase() { QVERIFY(useLanguage()); }
    void init();
    void cleanup() { bench_.reset(); }

    void anEditThatChangesIsNotSent();
    void anEditThatIsSentAgainHasItsLatestText();
    void anEditThatIsLeftIsNotSent();
    void anAnswerThatWasUndoneIsNotContinued();
    void settingsThatChangeAreForTheNextMessage_data();
    void settingsThatChangeAreForTheNextMessage();
    void aFileThatComesIsForTheNextMessage_data();
    void aFileThatComesIsForTheNextMessage();
    void aFileThatIsTakenOutIsNotSent();
    void aPromptIsCountedAgainOnAnotherPath();
    void aPromptIsCountedAgainForAnotherModel_data();
    void aPromptIsCountedAgainForAnotherModel();

  private:
    Conversation& chat() { return bench_->chat(); }
    MessageActions& actions() { return *chat().actions(); }
    ComposerFiles& files() { return *chat().files(); }
    QString fileName(int row) { return files().index(row).data(ComposerFiles::NameRole).toString(); }
    qint64 id(int row) { return chat().messages()->rows()[static_cast<size_t>(row)].id; }
    QString text(int row) { return chat().messages()->index(row).data(MessageModel::TextRole).toString(); }
    bool idle(int messages) {
        return QTest::qWaitFor([&] { return chat().messages()->count() == messages && !chat().busy(); }, kPatienceMs);
    }
    /// Sends the prompt and waits for its answer.
    bool talk(const QString& prompt) {
        const int before = chat().messages()->count();
        return chat().send(prompt) && idle(before + 2);
    }
    bool attach(const QString& name) {
        QFile file(QDir(bench_->folder()).filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write("1") != 1) return false;
        file.close();
        const int before = files().count();
        files().add({QUrl::fromLocalFile(file.fileName())});
        return QTest::qWaitFor([&] { return files().count() > before; }, kPatienceMs);
    }
    std::string lastPrompt() { return engine::joinedText(bench_->control().conversations().back().back().parts); }
    /// Waits until everything was counted that is to be counted so far.
    bool allCounted() {
        chat().countTokens();
        return QTest::qWaitFor([this] { return chat().contextUsed() > 0; }, kPatienceMs);
    }

    std::unique_ptr<AppBench> bench_;
};

/// The context is so small that every prompt may be too long: it is counted.
void TestCountedSteps::init() {
    FakeScript script = AppBench::words();
    script.contextSize = 200;
    bench_ = std::make_unique<AppBench>(script);
    OPEN_MODEL(*bench_);
    bench_->control().allowAll();
}

void TestCountedSteps::anEditThatChangesIsNotSent() {
    QVERIFY(talk(QStringLiteral("One")));
    actions().beginEdit(id(0));
    actions().setEditText(id(0), QStringLiteral("Two"));
    actions().keepEdit(id(0));
    actions().setEditText(id(0), QStringLiteral("Two and more"));
    QVERIFY(allCounted());
    QVERIFY(!chat().busy() && text(0) == QStringLiteral("One"));
    QCOMPARE(actions().editText(id(0)), QStringLiteral("Two and more"));
    QVERIFY(!chat().error().valid());
    actions().keepEdit(id(0));
    QTRY_COMPARE(text(0), QStringLiteral("Two and more"));
    QVERIFY(actions().edited().isEmpty());
}

/// Its first text is being counted then.
void TestCountedSteps::anEditThatIsSentAgainHasItsLatestText() {
    QVERIFY(talk(QStringLiteral("One")));
    const qint64 prompt = id(0);
    actions().beginEdit(prompt);
    for (const auto& words : {QStringLiteral("Two"), QStringLiteral("Two and more")}) {
        actions().setEditText(prompt, words);
        actions().keepEdit(prompt);
    }
    QTRY_COMPARE(text(0), QStringLiteral("Two and more"));
    QVERIFY(idle(2) && actions().edited().isEmpty());
    QCOMPARE(chat().messages()->siblings(id(0)).ids.size(), size_t{2});
}

void TestCountedSteps::anEditThatIsLeftIsNotSent() {
    QVERIFY(talk(QStringLiteral("One")));
    actions().beginEdit(id(0));
    actions().setEditText(id(0), QStringLiteral("Two"));
    actions().keepEdit(id(0));
    actions().leaveEdit(id(0));
    QVERIFY(allCounted());
    QVERIFY(!chat().busy() && !chat().error().valid());
    QCOMPARE(text(0), QStringLiteral("One"));
    QVERIFY(bench_->app().undo()->undo());
    QCOMPARE(actions().editText(id(0)), QStringLiteral("Two"));
}

/// It has fewer words than those that were counted.
void TestCountedSteps::anAnswerThatWasUndoneIsNotContinued() {
    bench_->control().hold();
    QVERIFY(chat().send(QStringLiteral("One")));
    bench_->control().allow(1 + 1);
    QTRY_VERIFY(chat().messages()->count() == 2 && text(1) == QStringLiteral("Once "));
    chat().stop();
    QVERIFY(idle(2));
    bench_->control().allowAll();
    actions().continueAnswer(id(1));
    QTRY_COMPARE(text(1), QStringLiteral("Once upon a time"));
    QVERIFY(idle(2));
    actions().continueAnswer(id(1));
    QVERIFY(bench_->app().undo()->undo());
    QVERIFY(allCounted());
    QVERIFY(!chat().busy());
    QCOMPARE(text(1), QStringLiteral("Once "));
    QVERIFY(bench_->app().undo()->redo());
    QCOMPARE(text(1), QStringLiteral("Once upon a time"));
}

void TestCountedSteps::settingsThatChangeAreForTheNextMessage_data() {
    QTest::addColumn<bool>("first");
    QTest::addColumn<bool>("left");
    QTest::newRow("of a new chat") << true << false;
    QTest::newRow("of a new chat that is left") << true << true;
    QTest::newRow("of another chat") << false << false;
}

/// A longer system prompt was not counted with the message.
void TestCountedSteps::settingsThatChangeAreForTheNextMessage() {
    QFETCH(bool, first);
    QFETCH(bool, left);
    QVERIFY(talk(QStringLiteral("One")));
    const qint64 before = chat().chatId();
    if (first) chat().newChat();
    QVERIFY(chat().send(QStringLiteral("Two")));
    const QJsonObject own{{QStringLiteral("systemPrompt"), QString(190, u's')}};
    QVERIFY(chat().setOwnSettings(chat().chatId(), own).ok());
    if (left) chat().openChat(before);
    QTRY_COMPARE(bench_->control().conversations().size(), size_t{2});
    QTRY_VERIFY(!bench_->app().answers()->busy());
    const std::vector<engine::Message> asked = bench_->control().conversations().back();
    QCOMPARE(asked.size(), first ? size_t{1} : size_t{3});
    QCOMPARE(lastPrompt(), std::string("Two"));
    const qint64 sent = first ? before + 1 : before;
    QCOMPARE(chat().ownSettings(sent).value(), own);
    chat().newChat();
    QCOMPARE(chat().ownSettings(0).value(), QJsonObject());
}

void TestCountedSteps::aFileThatComesIsForTheNextMessage_data() {
    settingsThatChangeAreForTheNextMessage_data(); // the same chats
}

/// It is longer than the context. It stays in the composer of the chat.
void TestCountedSteps::aFileThatComesIsForTheNextMessage() {
    QFETCH(bool, first);
    QFETCH(bool, left);
    QVERIFY(talk(QStringLiteral("One")));
    const qint64 before = chat().chatId();
    if (first) chat().newChat();
    QVERIFY(attach(QStringLiteral("a.txt")));
    chat().setDraft(QStringLiteral("Two"));
    QVERIFY(chat().send(QStringLiteral("Two")));
    QGuiApplication::clipboard()->setText(QString(kLongPaste + 1, u'x'));
    QVERIFY(files().paste());
    QCOMPARE(files().count(), 2);
    if (left) chat().openChat(before);
    QTRY_COMPARE(bench_->control().conversations().size(), size_t{2});
    QTRY_VERIFY(!bench_->app().answers()->busy());
    QCOMPARE(lastPrompt(), std::string("File \"a.txt\":\n```\n1\n```\n\nTwo"));
    if (left) chat().openChat(before + 1);
    QCOMPARE(chat().messages()->count(), first ? 2 : 4);
    QCOMPARE(chat().draft(), QString());
    QCOMPARE(files().count(), 1);
    QCOMPARE(fileName(0), QStringLiteral("Pasted text.txt"));
    chat().newChat();
    QCOMPARE(files().count(), 0);
}

void TestCountedSteps::aFileThatIsTakenOutIsNotSent() {
    QVERIFY(talk(QStringLiteral("One")));
    QVERIFY(attach(QStringLiteral("a.txt")) && attach(QStringLiteral("b.txt")));
    QVERIFY(chat().send(QStringLiteral("Two")));
    files().remove(0);
    QVERIFY(idle(4));
    QCOMPARE(lastPrompt(), std::string("File \"b.txt\":\n```\n1\n```\n\nTwo"));
    QVERIFY(attach(QStringLiteral("c.txt")));
    QVERIFY(chat().send(QString()));
    files().remove(0); // nothing of the message is left
    QVERIFY(allCounted());
    QVERIFY(!chat().busy() && !chat().error().valid());
    QCOMPARE(chat().messages()->count(), 4);
}

/// The other version of the first answer has a turn below it, with which the prompt has no room.
void TestCountedSteps::aPromptIsCountedAgainOnAnotherPath() {
    QVERIFY(talk(QStringLiteral("One")));
    QVERIFY(talk(QString(100, u'x')));
    actions().regenerate(id(1));
    QVERIFY(idle(2));
    chat().setDraft(QString(80, u'y'));
    QVERIFY(chat().send(chat().draft()));
    actions().showVersion(id(1), -1);
    QTRY_VERIFY(chat().context()->full());
    QVERIFY2(chat().context()->words().startsWith(QStringLiteral("This message")),
             qPrintable(chat().context()->words()));
    QCOMPARE(chat().messages()->count(), 4);
    actions().showVersion(id(1), 1);
    QVERIFY(talk(chat().draft()));
    QVERIFY(chat().send(QStringLiteral("Two")));
    actions().showVersion(id(1), -1);
    QVERIFY(idle(6)); // this one has room there, too
    QCOMPARE(text(4), QStringLiteral("Two"));
}

void TestCountedSteps::aPromptIsCountedAgainForAnotherModel_data() {
    QTest::addColumn<bool>("first");
    QTest::addColumn<bool>("waiting");
    QTest::newRow("of a new chat") << true << false;
    QTest::newRow("of another chat") << false << false;
    QTest::newRow("that has waited") << false << true;
}

/// It waits until that model is open. What was typed behind it stays.
void TestCountedSteps::aPromptIsCountedAgainForAnotherModel() {
    QFETCH(bool, first);
    QFETCH(bool, waiting);
    QVERIFY(talk(QStringLiteral("One")));
    if (first) chat().newChat();
    const QString other = QDir(bench_->folder()).filePath(QStringLiteral("other.gguf"));
    QVERIFY(QFile::copy(bench_->model(), other));
    if (waiting) {
        QVERIFY(chat().queue()->add(QStringLiteral("Two")));
        chat().queue()->sendNext();
        QCoreApplication::sendPostedEvents(bench_->app().queue(), QEvent::MetaCall);
        chat().setDraft(QStringLiteral(" and more"));
    } else {
        chat().setDraft(QStringLiteral("Two"));
        QVERIFY(chat().send(QStringLiteral("Two")));
        chat().setDraft(QStringLiteral("Two and more"));
    }
    bench_->models().open(other);
    QCOMPARE(bench_->models().state(), ModelController::Opening);
    QVERIFY(idle(first ? 2 : 4));
    QCOMPARE(bench_->models().path(), other);
    QCOMPARE(lastPrompt(), std::string("Two"));
    QCOMPARE(chat().draft(), QStringLiteral(" and more"));
    QCOMPARE(chat().queue()->count(), 0);
}

QTEST_MAIN(TestCountedSteps)
#include "tst_counted_steps.moc"
