// SPDX-License-Identifier: Apache-2.0
// The stack of steps that can be undone, and its two commands.
#include "common/undo_stack.h"
#include "shell/command_list.h"
#include "shell/message_commands.h"

#include <QSignalSpy>
#include <QtTest>

using namespace coterie;
using namespace coterie::app;

class TestUndoStack : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void stepsAreUndoneLatestFirst();
    void aNewStepForgetsWhatWasUndone();
    void aSentMessageForgetsWhatWasUndone();
    void aStepThatFailsCanBeTriedAgain();
    void aStepWhoseDataIsGoneIsDropped();
    void stepsThatDoNotStandAreDropped();
    void stepsWithTheSameKeyAreOne();
    void stepsAreNotOneAcrossUndoOrASentMessage();
    void aStepThatLedBackIsNone();
    void j3AChangeAfterTheBarHasAStepOfItsOwn();
    void whatUndoingPushesIsNoStep();
    void redoIsTheReverseOfUndo();
    void stepsOfErasedChatsAreDropped();
    void theBarOfAnErasedChatGoes();
    void aStepMayDropOthers();
    void theOldestStepsAreForgotten();
    void theLatestStepIsOfferedBeforeItIsUndone();
    void theCommandsSayWhatIsUndone();
};

namespace {

/// A step that appends to a text, or the reverse.
Undoable writing(QString& text, const QString& words) {
    text += words;
    return {.title = words,
            .undo = [&text, words]() -> engine::Status {
                text.chop(words.size());
                return {};
            },
            .redo = [&text, words]() -> engine::Status {
                text += words;
                return {};
            }};
}

std::function<engine::Status()> setting(int& value, int to) {
    return [&value, to]() -> engine::Status {
        value = to;
        return {};
    };
}

/// Gives the value another number, which is also the step's title.
void push(UndoStack& stack, int& value, int next, const char* key) {
    const int before = std::exchange(value, next);
    stack.push({.title = QString::number(next),
                .undo = setting(value, before),
                .redo = setting(value, next),
                .key = QLatin1String(key)});
}

} // namespace

void TestUndoStack::stepsAreUndoneLatestFirst() {
    UndoStack stack;
    QString text;
    QVERIFY(!stack.undo());
    QVERIFY(!stack.redo());
    for (const char* words : {"one", "two", "three"}) stack.push(writing(text, QLatin1String(words)));
    QCOMPARE(stack.undoTitle(), QStringLiteral("three"));
    QVERIFY(stack.redoTitle().isEmpty());
    const QSignalSpy undid(&stack, &UndoStack::undid), redid(&stack, &UndoStack::redid);
    QVERIFY(stack.undo());
    QVERIFY(stack.undo());
    QCOMPARE(text, QStringLiteral("one"));
    QCOMPARE(stack.undoTitle(), QStringLiteral("one"));
    QCOMPARE(stack.redoTitle(), QStringLiteral("two"));
    QVERIFY(stack.redo());
    QCOMPARE(text, QStringLiteral("onetwo"));
    QCOMPARE(undid.count(), 2);
    QCOMPARE(undid.at(1).at(0).toString(), QStringLiteral("two"));
    QCOMPARE(redid.count(), 1);
    QVERIFY(stack.redo());
    QVERIFY(!stack.redo());
    QCOMPARE(text, QStringLiteral("onetwothree"));
}

void TestUndoStack::aNewStepForgetsWhatWasUndone() {
    UndoStack stack;
    QString text;
    stack.push(writing(text, QStringLiteral("one")));
    stack.push(writing(text, QStringLiteral("two")));
    QVERIFY(stack.undo());
    stack.push(writing(text, QStringLiteral("three")));
    QVERIFY(!stack.redo());
    QVERIFY(stack.undo());
    QVERIFY(stack.undo());
    QCOMPARE(text, QString());
}

void TestUndoStack::aSentMessageForgetsWhatWasUndone() {
    UndoStack stack;
    QString text;
    stack.push(writing(text, QStringLiteral("one")));
    stack.push(writing(text, QStringLiteral("two")));
    QVERIFY(stack.undo());
    QVERIFY(!stack.notice().isEmpty());
    stack.settle(7);
    QVERIFY(stack.notice().isEmpty());
    QVERIFY(!stack.redo());
    QVERIFY(stack.undo());
    QCOMPARE(text, QString());
}

void TestUndoStack::aStepThatFailsCanBeTriedAgain() {
    UndoStack stack;
    bool full = true;
    stack.push({.title = QStringLiteral("Rename"),
                .undo = [&full]() -> engine::Status {
                    if (full)
                        return engine::Error{engine::ErrorKind::Io, "Not undone", "The disk is full", "Free some"};
                    return {};
                },
                .redo = [] { return engine::Status{}; }});
    const QSignalSpy failures(&stack, &UndoStack::failed);
    QVERIFY(!stack.undo());
    QCOMPARE(failures.count(), 1);
    QCOMPARE(failures.at(0).at(0).value<ErrorInfo>().why, QStringLiteral("The disk is full"));
    QCOMPARE(stack.undoTitle(), QStringLiteral("Rename"));
    QVERIFY(stack.redoTitle().isEmpty());
    full = false;
    QVERIFY(stack.undo());
    QCOMPARE(stack.redoTitle(), QStringLiteral("Rename"));
    QCOMPARE(failures.count(), 1);
}

void TestUndoStack::aStepWhoseDataIsGoneIsDropped() {
    UndoStack stack;
    QString text;
    stack.push(writing(text, QStringLiteral("one")));
    stack.push({.title = QStringLiteral("Delete"),
                .undo = []() -> engine::Status {
                    return engine::Error{engine::ErrorKind::NotFound, "Not undone", "It was erased", "Nothing"};
                },
                .redo = [] { return engine::Status{}; }});
    const QSignalSpy failures(&stack, &UndoStack::failed);
    stack.offerLatest(false);
    QVERIFY(stack.offered());
    QVERIFY(!stack.undo());
    QCOMPARE(failures.count(), 1);
    QVERIFY(stack.redoTitle().isEmpty());
    QVERIFY(!stack.offered()); // the bar named the step that is gone
    QVERIFY(stack.undo());     // the step before it is not held up
    QCOMPARE(text, QString());
}

/// Such a step goes when it is the latest one; it may stand again once the steps after it are undone.
void TestUndoStack::stepsThatDoNotStandAreDropped() {
    UndoStack stack;
    QString text;
    bool stands = true;
    const auto pushBoth = [&] {
        stack.push(writing(text, QStringLiteral("one")));
        Undoable second = writing(text, QStringLiteral("two"));
        second.stands = [&stands] { return stands; };
        second.offered = true;
        stack.push(second);
    };
    pushBoth();
    const QSignalSpy changed(&stack, &UndoStack::changed);
    stack.dropIdle();
    QCOMPARE(changed.count(), 0);
    QVERIFY(stack.offered());
    stands = false;
    stack.dropIdle();
    QCOMPARE(changed.count(), 1);
    QVERIFY(!stack.offered());
    QCOMPARE(stack.undoTitle(), QStringLiteral("one"));
    stands = true;
    pushBoth();
    stack.push(writing(text, QStringLiteral("three")));
    stands = false;
    stack.dropIdle();
    QCOMPARE(stack.undoTitle(), QStringLiteral("three"));
    QVERIFY(stack.undo());
    QCOMPARE(stack.undoTitle(), QStringLiteral("one"));
    stack.dropIdle();
    QVERIFY(stack.offered()); // to repeat the step that was just undone
    const QSignalSpy undid(&stack, &UndoStack::undid);
    QVERIFY(stack.undo());
    QCOMPARE(undid.at(0).at(0).toString(), QStringLiteral("one")); // the step that does not stand was not undone
}

void TestUndoStack::stepsWithTheSameKeyAreOne() {
    UndoStack stack;
    int shown = 1;
    const auto show = [&](int next, const char* key) { push(stack, shown, next, key); };
    for (const int next : {2, 3, 4}) show(next, "version");
    show(5, "other");
    show(6, "");
    show(7, "");
    for (const int before : {6, 5, 4, 1}) {
        QVERIFY(stack.undo());
        QCOMPARE(shown, before);
    }
    QVERIFY(!stack.undo());
    QVERIFY(stack.redo());
    QCOMPARE(shown, 4);
}

void TestUndoStack::stepsAreNotOneAcrossUndoOrASentMessage() {
    UndoStack stack;
    int value = 0;
    push(stack, value, 1, "value");
    push(stack, value, 2, "other");
    QVERIFY(stack.undo());
    push(stack, value, 3, "value"); // the first step is the latest one, but it was not just done
    QVERIFY(stack.undo());
    QCOMPARE(value, 1);
    QVERIFY(stack.redo());
    stack.settle(7);
    push(stack, value, 4, "value");
    QVERIFY(stack.undo());
    QCOMPARE(value, 3);
}

/// The bar of such steps is that of the first one, and goes if nothing is left of them.
void TestUndoStack::aStepThatLedBackIsNone() {
    UndoStack stack;
    int value = 0;
    const auto slide = [&](int next) {
        const int before = std::exchange(value, next);
        stack.push({.title = QStringLiteral("Slide"),
                    .undo = setting(value, before),
                    .redo = setting(value, next),
                    .key = QStringLiteral("slide"),
                    .notice = QStringLiteral("Slid"),
                    .stands = [&value, before] { return value != before; }});
    };
    slide(1);
    slide(2);
    QCOMPARE(stack.notice(), QStringLiteral("Slid"));
    slide(0);
    QVERIFY(stack.undoTitle().isEmpty());
    QVERIFY(stack.notice().isEmpty() && !stack.offered());
    slide(3);
    slide(4);
    QVERIFY(stack.undo());
    QCOMPARE(value, 0);
    QVERIFY(!stack.undo());
    QVERIFY(stack.redo());
    QCOMPARE(value, 4);
}

/// The size of texts that was changed again a minute later was undone with the first change, and had no bar.
void TestUndoStack::j3AChangeAfterTheBarHasAStepOfItsOwn() {
    UndoStack stack;
    int value = 0;
    const auto slide = [&](int next) {
        const int before = std::exchange(value, next);
        stack.push({.title = QStringLiteral("Slide"),
                    .undo = setting(value, before),
                    .redo = setting(value, next),
                    .key = QStringLiteral("slide"),
                    .notice = QStringLiteral("Slid")});
    };
    slide(1);
    const QSignalSpy offers(&stack, &UndoStack::offeredChanged);
    slide(2);
    QCOMPARE(offers.count(), 1); // the bar stays for its whole time after the last of them
    stack.endOffer();
    slide(3);
    QCOMPARE(stack.notice(), QStringLiteral("Slid"));
    QVERIFY(stack.undo());
    QCOMPARE(value, 2);
    QVERIFY(stack.undo());
    QCOMPARE(value, 0);
}

void TestUndoStack::whatUndoingPushesIsNoStep() {
    UndoStack stack;
    QString text;
    stack.push(writing(text, QStringLiteral("one")));
    const auto pushes = [&]() -> engine::Status {
        stack.push({.title = QStringLiteral("Follows"),
                    .undo = [] { return engine::Status{}; },
                    .redo = [] { return engine::Status{}; }});
        return {};
    };
    stack.push({.title = QStringLiteral("two"), .undo = pushes, .redo = pushes});
    QVERIFY(stack.undo());
    QCOMPARE(stack.undoTitle(), QStringLiteral("one"));
    QCOMPARE(stack.redoTitle(), QStringLiteral("two"));
    QVERIFY(stack.redo());
    QCOMPARE(stack.undoTitle(), QStringLiteral("two"));
    QVERIFY(stack.redoTitle().isEmpty());
}

void TestUndoStack::redoIsTheReverseOfUndo() {
    UndoStack stack;
    int value = 0;
    for (int next = 1; next <= 4; ++next) push(stack, value, next, "");
    for (int before = 3; before >= 0; --before) {
        QVERIFY(stack.undo());
        QCOMPARE(value, before);
        QVERIFY(stack.offersRedo());
    }
    for (int next = 1; next <= 4; ++next) {
        const QString title = stack.redoTitle();
        QVERIFY(stack.redo());
        QCOMPARE(value, next);
        QCOMPARE(stack.notice(), QStringLiteral("Done again: %1").arg(title));
        QVERIFY(!stack.offersRedo());
    }
    QVERIFY(!stack.redo());
}

void TestUndoStack::stepsOfErasedChatsAreDropped() {
    UndoStack stack;
    const auto step = [&stack](const char* title, std::optional<qint64> chat, const QList<qint64>& chats) {
        stack.push({.title = QLatin1String(title),
                    .undo = [] { return engine::Status{}; },
                    .redo = [] { return engine::Status{}; },
                    .chat = chat,
                    .chats = chats});
    };
    step("of no chat", {}, {});
    step("of 1", 1, {});
    step("of both", {}, {1, 2});
    step("of 2", 2, {});
    step("of 1, undone", {}, {1});
    step("of 2, undone", {}, {2});
    QVERIFY(stack.undo() && stack.undo());
    stack.settle(5); // a message in another chat: nothing can be redone any more
    QVERIFY(stack.redoTitle().isEmpty());
    step("of 1, undone", {}, {1});
    step("of 2, undone", {}, {2});
    QVERIFY(stack.undo() && stack.undo());
    const QSignalSpy changed(&stack, &UndoStack::changed);
    stack.dropChats([](qint64 chat) { return chat == 7; });
    QCOMPARE(changed.count(), 0);
    stack.dropChats([](qint64 chat) { return chat == 1; });
    QCOMPARE(changed.count(), 1);
    QCOMPARE(stack.redoTitle(), QStringLiteral("of 2, undone"));
    QVERIFY(stack.redo());
    for (const char* title : {"of 2, undone", "of 2", "of both", "of no chat"}) {
        QCOMPARE(stack.undoTitle(), QLatin1String(title));
        QVERIFY(stack.undo());
    }
    QVERIFY(!stack.undo());
}

void TestUndoStack::theBarOfAnErasedChatGoes() {
    UndoStack stack;
    const auto step = [&stack](qint64 chat) {
        stack.push({.title = QStringLiteral("Step"),
                    .undo = [] { return engine::Status{}; },
                    .redo = [] { return engine::Status{}; },
                    .notice = QStringLiteral("Done"),
                    .chats = {chat}});
    };
    const auto is = [](qint64 gone) { return [gone](qint64 chat) { return chat == gone; }; };
    step(1);
    step(2);
    stack.dropChats(is(1));
    QVERIFY(stack.offered()); // it is about the other one
    step(3);
    QVERIFY(stack.undo());
    stack.dropChats(is(2));
    QVERIFY(stack.offersRedo());
    stack.dropChats(is(3));
    QVERIFY(!stack.offered() && stack.notice().isEmpty());
    step(4);
    stack.dropChats(is(4));
    QVERIFY(!stack.offered() && stack.notice().isEmpty());
}

/// Undoing may show another chat, which ends a temporary one.
void TestUndoStack::aStepMayDropOthers() {
    UndoStack stack;
    const auto nothing = [] { return engine::Status{}; };
    const auto drops = [&stack]() -> engine::Status {
        stack.dropChats([](qint64 chat) { return chat == 1; });
        return {};
    };
    stack.push({.title = QStringLiteral("first"), .undo = nothing, .redo = nothing, .chats = {1}});
    stack.push({.title = QStringLiteral("second"), .undo = drops, .redo = drops, .chats = {2}});
    QVERIFY(stack.undo());
    QVERIFY(stack.undoTitle().isEmpty());
    QCOMPARE(stack.notice(), QStringLiteral("Undone: second"));
    QVERIFY(stack.redo());
    QCOMPARE(stack.undoTitle(), QStringLiteral("second"));
}

void TestUndoStack::theOldestStepsAreForgotten() {
    UndoStack stack;
    QString text;
    for (int i = 0; i < 501; ++i) stack.push(writing(text, QStringLiteral("x")));
    int undone = 0;
    while (stack.undo()) ++undone;
    QCOMPARE(undone, 500);
    QCOMPARE(text, QStringLiteral("x"));
}

void TestUndoStack::theLatestStepIsOfferedBeforeItIsUndone() {
    UndoStack stack;
    QString text;
    stack.offerLatest(false);
    stack.offerLatest(true);
    QVERIFY(!stack.offered());
    stack.push(writing(text, QStringLiteral("one")));
    QVERIFY(!stack.offered());
    stack.offerLatest(false);
    QCOMPARE(stack.notice(), QStringLiteral("Done last: one"));
    QVERIFY(stack.offered() && !stack.offersRedo());
    QCOMPARE(text, QStringLiteral("one"));
    QVERIFY(stack.undo());
    stack.endOffer();
    stack.offerLatest(true);
    QCOMPARE(stack.notice(), QStringLiteral("Undone last: one"));
    QVERIFY(stack.offered() && stack.offersRedo());
    QCOMPARE(text, QString());
    stack.push(writing(text, QStringLiteral("two")));
    Undoable idle = writing(text, QStringLiteral("three"));
    idle.stands = [] { return false; };
    stack.push(idle);
    stack.offerLatest(false); // undoing the other one would change nothing
    QCOMPARE(stack.notice(), QStringLiteral("Done last: two"));
}

void TestUndoStack::theCommandsSayWhatIsUndone() {
    UndoStack stack;
    CommandList commands;
    addUndoCommands(commands, stack);
    const QString undo = QStringLiteral("edit.undo"), redo = QStringLiteral("edit.redo");
    QVERIFY(!commands.run(undo));
    QCOMPARE(commands.title(undo), QStringLiteral("Undo"));
    const QSignalSpy changes(&commands, &QAbstractItemModel::dataChanged);
    QString text;
    stack.push(writing(text, QStringLiteral("Delete the message")));
    QVERIFY(changes.count() > 0);
    QCOMPARE(commands.title(undo), QStringLiteral("Undo: Delete the message"));
    QCOMPARE(commands.index(0).data(CommandList::TitleRole).toString(), commands.title(undo));
    QVERIFY(commands.index(0).data(CommandList::EnabledRole).toBool());
    QVERIFY(commands.run(undo));
    QCOMPARE(text, QString());
    QCOMPARE(commands.title(undo), QStringLiteral("Undo"));
    QCOMPARE(commands.title(redo), QStringLiteral("Redo: Delete the message"));
    QVERIFY(commands.run(redo));
    QCOMPARE(text, QStringLiteral("Delete the message"));
}

QTEST_GUILESS_MAIN(TestUndoStack)
#include "tst_undo_stack.moc"
