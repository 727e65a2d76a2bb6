// SPDX-License-Identifier: Apache-2.0
// The settings by scope, used by keys and pointer: the search, the scopes, resets, presets, and the page of one chat's
// settings; and that the engine gets what the pages say.
#include "window_driver.h"

#include "common/undo_stack.h"
#include "settings/presets.h"
#include "settings/setting_texts.h"

#include <QJsonArray>
#include <QLocale>
#include <QScopeGuard>
#include <QSemaphore>
#include <QStyleHints>

#include <atomic>

using namespace coterie;
using namespace coterie::tests;
using app::Pages;

namespace {

const QString kSearch = QStringLiteral("Search in settings"), kHeat = QStringLiteral("Temperature"),
              kPrompt = QStringLiteral("System prompt"), kName = QStringLiteral("Name of the preset"),
              kReset = QStringLiteral("Remove the value of Temperature that is set here"),
              kScope = QStringLiteral("These values apply to");

} // namespace

class WindowSettingsTest : public WindowDriver {
    Q_OBJECT
  private Q_SLOTS:
    void theSearchFindsEverySetting();
    void theSearchFindsPresetsAndResets();
    void theSearchSaysWhenNothingIsFound();
    void aSearchTermIsClearedByEscape();
    void aCaretIsDrawnOnlyWithTheFocus();
    void f19ANumberOutOfRangeIsNamedAndKept();
    void numbersAreReadAsTheyAreWritten_data();
    void numbersAreReadAsTheyAreWritten();
    void f20TheSearchHasTheFocusAndCtrlF();
    void s58TheLastWordsAreSelected();
    void aPageOpenedAgainShowsAllSettings();
    void s58AValueThatIsFoundHasItsPreset();
    void theEngineGetsTheChatsTemperature();
    void everyScopeIsSetByKeys();
    void aValueSaysWhereItComesFrom();
    void aResetKeepsTheFocusAndCanBeUndone();
    void allSettingsAreReset();
    void aPresetIsMadeNamedAndUsed();
    void presetsAreCopiedAndDeleted();
    void whatIsTypedIsKeptAtOnce();
    void stopTextsEndAnAnswer();
    void theHeaderLeadsToTheChatsSettings();
    void settingsOfAChatFollowTheChat();
    void aModelHasAContextOfItsOwn();
    void tracesAreLimitedAndDeleted();
    void aGraphicsProcessorIsChosen();
    void theLookForDevicesKeepsTheFocus_data();
    void theLookForDevicesKeepsTheFocus();
    void aButtonThatDisablesItselfPassesTheFocusOn();
    void aScopeWithoutAModelSaysSo();
    void theScopeIsAMenuWhereThereIsNoRoom();
    void aSliderSetsTheSizeOfTextsWhenItIsLetGo();
    void escGivesUpASliderThatIsHeld();
    void tabReachesEveryRow();

  private:
    void openSettings(bool all = false) {
        app()->settings()->allSettings = all;
        press(Qt::Key_Comma, Qt::ControlModifier);
        QTRY_VERIFY(item(kSearch));
    }
    void openChatSettings(bool all = false) {
        app()->settings()->allSettings = all;
        press(Qt::Key_S, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_COMPARE(app()->pages()->current(), Pages::ChatSettings);
        QTRY_VERIFY(item(kHeat));
    }
    /// Returns a field by its name, which its title has too.
    QQuickItem* field(const QString& name) const { return namedItem(window(), name, QAccessible::EditableText); }
    void focusOnField(const QString& name) {
        QTRY_VERIFY2(field(name), qPrintable(name));
        field(name)->forceActiveFocus(Qt::TabFocusReason);
    }
    void write(const QString& name, const QString& text) {
        focusOnField(name);
        press(Qt::Key_A, Qt::ControlModifier);
        type(text);
        press(Qt::Key_Tab); // leaves the field
    }
    void search(const QString& words) {
        focusOnField(kSearch);
        press(Qt::Key_A, Qt::ControlModifier);
        if (words.isEmpty())
            press(Qt::Key_Delete);
        else
            type(words);
    }
    /// Chooses a scope by its radio button.
    void choose(const char* scope) {
        const auto matches = [scope](QQuickItem* at) {
            return at->inherits("QQuickRadioButton") && at->property("text").toString() == QLatin1String(scope);
        };
        QQuickItem* radio = nullptr;
        QTRY_VERIFY((radio = findItem(namedItem(window(), kScope, QAccessible::Grouping), matches)));
        radio->forceActiveFocus(Qt::TabFocusReason);
        press(Qt::Key_Space);
    }
    QString valueIn(const QString& name) const {
        return field(name) ? field(name)->property("text").toString() : QString();
    }
    engine::GenerateOptions asked() const { return control_->options().back(); }
};

void WindowSettingsTest::theSearchFindsEverySetting() {
    start("from-disk");
    openSettings();
    QVERIFY(item(QStringLiteral("Theme")) && !item(QStringLiteral("Seed")));
    search(QStringLiteral("seed"));
    QTRY_VERIFY(item(QStringLiteral("Seed"))); // one of the rarer settings
    QVERIFY(shows("1 found"));
    QVERIFY(!item(QStringLiteral("Theme")) && !item(QStringLiteral("Memory budget in GiB")));
    search(QStringLiteral("lossy")); // a synonym; these two have items of their own
    QTRY_VERIFY(item(QStringLiteral("Prefer experts that are in memory")));
    QVERIFY(shows("2 found"));
    QVERIFY(!item(QStringLiteral("Seed")));
    for (const app::SettingText& text : app::settingTexts()) {
        if (text.key == QStringLiteral("unusedPackedFiles") || text.key == QStringLiteral("packedFile")) continue;
        if (text.key == QStringLiteral("device")) continue; // this program has no other than the processor
        search(text.title);
        QTRY_VERIFY2(shownTexts().contains(text.title), qPrintable(text.title));
    }
    search({});
    QTRY_VERIFY(item(QStringLiteral("Theme")) && !item(QStringLiteral("Seed")));
}

void WindowSettingsTest::theSearchFindsPresetsAndResets() {
    start();
    openSettings();
    search(QStringLiteral("preset"));
    QTRY_VERIFY(item(QStringLiteral("Make a preset of these values")));
    QVERIFY(!item(kHeat) && !item(QStringLiteral("Reset all")));
    choose("Presets");
    QTRY_VERIFY(item(QStringLiteral("New preset")));
    search(QStringLiteral("reset"));
    QTRY_VERIFY(item(QStringLiteral("Reset all")));
    QVERIFY(item(QStringLiteral("Reset this preset")));
    QVERIFY(!item(kHeat));
    press(Qt::Key_Escape);
    press(Qt::Key_Escape);
    openChatSettings();
    search(QStringLiteral("preset"));
    QTRY_VERIFY(!item(kHeat));
    QVERIFY(item(QStringLiteral("Preset: No preset")));
    search(QStringLiteral("reset"));
    QTRY_VERIFY(item(QStringLiteral("Remove this chat's values")));
}

void WindowSettingsTest::theSearchSaysWhenNothingIsFound() {
    start();
    openSettings();
    search(QStringLiteral("xyzzy"));
    QTRY_VERIFY(shows("No setting contains these words."));
    QVERIFY(shows("0 found"));
    QVERIFY(!item(kHeat) && !item(kScope) && !item(QStringLiteral("Reset all")));
    click(QStringLiteral("Show the settings again"));
    QTRY_VERIFY(item(kHeat));
    QCOMPARE(window()->activeFocusItem(), field(kSearch)); // the user can go on searching
    QVERIFY(!shows("No setting contains these words."));
}

void WindowSettingsTest::aSearchTermIsClearedByEscape() {
    start();
    openSettings();
    search(QStringLiteral("theme"));
    QTRY_VERIFY(!item(kHeat));
    press(Qt::Key_Escape);
    QTRY_VERIFY(item(kHeat));
    QCOMPARE(app()->pages()->current(), Pages::Settings);
    press(Qt::Key_Escape);
    QTRY_COMPARE(app()->pages()->current(), Pages::Chat);
}

/// A field that lost the focus with its page was shown again with its caret.
void WindowSettingsTest::aCaretIsDrawnOnlyWithTheFocus() {
    QStyleHints* const hints = QGuiApplication::styleHints();
    const auto asBefore = qScopeGuard([=, was = hints->cursorFlashTime()] { hints->setCursorFlashTime(was); });
    hints->setCursorFlashTime(0); // it does not blink
    start();
    openChatSettings();
    QTRY_COMPARE(window()->activeFocusItem(), field(kSearch));
    const auto picture = [this] {
        const QQuickItem* const at = field(kPrompt);
        return window()->grabWindow().copy(at->mapRectToScene(QRectF(0, 0, at->width(), at->height())).toRect());
    };
    QVERIFY(drawn() && drawn());
    const QImage without = picture();
    click(kPrompt, QAccessible::EditableText);
    QVERIFY(drawn());
    QVERIFY(picture() != without);
    press(Qt::Key_Escape);
    QTRY_COMPARE(app()->pages()->current(), Pages::Chat);
    QVERIFY(drawn());
    openChatSettings();
    QTRY_COMPARE(window()->activeFocusItem(), field(kSearch));
    QVERIFY(drawn());
    QCOMPARE(picture(), without);
}

void WindowSettingsTest::f19ANumberOutOfRangeIsNamedAndKept() {
    start();
    openSettings();
    const QString before = valueIn(kHeat);
    write(kHeat, QStringLiteral("9"));
    QTRY_VERIFY(shows("A number from 0 to 2."));
    QCOMPARE(valueIn(kHeat), QStringLiteral("9"));
    focusOnField(kHeat);
    press(Qt::Key_Escape);
    QCOMPARE(valueIn(kHeat), before);
    QVERIFY(!shows("A number from 0 to 2."));
    QCOMPARE(app()->pages()->current(), Pages::Settings);
    press(Qt::Key_Escape); // it has nothing to take back any more
    QTRY_COMPARE(app()->pages()->current(), Pages::Chat);
}

void WindowSettingsTest::numbersAreReadAsTheyAreWritten_data() {
    QTest::addColumn<QLocale>("language");
    QTest::addColumn<QString>("grouped"); // 4096
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("shown"); // 1.5
    QTest::addColumn<QString>("range");
    QTest::newRow("English") << QLocale(QLocale::English, QLocale::UnitedStates) << QStringLiteral("4,096")
                             << QStringLiteral("1,5") << QStringLiteral("1.5")
                             << QStringLiteral("A whole number from 0 to 1,048,576.");
    QTest::newRow("German") << QLocale(QLocale::German, QLocale::Germany) << QStringLiteral("4.096")
                            << QStringLiteral("1.5") << QStringLiteral("1,5")
                            << QStringLiteral("A whole number from 0 to 1.048.576.");
}

/// The fields refused "4,096", as all texts write it.
void WindowSettingsTest::numbersAreReadAsTheyAreWritten() {
    QFETCH(const QLocale, language);
    QFETCH(const QString, grouped);
    QFETCH(const QString, typed);
    QFETCH(const QString, shown);
    QFETCH(const QString, range);
    const auto asBefore = qScopeGuard([was = QLocale()] { QLocale::setDefault(was); });
    start();
    QLocale::setDefault(language); // start() has set English
    openChatSettings(true);
    const QString penalties = QStringLiteral("Penalty window in tokens");
    const auto value = [this](const char* key) {
        return app()->conversation()->settings().value(QLatin1String(key)).toDouble();
    };
    write(penalties, grouped);
    QTRY_COMPARE(value("penaltyWindow"), 4096.0);
    QCOMPARE(valueIn(penalties), QStringLiteral("4096"));
    write(penalties, QStringLiteral("4,09"));
    QTRY_VERIFY(shows(qPrintable(range)));
    QCOMPARE(value("penaltyWindow"), 4096.0);
    write(kHeat, typed);
    QTRY_COMPARE(value("temperature"), 1.5);
    QCOMPARE(valueIn(kHeat), shown);
}

void WindowSettingsTest::f20TheSearchHasTheFocusAndCtrlF() {
    start();
    openSettings();
    QTRY_COMPARE(window()->activeFocusItem(), field(kSearch));
    focusOnField(kHeat);
    press(Qt::Key_F, Qt::ControlModifier);
    QCOMPARE(app()->pages()->current(), Pages::Settings);
    QCOMPARE(window()->activeFocusItem(), field(kSearch));
    focusOnField(kHeat);
    press(Qt::Key_Escape);
    QTRY_COMPARE(app()->pages()->current(), Pages::Chat);
    press(Qt::Key_Comma, Qt::ControlModifier); // opened again, it begins there again
    QTRY_COMPARE(window()->activeFocusItem(), field(kSearch));
    press(Qt::Key_Escape);
    openChatSettings();
    QTRY_COMPARE(window()->activeFocusItem(), field(kSearch));
    focusOnField(kHeat);
    press(Qt::Key_F, Qt::ControlModifier);
    QCOMPARE(app()->pages()->current(), Pages::ChatSettings);
    QCOMPARE(window()->activeFocusItem(), field(kSearch));
}

/// "tools" and "more" made "toolsmore": the words of the last search were kept, with the cursor behind them.
void WindowSettingsTest::s58TheLastWordsAreSelected() {
    start();
    openSettings();
    type(QStringLiteral("tools"));
    QTRY_VERIFY(!item(kHeat));
    press(Qt::Key_F1);
    QTRY_COMPARE(app()->pages()->current(), Pages::Shortcuts);
    press(Qt::Key_Escape);
    QTRY_VERIFY(field(kSearch) && field(kSearch)->hasActiveFocus());
    QCOMPARE(valueIn(kSearch), QStringLiteral("tools"));
    type(QStringLiteral("temp"));
    QCOMPARE(valueIn(kSearch), QStringLiteral("temp"));
    focusOnField(kHeat);
    press(Qt::Key_F, Qt::ControlModifier); // another search on the page
    type(QStringLiteral("seed"));
    QCOMPARE(valueIn(kSearch), QStringLiteral("seed"));
    press(Qt::Key_F, Qt::ControlModifier); // the field has the focus
    type(QStringLiteral("theme"));
    QCOMPARE(valueIn(kSearch), QStringLiteral("theme"));
}

void WindowSettingsTest::aPageOpenedAgainShowsAllSettings() {
    start();
    const auto opensUnfiltered = [this] {
        openSettings();
        QTRY_COMPARE(window()->activeFocusItem(), field(kSearch));
        QCOMPARE(valueIn(kSearch), QString());
        QVERIFY(item(kHeat));
    };
    opensUnfiltered();
    type(QStringLiteral("dark"));
    QTRY_VERIFY(!item(kHeat));
    click(QStringLiteral("Back to the conversation"));
    QTRY_COMPARE(app()->pages()->current(), Pages::Chat);
    opensUnfiltered();
    press(Qt::Key_Z, Qt::ControlModifier); // the words do not come back
    QCOMPARE(valueIn(kSearch), QString());
    type(QStringLiteral("dark"));
    press(Qt::Key_F1);
    QTRY_COMPARE(app()->pages()->current(), Pages::Shortcuts);
    press(Qt::Key_L, Qt::ControlModifier); // closes both pages
    QTRY_COMPARE(app()->pages()->current(), Pages::Chat);
    opensUnfiltered();
    press(Qt::Key_Escape);
    openChatSettings();
    QTRY_COMPARE(window()->activeFocusItem(), field(kSearch));
    type(QStringLiteral("seed"));
    QTRY_VERIFY(!item(kHeat));
    press(Qt::Key_Comma, Qt::ControlModifier); // takes its place
    QTRY_COMPARE(app()->pages()->current(), Pages::Settings);
    openChatSettings();
    QCOMPARE(valueIn(kSearch), QString());
}

void WindowSettingsTest::s58AValueThatIsFoundHasItsPreset() {
    start();
    openSettings();
    choose("Presets");
    QTRY_VERIFY(field(kName));
    const QString preset = QStringLiteral("Preset: ") + valueIn(kName);
    QVERIFY(item(preset));
    search(QStringLiteral("temperature"));
    QTRY_VERIFY(!field(kName));
    QVERIFY(field(kHeat));
    QVERIFY2(item(preset), qPrintable(preset));
    QVERIFY(!item(QStringLiteral("New preset")));
    search(QStringLiteral("theme"));
    QTRY_VERIFY(!field(kHeat));
    QVERIFY(!item(preset));
}

void WindowSettingsTest::theEngineGetsTheChatsTemperature() {
    start();
    openChatSettings(true);
    write(kHeat, QStringLiteral("0.3"));
    write(QStringLiteral("Top-k"), QStringLiteral("7"));
    press(Qt::Key_Escape);
    talk(QStringLiteral("Hello"));
    QCOMPARE(asked().sampling.temperature, 0.3F);
    QCOMPARE(asked().sampling.topK, 7);
    press(Qt::Key_N, Qt::ControlModifier);
    talk(QStringLiteral("Other"));
    QCOMPARE(asked().sampling.temperature, 0.8F); // another chat
    QCOMPARE(app()->settings()->temperature(), 0.8);
}

void WindowSettingsTest::everyScopeIsSetByKeys() {
    start();
    openSettings();
    const std::vector<std::pair<const char*, double>> scopes{
        {"All chats", 0.1}, {"This model", 0.3}, {"Presets", 0.4}, {"This chat", 0.6}};
    for (const auto& [scope, value] : scopes) {
        choose(scope);
        write(kHeat, QString::number(value));
        QTRY_COMPARE(valueIn(kHeat), QString::number(value));
    }
    const QString key = QStringLiteral("temperature");
    QCOMPARE(app()->settings()->temperature(), 0.1);
    QCOMPARE(app()->settings()->modelSettings(app()->models()->settingsKey()).value(key).toDouble(), 0.3);
    QCOMPARE(app()->presets()->values(app()->presets()->first()).value(key).toDouble(), 0.4);
    QCOMPARE(app()->conversation()->settings().value(key).toDouble(), 0.6);
    for (const auto& [scope, value] : scopes) { // each scope still shows its own
        choose(scope);
        QTRY_COMPARE(valueIn(kHeat), QString::number(value));
    }
}

void WindowSettingsTest::aValueSaysWhereItComesFrom() {
    start();
    openChatSettings();
    QVERIFY(shows("Default"));
    click(QStringLiteral("Preset: No preset"));
    QTRY_VERIFY(namedItem(window(), QStringLiteral("Precise"), QAccessible::MenuItem));
    click(QStringLiteral("Precise"));
    QTRY_VERIFY(shows("From the preset Precise"));
    QCOMPARE(valueIn(kHeat), QStringLiteral("0.2"));
    press(Qt::Key_Escape);
    talk(QStringLiteral("Hello"));
    QCOMPARE(asked().sampling.temperature, 0.2F);
    QCOMPARE(asked().sampling.minP, 0.1F);
}

void WindowSettingsTest::aResetKeepsTheFocusAndCanBeUndone() {
    start();
    openChatSettings();
    QVERIFY(!item(kReset));
    write(kHeat, QStringLiteral("0.3"));
    QTRY_VERIFY(item(kReset));
    focusOn(kReset);
    press(Qt::Key_Return);
    QTRY_COMPARE(valueIn(kHeat), QStringLiteral("0.8"));
    QTRY_VERIFY(!item(kReset));
    QCOMPARE(window()->activeFocusItem(), field(kHeat)); // not lost with the button
    focusOn(QStringLiteral("Make a preset of these values"));
    press(Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE(valueIn(kHeat), QStringLiteral("0.3"));
    use("Remove this chat's values");
    QTRY_COMPARE(valueIn(kHeat), QStringLiteral("0.8"));
    QTRY_VERIFY(!item(QStringLiteral("Remove this chat's values"))->isEnabled());
}

void WindowSettingsTest::allSettingsAreReset() {
    start();
    openSettings();
    click(QStringLiteral("Dark"));
    write(kHeat, QStringLiteral("0.3"));
    QTRY_COMPARE(app()->settings()->temperature(), 0.3);
    use("Reset all");
    QTRY_COMPARE(app()->settings()->theme(), QStringLiteral("system"));
    QCOMPARE(app()->settings()->temperature(), 0.8);
    press(Qt::Key_Z, Qt::ControlModifier);
    QTRY_COMPARE(app()->settings()->theme(), QStringLiteral("dark"));
    QCOMPARE(app()->settings()->temperature(), 0.3);
    QTRY_VERIFY(!item(QStringLiteral("Undo"))); // it is undone already
    use("Reset all");
    QTRY_COMPARE(app()->settings()->temperature(), 0.8);
    use("Undo"); // the bar's button
    QTRY_COMPARE(app()->settings()->temperature(), 0.3);
    QTRY_VERIFY(!item(QStringLiteral("Undo")));
}

void WindowSettingsTest::aPresetIsMadeNamedAndUsed() {
    start();
    openChatSettings();
    write(kHeat, QStringLiteral("1.5"));
    use("Make a preset of these values");
    QTRY_COMPARE(window()->activeFocusItem(), field(kName)); // it wants a name
    type(QStringLiteral("Poems"));
    press(Qt::Key_Return);
    QTRY_VERIFY(item(QStringLiteral("Preset: Poems")));
    QCOMPARE(valueIn(kHeat), QStringLiteral("1.5"));
    write(kName, QStringLiteral("Creative")); // taken: the name stays
    QTRY_COMPARE(valueIn(kName), QStringLiteral("Poems"));
    QVERIFY(shows("Another preset has the name Creative already. This one is still called Poems."));
    write(kName, QStringLiteral(" "));
    QTRY_VERIFY(shows("A preset needs a name. This one is still called Poems."));
    write(kName, QStringLiteral("Poem"));
    QTRY_VERIFY(!shows("is still called") && !shows("A preset needs a name"));
    write(kName, QStringLiteral("Poems"));
    press(Qt::Key_Escape);
    talk(QStringLiteral("One"));
    press(Qt::Key_N, Qt::ControlModifier);
    openChatSettings();
    QCOMPARE(valueIn(kHeat), QStringLiteral("0.8"));
    click(QStringLiteral("Preset: No preset"));
    QTRY_VERIFY(namedItem(window(), QStringLiteral("Poems"), QAccessible::MenuItem));
    click(QStringLiteral("Poems"));
    QTRY_COMPARE(valueIn(kHeat), QStringLiteral("1.5"));
    press(Qt::Key_Escape);
    talk(QStringLiteral("Two"));
    QCOMPARE(asked().sampling.temperature, 1.5F);
}

void WindowSettingsTest::presetsAreCopiedAndDeleted() {
    start();
    openSettings();
    choose("Presets");
    QTRY_VERIFY(item(QStringLiteral("Preset: Precise")));
    use("Duplicate");
    QTRY_VERIFY(item(QStringLiteral("Preset: Precise 2")));
    QCOMPARE(app()->presets()->count(), 4);
    use("Delete the preset Precise 2");
    QTRY_COMPARE(app()->presets()->count(), 3);
    for (const char* name : {"Precise", "Balanced", "Creative"})
        use(qPrintable(QStringLiteral("Delete the preset %1").arg(QLatin1String(name))));
    QTRY_VERIFY(shows("There are no presets."));
    QVERIFY(!item(kHeat));
    QCOMPARE(window()->activeFocusItem(), item(QStringLiteral("New preset"))); // the other button is gone
    use("Bring back Coterie's presets");
    QTRY_VERIFY(item(QStringLiteral("Preset: Precise")));
    QTRY_VERIFY(item(kHeat));
}

/// The window may be closed, or the program killed, while the cursor is still in the field.
void WindowSettingsTest::whatIsTypedIsKeptAtOnce() {
    start();
    talk(QStringLiteral("Hello"));
    openChatSettings();
    focusOnField(kPrompt);
    type(QStringLiteral("Answer in rhymes"));
    QCOMPARE(app()->conversation()->settings().systemPrompt(), QStringLiteral("Answer in rhymes"));
    const qint64 chat = app()->conversation()->chatId();
    QVERIFY(window()->close());
    fixture_->stop();
    QVERIFY(fixture_->start(model_));
    QTRY_COMPARE(app()->conversation()->chatId(), chat);
    QCOMPARE(app()->conversation()->settings().systemPrompt(), QStringLiteral("Answer in rhymes"));
    QTRY_VERIFY(app()->models()->state() == app::ModelController::Ready);
    talk(QStringLiteral("Again"));
    const auto conversation = control_->conversations().back();
    QCOMPARE(QString::fromStdString(engine::joinedText(conversation.front().parts)),
             QStringLiteral("Answer in rhymes"));
}

void WindowSettingsTest::stopTextsEndAnAnswer() {
    start();
    openSettings(true);
    focusOnField(QStringLiteral("Stop texts"));
    type(QStringLiteral("END"));
    press(Qt::Key_Return);
    type(QStringLiteral("User:"));
    QCOMPARE(app()->settings()->value(QStringLiteral("stopTexts")).toArray().size(), 2);
    press(Qt::Key_Return); // an empty line is no text, but stays while it is written
    QCOMPARE(valueIn(QStringLiteral("Stop texts")), QStringLiteral("END\nUser:\n"));
    press(Qt::Key_Tab);
    QTRY_COMPARE(valueIn(QStringLiteral("Stop texts")), QStringLiteral("END\nUser:"));
    press(Qt::Key_Escape);
    talk(QStringLiteral("Hello"));
    QCOMPARE(asked().stop, (std::vector<std::string>{"END", "User:"}));
}

void WindowSettingsTest::theHeaderLeadsToTheChatsSettings() {
    start();
    const QString button = QStringLiteral("Settings of this chat (Ctrl+Shift+S)");
    QTRY_VERIFY(item(button));
    QVERIFY(!item(button)->property("checked").toBool());
    click(button);
    QTRY_COMPARE(app()->pages()->current(), Pages::ChatSettings);
    write(kHeat, QStringLiteral("0.3"));
    press(Qt::Key_Escape);
    QTRY_VERIFY(item(button) && item(button)->property("checked").toBool()); // this chat has settings of its own
}

void WindowSettingsTest::settingsOfAChatFollowTheChat() {
    start();
    talk(QStringLiteral("One"));
    const qint64 one = app()->conversation()->chatId();
    openChatSettings();
    write(kHeat, QStringLiteral("0.3"));
    app()->conversation()->newChat();
    QTRY_COMPARE(valueIn(kHeat), QStringLiteral("0.8"));
    app()->conversation()->openChat(one);
    QTRY_COMPARE(valueIn(kHeat), QStringLiteral("0.3"));
    QVERIFY(shows("One"));
}

void WindowSettingsTest::aModelHasAContextOfItsOwn() {
    start();
    openSettings(true);
    choose("This model");
    const QString context = QStringLiteral("Context in tokens");
    // The first field is that of all models, further up.
    const auto field = [&] {
        QQuickItem* last = nullptr;
        for (QAccessibleInterface* node : accessibleNodes(window()))
            if (node->role() == QAccessible::EditableText && node->text(QAccessible::Name) == context)
                last = qobject_cast<QQuickItem*>(node->object());
        return last;
    };
    QTRY_VERIFY(shows("What follows applies when this model is opened:"));
    QTRY_VERIFY(field() && field() != this->field(context));
    field()->forceActiveFocus(Qt::TabFocusReason);
    press(Qt::Key_A, Qt::ControlModifier);
    type(QStringLiteral("2048"));
    press(Qt::Key_Tab);
    QTRY_VERIFY(app()->models()->outdated());
    QCOMPARE(app()->settings()->contextTokens(), 0); // the other models keep theirs
    QVERIFY(shows("has a value of its own: see \"This model\" below."));
    use("Open the model again");
    QTRY_VERIFY(!app()->models()->outdated());
    QTRY_COMPARE(app()->models()->state(), app::ModelController::Ready);
    QCOMPARE(app()->models()->openInfo()->memory.context, int64_t{2048});
    app()->settings()->contextTokens = 512; // concerns the others
    QVERIFY(!app()->models()->outdated());
}

void WindowSettingsTest::tracesAreLimitedAndDeleted() {
    start("from-disk");
    talk(QStringLiteral("Hello"));
    QTRY_VERIFY(app()->records()->bytes() > 0);
    openSettings(true);
    search(QStringLiteral("trace"));
    QTRY_VERIFY(shows("All records take "));
    write(QStringLiteral("Room for records in MiB"), QStringLiteral("5"));
    QTRY_COMPARE(app()->settings()->tracesLimit(), 5.0 * 1024 * 1024);
    click(QStringLiteral("Don't keep"));
    QTRY_VERIFY(!app()->settings()->tracesKept());
    click(QStringLiteral("Delete all records"));
    QTRY_VERIFY(shows("There are none now."));
    QCOMPARE(app()->records()->bytes(), 0.0);
    QVERIFY(!item(QStringLiteral("Delete all records"))->isEnabled());
    press(Qt::Key_N, Qt::ControlModifier);
    talk(QStringLiteral("Again"));
    app()->records()->recount();
    QCOMPARE(app()->records()->bytes(), 0.0);
}

/// By keys. Drivers are asked once, and not before the page is shown.
void WindowSettingsTest::aGraphicsProcessorIsChosen() {
    std::atomic<int> lists{0};
    devices_.list = [&lists] {
        ++lists;
        return std::vector<engine::DeviceInfo>{
            {.name = "card:0", .description = "A card", .memory = 1 << 30},
            {.name = "card:1", .description = "An old card", .problem = "Its driver is too old"}};
    };
    start();
    QCOMPARE(lists.load(), 0);
    const auto chosen = [this](const char* name) {
        return item(QStringLiteral("Computed by: %1").arg(QLatin1String(name)));
    };
    openSettings();
    search(QStringLiteral("graphics"));
    const QString look = QStringLiteral("Look for graphics processors");
    QTRY_VERIFY(item(look));
    QCOMPARE(lists.load(), 0); // opening drivers takes seconds and may ask the system for more
    focusOn(look);
    press(Qt::Key_Return);
    QTRY_VERIFY(chosen("Processor"));
    QVERIFY(!item(look));
    QTRY_VERIFY(shows("An old card can't be used: Its driver is too old."));
    focusOn(QStringLiteral("Computed by: Processor"));
    press(Qt::Key_Return);
    QTRY_VERIFY(namedItem(window(), QStringLiteral("A card"), QAccessible::MenuItem));
    QVERIFY(!namedItem(window(), QStringLiteral("An old card"), QAccessible::MenuItem));
    press(Qt::Key_Down);
    press(Qt::Key_Return);
    QTRY_VERIFY(chosen("A card"));
    QVERIFY(shows("It passed its self-test."));
    QCOMPARE(app()->settings()->device(), QStringLiteral("card:0"));
    QCOMPARE(app()->models()->openOptions().device, std::string("card:0"));
    QVERIFY(app()->models()->outdated());
    QCOMPARE(lists.load(), 1);
    fixture_->stop();
    QVERIFY(fixture_->start(model_));
    openSettings();
    QTRY_VERIFY(chosen("A card"));
}

void WindowSettingsTest::theLookForDevicesKeepsTheFocus_data() {
    QTest::addColumn<bool>("some");
    QTest::newRow("a card is found") << true;
    QTest::newRow("none is found") << false;
}

void WindowSettingsTest::theLookForDevicesKeepsTheFocus() {
    QFETCH(const bool, some);
    const auto answered = std::make_shared<QSemaphore>(); // the drivers have answered
    const auto answers = qScopeGuard([answered] { answered->release(); });
    devices_.list = [answered, some] {
        answered->acquire();
        std::vector<engine::DeviceInfo> found;
        if (some) found.push_back({.name = "card:0", .description = "A card", .memory = 1 << 30});
        return found;
    };
    start();
    openSettings();
    search(QStringLiteral("graphics"));
    const QString look = QStringLiteral("Look for graphics processors"),
                  choice = QStringLiteral("Computed by: Processor");
    focusOn(look);
    press(Qt::Key_Space);
    QTRY_VERIFY(app()->devices()->looking());
    QVERIFY(drawn());
    QCOMPARE(window()->activeFocusItem(), item(look));
    answered->release();
    QTRY_VERIFY(item(choice));
    if (some) QTRY_COMPARE(window()->activeFocusItem(), item(choice));
    QVERIFY(drawn());
    QVERIFY(window()->activeFocusItem()->isVisible() && window()->activeFocusItem()->activeFocusOnTab());
    QCOMPARE(app()->pages()->current(), Pages::Settings);
}

void WindowSettingsTest::aButtonThatDisablesItselfPassesTheFocusOn() {
    start("from-disk");
    openSettings();
    app()->settings()->memoryBudget = 2.0 * 1024 * 1024 * 1024;
    write(kHeat, QStringLiteral("0.3"));
    for (const char* name : {"Let Coterie choose", "Reset these values to their defaults"}) {
        const QString button = QString::fromLatin1(name);
        QTRY_VERIFY2(item(button) && item(button)->isEnabled(), name);
        use(name);
        QTRY_VERIFY2(!item(button)->isEnabled(), name);
        const QQuickItem* const focus = window()->activeFocusItem();
        QVERIFY2(focus && focus->isVisible() && focus->activeFocusOnTab(), name); // a page is no such item
    }
}

void WindowSettingsTest::aScopeWithoutAModelSaysSo() {
    start("story", false);
    openSettings();
    choose("This model");
    QTRY_VERIFY(shows("Open a model to give it values of its own."));
    QVERIFY(!item(kHeat));
}

void WindowSettingsTest::theScopeIsAMenuWhereThereIsNoRoom() {
    start();
    window()->resize(640, 640);
    app()->settings()->fontScale = 2;
    openSettings();
    const QString menu = kScope + QStringLiteral(": All chats");
    focusOn(menu);
    press(Qt::Key_Return);
    QTRY_VERIFY(namedItem(window(), QStringLiteral("This model"), QAccessible::MenuItem));
    click(QStringLiteral("This model"));
    QTRY_VERIFY(item(kScope + QStringLiteral(": This model")));
    QVERIFY(shows("whenever Scripted answers"));
}

void WindowSettingsTest::tabReachesEveryRow() {
    start("from-disk");
    openChatSettings(true);
    QStringList seen;
    const QQuickItem* first = window()->activeFocusItem();
    do {
        press(Qt::Key_Tab);
        QQuickItem* at = window()->activeFocusItem();
        QVERIFY(at);
        QAccessibleInterface* node = QAccessible::queryAccessibleInterface(at);
        seen.append(node ? node->text(QAccessible::Name) : QString());
    } while (window()->activeFocusItem() != first && seen.size() < 200);
    for (const char* name :
         {"Search in settings", "Preset: No preset", "System prompt", "Temperature", "Longest answer in tokens",
          "Top-p", "Top-k", "Min-p", "Repetition penalty", "Presence penalty", "Frequency penalty",
          "Penalty window in tokens", "Seed", "Stop texts", "Show fewer settings"})
        QVERIFY2(seen.contains(QLatin1String(name)), name);
    QVERIFY(!seen.contains(QString()));
}

/// The page grew under the pressed pointer, which was at another value then: a click at the end set 170 %.
void WindowSettingsTest::aSliderSetsTheSizeOfTextsWhenItIsLetGo() {
    start();
    window()->resize(900, 500);
    openSettings();
    focusOn(QStringLiteral("Text size in percent")); // brings it into view
    QVERIFY(drawn());
    const QQuickItem* const slider = item(QStringLiteral("Text size in percent"));
    const QPoint end = slider->mapToScene(QPointF(slider->width() - 2, slider->height() / 2)).toPoint();
    QTest::mousePress(window(), Qt::LeftButton, Qt::NoModifier, end);
    QVERIFY(drawn() && drawn());
    QCOMPARE(app()->settings()->fontScale(), 1.0);
    QVERIFY(shows("200 %"));
    QTest::mouseRelease(window(), Qt::LeftButton, Qt::NoModifier, end);
    QTRY_COMPARE(app()->settings()->fontScale(), 2.0);
    QVERIFY(drawn() && drawn());
    QCOMPARE(app()->settings()->fontScale(), 2.0);
    press(Qt::Key_Left); // keys set it at once
    QCOMPARE(app()->settings()->fontScale(), 1.9);
}

/// The page closed, and the value stayed.
void WindowSettingsTest::escGivesUpASliderThatIsHeld() {
    start();
    window()->resize(900, 500);
    openSettings();
    focusOn(QStringLiteral("Text size in percent"));
    QVERIFY(drawn());
    const QQuickItem* const slider = item(QStringLiteral("Text size in percent"));
    const QPoint end = slider->mapToScene(QPointF(slider->width() - 2, slider->height() / 2)).toPoint();
    QTest::mousePress(window(), Qt::LeftButton, Qt::NoModifier, end);
    QTRY_VERIFY(shows("200 %"));
    press(Qt::Key_Escape);
    QTRY_COMPARE(slider->property("pointed").toDouble(), 100.0);
    QTest::mouseRelease(window(), Qt::LeftButton, Qt::NoModifier, end);
    QVERIFY(drawn() && drawn());
    QCOMPARE(app()->settings()->fontScale(), 1.0);
    QCOMPARE(app()->pages()->current(), Pages::Settings);
    press(Qt::Key_Escape); // nothing is held any more
    QTRY_COMPARE(app()->pages()->current(), Pages::Chat);
}

int main(int argc, char** argv) { return runWindowTest<WindowSettingsTest>(argc, argv); }

#include "tst_window_settings.moc"
