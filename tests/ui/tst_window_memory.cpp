// SPDX-License-Identifier: Apache-2.0
// How the window shows memory and disk, and how packed files are handled there: gauges, the line below an answer, and
// the rows of the settings. For a dense model, all of them show layers.
#include "window_driver.h"

#include <QDebug>

#include <algorithm>

using namespace coterie;
using namespace coterie::tests;
using app::ModelController;

namespace {

const QString kExperts = QStringLiteral("Experts from memory"), kLayers = QStringLiteral("Layers from memory");

} // namespace

class WindowMemoryTest : public WindowDriver {
    Q_OBJECT
  private Q_SLOTS:
    void gaugesTellOfTheExperts();
    void gaugesTellOfADenseModelsLayers();
    void nothingSaysExpertsOfADenseModel();
    void gaugesKeepTheirLengths();
    void aPanelKeepsItsDistanceFromTheEdges();
    void diskIsToldUnderTheAnswer_data();
    void diskIsToldUnderTheAnswer();
    void thePageKeepsItsPlaceWhenTheModelIsOpenedAgain();
    void packedFileIsMadeAndRemoved();
    void noAnswerIsEndedByOpeningTheModelAgain();
    void unusedPackedFilesAreToldAndRemoved();
    void nothingIsLaidOutAsItWasWhileHidden_data();
    void nothingIsLaidOutAsItWasWhileHidden();
    void theLeastBudgetIsSaidInOneWay();
    void anAutomaticBudgetHasItsPlaceOnTheSlider();
    void aSettingIsShownByItsKey_data();
    void aSettingIsShownByItsKey();
    void aSettingThatTheModelHasItselfIsShownThere();

  private:
    void resizeToTheSmallest() {
        window()->resize(640, 440);
        QTRY_COMPARE(window()->contentItem()->size(), QSizeF(640, 440));
        QVERIFY(drawn());
    }
    bool showSetting(const QString& key) const {
        return QMetaObject::invokeMethod(window(), "showSetting", Q_ARG(QString, key));
    }
    QString focusName() const {
        QAccessible::setActive(true);
        QAccessibleInterface* const focus = QAccessible::queryAccessibleInterface(window()->activeFocusItem());
        return focus ? focus->text(QAccessible::Name) : QString();
    }
    void openSettings() {
        app()->settings()->allSettings = true;
        press(Qt::Key_Comma, Qt::ControlModifier);
    }
    /// Whether there are visible items of a type and `right` is true for all of them.
    template <typename Right>
    bool everyOne(const char* type, const Right& right) const {
        int found = 0;
        const QQuickItem* wrong = findItem(window()->contentItem(), [&](QQuickItem* item) {
            if (!item->isVisible() || !QByteArray(item->metaObject()->className()).startsWith(type)) return false;
            ++found;
            return !right(item);
        });
        return !wrong && found > 0;
    }
};

void WindowMemoryTest::gaugesTellOfTheExperts() {
    start("from-disk");
    focusOn(kExperts);
    QTRY_VERIFY(shows("470 of 1,024 experts are in memory. The others are read from disk when they are used."));
    QTRY_VERIFY(shows("Read from disk: idle"));
    focusOn(QStringLiteral("Message"));
    QTRY_VERIFY(!shows("Read from disk")); // the panel is closed
    start("story");
    focusOn(kExperts);
    QTRY_VERIFY(shows("All 384 experts are in memory: nothing is read from disk while the model answers."));
    QVERIFY(!shows("Read from disk"));
    app()->models()->close();
    QTRY_VERIFY(shows("No model is open. "));
}

void WindowMemoryTest::gaugesTellOfADenseModelsLayers() {
    start("dense-from-disk");
    focusOn(kLayers);
    QTRY_VERIFY(shows("19 of 30 layers are in memory. The others are read from disk for each token."));
    QVERIFY(!item(kExperts));
    talk(QStringLiteral("Hello"));
    focusOn(kLayers);
    // No layer was missing at its turn, and 12 of 30 had been read from disk before.
    QTRY_VERIFY(shows("Since the model was opened, 60 % of layer reads came from memory"));
    start("dense");
    focusOn(kLayers);
    QTRY_VERIFY(shows("All 12 layers are in memory: nothing is read from disk while the model answers."));
    control_->setExperts({}, {.used = 3, .usable = 12, .bytesEach = 1, .bytesHeld = 3});
    QTRY_VERIFY(shows("There is room for all 12 layers, and 3 are in memory so far."));
    app()->models()->close();
    QTRY_VERIFY(item(kExperts)); // without a model, the gauge shows experts
}

void WindowMemoryTest::nothingSaysExpertsOfADenseModel() {
    start("dense-from-disk");
    for (const char* gauge : {"Memory: ", "Layers from memory"}) {
        QString name;
        QTRY_VERIFY(!(name = shownTexts().filter(QString::fromLatin1(gauge)).value(0)).isEmpty());
        focusOn(name);
        QTRY_VERIFY(shows("Layers in memory") || shows("Read from disk"));
        QVERIFY2(!shows("xperts"), qPrintable(shownTexts().join(u'\n')));
    }
    control_->setExperts({}, {.used = 3, .usable = 3, .bytesEach = 60 << 20, .bytesHeld = 180 << 20});
    focusOn(shownTexts().filter(QStringLiteral("Memory: ")).value(0));
    QTRY_VERIFY(shows("for now, Coterie keeps fewer layers than this allows"));
    for (const char* script : {"dense-from-disk", "dense"}) {
        start(script);
        openSettings();
        QTRY_VERIFY(shows(" layers"));
        QVERIFY(shownTexts().filter(QRegularExpression(QStringLiteral("\\d experts|All experts"))).isEmpty());
        QCOMPARE(app()->packedFile()->state(), app::PackedFileController::Unavailable);
        QVERIFY(!shows("Packed file"));
    }
}

void WindowMemoryTest::gaugesKeepTheirLengths() {
    start();
    const auto lengths = [this] {
        QList<qreal> all;
        findItem(window()->contentItem(), [&all](const QQuickItem* at) {
            const QByteArray type = at->metaObject()->className();
            if (at->isVisible() && (type.startsWith("ThinGauge_QMLTYPE") || type.startsWith("StackedGauge_QMLTYPE")))
                all.append(at->width());
            return false;
        });
        return all;
    };
    const QList<qreal> before = lengths();
    QCOMPARE(before.size(), 3); // memory, experts, context
    talk(QStringLiteral("Hello"));
    QTRY_VERIFY(app()->conversation()->contextUsed() > 9); // more digits than before
    QCOMPARE(lengths(), before);
}

/// With the largest texts it was as wide as the smallest window, so that its border lay at the edges.
void WindowMemoryTest::aPanelKeepsItsDistanceFromTheEdges() {
    constexpr double kMargin = 8; // Style.small
    start("from-disk");
    app()->settings()->fontScale = 2;
    window()->resize(640, 700);
    QTRY_COMPARE(window()->contentItem()->size(), QSizeF(640, 700));
    QString gauge;
    QTRY_VERIFY(!(gauge = shownTexts().filter(QStringLiteral("Memory: ")).value(0)).isEmpty());
    focusOn(gauge);
    const QQuickItem* ground = nullptr;
    QTRY_VERIFY((ground = findItem(window()->contentItem(), [](const QQuickItem* at) {
                     return at->isVisible() && QByteArray(at->metaObject()->className()).startsWith("PopupGround");
                 })));
    QVERIFY(drawn() && drawn());
    const QRectF place = ground->mapRectToScene(QRectF(0, 0, ground->width(), ground->height()));
    QVERIFY2(place.left() >= kMargin, qPrintable(QString::number(place.left())));
    QVERIFY2(place.right() <= window()->width() - kMargin, qPrintable(QString::number(place.right())));
}

void WindowMemoryTest::diskIsToldUnderTheAnswer_data() {
    QTest::addColumn<QByteArray>("script");
    QTest::addColumn<QString>("told");
    QTest::newRow("experts") << QByteArray("from-disk") << QStringLiteral("12 % of experts from disk");
    QTest::newRow("layers") << QByteArray("dense-from-disk") << QStringLiteral("40 % of layers from disk");
    QTest::newRow("all in memory") << QByteArray("story") << QString();
}

void WindowMemoryTest::diskIsToldUnderTheAnswer() {
    QFETCH(QByteArray, script);
    QFETCH(QString, told);
    start(script.constData());
    talk(QStringLiteral("Hello"));
    QTRY_VERIFY(shows("tok/s"));
    QCOMPARE(shows("from disk"), !told.isEmpty());
    QVERIFY(told.isEmpty() || shows(told.toUtf8().constData()));
}

/// The button goes when it was used. The focus went to the search at the top, and the page with it.
void WindowMemoryTest::thePageKeepsItsPlaceWhenTheModelIsOpenedAgain() {
    const QString again = QStringLiteral("Open again with these settings");
    start("from-disk");
    window()->resize(900, 500);
    openSettings();
    QTRY_VERIFY(shows("470 of 1,024 experts"));
    app()->settings()->setValue(QStringLiteral("memoryBudget"), 1024.0 * 1024 * 1024);
    QTRY_VERIFY(item(again) && item(again)->isEnabled());
    focusOn(again);
    QVERIFY(drawn() && drawn());
    const QQuickItem* const area = findItem(window()->contentItem(), [](const QQuickItem* at) {
        return at->isVisible() && QByteArray(at->metaObject()->className()).startsWith("ScrollColumn_QMLTYPE");
    });
    QVERIFY(area && area->property("contentY").toDouble() > 0);
    press(Qt::Key_Return);
    QTRY_VERIFY(!item(again));
    QTRY_COMPARE(app()->models()->state(), ModelController::Ready);
    QVERIFY(drawn() && drawn());
    QVERIFY(area->property("contentY").toDouble() > 0);
    const QQuickItem* const focus = window()->activeFocusItem();
    QVERIFY(focus && focus->isVisible() && area->isAncestorOf(focus));
    QVERIFY(focus != item(QStringLiteral("Search in settings")));
}

void WindowMemoryTest::packedFileIsMadeAndRemoved() {
    const QString make = QStringLiteral("Make it");
    start("from-disk");
    openSettings();
    QTRY_VERIFY(shows("It takes 11.0 GiB of disk space. Each expert"));
    packedFile_->packUpTo(0.5);
    use("Make it");
    QTRY_VERIFY(shows("50 % of 11.0 GiB"));
    use("Stop");
    QTRY_VERIFY(item(make));
    packedFile_->packUpTo(1);
    use("Make it");
    QTRY_VERIFY(item(QStringLiteral("Open the model again")));
    use("Remove");
    QTRY_VERIFY(item(make)); // waits for the removal: the failure below is for the next packing
    packedFile_->failWith({engine::ErrorKind::Io, "The packed file was not made", "The disk is full", "Make room"});
    use("Make it");
    QTRY_VERIFY(shows("The disk is full"));
    use("Try again");
    QTRY_VERIFY(item(make));
    start("story"); // all of its experts fit into memory
    openSettings();
    QTRY_VERIFY(shows("is not needed"));
    QVERIFY(!item(make));
}

/// Those of other chats were: only the chat in view held its button back, and not that of the packed file.
void WindowMemoryTest::noAnswerIsEndedByOpeningTheModelAgain() {
    start("from-disk");
    openSettings();
    packedFile_->packUpTo(1);
    use("Make it");
    app()->settings()->memoryBudget = 1024.0 * 1024 * 1024;
    const auto enabled = [this](bool wanted) {
        const QQuickItem* const buttons[] = {item(QStringLiteral("Open the model again")),
                                             item(QStringLiteral("Open again with these settings"))};
        return std::all_of(std::begin(buttons), std::end(buttons),
                           [=](const QQuickItem* button) { return button && button->isEnabled() == wanted; });
    };
    QTRY_VERIFY(enabled(true));
    press(Qt::Key_L, Qt::ControlModifier);
    type(QStringLiteral("Hello"));
    press(Qt::Key_Return);
    QTRY_VERIFY(control_->waits());
    press(Qt::Key_N, Qt::ControlModifier);
    QVERIFY(!app()->conversation()->busy());
    openSettings();
    QTRY_VERIFY(enabled(false));
    control_->allowAll();
    QTRY_VERIFY(enabled(true));
}

void WindowMemoryTest::unusedPackedFilesAreToldAndRemoved() {
    const QString button = QStringLiteral("Free 14.5 GiB");
    packedFile_->leave(quint64{29} << 29, {QStringLiteral("old.gguf"), QStringLiteral("older.gguf")});
    start("story", false); // the files are there without a model, too
    QVERIFY(!shows("old.gguf"));
    openSettings();
    QTRY_VERIFY(shows("No model uses these 2 files of 14.5 GiB in total"));
    QVERIFY(shows("old.gguf, older.gguf"));
    QVERIFY(namedItem(window(), button, QAccessible::Button));
    packedFile_->failWith({engine::ErrorKind::Io, "It can't be removed", "Another program has it open", "Close that"});
    focusOn(button);
    press(Qt::Key_Return);
    QTRY_VERIFY(shows("It can't be removed") && shows("Another program has it open"));
    QVERIFY(item(button));
    press(Qt::Key_Space);
    QTRY_VERIFY(!item(button));
    QVERIFY(!shows("old.gguf") && !shows("It can't be removed"));
    press(Qt::Key_Escape);
    packedFile_->leave(3 << 20, {QStringLiteral("last.gguf")});
    openSettings(); // the list is made each time the page opens
    QTRY_VERIFY(shows("No model uses this file of 3 MiB"));
}

void WindowMemoryTest::nothingIsLaidOutAsItWasWhileHidden_data() {
    QTest::addColumn<double>("scale");
    QTest::newRow("usual text") << 1.0;
    QTest::newRow("large text") << 1.6;
}

/// Pages and panels get their texts before they are shown. When they are shown, each line must have the room that it
/// needs.
void WindowMemoryTest::nothingIsLaidOutAsItWasWhileHidden() {
    QFETCH(double, scale);
    packedFile_ = std::make_shared<test::FakePackedFile>(engine::PackedFileStatus::State::Current, "/cache/packed");
    start("from-disk");
    app()->settings()->fontScale = scale;
    QTRY_COMPARE(app()->packedFile()->state(), app::PackedFileController::Present);
    // Nothing extends beyond its line, and no line overlaps the next one.
    QString wrong;
    const auto check = [&wrong](QQuickItem* line) {
        double below = -1;
        for (const QQuickItem* part : line->childItems()) {
            const QRectF inside = part->mapRectToItem(line, QRectF(0, 0, part->width(), part->height()));
            const QRectF place = QRectF(0, 0, line->width(), line->height()).adjusted(-1, -1, 1, 1);
            if (!part->isVisible() || inside.isEmpty()) continue;
            if (!place.contains(inside)) (QDebug(&wrong) << line << part << inside << "out of" << place);
            if (line->inherits("QQuickColumnLayout") && inside.top() < below)
                (QDebug(&wrong) << line << part << "overlaps");
            below = inside.bottom() - 1;
        }
        return wrong.isEmpty();
    };
    focusOn(shownTexts().filter(QStringLiteral("Memory: ")).value(0));
    QTRY_VERIFY(shows("Experts in memory"));
    const auto checkEach = [&check](QQuickItem* lines) {
        const QList<QQuickItem*> children = lines->childItems();
        return check(lines) && std::all_of(children.begin(), children.end(), check);
    };
    const auto right = [&](const char* type) {
        wrong.clear();
        return everyOne(type, checkEach);
    };
    QTRY_VERIFY2(right("PartsLegend_QMLTYPE"), qPrintable(wrong));
    openSettings();
    QTRY_VERIFY(shows("It takes 11.0 GiB of disk space and is in use."));
    for (const char* type :
         {"SettingRow_QMLTYPE", "PackedFileRow_QMLTYPE", "MemoryGroup_QMLTYPE", "PartsLegend_QMLTYPE"})
        QTRY_VERIFY2(right(type), qPrintable(wrong));
}

/// The slider began at another value than the text below it named, and the field at a third one.
void WindowMemoryTest::theLeastBudgetIsSaidInOneWay() {
    const QString field = QStringLiteral("Memory budget in GiB");
    const auto write = [&](const char* number) {
        focusOn(field);
        press(Qt::Key_A, Qt::ControlModifier);
        type(QString::fromLatin1(number));
    };
    start("from-disk");
    openSettings();
    QTRY_VERIFY(shows("At least 0.35 GiB"));
    QCOMPARE(app()->forecast()->leastGibi(), 0.35); // 352 MiB
    QCOMPARE(item(QStringLiteral("Memory budget, slider"))->property("from").toDouble(), 0.35);
    write("0");
    QTRY_VERIFY(shows("A number from 0.35 to 65,536."));
    write("0.2"); // it may be enough for another model
    QTRY_VERIFY(!shows("A number from"));
    press(Qt::Key_Return);
    QCOMPARE(app()->settings()->memoryBudget(), 0.2 * 1024 * 1024 * 1024);
    QTRY_VERIFY(shows("The budget is too small: Scripted needs at least 352 MiB"));
}

/// Without a model it stood at the least budget, which nobody had chosen.
void WindowMemoryTest::anAutomaticBudgetHasItsPlaceOnTheSlider() {
    const QString name = QStringLiteral("Memory budget, slider");
    const auto stands = [&](double value) { return item(name) && item(name)->property("value").toDouble() == value; };
    start("from-disk", false);
    openSettings();
    QTRY_VERIFY(item(QStringLiteral("Memory budget in GiB")));
    QTRY_VERIFY(!item(name));
    app()->settings()->memoryBudget = 2.0 * 1024 * 1024 * 1024;
    QTRY_VERIFY(stands(2));
    app()->settings()->memoryBudget = 0;
    QTRY_VERIFY(!item(name));
    app()->models()->open(model_);
    QTRY_VERIFY(stands(1.5)); // the budget that was chosen automatically
}

void WindowMemoryTest::aSettingIsShownByItsKey_data() {
    QTest::addColumn<QString>("control"); // the name that screen readers have for it
    QTest::addColumn<bool>("searched");   // the page does not show it otherwise
    QTest::newRow("contextTokens") << QStringLiteral("Context in tokens") << false;
    QTest::newRow("fontScale") << QStringLiteral("Text size in percent") << false;
    QTest::newRow("theme") << QStringLiteral("System") << false;
    QTest::newRow("threads") << QStringLiteral("Processor threads") << true;
}

void WindowMemoryTest::aSettingIsShownByItsKey() {
    QFETCH(const QString, control);
    QFETCH(const bool, searched);
    start();
    resizeToTheSmallest();
    QVERIFY(showSetting(QString::fromLatin1(QTest::currentDataTag())));
    QTRY_COMPARE(focusName(), control);
    QVERIFY(drawn() && drawn());
    QCOMPARE(focusName(), control);
    QCOMPARE(item(QStringLiteral("Clear the search")) != nullptr, searched);
    const QQuickItem* const focus = window()->activeFocusItem();
    const QRectF whole(QPointF(), QSizeF(window()->size()));
    QVERIFY(whole.contains(focus->mapRectToScene(QRectF(0, 0, focus->width(), focus->height()))));
}

/// The field for all models has no effect on this one.
void WindowMemoryTest::aSettingThatTheModelHasItselfIsShownThere() {
    const QString key = QStringLiteral("contextTokens"), control = QStringLiteral("Context in tokens");
    start();
    app::Settings& settings = *app()->settings();
    const QString model = app()->models()->settingsKey();
    settings.setModelSettings(model, {{key, 512}});
    QVERIFY(showSetting(key));
    QTRY_COMPARE(focusName(), control);
    QVERIFY(drawn());
    type(QStringLiteral("256"));
    press(Qt::Key_Return);
    QCOMPARE(settings.modelSettings(model).value(key).toInt(), 256);
    QCOMPARE(settings.contextTokens(), 0);
}

int main(int argc, char** argv) { return runWindowTest<WindowMemoryTest>(argc, argv); }

#include "tst_window_memory.moc"
