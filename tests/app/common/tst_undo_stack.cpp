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
    void theOldestStepsAreForgotten();
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
    QVERIFY(!stack.undo());
    QCOMPARE(failures.count(), 1);
    QVERIFY(stack.redoTitle().isEmpty());
    QVERIFY(stack.undo()); // the step before it is not held up
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
    const auto show = [&](int next, const char* key) {
        const int before = std::exchange(shown, next);
        const auto set = [&shown](int to) {
            return [&shown, to]() -> engine::Status {
                shown = to;
                return {};
            };
        };
        stack.push({.title = {}, .undo = set(before), .redo = set(next), .key = QLatin1String(key)});
    };
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

void TestUndoStack::theOldestStepsAreForgotten() {
    UndoStack stack;
    QString text;
    for (int i = 0; i < 501; ++i) stack.push(writing(text, QStringLiteral("x")));
    int undone = 0;
    while (stack.undo()) ++undone;
    QCOMPARE(undone, 500);
    QCOMPARE(text, QStringLiteral("x"));
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
