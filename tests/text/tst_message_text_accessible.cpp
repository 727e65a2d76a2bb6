// SPDX-License-Identifier: Apache-2.0
// A message as screen readers see it: its text, caret, selection and the places of its characters. Events are not
// covered: without a display Qt sends none.
#include "text/message_text.h"
#include "text_samples.h"

#include <QAccessible>
#include <QGuiApplication>
#include <QQuickWindow>
#include <QtTest>

using namespace coterie;
using namespace coterie::app;
using coterie::tests::addBlock;
using coterie::tests::Kind;

class TestMessageTextAccessible : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void initTestCase();
    void hasNameRoleAndStates();
    void readsCharacters();
    void selects();
    void isInTheTree();

  private:
    QAccessibleInterface* node() { return QAccessible::queryAccessibleInterface(&item_); }
    QAccessibleTextInterface* text() { return node()->textInterface(); }

    TextDocument document_;
    TextStyle style_;
    QQuickWindow window_;
    MessageText item_;
};

void TestMessageTextAccessible::initTestCase() {
    QAccessible::setActive(true);
    tests::setUp(style_);
    addBlock(document_, Kind::Thought, QStringLiteral("secret"));
    addBlock(document_, Kind::Paragraph, QStringLiteral("One two"));
    document_.addBlock({.kind = Kind::Code});
    document_.grow(u"three");
    window_.resize(500, 400);
    item_.setParentItem(window_.contentItem());
    item_.setPosition({20, 10});
    item_.setStyle(&style_);
    item_.setRoom(400);
    item_.setDocument(&document_);
    item_.setSize({400, item_.implicitHeight()});
    window_.show();
    QVERIFY(QTest::qWaitForWindowActive(&window_, kPatienceMs));
}

void TestMessageTextAccessible::hasNameRoleAndStates() {
    QCOMPARE(node()->role(), QAccessible::StaticText);
    QCOMPARE(node()->text(QAccessible::Name), QStringLiteral("One two\n\nthree"));
    const QAccessible::State state = node()->state();
    QVERIFY(state.readOnly && state.multiLine && state.selectableText && state.focusable);
    QVERIFY(!state.invisible && !state.focused && !state.editable);
    item_.forceActiveFocus();
    QVERIFY(node()->state().focused);
    item_.setVisible(false);
    QVERIFY(node()->state().invisible);
    item_.setVisible(true);
    QCOMPARE(node()->rect().size(), QSize(400, static_cast<int>(item_.height())));
}

void TestMessageTextAccessible::readsCharacters() {
    QCOMPARE(text()->characterCount(), 14);
    QCOMPARE(text()->text(0, 14), QStringLiteral("One two\n\nthree"));
    QCOMPARE(text()->text(4, 10), QStringLiteral("two\n\nt"));
    int start = 0, end = 0;
    QCOMPARE(text()->textAtOffset(5, QAccessible::WordBoundary, &start, &end), QStringLiteral("two"));
    QCOMPARE(start, 4);
    for (const int offset : {0, 4, 6, 9, 13}) {
        const QRect place = text()->characterRect(offset);
        QVERIFY(place.width() > 1 && place.height() > 10);
        QVERIFY(node()->rect().contains(place));
        QCOMPARE(text()->offsetAtPoint({place.left() + 1, place.center().y()}), offset);
    }
    QVERIFY(text()->characterRect(9).y() > text()->characterRect(6).y()); // the next block
    QCOMPARE(text()->attributes(3, &start, &end), QString());
    QCOMPARE(end, 14);
}

void TestMessageTextAccessible::selects() {
    text()->setSelection(0, 4, 11);
    QCOMPARE(item_.selectedText(), QStringLiteral("two\n\nth"));
    QCOMPARE(text()->selectionCount(), 1);
    int start = 0, end = 0;
    text()->selection(0, &start, &end);
    QCOMPARE(start, 4);
    QCOMPARE(end, 11);
    QCOMPARE(text()->cursorPosition(), 11);
    text()->removeSelection(0);
    QCOMPARE(text()->selectionCount(), 0);
    text()->setCursorPosition(2);
    QCOMPARE(text()->cursorPosition(), 2);
    text()->addSelection(0, 3);
    QCOMPARE(item_.selectedText(), QStringLiteral("One"));
    item_.deselect();
}

void TestMessageTextAccessible::isInTheTree() {
    QCOMPARE(node()->parent(), QAccessible::queryAccessibleInterface(&window_));
    QCOMPARE(node()->window(), &window_);
    QCOMPARE(node()->childCount(), 0);
    auto* inner = new MessageText(&item_);
    QCOMPARE(node()->childCount(), 1);
    QAccessibleInterface* child = node()->child(0);
    QCOMPARE(child->object(), inner);
    QCOMPARE(node()->indexOfChild(child), 0);
    QCOMPARE(child->parent(), node());
    inner->setVisible(false);
    QCOMPARE(node()->childCount(), 0);
    delete inner;
}

int main(int argc, char** argv) {
    qputenv("QT_QUICK_BACKEND", "software");
    QGuiApplication application(argc, argv);
    TestMessageTextAccessible test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_message_text_accessible.moc"
