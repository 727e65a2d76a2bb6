// SPDX-License-Identifier: Apache-2.0
// The grids of experts in the window: how often they are drawn while an answer is written and looked through, two runs
// beside each other, and what is said of neurons if none of them rests.
#include "experts/expert_store.h"
#include "inspector/expert_map_item.h"
#include "inspector/inspector.h"
#include "look/colour_maps.h"
#include "settings/settings.h"
#include "window_driver.h"

#include <QElapsedTimer>

#include <algorithm>
#include <cmath>

using namespace coterie;
using namespace coterie::tests;
using app::ActivityGrid;
using app::AnswerComparison;
using app::ExpertGrid;
using app::ExpertMapItem;
using app::Inspector;
using app::Pages;

class WindowGridsTest : public WindowDriver {
    Q_OBJECT
  private Q_SLOTS:
    void anAnswerIsDrawnAtMost15TimesASecond_data();
    void anAnswerIsDrawnAtMost15TimesASecond();
    void aScrubIsDrawnAtMost30TimesASecond();
    void twoAnswersAreBesideEachOther_data();
    void twoAnswersAreBesideEachOther();
    void s58TheLineOfACellHasItsFigures_data();
    void s58TheLineOfACellHasItsFigures();
    void bothRunsAreReadByKeys();
    void nothingMovesWhenTheNextAnswerBegins();
    void nothingIsLeftAboveTheFirstLook();
    void neuronsThatNeverRestAreNamed_data();
    void neuronsThatNeverRestAreNamed();
    void theLegendNamesTheMemoryOfAGpu();

  private:
    Inspector& inspector() const { return *app()->inspector(); }
    /// The grid with this name, if it is in view.
    ExpertMapItem* map(const char* named) const {
        return qobject_cast<ExpertMapItem*>(item(QString::fromLatin1(named)));
    }
    ExpertMapItem* map() const { return map("Experts: a row for each layer. The arrow keys move, Enter selects"); }
    ExpertMapItem* ofAnswer() const { return map("Experts of one run: This answer"); }
    ExpertMapItem* ofOther() const { return map("Experts of one run: The answer before it"); }
    /// Has an answer of "numbered" written; the next one waits for its first step.
    void writeOne(const QString& prompt) {
        QVERIFY(app()->conversation()->send(prompt));
        QTRY_VERIFY(app()->conversation()->busy());
        allowAnswer(*test::fakeScript("numbered"));
        QTRY_VERIFY(!app()->conversation()->busy());
    }
    /// Two answers with routes of their own, of which the second is compared with the first.
    void compare() {
        start("numbered");
        app()->settings()->activityShown = true;
        writeOne(QStringLiteral("Hello"));
        writeOne(QStringLiteral("Again"));
        QTRY_VERIFY(inspector().condition() == Inspector::Ready && !inspector().live());
        inspector().grid()->setMode(ActivityGrid::Reply);
        inspector().comparison()->setAgainst(AnswerComparison::Previous);
        QTRY_VERIFY(ofAnswer() && ofOther());
    }
};

void WindowGridsTest::anAnswerIsDrawnAtMost15TimesASecond_data() {
    QTest::addColumn<ActivityGrid::Mode>("mode");
    QTest::newRow("now") << ActivityGrid::Now;
    QTest::newRow("answer") << ActivityGrid::Reply;
    QTest::newRow("places") << ActivityGrid::Store;
}

/// The text changes 30 times a second, the grid with each second change, and cells that go dark add no picture. A slow
/// machine draws fewer pictures in this time, never more.
void WindowGridsTest::anAnswerIsDrawnAtMost15TimesASecond() {
    QFETCH(ActivityGrid::Mode, mode);
    test::FakeScript script = *test::fakeScript("story");
    script.endless = true;
    startWith(script);
    app()->settings()->activityShown = true;
    QVERIFY(app()->conversation()->send(QStringLiteral("Hello")));
    control_->allow(script.promptTokens + 3);
    QTRY_VERIFY(inspector().condition() == Inspector::Ready && inspector().live() && map());
    inspector().grid()->setMode(mode);
    QVERIFY(map()->flashMs() > 0);
    const auto tokens = [this] { return inspector().shown().record()->tokens().size(); };
    const auto written = [this] {
        const auto* record = app()->answers()->record(inspector().messageId());
        return record ? record->tokens.size() : 0;
    };
    const size_t begun = tokens();
    const int before = map()->pictures();
    size_t allowed = written();
    QElapsedTimer passed;
    passed.start();
    while (map()->pictures() < before + 24) {
        QVERIFY2(passed.elapsed() < kPatienceMs, "nothing is drawn");
        if (written() >= allowed) { // the text has the last one
            control_->allow(1);
            allowed = written() + 1;
        }
        QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents);
    }
    const qint64 ms = passed.elapsed();
    const int pictures = map()->pictures() - before;
    QVERIFY2(pictures <= ms / 60 + 2, qPrintable(QStringLiteral("%1 pictures in %2 ms").arg(pictures).arg(ms)));
    QVERIFY(tokens() > begun + 8); // it did grow meanwhile
    app()->conversation()->stop();
    control_->allowAll();
    QTRY_VERIFY(!app()->conversation()->busy());
}

void WindowGridsTest::aScrubIsDrawnAtMost30TimesASecond() {
    start();
    app()->settings()->activityShown = true;
    talk(QStringLiteral("Hello"));
    QTRY_VERIFY(inspector().condition() == Inspector::Ready && map());
    inspector().grid()->setMode(ActivityGrid::Now);
    QVERIFY(drawn());
    const int before = map()->pictures();
    QElapsedTimer passed;
    passed.start();
    int moves = 0;
    while (map()->pictures() < before + 20) {
        QVERIFY2(passed.elapsed() < kPatienceMs, "nothing is drawn");
        const int positions = inspector().timeline()->last() - inspector().timeline()->first() + 1;
        inspector().timeline()->setPosition(inspector().timeline()->first() + moves++ % positions);
        QCoreApplication::processEvents();
    }
    const qint64 ms = passed.elapsed();
    const int pictures = map()->pictures() - before;
    QVERIFY2(pictures <= ms / 33 + 2, qPrintable(QStringLiteral("%1 pictures in %2 ms").arg(pictures).arg(ms)));
    QVERIFY(moves > pictures);
}

void WindowGridsTest::twoAnswersAreBesideEachOther_data() {
    QTest::addColumn<bool>("page");
    QTest::newRow("pane") << false;
    QTest::newRow("page") << true;
}

/// Each is the count of its own answer, both have the same scale, and their difference is above them.
void WindowGridsTest::twoAnswersAreBesideEachOther() {
    QFETCH(bool, page);
    compare();
    if (page) {
        press(Qt::Key_I, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_COMPARE(app()->pages()->current(), Pages::Activity);
        QTRY_VERIFY(ofAnswer() && ofOther() && map());
    }
    QVERIFY(drawn());
    const test::FakeScript script = *test::fakeScript("numbered");
    const auto place = [](const QQuickItem* of) { return of->mapRectToScene(of->boundingRect()); };
    QCOMPARE(map()->grid()->kind(), ExpertGrid::Difference);
    QTRY_VERIFY(place(ofAnswer()).right() < place(ofOther()).left());
    QCOMPARE(place(ofAnswer()).top(), place(ofOther()).top());
    QVERIFY(place(map()).bottom() < place(ofAnswer()).top());
    QVERIFY(place(ofOther()).right() <= window()->width());
    int differ = 0;
    for (int layer = 0; layer < script.layers; ++layer) {
        for (int expert = 0; expert < script.experts; ++expert) {
            const auto uses = [&](int64_t answer) {
                int count = 0;
                for (int i = 0; i < inspector().timeline()->last() - inspector().timeline()->answerBegins() + 1; ++i)
                    for (const engine::ExpertUse& use :
                         test::fakeRoute(script, script.promptTokens + i, layer, answer).uses)
                        count += use.expert == expert ? 1 : 0;
                return count;
            };
            QCOMPARE(ofAnswer()->grid()->value(layer, expert), double(uses(2)));
            QCOMPARE(ofOther()->grid()->value(layer, expert), double(uses(1)));
            differ += uses(1) != uses(2) ? 1 : 0;
        }
    }
    QVERIFY(differ > 20);
    // The pixels: a cell of either grid has the colour of its share of the tokens.
    const double most = std::max(ofAnswer()->grid()->most(), ofOther()->grid()->most());
    for (ExpertMapItem* one : {ofAnswer(), ofOther()}) {
        QCOMPARE(one->grid()->most(), most); // both answers have as many tokens
        const QImage picture = one->picture();
        const qreal scale = picture.devicePixelRatio();
        for (int expert = 0; expert < script.experts; ++expert) {
            const double value = one->grid()->value(3, expert);
            const QRectF cell = one->places().cell(3, expert);
            const QPointF corner = (cell.topLeft() + QPointF(0.5, 0.5)) * scale; // no figure stands there
            if (cell.width() < 3) continue;
            QCOMPARE(picture.pixel(corner.toPoint()),
                     app::mappedColour(app::ColourMap::Heat, value > 0 ? 0.14 + 0.86 * value / most : 0.06,
                                       one->property("dark").toBool()));
        }
    }
    QVERIFY(shows("The strongest colour: "));
    inspector().comparison()->setAgainst(AnswerComparison::None);
    QTRY_VERIFY(!ofAnswer() && !ofOther());
    QVERIFY(map());
}

void WindowGridsTest::s58TheLineOfACellHasItsFigures_data() {
    QTest::addColumn<double>("scale");
    QTest::addColumn<int>("width"); // the window has room for the pane
    QTest::newRow("usual text") << 1.0 << 1180;
    QTest::newRow("large text") << 1.6 << 1180;
    QTest::newRow("largest text") << 2.0 << 1600;
}

/// "Layer 3 (attention to the latest tokens), expert 2: 4 of 96 to...": the words in brackets go if they have no room.
void WindowGridsTest::s58TheLineOfACellHasItsFigures() {
    QFETCH(double, scale);
    QFETCH(int, width);
    start();
    window()->resize(width, 780);
    talk(QStringLiteral("Hello"));
    app()->settings()->activityShown = true;
    QTRY_COMPARE(inspector().condition(), Inspector::Ready);
    app()->settings()->fontScale = scale;
    inspector().grid()->setMode(ActivityGrid::Reply);
    ExpertGrid& cells = *inspector().grid()->cells();
    using engine::LayerMixer;
    std::vector<engine::LayerInfo> layers(static_cast<size_t>(cells.layers()), {LayerMixer::WindowedAttention});
    layers.back().mixer = LayerMixer::Attention;
    cells.setLayers(layers);
    QTRY_VERIFY(map());
    map()->forceActiveFocus(Qt::TabFocusReason);
    press(Qt::Key_Right);
    const QString figures = cells.valueText(0, map()->property("cursorExpert").toInt()) + QStringLiteral(" of ");
    QVERIFY(
        map()->property("cellText").toString().contains(QStringLiteral("(attention to the latest tokens), expert")));
    const auto line = [&] {
        return findItem(window()->contentItem(), [&](const QQuickItem* at) {
            return at->isVisible() && at->opacity() > 0 &&
                   QByteArray(at->metaObject()->className()).startsWith("SteadyText") &&
                   at->property("text").toString().contains(QStringLiteral("expert")) &&
                   at->property("text").toString().contains(figures);
        });
    };
    QTRY_VERIFY(line());
    QVERIFY(drawn());
    QVERIFY2(!line()->property("truncated").toBool(), qPrintable(line()->property("text").toString()));
    QVERIFY(line()->property("text").toString().startsWith(QStringLiteral("Layer 0")));
}

void WindowGridsTest::bothRunsAreReadByKeys() {
    compare();
    const int layer = 2;
    int expert = 0; // one that the answer used
    while (ofAnswer()->grid()->value(layer, expert) == 0) ++expert;
    map()->forceActiveFocus(Qt::TabFocusReason);
    QSet<const QQuickItem*> reached;
    for (int tabs = 0; tabs < 30 && reached.size() < 2; ++tabs) {
        press(Qt::Key_Tab);
        for (const QQuickItem* one : {ofAnswer(), ofOther()})
            if (window()->activeFocusItem() == one) reached.insert(one);
    }
    QCOMPARE(reached.size(), 2);
    ofAnswer()->forceActiveFocus(Qt::TabFocusReason);
    press(Qt::Key_Home, Qt::ControlModifier);
    for (int down = 0; down < layer; ++down) press(Qt::Key_Down);
    for (int right = 0; right < expert; ++right) press(Qt::Key_Right);
    const QString said = ofAnswer()->grid()->cellText(layer, expert);
    QTRY_VERIFY2(shows(("This answer: " + said).toUtf8().constData()), qPrintable(said));
    press(Qt::Key_Return); // the expert is selected in all three grids
    QTRY_COMPARE(map()->property("selectedExpert").toInt(), expert);
    QCOMPARE(map()->property("selectedLayer").toInt(), layer);
    for (const ExpertMapItem* one : {ofAnswer(), ofOther()}) {
        QCOMPARE(one->property("selectedLayer").toInt(), layer);
        QCOMPARE(one->property("selectedExpert").toInt(), expert);
    }
    press(Qt::Key_Return);
    QTRY_COMPARE(map()->property("selectedLayer").toInt(), -1);
}

/// The comparison goes on with the next answer. Its parts keep their places until the answer has a token.
void WindowGridsTest::nothingMovesWhenTheNextAnswerBegins() {
    compare();
    QVERIFY(drawn());
    const auto edges = [this] {
        QList<qreal> lowerEdges;
        for (const ExpertMapItem* one : {map(), ofAnswer(), ofOther()})
            lowerEdges.append(one ? one->mapToScene(QPointF(0, one->height())).y() : -1);
        return lowerEdges;
    };
    const QList<qreal> before = edges();
    QVERIFY(!before.contains(-1));
    QVERIFY(app()->conversation()->send(QStringLiteral("Once more")));
    QTRY_VERIFY(inspector().live() && control_->waits());
    for (int step = 0; app()->conversation()->busy(); ++step) {
        QVERIFY(drawn());
        QCOMPARE(edges(), before);
        QCOMPARE(inspector().grid()->answerCells()->layers() > 0, inspector().shown().hasPositions());
        QTRY_VERIFY(control_->waits() || !app()->conversation()->busy());
        if (control_->waits()) control_->allow(1);
    }
    QVERIFY(drawn());
    QCOMPARE(edges(), before);
    QCOMPARE(inspector().comparison()->against(), AnswerComparison::Previous);
}

/// The card is at the top. The heading above it is out of view, also the lower ends of its letters.
void WindowGridsTest::nothingIsLeftAboveTheFirstLook() {
    start();
    app()->settings()->activityShown = true;
    talk(QStringLiteral("Hello"));
    QTRY_VERIFY(inspector().condition() == Inspector::Ready && map());
    window()->resize(1180, 640);
    use("Take a first look");
    QQuickItem* heading = nullptr;
    QTRY_VERIFY((heading = namedItem(window(), QStringLiteral("This answer, by Scripted"), QAccessible::Heading)));
    const QQuickItem* list = heading->parentItem();
    while (list && !QByteArray(list->metaObject()->className()).startsWith("ScrollColumn")) list = list->parentItem();
    QVERIFY(list);
    const auto bottom = [&] { return heading->mapToItem(list, QPointF(0, heading->height())).y(); };
    QTRY_VERIFY2(bottom() <= 0, qPrintable(QString::number(bottom())));
}

void WindowGridsTest::neuronsThatNeverRestAreNamed_data() {
    QTest::addColumn<bool>("rest");
    QTest::newRow("ReLU") << true;
    QTest::newRow("no ReLU") << false;
}

void WindowGridsTest::neuronsThatNeverRestAreNamed() {
    QFETCH(bool, rest);
    test::FakeScript script = *test::fakeScript("story");
    if (!rest) script.neurons = 0; // traces of such models count none
    startWith(script);
    app()->settings()->activityShown = true;
    talk(QStringLiteral("Hello"));
    QTRY_VERIFY(inspector().charts()->measured());
    use("Active neurons");
    const char* const said = "No neurons of this model rest: all of them work for every token";
    if (rest) {
        QTRY_VERIFY(item(QStringLiteral("Share of active neurons in each layer")));
        QVERIFY(!shows(said));
    } else {
        QTRY_VERIFY(shows(said));
        QVERIFY(!item(QStringLiteral("Share of active neurons in each layer")));
    }
}

/// It has a colour of its own. Most machines have no expert there, and no use for its name.
void WindowGridsTest::theLegendNamesTheMemoryOfAGpu() {
    start();
    app()->settings()->activityShown = true;
    talk(QStringLiteral("Hello"));
    QTRY_VERIFY(inspector().condition() == Inspector::Ready && map());
    const auto names = [this] {
        QStringList shown;
        for (const char* place : {"on disk", "arriving", "in memory", "in the GPU's memory"})
            if (findItem(window()->contentItem(), [place](const QQuickItem* at) {
                    return at->isVisible() && at->inherits("QQuickText") &&
                           at->property("text").toString() == QLatin1String(place);
                }))
                shown.append(QLatin1String(place));
        return shown;
    };
    QVERIFY(names().isEmpty());
    inspector().grid()->setMode(ActivityGrid::Store);
    QTRY_COMPARE(names(), QStringList({"on disk", "arriving", "in memory"}));
    QVERIFY(item(QStringLiteral("Colours: on disk, arriving, in memory")));
    const ExpertGrid& cells = *inspector().grid()->cells();
    std::vector<engine::ExpertState> states(cells.content().places.size(), engine::ExpertState::InMemory);
    std::fill_n(states.begin(), cells.experts(), engine::ExpertState::OnDevice);
    control_->setExpertStates(states);
    QTRY_COMPARE(names().size(), 4);
    QVERIFY(item(QStringLiteral("Colours: on disk, arriving, in memory, in the GPU's memory")));
    inspector().grid()->setMode(ActivityGrid::Reply);
    QTRY_VERIFY(names().isEmpty());
}

int main(int argc, char** argv) { return runWindowTest<WindowGridsTest>(argc, argv); }
#include "tst_window_grids.moc"
