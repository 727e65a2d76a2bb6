// SPDX-License-Identifier: Apache-2.0
// The settings as the pages show and change them: the scopes and where a value comes from, resets and their undo, the
// rows of a page under QAbstractItemModelTester, and the search.
#include "app/app_bench.h"
#include "common/language.h"
#include "common/undo_stack.h"
#include "settings/presets.h"
#include "settings/setting_texts.h"
#include "shell/setting_editor.h"
#include "shell/setting_rows.h"
#include "shell/setting_search.h"

#include <QAbstractItemModelTester>
#include <QJsonArray>
#include <QSet>
#include <QSignalSpy>
#include <QtTest>

using namespace coterie;
using namespace coterie::app;
using namespace coterie::test;

namespace {

const QString kHeat = QStringLiteral("temperature"), kPrompt = QStringLiteral("systemPrompt"),
              kStop = QStringLiteral("stopTexts"), kPrecise = QStringLiteral("precise");

QVariant of(const SettingRows& rows, const QString& key, int role) {
    return rows.index(static_cast<int>(rows.keys().indexOf(key))).data(role);
}

} // namespace

class TestSettingEditor : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void initTestCase() { QVERIFY(useLanguage()); }
    void init();
    void everyScopeSaysWhereAValueComesFrom();
    void aScopeKeepsItsValues();
    void theModelsScopeNeedsAModel();
    void thePresetsScopeNeedsAPreset();
    void theChatChoosesItsPreset();
    void resetsCanBeUndone();
    void everyChangeIsAStep();
    void gradualChangesAreOneStep();
    void aSliderThatIsGivenUpLeavesNothing();
    void aChangeEndsWhatCanBeRedone();
    void theChoiceOfAPresetIsUndone();
    void changesOfPresetsAreUndone();
    void presetsThatCameBackGoAgain();
    void thePresetThatWasShownBeforeIsShownAgain();
    void aNewChatsStepsEndWithItsFirstMessage();
    void anUndoneChangeReachesTheOtherSide();
    void aStepOfATemporaryChatEndsWithIt();
    void resetAllLeavesOtherScopesAlone();
    void aPresetThatCameWithTheProgramIsResetToItsValues();
    void anUndoneResetGoesWhereItCameFrom();
    void aPresetIsMadeOfTheValuesThatHold();
    void aDeletedPresetComesBackWithUndo();
    void theProgramIsResetAsAWhole();
    void aValueThatCannotBeKeptIsTold();
    void rowsShowValuesInTheirUnits();
    void rowsTellOnlyWhatChanged();
    void stopTextsAreLines();
    void everySettingHasATextAndIsFound();
    void searchFindsWords();
    void searchPrefersTheBeginningsOfWords();
    void searchFindsPages_data();
    void searchFindsPages();
    void searchLeavesOutWhatIsAbsent();

  private:
    SettingEditor& in(ChatSettings::Layer layer) {
        editor_->setLayer(layer);
        return *editor_;
    }
    double heat(ChatSettings::Layer layer) { return in(layer).value(kHeat).toDouble(); }

    std::unique_ptr<AppBench> bench_;
    std::unique_ptr<SettingEditor> editor_;
};

void TestSettingEditor::init() {
    editor_.reset();
    bench_ = std::make_unique<AppBench>();
    OPEN_MODEL(*bench_);
    editor_ = std::make_unique<SettingEditor>();
    editor_->setApp(&bench_->app());
    editor_->setConversation(&bench_->chat());
}

void TestSettingEditor::everyScopeSaysWhereAValueComesFrom() {
    const auto source = [this](ChatSettings::Layer layer) { return in(layer).source(kHeat); };
    QCOMPARE(source(ChatSettings::Program), QString());
    QCOMPARE(source(ChatSettings::Chat), QStringLiteral("Default"));
    in(ChatSettings::Program).set(kHeat, 0.1);
    QCOMPARE(source(ChatSettings::Chat), QStringLiteral("From the settings of all chats"));
    in(ChatSettings::Model).set(kHeat, 0.3);
    QCOMPARE(source(ChatSettings::Model), QString());
    QCOMPARE(source(ChatSettings::Chat), QStringLiteral("From the settings of Scripted"));
    editor_->setChatPreset(kPrecise);
    QCOMPARE(source(ChatSettings::Chat), QStringLiteral("From the preset Precise"));
    in(ChatSettings::Chat).set(kHeat, 0.9);
    QCOMPARE(source(ChatSettings::Chat), QString());
    for (const auto layer : {ChatSettings::Program, ChatSettings::Model, ChatSettings::Preset, ChatSettings::Chat}) {
        QVERIFY(in(layer).isSet(kHeat));
        QVERIFY(!in(layer).explanation().isEmpty());
    }
    QCOMPARE(heat(ChatSettings::Program), 0.1);
    QCOMPARE(heat(ChatSettings::Model), 0.3);
    QCOMPARE(heat(ChatSettings::Preset), 0.2);
    QCOMPARE(heat(ChatSettings::Chat), 0.9);
    QCOMPARE(bench_->chat().settings().value(kHeat).toDouble(), 0.9); // and this is what the answer gets
}

void TestSettingEditor::aScopeKeepsItsValues() {
    const QString preset = bench_->app().presets()->add(QStringLiteral("Mine"), {});
    editor_->setPreset(preset);
    double value = 0.1;
    for (const auto layer : {ChatSettings::Program, ChatSettings::Model, ChatSettings::Preset, ChatSettings::Chat})
        in(layer).set(kHeat, value += 0.1);
    QCOMPARE(bench_->app().settings()->temperature(), 0.2);
    editor_.reset();
    bench_->restart();
    OPEN_MODEL(*bench_);
    editor_ = std::make_unique<SettingEditor>();
    editor_->setApp(&bench_->app());
    editor_->setConversation(&bench_->chat());
    editor_->setPreset(preset);
    value = 0.1;
    for (const auto layer : {ChatSettings::Program, ChatSettings::Model, ChatSettings::Preset, ChatSettings::Chat})
        QCOMPARE(heat(layer), value += 0.1);
    in(ChatSettings::Chat).set(kHeat, 99); // out of range
    QCOMPARE(heat(ChatSettings::Chat), 2.0);
}

void TestSettingEditor::theModelsScopeNeedsAModel() {
    in(ChatSettings::Model).set(kHeat, 0.3);
    QVERIFY(editor_->possible());
    bench_->models().close();
    QVERIFY(!editor_->possible());
    QCOMPARE(editor_->explanation(), QStringLiteral("Open a model to give it values of its own."));
    editor_->set(kHeat, 0.4);
    editor_->resetAll();
    OPEN_MODEL(*bench_);
    QVERIFY(editor_->possible());
    QCOMPARE(heat(ChatSettings::Model), 0.3);
}

void TestSettingEditor::thePresetsScopeNeedsAPreset() {
    Presets& presets = *bench_->app().presets();
    in(ChatSettings::Preset).setPreset(QStringLiteral("creative"));
    presets.remove(QStringLiteral("creative"));
    QCOMPARE(editor_->preset(), kPrecise); // another one takes its place
    while (presets.count() > 0) presets.remove(presets.first());
    QVERIFY(!editor_->possible());
    editor_->set(kHeat, 0.4);
    editor_->newPreset();
    QVERIFY(editor_->possible());
    QCOMPARE(editor_->count(), 0);
    QCOMPARE(editor_->preset(), presets.first());
}

void TestSettingEditor::theChatChoosesItsPreset() {
    editor_->setChatPreset(kPrecise);
    QCOMPARE(bench_->chat().settings().preset(), kPrecise);
    QCOMPARE(bench_->chat().settings().value(kHeat).toDouble(), 0.2);
    QCOMPARE(in(ChatSettings::Chat).count(), 0); // the preset is no value of the chat
    in(ChatSettings::Preset).setPreset({});
    QCOMPARE(editor_->preset(), kPrecise); // the chat's own is the one that is changed
    editor_->setChatPreset({});
    QVERIFY(bench_->chat().settings().layer(ChatSettings::Chat).isEmpty());
}

void TestSettingEditor::resetsCanBeUndone() {
    UndoStack& undo = *bench_->app().undo();
    for (const auto layer : {ChatSettings::Program, ChatSettings::Model, ChatSettings::Preset, ChatSettings::Chat}) {
        SettingEditor& editor = in(layer);
        editor.set(kPrompt, QStringLiteral("A long text that took an hour"));
        editor.set(kHeat, 1.5);
        editor.reset({kPrompt});
        QVERIFY(!editor.isSet(kPrompt));
        QCOMPARE(editor.value(kHeat).toDouble(), 1.5);
        QVERIFY(undo.undo());
        QCOMPARE(editor.value(kPrompt).toString(), QStringLiteral("A long text that took an hour"));
        QVERIFY(undo.redo());
        QVERIFY(!editor.isSet(kPrompt));
        QVERIFY(undo.undo());
        editor.resetAll();
        QVERIFY(!editor.isSet(kPrompt));
        QVERIFY(undo.undo());
        QCOMPARE(editor.value(kPrompt).toString(), QStringLiteral("A long text that took an hour"));
        QCOMPARE(editor.value(kHeat).toDouble(), 1.5);
        editor.resetAll();
    }
}

void TestSettingEditor::everyChangeIsAStep() {
    UndoStack& undo = *bench_->app().undo();
    for (const auto layer : {ChatSettings::Program, ChatSettings::Model, ChatSettings::Preset, ChatSettings::Chat}) {
        SettingEditor& editor = in(layer);
        const bool own = editor.isSet(kHeat);
        const double before = heat(layer);
        editor.set(kHeat, 1.5);
        QCOMPARE(undo.notice(), QStringLiteral("Temperature changed"));
        editor.set(kHeat, 1.5); // nothing changes
        editor.set(kHeat, 1.6); // another number is another step
        QCOMPARE(undo.undoTitle(), QStringLiteral("Change Temperature"));
        QVERIFY(undo.undo());
        QCOMPARE(heat(layer), 1.5);
        QVERIFY(undo.undo());
        QCOMPARE(heat(layer), before);
        QCOMPARE(editor.isSet(kHeat), own);
        QVERIFY(undo.undoTitle().isEmpty());
        QVERIFY(undo.redo());
        QCOMPARE(undo.notice(), QStringLiteral("Done again: Change Temperature"));
        QVERIFY(undo.redo());
        QCOMPARE(heat(layer), 1.6);
        QVERIFY(!undo.redo());
        QVERIFY(undo.undo() && undo.undo());
    }
    in(ChatSettings::Program).setValue(QStringLiteral("device"), QStringLiteral("vulkan:0"));
    QVERIFY(undo.undo());
    QCOMPARE(bench_->app().settings()->device(), QString());
    QVERIFY(undo.redo());
    QCOMPARE(bench_->app().settings()->device(), QStringLiteral("vulkan:0"));
}

/// A text is set with each letter, and a slider sets each value that it passes.
void TestSettingEditor::gradualChangesAreOneStep() {
    UndoStack& undo = *bench_->app().undo();
    SettingEditor& editor = in(ChatSettings::Program);
    for (const char* text : {"R", "Rh", "Rhyme"}) editor.set(kPrompt, QLatin1String(text));
    for (const double share : {0.3, 0.4, 0.5}) editor.slide(QStringLiteral("preferCached"), share);
    for (const double size : {1.1, 1.2, 1.3}) editor.set(QStringLiteral("fontScale"), size);
    QVERIFY(undo.undo());
    QCOMPARE(bench_->app().settings()->fontScale(), 1.0);
    QCOMPARE(undo.undoTitle(), QStringLiteral("Change Prefer experts that are in memory"));
    QVERIFY(undo.undo());
    QCOMPARE(editor.value(QStringLiteral("preferCached")).toDouble(), 0.2);
    QVERIFY(undo.undo());
    QCOMPARE(editor.value(kPrompt).toString(), QString());
    QVERIFY(undo.redo());
    QCOMPARE(editor.value(kPrompt).toString(), QStringLiteral("Rhyme"));
    QVERIFY(undo.undo());
    editor.set(kPrompt, QStringLiteral("A"));
    editor.set(kPrompt, QString()); // typed and taken back
    QVERIFY(undo.undoTitle().isEmpty() && undo.notice().isEmpty());
    editor.set(kPrompt, QStringLiteral("A"));
    in(ChatSettings::Chat).set(kPrompt, QStringLiteral("B")); // another place
    QVERIFY(undo.undo());
    QCOMPARE(in(ChatSettings::Chat).value(kPrompt).toString(), QStringLiteral("A"));
}

/// A scope that set no value sets none again, and nothing was done.
void TestSettingEditor::aSliderThatIsGivenUpLeavesNothing() {
    const UndoStack& undo = *bench_->app().undo();
    const QString key = QStringLiteral("preferCached");
    for (const auto layer : {ChatSettings::Program, ChatSettings::Model, ChatSettings::Preset, ChatSettings::Chat}) {
        SettingEditor& editor = in(layer);
        for (const double share : {0.3, 0.4, 0.2}) editor.slide(key, share);
        QCOMPARE(editor.isSet(key), layer != ChatSettings::Program); // 0.2 is the default
        editor.slideBack(key);
        QVERIFY(!editor.isSet(key));
        QVERIFY(undo.undoTitle().isEmpty() && undo.notice().isEmpty());
    }
}

void TestSettingEditor::aChangeEndsWhatCanBeRedone() {
    UndoStack& undo = *bench_->app().undo();
    SettingEditor& editor = in(ChatSettings::Program);
    editor.set(kHeat, 0.5);
    QVERIFY(undo.undo());
    editor.set(QStringLiteral("theme"), QStringLiteral("dark"));
    QVERIFY(undo.redoTitle().isEmpty());
    QVERIFY(!undo.redo());
    QCOMPARE(undo.notice(), QStringLiteral("Theme changed"));
    QVERIFY(undo.undo());
    editor.newPreset();
    QVERIFY(undo.redoTitle().isEmpty());
}

void TestSettingEditor::theChoiceOfAPresetIsUndone() {
    UndoStack& undo = *bench_->app().undo();
    editor_->setChatPreset(kPrecise);
    QCOMPARE(undo.notice(), QStringLiteral("The chat uses the preset Precise"));
    editor_->setChatPreset({});
    QCOMPARE(undo.notice(), QStringLiteral("The chat uses no preset"));
    QVERIFY(undo.undo());
    QCOMPARE(editor_->chatPreset(), kPrecise);
    QVERIFY(undo.undo());
    QVERIFY(editor_->chatPreset().isEmpty());
    QVERIFY(undo.redo());
    QCOMPARE(editor_->chatPreset(), kPrecise);
}

void TestSettingEditor::changesOfPresetsAreUndone() {
    UndoStack& undo = *bench_->app().undo();
    Presets& presets = *bench_->app().presets();
    std::vector<QJsonArray> seen{presets.list()};
    const auto then = [&] { seen.push_back(presets.list()); };
    in(ChatSettings::Preset).newPreset();
    then();
    editor_->renamePreset(QStringLiteral("Poems"));
    then();
    editor_->renamePreset(QStringLiteral("Precise")); // taken: nothing changes
    editor_->set(kHeat, 1.5);
    then();
    editor_->duplicatePreset();
    then();
    editor_->removePreset();
    then();
    editor_->setPreset(kPrecise);
    editor_->renamePreset(QStringLiteral("Exact"));
    then();
    editor_->makePreset();
    then();
    for (size_t at = seen.size() - 1; at-- > 0;) {
        QVERIFY(undo.undo());
        QCOMPARE(presets.list(), seen[at]);
    }
    QVERIFY(!undo.undo());
    QCOMPARE(presets.name(kPrecise), QStringLiteral("Precise"));
    for (size_t at = 1; at < seen.size(); ++at) {
        QVERIFY(undo.redo());
        QCOMPARE(presets.list(), seen[at]);
    }
}

void TestSettingEditor::presetsThatCameBackGoAgain() {
    UndoStack& undo = *bench_->app().undo();
    Presets& presets = *bench_->app().presets();
    in(ChatSettings::Preset).setPreset(kPrecise);
    editor_->set(kHeat, 0.3);
    editor_->removePreset();
    editor_->restorePresets();
    QCOMPARE(undo.notice(), QStringLiteral("Coterie's presets are back"));
    QVERIFY(presets.complete());
    editor_->restorePresets(); // all are here: no step
    QVERIFY(undo.undo());
    QVERIFY(!presets.contains(kPrecise));
    QVERIFY(undo.undo()); // the deletion: the preset comes back as it was changed
    QCOMPARE(presets.rowOf(kPrecise), 0);
    QCOMPARE(presets.values(kPrecise).value(kHeat).toDouble(), 0.3);
}

/// The first preset took the place of a copy that was undone, and would have been the next one to be deleted.
void TestSettingEditor::thePresetThatWasShownBeforeIsShownAgain() {
    UndoStack& undo = *bench_->app().undo();
    const QString mine = bench_->app().presets()->add(QStringLiteral("Mine"), {});
    in(ChatSettings::Preset).setPreset(mine);
    editor_->duplicatePreset();
    const QString copy = editor_->preset();
    QVERIFY(copy != mine);
    QVERIFY(undo.undo());
    QCOMPARE(editor_->preset(), mine);
    QVERIFY(undo.redo());
    QCOMPARE(editor_->preset(), copy);
    editor_->removePreset();
    QCOMPARE(undo.notice(), QStringLiteral("Deleted the preset Mine 2"));
    QCOMPARE(editor_->preset(), mine);
    QVERIFY(undo.undo());
    QCOMPARE(editor_->preset(), copy);
    QVERIFY(undo.redo());
    QCOMPARE(editor_->preset(), mine);
    editor_->newPreset();
    QVERIFY(undo.undo());
    QCOMPARE(editor_->preset(), mine);
    editor_->makePreset();
    QVERIFY(undo.undo());
    QCOMPARE(editor_->preset(), mine);
    editor_->setPreset(QStringLiteral("creative")); // it has no name of its own
    editor_->removePreset();
    QCOMPARE(undo.notice(), QStringLiteral("Deleted the preset Creative"));
    QCOMPARE(undo.undoTitle(), QStringLiteral("Delete the preset Creative"));
    QCOMPARE(editor_->preset(), mine);
}

/// Its settings are those of the chat then, and no longer those of the next new chat.
void TestSettingEditor::aNewChatsStepsEndWithItsFirstMessage() {
    UndoStack& undo = *bench_->app().undo();
    in(ChatSettings::Chat).set(kHeat, 0.5);
    QVERIFY(!undo.undoTitle().isEmpty());
    bench_->control().allowAll();
    QVERIFY(bench_->chat().send(QStringLiteral("Hello")));
    QTRY_VERIFY(!bench_->chat().busy());
    QVERIFY(undo.undoTitle().isEmpty());
    QCOMPARE(heat(ChatSettings::Chat), 0.5);
}

void TestSettingEditor::anUndoneChangeReachesTheOtherSide() {
    bench_->control().allowAll();
    QVERIFY(bench_->chat().send(QStringLiteral("Hello")));
    QTRY_VERIFY(!bench_->chat().busy());
    Conversation& first = bench_->chat();
    in(ChatSettings::Chat).set(kHeat, 0.5);
    bench_->app().panes()->openSecond();
    QVERIFY(&bench_->chat() != &first);
    QVERIFY(bench_->app().undo()->undo());
    QCOMPARE(first.settings().value(kHeat).toDouble(), 0.8);
}

void TestSettingEditor::aStepOfATemporaryChatEndsWithIt() {
    bench_->chat().newTemporaryChat();
    in(ChatSettings::Chat).set(kHeat, 0.5);
    QCOMPARE(bench_->app().undo()->undoTitle(), QStringLiteral("Change Temperature"));
    bench_->chat().newChat(); // nothing in it would be lost, so nobody is asked
    QVERIFY(!bench_->chat().temporary());
    QVERIFY(bench_->app().undo()->undoTitle().isEmpty());
}

void TestSettingEditor::resetAllLeavesOtherScopesAlone() {
    editor_->setChatPreset(kPrecise);
    for (const auto layer : {ChatSettings::Program, ChatSettings::Model, ChatSettings::Chat}) in(layer).set(kHeat, 1.5);
    bench_->app().settings()->theme = QStringLiteral("dark");
    const auto notice = [this] { return bench_->app().undo()->notice(); };
    in(ChatSettings::Chat).resetAll();
    QCOMPARE(notice(), QStringLiteral("Removed the chat's own values. It still uses the preset Precise."));
    QCOMPARE(editor_->count(), 0);
    QCOMPARE(heat(ChatSettings::Chat), 0.2); // from the preset, which the chat still uses
    in(ChatSettings::Model).resetAll();
    QCOMPARE(notice(), QStringLiteral("Removed the values of Scripted"));
    QCOMPARE(heat(ChatSettings::Model), 1.5);
    in(ChatSettings::Program).resetAll();
    QCOMPARE(notice(), QStringLiteral("The defaults are back. Models, presets and chats keep their own values."));
    QCOMPARE(heat(ChatSettings::Program), 0.8);
    QCOMPARE(bench_->app().settings()->theme(), QStringLiteral("dark")); // no value of an answer
}

void TestSettingEditor::aPresetThatCameWithTheProgramIsResetToItsValues() {
    in(ChatSettings::Preset).setPreset(kPrecise);
    editor_->set(kHeat, 1.9);
    editor_->set(kPrompt, QStringLiteral("Mine"));
    editor_->resetAll();
    QCOMPARE(bench_->app().presets()->values(kPrecise), bench_->app().presets()->usualValues(kPrecise));
    QCOMPARE(bench_->app().undo()->notice(), QStringLiteral("The preset has the values that it came with"));
    QVERIFY(bench_->app().undo()->undo());
    QCOMPARE(heat(ChatSettings::Preset), 1.9);
}

/// The chat in view, the open model and the chosen preset may all be others when a reset is undone.
void TestSettingEditor::anUndoneResetGoesWhereItCameFrom() {
    bench_->control().allowAll();
    QVERIFY(bench_->chat().send(QStringLiteral("Hello")));
    const qint64 chat = bench_->chat().chatId();
    QTRY_VERIFY(!bench_->chat().busy());
    in(ChatSettings::Chat).set(kHeat, 1.5);
    editor_->reset({kHeat});
    bench_->chat().newChat();
    QVERIFY(bench_->app().undo()->undo());
    QCOMPARE(heat(ChatSettings::Chat), 0.8); // the new chat has no value
    bench_->chat().openChat(chat);
    QCOMPARE(heat(ChatSettings::Chat), 1.5);
}

void TestSettingEditor::aPresetIsMadeOfTheValuesThatHold() {
    in(ChatSettings::Program).set(kPrompt, QStringLiteral("Answer in rhymes"));
    editor_->setChatPreset(kPrecise);
    in(ChatSettings::Chat).set(QStringLiteral("topK"), 40); // the default, but chosen
    const QString made = editor_->makePreset();
    const QJsonObject values = bench_->app().presets()->values(made);
    QCOMPARE(values.value(kPrompt).toString(), QStringLiteral("Answer in rhymes"));
    QCOMPARE(values.value(kHeat).toDouble(), 0.2);
    QCOMPARE(values.value(QStringLiteral("topK")).toInt(), 40);
    QVERIFY(!values.contains(QStringLiteral("seed")));
    QVERIFY(!values.contains(QStringLiteral("theme")));
    QCOMPARE(editor_->preset(), made);
}

void TestSettingEditor::aDeletedPresetComesBackWithUndo() {
    Presets& presets = *bench_->app().presets();
    const QString mine = presets.add(QStringLiteral("Mine"), {{kHeat, 1.5}});
    editor_->setChatPreset(mine);
    in(ChatSettings::Preset).setPreset(mine);
    editor_->removePreset();
    QVERIFY(!presets.contains(mine));
    QCOMPARE(heat(ChatSettings::Chat), 0.8);
    QVERIFY(bench_->app().undo()->undo());
    QCOMPARE(presets.name(mine), QStringLiteral("Mine"));
    QCOMPARE(heat(ChatSettings::Chat), 1.5);
    QVERIFY(bench_->app().undo()->redo());
    QVERIFY(!presets.contains(mine));
}

void TestSettingEditor::theProgramIsResetAsAWhole() {
    Settings& settings = *bench_->app().settings();
    settings.theme = QStringLiteral("dark");
    settings.memoryBudget = 2e9;
    settings.temperature = 0.3;
    settings.sidebarWidth = 300; // no setting of the page
    in(ChatSettings::Chat).set(kHeat, 1.5);
    editor_->resetProgram();
    QCOMPARE(settings.theme(), QStringLiteral("dark")); // the editor's scope is not the program's
    in(ChatSettings::Program).resetProgram();
    QCOMPARE(settings.theme(), QStringLiteral("system"));
    QCOMPARE(settings.memoryBudget(), 0.0);
    QCOMPARE(settings.temperature(), 0.8);
    QCOMPARE(settings.sidebarWidth(), 300.0);
    QCOMPARE(heat(ChatSettings::Chat), 1.5);
    settings.fontScale = 1.5;
    QVERIFY(bench_->app().undo()->undo());
    QCOMPARE(settings.theme(), QStringLiteral("dark"));
    QCOMPARE(settings.memoryBudget(), 2e9);
    QCOMPARE(settings.fontScale(), 1.5); // changed after the reset: undo leaves it alone
}

void TestSettingEditor::aValueThatCannotBeKeptIsTold() {
    bench_->control().allowAll();
    QVERIFY(bench_->chat().send(QStringLiteral("Hello")));
    QTRY_VERIFY(!bench_->chat().busy());
    in(ChatSettings::Chat).set(kHeat, 0.5);
    QVERIFY(!editor_->error().valid());
    const auto other = ChatStore::open({.folder = bench_->folder(), .migrations = {}});
    QVERIFY(other && other.value()->remove(bench_->chat().chatId())); // behind the program's back
    editor_->set(kHeat, 0.6);
    QVERIFY(editor_->error().valid() && !editor_->error().action.isEmpty());
    QCOMPARE(heat(ChatSettings::Chat), 0.5);
    editor_->reset({kHeat});
    QCOMPARE(bench_->app().undo()->undoTitle(), QStringLiteral("Change Temperature")); // to 0.5: nothing was done since
    in(ChatSettings::Program).set(kHeat, 0.6);
    QVERIFY(!editor_->error().valid());
}

void TestSettingEditor::rowsShowValuesInTheirUnits() {
    SettingSearch search;
    SettingRows rows;
    rows.setKeys({QStringLiteral("memoryBudget"), QStringLiteral("fontScale"), QStringLiteral("seed"),
                  QStringLiteral("thinking"), QStringLiteral("keyValueFormat")});
    rows.setSearch(&search);
    rows.setEditor(editor_.get());
    const Settings& settings = *bench_->app().settings();
    rows.setNumber(QStringLiteral("memoryBudget"), 2.5);
    QCOMPARE(settings.memoryBudget(), 2.5 * 1024 * 1024 * 1024);
    QCOMPARE(of(rows, QStringLiteral("memoryBudget"), SettingRows::NumberRole).toDouble(), 2.5);
    rows.setNumber(QStringLiteral("memoryBudget"), 0); // empty
    QCOMPARE(settings.memoryBudget(), 0.0);
    QCOMPARE(of(rows, QStringLiteral("fontScale"), SettingRows::NumberRole).toDouble(), 100.0);
    rows.setNumber(QStringLiteral("fontScale"), 120);
    QCOMPARE(settings.fontScale(), 1.2);
    QCOMPARE(of(rows, QStringLiteral("seed"), SettingRows::NumberRole).toDouble(),
             of(rows, QStringLiteral("seed"), SettingRows::EmptyNumberRole).toDouble());
    rows.setText(QStringLiteral("thinking"), QStringLiteral("off"));
    QVERIFY(!settings.thinking());
    rows.setText(QStringLiteral("keyValueFormat"), QStringLiteral("q8_0"));
    QCOMPARE(settings.keyValueFormat(), QStringLiteral("q8_0"));
    for (const QString& key : {QStringLiteral("thinking"), QStringLiteral("keyValueFormat")}) {
        const QVariantList options = of(rows, key, SettingRows::OptionsRole).toList();
        QCOMPARE(options.size(), 2);
        const QString value = of(rows, key, SettingRows::TextRole).toString();
        QCOMPARE(options.last().toMap().value(QStringLiteral("value")).toString(), value);
    }
}

void TestSettingEditor::rowsTellOnlyWhatChanged() {
    SettingSearch search;
    SettingRows rows;
    const QAbstractItemModelTester tester(&rows, QAbstractItemModelTester::FailureReportingMode::QtTest);
    rows.setSearch(&search);
    rows.setEditor(editor_.get());
    rows.setKeys({kPrompt, kHeat, QStringLiteral("topK")});
    editor_->setLayer(ChatSettings::Chat);
    const QSignalSpy changed(&rows, &SettingRows::dataChanged);
    editor_->set(kHeat, 0.5);
    QCOMPARE(changed.count(), 1);
    QCOMPARE(changed.first().at(0).toModelIndex().row(), 1);
    bench_->app().settings()->theme = QStringLiteral("dark"); // nothing of these rows
    QCOMPARE(changed.count(), 1);
    editor_->setLayer(ChatSettings::Model);
    QVERIFY(changed.count() > 1);
    QCOMPARE(rows.shownCount(), 2);
    search.setProperty("advanced", true);
    QCOMPARE(rows.shownCount(), 3);
    QVERIFY(of(rows, QStringLiteral("topK"), SettingRows::ShownRole).toBool());
    rows.setKeys({kHeat});
    rows.setKeys({});
    QCOMPARE(rows.rowCount(), 0);
}

void TestSettingEditor::stopTextsAreLines() {
    SettingSearch search;
    SettingRows rows;
    rows.setKeys({kStop});
    rows.setSearch(&search);
    rows.setEditor(editor_.get());
    rows.setText(kStop, QStringLiteral("END\n\nUser:\n\\n\\n\na\\\\nb\\"));
    const QJsonArray texts{QStringLiteral("END"), QStringLiteral("User:"), QStringLiteral("\n\n"),
                           QStringLiteral("a\\nb\\")};
    QCOMPARE(editor_->value(kStop).toArray(), texts);
    const QString lines = of(rows, kStop, SettingRows::TextRole).toString();
    rows.setText(kStop, {});
    QVERIFY(editor_->value(kStop).toArray().isEmpty());
    rows.setText(kStop, lines); // the shown lines mean the same
    QCOMPARE(editor_->value(kStop).toArray(), texts);
}

/// Each setting of an answer can be seen, has a title, and is found by it.
void TestSettingEditor::everySettingHasATextAndIsFound() {
    QSet<QString> keys;
    for (const SettingText& text : settingTexts()) {
        QVERIFY2(!keys.contains(text.key), qPrintable(text.key));
        keys.insert(text.key);
        QVERIFY(!text.title.isEmpty());
        SettingSearch search;
        search.setProperty("text", text.title);
        QVERIFY2(search.shown().contains(text.key), qPrintable(text.key));
        if (text.kind == SettingKind::Special) continue;
        const SettingRow& row = settingRow(text.key);
        QVERIFY(!row.usual.isDouble() || text.least * text.scale >= row.least - 1e-9);
        QVERIFY(!row.usual.isDouble() || text.most * text.scale <= row.most + 1e-9);
        QCOMPARE(text.kind == SettingKind::Choice, row.usual.isBool() || !row.choices.isEmpty());
        if (text.kind == SettingKind::Choice)
            QCOMPARE(text.options.size(), row.usual.isBool() ? 2 : row.choices.size());
    }
    for (const SettingRow& row : settingTable()) {
        const bool strength = row.key == QStringLiteral("preferCached") || row.key == QStringLiteral("sure");
        if (row.scope == SettingScope::Answer && !strength) QVERIFY2(keys.contains(row.key), qPrintable(row.key));
    }
}

void TestSettingEditor::searchFindsWords() {
    SettingSearch search;
    const auto finds = [&search](const char* words, const char* key) {
        search.setProperty("text", QString::fromLatin1(words));
        return search.shown().contains(QLatin1String(key));
    };
    QVERIFY(!search.searching());
    QVERIFY(!search.shown().contains(QStringLiteral("topP"))); // a rarer one
    QVERIFY(finds("NUCLEUS", "topP"));                         // but a search finds it, by a synonym
    QVERIFY(search.searching());
    QVERIFY(finds("  model   memory ", "memoryBudget")); // each word, in any order
    QVERIFY(!finds("memory nonsense", "memoryBudget"));
    QVERIFY(finds("lossy", "sureWhen") && finds("lossy", "preferCachedWhen"));
    QVERIFY(finds("disk space", "tracesDeleted"));
    QVERIFY(finds("preset", "presets") && finds("reset", "answersReset") &&
            finds("reset", "allReset")); // not settings themselves
    search.setProperty("text", QStringLiteral("xyzzy"));
    QCOMPARE(search.count(), 0);
    search.setProperty("text", QStringLiteral("   "));
    QVERIFY(!search.searching() && search.count() > 0);
}

void TestSettingEditor::searchPrefersTheBeginningsOfWords() {
    SettingSearch search;
    search.setProperty("text", QStringLiteral("reset"));
    QVERIFY(search.shown().contains(QStringLiteral("allReset")) && !search.shown().contains(QStringLiteral("presets")));
    search.setProperty("text", QStringLiteral("text"));
    QVERIFY(search.shown().contains(QStringLiteral("fontScale")));
    QVERIFY(!search.shown().contains(QStringLiteral("contextTokens")));
    search.setProperty("text", QStringLiteral("ontext")); // no word begins so
    QVERIFY(search.shown().contains(QStringLiteral("contextTokens")));
}

void TestSettingEditor::searchFindsPages_data() {
    QTest::addColumn<QString>("words");
    QTest::addColumn<QString>("page");
    const auto row = [](const char* words, const char* page) {
        QTest::newRow(words) << QString::fromLatin1(words) << QString::fromLatin1(page);
    };
    row("import", "Export and import");
    row("EXPORT", "Export and import");
    row("import export", "Export and import");
    row("backup", "Export and import");
    row("bin", "Bin");
    row("trash", "Bin");
    row("models", "Models");
    row("gguf", "Models");
    row("about", "About Coterie");
    row("licences", "Licences");
    row("licenses", "Licences");
    row("shortcuts", "Keyboard shortcuts");
    row("keys", "Keyboard shortcuts");
    row("eyboard", "Keyboard shortcuts"); // in the middle of a word, and nothing else has it
}

void TestSettingEditor::searchFindsPages() {
    QFETCH(const QString, words);
    QFETCH(const QString, page);
    SettingSearch search;
    search.setProperty("commands", QVariant::fromValue(bench_->app().commands()));
    QVERIFY(search.pages().isEmpty());
    search.setProperty("text", words);
    QCOMPARE(search.pages().size(), 1);
    const QVariantMap found = search.pages().first().toMap();
    QCOMPARE(found.value(QStringLiteral("title")).toString(), page);
    QCOMPARE(bench_->app().commands()->title(found.value(QStringLiteral("command")).toString()), page);
    QCOMPARE(search.count(), search.shown().size() + 1);
}

void TestSettingEditor::searchLeavesOutWhatIsAbsent() {
    SettingSearch search;
    search.setProperty("advanced", true);
    QCOMPARE(search.count(), static_cast<int>(settingTexts().size()));
    search.setProperty("absent", QStringList{QStringLiteral("packedFile")});
    QVERIFY(!search.shown().contains(QStringLiteral("packedFile")));
    search.setProperty("text", QStringLiteral("packed"));
    QVERIFY(!search.shown().contains(QStringLiteral("packedFile")));
    QVERIFY(search.shown().contains(QStringLiteral("unusedPackedFiles")));
    search.setProperty("answersOnly", true);
    QCOMPARE(search.count(), 0);
    search.setProperty("text", QString());
    QVERIFY(search.shown().contains(kHeat) && !search.shown().contains(QStringLiteral("theme")));
    search.setProperty("text", QStringLiteral("reset"));
    QCOMPARE(search.shown(), QStringList{QStringLiteral("answersReset")});
}

QTEST_GUILESS_MAIN(TestSettingEditor)
#include "tst_setting_editor.moc"
