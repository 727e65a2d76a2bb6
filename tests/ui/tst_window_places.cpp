// SPDX-License-Identifier: Apache-2.0
// Checks where things are in the window: no text overlaps another after any start, size or step, and nothing moves
// under a reader of the model's activity. text_checks.h finds what is wrong.
#include "inspector/inspector.h"
#include "inspector/random_user.h"
#include "settings/settings.h"
#include "support/effort.h"
#include "text/message_text.h"
#include "text_checks.h"
#include "window_driver.h"

#include <QRandomGenerator>
#include <QTextLayout>

#include <cmath>
#include <utility>

using namespace coterie;
using namespace coterie::tests;
using app::ActivityGrid;
using app::AnswerComparison;
using app::Inspector;
using app::Pages;

class WindowPlacesTest : public WindowDriver {
    Q_OBJECT
  private Q_SLOTS:
    void theCheckerFindsWhatIsWrong();
    void n1WhatIsRememberedIsThereAfterAStart_data();
    void n1WhatIsRememberedIsThereAfterAStart();
    void n16NothingMovesUnderTheReader_data();
    void n16NothingMovesUnderTheReader();
    void n17TheFirstSentencesDoNotOverlap();
    void theActivityFollowsTheTextSize();
    void aLongTipHasSeveralLines();
    void steadyTextsHaveRoomAtEverySize();
    void i2TheGridIsDirectlyUnderItsSwitch();
    void i10AWidePageHasTheAnswersText();
    void i11SectionsSayTheirResult();
    void i19SegmentsAreEqual();
    void i19TheFirstLookIsOfferedByAButton();
    void n18TheStripSaysWhatItShows();
    void b5UnitsStayInOneLine();
    void b5TheLegendOfDifferencesStaysInOneLine_data();
    void b5TheLegendOfDifferencesStaysInOneLine();
    void theLegendNamesCornersThatAreThere();
    void settingsFollowAJumpOfTheWidth();
    void f32ALineIsInTheMiddleOfItsField();
    void f37TheWindowsPlaceIsKeptWhileItIsOpen();
    void d5TheLastLineShrinksWithThePage();
    void d6RandomPanes_data();
    void d6RandomPanes();

  private:
    struct Place {
        QPointer<QQuickItem> item; // nothing once the item is gone: another one may get its address
        QPointF at;
    };
    using Places = std::vector<Place>;

    Inspector& inspector() const { return *app()->inspector(); }
    static bool isOf(const QQuickItem* item, const char* type) {
        return QByteArray(item->metaObject()->className()).startsWith(type);
    }
    QQuickItem* byType(const char* type) const {
        return findItem(window()->contentItem(), [type](QQuickItem* at) { return at->isVisible() && isOf(at, type); });
    }
    /// The visible item of the model's activity with this name.
    QQuickItem* named(const char* name) const { return item(QString::fromUtf8(name)); }
    void resize(int width, int height) {
        window()->resize(width, height);
        QTRY_COMPARE(window()->contentItem()->size(), QSizeF(width, height));
    }
    /// Shows an answer of the script in the activity's pane, or on its page, in a window of this size.
    void showInPane(QSize size, const char* script = "story") { showAnswer(size, script, Qt::ControlModifier); }
    void showOnPage(QSize size, const char* script = "story") {
        showAnswer(size, script, Qt::ControlModifier | Qt::ShiftModifier);
    }
    void showAnswer(QSize size, const char* script, Qt::KeyboardModifiers keys) {
        start(script);
        resize(size.width(), size.height());
        talk(QStringLiteral("Hello"));
        press(Qt::Key_I, keys);
        QTRY_COMPARE(inspector().condition(), Inspector::Ready);
    }
    QStringList findings() const {
        QStringList all = textFindings(window());
        constexpr double kWrapped = 0.8; // share of its room that a text has where the last words of lines wrap
        findCutTexts(window()->contentItem(), kWrapped, all);
        return all;
    }
    /// Texts that are cut, although they have fewer letters than this share of those for which there should be room.
    static void findCutTexts(const QQuickItem* item, double share, QStringList& found) {
        if (!item->isVisible()) return;
        const QString text = item->property("text").toString();
        if (isOf(item, "SteadyText") && item->property("truncated").toBool() &&
            static_cast<double>(text.size()) < share * item->property("characters").toInt())
            found.append(text + QStringLiteral(" is cut"));
        for (const QQuickItem* child : item->childItems()) findCutTexts(child, share, found);
    }
    /// Waits until the checker finds nothing.
    void checkTexts(const QString& where) {
        QVERIFY(drawn());
        if (!waitFor([&] { return findings().isEmpty(); }, kSettleMs))
            QFAIL(qPrintable(where + u'\n' + findings().join(u'\n')));
    }
    /// Whether the answer to the latest prompt has ended.
    bool answered() const { return app()->conversation()->messages()->count() > 1 && !app()->conversation()->busy(); }
    void walkPlaces(QQuickItem* item, Places& places) const;
    Places places() const;
    void compare(const Places& before, const char* after) const;
    void openSections();
    void pointAt(const QQuickItem* part, const Places& before, const char* what);
    void read();
    void readCharts();
    void writeNext(const char* prompt);
    void randomStep(QRandomGenerator& random);

    // A text in a wrong place stays there, so a short wait is enough: a longer one only delays the failure.
    static constexpr int kSettleMs = 5000;
    static constexpr int64_t kWritten = 60; ///< steps of an answer that writeNext() allows

    Places before_; ///< those before the latest prompt
};

/// Notes where the parts are. What scrolls in a place of its own may move in it.
void WindowPlacesTest::walkPlaces(QQuickItem* item, Places& places) const {
    if (!item->isVisible()) return;
    if (isOf(item, "Announcement")) return; // nobody sees it
    // Figures end at their right edge.
    const double right = item->inherits("coterie::app::FiguresItem") ? item->width() : 0;
    if (item->width() > 0 && item->height() > 0) places.push_back({item, item->mapToScene(QPointF(right, 0))});
    const bool scrolls = item->inherits("QQuickFlickable") && !isOf(item, "ScrollColumn");
    const bool fixed = isOf(item, "FocusRing") || isOf(item, "ThinScrollBar") || scrolls;
    if (fixed || item->inherits("QQuickControl")) return;
    for (QQuickItem* child : item->childItems()) walkPlaces(child, places);
}

WindowPlacesTest::Places WindowPlacesTest::places() const {
    Places all;
    QQuickItem* view = byType("ActivityView_QMLTYPE");
    if (view) walkPlaces(view, all);
    return all;
}

/// Each part that was there before, and still is, must be where it was.
void WindowPlacesTest::compare(const Places& before, const char* after) const {
    QVERIFY(before.size() > 20);
    QHash<const QQuickItem*, QPointF> now;
    for (const Place& place : places()) now.insert(place.item, place.at);
    QStringList moved;
    for (const Place& part : before) {
        const auto same = part.item ? now.find(part.item) : now.end();
        if (same == now.end() || *same == part.at) continue;
        moved.append(QStringLiteral("%1 \"%2\" from %3, %4 to %5, %6")
                         .arg(QString::fromLatin1(part.item->metaObject()->className()),
                              part.item->property("text").toString().left(30))
                         .arg(part.at.x())
                         .arg(part.at.y())
                         .arg(same->x())
                         .arg(same->y()));
    }
    QVERIFY2(moved.isEmpty(), qPrintable(QString::fromLatin1(after) + QStringLiteral(": ") + moved.join(u'\n')));
}

void WindowPlacesTest::theCheckerFindsWhatIsWrong() {
    QQuickWindow scene;
    scene.resize(400, 300);
    QQmlEngine engine;
    QQmlComponent component(&engine);
    component.setData(
        "import QtQuick\nItem { width: 400; height: 300\n"
        "Text { text: 'below' } Text { text: 'above' }\n"
        "Text { y: 50; text: 'hidden' } Rectangle { y: 50; width: 99; height: 40 } Text { y: 50; text: 'menu' }\n"
        "Text { y: 100; width: 20; text: 'too long a text' }\n"
        "Text { y: 130; width: 20; elide: Text.ElideRight; text: 'with an ellipsis' }\n"
        "Item { y: 160; width: 20; height: 40; clip: true; Text { text: 'cut off by its parent' } }\n"
        "Flickable { y: 200; width: 50; height: 20; contentHeight: 90; clip: true; Text { y: 60; text: 'far' } }\n"
        "Row { y: 230; width: 20; Item { width: 60; height: 9 } }\n"
        "}",
        QUrl());
    const std::unique_ptr<QObject> made(component.create());
    auto* root = qobject_cast<QQuickItem*>(made.get());
    QVERIFY2(root, qPrintable(component.errorString()));
    root->setParentItem(scene.contentItem());
    scene.show();
    QVERIFY(QTest::qWaitForWindowExposed(&scene, kPatienceMs));
    const QString found = textFindings(&scene).join(u'\n');
    for (const char* wrong : {"\"below\".*overlaps.*\"above\"", "\"too long a text\".*is larger than its place",
                              "\"cut off by its parent\".*is cut off", "lies outside QQuickRow"})
        QVERIFY2(found.contains(QRegularExpression(QString::fromLatin1(wrong))), qPrintable(found));
    for (const char* right : {"hidden", "menu", "ellipsis", "far"})
        QVERIFY2(!found.contains(QLatin1String(right)), qPrintable(found));
}

void WindowPlacesTest::n1WhatIsRememberedIsThereAfterAStart_data() {
    QTest::addColumn<int>("width");
    QTest::addColumn<double>("scale");
    for (const int width : {640, 900, 1400})
        for (const double scale : {1.0, 1.6, 2.0})
            QTest::addRow("%d px, text %.0f %%", width, scale * 100) << width << scale;
}

void WindowPlacesTest::n1WhatIsRememberedIsThereAfterAStart() {
    QFETCH(int, width);
    QFETCH(double, scale);
    start("from-disk");
    talk(QStringLiteral("Hello"));
    const qint64 chat = app()->conversation()->chatId();
    fixture_->stop();
    {
        app::Settings settings(QDir(fixture_->dataFolder()).filePath(QStringLiteral("settings.json")));
        settings.activityShown = true;
        settings.activityWidth = 420;
        settings.sidebarShown = true;
        settings.sidebarWidth = 300;
        settings.fontScale = scale;
        settings.theme = QStringLiteral("dark");
        settings.allSettings = true;
        settings.windowGeometry = {QPoint(), QSize(width, 800)};
    }
    QVERIFY(fixture_->start(model_));
    QVERIFY(QTest::qWaitForWindowActive(window(), kPatienceMs));
    QTRY_COMPARE(app()->conversation()->chatId(), chat);
    QTRY_VERIFY(app()->models()->state() != app::ModelController::Opening);
    QCOMPARE(window()->width(), width);
    const bool pane = width >= std::max(900.0, 600 * scale); // Main.qml: room for a chat and the pane beside it
    QTRY_COMPARE(byType("ActivityPane_QMLTYPE") != nullptr, pane);
    if (pane) QTRY_COMPARE(inspector().condition(), Inspector::Ready);
    checkTexts(QStringLiteral("after the start"));
    for (const Pages::Page page : {Pages::Activity, Pages::Models, Pages::Settings, Pages::ChatSettings, Pages::Chat}) {
        if (QTest::currentTestFailed()) return;
        app()->pages()->open(page);
        checkTexts(QStringLiteral("on page %1").arg(page));
    }
    QTRY_COMPARE(byType("ActivityPane_QMLTYPE") != nullptr, pane);
    checkTexts(QStringLiteral("at the end"));
}

void WindowPlacesTest::n16NothingMovesUnderTheReader_data() {
    QTest::addColumn<bool>("page");
    QTest::addColumn<int>("width");
    QTest::newRow("pane") << false << 1400;
    QTest::newRow("narrow pane") << false << 900;
    QTest::newRow("page in two columns") << true << 1400;
    QTest::newRow("page in three columns") << true << 1700;
    QTest::newRow("page in one column") << true << 640;
}

void WindowPlacesTest::openSections() {
    for (const char* section : {"Figures", "Would more memory help?", "How evenly experts are used", "Active neurons"})
        use(section);
    QTRY_VERIFY(named("Share of active neurons in each layer"));
}

/// Moves the pointer over a part, from its left to its right, and compares the places.
void WindowPlacesTest::pointAt(const QQuickItem* part, const Places& before, const char* what) {
    constexpr int kSteps = 8;
    QVERIFY2(part, what);
    for (int step = 0; step <= kSteps; ++step) {
        const QPointF place(4 + step * (part->width() - 8) / kSteps, part->height() / 2);
        QTest::mouseMove(window(), part->mapToScene(place).toPoint());
        QVERIFY(drawn());
        compare(before, what);
        if (QTest::currentTestFailed()) return;
    }
}

/// Uses the parts as a reader does: looks at cells, selects one, points at the charts, replays.
void WindowPlacesTest::read() {
    inspector().timeline()->setSpeed(8);
    QVERIFY(drawn());
    const Places before = places();
    const QQuickItem* map = named("Experts: a row for each layer. The arrow keys move, Enter selects");
    pointAt(map, before, "the pointer over cells");
    inspector().grid()->select(0, 1);
    QVERIFY(drawn());
    compare(before, "a selected expert");
    inspector().grid()->deselect();
    QVERIFY(drawn());
    compare(before, "no expert selected");
    inspector().timeline()->setPosition(inspector().timeline()->first());
    QVERIFY(drawn());
    compare(before, "the first token");
    constexpr int kReplayed = 24; // tokens; the replay takes its time
    inspector().timeline()->setPosition(inspector().timeline()->last() - kReplayed);
    inspector().timeline()->setPlaying(true);
    QTRY_VERIFY(!inspector().timeline()->playing());
    QVERIFY(drawn());
    compare(before, "a replay");
}

/// Points at each chart, where the pane has scrolled to it.
void WindowPlacesTest::readCharts() {
    for (const char* name : {"Share from memory, by the room for experts", "Different experts used, by tokens",
                             "How unevenly each layer uses its experts", "How many experts each layer uses",
                             "Share of active neurons in each layer"}) {
        QQuickItem* chart = named(name);
        QVERIFY2(chart, name);
        chart->forceActiveFocus(Qt::TabFocusReason);
        // The sections that were opened above it move it once more before the pane scrolls to it.
        double end = -1;
        const auto rests = [&] {
            if (!drawn()) return false;
            const double now = chart->mapToScene(QPointF(0, chart->height())).y();
            return std::exchange(end, now) == now && now <= window()->height();
        };
        QVERIFY2(waitFor(rests), name);
        const Places there = places();
        QVERIFY(chart->property("valueText").toString().size() > 0);
        pointAt(chart, there, name);
        if (QTest::currentTestFailed()) return;
    }
}

/// Sends a prompt and compares the places: before the first token of its answer, and while it is written.
void WindowPlacesTest::writeNext(const char* prompt) {
    before_ = places();
    app()->conversation()->send(QString::fromUtf8(prompt));
    QTRY_VERIFY(app()->conversation()->busy() && control_->waits());
    QTRY_VERIFY(inspector().live() && inspector().condition() != Inspector::Ready);
    QVERIFY(drawn());
    compare(before_, "before the first token");
    control_->allow(kWritten);
    QTRY_VERIFY(inspector().condition() == Inspector::Ready && control_->waits());
    QVERIFY(inspector().live());
    QVERIFY(drawn());
    compare(before_, "while it is written");
}

void WindowPlacesTest::n16NothingMovesUnderTheReader() {
    QFETCH(bool, page);
    QFETCH(int, width);
    start("from-disk");
    resize(width, 900);
    app()->conversation()->send(QStringLiteral("Hello"));
    allowAnswer(*test::fakeScript("from-disk"));
    QTRY_VERIFY(answered());
    press(Qt::Key_I, page ? Qt::ControlModifier | Qt::ShiftModifier : Qt::ControlModifier);
    QTRY_COMPARE(inspector().condition(), Inspector::Ready);
    QTRY_VERIFY(!inspector().charts()->balance().empty());
    QTRY_VERIFY(app()->experts()->wholeFromMemory() >= 0); // else its sentence comes while the pane is read
    read();
    if (QTest::currentTestFailed()) return;
    writeNext("Again");
    if (QTest::currentTestFailed()) return;
    allowAnswer(*test::fakeScript("from-disk"), kWritten);
    QTRY_VERIFY(answered());
    QTRY_VERIFY(inspector().condition() == Inspector::Ready && inspector().charts()->measured());
    QVERIFY(drawn());
    compare(before_, "the next answer");
    // Once more with the sections open, whose figures and charts differ when an answer has ended.
    openSections();
    readCharts();
    if (QTest::currentTestFailed()) return;
    writeNext("Once more");
    control_->allowAll();
    QTRY_VERIFY(!app()->conversation()->busy());
}

void WindowPlacesTest::n17TheFirstSentencesDoNotOverlap() {
    showOnPage(QSize(780, 470), "from-disk");
    checkTexts(QStringLiteral("page of 780 px"));
    press(Qt::Key_Escape);
    resize(1400, 470);
    press(Qt::Key_I, Qt::ControlModifier | Qt::ShiftModifier);
    resize(780, 470);
    checkTexts(QStringLiteral("page that became narrow"));
}

/// Large texts leave no room for the pane: the activity is a page then, and the pane again when they get smaller.
void WindowPlacesTest::theActivityFollowsTheTextSize() {
    start();
    resize(1000, 700);
    app()->settings()->fontScale = 2;
    press(Qt::Key_I, Qt::ControlModifier);
    QTRY_COMPARE(app()->pages()->current(), Pages::Activity);
    app()->settings()->fontScale = 1;
    QTRY_COMPARE(app()->pages()->current(), Pages::Chat);
    QTRY_VERIFY(byType("ActivityPane_QMLTYPE"));
}

void WindowPlacesTest::aLongTipHasSeveralLines() {
    showInPane(QSize(1400, 900), "from-disk");
    QTRY_VERIFY(!inspector().charts()->balanceText().isEmpty());
    // Results are short: this one has a text that is longer than its line.
    QQuickItem* const heading = named("How evenly experts are used");
    QVERIFY(heading && heading->parentItem() && heading->parentItem()->parentItem());
    QVERIFY(heading->parentItem()->parentItem()->setProperty("result", inspector().charts()->balanceText()));
    focusOn(QStringLiteral("How evenly experts are used"));
    const auto tip = [this] {
        return findItem(window()->contentItem(),
                        [](QQuickItem* at) { return at->isVisible() && at->inherits("QQuickPopupItem"); });
    };
    QTRY_VERIFY(tip());
    QVERIFY(drawn());
    QVERIFY2(tip()->width() < 400, qPrintable(QDebug::toString(tip())));
    checkTexts(QStringLiteral("with a tip"));
}

/// A text with a place of a fixed height gets more lines when its letters grow.
void WindowPlacesTest::steadyTextsHaveRoomAtEverySize() {
    showInPane(QSize(640, 900));
    for (const ActivityGrid::Mode mode : {ActivityGrid::Now, ActivityGrid::Reply, ActivityGrid::Store}) {
        inspector().grid()->setMode(mode);
        for (const double scale : {1.0, 1.6, 2.0}) {
            app()->settings()->fontScale = scale;
            checkTexts(QStringLiteral("view %1, text %2").arg(mode).arg(scale));
            if (QTest::currentTestFailed()) return;
            QStringList cut;
            findCutTexts(window()->contentItem(), 1, cut);
            QVERIFY2(cut.isEmpty(), qPrintable(cut.join(u'\n')));
        }
    }
}

void WindowPlacesTest::i2TheGridIsDirectlyUnderItsSwitch() {
    showInPane(QSize(1400, 900), "from-disk");
    QVERIFY(drawn());
    const QQuickItem* map = named("Experts: a row for each layer. The arrow keys move, Enter selects");
    const QQuickItem* bar = byType("ChoiceBar_QMLTYPE");
    const QQuickItem* time = byType("Timeline_QMLTYPE");
    QVERIFY(map && bar && time);
    const auto top = [](const QQuickItem* part) { return part->mapToScene(QPointF()).y(); };
    const double switchEnds = top(bar) + bar->height();
    QVERIFY(top(map) >= switchEnds && top(map) < switchEnds + 20);
    QVERIFY(top(time) > top(map) + map->height());
    QVERIFY(top(time) < window()->height());
    // At most one sentence is above.
    int sentences = 0;
    const QQuickItem* view = byType("ExpertsView_QMLTYPE");
    for (const QQuickItem* child : view->childItems())
        if (child->isVisible() && child->inherits("QQuickText") && top(child) < top(map)) ++sentences;
    QCOMPARE(sentences, 1);
}

/// The text is at the left of the grid, follows the position, and its words show their routes.
void WindowPlacesTest::i10AWidePageHasTheAnswersText() {
    showOnPage(QSize(1400, 900));
    QTRY_VERIFY(byType("AnswerText_QMLTYPE"));
    QVERIFY(drawn());
    QQuickItem* place = byType("AnswerText_QMLTYPE");
    QQuickItem* found = findItem(place, [](QQuickItem* at) { return qobject_cast<app::MessageText*>(at) != nullptr; });
    const auto* text = qobject_cast<app::MessageText*>(found);
    QVERIFY(text);
    QCOMPARE(text->document(), app()->conversation()->messages()->document(inspector().messageId()));
    const QQuickItem* map = named("Experts: a row for each layer. The arrow keys move, Enter selects");
    QVERIFY(map);
    QVERIFY(place->mapToScene({place->width(), 0}).x() < map->mapToScene({}).x());
    QVERIFY(named("Figures")->mapToScene({}).y() >= place->mapToScene({0, place->height()}).y());
    // A word of the answer shows its route, and its place stays in view.
    const int tokens = static_cast<int>(text->document()->tokens().size());
    int word = tokens - 1;
    while (word > 0 && text->rectanglesOf(word).isEmpty()) --word;
    inspector().timeline()->setPosition(inspector().timeline()->answerBegins() + word);
    const auto inView = [&] {
        const QRectF at = text->mapRectToScene(text->rectanglesOf(word).first());
        return place->mapRectToScene(QRectF(0, 0, place->width(), place->height())).contains(at.center());
    };
    QTRY_VERIFY(inView());
    inspector().grid()->setMode(ActivityGrid::Reply);
    QTest::mouseClick(window(), Qt::LeftButton, {},
                      text->mapToScene(text->rectanglesOf(word).first().center()).toPoint());
    QTRY_COMPARE(inspector().grid()->mode(), ActivityGrid::Now);
    QCOMPARE(inspector().timeline()->position(), inspector().timeline()->answerBegins() + word);
    resize(700, 900); // one column: the grid alone
    QTRY_VERIFY(!byType("AnswerText_QMLTYPE"));
}

void WindowPlacesTest::i19SegmentsAreEqual() {
    showInPane(QSize(1400, 900));
    QVERIFY(drawn());
    const auto segments = [this] {
        std::vector<const QQuickItem*> found;
        for (const char* view : {"Now", "Answer", "Chat", "Places"})
            found.push_back(namedItem(window(), QString::fromUtf8(view), QAccessible::RadioButton));
        return found;
    };
    QSet<double> widths;
    for (const QQuickItem* segment : segments()) {
        QVERIFY(segment);
        widths.insert(segment->width());
    }
    QCOMPARE(widths.size(), 1);
    QVERIFY(*widths.begin() > 0);
    // Without room for that, large texts are not cut as long as all of them fit.
    app()->settings()->fontScale = 1.6;
    QVERIFY(drawn() && drawn());
    for (const QQuickItem* segment : segments())
        QVERIFY2(segment->width() >= std::floor(segment->implicitWidth()), qPrintable(QDebug::toString(segment)));
}

/// At the first visit it has the shape of a button and a line of its own; later it is a quiet one beside the heading.
void WindowPlacesTest::i19TheFirstLookIsOfferedByAButton() {
    showInPane(QSize(1400, 900));
    const auto offer = [this] { return namedItem(window(), QStringLiteral("Take a first look"), QAccessible::Button); };
    const auto besideTheHeading = [&] {
        const QQuickItem* heading = byType("PartHeading_QMLTYPE");
        return offer()->mapToScene({}).y() < heading->mapToScene({0, heading->height()}).y();
    };
    QTRY_VERIFY(offer());
    QVERIFY(drawn());
    QCOMPARE(offer()->property("kind").toString(), QStringLiteral("plain"));
    QVERIFY(!besideTheHeading());
    use("Take a first look");
    use("End");
    QTRY_VERIFY(offer());
    QVERIFY(drawn());
    QCOMPARE(offer()->property("kind").toString(), QStringLiteral("quiet"));
    QVERIFY(besideTheHeading());
    QVERIFY(app()->settings()->firstLookTaken());
}

/// The strip is a part of the answer, and says which.
void WindowPlacesTest::n18TheStripSaysWhatItShows() {
    showInPane(QSize(1400, 900));
    const int all = inspector().timeline()->last() - inspector().timeline()->answerBegins() + 1;
    inspector().tokens()->setStripLength(10);
    inspector().timeline()->setPosition(inspector().timeline()->answerBegins());
    QTRY_VERIFY(inspector().tokens()->strip().tokens.size() == 10 && inspector().tokens()->strip().from == 0);
    QVERIFY(inspector().tokens()->strip().all >= all - 1 && inspector().tokens()->strip().all > 10);
    QVERIFY(inspector().tokens()->strip().tokens.front().thought); // this model thinks first
    QTRY_VERIFY(shows("Tokens 1 to 10 of "));
    QVERIFY(shows("thoughts are underlined"));
    inspector().timeline()->setPosition(inspector().timeline()->last());
    QTRY_VERIFY(!inspector().tokens()->strip().tokens.back().thought && inspector().tokens()->strip().from > 0);
    QTRY_VERIFY(!shows("Tokens 1 to 10 of "));
    // If the tokens need more lines than the strip has room for, the current one is in view.
    QQuickItem* const strip = named("Tokens of the answer");
    QVERIFY(strip && strip->parentItem());
    QQuickItem* const view = strip->parentItem()->parentItem();
    inspector().tokens()->setStripLength(60);
    const auto place = [&] { return strip->mapRectToItem(view, strip->property("currentCell").toRectF()); };
    QTRY_VERIFY(place().height() > 0 && strip->height() > 3 * place().height()); // the item has the 60 tokens
    view->setHeight(1.5 * place().height());
    for (const int at :
         {inspector().timeline()->last(), inspector().timeline()->last() - 30, inspector().timeline()->last()}) {
        inspector().timeline()->setPosition(at);
        QTRY_VERIFY(place().top() >= 0 && place().bottom() <= view->height() && place().height() > 0);
    }
}

void WindowPlacesTest::i11SectionsSayTheirResult() {
    showInPane(QSize(1400, 900), "from-disk");
    QTRY_VERIFY(!inspector().charts()->balance().empty());
    const auto result = [this](const char* heading) {
        QAccessibleInterface* node = QAccessible::queryAccessibleInterface(named(heading));
        return node ? node->text(QAccessible::Description) : QString();
    };
    QVERIFY(!named("What is this? From memory"));
    QTRY_VERIFY(result("Figures").contains(QStringLiteral("From memory")));
    QTRY_COMPARE(result("How evenly experts are used"), inspector().charts()->balanceResult());
    QTRY_VERIFY(!result("Would more memory help?").isEmpty());
    QAccessibleInterface* heading = QAccessible::queryAccessibleInterface(named("Figures"));
    QVERIFY(heading);
    QCOMPARE(heading->role(), QAccessible::Button);
    QVERIFY(heading->state().checkable && !heading->state().checked);
    use("Figures");
    QTRY_VERIFY(named("What is this? From memory"));
    QVERIFY(heading->state().checked);
    press(Qt::Key_I, Qt::ControlModifier | Qt::ShiftModifier); // the page has the same sections open
    QTRY_COMPARE(app()->pages()->current(), Pages::Activity);
    QTRY_VERIFY(named("What is this? From memory"));
    use("Figures");
    QTRY_VERIFY(!named("What is this? From memory"));
    press(Qt::Key_Space);
    QTRY_VERIFY(named("What is this? From memory"));
}

/// However narrow the line below an answer is, it does not end within "tok/s".
void WindowPlacesTest::b5UnitsStayInOneLine() {
    start();
    QVERIFY(app()->settings()->setProperty("fontScale", 2.0));
    window()->resize(640, 700); // the figures have no room in one line
    talk(QStringLiteral("Hello"));
    const QQuickItem* line = nullptr;
    QTRY_VERIFY((line = findItem(window()->contentItem(), [](QQuickItem* at) {
                     return at->isVisible() && isOf(at, "SmallText") && at->property("lineCount").toInt() > 1 &&
                            at->property("text").toString().contains("tok/");
                 })));
    const QString text = line->property("text").toString();
    QTextLayout layout(text, line->property("font").value<QFont>());
    layout.setTextOption(QTextOption(Qt::AlignLeft));
    const qreal word = QFontMetricsF(layout.font()).horizontalAdvance(QStringLiteral("tok/s"));
    int broken = 0;
    for (qreal width = std::ceil(word); width < 40 * word; ++width) {
        layout.beginLayout();
        for (QTextLine next = layout.createLine(); next.isValid(); next = layout.createLine()) {
            next.setLineWidth(width);
            const QString shown = text.mid(next.textStart(), next.textLength());
            QVERIFY2(!shown.contains("tok/") || shown.contains(QRegularExpression(QStringLiteral("tok/.?s"))),
                     qPrintable(shown));
        }
        layout.endLayout();
        broken += layout.lineCount() > 1 ? 1 : 0;
    }
    QVERIFY(broken > 20);
}

void WindowPlacesTest::b5TheLegendOfDifferencesStaysInOneLine_data() {
    QTest::addColumn<double>("scale");
    for (const double scale : {1.0, 1.6, 2.0}) QTest::addRow("text %.0f %%", scale * 100) << scale;
}

/// The narrowest pane has room for both ends of the scale and some of its colours.
void WindowPlacesTest::b5TheLegendOfDifferencesStaysInOneLine() {
    QFETCH(double, scale);
    showInPane({1400, 900});
    app()->settings()->fontScale = scale;
    app()->settings()->activityWidth = 1; // as narrow as it can be
    inspector().grid()->setMode(ActivityGrid::Reply);
    inspector().comparison()->setAgainst(AnswerComparison::Prompt);
    QTRY_COMPARE(inspector().grid()->cells()->kind(), app::ExpertGrid::Difference);
    const QQuickItem* legend = nullptr;
    QTRY_VERIFY((legend = byType("GridLegend_QMLTYPE")));
    QVERIFY(drawn());
    const QQuickItem* flow = legend->childItems().front();
    QVERIFY(flow->inherits("QQuickFlow"));
    int shown = 0;
    for (const QQuickItem* child : flow->childItems()) {
        if (!child->isVisible() || child->width() == 0) continue;
        ++shown;
        QVERIFY2(child->y() == 0, qPrintable(child->property("text").toString()));
        QVERIFY(child->x() + child->width() <= flow->width());
    }
    QCOMPARE(shown, 3);
    checkTexts(QStringLiteral("in the narrowest pane"));
}

/// A corner marks what was read late: the legend speaks of it where a cell has one.
void WindowPlacesTest::theLegendNamesCornersThatAreThere() {
    for (const char* script : {"story", "from-disk"}) {
        showInPane({1400, 900}, script);
        inspector().grid()->setMode(ActivityGrid::Now);
        int with = 0;
        for (int at = inspector().timeline()->first(); at <= inspector().timeline()->last(); ++at) {
            inspector().timeline()->setPosition(at);
            const auto& waited = inspector().grid()->cells()->content().waited;
            const bool marked = std::find(waited.begin(), waited.end(), 1) != waited.end();
            const QQuickItem* legend = byType("GridLegend_QMLTYPE");
            QVERIFY(legend);
            QTRY_COMPARE(legend->property("note").toString().contains(QStringLiteral("Corner")), marked);
            with += marked ? 1 : 0;
        }
        QCOMPARE(with > 0, script == QByteArray("from-disk"));
    }
}

/// The context's gauge fills a line of its own, and gives it up again when the page gets narrower by a little.
void WindowPlacesTest::d5TheLastLineShrinksWithThePage() {
    start("from-disk");
    app()->settings()->fontScale = 2;
    press(Qt::Key_I, Qt::ControlModifier);
    talk(QStringLiteral("Hello"));
    for (int width = 1100; width >= 900; width -= 20) {
        resize(width, 800);
        checkTexts(QStringLiteral("%1 px").arg(width));
        if (QTest::currentTestFailed()) return;
    }
}

void WindowPlacesTest::randomStep(QRandomGenerator& random) {
    const auto useIfShown = [this](const QString& name) {
        const QQuickItem* part = item(name);
        if (!part || !part->isEnabled()) return;
        focusOn(name);
        press(Qt::Key_Return);
    };
    switch (random.bounded(10)) {
    case 0:
    case 1:
        press(Qt::Key_I, Qt::ControlModifier);
        break;
    case 2:
        press(Qt::Key_I, Qt::ControlModifier | Qt::ShiftModifier);
        break;
    case 3:
        app()->settings()->fontScale = app()->settings()->fontScale() < 2 ? 2 : 1;
        break;
    case 4:
        fixture_->stop();
        QVERIFY(fixture_->start(model_));
        QVERIFY(QTest::qWaitForWindowActive(window(), kPatienceMs));
        QTRY_VERIFY(app()->models()->state() != app::ModelController::Opening);
        break;
    case 5: {
        const QStringList sections{QStringLiteral("Figures"), QStringLiteral("Would more memory help?"),
                                   QStringLiteral("How evenly experts are used"), QStringLiteral("Active neurons")};
        useIfShown(sections[random.bounded(sections.size())]);
        break;
    }
    case 6:
        useIfShown(item(QStringLiteral("Next")) ? QStringLiteral("Next") : QStringLiteral("Take a first look"));
        break;
    case 7: {
        const ActivityGrid::Mode modes[] = {ActivityGrid::Now, ActivityGrid::Reply, ActivityGrid::Chat,
                                            ActivityGrid::Store};
        inspector().grid()->setMode(modes[random.bounded(4)]);
        app()->settings()->theme = random.bounded(2) == 0 ? QStringLiteral("dark") : QStringLiteral("light");
        break;
    }
    default:
        resize(640 + static_cast<int>(random.bounded(961)), 440 + static_cast<int>(random.bounded(561)));
    }
}

/// The list of chats leaves its place in the same moment in which the page gets another width.
void WindowPlacesTest::settingsFollowAJumpOfTheWidth() {
    start("story");
    app()->settings()->allSettings = true;
    app()->pages()->open(Pages::Settings);
    for (const int width : {1180, 640, 1400, 700, 920, 640, 1180, 880, 1000}) {
        window()->resize(width, 800);
        QTRY_COMPARE(window()->width(), width);
        checkTexts(QStringLiteral("at %1 px").arg(width));
        if (QTest::currentTestFailed()) return;
    }
}

void WindowPlacesTest::f32ALineIsInTheMiddleOfItsField() {
    start();
    press(Qt::Key_L, Qt::ControlModifier);
    for (const double scale : {0.8, 1.0, 2.0}) {
        app()->settings()->fontScale = scale;
        QTRY_VERIFY(drawn());
        const QQuickItem* field = namedItem(window(), QStringLiteral("Message"), QAccessible::EditableText);
        QVERIFY(field);
        const QRectF cursor = field->property("cursorRectangle").toRectF();
        const double words = field->mapToScene(cursor.center()).y();
        const QQuickItem* button = findItem(window()->contentItem(), [](QQuickItem* at) {
            return at->isVisible() && at->property("iconName").toString() == QStringLiteral("clip");
        });
        QVERIFY(button);
        QVERIFY2(std::abs(words - button->mapToScene(QRectF(0, 0, 0, button->height()).center()).y()) <= 2,
                 qPrintable(QStringLiteral("%1 at %2").arg(words).arg(scale)));
    }
}

/// A program that is killed writes nothing any more.
void WindowPlacesTest::f37TheWindowsPlaceIsKeptWhileItIsOpen() {
    start();
    window()->resize(1010, 707);
    QTRY_COMPARE(app()->settings()->windowGeometry().size(), QSize(1010, 707));
    const QString file = QDir(fixture_->dataFolder()).filePath(QStringLiteral("settings.json"));
    const auto written = [&file] {
        QFile at(file);
        return at.open(QIODevice::ReadOnly) && at.readAll().contains("707");
    };
    QTRY_VERIFY(written());
}

/// The pane opened, closed, restarted and resized in any order. The long form is also run at two pixels for one.
void WindowPlacesTest::d6RandomPanes_data() {
    QTest::addColumn<QByteArray>("script");
    for (const char* script : {"from-disk", "dense-from-disk"}) QTest::newRow(script) << QByteArray(script);
}

void WindowPlacesTest::d6RandomPanes() {
    QFETCH(const QByteArray, script);
    constexpr int kSteps = 5;
    const int orders = test::sequences(test::longTests() ? 250 : 2);
    start(script.constData());
    talk(QStringLiteral("Hello"));
    for (int order = 0; order < orders; ++order) {
        QRandomGenerator random(static_cast<quint32>(order));
        for (int step = 0; step < kSteps; ++step) {
            randomStep(random);
            if (QTest::currentTestFailed()) return;
            checkTexts(QStringLiteral("order %1, step %2, %3 px, text %4")
                           .arg(order)
                           .arg(step)
                           .arg(window()->width())
                           .arg(app()->settings()->fontScale()));
            if (QTest::currentTestFailed()) return;
        }
    }
}

int main(int argc, char** argv) { return runWindowTest<WindowPlacesTest>(argc, argv); }
#include "tst_window_places.moc"
