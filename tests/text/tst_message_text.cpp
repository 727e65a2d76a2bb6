// SPDX-License-Identifier: Apache-2.0
// The item in a real window: it is selected with the pointer and with keys, it lets all other keys pass, it draws only
// what changed and only what is in view, and it finds tokens. Its models run under QAbstractItemModelTester.
#include "support/contrast.h"
#include "text/message_text.h"
#include "text_samples.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QGuiApplication>
#include <QQuickWindow>
#include <QSignalSpy>
#include <QtTest>

#include <initializer_list>
#include <memory>

using namespace coterie;
using namespace coterie::app;
using coterie::tests::addBlock;
using coterie::tests::Kind;

namespace {

QString lines(int count) {
    QString text;
    for (int i = 0; i < count; ++i) text += QStringLiteral("line %1 of many\n").arg(i);
    return text.trimmed();
}

} // namespace

class TestMessageText : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void init();
    void cleanup();

    void dragSelectsAcrossBlocks();
    void clicksSelectWordsAndParagraphs();
    void wordsBesideSignsAndInEmptyLines();
    void aSelectionReachesNoPlaceThatIsGone();
    void shiftClickExtends();
    void keysMoveTheCaret_data();
    void keysMoveTheCaret();
    void blocksAreSelectedInTurn();
    void allIsSelectedAndCopied();
    void otherKeysPass_data();
    void otherKeysPass();
    void headersLeaveTheClickToButtons();
    void theSelectionEndsWithTheFocus();
    void theSelectionStaysWhileTextGrows();
    void onlyTheLastLineIsDrawnAgain();
    void onlyLinesInViewAreDrawn();
    void aClippedTextComesIntoViewWhole();
    void framesFollowTheView();
    void linksFollowTheView();
    void footersMakeRoomForTheWindow();
    void coloursLieUnderTheText();
    void textIsReadOnColours_data();
    void textIsReadOnColours();
    void i9TintsLeaveSpacesOut();
    void i9AFrameIsAroundItsWord();
    void theCurrentHitHasALineAboveToo();
    void thoughtsUnfold();
    void wideCodeScrollsByWheelAndKey();
    void pointsFindTokensAndTokensPlaces();
    void aNewStyleIsLaidOutOnce();
    void theDocumentMayGoAway();

  private:
    void show() {
        item_->setDocument(document_.get());
        item_->setSize({item_->room(), item_->implicitHeight()});
        window_->show();
        QVERIFY(QTest::qWaitForWindowActive(window_.get(), kPatienceMs));
        waitForFrame();
    }
    void waitForFrame() {
        QSignalSpy frames(window_.get(), &QQuickWindow::frameSwapped);
        window_->update();
        QVERIFY(frames.wait(kPatienceMs));
    }
    QPoint at(int block, qsizetype offset) const {
        return item_->mapToScene(item_->layout().caretAt({block, offset}).center()).toPoint();
    }
    void drag(QPoint from, QPoint to) {
        QTest::mousePress(window_.get(), Qt::LeftButton, {}, from);
        QTest::mouseMove(window_.get(), (from + to) / 2);
        QTest::mouseMove(window_.get(), to);
        QTest::mouseRelease(window_.get(), Qt::LeftButton, {}, to);
    }
    bool dark(const QImage& image, const QRectF& place) const {
        for (int y = static_cast<int>(place.top()); y < place.bottom(); ++y)
            for (int x = static_cast<int>(place.left()); x < place.right(); ++x)
                if (image.pixelColor(x, y).lightness() < 100) return true;
        return false;
    }

    std::unique_ptr<QQuickWindow> window_;
    std::unique_ptr<TextDocument> document_;
    std::unique_ptr<TextStyle> style_;
    MessageText* item_ = nullptr; ///< the window's
};

void TestMessageText::init() {
    document_ = std::make_unique<TextDocument>();
    style_ = std::make_unique<TextStyle>();
    tests::setUp(*style_);
    window_ = std::make_unique<QQuickWindow>();
    window_->resize(500, 400);
    item_ = new MessageText(window_->contentItem());
    using Tester = QAbstractItemModelTester;
    for (QAbstractItemModel* model : std::initializer_list<QAbstractItemModel*>{
             item_->codeFrames(), item_->thoughtFrames(), item_->tableFrames(), item_->links()})
        new Tester(model, Tester::FailureReportingMode::QtTest, item_);
    item_->setStyle(style_.get());
    item_->setRoom(400);
    item_->setPosition({20, 10});
}

void TestMessageText::cleanup() {
    window_.reset();
    document_.reset();
}

void TestMessageText::dragSelectsAcrossBlocks() {
    addBlock(*document_, Kind::Paragraph, QStringLiteral("First words"));
    addBlock(*document_, Kind::Code, QStringLiteral("int a;\nint b;"));
    addBlock(*document_, Kind::Paragraph, QStringLiteral("Last words"));
    show();
    drag(at(0, 6), at(2, 4));
    QCOMPARE(item_->selectedText(), QStringLiteral("words\n\nint a;\nint b;\n\nLast"));
    QVERIFY(item_->hasActiveFocus());
    drag(at(2, 4), at(1, 4)); // upwards
    QCOMPARE(item_->selectedText(), QStringLiteral("a;\nint b;\n\nLast"));
    QTest::mouseClick(window_.get(), Qt::LeftButton, {}, at(0, 0));
    QCOMPARE(item_->selectedText(), QString());
}

void TestMessageText::clicksSelectWordsAndParagraphs() {
    addBlock(*document_, Kind::Paragraph, QStringLiteral("Three small words\nand a line"));
    show();
    const QPoint inWord = at(0, 8);
    QTest::mouseDClick(window_.get(), Qt::LeftButton, {}, inWord);
    QCOMPARE(item_->selectedText(), QStringLiteral("small"));
    QTest::mouseClick(window_.get(), Qt::LeftButton, {}, inWord); // the third one
    QCOMPARE(item_->selectedText(), QStringLiteral("Three small words"));
    // So does a double click at the end of a word, which is nearest to the place behind its last letter.
    const QRectF end = item_->layout().caretAt({0, 11});
    item_->select({}, {});
    const QPointF atEnd = item_->mapToScene(end.center()) - QPointF(1, 0);
    QTest::mouseDClick(window_.get(), Qt::LeftButton, {}, atEnd.toPoint());
    QCOMPARE(item_->selectedText(), QStringLiteral("small"));
    TextSelection unit;
    unit.begin(*document_, {0, 17}, TextSelection::Unit::Word); // right of the line
    QCOMPARE(document_->text(unit.range()), QStringLiteral("words"));
    unit.begin(*document_, {0, 18}, TextSelection::Unit::Word); // the next line
    QCOMPARE(document_->text(unit.range()), QStringLiteral("and"));
    // A drag after a double click selects whole words, in both directions.
    item_->select({}, {});
    QTest::mouseClick(window_.get(), Qt::LeftButton, {}, at(0, 0));
    QTest::mouseDClick(window_.get(), Qt::LeftButton, {}, inWord);
    TextSelection words;
    words.begin(*document_, {0, 8}, TextSelection::Unit::Word);
    words.extend(*document_, {0, 14});
    QCOMPARE(document_->text(words.range()), QStringLiteral("small words"));
    words.extend(*document_, {0, 2});
    QCOMPARE(document_->text(words.range()), QStringLiteral("Three small"));
}

void TestMessageText::wordsBesideSignsAndInEmptyLines() {
    addBlock(*document_, Kind::Paragraph, QStringLiteral("One, two.\n\n(three)"));
    const auto wordAt = [&](qsizetype offset) {
        TextSelection unit;
        unit.begin(*document_, {0, offset}, TextSelection::Unit::Word);
        return document_->text(unit.range());
    };
    QCOMPARE(wordAt(3), QStringLiteral("One"));
    QCOMPARE(wordAt(4), QStringLiteral(" "));
    QCOMPARE(wordAt(5), QStringLiteral("two"));
    QCOMPARE(wordAt(8), QStringLiteral("two"));
    QCOMPARE(wordAt(10), QString()); // the empty line
    QCOMPARE(wordAt(12), QStringLiteral("three"));
    QCOMPARE(wordAt(17), QStringLiteral("three"));
    document_ = std::make_unique<TextDocument>();
    addBlock(*document_, Kind::Code, QStringLiteral("\nx"));
    TextSelection first;
    first.begin(*document_, {0, 0}, TextSelection::Unit::Word);
    QCOMPARE(first.range(), (TextSpan{{0, 0}, {0, 0}}));
}

/// A text that is being written may have lost the blocks to which a selection was dragged.
void TestMessageText::aSelectionReachesNoPlaceThatIsGone() {
    addBlock(*document_, Kind::Paragraph, QStringLiteral("One two"));
    for (const auto unit :
         {TextSelection::Unit::Character, TextSelection::Unit::Word, TextSelection::Unit::Paragraph}) {
        TextSelection selection;
        selection.begin(*document_, {0, 0}, unit);
        selection.extend(*document_, {1000000, 3});
        QCOMPARE(document_->text(selection.range()), QStringLiteral("One two"));
        selection.extend(*document_, {0, 1000000});
        QCOMPARE(document_->text(selection.range()), QStringLiteral("One two"));
    }
}

void TestMessageText::shiftClickExtends() {
    addBlock(*document_, Kind::Paragraph, QStringLiteral("Three small words"));
    show();
    QTest::mouseClick(window_.get(), Qt::LeftButton, {}, at(0, 6));
    QTest::mouseClick(window_.get(), Qt::LeftButton, Qt::ShiftModifier, at(0, 11));
    QCOMPARE(item_->selectedText(), QStringLiteral("small"));
    QTest::mouseClick(window_.get(), Qt::LeftButton, Qt::ShiftModifier, at(0, 0));
    QCOMPARE(item_->selectedText(), QStringLiteral("Three "));
}

void TestMessageText::keysMoveTheCaret_data() {
    QTest::addColumn<int>("block");
    QTest::addColumn<int>("offset");
    QTest::addColumn<int>("key");
    QTest::addColumn<bool>("control");
    QTest::addColumn<QString>("selected");
    QTest::newRow("right") << 0 << 0 << int(Qt::Key_Right) << false << "O";
    QTest::newRow("left") << 0 << 3 << int(Qt::Key_Left) << false << "e";
    QTest::newRow("right into the next block") << 0 << 18 << int(Qt::Key_Right) << false << "\n\n";
    QTest::newRow("left over a line break") << 1 << 3 << int(Qt::Key_Left) << false << "\n";
    QTest::newRow("emoji") << 2 << 0 << int(Qt::Key_Right) << false << QString::fromUtf8("\xF0\x9F\x98\x80");
    QTest::newRow("word") << 0 << 0 << int(Qt::Key_Right) << true << "One";
    QTest::newRow("word back") << 0 << 18 << int(Qt::Key_Left) << true << "words";
    QTest::newRow("down") << 1 << 0 << int(Qt::Key_Down) << false << "ab\n";
    QTest::newRow("up over blocks") << 1 << 0 << int(Qt::Key_Up) << false << "One two more words\n\n";
    QTest::newRow("line end") << 1 << 1 << int(Qt::Key_End) << false << "b";
    QTest::newRow("line begin") << 1 << 4 << int(Qt::Key_Home) << false << "c";
    QTest::newRow("to the end") << 1 << 3 << int(Qt::Key_End) << true << QString::fromUtf8("cd\n\n\xF0\x9F\x98\x80!");
    QTest::newRow("to the begin") << 0 << 3 << int(Qt::Key_Home) << true << "One";
}

void TestMessageText::keysMoveTheCaret() {
    QFETCH(int, block);
    QFETCH(int, offset);
    QFETCH(int, key);
    QFETCH(bool, control);
    addBlock(*document_, Kind::Paragraph, QStringLiteral("One two more words"));
    addBlock(*document_, Kind::Paragraph, QStringLiteral("ab\ncd"));
    addBlock(*document_, Kind::Paragraph, QString::fromUtf8("\xF0\x9F\x98\x80!"));
    show();
    item_->forceActiveFocus();
    item_->select({block, offset}, {block, offset});
    QTest::keyClick(window_.get(), static_cast<Qt::Key>(key),
                    Qt::ShiftModifier | (control ? Qt::ControlModifier : Qt::NoModifier));
    QTEST(item_->selectedText(), "selected");
}

void TestMessageText::blocksAreSelectedInTurn() {
    addBlock(*document_, Kind::Thought, QStringLiteral("hidden"));
    addBlock(*document_, Kind::Paragraph, QStringLiteral("One"));
    addBlock(*document_, Kind::Code, QStringLiteral("two"));
    show();
    const QSignalSpy wanted(item_, &MessageText::placeWanted);
    QVERIFY(item_->selectBlock(1));
    QVERIFY(item_->hasActiveFocus());
    QCOMPARE(item_->selectedText(), QStringLiteral("One"));
    QVERIFY(item_->selectBlock(1));
    QCOMPARE(item_->selectedText(), QStringLiteral("two"));
    QCOMPARE(wanted.count(), 2);
    QVERIFY(!item_->selectBlock(1)); // the next message has the next block
    QCOMPARE(item_->selectedText(), QStringLiteral("two"));
    QVERIFY(item_->selectBlock(-1));
    QCOMPARE(item_->selectedText(), QStringLiteral("One"));
    QVERIFY(!item_->selectBlock(-1)); // the thought is folded
    (new QQuickItem(window_->contentItem()))->forceActiveFocus();
    QVERIFY(item_->selectBlock(-1)); // from the message after it
    QCOMPARE(item_->selectedText(), QStringLiteral("two"));
}

void TestMessageText::allIsSelectedAndCopied() {
    addBlock(*document_, Kind::Paragraph, QStringLiteral("One"));
    addBlock(*document_, Kind::Code, QStringLiteral("two"));
    show();
    item_->forceActiveFocus();
    QTest::keyClick(window_.get(), Qt::Key_A, Qt::ControlModifier);
    QGuiApplication::clipboard()->clear();
    QTest::keyClick(window_.get(), Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("One\n\ntwo"));
    item_->copyBlock(1);
    QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("two"));
}

void TestMessageText::otherKeysPass_data() {
    QTest::addColumn<int>("key");
    QTest::addColumn<int>("modifiers");
    QTest::addColumn<bool>("claimed");
    const auto row = [](const char* name, Qt::Key key, Qt::KeyboardModifiers modifiers, bool claimed) {
        QTest::newRow(name) << int(key) << int(modifiers) << claimed;
    };
    row("copy", Qt::Key_C, Qt::ControlModifier, true);
    row("select all", Qt::Key_A, Qt::ControlModifier, true);
    row("new chat", Qt::Key_N, Qt::ControlModifier, false);
    row("stop", Qt::Key_Escape, Qt::NoModifier, false);
    row("find", Qt::Key_F, Qt::ControlModifier, false);
    row("undo", Qt::Key_Z, Qt::ControlModifier, false);
    row("paste", Qt::Key_V, Qt::ControlModifier, false);
    row("a letter", Qt::Key_X, Qt::NoModifier, false);
    row("help", Qt::Key_F1, Qt::NoModifier, false);
}

void TestMessageText::otherKeysPass() {
    QFETCH(int, key);
    QFETCH(int, modifiers);
    QFETCH(bool, claimed);
    addBlock(*document_, Kind::Paragraph, QStringLiteral("One"));
    show();
    QKeyEvent claim(QEvent::ShortcutOverride, key, Qt::KeyboardModifiers(modifiers));
    claim.setAccepted(!claimed);
    QCoreApplication::sendEvent(item_, &claim);
    QCOMPARE(claim.isAccepted(), claimed);
    if (claimed) return;
    QKeyEvent press(QEvent::KeyPress, key, Qt::KeyboardModifiers(modifiers));
    QCoreApplication::sendEvent(item_, &press);
    QVERIFY(!press.isAccepted());
}

void TestMessageText::headersLeaveTheClickToButtons() {
    addBlock(*document_, Kind::Paragraph, QStringLiteral("One"));
    addBlock(*document_, Kind::Code, QStringLiteral("two"));
    show();
    const QPointF header = item_->layout().block(1).text.topLeft() - QPointF(0, style_->codeHeader / 2);
    QTest::mouseClick(window_.get(), Qt::LeftButton, {}, item_->mapToScene(header).toPoint());
    QVERIFY(!item_->hasActiveFocus());
    QTest::mouseClick(window_.get(), Qt::LeftButton, {}, at(1, 1));
    QVERIFY(item_->hasActiveFocus());
}

void TestMessageText::theSelectionEndsWithTheFocus() {
    addBlock(*document_, Kind::Paragraph, QStringLiteral("One"));
    show();
    auto* other = new QQuickItem(window_->contentItem());
    item_->forceActiveFocus(Qt::TabFocusReason);
    QVERIFY(item_->focusedByKey());
    item_->selectAll();
    other->forceActiveFocus();
    QCOMPARE(item_->selectedText(), QString());
    QVERIFY(!item_->focusedByKey());
    QTest::mouseClick(window_.get(), Qt::LeftButton, {}, at(0, 1));
    QVERIFY(item_->hasActiveFocus() && !item_->focusedByKey());
}

void TestMessageText::theSelectionStaysWhileTextGrows() {
    document_->addBlock({.kind = Kind::Paragraph});
    document_->grow(u"One two");
    show();
    item_->select({0, 4}, {0, 7});
    document_->grow(u" three");
    document_->addBlock({.kind = Kind::Paragraph});
    document_->grow(u"four");
    QCOMPARE(item_->selectedText(), QStringLiteral("two"));
    QCOMPARE(item_->implicitHeight(), 2 * style_->bodyLine + style_->spacing);
}

void TestMessageText::onlyTheLastLineIsDrawnAgain() {
    document_->addBlock({.kind = Kind::Paragraph});
    document_->grow(lines(5));
    show();
    QCOMPARE(item_->tiles().drawn(), 5);
    waitForFrame();
    QCOMPARE(item_->tiles().drawn(), 5); // a frame in which nothing changed
    document_->grow(u" more");
    waitForFrame();
    QCOMPARE(item_->tiles().drawn(), 6);
    document_->grow(u"\nline");
    waitForFrame();
    QCOMPARE(item_->tiles().drawn(), 7); // a line break changes nothing in the picture of its line
    document_->addBlock({.kind = Kind::Paragraph});
    document_->grow(u"a block");
    waitForFrame();
    QCOMPARE(item_->tiles().drawn(), 8);
    item_->select({0, 0}, {0, 30});
    waitForFrame();
    QCOMPARE(item_->tiles().drawn(), 8); // colours lie under the text
    document_->setTints({{{0, 0, 6}, Qt::red}});
    waitForFrame();
    QCOMPARE(item_->tiles().drawn(), 8);
}

void TestMessageText::onlyLinesInViewAreDrawn() {
    addBlock(*document_, Kind::Code, lines(4000));
    show();
    const int inView = static_cast<int>(window_->height() / style_->codeLine);
    QVERIFY(item_->tiles().count() >= inView - 3 && item_->tiles().count() <= inView + 1);
    for (int step = 1; step <= 20; ++step) {
        item_->setY(-3000.0 * step);
        waitForFrame();
        QVERIFY(item_->tiles().count() > 0 && item_->tiles().count() <= inView + 2);
    }
    const QImage shot = window_->grabWindow();
    QVERIFY(dark(shot, {20 + style_->codeInset, 100, 100, 40})); // there is text in view
}

/// A folded message is clipped. Lines that were out of view when it got its size stayed blank in view.
void TestMessageText::aClippedTextComesIntoViewWhole() {
    addBlock(*document_, Kind::Paragraph, lines(60));
    item_->setClip(true);
    item_->setY(-300);
    show();
    item_->setY(10);
    waitForFrame();
    const QImage shot = window_->grabWindow();
    for (const int line : {0, 5, 10})
        QVERIFY(dark(shot, item_->layout().placeOf(0, line).translated(item_->position())));
}

void TestMessageText::framesFollowTheView() {
    for (int i = 0; i < 300; ++i) {
        addBlock(*document_, Kind::Paragraph, QStringLiteral("Words"));
        addBlock(*document_, Kind::Code, QStringLiteral("code %1").arg(i));
    }
    show();
    const int nearView = item_->codeFrames()->rowCount();
    QVERIFY(nearView > 4 && nearView < 20);
    const auto first = [&](int role) { return item_->codeFrames()->index(0).data(role); };
    QCOMPARE(first(TextFrames::BlockRole).toInt(), 1);
    QCOMPARE(first(TextFrames::KindRole).toString(), QStringLiteral("code"));
    QCOMPARE(first(TextFrames::PlaceRole).toRectF(),
             QRectF(0, item_->layout().block(1).y, 400, item_->layout().block(1).height));
    item_->setY(-8000);
    waitForFrame();
    QVERIFY(first(TextFrames::BlockRole).toInt() > 100);
    QVERIFY(item_->codeFrames()->rowCount() < 30);
    item_->setY(0);
    waitForFrame();
    QCOMPARE(first(TextFrames::BlockRole).toInt(), 1);
    QCOMPARE(item_->thoughtFrames()->rowCount(), 0);
}

void TestMessageText::linksFollowTheView() {
    for (int i = 0; i < 300; ++i)
        document_->addBlock(
            {.text = QStringLiteral("see here"),
             .closed = true,
             .offset = 9 * i,
             .formats = {{.begin = 4, .length = 4, .style = TextFormat::Link, .target = QString::number(i)}}});
    show();
    const auto address = [&](int row) {
        return item_->links()->index(row).data(TextLinks::AddressRole).toString().toInt();
    };
    const int nearView = item_->links()->rowCount();
    QVERIFY(nearView > 4 && nearView < 100);
    QCOMPARE(address(0), 0);
    QCOMPARE(item_->links()->index(0).data(TextLinks::WordsRole).toString(), QStringLiteral("here"));
    item_->setY(-4000);
    waitForFrame();
    QVERIFY(address(0) > 50);
    QCOMPARE(address(item_->links()->rowCount() - 1), address(0) + item_->links()->rowCount() - 1);
    item_->setY(0);
    waitForFrame();
    QCOMPARE(address(0), 0);
}

/// The item that the window makes for a block may need room below it, and tells that only while it is made.
void TestMessageText::footersMakeRoomForTheWindow() {
    addBlock(*document_, Kind::ToolCall, QStringLiteral("{}"));
    addBlock(*document_, Kind::Paragraph, QStringLiteral("After"));
    const auto block = [&](int row) { return item_->codeFrames()->index(row).data(TextFrames::BlockRole).toInt(); };
    connect(item_->codeFrames(), &QAbstractItemModel::rowsInserted, item_,
            [&](const QModelIndex&, int row) { item_->setFooter(block(row), 50); });
    show();
    waitForFrame();
    QCOMPARE(item_->codeFrames()->index(0).data(TextFrames::PlaceRole).toRectF().height(),
             style_->codeHeader + style_->codeLine + style_->codeBottom + 50);
    QCOMPARE(item_->implicitHeight(), item_->layout().block(0).height + style_->spacing + style_->bodyLine);
}

void TestMessageText::coloursLieUnderTheText() {
    addBlock(*document_, Kind::Paragraph, QStringLiteral("One two three"));
    show();
    document_->setTints({{{0, 4, 7}, Qt::red}});
    item_->select({0, 8}, {0, 13});
    waitForFrame();
    const QImage shot = window_->grabWindow();
    const auto cornerOf = [&](qsizetype begin, qsizetype end) {
        const QRectF place = item_->layout().rectangles({{0, begin}, {0, end}}).front();
        return shot.pixelColor(item_->mapToScene(place.topLeft()).toPoint() + QPoint(4, 1)); // corners are round
    };
    QCOMPARE(cornerOf(4, 7), QColor(Qt::red));
    QCOMPARE(cornerOf(8, 13), QColor(Qt::yellow));
    QCOMPARE(cornerOf(0, 3), QColor(Qt::white));
    const QRectF tinted = item_->layout().rectangles({{0, 4}, {0, 7}}).front();
    QVERIFY(dark(shot, tinted.translated(item_->position()))); // its characters are on it
    document_->setTints({});
    item_->deselect();
    waitForFrame();
    QCOMPARE(window_->grabWindow().pixelColor(item_->mapToScene(tinted.topLeft()).toPoint() + QPoint(4, 1)),
             QColor(Qt::white));
}

void TestMessageText::textIsReadOnColours_data() {
    QTest::addColumn<Kind>("kind");
    QTest::addColumn<bool>("link");
    QTest::newRow("a thought") << Kind::Thought << false;
    QTest::newRow("a keyword") << Kind::Code << false;
    QTest::newRow("a link") << Kind::Paragraph << true;
}

/// Thoughts, links and code have colours of their own, which have too little contrast with the colours of words.
void TestMessageText::textIsReadOnColours() {
    QFETCH(Kind, kind);
    QFETCH(bool, link);
    const QString words = QStringLiteral("return return");
    TextBlock block{.kind = kind, .text = words, .label = "cpp", .closed = true, .folded = kind == Kind::Thought};
    if (link) block.formats.push_back({.begin = 0, .length = words.size(), .style = TextFormat::Link, .target = "x"});
    document_->addBlock(block);
    style_->text = Qt::black;
    style_->quiet = style_->link = style_->codeKeyword = QColor(0x66625b);
    show();
    if (kind == Kind::Thought) item_->toggle(0); // unfolds them
    const QColor ground(0xf0b184);               // a strong colour of words in the light theme
    const auto darkest = [&] {
        waitForFrame();
        const QImage shot = window_->grabWindow();
        const QRect place =
            item_->mapRectToScene(item_->layout().rectangles({{0, 0}, {0, words.size()}}).front()).toRect();
        double most = 1;
        for (int y = place.top(); y < place.bottom(); ++y)
            for (int x = place.left(); x < place.right(); ++x)
                most = std::max(most, test::contrast(shot.pixel(x, y), ground.rgb()));
        return most;
    };
    const double quiet = darkest();
    QVERIFY(quiet < 4.5);
    document_->setTints({{{0, 0, words.size()}, ground}});
    QVERIFY2(darkest() >= 4.5, qPrintable(QString::number(darkest())));
    document_->setTints({{{0, 0, 3}, QColor(0xfbeee2), ground}}); // the current token alone, with a frame
    QCOMPARE(darkest(), quiet);
}

/// The colour of a word has round corners. The spaces beside it have none, also where a line ends.
void TestMessageText::i9TintsLeaveSpacesOut() {
    const QString text = QStringLiteral("One two ").repeated(20) + QStringLiteral("three");
    addBlock(*document_, Kind::Paragraph, text);
    show();
    const qsizetype second = item_->layout().block(0).lines->lines()[1].begin;
    QVERIFY(second > 8 && text[second - 1] == u' ');
    // Tokens begin with the space before their word: one in the middle of a line, and one that begins with a line.
    document_->setTints({{{0, 3, 8}, Qt::red}, {{0, second - 1, second + 3}, Qt::red}});
    waitForFrame();
    const QImage shot = window_->grabWindow();
    const auto place = [&](qsizetype begin, qsizetype end) {
        return item_->mapRectToScene(item_->layout().rectangles({{0, begin}, {0, end}}).front());
    };
    const QRectF word = place(4, 7), next = place(second, second + 3);
    const auto at = [&](QPointF point) { return shot.pixelColor(point.toPoint()); };
    QCOMPARE(at(QPointF(word.center().x(), word.top() + 1)), QColor(Qt::red));
    QCOMPARE(at(QPointF(next.center().x(), next.top() + 1)), QColor(Qt::red));
    QCOMPARE(at(place(3, 4).center()), QColor(Qt::white));
    QCOMPARE(at(place(7, 8).center()), QColor(Qt::white));
    for (int x = static_cast<int>(place(second - 2, second - 1).left()); x < shot.width(); ++x)
        QVERIFY2(shot.pixelColor(x, static_cast<int>(word.top()) + 1) != QColor(Qt::red), "a sliver");
    QVERIFY(at(word.topLeft()) != QColor(Qt::red)); // the corner
    QCOMPARE(at(word.topLeft() + QPointF(2, 4)), QColor(Qt::red));
}

/// The frame of a word is around its characters, on both sides of them, and its colour inside.
void TestMessageText::i9AFrameIsAroundItsWord() {
    addBlock(*document_, Kind::Paragraph, QStringLiteral("One two three"));
    show();
    document_->setTints({{{0, 3, 7}, Qt::red, Qt::blue}});
    waitForFrame();
    const QImage shot = window_->grabWindow();
    const QRectF word = item_->mapRectToScene(item_->layout().rectangles({{0, 4}, {0, 7}}).front());
    const auto at = [&](qreal x, qreal y) { return shot.pixelColor(QPointF(x, y).toPoint()); };
    QCOMPARE(at(word.center().x(), word.top()), QColor(Qt::blue));
    QCOMPARE(at(word.center().x(), word.bottom() - 1), QColor(Qt::blue));
    QCOMPARE(at(std::floor(word.left()) - 1, word.center().y()), QColor(Qt::blue));
    QCOMPARE(at(std::ceil(word.right()), word.center().y()), QColor(Qt::blue));
    QCOMPARE(at(word.center().x(), word.top() + 3), QColor(Qt::red));
    QCOMPARE(at(word.left() - 4, word.center().y()), QColor(Qt::white));
    item_->setFramesTokens(false);
    waitForFrame();
    const QColor without = window_->grabWindow().pixelColor(QPointF(word.center().x(), word.top() + 1).toPoint());
    QCOMPARE(without, QColor(Qt::red));
}

/// Colours alone do not tell it from the other hits in the dark theme.
void TestMessageText::theCurrentHitHasALineAboveToo() {
    addBlock(*document_, Kind::Paragraph, QStringLiteral("One two three"));
    style_->hit = Qt::yellow;
    style_->currentHit = Qt::green;
    style_->hitLine = Qt::blue;
    show();
    document_->setMarks({{{0, 0, 3}, false}, {{0, 4, 7}, true}});
    waitForFrame();
    const QImage shot = window_->grabWindow();
    const auto at = [&](qsizetype begin, qsizetype end, bool top) {
        const QRectF hit = item_->mapRectToScene(item_->layout().rectangles({{0, begin}, {0, end}}).front());
        return shot.pixelColor(QPointF(hit.center().x(), top ? hit.top() + 1 : hit.bottom() - 1).toPoint());
    };
    QCOMPARE(at(0, 3, true), QColor(Qt::yellow));
    QCOMPARE(at(4, 7, true), QColor(Qt::blue));
    QCOMPARE(at(4, 7, false), QColor(Qt::blue));
}

void TestMessageText::thoughtsUnfold() {
    addBlock(*document_, Kind::Thought, QStringLiteral("Hm\nhm"));
    addBlock(*document_, Kind::Paragraph, QStringLiteral("So"));
    show();
    const qreal folded = item_->implicitHeight();
    QCOMPARE(item_->thoughtFrames()->rowCount(), 1);
    item_->toggle(0);
    QCOMPARE(item_->implicitHeight(), folded + style_->thoughtGap + 2 * style_->thoughtLine);
    waitForFrame();
    QVERIFY(item_->thoughtFrames()->index(0).data(TextFrames::UnfoldedRole).toBool());
    QCOMPARE(item_->tiles().count(), 3);
    item_->toggle(0);
    waitForFrame();
    QCOMPARE(item_->tiles().count(), 1);
    QCOMPARE(item_->implicitHeight(), folded);
}

void TestMessageText::wideCodeScrollsByWheelAndKey() {
    addBlock(*document_, Kind::Code, QString(200, u'x'));
    show();
    const auto scroll = [&] { return item_->layout().block(0).scroll; };
    const auto wheel = [&](QPoint angle, Qt::KeyboardModifiers modifiers) {
        const QPointF over = item_->layout().block(0).text.center();
        QWheelEvent event(over, over, {}, angle, Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(item_, &event);
        return event.isAccepted();
    };
    QVERIFY(!wheel({0, -120}, Qt::NoModifier)); // this moves the list
    QVERIFY(wheel({-120, 0}, Qt::NoModifier));
    const qreal after = scroll();
    QVERIFY(after > 0);
    QVERIFY(wheel({0, -120}, Qt::ShiftModifier));
    QVERIFY(scroll() > after);
    item_->forceActiveFocus();
    item_->select({}, {});
    QTest::keyClick(window_.get(), Qt::Key_End, Qt::ShiftModifier);
    const QRectF caret = item_->layout().caretAt(item_->selection().caret());
    QVERIFY(caret.x() <= item_->layout().block(0).text.right() + 1);
    waitForFrame();
    QCOMPARE(item_->codeFrames()->index(0).data(TextFrames::ScrollRole).toReal(), scroll());
}

void TestMessageText::pointsFindTokensAndTokensPlaces() {
    addBlock(*document_, Kind::Paragraph, QStringLiteral("One two"), 0, 0);
    addBlock(*document_, Kind::Paragraph, QStringLiteral("three"), 0, 9);
    document_->setTokens({{0, 0, 3}, {0, 3, 7}, {0, 7, 14}});
    show();
    for (int token = 0; token < 3; ++token) {
        const QList<QRectF> places = item_->rectanglesOf(token);
        QCOMPARE(places.size(), 1);
        QCOMPARE(item_->tokenAt(places[0].center()), token);
    }
    QCOMPARE(item_->rectanglesOf(2).front().y(), item_->layout().block(1).y);
    QCOMPARE(item_->tokenAt({390, 5}), -1);
    QVERIFY(item_->rectanglesOf(3).isEmpty() && item_->rectanglesOf(-1).isEmpty());
}

void TestMessageText::aNewStyleIsLaidOutOnce() {
    addBlock(*document_, Kind::Paragraph, QStringLiteral("One\ntwo"));
    show();
    const QSignalSpy heights(item_, &QQuickItem::implicitHeightChanged);
    const int drawn = item_->tiles().drawn();
    for (const double line : {30.0, 40.0, 50.0}) style_->setProperty("bodyLine", line);
    waitForFrame();
    QCOMPARE(item_->implicitHeight(), 100);
    QCOMPARE(heights.count(), 1);
    QCOMPARE(item_->tiles().drawn(), drawn + 2);
    style_->setProperty("text", QColor(Qt::blue));
    waitForFrame();
    QCOMPARE(heights.count(), 1); // a colour moves nothing
    QCOMPARE(item_->tiles().drawn(), drawn + 4);
}

void TestMessageText::theDocumentMayGoAway() {
    addBlock(*document_, Kind::Code, QStringLiteral("One"));
    show();
    item_->selectAll();
    document_.reset();
    waitForFrame();
    QVERIFY(item_->layout().empty());
    QCOMPARE(item_->codeFrames()->rowCount(), 0);
    QTest::mouseClick(window_.get(), Qt::LeftButton, {}, {30, 20});
    QTest::keyClick(window_.get(), Qt::Key_A, Qt::ControlModifier);
    QCOMPARE(item_->selectedText(), QString());
    QCOMPARE(item_->tokenAt({5, 5}), -1);
    TextDocument other;
    addBlock(other, Kind::Paragraph, QStringLiteral("Two"));
    item_->setDocument(&other);
    waitForFrame();
    QCOMPARE(item_->tiles().count(), 1);
}

int main(int argc, char** argv) {
    qputenv("QT_QUICK_BACKEND", "software");
    QGuiApplication application(argc, argv);
    TestMessageText test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_message_text.moc"
