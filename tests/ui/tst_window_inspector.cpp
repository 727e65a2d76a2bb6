// SPDX-License-Identifier: Apache-2.0
// The inspector in the window, by keys and pointer: the grid, the timeline, the link with the text, and the first look.
#include "inspector/inspector.h"
#include "inspector/random_user.h"
#include "settings/settings.h"
#include "support/effort.h"
#include "text/message_text.h"
#include "window_driver.h"

#include <QJSValue>
#include <QQmlComponent>

using namespace coterie;
using namespace coterie::tests;
using app::ActivityGrid;
using app::AnswerComparison;
using app::Inspector;
using app::Pages;
using app::TokenMeasure;

class WindowInspectorTest : public WindowDriver {
    Q_OBJECT
  private Q_SLOTS:
    void nothingYetIsSaid();
    void theGridIsReadByKeys();
    void modesAreChosenByKeys();
    void theTimelineMovesAndPlays();
    void n6TheWordAndTheRouteLightTogether();
    void aWordShowsItsRoute();
    void anAnswerIsInspectedByItsButton();
    void shortcutsWorkInTheGrid();
    void theFirstLookEndsWhereItBegan();
    void eachStepOfTheFirstLookShowsWhatItSays();
    void n7TheFirstLookOfADenseModelNamesNoExperts_data();
    void n7TheFirstLookOfADenseModelNamesNoExperts();
    void theFirstLookIsShort();
    void n4EveryStepOfTheFirstLookIsInView_data();
    void n4EveryStepOfTheFirstLookIsInView();
    void everyFigureIsReachedByTab();
    void figuresExplainThemselves();
    void partsAndChartsExplainThemselves();
    void theTextIsColouredByAMeasure();
    void anAnswerThatIsKeptSaysSo();
    void aViewAndAComparisonTakeTurns();
    void anEditedAnswerSaysWhyItHasNoRecord();
    void aNarrowWindowHasAPage();
    void n17NoTextLiesOnAnotherOrOutside();
    void aPageHasRoomForMoreTokens();
    void valuesAreReadInATable();
    void d2WordsAreForNewcomers();
    void newsAreSpokenOnRequest();
    void chartsAreSavedAsAPicture();
    void n3SavingProposesANameAndAsks();
    void cellsLightUpUnlessMotionIsReduced();
    void randomUsersMeetNothingStale();

  private:
    Inspector& inspector() const { return *app()->inspector(); }
    /// The grid, which is none of those of a comparison's runs.
    QQuickItem* grid() const {
        return findItem(window()->contentItem(), [](QQuickItem* at) {
            if (!at->isVisible() || !QByteArray(at->metaObject()->className()).contains("ExpertMapItem")) return false;
            return !QAccessible::queryAccessibleInterface(at)->text(QAccessible::Name).startsWith("Experts of one run");
        });
    }
    /// Starts with the pane open and an answer in view.
    void inspect(const char* script = "story") {
        start(script);
        app()->settings()->activityShown = true;
        talk(QStringLiteral("Hello"));
        QTRY_COMPARE(inspector().condition(), Inspector::Ready);
        QTRY_VERIFY(grid());
    }
    void openSections() {
        for (const char* section :
             {"Figures", "Would more memory help?", "How evenly experts are used", "Active neurons"})
            use(section);
    }
};

void WindowInspectorTest::nothingYetIsSaid() {
    start();
    press(Qt::Key_I, Qt::ControlModifier);
    QTRY_VERIFY(shows("There is no answer yet"));
    QVERIFY(inspector().enabled());
    press(Qt::Key_I, Qt::ControlModifier);
    QTRY_VERIFY(!inspector().enabled());
}

void WindowInspectorTest::theGridIsReadByKeys() {
    inspect();
    grid()->forceActiveFocus(Qt::TabFocusReason);
    press(Qt::Key_Down);
    press(Qt::Key_Down);
    press(Qt::Key_Right);
    const QString value = inspector().grid()->cells()->cellText(2, 1);
    QTRY_VERIFY2(shows(value.toUtf8().constData()), qPrintable(value));
    QAccessibleInterface* node = QAccessible::queryAccessibleInterface(grid());
    QVERIFY(node);
    QCOMPARE(node->text(QAccessible::Description), value);
    press(Qt::Key_Return);
    QCOMPARE(inspector().grid()->selectedLayer(), 2);
    QCOMPARE(inspector().grid()->selectedExpert(), 1);
    QTRY_VERIFY(shows("Expert 1 of layer 2 worked on"));
    press(Qt::Key_Return); // the same cell again
    QCOMPARE(inspector().grid()->selectedLayer(), -1);
}

void WindowInspectorTest::modesAreChosenByKeys() {
    inspect();
    QCOMPARE(inspector().grid()->mode(), ActivityGrid::Reply); // after an answer
    QTRY_VERIFY(shows("How many of this answer's"));
    focusOn(QStringLiteral("Answer"));
    press(Qt::Key_Right);
    QTRY_COMPARE(inspector().grid()->mode(), ActivityGrid::Chat);
    press(Qt::Key_Right);
    QTRY_COMPARE(inspector().grid()->mode(), ActivityGrid::Store);
    QTRY_VERIFY(shows("in memory now"));
    press(Qt::Key_Right);
    QTRY_COMPARE(inspector().grid()->mode(), ActivityGrid::Now);
    press(Qt::Key_Right);
    QTRY_COMPARE(inspector().grid()->mode(), ActivityGrid::Reply);
}

void WindowInspectorTest::theTimelineMovesAndPlays() {
    inspect();
    focusOn(QStringLiteral("Token"));
    const int last = inspector().timeline()->last();
    QCOMPARE(inspector().timeline()->position(), last);
    press(Qt::Key_Left);
    QTRY_COMPARE(inspector().timeline()->position(), last - 1);
    press(Qt::Key_Home);
    QTRY_COMPARE(inspector().timeline()->position(), inspector().timeline()->first());
    QTRY_VERIFY(shows("of the prompt's"));
    inspector().timeline()->setSpeed(8);
    use("Replay the answer");
    QTRY_VERIFY(inspector().timeline()->playing() || inspector().timeline()->position() == last);
    QTRY_COMPARE(inspector().timeline()->position(), last);
    QTRY_VERIFY(!inspector().timeline()->playing());
}

/// A replay shows the route of each token while its word is lit, whatever the grid showed before.
void WindowInspectorTest::n6TheWordAndTheRouteLightTogether() {
    inspect();
    QCOMPARE(inspector().timeline()->speed(), 0);
    QVERIFY(item(QStringLiteral("Speed of the replay: Slow motion")));
    inspector().grid()->setMode(ActivityGrid::Reply);
    inspector().timeline()->setPosition(inspector().timeline()->last() - 5);
    const app::TextDocument* document = app()->conversation()->messages()->document(inspector().messageId());
    int together = 0;
    connect(inspector().timeline(), &app::AnswerTimeline::textChanged, this, [&] {
        const auto token = inspector().shown().record()->token(inspector().timeline()->position());
        if (!token || !inspector().timeline()->playing()) return;
        bool route = inspector().grid()->cells()->kind() == app::ExpertGrid::Weights;
        for (const engine::ExpertUse& use : token->layers.front().uses)
            route = route && inspector().grid()->cells()->value(0, use.expert) > 0;
        together += route && document->tints().size() == 1 ? 1 : 0;
    });
    use("Replay the answer");
    QTRY_VERIFY(!inspector().timeline()->playing() &&
                inspector().timeline()->position() == inspector().timeline()->last());
    QVERIFY2(together >= 4, qPrintable(QString::number(together)));
    QCOMPARE(inspector().grid()->mode(), ActivityGrid::Now);
    inspector().timeline()->disconnect(this);
}

void WindowInspectorTest::aWordShowsItsRoute() {
    inspect();
    const qint64 answer = inspector().messageId();
    const app::TextDocument* document = app()->conversation()->messages()->document(answer);
    QVERIFY(!document->tokens().empty());
    QQuickItem* text = nullptr;
    QTRY_VERIFY((text = findItem(window()->contentItem(), [&](QQuickItem* at) {
                     const auto* shown = qobject_cast<app::MessageText*>(at);
                     return shown && at->isVisible() && shown->document() == document;
                 })));
    const auto& shown = *qobject_cast<app::MessageText*>(text);
    int token = 0; // the first ones belong to the thought, which is folded
    QList<QRectF> places;
    while (places.isEmpty() && ++token < static_cast<int>(document->tokens().size()))
        places = shown.rectanglesOf(token);
    QVERIFY(!places.isEmpty());
    QTest::mouseClick(window(), Qt::LeftButton, {}, text->mapToScene(places.first().center()).toPoint());
    QTRY_COMPARE(inspector().timeline()->position(), inspector().timeline()->answerBegins() + token);
    QVERIFY(!document->tints().empty());
    press(Qt::Key_I, Qt::ControlModifier); // closed: the text is plain again
    QTRY_VERIFY(document->tints().empty());
}

void WindowInspectorTest::anAnswerIsInspectedByItsButton() {
    start();
    talk(QStringLiteral("Hello"));
    const qint64 first = app()->conversation()->messages()->rows().back().id;
    talk(QStringLiteral("Again"));
    inspector().showMessage(first); // as the button of the first answer does
    use("Show what the model did"); // this is the button of the latest answer
    QTRY_VERIFY(inspector().enabled());
    QVERIFY(inspector().messageId() != 0);
    QTRY_COMPARE(inspector().condition(), Inspector::Ready);
}

void WindowInspectorTest::shortcutsWorkInTheGrid() {
    inspect();
    grid()->forceActiveFocus(Qt::MouseFocusReason);
    press(Qt::Key_Comma, Qt::ControlModifier);
    QTRY_COMPARE(app()->pages()->current(), Pages::Settings);
    press(Qt::Key_Escape);
    QTRY_COMPARE(app()->pages()->current(), Pages::Chat);
    grid()->forceActiveFocus(Qt::MouseFocusReason);
    press(Qt::Key_N, Qt::ControlModifier);
    QTRY_COMPARE(app()->conversation()->chatId(), qint64{0});
    QTRY_COMPARE(inspector().condition(), Inspector::Nothing);
}

void WindowInspectorTest::theFirstLookEndsWhereItBegan() {
    inspect();
    use("Take a first look");
    QTRY_VERIFY(shows("Step 1 of 6"));
    for (int step = 2; step <= 6; ++step) {
        press(Qt::Key_Return); // the button has the focus
        QTRY_VERIFY2(shows(QStringLiteral("Step %1 of 6").arg(step).toUtf8().constData()),
                     qPrintable(QString::number(step)));
    }
    use("Back");
    QTRY_VERIFY(shows("Step 5 of 6"));
    QCOMPARE(inspector().grid()->mode(), ActivityGrid::Store);
    use("Next");
    use("Done");
    QTRY_VERIFY(item(QStringLiteral("Take a first look")));
    QVERIFY(!shows("Step 6 of 6"));
}

/// Its words are about routes in the grid: it shows them also when an answer ends meanwhile, and after a comparison or
/// a table.
void WindowInspectorTest::eachStepOfTheFirstLookShowsWhatItSays() {
    const auto showsTheRouteOfAWord = [this] {
        const int middle = (inspector().timeline()->answerBegins() + inspector().timeline()->last()) / 2;
        return grid() && inspector().grid()->mode() == ActivityGrid::Now &&
               inspector().timeline()->position() == middle &&
               inspector().grid()->cells()->kind() == app::ExpertGrid::Weights;
    };
    start();
    app()->settings()->activityShown = true;
    use("Take a first look");
    QTRY_VERIFY(shows("The first look needs an answer to explain.") && !shows("Each row is a layer"));
    app()->conversation()->send(QStringLiteral("Hello"));
    allowAnswer(*test::fakeScript("story"));
    QTRY_VERIFY(app()->conversation()->messages()->count() > 1 && !app()->conversation()->busy());
    QTRY_VERIFY(showsTheRouteOfAWord());
    QTRY_VERIFY(shows("Each row is a layer"));
    use("End");
    inspector().comparison()->setAgainst(AnswerComparison::Prompt);
    use("Show the values as a table");
    QTRY_VERIFY(!grid());
    use("Take a first look");
    QTRY_VERIFY(showsTheRouteOfAWord());
    // A position that the user chose stays.
    app()->conversation()->send(QStringLiteral("Again"));
    QTRY_VERIFY(inspector().live() && control_->waits());
    control_->allow(30);
    QTRY_VERIFY(inspector().live() && inspector().condition() == Inspector::Ready);
    inspector().timeline()->setPosition(inspector().timeline()->first());
    control_->allowAll();
    QTRY_VERIFY(!inspector().live());
    QVERIFY(drawn());
    QCOMPARE(inspector().timeline()->position(), inspector().timeline()->first());
}

void WindowInspectorTest::n7TheFirstLookOfADenseModelNamesNoExperts_data() {
    QTest::addColumn<QByteArray>("script");
    for (const char* script : {"dense", "dense-from-disk"}) QTest::newRow(script) << QByteArray(script);
}

/// A model without experts has its own words in every state of the pane.
void WindowInspectorTest::n7TheFirstLookOfADenseModelNamesNoExperts() {
    QFETCH(QByteArray, script);
    const auto untrue = [this] { // a remark says that there are none
        return shownTexts()
            .filter(QStringLiteral("xpert"))
            .filter(QRegularExpression(QStringLiteral("^(?!.*has no experts)")))
            .join(u'\n');
    };
    start(script.constData());
    app()->settings()->activityShown = true;
    QTRY_VERIFY(shows("watch here what the layers do"));
    QVERIFY2(untrue().isEmpty(), qPrintable(untrue()));
    talk(QStringLiteral("Hello"));
    QTRY_COMPARE(inspector().condition(), Inspector::Ready);
    QTRY_VERIFY(grid());
    QCOMPARE(inspector().grid()->mode(), ActivityGrid::Now);
    QVERIFY(item(QStringLiteral("Places")) && !item(QStringLiteral("Answer")) && !item(QStringLiteral("Chat")));
    QVERIFY2(untrue().isEmpty(), qPrintable(untrue()));
    inspector().grid()->select(1, 0);
    QTRY_VERIFY(shows("Layer 1 worked on all of this answer's"));
    QVERIFY2(untrue().isEmpty(), qPrintable(untrue()));
    inspector().grid()->deselect();
    use("Show the values as a table");
    QTRY_VERIFY(item(QStringLiteral("Layers as a table")));
    QVERIFY2(untrue().isEmpty(), qPrintable(untrue()));
    use("Show the values as a table");
    use("Take a first look");
    for (int step = 1; step <= 4; ++step) {
        QTRY_VERIFY(shows(QStringLiteral("Step %1 of 4").arg(step).toUtf8().constData()));
        QVERIFY2(untrue().isEmpty(), qPrintable(untrue()));
        press(Qt::Key_Return); // the button has the focus
    }
    QTRY_VERIFY(item(QStringLiteral("Take a first look")));
}

void WindowInspectorTest::n4EveryStepOfTheFirstLookIsInView_data() {
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<int>("width");
    QTest::addColumn<double>("text");
    for (const char* script : {"story", "dense-from-disk"})
        for (const int width : {640, 900, 1400})
            for (const double text : {1.0, 2.0})
                QTest::addRow("%s, %d px, text %.0f", script, width, text) << QByteArray(script) << width << text;
}

/// The card moves from part to part: its words are in the pane's view, or in the page's, at each step, and so is the
/// slider that they speak of.
void WindowInspectorTest::n4EveryStepOfTheFirstLookIsInView() {
    QFETCH(QByteArray, script);
    QFETCH(int, width);
    QFETCH(double, text);
    inspect(script.constData());
    app()->settings()->fontScale = text;
    window()->resize(width, 720);
    if (width < std::max(900.0, 600 * text)) app()->pages()->open(Pages::Activity); // no room for the pane
    QTRY_VERIFY(grid());
    use("Take a first look");
    const QQuickItem* look = findItem(window()->contentItem(), [](QQuickItem* at) {
        return at->isVisible() && QByteArray(at->metaObject()->className()).startsWith("FirstLook");
    });
    QVERIFY(look);
    const QVariantList steps = look->property("steps").value<QJSValue>().toVariant().toList();
    QVERIFY(steps.size() >= 4);
    for (qsizetype step = 0; step < steps.size(); ++step) {
        const QString words = steps[step].toMap()[QStringLiteral("words")].toString();
        /// How much of its height is in the view.
        const auto shareInView = [this](const QString& name, QAccessible::Role role) {
            const QQuickItem* shown = namedItem(window(), name, role);
            const QQuickItem* view = shown ? shown->parentItem() : nullptr;
            while (view && !view->inherits("QQuickFlickable")) view = view->parentItem();
            if (!view) return 0.0;
            const QRectF place = shown->mapRectToScene(QRectF(0, 0, shown->width(), shown->height()));
            return place.intersected(view->mapRectToScene(QRectF(0, 0, view->width(), view->height()))).height() /
                   place.height();
        };
        const auto inView = [&](const QString& name, QAccessible::Role role) {
            return shareInView(name, role) > 0.999;
        };
        QTRY_VERIFY2(inView(words, QAccessible::StaticText), qPrintable(words));
        QVERIFY(drawn());
        QVERIFY2(inView(words, QAccessible::StaticText), qPrintable(words)); // and it stays
        if (words.contains("slider")) {
            QTRY_VERIFY(inView(QStringLiteral("Token"), QAccessible::Slider));
            // Or nobody sees what the slider changes. The grid of the dense model is higher than these windows.
            const bool experts = script == "story";
            const QString map =
                experts ? QStringLiteral("Experts: a row for each layer. The arrow keys move, Enter selects")
                        : QStringLiteral("Layers of the model");
            if (text == 1) QTRY_VERIFY(shareInView(map, QAccessible::NoRole) > (experts ? 0.999 : 0.3));
        }
        if (step + 1 < steps.size()) use("Next");
    }
}

/// Read aloud, all steps together take less than a minute.
void WindowInspectorTest::theFirstLookIsShort() {
    inspect();
    const QQuickItem* look = findItem(window()->contentItem(), [](QQuickItem* at) {
        return QByteArray(at->metaObject()->className()).startsWith("FirstLook");
    });
    QVERIFY(look);
    for (const char* steps : {"stepsOfExperts", "stepsOfLayers"}) {
        qsizetype words = 0;
        for (const QVariant& step : look->property(steps).value<QJSValue>().toVariant().toList())
            words += step.toMap()["words"].toString().split(u' ').size();
        QVERIFY2(words > 40 && words <= 110, qPrintable(QStringLiteral("%1: %2 words").arg(steps).arg(words)));
    }
}

void WindowInspectorTest::everyFigureIsReachedByTab() {
    inspect();
    QTRY_VERIFY(!inspector().charts()->coverage().empty() && !inspector().charts()->neurons().empty());
    openSections();
    focusOn(QStringLiteral("Take a first look"));
    QSet<QString> reached;
    for (int tabs = 0; tabs < 120; ++tabs) {
        const QQuickItem* item = window()->activeFocusItem();
        QVERIFY(item);
        const QAccessibleInterface* node = QAccessible::queryAccessibleInterface(window()->activeFocusItem());
        if (node) reached.insert(node->text(QAccessible::Name));
        // The pane scrolls to the item that has the focus, also if the pane is still growing.
        const auto top = [item] { return item->mapRectToScene(QRectF(0, 0, item->width(), item->height())).top(); };
        QTRY_VERIFY2(top() >= 0 && top() < window()->height(), qPrintable(QDebug::toString(item)));
        press(Qt::Key_Tab);
    }
    for (const char* name : {"Experts: a row for each layer. The arrow keys move, Enter selects",
                             "Token",
                             "Speed of the replay: Slow motion",
                             "Colour the text by: Nothing",
                             "Keep for comparison",
                             "Tokens of the answer",
                             "Show the values as a table",
                             "Figures",
                             "Would more memory help?",
                             "How evenly experts are used",
                             "Active neurons",
                             "Remarks",
                             "Share from memory, by the room for experts",
                             "Different experts used, by tokens",
                             "How unevenly each layer uses its experts",
                             "How many experts each layer uses",
                             "Share of active neurons in each layer",
                             "Save or copy",
                             "What is this? Memory budget",
                             "What is this? Context",
                             "What is this? Share from memory, by the room for experts",
                             "What is this? Different experts used, by tokens",
                             "What is this? How unevenly each layer uses its experts",
                             "What is this? How many experts each layer uses",
                             "What is this? Share of active neurons in each layer",
                             "What is this? The part Figures"})
        QVERIFY2(reached.contains(QString::fromLatin1(name)), name);
    for (const QVariant& figure : inspector().charts()->figures()) {
        const QString name = QStringLiteral("What is this? ") + figure.toMap()["name"].toString();
        QVERIFY2(reached.contains(name), qPrintable(name));
    }
}

void WindowInspectorTest::figuresExplainThemselves() {
    inspect();
    use("Figures");
    QVERIFY(!shows("also called the hit rate"));
    use("What is this? From memory");
    QTRY_VERIFY(shows("also called the hit rate"));
    press(Qt::Key_Return);
    QTRY_VERIFY(!shows("also called the hit rate"));
}

/// Each part and each chart has a question mark, which unfolds a sentence; a closed part says it, too.
void WindowInspectorTest::partsAndChartsExplainThemselves() {
    inspect();
    QTRY_VERIFY(!inspector().charts()->budgets().empty() && !inspector().charts()->neurons().empty());
    const auto explains = [this](const QString& subject, const QString& beginning) {
        const QByteArray words = beginning.toUtf8(), button = "What is this? " + subject.toUtf8();
        QVERIFY2(!words.isEmpty() && !shows(words.constData()), button.constData());
        use(button.constData());
        QTRY_VERIFY2(shows(words.constData()), button.constData());
        press(Qt::Key_Return);
        QTRY_VERIFY2(!shows(words.constData()), button.constData());
    };
    const QList<QPair<QString, QString>> parts{{"Figures", "Numbers of this answer:"},
                                               {"Would more memory help?", "Experts that don't fit into memory"},
                                               {"How evenly experts are used", "Each layer chooses a few"},
                                               {"Active neurons", "Neurons are the smallest parts"},
                                               {"Remarks", "What to keep in mind"}};
    for (const auto& [heading, beginning] : parts) {
        explains(QStringLiteral("The part ") + heading, beginning);
        if (QTest::currentTestFailed()) return;
    }
    openSections();
    const QList<QPair<QString, app::ChartData>> charts{
        {"Share from memory, by the room for experts", inspector().charts()->budgets()},
        {"Different experts used, by tokens", inspector().charts()->coverage()},
        {"How unevenly each layer uses its experts", inspector().charts()->balance()},
        {"How many experts each layer uses", inspector().charts()->evenness()},
        {"Share of active neurons in each layer", inspector().charts()->neurons()}};
    for (const auto& [name, chart] : charts) {
        explains(name, chart.about.left(40));
        if (QTest::currentTestFailed()) return;
    }
}

void WindowInspectorTest::theTextIsColouredByAMeasure() {
    inspect();
    use("Colour the text by: Nothing");
    QTRY_VERIFY(namedItem(window(), QStringLiteral("Active neurons"), QAccessible::MenuItem));
    for (int down = 0; down < 3; ++down) press(Qt::Key_Down); // from Nothing: Probability, Entropy, Time
    press(Qt::Key_Return);
    QTRY_COMPARE(inspector().tokens()->measure(), TokenMeasure::Time);
    QTRY_VERIFY(shows("the longer the token took"));
    const app::TextDocument* document = app()->conversation()->messages()->document(inspector().messageId());
    QVERIFY(document->tints().size() > 3);
}

void WindowInspectorTest::anAnswerThatIsKeptSaysSo() {
    inspect();
    use("Keep for comparison");
    QTRY_VERIFY(item(QStringLiteral("Kept for comparison")));
    const qint64 kept = inspector().messageId();
    talk(QStringLiteral("Again"));
    QTRY_VERIFY(inspector().messageId() != kept && !inspector().live());
    QTRY_VERIFY(item(QStringLiteral("Keep for comparison")));
    inspector().showMessage(kept);
    QTRY_VERIFY(item(QStringLiteral("Kept for comparison")));
}

/// A comparison is of whole answers and shows at once; a view that is chosen shows instead of it.
void WindowInspectorTest::aViewAndAComparisonTakeTurns() {
    inspect();
    const auto choose = [this](const QString& menu, const QString& entry) {
        use(menu.toUtf8().constData());
        QQuickItem* line = nullptr;
        QTRY_VERIFY((line = namedItem(window(), entry, QAccessible::MenuItem)));
        clickFound([&] { return namedItem(window(), entry, QAccessible::MenuItem); }, "entry");
    };
    inspector().grid()->setMode(ActivityGrid::Store);
    choose(QStringLiteral("Compare the answer with: Nothing"), QStringLiteral("Its prompt"));
    QTRY_COMPARE(inspector().grid()->cells()->kind(), app::ExpertGrid::Difference);
    QCOMPARE(inspector().grid()->mode(), ActivityGrid::Reply);
    click(QStringLiteral("Now"), QAccessible::RadioButton);
    QTRY_COMPARE(inspector().grid()->cells()->kind(), app::ExpertGrid::Weights);
    QVERIFY(item(QStringLiteral("Compare the answer with: Nothing")));
}

void WindowInspectorTest::anEditedAnswerSaysWhyItHasNoRecord() {
    inspect();
    const qint64 answer = app()->conversation()->messages()->lastId();
    app()->conversation()->actions()->beginEdit(answer);
    QTRY_COMPARE(app()->conversation()->actions()->edited(), QVariantList{answer});
    type(QStringLiteral(" The end."));
    press(Qt::Key_Return);
    QTRY_COMPARE(inspector().condition(), Inspector::NotTraced);
    QTRY_VERIFY(shows("somebody edited it"));
}

void WindowInspectorTest::aNarrowWindowHasAPage() {
    inspect();
    window()->resize(640, 560);
    QTRY_VERIFY(!grid());
    press(Qt::Key_I, Qt::ControlModifier);
    QTRY_COMPARE(app()->pages()->current(), Pages::Activity);
    QTRY_VERIFY(grid());
    QVERIFY(inspector().enabled());
    QVERIFY(grid()->mapRectToScene(QRectF(0, 0, grid()->width(), grid()->height())).right() <= 640);
    press(Qt::Key_Escape);
    QTRY_COMPARE(app()->pages()->current(), Pages::Chat);
    QTRY_VERIFY(!inspector().enabled());
}

/// In the page and in the pane, with and without an answer.
void WindowInspectorTest::n17NoTextLiesOnAnotherOrOutside() {
    const auto faults = [&] {
        std::vector<std::pair<QString, QRect>> texts;
        for (QAccessibleInterface* node : accessibleNodes(window())) {
            const bool text = node->role() == QAccessible::StaticText || node->role() == QAccessible::Heading;
            const auto* const shown = qobject_cast<QQuickItem*>(node->object());
            for (const QQuickItem* at = shown; text && at; at = at->parentItem())
                if (QByteArray(at->metaObject()->className()).startsWith("ActivityView"))
                    texts.emplace_back(node->text(QAccessible::Name), node->rect());
        }
        QStringList found;
        for (size_t i = 0; i < texts.size(); ++i) {
            const auto& [name, place] = texts[i];
            for (size_t k = i + 1; k < texts.size(); ++k)
                if (texts[k].first != name && texts[k].second.adjusted(1, 1, -1, -1).intersects(place))
                    found.append(name + QStringLiteral(" / ") + texts[k].first);
        }
        const std::function<void(const QQuickItem*)> walk = [&](const QQuickItem* at) {
            const bool legend = QByteArray(at->metaObject()->className()).startsWith("GridLegend");
            for (const QQuickItem* part : at->childItems()) {
                if (!part->isVisible()) continue;
                if (legend && part->x() + part->width() > at->width())
                    found.append(QStringLiteral("a part of the legend"));
                walk(part);
            }
        };
        walk(window()->contentItem());
        return found;
    };
    for (const bool answered : {false, true}) {
        start("from-disk");
        control_->allowAll();
        if (answered) talk(QStringLiteral("Hello"));
        inspector().grid()->setMode(ActivityGrid::Now); // its legend is the longest
        for (const QSize size : {QSize(640, 560), QSize(1400, 900)}) {
            window()->resize(size);
            QTRY_COMPARE(window()->contentItem()->width(), double(size.width()));
            press(Qt::Key_I, Qt::ControlModifier);
            QTRY_VERIFY(item(QStringLiteral("Take a first look")));
            QTRY_VERIFY2(faults().isEmpty(), qPrintable(faults().join(u'\n')));
            press(Qt::Key_I, Qt::ControlModifier);
            QTRY_VERIFY(!item(QStringLiteral("Take a first look")));
        }
        fixture_.reset();
    }
}

void WindowInspectorTest::aPageHasRoomForMoreTokens() {
    inspect();
    const size_t inPane = inspector().tokens()->strip().tokens.size();
    use("Show as a page (Ctrl+Shift+I)");
    QTRY_COMPARE(app()->pages()->current(), Pages::Activity);
    QTRY_VERIFY(inspector().tokens()->strip().tokens.size() > inPane);
    QCOMPARE(inspector().condition(), Inspector::Ready);
    QTRY_VERIFY(grid());
    window()->resize(1400, 900); // a page that was asked for stays
    QTRY_COMPARE(window()->contentItem()->width(), 1400.0);
    QVERIFY(drawn());
    QCOMPARE(app()->pages()->current(), Pages::Activity);
    press(Qt::Key_I, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_COMPARE(app()->pages()->current(), Pages::Chat);
    QTRY_COMPARE(inspector().tokens()->strip().tokens.size(), inPane);
}

void WindowInspectorTest::valuesAreReadInATable() {
    inspect();
    use("Show the values as a table");
    QTRY_VERIFY(!grid());
    const app::ExpertGrid& values = *inspector().grid()->cells();
    int used = 0;
    for (int layer = 0; layer < values.layers(); ++layer)
        for (int expert = 0; expert < values.experts(); ++expert) used += values.value(layer, expert) > 0 ? 1 : 0;
    QQuickItem* table = nullptr;
    QTRY_VERIFY((table = namedItem(window(), QStringLiteral("Experts as a table"), QAccessible::List)));
    QTRY_COMPARE(table->property("count").toInt(), used);
    table->forceActiveFocus(Qt::TabFocusReason);
    press(Qt::Key_Down);
    press(Qt::Key_Return);
    QVERIFY(inspector().grid()->selectedLayer() >= 0);
    QVERIFY(values.value(inspector().grid()->selectedLayer(), inspector().grid()->selectedExpert()) > 0);
    QVERIFY(shows(values.cellText(inspector().grid()->selectedLayer(), inspector().grid()->selectedExpert())
                      .toUtf8()
                      .constData()));
    focusOn(QStringLiteral("By layer"));
    press(Qt::Key_Right);
    table->forceActiveFocus(Qt::TabFocusReason);
    press(Qt::Key_Home);
    use("Show the values as a table");
    QTRY_VERIFY(grid());
}

/// The words of the field stand in the explanation only, after plain ones.
void WindowInspectorTest::d2WordsAreForNewcomers() {
    inspect();
    QTRY_VERIFY(!inspector().charts()->balance().empty() && !inspector().charts()->neurons().empty() &&
                !inspector().charts()->pairs().isEmpty());
    use("How evenly experts are used");
    QTRY_VERIFY(shows("Experts that work together more often than by chance:"));
    QVERIFY(inspector().charts()->balanceText().contains("from 0, all experts are used alike"));
    QVERIFY(inspector().charts()->neurons().summary.endsWith("on average over the layers."));
    grid()->forceActiveFocus(Qt::TabFocusReason);
    press(Qt::Key_Home);
    const app::ExpertGrid& values = *inspector().grid()->cells();
    int layer = 0, expert = 0; // one that was used
    while (values.value(layer, expert) <= 0) ++expert;
    inspector().grid()->select(layer, expert);
    QTRY_VERIFY2(shows("Most often: "), qPrintable(shownTexts().join(u'\n')));
    QVERIFY(!shows(" 1 times"));
    QVERIFY(shownTexts().filter(QRegularExpression(QStringLiteral("^Gini|nats|In the middle of"))).isEmpty());
}

void WindowInspectorTest::newsAreSpokenOnRequest() {
    inspect();
    press(Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY(shows("How many of this answer's"));
    QVERIFY(!shows("since you asked"));
    QVERIFY(inspector().news().contains(inspector().timeline()->text()));
    talk(QStringLiteral("Again"));
    QTRY_COMPARE(inspector().condition(), Inspector::Ready);
    press(Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY(shows("This is another answer."));
}

void WindowInspectorTest::chartsAreSavedAsAPicture() {
    inspect();
    QTRY_VERIFY(!inspector().charts()->coverage().empty());
    QQuickItem* menu = findItem(window()->contentItem(), [](QQuickItem* at) {
        return at->isVisible() && QByteArray(at->metaObject()->className()).startsWith("ExportMenu");
    });
    QVERIFY(menu);
    const QString path = QDir(fixture_->dataFolder()).filePath(QStringLiteral("charts.png"));
    menu->setProperty("kind", QStringLiteral("charts"));
    QVERIFY(QMetaObject::invokeMethod(menu, "write", Q_ARG(QUrl, QUrl::fromLocalFile(path))));
    const QImage picture(path);
    QVERIFY(picture.width() == 1600 && picture.height() > 400);
    QSet<QRgb> colours;
    for (int y = 0; y < picture.height(); ++y)
        for (int x = 0; x < picture.width(); ++x) colours.insert(picture.pixel(x, y));
    QVERIFY(colours.contains(picture.pixel(0, picture.height() - 1)) && colours.size() > 20); // lines, boxes, words
}

/// Nothing is replaced without a question, and a name is proposed.
void WindowInspectorTest::n3SavingProposesANameAndAsks() {
    inspect();
    QQuickItem* menu = findItem(window()->contentItem(), [](QQuickItem* at) {
        return at->isVisible() && QByteArray(at->metaObject()->className()).startsWith("ExportMenu");
    });
    QVERIFY(menu);
    QObject* dialog = nullptr;
    for (QObject* child : menu->findChildren<QObject*>())
        if (child->inherits("QQuickFileDialog")) dialog = child;
    QVERIFY(dialog);
    QCOMPARE(dialog->property("acceptLabel").toString(), QStringLiteral("Save"));
    QVERIFY(QMetaObject::invokeMethod(menu, "choose", Q_ARG(QString, QStringLiteral("csv"))));
    QCOMPARE(dialog->property("currentFile").toUrl().fileName(),
             inspector().files()->suggestedName(QStringLiteral("csv")));
    QVERIFY(QMetaObject::invokeMethod(dialog, "close"));
    QStringList pictures; // s58: the second picture asked to replace the first
    for (const char* kind : {"grid", "charts"}) {
        QVERIFY(QMetaObject::invokeMethod(menu, "choose", Q_ARG(QString, QString::fromLatin1(kind))));
        pictures.append(dialog->property("currentFile").toUrl().fileName());
        QVERIFY(QMetaObject::invokeMethod(dialog, "close"));
    }
    QCOMPARE(pictures, QStringList({QStringLiteral("Hello.png"), QStringLiteral("Hello - figures.png")}));
    QVERIFY(QMetaObject::invokeMethod(menu, "choose", Q_ARG(QString, QStringLiteral("csv"))));
    QVERIFY(QMetaObject::invokeMethod(dialog, "close"));
    const QString path = QDir(fixture_->dataFolder()).filePath(QStringLiteral("there.csv"));
    const auto content = [&] {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write("mine") == 4);
    file.close();
    const auto save = [&] { return QMetaObject::invokeMethod(menu, "save", Q_ARG(QUrl, QUrl::fromLocalFile(path))); };
    focusOn(QStringLiteral("Save or copy"));
    QVERIFY(save());
    QTRY_VERIFY(shows("There is a file there.csv already. Replace it?"));
    QCOMPARE(content(), QByteArray("mine"));
    QTRY_VERIFY(item(QStringLiteral("Keep the file")) && item(QStringLiteral("Keep the file"))->hasActiveFocus());
    press(Qt::Key_Escape);
    QTRY_VERIFY(!shows("Replace it?"));
    QVERIFY(item(QStringLiteral("Save or copy"))->hasActiveFocus());
    QCOMPARE(content(), QByteArray("mine"));
    QVERIFY(save());
    use("Replace the file");
    QTRY_VERIFY(content().startsWith("position,"));
    QVERIFY(QMetaObject::invokeMethod(menu, "save", Q_ARG(QUrl, QUrl())));
    QTRY_VERIFY(shows("The record was not saved"));
    QVERIFY(QFile::remove(path) && save()); // a success takes the error away
    QTRY_VERIFY(!shows("The record was not saved"));
}

/// Cells are lit while tokens arrive, not while somebody looks through an answer, and never under reduced motion.
void WindowInspectorTest::cellsLightUpUnlessMotionIsReduced() {
    inspect();
    const auto lit = [this] { return grid()->property("flashMs").toInt(); };
    inspector().grid()->setMode(ActivityGrid::Now);
    inspector().timeline()->setPosition(inspector().timeline()->answerBegins());
    QCOMPARE(lit(), 0);
    inspector().timeline()->setPlaying(true);
    QVERIFY(lit() > 0 && lit() < 500);
    QQmlComponent component(qmlEngine(window()));
    component.setData("import QtQml\nimport Coterie.Style\n"
                      "QtObject { property bool reduced: false; onReducedChanged: Style.reducedMotion = reduced }",
                      {});
    const std::unique_ptr<QObject> desktop(component.create());
    QVERIFY2(desktop, qPrintable(component.errorString()));
    desktop->setProperty("reduced", true);
    QCOMPARE(lit(), 0);
    desktop->setProperty("reduced", false);
    QVERIFY(lit() > 0);
    inspector().timeline()->setPlaying(false);
    QCOMPARE(lit(), 0);
}

/// Random users of the whole window, which is also resized and shows other pages. COTERIE_SEQUENCES sets their number.
void WindowInspectorTest::randomUsersMeetNothingStale() {
    const int all = test::sequences(test::longTests() ? 10000 : 20);
    const quint32 seed = test::sequenceSeed(17);
    start("numbered");
    test::RandomUser user(*app(), *control_, fixture_->dataFolder(), *test::fakeScript("numbered"), seed);
    QVERIFY(user.ready());
    QRandomGenerator random(seed + 1);
    int shown = 0;
    for (int step = 0; step < all * 6; ++step) {
        switch (random.bounded(12)) {
        case 0:
            window()->resize(640 + static_cast<int>(random.bounded(900)), 440 + static_cast<int>(random.bounded(700)));
            break;
        case 1:
            press(Qt::Key_I, Qt::ControlModifier);
            break;
        case 2:
            app()->pages()->open(static_cast<Pages::Page>(random.bounded(7)));
            break;
        case 3:
            app()->settings()->activityShown = true;
            app()->pages()->open(Pages::Chat);
            break;
        default:
            user.step();
        }
        if (step % 2 == 0) QTRY_VERIFY(user.engineRests()); // else it writes while the user goes on
        QCoreApplication::processEvents();
        const QString fault = user.fault();
        QVERIFY2(fault.isEmpty(), qPrintable(QStringLiteral("COTERIE_SEED=%1, step %2: ").arg(seed).arg(step) + fault));
        shown += user.shows() ? 1 : 0;
    }
    control_->allowAll();
    QVERIFY2(shown > all / 4, qPrintable(QString::number(shown)));
}

int main(int argc, char** argv) { return runWindowTest<WindowInspectorTest>(argc, argv); }
#include "tst_window_inspector.moc"
