// SPDX-License-Identifier: Apache-2.0
// Other words for a word of an answer, and colours by probability, in the real window by keys and pointer.
// tests/app/chats/tst_token_alternatives.cpp tests where they come from.
#include "store/chat_store.h"
#include "text/message_text.h"
#include "window_driver.h"

using namespace coterie;
using namespace coterie::tests;
using app::MessageText;
using app::TokenAlternatives;

class WindowAlternativesTest : public WindowDriver {
    Q_OBJECT
  private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }

    void theyOpenByKeyAndAreWalked();
    void theyOpenAtTheSelectedText();
    void theyOpenAtTheWordThatWasClicked();
    void theyOpenFromTheMenu();
    void theyOpenByAClickOnAWord();
    void enterBranches();
    void aClickBranches();
    void theyCloseWithTheirVersion();
    void screenReadersGetAListOfThem();
    void aPredictedHeadIsNamed();
    void anAnswerOfAnotherModelSaysWhyThereAreNone();
    void aPromptHasNone();
    void wordsAreColouredOnDemand();
    void escapeClosesThemFromElsewhere_data();
    void escapeClosesThemFromElsewhere();
    void aLowWindowHasRoomForThem();
    void f28ThePanelLeavesTheAnswerFree();
    void theTokenStandsOutAndIsNotCovered_data();
    void theTokenStandsOutAndIsNotCovered();

  private:
    TokenAlternatives& alternatives() const { return *app()->conversation()->alternatives(); }
    const app::MessageModel& messages() const { return *app()->conversation()->messages(); }
    qint64 lastId() const { return messages().lastId(); }
    QString lastText() const {
        return messages().index(messages().count() - 1).data(app::MessageModel::TextRole).toString();
    }
    int lastNumber(app::MessageModel::Roles role) const {
        return messages().index(messages().count() - 1).data(role).toInt();
    }
    /// Starts with an answer. Its tokens are known at once, although another thread stores them.
    void startWithAnAnswer(const char* script = "words") {
        start(script);
        talk(QStringLiteral("Hello"));
        QVERIFY(alternatives().prepare(lastId()));
        alternatives().close();
    }
    bool opened() const { return alternatives().state() == TokenAlternatives::Ready && panel(); }
    QQuickItem* panel() const {
        return namedItem(window(), QStringLiteral("Alternatives for a word"), QAccessible::Grouping);
    }
    bool closed() const { return alternatives().state() == TokenAlternatives::Closed && !panel(); }
    QAccessibleInterface* focus() const { return QAccessible::queryAccessibleInterface(window()->activeFocusItem()); }
    QString focusName() const { return focus() ? focus()->text(QAccessible::Name) : QString(); }
    bool focusInAnswer() const {
        const auto* text = qobject_cast<MessageText*>(window()->activeFocusItem());
        return text && text->document() == messages().document(lastId());
    }
    /// The rows of the list that are made, as screen readers read them.
    QStringList rows() const {
        QStringList names;
        QAccessibleInterface* list = QAccessible::queryAccessibleInterface(
            namedItem(window(), QStringLiteral("Alternatives"), QAccessible::List));
        walkAccessible(list, [&](QAccessibleInterface* node) {
            if (node->role() == QAccessible::ListItem) names.append(node->text(QAccessible::Name));
        });
        return names;
    }
    MessageText* answerText() const {
        for (QAccessibleInterface* node : accessibleNodes(window())) {
            auto* text = qobject_cast<MessageText*>(node->object());
            if (text && text->document() == messages().document(lastId())) return text;
        }
        return nullptr;
    }
    /// Places in the window.
    static QRectF rectOf(const QQuickItem* item) {
        return item ? item->mapRectToScene(QRectF(0, 0, item->width(), item->height())) : QRectF();
    }
    QRectF rectOfToken(int token) const {
        MessageText* text = answerText();
        const QList<QRectF> places = text ? text->rectanglesOf(token) : QList<QRectF>();
        return places.isEmpty() ? QRectF() : text->mapRectToScene(places.front());
    }
    /// The middle of a token of the last answer, in the window.
    QPoint placeOf(int token) const { return rectOfToken(token).center().toPoint(); }
    /// Clicks a token of the last answer once it keeps its place.
    void clickToken(int token, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QPoint place;
        const auto rests = [&] { return std::exchange(place, placeOf(token)) == placeOf(token) && !place.isNull(); };
        QTRY_VERIFY(drawn() && rests());
        QTest::mouseClick(window(), Qt::LeftButton, modifiers, place);
    }
    /// Opens the menu of the last answer, and chooses this line of it by keys.
    void chooseFromMenu(const QString& line) {
        press(Qt::Key_L, Qt::ControlModifier);
        press(Qt::Key_Up, Qt::AltModifier);
        QTRY_VERIFY(focusInAnswer());
        press(Qt::Key_Menu);
        QTRY_VERIFY(namedItem(window(), line, QAccessible::MenuItem));
        for (int downs = 0; downs < 20 && focusName() != line; ++downs) press(Qt::Key_Down);
        QCOMPARE(focusName(), line);
        press(Qt::Key_Return);
    }
};

void WindowAlternativesTest::theyOpenByKeyAndAreWalked() {
    startWithAnAnswer();
    press(Qt::Key_L, Qt::ControlModifier);
    press(Qt::Key_T, Qt::ControlModifier); // the composer has the focus: the last answer's
    QTRY_VERIFY(opened());
    QTRY_VERIFY(focusName().startsWith(QStringLiteral("Once, "))); // the word that the answer has
    QVERIFY(shows("At the beginning"));
    press(Qt::Key_Right);
    QTRY_VERIFY(opened() && alternatives().token() == 1);
    QTRY_VERIFY(focusName().contains(QStringLiteral("upon, ")));
    QVERIFY(shows("After \u201cOnce\u201d"));
    press(Qt::Key_Down);
    QVERIFY2(focusName().contains(QStringLiteral("a, ")), qPrintable(focusName()));
    press(Qt::Key_Right); // from any row
    QTRY_VERIFY(opened() && alternatives().token() == 2);
    press(Qt::Key_End);
    QTRY_COMPARE(alternatives().token(), alternatives().tokenCount() - 1);
    QTRY_VERIFY(opened());
    press(Qt::Key_Right); // there is none after the last one
    QTRY_COMPARE(alternatives().token(), alternatives().tokenCount() - 1);
    press(Qt::Key_Home);
    QTRY_VERIFY(opened() && alternatives().token() == 0);
    press(Qt::Key_Left);
    QCOMPARE(alternatives().token(), 0);
    press(Qt::Key_Escape);
    QTRY_VERIFY(closed());
    QCOMPARE(focusName(), QStringLiteral("Message")); // back to where it was
    QCOMPARE(messages().count(), 2);
    QCOMPARE(lastNumber(app::MessageModel::VersionsRole), 1);
}

void WindowAlternativesTest::theyOpenAtTheSelectedText() {
    startWithAnAnswer();
    press(Qt::Key_L, Qt::ControlModifier);
    press(Qt::Key_Up, Qt::AltModifier); // the answer's last paragraph
    QTRY_VERIFY(focusInAnswer());
    press(Qt::Key_T, Qt::ControlModifier);
    QTRY_VERIFY(opened());
    QTRY_VERIFY2(focusName().startsWith(QStringLiteral("Every, ")), qPrintable(focusName()));
    QVERIFY(alternatives().words().endsWith(QStringLiteral("it had seen.")));
    press(Qt::Key_Escape);
    QTRY_VERIFY(closed());
    QVERIFY(focusInAnswer());
}

/// The click shows the word's route in the pane of the activity, which frames it in the text.
void WindowAlternativesTest::theyOpenAtTheWordThatWasClicked() {
    startWithAnAnswer();
    app()->settings()->activityShown = true;
    const auto tinted = [this] { return messages().document(lastId())->tints(); };
    const auto framed = [&] { return tinted().size() == 1 && tinted().front().frame.isValid(); };
    QTRY_COMPARE(app()->inspector()->condition(), app::Inspector::Ready);
    clickToken(3);
    QTRY_VERIFY(framed());
    QVERIFY(closed() && answerText()->framesTokens());
    press(Qt::Key_T, Qt::ControlModifier);
    QTRY_VERIFY(opened());
    QCOMPARE(alternatives().token(), 3);
    QVERIFY(!answerText()->framesTokens()); // the panel's mark is the only one
    press(Qt::Key_Escape);
    QTRY_VERIFY(closed());
    QTRY_VERIFY(answerText()->framesTokens());
    press(Qt::Key_L, Qt::ControlModifier); // the person has left the answer
    press(Qt::Key_T, Qt::ControlModifier);
    QTRY_VERIFY(opened());
    QCOMPARE(alternatives().token(), 0);
}

void WindowAlternativesTest::theyOpenFromTheMenu() {
    startWithAnAnswer();
    chooseFromMenu(QStringLiteral("Show alternatives"));
    QTRY_VERIFY(opened());
    QTRY_VERIFY2(focusName().startsWith(QStringLiteral("Every, ")), qPrintable(focusName())); // the selected paragraph
    clickToken(4); // now any word of it can be clicked
    QTRY_VERIFY(opened() && alternatives().token() == 4);
    click(QStringLiteral("Close the alternatives (Esc)"));
    QTRY_VERIFY(closed());
    QVERIFY(focusInAnswer());
    clickToken(4);
    QVERIFY(drawn());
    QVERIFY(closed()); // a click is a click again
}

void WindowAlternativesTest::theyOpenByAClickOnAWord() {
    startWithAnAnswer();
    clickToken(3, Qt::ControlModifier);
    QTRY_VERIFY(opened());
    QCOMPARE(alternatives().token(), 3);
    QTRY_VERIFY(focusName().contains(QStringLiteral("time, ")));
    click(QStringLiteral("The next token"));
    QTRY_VERIFY(opened() && alternatives().token() == 4);
    click(QStringLiteral("The token before"));
    QTRY_VERIFY(opened() && alternatives().token() == 3);
    press(Qt::Key_Escape);
    QTRY_VERIFY(closed());
    QVERIFY(focusInAnswer());
}

void WindowAlternativesTest::enterBranches() {
    startWithAnAnswer();
    const QString old = lastText();
    press(Qt::Key_T, Qt::ControlModifier);
    QTRY_VERIFY(opened());
    press(Qt::Key_Right);
    press(Qt::Key_Right);
    QTRY_VERIFY(opened() && alternatives().token() == 2);
    QTRY_VERIFY(focusName().contains(QStringLiteral("a, ")));
    press(Qt::Key_Return); // the answer's own word: nothing happens
    QVERIFY(opened());
    for (int downs = 0; downs < 5; ++downs) press(Qt::Key_Down);
    QVERIFY2(focusName().contains(QStringLiteral("lighthouse, ")), qPrintable(focusName()));
    press(Qt::Key_Return);
    QTRY_VERIFY(closed());
    QTRY_COMPARE(lastNumber(app::MessageModel::VersionsRole), 2);
    QTRY_VERIFY(!app()->conversation()->busy());
    QVERIFY2(lastText().startsWith(QStringLiteral("Once upon lighthouse that counted")), qPrintable(lastText()));
    QCOMPARE(focusName(), QStringLiteral("Message"));
    press(Qt::Key_Left, Qt::AltModifier);
    QTRY_COMPARE(lastText(), old);
}

void WindowAlternativesTest::aClickBranches() {
    startWithAnAnswer();
    const QString old = lastText();
    clickToken(3, Qt::ControlModifier);
    QTRY_VERIFY(opened());
    QString other;
    QTRY_VERIFY(!(other = rows().filter(QStringLiteral("counted, ")).value(0)).isEmpty());
    click(other, QAccessible::ListItem);
    QTRY_VERIFY(closed());
    QTRY_VERIFY(!app()->conversation()->busy() && messages().count() == 2);
    QVERIFY2(lastText().startsWith(QStringLiteral("Once upon a counted the ships")), qPrintable(lastText()));
    QTRY_VERIFY(item(QStringLiteral("Answer 2 of 2")));
    click(QStringLiteral("Show the version before"));
    QTRY_COMPARE(lastText(), old);
    click(QStringLiteral("Show the next version"));
    QTRY_VERIFY(lastText().startsWith(QStringLiteral("Once upon a counted the ships")));
}

void WindowAlternativesTest::theyCloseWithTheirVersion() {
    startWithAnAnswer();
    app()->conversation()->actions()->regenerate(lastId());
    QTRY_VERIFY(lastNumber(app::MessageModel::VersionsRole) == 2 && !app()->conversation()->busy());
    press(Qt::Key_L, Qt::ControlModifier);
    press(Qt::Key_T, Qt::ControlModifier);
    QTRY_VERIFY(opened());
    press(Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE(lastNumber(app::MessageModel::VersionRole), 1);
    QTRY_VERIFY(closed());
    QCOMPARE(focusName(), QStringLiteral("Message"));
}

void WindowAlternativesTest::screenReadersGetAListOfThem() {
    startWithAnAnswer();
    press(Qt::Key_T, Qt::ControlModifier);
    QTRY_VERIFY(opened());
    QTRY_VERIFY(rows().size() >= 10);
    for (const QString& row : rows()) QVERIFY2(row.endsWith(QStringLiteral(" %")), qPrintable(row)); // its probability
    QTRY_VERIFY(focus() && focus()->role() == QAccessible::ListItem && focus()->state().focused);
    QVERIFY(focus()->state().selected); // the one that the answer has
    QCOMPARE(focus()->text(QAccessible::Description), QStringLiteral("The answer has this one"));
    press(Qt::Key_Down);
    QVERIFY(focus()->role() == QAccessible::ListItem && !focus()->state().selected);
    QCOMPARE(focus()->text(QAccessible::Description), QStringLiteral("Continues from here in a new branch"));
    QTRY_VERIFY(shows(
        "At the beginning: 20 alternatives. Computed now from the scores of all 256 tokens that the model knows"));
    press(Qt::Key_Right); // the place is said again when it has changed
    QTRY_VERIFY(shows("After \u201cOnce\u201d: 20 alternatives."));
    QAccessible::queryAccessibleInterface(window()->activeFocusItem())
        ->actionInterface()
        ->doAction(QAccessibleActionInterface::pressAction());
    QVERIFY(opened()); // it is the answer's own
}

void WindowAlternativesTest::aPredictedHeadIsNamed() {
    startWithAnAnswer("predicted");
    press(Qt::Key_T, Qt::ControlModifier);
    QTRY_VERIFY(opened());
    QTRY_VERIFY(shows("While the answer was written, only about 13 % of the tokens that the model knows got a score (a "
                      "part of its output head). For this list all 256 tokens did, so the probabilities are exact."));
    app()->settings()->setValue(QStringLiteral("headRows"), QStringLiteral("all"));
    talk(QStringLiteral("Again"));
    QTRY_VERIFY(alternatives().prepare(lastId()));
    press(Qt::Key_T, Qt::ControlModifier);
    QTRY_VERIFY(opened());
    QTRY_VERIFY(shows("Computed now from the scores of all 256 tokens that the model knows (its whole output head), so "
                      "the probabilities are exact."));
}

void WindowAlternativesTest::anAnswerOfAnotherModelSaysWhyThereAreNone() {
    start("words");
    fixture_->stop();
    {
        auto store = app::ChatStore::open({.folder = fixture_->dataFolder(), .migrations = {}});
        const auto turn = store.value()->addTurn(
            {.chat = 0, .title = QStringLiteral("Old"), .prompt = QStringLiteral("Hello"), .model = {}});
        app::MessageRow old = turn->answer;
        old.model = QStringLiteral("Elsewhere 7B");
        old.state = app::MessageState::Complete;
        old.parts = app::textParts(QStringLiteral("An old answer."));
        QVERIFY(store.value()->finishAnswer(old));
    }
    QVERIFY(fixture_->start(model_));
    QVERIFY(QTest::qWaitForWindowActive(window(), kPatienceMs));
    QTRY_VERIFY(app()->models()->state() == app::ModelController::Ready);
    app()->conversation()->openChat(1);
    press(Qt::Key_L, Qt::ControlModifier);
    press(Qt::Key_T, Qt::ControlModifier);
    QTRY_VERIFY(shows("Another model wrote this answer. Open Elsewhere 7B to see its alternatives."));
    QVERIFY(shows("No alternatives"));
    QVERIFY(rows().isEmpty());
    press(Qt::Key_Escape);
    QTRY_VERIFY(closed());
    QCOMPARE(focusName(), QStringLiteral("Message"));
}

void WindowAlternativesTest::aPromptHasNone() {
    startWithAnAnswer();
    press(Qt::Key_Up, Qt::AltModifier);
    press(Qt::Key_Up, Qt::AltModifier);
    press(Qt::Key_Up, Qt::AltModifier); // two paragraphs of the answer, then the prompt
    QTRY_COMPARE(app()->conversation()->actions()->focused(), messages().rows().front().id);
    QVERIFY(!app()->commands()->run(QStringLiteral("message.alternatives")));
    QVERIFY(!app()->commands()->run(QStringLiteral("message.tint")));
    press(Qt::Key_T, Qt::ControlModifier);
    QVERIFY(closed());
}

void WindowAlternativesTest::wordsAreColouredOnDemand() {
    startWithAnAnswer();
    const auto tinted = [this] { return messages().document(lastId())->tints().size(); };
    press(Qt::Key_T, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY(shows("This answer has no probabilities")); // nothing asked for them while it was written
    QCOMPARE(tinted(), size_t{0});
    talk(QStringLiteral("Again"));
    QCOMPARE(alternatives().tinted(), messages().rows()[1].id);
    press(Qt::Key_T, Qt::ControlModifier | Qt::ShiftModifier); // the new answer
    QTRY_VERIFY(shows("The stronger the colour, the less probable was the word."));
    QTRY_VERIFY(tinted() > 20);
    press(Qt::Key_T, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_COMPARE(tinted(), size_t{0});
    QVERIFY(!shows("The stronger the colour"));
    chooseFromMenu(QStringLiteral("Colour words by probability"));
    QTRY_VERIFY(tinted() > 20);
    chooseFromMenu(QStringLiteral("Hide probabilities"));
    QTRY_COMPARE(tinted(), size_t{0});
}

void WindowAlternativesTest::escapeClosesThemFromElsewhere_data() {
    QTest::addColumn<int>("key");
    QTest::addColumn<Qt::KeyboardModifiers>("modifiers");
    QTest::newRow("by Tab") << static_cast<int>(Qt::Key_Tab) << Qt::KeyboardModifiers(Qt::NoModifier);
    QTest::newRow("in the message field") << static_cast<int>(Qt::Key_L) << Qt::KeyboardModifiers(Qt::ControlModifier);
}

/// Esc closes them while something else has the focus, and that keeps it.
void WindowAlternativesTest::escapeClosesThemFromElsewhere() {
    QFETCH(int, key);
    QFETCH(Qt::KeyboardModifiers, modifiers);
    startWithAnAnswer();
    press(Qt::Key_T, Qt::ControlModifier);
    QTRY_VERIFY(opened());
    const auto inPanel = [this] { return panel()->isAncestorOf(window()->activeFocusItem()); };
    QTRY_VERIFY(inPanel());
    for (int i = 0; i < 9 && inPanel(); ++i) press(key, modifiers);
    QVERIFY(!inPanel());
    const QQuickItem* const elsewhere = window()->activeFocusItem();
    press(Qt::Key_Escape);
    QTRY_VERIFY(closed());
    QCOMPARE(alternatives().mode(), qint64{0}); // a click on a word is a click again
    QCOMPARE(window()->activeFocusItem(), elsewhere);
}

void WindowAlternativesTest::aLowWindowHasRoomForThem() {
    startWithAnAnswer();
    QVERIFY(app()->settings()->setProperty("fontScale", 1.6));
    window()->resize(640, 560);
    press(Qt::Key_T, Qt::ControlModifier);
    QTRY_VERIFY(opened());
    const QQuickItem* view = namedItem(window(), QStringLiteral("Conversation"), QAccessible::List)->parentItem();
    const auto inside = [&] {
        const QRectF room = view->mapRectToScene(QRectF(0, 0, view->width(), view->height()));
        return room.contains(rectOf(panel()));
    };
    QTRY_VERIFY(panel()->implicitHeight() > view->height()); // the rows alone need more
    QTRY_VERIFY(inside());
    const auto covers = [&] { return rectOf(panel()).intersects(rectOfToken(alternatives().token())); };
    for (int token = 0; token < 8; ++token) { // some of them are at the right, where the list stands
        QTRY_VERIFY(opened());
        QTRY_COMPARE(alternatives().token(), token);
        QTRY_VERIFY(!covers());
        press(Qt::Key_Right);
    }
    click(QStringLiteral("Close the alternatives (Esc)"));
    QTRY_VERIFY(closed());
}

/// The list of alternatives and the answer that it is about don't overlap in a window with room for both.
void WindowAlternativesTest::f28ThePanelLeavesTheAnswerFree() {
    startWithAnAnswer();
    window()->resize(1180, 1100);
    for (int i = 0; i < 3; ++i) talk(QStringLiteral("Hello"));
    press(Qt::Key_T, Qt::ControlModifier);
    QTRY_VERIFY(opened());
    QTRY_VERIFY(!rectOf(panel()).intersects(rectOf(answerText())));
    press(Qt::Key_Right);
    QTRY_COMPARE(alternatives().token(), 1);
    QTRY_VERIFY(!rectOf(panel()).intersects(rectOf(answerText())));
}

void WindowAlternativesTest::theTokenStandsOutAndIsNotCovered_data() {
    QTest::addColumn<QSize>("size");
    QTest::newRow("wide") << QSize(1180, 780);
    QTest::newRow("low") << QSize(1180, 500);
    QTest::newRow("narrow") << QSize(640, 600);
}

/// At each token of the last answer of a chat that fills the window.
void WindowAlternativesTest::theTokenStandsOutAndIsNotCovered() {
    QFETCH(QSize, size);
    startWithAnAnswer();
    window()->resize(size);
    for (int i = 0; i < 3; ++i) talk(QStringLiteral("Hello"));
    press(Qt::Key_T, Qt::ControlModifier);
    QTRY_VERIFY(opened());
    const int count = alternatives().tokenCount();
    QVERIFY(count > 10);
    const auto scene = [](const QQuickItem* item, const QRectF& place) { return item->mapRectToScene(place); };
    for (int token = 0; token < count; ++token) {
        QTRY_VERIFY(opened() && alternatives().token() == token);
        MessageText* text = answerText();
        QVERIFY(text);
        const QList<QRectF> places = text->rectanglesOf(token);
        if (!places.isEmpty()) {
            const auto marks = [&](QQuickItem* at) {
                return at->property("modelData").toRectF() == places.front() && at->isVisible();
            };
            QTRY_VERIFY2(findItem(text, marks), qPrintable(QString::number(token)));
            const auto seen = [&] {
                const QQuickItem* list = namedItem(window(), QStringLiteral("Conversation"), QAccessible::List);
                const QRectF view = scene(list, QRectF(0, 0, list->width(), list->height()));
                const QRectF place = scene(text, places.front());
                const QRectF above = rectOf(panel());
                return view.contains(place) && view.contains(above) && !above.intersects(place);
            };
            QVERIFY2(waitFor(seen), qPrintable(QString::number(token)));
        }
        press(Qt::Key_Right);
    }
    press(Qt::Key_Escape);
    QTRY_VERIFY(closed());
    QVERIFY(!findItem(answerText(), [](QQuickItem* at) { return at->property("modelData").canConvert<QRectF>(); }));
}

int main(int argc, char** argv) { return runWindowTest<WindowAlternativesTest>(argc, argv); }
#include "tst_window_alternatives.moc"
