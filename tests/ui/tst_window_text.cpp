// SPDX-License-Identifier: Apache-2.0
// Texts of messages in the real window: selected with the pointer in a list that could take the drag, their code
// copied, their thoughts unfolded. tests/text tests the item alone.
#include "store/chat_store.h"
#include "text/message_text.h"
#include "window_driver.h"

#include <QClipboard>
#include <QFontInfo>
#include <QGlyphRun>
#include <QQuickTextDocument>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextLayout>

#include <cmath>
#include <tuple>
#include <utility>

using namespace coterie;
using namespace coterie::tests;
using app::MessageText;
using app::TextPosition;

class WindowTextTest : public WindowDriver {
    Q_OBJECT
  private Q_SLOTS:
    void codeIsCopiedByItsButton();
    void thoughtsUnfold();
    void aDragSelectsAndDoesNotScroll();
    void aDragPastTheEdgeScrolls();
    void aDragSelectsOverMessages_data();
    void aDragSelectsOverMessages();
    void aSelectionOverMessagesKeepsWholeWords();
    void aClickWithShiftSelectsOverMessages();
    void keysSelectOverMessages();
    void aSelectionOverMessagesOutlivesScrolling();
    void aSelectionOverMessagesEndsWithItsFocus();
    void aClickDrawsNoFrameAroundTheConversation();
    void screenReadersFindFramesInTheirMessage();
    void onlyMessagesInViewHaveItems();
    void earlierMessagesLeaveTheReadersPlace();
    void linksOfferTheirAddressForACopy();
    void aLongPromptIsFolded();
    void thoughtsTellHowLongTheyTook();
    void codeLinesAreWrapped();
    void aFormattedAnswerIsSelectedAndCopied();
    void aFormulaIsCopiedAsItsSource();
    void n30LongTextFillsTheField();
    void n27FieldAndBubbleAgree_data();
    void n27FieldAndBubbleAgree();
    void n26TheFieldReplacesNoLetter();
    void n26NoTextReplacesALetter();
    void n27TheFieldTurnsNothing();

  private:
    using Turns = std::vector<std::pair<QString, std::vector<app::MessagePart>>>;

    /// Starts with a chat of these prompts and answers.
    void startWith(const Turns& turns) {
        start();
        fixture_->stop();
        {
            auto store = app::ChatStore::open({.folder = fixture_->dataFolder(), .migrations = {}});
            QVERIFY(bool(store));
            qint64 chat = 0;
            for (const auto& [prompt, answer] : turns) {
                auto turn = store.value()->addTurn(
                    {.chat = chat, .title = QStringLiteral("Kept"), .prompt = prompt, .model = QString()});
                QVERIFY(bool(turn));
                chat = turn->chat;
                turn->answer.parts = answer;
                turn->answer.state = app::MessageState::Complete;
                QVERIFY(bool(store.value()->finishAnswer(turn->answer)));
            }
        }
        QVERIFY(fixture_->start(model_));
        click(QStringLiteral("Kept"));
        QTRY_VERIFY(textWith(qPrintable(turns.back().first.left(5))));
    }
    void startWith(const QString& prompt, const std::vector<app::MessagePart>& answer) {
        startWith(Turns{{prompt, answer}});
    }
    /// The same with turns that can be told apart: "First question", "First answer" and so on.
    void startWithTurns(int count) {
        Turns turns;
        for (const char* number : {"First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth"})
            if (static_cast<int>(turns.size()) < count)
                turns.emplace_back(QLatin1String(number) + QStringLiteral(" question"),
                                   app::textParts(QLatin1String(number) + QStringLiteral(" answer")));
        startWith(turns);
    }
    /// Returns what Ctrl+C copies now.
    QString copied() {
        QGuiApplication::clipboard()->setText(QStringLiteral("nothing"));
        press(Qt::Key_C, Qt::ControlModifier);
        return QGuiApplication::clipboard()->text();
    }
    /// Returns the text of the last message in view that contains these words. A message that is being made has no
    /// document yet.
    MessageText* textWith(const char* words) const {
        MessageText* found = nullptr;
        for (QAccessibleInterface* node : accessibleNodes(window())) {
            auto* text = qobject_cast<MessageText*>(node->object());
            if (text && text->document() && text->document()->text().contains(QString::fromLatin1(words))) found = text;
        }
        return found;
    }
    /// Returns the id of the first message whose upper edge is in view.
    qint64 firstInView() const {
        const QQuickItem* found = nullptr;
        for (const QQuickItem* message : list()->property("contentItem").value<QQuickItem*>()->childItems())
            if (message->property("condition").isValid() && message->y() >= listPlace() &&
                (!found || message->y() < found->y()))
                found = message;
        if (!found) return 0;
        const app::MessageModel& messages = *app()->conversation()->messages();
        return messages.index(found->property("index").toInt()).data(app::MessageModel::MessageIdRole).toLongLong();
    }
    /// Waits until the list shows the same in three pictures of the window: one may fall between two steps of a layout.
    /// No QTRY macro: they ask once more when the condition holds.
    bool listComesToRest() {
        const auto shown = [this] {
            return std::tuple(listPlace(), list()->property("contentHeight").toReal(), firstInView());
        };
        int same = 0;
        const auto rests = [&] {
            const auto before = shown();
            same = drawn() && shown() == before ? same + 1 : 0;
            return same == 3;
        };
        return waitFor(rests);
    }
    QPoint placeOf(const MessageText* text, TextPosition position) const {
        return text->mapToScene(text->layout().caretAt(position).center()).toPoint();
    }
    QQuickItem* list() const { return namedItem(window(), QStringLiteral("Conversation"), QAccessible::List); }
    qreal listPlace() const { return list()->property("contentY").toReal(); }
};

void WindowTextTest::codeIsCopiedByItsButton() {
    start();
    talk(QStringLiteral("Hello"));
    QGuiApplication::clipboard()->clear();
    click(QStringLiteral("Copy code"));
    QVERIFY(QGuiApplication::clipboard()->text().startsWith(QStringLiteral("def turn(angle):\n    \"\"\"One step")));
    QVERIFY(QGuiApplication::clipboard()->text().endsWith(QStringLiteral("% 360")));
    QTRY_VERIFY(item(QStringLiteral("Copied")));
}

void WindowTextTest::thoughtsUnfold() {
    start();
    talk(QStringLiteral("Hello"));
    QVERIFY(!shows("The question is about a lighthouse"));
    click(QStringLiteral("Thoughts"));
    QTRY_VERIFY(shows("The question is about a lighthouse"));
    use("Thoughts"); // by key
    QTRY_VERIFY(!shows("The question is about a lighthouse"));
}

void WindowTextTest::aDragSelectsAndDoesNotScroll() {
    start();
    for (int i = 0; i < 2; ++i) talk(QStringLiteral("Hello"));
    QTRY_VERIFY(listPlace() > 50); // the list can scroll
    MessageText* text = textWith("Once upon a time");
    QVERIFY(text && text->document()->count() >= 4); // a thought, paragraphs, code
    const qreal before = listPlace();
    QTest::mousePress(window(), Qt::LeftButton, {}, placeOf(text, {1, 5}));
    for (int y = 10; y <= 80; y += 10) QTest::mouseMove(window(), placeOf(text, {1, 5}) + QPoint(0, y));
    QTest::mouseMove(window(), placeOf(text, {3, 8}));
    QTest::mouseRelease(window(), Qt::LeftButton, {}, placeOf(text, {3, 8}));
    QVERIFY(text->selectedText().startsWith(QStringLiteral("upon a time")));
    QVERIFY(text->selectedText().endsWith(QStringLiteral("turned like this:\n\ndef turn")));
    QCOMPARE(listPlace(), before);
    press(Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QGuiApplication::clipboard()->text(), text->selectedText());
}

void WindowTextTest::aDragPastTheEdgeScrolls() {
    start();
    window()->resize(900, 500);
    app()->settings()->fontScale = 1.6; // the answer is higher than the list
    talk(QStringLiteral("Hello"));
    MessageText* text = textWith("Once upon a time");
    QVERIFY(text);
    QTRY_VERIFY(listPlace() > 100);
    const qreal before = listPlace();
    const QPoint from = placeOf(text, {text->document()->count() - 1, 20});
    QTest::mousePress(window(), Qt::LeftButton, {}, from);
    for (int step = 1; step <= 5; ++step)
        QTest::mouseMove(window(), list()->mapToScene({from.x() * 1.0, -10.0 * step}).toPoint());
    QVERIFY(listPlace() < before);
    QVERIFY(!text->selectedText().isEmpty());
    QTest::mouseRelease(window(), Qt::LeftButton, {}, from);
}

void WindowTextTest::aDragSelectsOverMessages_data() {
    QTest::addColumn<bool>("down");
    QTest::newRow("down") << true;
    QTest::newRow("up") << false;
}

void WindowTextTest::aDragSelectsOverMessages() {
    QFETCH(bool, down);
    startWithTurns(3);
    MessageText* const upper = textWith("First question");
    MessageText* const lower = textWith("Second question");
    QVERIFY(upper && lower);
    QPoint from = placeOf(upper, {0, 6}), to = placeOf(lower, {0, 6});
    if (!down) std::swap(from, to);
    const qreal before = listPlace();
    QTest::mousePress(window(), Qt::LeftButton, {}, from);
    for (int step = 1; step <= 10; ++step) QTest::mouseMove(window(), from + (to - from) * step / 10);
    QCOMPARE(upper->selectedText(), QStringLiteral("question"));
    QCOMPARE(textWith("First answer")->selectedText(), QStringLiteral("First answer"));
    QCOMPARE(lower->selectedText(), QStringLiteral("Second"));
    QCOMPARE(textWith("Second answer")->selectedText(), QString());
    QTest::mouseRelease(window(), Qt::LeftButton, {}, to);
    QCOMPARE(listPlace(), before);
    QCOMPARE(copied(), QStringLiteral("question\n\nFirst answer\n\nSecond"));
    // A drag that comes back selects in one message, as if it had not left it.
    QTest::mousePress(window(), Qt::LeftButton, {}, from);
    for (int step = 1; step <= 10; ++step) QTest::mouseMove(window(), from + (to - from) * step / 10);
    const QPoint back = placeOf(down ? upper : lower, {0, 2});
    for (int step = 1; step <= 10; ++step) QTest::mouseMove(window(), to + (back - to) * step / 10);
    QCOMPARE((down ? upper : lower)->selectedText(), QString(down ? "rst " : "cond"));
    QTest::mouseRelease(window(), Qt::LeftButton, {}, back);
    QVERIFY((down ? upper : lower)->hasActiveFocus());
    QCOMPARE(copied(), QString(down ? "rst " : "cond"));
}

void WindowTextTest::aSelectionOverMessagesKeepsWholeWords() {
    startWithTurns(2);
    const QPoint from = placeOf(textWith("First question"), {0, 8}), to = placeOf(textWith("Second question"), {0, 2});
    QTest::mouseDClick(window(), Qt::LeftButton, {}, from);
    QCOMPARE(textWith("First question")->selectedText(), QStringLiteral("question"));
    QTest::mouseClick(window(), Qt::LeftButton, Qt::ShiftModifier, to);
    QCOMPARE(copied(), QStringLiteral("question\n\nFirst answer\n\nSecond"));
}

void WindowTextTest::aClickWithShiftSelectsOverMessages() {
    startWithTurns(3);
    const auto shiftClick = [this](const char* words, qsizetype offset) {
        QTest::mouseClick(window(), Qt::LeftButton, Qt::ShiftModifier, placeOf(textWith(words), {0, offset}));
    };
    QTest::mouseClick(window(), Qt::LeftButton, {}, placeOf(textWith("First answer"), {0, 6}));
    shiftClick("Second answer", 6);
    QCOMPARE(copied(), QStringLiteral("answer\n\nSecond question\n\nSecond"));
    shiftClick("Third question", 5); // it begins where it began
    QCOMPARE(copied(), QStringLiteral("answer\n\nSecond question\n\nSecond answer\n\nThird"));
    shiftClick("First question", 6);
    QCOMPARE(copied(), QStringLiteral("question\n\nFirst "));
    shiftClick("First answer", 9);
    QCOMPARE(copied(), QStringLiteral("ans"));
    QTest::mouseClick(window(), Qt::LeftButton, {}, placeOf(textWith("Third answer"), {0, 3}));
    QCOMPARE(copied(), QStringLiteral("nothing"));
}

void WindowTextTest::keysSelectOverMessages() {
    startWithTurns(3);
    MessageText* const first = textWith("First answer");
    QTest::mouseClick(window(), Qt::LeftButton, {}, placeOf(first, {0, 6}));
    press(Qt::Key_Down, Qt::ShiftModifier); // to the end of the line, which is the last one
    QCOMPARE(copied(), QStringLiteral("answer"));
    press(Qt::Key_Down, Qt::ShiftModifier);
    QCOMPARE(copied(), QStringLiteral("answer")); // the caret is before the next message
    QVERIFY(!first->hasActiveFocus());
    press(Qt::Key_Right, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(copied(), QStringLiteral("answer\n\nSecond"));
    press(Qt::Key_End, Qt::ShiftModifier);
    press(Qt::Key_Right, Qt::ShiftModifier);
    for (int i = 0; i < 3; ++i) press(Qt::Key_Right, Qt::ShiftModifier);
    QCOMPARE(copied(), QStringLiteral("answer\n\nSecond question\n\nSec"));
    for (int i = 0; i < 4; ++i) press(Qt::Key_Left, Qt::ShiftModifier);
    QCOMPARE(copied(), QStringLiteral("answer\n\nSecond question"));
    press(Qt::Key_Up, Qt::ShiftModifier); // to the beginning of the line, which is the first one
    press(Qt::Key_Up, Qt::ShiftModifier);
    QVERIFY(first->hasActiveFocus()); // the first message has the selection again
    QCOMPARE(copied(), QStringLiteral("answer"));
    for (int i = 0; i < 3; ++i) press(Qt::Key_Up, Qt::ShiftModifier);
    QCOMPARE(copied(), QStringLiteral("First question\n\nFirst "));
}

void WindowTextTest::aSelectionOverMessagesOutlivesScrolling() {
    constexpr int kTurns = 60;
    Turns turns;
    QStringList expected;
    for (int i = 0; i < kTurns; ++i) {
        const QString prompt = QStringLiteral("Q%1.").arg(i), answer = QStringLiteral("A%1.").arg(i);
        turns.emplace_back(prompt, app::textParts(answer));
        expected << prompt << answer;
    }
    startWith(turns);
    list()->forceActiveFocus();
    while (app()->conversation()->moreBefore()) app()->conversation()->readMoreBefore();
    QVERIFY(listComesToRest()); // it holds its place while messages come in above
    press(Qt::Key_Home);
    QTRY_VERIFY(textWith("Q0."));
    QVERIFY(listComesToRest());
    QTest::mouseClick(window(), Qt::LeftButton, {}, placeOf(textWith("Q0."), {0, 0}) + QPoint(2, 0));
    list()->forceActiveFocus();
    press(Qt::Key_End);
    QTRY_VERIFY(textWith("A59.") && !textWith("Q0.")); // the item of the first message is gone
    QVERIFY(listComesToRest());
    QTest::mouseClick(window(), Qt::LeftButton, Qt::ShiftModifier, placeOf(textWith("A59."), {0, 4}));
    const QString all = expected.join(QStringLiteral("\n\n"));
    QCOMPARE(copied(), all);
    press(Qt::Key_PageUp); // keys scroll as before
    press(Qt::Key_Home);
    QTRY_VERIFY(textWith("Q0.") && !textWith("A59."));
    QCOMPARE(textWith("Q0.")->selectedText(), QStringLiteral("Q0."));
    QCOMPARE(copied(), all);
    press(Qt::Key_Left, Qt::ShiftModifier); // the caret comes into view
    QTRY_VERIFY(textWith("A59."));
    QCOMPARE(copied(), all.chopped(1));
}

void WindowTextTest::aSelectionOverMessagesEndsWithItsFocus() {
    startWithTurns(2);
    MessageText* const answer = textWith("First answer");
    QTest::mouseClick(window(), Qt::LeftButton, {}, placeOf(textWith("First question"), {0, 0}) + QPoint(2, 0));
    QTest::mouseClick(window(), Qt::LeftButton, Qt::ShiftModifier, placeOf(textWith("Second question"), {0, 6}));
    QVERIFY(drawn());
    const QImage selected = window()->grabWindow();
    QAccessibleInterface* const node = QAccessible::queryAccessibleInterface(answer);
    QCOMPARE(node->textInterface()->selectionCount(), 1);
    QVERIFY(shows("Selected text in 3 messages"));
    press(Qt::Key_L, Qt::ControlModifier);
    QCOMPARE(answer->selectedText(), QString());
    QCOMPARE(node->textInterface()->selectionCount(), 0);
    QVERIFY(drawn());
    const QPoint beside = placeOf(answer, {0, 0}) + QPoint(1, answer->style()->bodyLine / 3);
    QVERIFY(selected.pixelColor(beside) != window()->grabWindow().pixelColor(beside));
    QCOMPARE(copied(), QStringLiteral("nothing"));
}

void WindowTextTest::aClickDrawsNoFrameAroundTheConversation() {
    start();
    talk(QStringLiteral("Hello"));
    const auto ringOf = [](QQuickItem* from) {
        return findItem(from, [from](QQuickItem* at) {
            return QByteArray(at->metaObject()->className()).startsWith("FocusRing") && at->isVisible() &&
                   at->width() > from->width() * 0.9;
        });
    };
    list()->forceActiveFocus(Qt::TabFocusReason);
    QVERIFY(ringOf(list()));
    MessageText* text = textWith("Once upon a time");
    QTest::mouseClick(window(), Qt::LeftButton, {}, placeOf(text, {1, 5}));
    QVERIFY(text->hasActiveFocus());
    QVERIFY(!ringOf(list()) && !ringOf(text));
    press(Qt::Key_Up, Qt::AltModifier);
    press(Qt::Key_Down, Qt::AltModifier);
    QVERIFY(text->hasActiveFocus());
    const QQuickItem* const ring = ringOf(text);
    QVERIFY(ring); // who comes by key sees where the focus is
    const auto place = [](const QQuickItem* at) { return at->mapRectToScene(QRectF(0, 0, at->width(), at->height())); };
    QVERIFY(place(ring).left() <= place(text).left() - 8 && place(ring).right() >= place(text).right() + 8);
    QVERIFY(place(ring).bottom() < place(item(QStringLiteral("Regenerate"))).top());
}

void WindowTextTest::screenReadersFindFramesInTheirMessage() {
    start();
    talk(QStringLiteral("Hello"));
    QAccessibleInterface* answer = QAccessible::queryAccessibleInterface(textWith("Once upon a time"));
    QVERIFY(answer->textInterface());
    const auto inAnswer = [answer] {
        QStringList names;
        walkAccessible(answer, [&](QAccessibleInterface* node) { names.append(node->text(QAccessible::Name)); });
        return names;
    };
    for (const char* name : {"Code, python", "Copy code", "Thoughts"}) // the window's next picture brings the frames
        QTRY_VERIFY2(inAnswer().contains(QString::fromLatin1(name)), qPrintable(inAnswer().join(u'|')));
    QAccessibleInterface* button = QAccessible::queryAccessibleInterface(item(QStringLiteral("Copy code")));
    QAccessibleInterface* frame = button->parent();
    QCOMPARE(frame->role(), QAccessible::Grouping);
    QVERIFY(answer->indexOfChild(frame) >= 0);
    QCOMPARE(answer->parent()->role(), QAccessible::ListItem);
}

void WindowTextTest::onlyMessagesInViewHaveItems() {
    start();
    for (int i = 0; i < 12; ++i) talk(QStringLiteral("Hello"));
    const auto count = [&] {
        int texts = 0;
        const std::function<void(QQuickItem*)> walk = [&](QQuickItem* at) {
            texts += qobject_cast<MessageText*>(at) ? 1 : 0;
            for (QQuickItem* child : at->childItems()) walk(child);
        };
        walk(list());
        return texts;
    };
    QVERIFY(count() > 2);
    const int most = 12; // there are 24 messages
    for (int i = 0; i < 20; ++i) {
        list()->forceActiveFocus();
        press(Qt::Key_PageUp);
        QVERIFY(count() <= most);
    }
}

void WindowTextTest::earlierMessagesLeaveTheReadersPlace() {
    constexpr int kTurns = 120;
    start();
    fixture_->stop();
    {
        auto store = app::ChatStore::open({.folder = fixture_->dataFolder(), .migrations = {}});
        QVERIFY(bool(store));
        qint64 chat = 0;
        for (int i = 0; i < kTurns; ++i) {
            auto turn = store.value()->addTurn({.chat = chat,
                                                .title = QStringLiteral("Long"),
                                                .prompt = QStringLiteral("Prompt"),
                                                .model = QString()});
            QVERIFY(bool(turn));
            chat = turn->chat;
            turn->answer.parts = app::textParts(QString(40 + 90 * (i % 7), u'x')); // the heights differ
            turn->answer.state = app::MessageState::Complete;
            QVERIFY(bool(store.value()->finishAnswer(turn->answer)));
        }
    }
    QVERIFY(fixture_->start(model_));
    click(QStringLiteral("Long"));
    const app::MessageModel& messages = *app()->conversation()->messages();
    QTRY_VERIFY(messages.count() > 0);
    list()->forceActiveFocus();
    const qreal page = list()->height() - 32; // a key scrolls by so much
    constexpr qreal kSmallest = 40;           // height of a message, at least
    for (int keys = 0; listPlace() > list()->property("originY").toReal(); ++keys) {
        QVERIFY(keys < 2 * kTurns);
        const qint64 before = firstInView();
        press(Qt::Key_PageUp);
        QVERIFY(listComesToRest()); // earlier messages have been read, and their items are placed
        const qint64 passed = before - firstInView();
        QVERIFY2(passed >= 0 && passed <= std::ceil(page / kSmallest), qPrintable(QString::number(passed)));
    }
    QCOMPARE(messages.count(), 2 * kTurns);
}

void WindowTextTest::linksOfferTheirAddressForACopy() {
    startWith(QStringLiteral("Where is it?"), app::textParts(QStringLiteral("See [the paper](https://a.example/b).")));
    QTRY_VERIFY(namedItem(window(), QStringLiteral("the paper"), QAccessible::Link));
    QQuickItem* link = namedItem(window(), QStringLiteral("the paper"), QAccessible::Link);
    QCOMPARE(QAccessible::queryAccessibleInterface(link)->text(QAccessible::Description),
             QStringLiteral("https://a.example/b"));
    QGuiApplication::clipboard()->clear();
    link->forceActiveFocus(Qt::TabFocusReason);
    press(Qt::Key_Return);
    QTRY_VERIFY(item(QStringLiteral("Copy address")));
    click(QStringLiteral("Copy address"));
    QTRY_COMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("https://a.example/b"));
    QTRY_VERIFY(!item(QStringLiteral("Copy address")));
    QGuiApplication::clipboard()->clear();
    QTest::mouseClick(window(), Qt::LeftButton, {}, placeOf(textWith("See the"), {0, 6})); // in the link
    QTRY_VERIFY(item(QStringLiteral("Copy address")));
    click(QStringLiteral("Copy address"));
    QTRY_COMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("https://a.example/b"));
}

void WindowTextTest::aLongPromptIsFolded() {
    QString prompt = QStringLiteral("Lines:");
    for (int i = 1; i < 312; ++i) prompt += QStringLiteral("\nline %1").arg(i);
    startWith(prompt, app::textParts(QStringLiteral("Many.")));
    const QString more = QStringLiteral("Show all 312 lines");
    // The item of a message that leaves the view is replaced by another one.
    const auto share = [&] {
        const MessageText* text = textWith("Lines:");
        return text ? text->height() / text->implicitHeight() : -1;
    };
    const auto top = [&] { return textWith("Lines:")->mapToItem(list(), QPointF()).y(); };
    QTRY_VERIFY(item(more));
    QVERIFY(share() > 0 && share() < 0.1);
    click(more);
    QTRY_VERIFY(share() > 1);
    QVERIFY(top() >= 0); // the reader goes on at the same place
    list()->forceActiveFocus();
    press(Qt::Key_End);
    QTRY_VERIFY(share() > 1 && top() < -list()->height()); // the prompt is still unfolded
    use("Show less");                                      // by key
    QTRY_VERIFY(share() > 0 && share() < 0.1);
    QTRY_VERIFY(top() >= 0);
    QVERIFY(window()->activeFocusItem());
    QCOMPARE(QAccessible::queryAccessibleInterface(window()->activeFocusItem())->text(QAccessible::Name), more);
}

void WindowTextTest::thoughtsTellHowLongTheyTook() {
    startWith(QStringLiteral("Think"), {{.kind = app::PartKind::Thought, .text = "Hm.", .seconds = 12.3},
                                        {.kind = app::PartKind::Text, .text = "Done."}});
    QTRY_VERIFY(item(QStringLiteral("Thought for 12 s")));
}

void WindowTextTest::codeLinesAreWrapped() {
    startWith(QStringLiteral("Write"), app::textParts(QStringLiteral("```\n") + QString(400, u'x')));
    QTRY_VERIFY(item(QStringLiteral("Wrap lines")));
    const MessageText* text = textWith("xxx");
    const qreal before = text->implicitHeight();
    click(QStringLiteral("Wrap lines"));
    QTRY_VERIFY(text->implicitHeight() > before + 2 * 15);
    QVERIFY(!text->layout().block(0).scrollable);
    use("Wrap lines"); // by key
    QTRY_COMPARE(text->implicitHeight(), before);
}

void WindowTextTest::aFormattedAnswerIsSelectedAndCopied() {
    startWith(QStringLiteral("Tell"),
              app::textParts(QStringLiteral("# Title\n\n1. **one**\n2. two\n\n| a | b |\n|---|---|\n| c | d |")));
    MessageText* text = textWith("Title");
    text->forceActiveFocus(Qt::TabFocusReason);
    press(Qt::Key_A, Qt::ControlModifier);
    press(Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("Title\n\n1. one\n2. two\n\na\tb\nc\td"));
}

/// A formula that can be drawn is one character of the text; another one is shown as its source.
void WindowTextTest::aFormulaIsCopiedAsItsSource() {
    const QString source = QStringLiteral("Half is $\\frac{1}{2}$ and $\\nosuch$.");
    startWith(QStringLiteral("Tell"), app::textParts(source));
    MessageText* text = textWith("Half is");
    QVERIFY(text);
    const QString drawn(app::TextFormat::kObject);
    QCOMPARE(text->document()->block(0).text, QStringLiteral("Half is %1 and $\\nosuch$.").arg(drawn));
    text->forceActiveFocus(Qt::TabFocusReason);
    press(Qt::Key_A, Qt::ControlModifier);
    QCOMPARE(copied(), source);
}

/// One line has the buttons beside it. A longer text has the whole width of the field, and fades where more of it is.
void WindowTextTest::n30LongTextFillsTheField() {
    constexpr qreal kMargin = 4;
    start();
    const QQuickItem* scroller = item(QStringLiteral("Message"));
    while (scroller && !scroller->inherits("QQuickScrollView")) scroller = scroller->parentItem();
    QVERIFY(scroller);
    QQuickItem* const field = scroller->parentItem();
    const QQuickItem* attach = findItem(field, [](QQuickItem* at) {
        return at->property("text").toString().startsWith(QStringLiteral("Attach files"));
    });
    QVERIFY(attach);
    const auto fades = [&](bool upper) {
        return findItem(field, [=](QQuickItem* at) {
                   return QByteArray(at->metaObject()->className()).startsWith("EdgeFade") && at->isVisible() &&
                          at->property("upper").toBool() == upper;
               }) != nullptr;
    };
    app()->conversation()->setDraft(QStringLiteral("One line"));
    QTRY_VERIFY(scroller->x() >= attach->x() + attach->width());
    QVERIFY(scroller->y() < attach->y() + attach->height());
    QVERIFY(!fades(true) && !fades(false));
    app()->conversation()->setDraft(QStringLiteral("Several lines of words. ").repeated(100));
    QTRY_COMPARE(scroller->x(), kMargin);
    QCOMPARE(scroller->x() + scroller->width(), field->width() - kMargin);
    QCOMPARE(item(QStringLiteral("Message"))->width(), scroller->width());
    QVERIFY(scroller->y() + scroller->height() <= attach->y());
    QTRY_VERIFY(fades(true) && !fades(false)); // the cursor is at the end
    press(Qt::Key_L, Qt::ControlModifier);
    press(Qt::Key_Home, Qt::ControlModifier);
    QTRY_VERIFY(!fades(true) && fades(false));
    app()->conversation()->setDraft(QString());
    QTRY_VERIFY(scroller->x() >= attach->x() + attach->width());
    QVERIFY(!fades(true) && !fades(false));
}

void WindowTextTest::n27FieldAndBubbleAgree_data() {
    QTest::addColumn<QString>("prompt");
    const QString hebrew = QString::fromUtf8("\xD7\xA9\xD7\x9C\xD7\x95\xD7\x9D");
    QTest::newRow("English") << QStringLiteral("One line,\nand another one");
    QTest::newRow("Hebrew") << hebrew + u'\n' + hebrew + u' ' + hebrew;
    QTest::newRow("Hebrew, then English") << hebrew + QStringLiteral("\nand a line of English");
    QTest::newRow("English, then Hebrew") << QStringLiteral("A line of English\n") + hebrew;
    QTest::newRow("numbers, then Hebrew") << QStringLiteral("1 + 2 = 3\n") + hebrew + u' ' + hebrew;
}

/// All lines begin at the same side in both, and stay in the bubble.
void WindowTextTest::n27FieldAndBubbleAgree() {
    QFETCH(QString, prompt);
    start();
    control_->allowAll();
    app()->conversation()->setDraft(prompt);
    press(Qt::Key_L, Qt::ControlModifier);
    const QQuickItem* field = item(QStringLiteral("Message"));
    QTRY_COMPARE(field->property("text").toString(), prompt);
    const bool right = field->property("effectiveHorizontalAlignment").toInt() == Qt::AlignRight;
    press(Qt::Key_Return);
    QTRY_COMPARE(app()->conversation()->messages()->count(), 2);
    const MessageText* bubble = nullptr;
    QTRY_VERIFY((bubble = qobject_cast<MessageText*>(findItem(window()->contentItem(), [&](QQuickItem* at) {
                     const auto* text = qobject_cast<MessageText*>(at);
                     return text && text->document() && text->document()->text() == prompt;
                 }))));
    QVERIFY(drawn());
    const app::TextLines& lines = *bubble->layout().block(0).lines;
    QCOMPARE(lines.lines().size(), size_t{2});
    for (const int line : {0, 1}) {
        const QRectF ink = lines.inkOf(line);
        QVERIFY2(ink.left() >= 0 && ink.right() <= bubble->width(), qPrintable(QString::number(ink.right())));
        QVERIFY((right ? bubble->width() - ink.right() : ink.left()) < 2);
    }
}

/// Each character has the form in a field that it has alone, as in messages.
void WindowTextTest::n26TheFieldReplacesNoLetter() {
    start();
    const QQuickItem* field = item(QStringLiteral("Message"));
    QVERIFY(field);
    if (QFontInfo(field->property("font").value<QFont>()).family() != QStringLiteral("Inter"))
        QSKIP("Inter is not installed");
    const QTextDocument* text = field->property("textDocument").value<QQuickTextDocument*>()->textDocument();
    // The field's own lines are freed after each picture, so its text is laid out once more with its formats.
    const auto formsOf = [&](const QString& words) {
        QList<quint32> forms;
        app()->conversation()->setDraft(words);
        if (!waitFor([&] { return text->toPlainText() == words; }) || !drawn()) return forms;
        QTextLayout layout(words, field->property("font").value<QFont>());
        layout.setFormats(text->firstBlock().layout()->formats());
        layout.beginLayout();
        layout.createLine().setLineWidth(field->width());
        layout.endLayout();
        for (const QGlyphRun& run : layout.glyphRuns()) forms += run.glyphIndexes();
        return forms;
    };
    for (const char* words : {"12 x 7", "12x7", "a -> b", "a-->b", "p => q"}) {
        QList<quint32> alone;
        for (const char c : QByteArray(words)) alone += formsOf(QString(QLatin1Char(c)));
        QCOMPARE(alone.size(), qstrlen(words));
        QCOMPARE(formsOf(QString::fromLatin1(words)), alone);
    }
    // Nothing but the writing can be undone, and the text stays as it is.
    app()->conversation()->setDraft(QString());
    type(QStringLiteral("12 x 7"));
    QCOMPARE(app()->conversation()->draft(), QStringLiteral("12 x 7"));
    press(Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE(app()->conversation()->draft(), QString());
}

/// Titles and other short texts show the signs that were written, too.
void WindowTextTest::n26NoTextReplacesALetter() {
    start();
    if (QFontInfo(item(QStringLiteral("Message"))->property("font").value<QFont>()).family() != QStringLiteral("Inter"))
        QSKIP("Inter is not installed");
    const QString words = QStringLiteral("7 x 8 -> 56");
    talk(words);
    press(Qt::Key_F, Qt::ControlModifier); // a field of one line
    type(words);
    int texts = 0, fields = 0;
    const auto check = [&](const QQuickItem* at) {
        const bool text = at->inherits("QQuickText"), field = at->inherits("QQuickTextInput");
        if (!at->isVisible() || (!text && !field) || at->property("text").toString() != words) return;
        ++(text ? texts : fields);
        QVERIFY(at->property("font").value<QFont>().styleStrategy() & QFont::PreferNoShaping);
    };
    QTRY_COMPARE(app()->conversation()->title(), words);
    QVERIFY(drawn());
    findItem(window()->contentItem(), [&](QQuickItem* at) {
        check(at);
        return false; // visits all
    });
    QVERIFY(texts > 0 && fields > 0);
}

/// A character that turns what follows it is left out of the field, as if it had not come; messages draw nothing for
/// it.
void WindowTextTest::n27TheFieldTurnsNothing() {
    start();
    const QQuickItem* field = item(QStringLiteral("Message"));
    QVERIFY(field);
    const auto draft = [this] { return app()->conversation()->draft(); };
    for (const char16_t sign : {0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069}) {
        QGuiApplication::clipboard()->setText(QStringLiteral("pay ") + QChar(sign) + QStringLiteral("alice"));
        press(Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(draft(), QStringLiteral("pay alice"));
        QCOMPARE(field->property("cursorPosition").toInt(), 9);
        type(QStringLiteral("!"));
        press(Qt::Key_Z, Qt::ControlModifier); // one step takes back what was pasted
        press(Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(draft(), QString());
    }
    app()->conversation()->setDraft(QStringLiteral("a") + QChar(0x202e) + QStringLiteral("b")); // from an older version
    QTRY_COMPARE(draft(), QStringLiteral("ab"));
    QCOMPARE(field->property("text").toString(), QStringLiteral("ab"));
}

int main(int argc, char** argv) { return runWindowTest<WindowTextTest>(argc, argv); }

#include "tst_window_text.moc"
