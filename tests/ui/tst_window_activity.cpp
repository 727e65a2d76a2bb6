// SPDX-License-Identifier: Apache-2.0
// The words and offers of the pane of the model's activity: the first look without an answer, colours of the text,
// results of closed sections, figures that stay while answers come and go, and the word that leads to an answer.
// tst_window_inspector.cpp uses its parts by keys and pointer.
#include "inspector/inspector.h"
#include "settings/settings.h"
#include "text/message_text.h"
#include "window_driver.h"

#include <QClipboard>
#include <QScopeGuard>
#include <QStyleHints>

using namespace coterie;
using namespace coterie::tests;
using app::ActivityGrid;
using app::Inspector;
using app::Pages;
using app::TokenMeasure;

class WindowActivityTest : public WindowDriver {
    Q_OBJECT
  private Q_SLOTS:
    void f8TheFirstLookWithoutAnAnswerOffersOneWayOn();
    void theFirstLookFollowsTheModel();
    void aDoubleClickOnNextChoosesNothing();
    void f9TheLastChoiceHasTheColours();
    void f27ResultsFitAPaneOf320Pixels();
    void f34TheTableNamesItsValues();
    void keysMoveTheRowOfTheTable();
    void figuresAreMadeOnce();
    void aWordOfAnEarlierAnswerShowsItsRoute();
    void theSentenceAboutColoursIsWhole_data();
    void theSentenceAboutColoursIsWhole();
    void headingsOfColumnsStandOnOneLine_data();
    void headingsOfColumnsStandOnOneLine();
    void figuresFollowAShortText();
    void aSummaryThatWasCopiedIsSaid();
    void aFileIsOfTheAnswerItWasAskedFor();
    void sectionsAboutTheChatSaySo();
    void n24ButtonsThatGoLeaveTheFocus();
    void moreMemoryIsTakenByItsButton();
    void aReplayHasTheRealTimesByChoice();
    void withoutARecordEachViewSaysWhatItHas();

  private:
    Inspector& inspector() const { return *app()->inspector(); }
    void inspect(const char* script = "story") {
        start(script);
        app()->settings()->activityShown = true;
        talk(QStringLiteral("Hello"));
        QTRY_COMPARE(inspector().condition(), Inspector::Ready);
        QTRY_VERIFY(inspector().charts()->measured());
    }
    const QQuickItem* text(const QString& words) const {
        return findItem(window()->contentItem(), [&](QQuickItem* at) {
            return at->isVisible() && at->inherits("QQuickText") && at->property("text").toString() == words;
        });
    }
};

/// Enter lets the model write; until its first word is there, Enter does nothing, and then it leads on.
void WindowActivityTest::f8TheFirstLookWithoutAnAnswerOffersOneWayOn() {
    start();
    app()->pages()->open(Pages::Activity);
    use("Take a first look");
    QTRY_VERIFY(shows("The first look needs an answer to explain."));
    QVERIFY(!item(QStringLiteral("Next")) && !item(QStringLiteral("Back")) && item(QStringLiteral("End")));
    QTRY_COMPARE(window()->activeFocusItem(), item(QStringLiteral("Let the model tell a short story")));
    press(Qt::Key_Return);
    QTRY_VERIFY(control_->waits() && inspector().live());
    QTRY_VERIFY(shows("The first look goes on with the first word of this answer."));
    press(Qt::Key_Return);
    QVERIFY(drawn());
    QVERIFY(shows("Step 1 of 6"));
    QCOMPARE(app()->pages()->current(), Pages::Activity);
    control_->allowAll();
    QTRY_VERIFY(shows("Each row is a layer"));
    QTRY_COMPARE(window()->activeFocusItem(), item(QStringLiteral("Next")));
    press(Qt::Key_Return);
    QTRY_VERIFY(shows("Step 2 of 6"));
    QCOMPARE(app()->pages()->current(), Pages::Activity);
}

/// A model without experts has fewer steps: the look goes on with the last of them.
void WindowActivityTest::theFirstLookFollowsTheModel() {
    fixture_ = std::make_unique<WindowFixture>([this](const engine::OpenOptions& options) {
        const bool dense = options.path.find("dense") != std::string::npos;
        return test::fakeFactory(*test::fakeScript(dense ? "dense" : "story"), control_)(options);
    });
    control_->allowAll();
    const auto file = [this](const char* name) {
        const QString path = QDir(fixture_->dataFolder()).filePath(QString::fromLatin1(name));
        return QFile(path).open(QIODevice::WriteOnly) ? path : QString();
    };
    QVERIFY(fixture_->start(file("experts.gguf")));
    QVERIFY(QTest::qWaitForWindowActive(window(), kPatienceMs));
    app()->settings()->activityShown = true;
    talk(QStringLiteral("Hello"));
    use("Take a first look");
    for (int step = 2; step <= 6; ++step) use("Next");
    QTRY_VERIFY(shows("Step 6 of 6"));
    app()->conversation()->newChat();
    app()->models()->open(file("dense.gguf"));
    QTRY_VERIFY(shows("Step 4 of 4"));
    use("End"); // there is no answer
    QTRY_VERIFY(item(QStringLiteral("Take a first look")));
}

/// The card had gone below the grid, and the second click chose the cell that was under the pointer then.
void WindowActivityTest::aDoubleClickOnNextChoosesNothing() {
    QStyleHints& hints = *QGuiApplication::styleHints();
    const auto restore = qScopeGuard(
        [&hints, interval = hints.mouseDoubleClickInterval()] { hints.setMouseDoubleClickInterval(interval); });
    hints.setMouseDoubleClickInterval(kPatienceMs); // however long the pictures take
    inspect();
    const auto next = [this] { return item(QStringLiteral("Next")); };
    QPoint place;
    use("Take a first look");
    use("Next");
    QTRY_VERIFY(shows("Step 2 of 6"));
    QTRY_VERIFY(keepsPlace(next, place));
    QTest::mouseClick(window(), Qt::LeftButton, {}, place);
    QTRY_VERIFY(shows("Step 3 of 6"));
    QVERIFY(drawn() && drawn());
    QTest::mouseClick(window(), Qt::LeftButton, {}, place);
    QVERIFY(drawn());
    QCOMPARE(inspector().grid()->selectedLayer(), -1);
    QVERIFY(shows("Step 3 of 6"));
    click(QStringLiteral("Back")); // another place
    QTRY_VERIFY(shows("Step 2 of 6"));
}

/// A measure ends the selection of an expert; an expert that is selected then has the colours, which the sentence says.
void WindowActivityTest::f9TheLastChoiceHasTheColours() {
    inspect();
    inspector().grid()->select(2, 1);
    for (int times = 0; times < 2; ++times) { // the second time it is the measure that is chosen already
        const QByteArray menu = times == 0 ? "Colour the text by: Nothing" : "Colour the text by: Time";
        use(menu.constData());
        QTRY_VERIFY(namedItem(window(), QStringLiteral("Active neurons"), QAccessible::MenuItem));
        for (int down = 0; times == 0 && down < 3; ++down) press(Qt::Key_Down);
        press(Qt::Key_Return);
        QTRY_COMPARE(inspector().tokens()->measure(), TokenMeasure::Time);
        QTRY_COMPARE(inspector().grid()->selectedLayer(), -1);
        QTRY_VERIFY(shows("the longer the token took"));
        inspector().grid()->select(2, 1);
        QTRY_VERIFY(shows("The colours show the tokens of the selected expert now."));
        QVERIFY(!shows("the longer the token took"));
    }
}

/// A closed section's result is read in a pane of the usual width, without its tip.
void WindowActivityTest::f27ResultsFitAPaneOf320Pixels() {
    inspect("from-disk");
    window()->resize(1180, 900);
    app()->settings()->activityWidth = 320;
    QVERIFY(drawn());
    int results = 0;
    for (const char* heading :
         {"Figures", "Would more memory help?", "How evenly experts are used", "Active neurons", "Remarks"}) {
        QAccessibleInterface* node = QAccessible::queryAccessibleInterface(item(QString::fromLatin1(heading)));
        QVERIFY2(node, heading);
        const QString result = node->text(QAccessible::Description);
        const QQuickItem* line = text(result);
        QVERIFY2(line && !result.isEmpty(), heading);
        QVERIFY2(line->width() < 320 && !line->property("truncated").toBool(), qPrintable(result));
        ++results;
    }
    QCOMPARE(results, 5);
    // An open section says it in its content.
    const QString closed = inspector().charts()->balanceResult();
    QVERIFY(text(closed));
    use("How evenly experts are used");
    QTRY_VERIFY(!text(closed));
}

void WindowActivityTest::f34TheTableNamesItsValues() {
    inspect();
    use("Show the values as a table");
    QTRY_VERIFY(text(QStringLiteral("Tokens")));
    inspector().grid()->setMode(ActivityGrid::Now);
    QTRY_VERIFY(text(QStringLiteral("Weight")));
    inspector().grid()->setMode(ActivityGrid::Store);
    QTRY_VERIFY(text(QStringLiteral("Place")));
    QVERIFY(!text(QStringLiteral("Value")));
}

void WindowActivityTest::keysMoveTheRowOfTheTable() {
    inspect();
    inspector().grid()->setMode(ActivityGrid::Store); // a row for each of 384 experts
    use("Show the values as a table");
    QQuickItem* table = nullptr;
    QTRY_VERIFY((table = namedItem(window(), QStringLiteral("Experts as a table"), QAccessible::List)));
    QTRY_VERIFY(table->property("count").toInt() > 100);
    const int last = table->property("count").toInt() - 1;
    const auto row = [&] { return table->property("currentIndex").toInt(); };
    const auto inView = [&] {
        const auto* const current = table->property("currentItem").value<QQuickItem*>();
        if (!current) return false;
        const QRectF place = current->mapRectToItem(table, QRectF(0, 0, current->width(), current->height()));
        return place.top() > -1 && place.bottom() < table->height() + 1;
    };
    QVERIFY(drawn()); // a page is as long as the table, which has its height with the first frame
    table->forceActiveFocus(Qt::TabFocusReason);
    press(Qt::Key_PageDown);
    const int page = row();
    QVERIFY2(page > 1 && page < last / 2, qPrintable(QString::number(page)));
    QVERIFY(inView());
    for (const auto& [key, wanted] : {std::pair(Qt::Key_PageDown, 2 * page),
                                      {Qt::Key_PageUp, page},
                                      {Qt::Key_PageUp, 0},
                                      {Qt::Key_PageUp, 0},
                                      {Qt::Key_End, last},
                                      {Qt::Key_PageDown, last},
                                      {Qt::Key_Up, last - 1},
                                      {Qt::Key_Home, 0},
                                      {Qt::Key_Down, 1}}) {
        press(key);
        QCOMPARE(row(), wanted);
        QVERIFY2(inView(), qPrintable(QString::number(wanted)));
    }
    press(Qt::Key_Enter);
    QVERIFY(inspector().grid()->selectedLayer() >= 0);
}

/// An answer that begins has fewer figures for a moment. Making all of them again then would take time from the engine.
void WindowActivityTest::figuresAreMadeOnce() {
    inspect("from-disk");
    use("Figures");
    const QQuickItem* rows = nullptr;
    QTRY_VERIFY((rows = findItem(window()->contentItem(), [](QQuickItem* at) {
                     return at->isVisible() && QByteArray(at->metaObject()->className()).startsWith("FigureRows");
                 })));
    const auto shown = [&] {
        QSet<const QQuickItem*> lines;
        for (const QQuickItem* line : rows->childItems())
            if (line->isVisible() && !line->inherits("QQuickRepeater")) lines.insert(line);
        return lines;
    };
    const auto figures = [this] { return inspector().charts()->figures().size(); };
    const QSet<const QQuickItem*> before = shown();
    QCOMPARE(before.size(), figures());
    QVERIFY(before.size() > 2);
    qsizetype fewest = before.size();
    const auto counted = connect(inspector().charts(), &app::AnswerCharts::figuresChanged, this,
                                 [&] { fewest = std::min(fewest, figures()); });
    talk(QStringLiteral("Again"));
    QTRY_COMPARE(inspector().condition(), Inspector::Ready);
    QTRY_COMPARE(shown().size(), figures());
    disconnect(counted);
    QVERIFY2(fewest < before.size(), "no figure went away meanwhile");
    QCOMPARE(shown(), before);
}

/// The pane shows another answer until then.
void WindowActivityTest::aWordOfAnEarlierAnswerShowsItsRoute() {
    inspect();
    const app::MessageModel& messages = *app()->conversation()->messages();
    const qint64 first = inspector().messageId();
    const app::TextDocument* document = messages.document(first);
    QVERIFY(!document->tokens().empty());
    const auto shown = [&] {
        return qobject_cast<app::MessageText*>(findItem(window()->contentItem(), [&](QQuickItem* at) {
            const auto* text = qobject_cast<app::MessageText*>(at);
            return text && at->isVisible() && text->document() == document;
        }));
    };
    const auto placeOf = [&](int token) {
        const QList<QRectF> places = shown() ? shown()->rectanglesOf(token) : QList<QRectF>();
        return places.isEmpty() ? QPointF() : places.first().center();
    };
    int token = 0; // the first ones belong to the thought, which is folded
    while (placeOf(token).isNull() && ++token < static_cast<int>(document->tokens().size())) {
    }
    token += 2;
    const QPointF place = placeOf(token);
    QVERIFY(!place.isNull());
    talk(QStringLiteral("Again"));
    QTRY_VERIFY(inspector().messageId() != first);
    QTRY_COMPARE(inspector().condition(), Inspector::Ready);
    QVERIFY(document->tokens().empty());
    QQuickItem* list = namedItem(window(), QStringLiteral("Conversation"));
    QVERIFY(list);
    list->forceActiveFocus(Qt::TabFocusReason);
    press(Qt::Key_Home); // the first answer is in view
    QTRY_VERIFY(shown());
    const auto click = [&] {
        QVERIFY(drawn() && drawn());
        QTest::mouseClick(window(), Qt::LeftButton, {}, shown()->mapToScene(place).toPoint());
    };
    click();
    QTRY_COMPARE(inspector().messageId(), first);
    QTRY_COMPARE(inspector().timeline()->position(), inspector().timeline()->answerBegins() + token);
    // An edited answer has no record: the pane says so.
    const qint64 last = messages.lastId();
    app()->conversation()->actions()->beginEdit(last);
    app()->conversation()->actions()->setEditText(last, QStringLiteral("Mine"));
    app()->conversation()->actions()->keepEdit(last);
    QTRY_VERIFY(messages.lastId() != last);
    const qint64 edited = messages.lastId();
    inspector().showMessage(first);
    QTRY_COMPARE(inspector().messageId(), first);
    document = messages.document(edited);
    press(Qt::Key_J, Qt::ControlModifier); // to the latest message
    QTRY_VERIFY(shown());
    QVERIFY(drawn() && drawn());
    QTest::mouseClick(window(), Qt::LeftButton, {}, shown()->mapToScene(QPointF(8, shown()->height() - 8)).toPoint());
    QTRY_COMPARE(inspector().messageId(), edited);
    QTRY_VERIFY(shows("This answer has no record"));
}

void WindowActivityTest::theSentenceAboutColoursIsWhole_data() {
    QTest::addColumn<double>("scale");
    for (const double scale : {1.0, 1.6}) QTest::addRow("text %.0f %%", scale * 100) << scale;
}

void WindowActivityTest::theSentenceAboutColoursIsWhole() {
    QFETCH(const double, scale);
    inspect();
    window()->resize(1700, 900);
    app()->settings()->fontScale = scale;
    const auto check = [this] {
        for (const TokenMeasure measure : {TokenMeasure::Probability, TokenMeasure::Entropy, TokenMeasure::Time,
                                           TokenMeasure::Waiting, TokenMeasure::Misses, TokenMeasure::Neurons}) {
            inspector().tokens()->setMeasure(measure);
            QTRY_VERIFY(drawn() && text(inspector().tokens()->measureText()));
            const QQuickItem* const sentence = text(inspector().tokens()->measureText());
            QVERIFY2(
                !sentence->property("truncated").toBool(),
                qPrintable(
                    QStringLiteral("%1 at %2 px").arg(inspector().tokens()->measureText()).arg(sentence->width())));
        }
    };
    for (int width = 240; width <= 560; width += 32) {
        app()->settings()->activityWidth = width;
        check();
        if (QTest::currentTestFailed()) return;
    }
    app()->pages()->open(Pages::Activity);
    check();
}

void WindowActivityTest::headingsOfColumnsStandOnOneLine_data() {
    QTest::addColumn<int>("width");
    QTest::addColumn<double>("scale");
    QTest::newRow("three columns") << 1700 << 1.0;
    QTest::newRow("two columns") << 1400 << 1.0;
    QTest::newRow("three columns, larger texts") << 2700 << 1.6;
}

/// With and without the button beside the second heading.
void WindowActivityTest::headingsOfColumnsStandOnOneLine() {
    QFETCH(const int, width);
    QFETCH(const double, scale);
    inspect();
    window()->resize(width, 900);
    app()->settings()->fontScale = scale;
    app()->pages()->open(Pages::Activity);
    const auto lineOf = [this](const QString& heading) {
        const QQuickItem* const found = text(heading);
        return found ? found->mapToScene({0, found->baselineOffset()}).y() : -1;
    };
    for (const bool taken : {false, true}) {
        app()->settings()->firstLookTaken = taken;
        QTRY_VERIFY(drawn() && lineOf(inspector().answerHeading()) > 0 &&
                    lineOf(QStringLiteral("Text of the answer")) > 0);
        QVERIFY(drawn());
        QCOMPARE(lineOf(QStringLiteral("Text of the answer")), lineOf(inspector().answerHeading()));
        if (width > 1400) QCOMPARE(lineOf(QStringLiteral("Figures")), lineOf(inspector().answerHeading()));
    }
}

/// They began below the room of a long text. They stay where they are while the next answer is written.
void WindowActivityTest::figuresFollowAShortText() {
    constexpr double kLong = 320; // Style.answerHeight
    test::FakeScript script = *test::fakeScript("story");
    script.pieces = {"Yes, ", "it is."};
    startWith(script);
    window()->resize(1400, 900);
    const auto answered = [this](int messages) {
        return app()->conversation()->messages()->count() == messages && !app()->conversation()->busy();
    };
    QVERIFY(app()->conversation()->send(QStringLiteral("Hello")));
    allowAnswer(script);
    QTRY_VERIFY(answered(2));
    app()->pages()->open(Pages::Activity);
    const auto room = [this] {
        const QQuickItem* const heading = text(QStringLiteral("Text of the answer"));
        return heading ? heading->parentItem()->height() : 0.0;
    };
    const auto figures = [this] {
        const QQuickItem* const heading = text(QStringLiteral("Figures"));
        return heading ? heading->mapToScene({}).y() : 0.0;
    };
    QTRY_VERIFY(room() > 0 && room() < 0.6 * kLong && figures() > 0);
    QVERIFY(drawn());
    const double before = room(), place = figures();
    QVERIFY(app()->conversation()->send(QStringLiteral("Again")));
    QTRY_VERIFY(inspector().live() && control_->waits());
    QVERIFY(drawn());
    QCOMPARE(room(), before);
    allowAnswer(script);
    QTRY_VERIFY(answered(4));
    QVERIFY(drawn());
    QCOMPARE(room(), before);
    QCOMPARE(figures(), place);
}

/// As a file that was saved. The words go with the answer that they are about.
void WindowActivityTest::aSummaryThatWasCopiedIsSaid() {
    inspect();
    const QString said = QStringLiteral("The summary was copied.");
    QVERIFY(!text(said));
    use("Save or copy");
    click(QStringLiteral("Copy a summary as text"), QAccessible::MenuItem);
    QTRY_VERIFY(text(said));
    const QString copied = QGuiApplication::clipboard()->text();
    QVERIFY2(copied.contains(inspector().charts()->sentence()), qPrintable(copied));
    talk(QStringLiteral("Again"));
    QTRY_VERIFY(!text(said));
}

/// It got the record of the answer that came while the dialog or the question was open.
void WindowActivityTest::aFileIsOfTheAnswerItWasAskedFor() {
    inspect();
    QQuickItem* const menu = findItem(window()->contentItem(), [](const QQuickItem* at) {
        return at->isVisible() && QByteArray(at->metaObject()->className()).startsWith("ExportMenu");
    });
    QVERIFY(menu);
    const auto choose = [&] {
        bool done = QMetaObject::invokeMethod(menu, "choose", Q_ARG(QString, QStringLiteral("csv")));
        for (QObject* child : menu->findChildren<QObject*>())
            if (child->inherits("QQuickFileDialog")) done = done && QMetaObject::invokeMethod(child, "close");
        return done;
    };
    const QString path = QDir(fixture_->dataFolder()).filePath(QStringLiteral("there.csv"));
    const auto save = [&] { return QMetaObject::invokeMethod(menu, "save", Q_ARG(QUrl, QUrl::fromLocalFile(path))); };
    const auto content = [&] {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    const QString unsaved = QStringLiteral("Nothing was saved: another answer is shown now.");
    QVERIFY(choose());
    talk(QStringLiteral("Again"));
    QTRY_COMPARE(inspector().condition(), Inspector::Ready);
    QVERIFY(save());
    QTRY_VERIFY(text(unsaved));
    QVERIFY(!QFile::exists(path));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("mine") == 4);
    file.close();
    QVERIFY(choose() && save());
    QTRY_VERIFY(shows("There is a file there.csv already. Replace it?"));
    QVERIFY(!text(unsaved));
    talk(QStringLiteral("Once more"));
    QTRY_VERIFY(!shows("Replace it?") && text(unsaved));
    QCOMPARE(content(), QByteArray("mine"));
    QTRY_COMPARE(inspector().condition(), Inspector::Ready);
    QVERIFY(choose() && save());
    use("Replace the file");
    QTRY_VERIFY(content().startsWith("position,"));
}

/// Their charts follow the view of the grid: all answers of the chat, or one.
void WindowActivityTest::sectionsAboutTheChatSaySo() {
    inspect();
    talk(QStringLiteral("Again"));
    QTRY_COMPARE(inspector().condition(), Inspector::Ready);
    for (const char* section : {"How evenly experts are used", "Active neurons"}) {
        use(section);
        inspector().grid()->setMode(ActivityGrid::Chat);
        QTRY_VERIFY(inspector().charts()->measured() && text(inspector().charts()->text()));
        inspector().grid()->setMode(ActivityGrid::Reply);
        QTRY_VERIFY(inspector().charts()->measured());
        QVERIFY2(!text(inspector().charts()->text()), section);
        use(section); // closes it
    }
}

/// Each goes, or is disabled, by its own click. The focus goes to what the click was about, not to another part of the
/// window.
void WindowActivityTest::n24ButtonsThatGoLeaveTheFocus() {
    inspect();
    const QString map = QStringLiteral("Experts: a row for each layer. The arrow keys move, Enter selects");
    inspector().grid()->select(2, 1);
    use("Select no expert");
    QTRY_COMPARE(inspector().grid()->selectedLayer(), -1);
    QTRY_VERIFY(item(map)->hasActiveFocus());
    use("Show the values as a table");
    inspector().grid()->select(2, 1);
    use("Select no expert");
    QTRY_COMPARE(inspector().grid()->selectedLayer(), -1);
    QTRY_VERIFY(namedItem(window(), QStringLiteral("Experts as a table"), QAccessible::List)->hasActiveFocus());
    use("Show the values as a table");
    use("Larger cells");
    use("Smaller cells");
    QTRY_VERIFY(!item(QStringLiteral("Smaller cells"))->isEnabled());
    QCOMPARE(window()->activeFocusItem(), item(QStringLiteral("Larger cells")));
    // An answer that is being written has a button that leads back to its end.
    control_->hold();
    app()->conversation()->send(QStringLiteral("Again"));
    QTRY_VERIFY(inspector().live() && control_->waits());
    control_->allow(30);
    QTRY_VERIFY(inspector().live() && inspector().condition() == Inspector::Ready);
    for (const bool byClick : {true, false}) { // or it goes with the end of the answer
        inspector().timeline()->setPosition(inspector().timeline()->first());
        focusOn(QStringLiteral("Newest"));
        if (byClick)
            press(Qt::Key_Return);
        else
            control_->allowAll();
        QTRY_VERIFY(!item(QStringLiteral("Newest")));
        QCOMPARE(inspector().timeline()->following(), byClick);
        QTRY_COMPARE(window()->activeFocusItem(), namedItem(window(), QStringLiteral("Token"), QAccessible::Slider));
    }
    QTRY_VERIFY(!app()->conversation()->busy());
}

/// The model is opened again with the memory that the button names.
void WindowActivityTest::moreMemoryIsTakenByItsButton() {
    test::FakeScript script = *test::fakeScript("story");
    script.layers = 4;
    startWith(script);
    constexpr double kScarce = 380 << 20; // room for some of the 128 experts
    app()->settings()->memoryBudget = kScarce;
    app()->models()->reopen();
    QTRY_VERIFY(app()->models()->openInfo() && app()->models()->openInfo()->memory.slots < 128);
    app()->settings()->activityShown = true;
    talk(QStringLiteral("Hello"));
    QTRY_VERIFY(inspector().charts()->measured() && inspector().charts()->betterBudget() > 0);
    use("Would more memory help?");
    const double better = inspector().charts()->betterBudget();
    const auto offer = [this] { return shownTexts().filter(QStringLiteral("Open the model again with")).value(0); };
    QTRY_VERIFY(!offer().isEmpty());
    focusOn(offer());
    press(Qt::Key_Return);
    QTRY_COMPARE(app()->settings()->memoryBudget(), better);
    QTRY_VERIFY(app()->models()->openInfo());
    QTRY_COMPARE(static_cast<double>(app()->models()->openInfo()->memory.budget), better);
}

/// Slow motion is what a replay has without it.
void WindowActivityTest::aReplayHasTheRealTimesByChoice() {
    inspect();
    QCOMPARE(inspector().timeline()->speed(), 0);
    use("Speed of the replay: Slow motion");
    click(QStringLiteral("Real time"), QAccessible::MenuItem);
    QTRY_COMPARE(inspector().timeline()->speed(), 1);
    QTRY_VERIFY(item(QStringLiteral("Speed of the replay: Real time")));
}

/// The others of the chat are counted; a view that has nothing says so.
void WindowActivityTest::withoutARecordEachViewSaysWhatItHas() {
    inspect();
    app()->settings()->activityShown = false;
    app()->settings()->tracesKept = false;
    talk(QStringLiteral("Unseen"));
    app()->settings()->activityShown = true;
    QTRY_COMPARE(inspector().condition(), Inspector::NotTraced);
    QTRY_VERIFY(shows("This answer has no record"));
    const QString map = QStringLiteral("Experts: a row for each layer. The arrow keys move, Enter selects");
    const auto choose = [this](const char* view) { click(QString::fromLatin1(view), QAccessible::RadioButton); };
    choose("Now");
    QTRY_VERIFY(shows("Without a record there is no token to show."));
    choose("Answer");
    QTRY_VERIFY(shows("Without a record there is nothing to count."));
    QVERIFY(!item(map));
    choose("Chat");
    QTRY_VERIFY(shows("in 1 of this chat's 2 answers."));
    QTRY_VERIFY(item(map));
    inspector().grid()->select(2, 1); // there are no tokens of it
    QVERIFY(drawn());
    QVERIFY(shows("in 1 of this chat's 2 answers."));
    choose("Now");
    QTRY_VERIFY(!item(map));
}

int main(int argc, char** argv) { return runWindowTest<WindowActivityTest>(argc, argv); }
#include "tst_window_activity.moc"
