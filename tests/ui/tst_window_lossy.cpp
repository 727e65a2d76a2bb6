// SPDX-License-Identifier: Apache-2.0
// Faster, less exact answers: the settings' group used by keys, the options that reach the engine, and the note below
// the answer.
#include "window_driver.h"

#include <cmath>

using namespace coterie;
using namespace coterie::tests;
using engine::RoutingWhen;

namespace {

const QString kPrefer = QStringLiteral("Prefer experts that are in memory"),
              kLeaveOut = QStringLiteral("Leave out the least important experts"),
              kStrength = QStringLiteral("Strength, in percent"), kKept = QStringLiteral("Weight to keep, in percent");

} // namespace

class WindowLossyTest : public WindowDriver {
    Q_OBJECT
  private Q_SLOTS:
    void nothingIsLessExactUnlessAskedFor();
    void keysChooseWhen();
    void slidersSayHowFar();
    void escGivesUpAStrengthThatAChatDoesNotSet();
    void answersSayThatTheyAreLessExact();
    void whatWaitsForScarcityStaysExact();
    void aModelWithoutExpertsHasNothingToChoose();
    void aModelThatFitsIsTold();
    void everyControlHasNameAndRole();
    void tabGoesThroughTheGroup();

  private:
    void openSettings() {
        app()->settings()->allSettings = true;
        press(Qt::Key_Comma, Qt::ControlModifier);
        QTRY_VERIFY(item(kPrefer));
    }
    /// Returns one of the three choices of a way, by its name.
    QQuickItem* choice(const QString& way, const char* name) const {
        const auto matches = [name](QQuickItem* at) {
            return at->inherits("QQuickRadioButton") && at->property("text").toString() == QLatin1String(name);
        };
        return findItem(namedItem(window(), way, QAccessible::Grouping), matches);
    }
    void choose(const QString& way, const char* from, int key) {
        QVERIFY2(choice(way, from), from);
        choice(way, from)->forceActiveFocus(Qt::TabFocusReason);
        press(key);
    }
    bool checked(const QString& way, const char* name) const {
        const QQuickItem* radio = choice(way, name);
        return radio && radio->property("checked").toBool();
    }
    engine::GenerateOptions asked() const { return control_->options().back(); }
};

void WindowLossyTest::nothingIsLessExactUnlessAskedFor() {
    start("from-disk");
    openSettings();
    QVERIFY(checked(kPrefer, "Never") && checked(kLeaveOut, "Never"));
    QVERIFY(!item(kStrength) && !item(kKept));
    QVERIFY(shows("They change answers"));
    press(Qt::Key_Escape);
    talk(QStringLiteral("Hello"));
    QVERIFY(asked().routing.exact());
    QVERIFY(!shows("Less exact"));
}

void WindowLossyTest::keysChooseWhen() {
    start("from-disk");
    openSettings();
    choose(kPrefer, "Never", Qt::Key_Right);
    QCOMPARE(app()->settings()->preferCachedWhen(), QStringLiteral("scarce"));
    QTRY_VERIFY(checked(kPrefer, "When low") && !checked(kPrefer, "Never"));
    QTRY_VERIFY(item(kStrength));
    QCOMPARE(app()->settings()->sureWhen(), QStringLiteral("never")); // the other way keeps its own choice
    choose(kLeaveOut, "Never", Qt::Key_Left);                         // goes around the end
    QCOMPARE(app()->settings()->sureWhen(), QStringLiteral("always"));
    choose(kLeaveOut, "When low", Qt::Key_Space);
    QCOMPARE(app()->settings()->sureWhen(), QStringLiteral("scarce"));
    choose(kPrefer, "When low", Qt::Key_Left);
    QCOMPARE(app()->settings()->preferCachedWhen(), QStringLiteral("never"));
    QTRY_VERIFY(!item(kStrength));
    QVERIFY(item(kKept));
}

void WindowLossyTest::slidersSayHowFar() {
    start("from-disk");
    app()->settings()->preferCachedWhen = QStringLiteral("always");
    app()->settings()->sureWhen = QStringLiteral("always");
    openSettings();
    focusOn(kStrength);
    QCOMPARE(app()->settings()->preferCached(), 0.2);
    press(Qt::Key_Right);
    QVERIFY(std::abs(app()->settings()->preferCached() - 0.25) < 1e-9);
    QTRY_VERIFY(shows("25 %"));
    for (int i = 0; i < 30; ++i) press(Qt::Key_Left);
    QVERIFY(std::abs(app()->settings()->preferCached() - 0.05) < 1e-9); // its end is not "Never"
    focusOn(kKept);
    for (int i = 0; i < 30; ++i) press(Qt::Key_Right);
    QVERIFY(std::abs(app()->settings()->sure() - 0.95) < 1e-9);
    press(Qt::Key_Left);
    press(Qt::Key_Escape);
    talk(QStringLiteral("Hello"));
    QVERIFY(std::abs(asked().routing.preferCached - 0.05f) < 1e-6f);
    QVERIFY(std::abs(asked().routing.topWeightShare - 0.9f) < 1e-6f);
    QCOMPARE(asked().preferCachedWhen, RoutingWhen::Always);
}

/// The chat had the old number as a value of its own then.
void WindowLossyTest::escGivesUpAStrengthThatAChatDoesNotSet() {
    start("from-disk");
    app()->settings()->allSettings = true;
    app()->settings()->preferCachedWhen = QStringLiteral("always");
    app()->pages()->open(app::Pages::ChatSettings);
    QTRY_VERIFY(item(kStrength));
    focusOn(kStrength); // brings it into view
    QVERIFY(drawn());
    const QQuickItem* const slider = item(kStrength);
    const QPoint end = slider->mapToScene(QPointF(slider->width() - 2, slider->height() / 2)).toPoint();
    const auto own = [this] { return app()->conversation()->settings().layer(app::ChatSettings::Chat); };
    QTest::mousePress(window(), Qt::LeftButton, Qt::NoModifier, end);
    QTRY_VERIFY(!own().isEmpty());
    press(Qt::Key_Escape);
    QTRY_VERIFY(own().isEmpty());
    QTest::mouseRelease(window(), Qt::LeftButton, Qt::NoModifier, end);
    QVERIFY(drawn());
    QVERIFY(own().isEmpty() && app()->undo()->undoTitle().isEmpty());
    QCOMPARE(slider->property("value").toDouble(), 20.0);
    QCOMPARE(app()->pages()->current(), app::Pages::ChatSettings);
}

void WindowLossyTest::answersSayThatTheyAreLessExact() {
    start("from-disk");
    app()->settings()->sureWhen = QStringLiteral("always");
    talk(QStringLiteral("Hello"));
    QTRY_VERIFY(shows("Less exact: 12 % of router choices used other or fewer experts") ||
                shows("Less exact: 13 % of router choices used other or fewer experts"));
    app()->settings()->sureWhen = QStringLiteral("never");
    app()->conversation()->newChat();
    talk(QStringLiteral("Hello"));
    QTRY_VERIFY(shows("tok/s"));
    QVERIFY(!shows("Less exact"));
}

void WindowLossyTest::whatWaitsForScarcityStaysExact() {
    start("from-disk");
    openSettings();
    choose(kLeaveOut, "Never", Qt::Key_Right);
    press(Qt::Key_Escape);
    talk(QStringLiteral("Hello"));
    QCOMPARE(asked().topWeightShareWhen, RoutingWhen::Scarce);
    QVERIFY(asked().routing.topWeightShare > 0);
    QTRY_VERIFY(shows("tok/s"));
    QVERIFY(!shows("Less exact"));
}

void WindowLossyTest::aModelWithoutExpertsHasNothingToChoose() {
    start("dense");
    app()->settings()->sureWhen = QStringLiteral("always");
    openSettings();
    QVERIFY(shows("The open model has no experts, so these options have no effect on it."));
    QVERIFY(!shows("\"When low\""));
    QVERIFY(choice(kPrefer, "Always") && !choice(kPrefer, "Always")->isEnabled());
    QVERIFY(item(kKept) && !item(kKept)->isEnabled());
    press(Qt::Key_Escape);
    talk(QStringLiteral("Hello"));
    QTRY_VERIFY(shows("tok/s"));
    QVERIFY(!shows("Less exact"));
    app()->models()->close(); // the settings can also be changed while no model is open
    QTRY_COMPARE(app()->models()->state(), app::ModelController::None);
    openSettings();
    QTRY_VERIFY(choice(kPrefer, "Always") && choice(kPrefer, "Always")->isEnabled());
    QVERIFY(!shows("has no experts"));
}

void WindowLossyTest::aModelThatFitsIsTold() {
    start("story");
    openSettings();
    QVERIFY(shows("fit into memory, so this changes hardly anything now"));
    start("from-disk");
    openSettings();
    QVERIFY(!shows("hardly anything"));
    QVERIFY(shows("Answers wait less for the disk"));
}

/// Each way appears to a screen reader as a group with a name, with three radio buttons in it, and a slider with a name
/// of its own.
void WindowLossyTest::everyControlHasNameAndRole() {
    start("from-disk");
    app()->settings()->preferCachedWhen = QStringLiteral("scarce");
    app()->settings()->sureWhen = QStringLiteral("scarce");
    openSettings();
    for (const QString& way : {kPrefer, kLeaveOut}) {
        for (const char* name : {"Never", "When low", "Always"}) {
            QQuickItem* radio = choice(way, name);
            QVERIFY2(radio, name);
            QAccessibleInterface* node = QAccessible::queryAccessibleInterface(radio);
            QVERIFY(node);
            QCOMPARE(node->role(), QAccessible::RadioButton);
            QCOMPARE(node->text(QAccessible::Name), QString::fromLatin1(name));
            QCOMPARE(bool(node->state().checked), QByteArray(name) == "When low");
        }
    }
    for (const QString& slider : {kStrength, kKept}) QVERIFY(namedItem(window(), slider, QAccessible::Slider));
    QVERIFY(
        namedItem(window(), QStringLiteral("Faster, less exact (applies from the next answer)"), QAccessible::Heading));
}

void WindowLossyTest::tabGoesThroughTheGroup() {
    start("from-disk");
    app()->settings()->sureWhen = QStringLiteral("always");
    openSettings();
    QVERIFY(choice(kPrefer, "Always"));
    choice(kPrefer, "Always")->forceActiveFocus(Qt::TabFocusReason);
    const auto next = [this] {
        press(Qt::Key_Tab);
        return window()->activeFocusItem();
    };
    QCOMPARE(next(), choice(kLeaveOut, "Never")); // the slider of kPrefer is hidden
    QCOMPARE(next(), choice(kLeaveOut, "When low"));
    QCOMPARE(next(), choice(kLeaveOut, "Always"));
    QCOMPARE(next(), item(QStringLiteral("Reset Leave out the least important experts to its default")));
    QCOMPARE(next(), item(kKept));
    // The focused control is visible.
    const QRectF place = item(kKept)->mapRectToScene(QRectF(0, 0, item(kKept)->width(), item(kKept)->height()));
    QTRY_VERIFY(place.bottom() <= window()->height() && place.top() >= 0);
}

int main(int argc, char** argv) { return runWindowTest<WindowLossyTest>(argc, argv); }

#include "tst_window_lossy.moc"
