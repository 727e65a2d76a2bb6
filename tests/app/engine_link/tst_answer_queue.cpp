// SPDX-License-Identifier: Apache-2.0
// The queue of answers with a real store and a scripted engine, without App: several conversations share it.
#include "app/verify_ok.h"
#include "chats/conversation.h"
#include "engine_link/answer_prefix.h"
#include "fakes/fake_session.h"
#include "settings/settings.h"
#include "store/chat_reader.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

using namespace coterie;
using namespace coterie::app;
using namespace coterie::test;

namespace {

FakeScript words() {
    FakeScript script;
    script.pieces = {"Once ", "upon ", "a ", "time"};
    script.promptTokens = 1;
    return script;
}

/// The parts of the program that write answers. The first conversation is there from the beginning.
struct Bench {
    explicit Bench(FakeScript script = words()) : worker(fakeFactory(std::move(script), control)) {
        auto opened = ChatStore::open({.folder = folder.path(), .migrations = {}});
        if (opened) store = std::move(opened).value();
        auto reader = store->openReader();
        if (reader) history.setReader(std::move(reader).value());
        answers.setStore(store.get());
        QSignalSpy ready(&worker, &EngineWorker::opened);
        engine::OpenOptions model;
        model.path = "model.gguf";
        worker.open(model);
        ready.wait(kPatienceMs);
        first = make();
    }
    ~Bench() {
        control->allowAll();
        answers.saveForExit();
    }

    std::unique_ptr<Conversation> make() {
        auto made = std::make_unique<Conversation>(
            ConversationParts{.worker = &worker, .answers = &answers, .history = &history, .settings = &settings});
        made->setStore(store.get(), {});
        made->setModel({.ready = true, .name = QStringLiteral("Scripted")});
        return made;
    }

    QTemporaryDir folder;
    std::shared_ptr<FakeControl> control = std::make_shared<FakeControl>();
    std::unique_ptr<ChatStore> store;
    Settings settings{QString()};
    PromptHistory history;
    EngineWorker worker;
    AnswerQueue answers{&worker, &history};
    std::unique_ptr<Conversation> first;
};

QString lastText(Conversation& conversation) { return conversation.messages()->rows().back().text(); }

} // namespace

class TestAnswerQueue : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void twoConversationsShowTheSameAnswer();
    void aChatsOwnSettingsAreUsed();
    void theModelThatAnswersIsKept();
    void aThoughtHasADuration();
    void textThatTurnsOutToBeAThought();
    void anAnswerThatFailsIsContinuedFromItsEnd();
    void textIsStoredWithinASecond();
    void aLongChatIsReadInPages();
};

void TestAnswerQueue::twoConversationsShowTheSameAnswer() {
    Bench bench;
    QVERIFY(bench.first->send(QStringLiteral("Hello")));
    bench.control->allow(1 + 2);
    QTRY_COMPARE(lastText(*bench.first), QStringLiteral("Once upon "));
    const auto beside = bench.make();
    beside->openChat(bench.first->chatId());
    QCOMPARE(lastText(*beside), QStringLiteral("Once upon "));
    QCOMPARE(beside->state(), Conversation::Writing);
    bench.control->allowAll();
    QTRY_COMPARE(beside->state(), Conversation::Idle);
    QCOMPARE(lastText(*beside), QStringLiteral("Once upon a time"));
    QCOMPARE(lastText(*bench.first), QStringLiteral("Once upon a time"));
}

void TestAnswerQueue::aChatsOwnSettingsAreUsed() {
    Bench bench;
    bench.control->allowAll();
    bench.settings.temperature = 0.5;
    QVERIFY(bench.first->send(QStringLiteral("Hello")));
    const qint64 chat = bench.first->chatId();
    QTRY_COMPARE(bench.first->state(), Conversation::Idle);
    VERIFY_OK(bench.store->setSettings(
        chat, {{QStringLiteral("temperature"), 1.5}, {QStringLiteral("systemPrompt"), QStringLiteral("Be brief")}}));
    bench.first->newChat();
    bench.first->openChat(chat);
    QVERIFY(bench.first->send(QStringLiteral("Again")));
    QTRY_COMPARE(bench.first->state(), Conversation::Idle);
    QCOMPARE(bench.control->options().at(0).sampling.temperature, 0.5f);
    QCOMPARE(bench.control->options().at(1).sampling.temperature, 1.5f);
    const std::vector<engine::Message> asked = bench.control->conversations().at(1);
    QCOMPARE(asked.size(), size_t{4}); // the system prompt, the first turn, and the new prompt
    QCOMPARE(asked.front().role, engine::Role::System);
    QCOMPARE(asked.front().parts.front().text, std::string("Be brief"));
}

void TestAnswerQueue::theModelThatAnswersIsKept() {
    Bench bench;
    QVERIFY(bench.first->send(QStringLiteral("First")));
    const auto beside = bench.make();
    QVERIFY(beside->send(QStringLiteral("Second")));
    bench.answers.setModel(QStringLiteral("Another")); // it is opened before the second answer begins
    bench.control->allowAll();
    QTRY_COMPARE(beside->state(), Conversation::Idle);
    const auto rows = bench.store->messages(beside->chatId());
    VERIFY_OK(rows);
    QCOMPARE(rows->back().model, QStringLiteral("Another"));
}

/// The end marker of a thought that nothing began: what was shown as text moves, in the view and in the store.
void TestAnswerQueue::textThatTurnsOutToBeAThought() {
    FakeScript thinking = words();
    thinking.pieces = {"Let me ", "see.", FakePiece::thoughtEnd(), "It is ", "4."};
    Bench bench(thinking);
    QVERIFY(bench.first->send(QStringLiteral("Hello")));
    const auto beside = bench.make();
    beside->openChat(bench.first->chatId());
    bench.control->allow(1 + 2);
    QTRY_COMPARE(lastText(*bench.first), QStringLiteral("Let me see."));
    bench.control->allowAll();
    QTRY_COMPARE(bench.first->state(), Conversation::Idle);
    QVERIFY(bench.first->send(QStringLiteral("Again"))); // now its pieces come faster than they are shown
    QTRY_COMPARE(bench.first->state(), Conversation::Idle);
    const auto stored = bench.store->messages(bench.first->chatId());
    VERIFY_OK(stored);
    QCOMPARE(stored->size(), size_t{4});
    for (const size_t answer : {1, 3})
        for (const std::vector<MessagePart>& parts :
             {bench.first->messages()->rows()[answer].parts, beside->messages()->rows()[answer].parts,
              stored.value()[answer].parts}) {
            QCOMPARE(parts.size(), size_t{2});
            QVERIFY(parts[0].kind == PartKind::Thought && parts[1].kind == PartKind::Text);
            QCOMPARE(parts[0].text, QStringLiteral("Let me see."));
            QCOMPARE(parts[1].text, QStringLiteral("It is 4."));
        }
}

void TestAnswerQueue::aThoughtHasADuration() {
    FakeScript thinking = words();
    thinking.pieces = {FakePiece("Hm. ", engine::PartKind::Thought), FakePiece("Well.", engine::PartKind::Thought),
                       "Yes"};
    Bench bench(thinking);
    QVERIFY(bench.first->send(QStringLiteral("Hello")));
    bench.control->allow(1 + 2);
    QTRY_VERIFY(!bench.first->messages()->rows().back().parts.empty());
    QElapsedTimer since; // it began after the thought, and is read before the thought ends
    since.start();
    QTRY_VERIFY(since.elapsed() > 0);
    const double least = static_cast<double>(since.elapsed()) / 1000;
    bench.control->allowAll();
    QTRY_COMPARE(bench.first->state(), Conversation::Idle);
    const auto rows = bench.store->messages(bench.first->chatId());
    VERIFY_OK(rows);
    const std::vector<MessagePart>& parts = rows->back().parts;
    QCOMPARE(parts.size(), size_t{2});
    QVERIFY(parts.front().seconds >= least);
    QCOMPARE(parts.back().seconds, 0.0);
}

/// The tokens of its first part are known, and those of the second are not: without the second part's text they would
/// be taken for the whole answer.
void TestAnswerQueue::anAnswerThatFailsIsContinuedFromItsEnd() {
    FakeScript script = words();
    script.failAfter = 3;
    script.failure = {engine::ErrorKind::Io, "The answer broke off", "The disk is gone", "Connect it"};
    Bench bench(std::move(script));
    QVERIFY(bench.first->send(QStringLiteral("Hello")));
    bench.control->allow(1 + 2);
    QTRY_COMPARE(lastText(*bench.first), QStringLiteral("Once upon "));
    bench.first->stop();
    QTRY_COMPARE(bench.first->state(), Conversation::Idle);
    MessageRow row = bench.first->messages()->rows().back();
    QVERIFY(bench.answers.written(row.id));
    bench.control->allowAll();
    VERIFY_OK(bench.store->continueAnswer(row.id));
    Job job{.answer = row};
    job.options.prefix = bench.answers.written(row.id)->ids;
    bench.answers.add(std::move(job));
    QTRY_VERIFY(!bench.answers.busy());
    row = bench.store->message(row.id).value();
    QCOMPARE(row.state, MessageState::Failed);
    QCOMPARE(row.text(), QStringLiteral("Once upon a "));
    const auto prefix = prefixOf(row, bench.answers.written(row.id), {}, row.model);
    QVERIFY(prefix && prefix->tokens.empty());
    QCOMPARE(prefix->text, row.text());
}

/// A timer of one second runs beside the program's own, and ends after it however slow the machine is: timers of one
/// thread end in the order of their times.
void TestAnswerQueue::textIsStoredWithinASecond() {
    Bench bench;
    QVERIFY(bench.first->send(QStringLiteral("Hello")));
    const auto stored = [&] { return bench.store->messages(bench.first->chatId())->back().text(); };
    QSignalSpy reported(&bench.answers, &AnswerQueue::progressStored);
    bench.control->allow(1);
    for (const QString& text : {QStringLiteral("Once "), QStringLiteral("Once upon ")}) {
        reported.clear();
        bench.control->allow(1);
        QTRY_COMPARE(lastText(*bench.first), text);
        QTimer second;
        second.setSingleShot(true);
        second.start(1000);
        QTRY_VERIFY(!second.isActive());
        QCoreApplication::processEvents(); // on Windows, timers that have ended together may come in any order
        QCOMPARE(reported.count(), 1);
        QCOMPARE(reported.at(0).at(0).toLongLong(), bench.first->messages()->rows().back().id);
        QCOMPARE(stored(), text);
    }
}

void TestAnswerQueue::aLongChatIsReadInPages() {
    Bench bench;
    qint64 chat = 0;
    for (int i = 0; i < 60; ++i) {
        const auto turn = bench.store->addTurn(
            {.chat = chat, .title = QStringLiteral("Long"), .prompt = QString::number(i), .model = {}});
        VERIFY_OK(turn);
        chat = turn->chat;
        MessageRow answer = turn->answer;
        answer.state = MessageState::Complete;
        answer.parts = textParts(QStringLiteral("answer %1").arg(i));
        VERIFY_OK(bench.store->finishAnswer(answer));
    }
    bench.first->openChat(chat);
    QCOMPARE(bench.first->messages()->count(), 50);
    QVERIFY(bench.first->moreBefore());
    QCOMPARE(lastText(*bench.first), QStringLiteral("answer 59"));
    bench.first->readMoreBefore();
    bench.first->readMoreBefore();
    QVERIFY(!bench.first->moreBefore());
    QCOMPARE(bench.first->messages()->count(), 120);
    QCOMPARE(bench.first->messages()->rows().front().text(), QStringLiteral("0"));
    // The model gets the whole conversation, although the view had a page of it.
    bench.first->newChat();
    bench.first->openChat(chat);
    bench.control->allowAll();
    QVERIFY(bench.first->send(QStringLiteral("More")));
    QTRY_COMPARE(bench.control->conversations().size(), size_t{1});
    QCOMPARE(bench.control->conversations().front().size(), size_t{121});
    QTRY_COMPARE(bench.first->state(), Conversation::Idle);
}

QTEST_MAIN(TestAnswerQueue)
#include "tst_answer_queue.moc"
