// SPDX-License-Identifier: Apache-2.0
// Undo in the program as a whole: steps of chats that were erased, and pages that stay. The stack alone is tested in
// tests/app/common.
#include "app/app_bench.h"

#include <QtTest>

using namespace coterie;
using namespace coterie::app;
using namespace coterie::test;

class TestAppUndo : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void init();
    void stepsOfAnErasedChatAreGone();
    void whatCouldBeRedoneOfAnErasedChatIsGone();
    void stepsOfAnErasedTemporaryChatAreGone();
    void pagesStay();
    void thinkingIsAStep();

  private:
    App& app() { return bench_->app(); }
    UndoStack& undo() { return *app().undo(); }
    MessageActions& actions() { return *bench_->chat().actions(); }
    int messages() { return bench_->chat().messages()->count(); }
    qint64 lastMessage() { return bench_->chat().messages()->lastId(); }
    /// Has a prompt answered in the chat in view, and returns that chat.
    qint64 talk(const QString& prompt) {
        if (!bench_->chat().send(prompt)) return 0;
        return QTest::qWaitFor([this] { return !bench_->chat().busy(); }, kPatienceMs) ? bench_->chat().chatId() : 0;
    }

    std::unique_ptr<AppBench> bench_;
};

void TestAppUndo::init() {
    bench_ = std::make_unique<AppBench>();
    bench_->control().allowAll();
    OPEN_MODEL(*bench_);
}

void TestAppUndo::stepsOfAnErasedChatAreGone() {
    const qint64 first = talk(QStringLiteral("One"));
    bench_->chat().newChat();
    const qint64 second = talk(QStringLiteral("Two"));
    QVERIFY(first != 0 && second != 0 && first != second);
    app().chats()->rename(second, QStringLiteral("Second"));
    app().chats()->rename(first, QStringLiteral("First"));
    app().chats()->setPinned(first, true);
    app().chats()->remove(first);
    app().chats()->setPinned(second, true);
    app().bin()->setListing(true);
    app().bin()->eraseAll();
    QCOMPARE(undo().undoTitle(), QStringLiteral("Pin"));
    QVERIFY(undo().undo());
    QCOMPARE(undo().undoTitle(), QStringLiteral("Rename the chat"));
    QVERIFY(undo().undo());
    QCOMPARE(bench_->chat().title(), QStringLiteral("Two"));
    QVERIFY(undo().undoTitle().isEmpty());
    QVERIFY(!app().error().valid());
}

void TestAppUndo::whatCouldBeRedoneOfAnErasedChatIsGone() {
    const qint64 chat = talk(QStringLiteral("One"));
    QVERIFY(chat != 0 && app().chats()->duplicate(chat) != 0);
    QVERIFY(undo().undo());
    QCOMPARE(undo().redoTitle(), QStringLiteral("Duplicate the chat"));
    QVERIFY(!undo().notice().isEmpty());
    app().bin()->setListing(true);
    app().bin()->eraseAll();
    QVERIFY(undo().redoTitle().isEmpty());
    QVERIFY(undo().notice().isEmpty() && !undo().offered());
}

void TestAppUndo::stepsOfAnErasedTemporaryChatAreGone() {
    const qint64 chat = talk(QStringLiteral("One"));
    app().chats()->rename(chat, QStringLiteral("First"));
    bench_->chat().newTemporaryChat();
    QVERIFY(isTemporary(talk(QStringLiteral("Two"))));
    actions().remove(lastMessage());
    QCOMPARE(undo().undoTitle(), QStringLiteral("Delete the message"));
    QVERIFY(undo().offered());
    bench_->chat().dropTemporary();
    QCOMPARE(undo().undoTitle(), QStringLiteral("Rename the chat"));
    QVERIFY(!undo().offered());
    bench_->chat().newTemporaryChat();
    QVERIFY(isTemporary(talk(QStringLiteral("Three"))));
    actions().remove(lastMessage());
    QVERIFY(undo().undo());
    QCOMPARE(undo().redoTitle(), QStringLiteral("Delete the message"));
    bench_->chat().dropTemporary();
    QVERIFY(undo().redoTitle().isEmpty());
    QVERIFY(undo().notice().isEmpty() && !undo().offered());
    QVERIFY(undo().undo());
    QVERIFY(!app().error().valid());
}

/// The chat below a page stays, too, until the conversation is shown.
void TestAppUndo::pagesStay() {
    const qint64 chat = talk(QStringLiteral("One"));
    actions().remove(lastMessage());
    QCOMPARE(messages(), 1);
    for (const Pages::Page page : {Pages::Settings, Pages::Bin, Pages::Models, Pages::Activity, Pages::ChatSettings}) {
        app().pages()->open(page);
        QVERIFY(undo().undo());
        QCOMPARE(app().pages()->current(), page);
        QCOMPARE(messages(), 2);
        QCOMPARE(undo().notice(), QStringLiteral("Undone: Delete the message"));
        QVERIFY(undo().redo());
        QCOMPARE(app().pages()->current(), page);
        QCOMPARE(messages(), 1);
    }
    app().pages()->open(Pages::Chat);
    bench_->chat().newChat();
    app().pages()->open(Pages::Settings);
    QVERIFY(undo().undo());
    QCOMPARE(app().pages()->current(), Pages::Settings);
    QCOMPARE(bench_->chat().chatId(), qint64{0});
    app().pages()->open(Pages::Chat);
    QVERIFY(undo().redo());
    QCOMPARE(bench_->chat().chatId(), chat);
    QCOMPARE(messages(), 1);
}

/// It is undone where it was changed, and the chat that the composer belongs to is that of the step.
void TestAppUndo::thinkingIsAStep() {
    const QString key = QStringLiteral("thinking");
    const auto thinks = [this] { return bench_->chat().settings().thinking(); };
    bench_->chat().setThinking(false);
    bench_->chat().setThinking(false); // nothing changes
    QVERIFY(undo().toUndo() && undo().toUndo()->chat == qint64{0});
    QVERIFY(undo().undo());
    QVERIFY(thinks() && !undo().undo());
    QVERIFY(undo().redo());
    QVERIFY(!thinks());
    const QString preset = app().presets()->add(QStringLiteral("Mine"), {{key, true}});
    QVERIFY(bench_->chat().setOwnSettings(0, {{kPresetKey, preset}}));
    bench_->chat().setThinking(false); // the chat has a value of its own from now on
    QVERIFY(!thinks());
    QVERIFY(undo().undo());
    QVERIFY(thinks());
    QVERIFY(!bench_->chat().settings().layer(ChatSettings::Chat).contains(key));
}

QTEST_GUILESS_MAIN(TestAppUndo)
#include "tst_app_undo.moc"
