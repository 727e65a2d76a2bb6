// SPDX-License-Identifier: Apache-2.0
// The keys of undo and redo in the real window: what they do on every page, and what the window says about it.
#include "text_checks.h"
#include "window_driver.h"

#include <QFontMetricsF>

using namespace coterie;
using namespace coterie::tests;
using app::Pages;

class WindowUndoTest : public WindowDriver {
    Q_OBJECT
  private Q_SLOTS:
    void aFieldForgetsTheWordsOfAnotherChat_data();
    void aFieldForgetsTheWordsOfAnotherChat();
    void aFieldForgetsTheWordsOfAnotherScope();
    void whatWasSentStaysAfterRedo();
    void anEditedAnswerIsUndoneAndRedone();
    void anEditedPromptIsUndoneAndRedone();
    void aContinuedAnswerIsUndoneAndRedone();
    void aForkIsUndoneAndRedone();
    void pagesSayWhatWasUndone();
    void theBarLeavesTheQuestionInView();
    void theBarLeavesTheEndOfAPageInView();
    void thePageKeepsItsPlaceAfterAClickOnTheBar();
    void theBarIsBesideTheListOverAPage_data();
    void theBarIsBesideTheListOverAPage();
    void theBarOfADeletedChatKeepsItsPlace();
    void theBarBreaksNoWord();
    void aChatGoesBackToTheBin();
    void aMessageGoesBackToTheBin();
    void aResetIsOfferedInView();
    void aDeletedPresetIsOfferedInView();
    void aSliderIsUndoneInOneStep();
    void theKeysOfTheTextSizeAreOneStep();
    void aPresetLosesItsNewName();
    void aFieldWithoutStepsOffersTheLatestOne();
    void aFieldWithoutWordsToUndoOffersTheLatestStep();
    void aFieldThatWasAppliedUndoesItsStep();
    void aNumberThatWasAppliedIsUndone();
    void ctrlYRedoesToo();
    void newWordsOfTheBarHaveTheirWholeTime();

  private:
    void undo() { press(Qt::Key_Z, Qt::ControlModifier); }
    void redo() { press(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier); }
    /// Whether a bar that begins with these words is in the window, and not below what can be seen of a page.
    bool inView(const char* words) const {
        const QString notice = app()->undo()->notice();
        const QQuickItem* const bar = notice.startsWith(QString::fromUtf8(words)) ? item(notice) : nullptr;
        const QRectF window(0, 0, this->window()->width(), this->window()->height());
        return bar && window.contains(bar->mapRectToScene(QRectF(0, 0, bar->width(), bar->height())));
    }
    static QRectF placeOf(const QQuickItem* of) { return of->mapRectToScene(QRectF(0, 0, of->width(), of->height())); }
    /// Renames a folder and undoes that, so that a bar says so.
    void undoAStep() {
        const qint64 folder = app()->chats()->createFolder();
        app()->chats()->renameFolder(folder, QStringLiteral("Home"));
        app()->undo()->undo();
        QTRY_VERIFY(inView("Undone: Rename the folder"));
        QVERIFY(drawn() && drawn());
    }
    /// The part of the page of the settings that scrolls.
    QQuickItem* settingsArea() const {
        return findItem(window()->contentItem(), [](const QQuickItem* at) {
            return at->isVisible() && QByteArray(at->metaObject()->className()).startsWith("ScrollColumn_QMLTYPE");
        });
    }
    QQuickItem* field(const char* name) const {
        return namedItem(window(), QLatin1String(name), QAccessible::EditableText);
    }
    static QString textIn(const QQuickItem* field) { return field ? field->property("text").toString() : QString(); }
    QString lastText() const {
        app::MessageModel& messages = *app()->conversation()->messages();
        return messages.index(messages.count() - 1).data(app::MessageModel::TextRole).toString();
    }
    /// From the composer the keys would be about the words there.
    void focusOnConversation() {
        namedItem(window(), QStringLiteral("Conversation"), QAccessible::List)->forceActiveFocus(Qt::TabFocusReason);
    }
    int messages() const { return app()->conversation()->messages()->count(); }
    /// Deletes the latest prompt with its answer.
    void deleteTurn() {
        app()->conversation()->actions()->remove(app()->conversation()->messages()->rows()[messages() - 2].id);
    }
};

void WindowUndoTest::aFieldForgetsTheWordsOfAnotherChat_data() {
    QTest::addColumn<bool>("temporary");
    QTest::newRow("a new chat") << false;
    QTest::newRow("a temporary chat") << true;
}

void WindowUndoTest::aFieldForgetsTheWordsOfAnotherChat() {
    QFETCH(const bool, temporary);
    start();
    talk(QStringLiteral("Hello"));
    const qint64 chat = app()->conversation()->chatId();
    press(Qt::Key_N, temporary ? Qt::ControlModifier | Qt::ShiftModifier : Qt::ControlModifier);
    press(Qt::Key_L, Qt::ControlModifier);
    type(QStringLiteral("secret"));
    QTRY_COMPARE(app()->conversation()->draft(), QStringLiteral("secret"));
    press(Qt::Key_A, Qt::ControlModifier);
    press(Qt::Key_Backspace);
    app()->panes()->open(chat);
    QTRY_COMPARE(app()->conversation()->chatId(), chat);
    press(Qt::Key_L, Qt::ControlModifier);
    undo();
    QCOMPARE(app()->conversation()->draft(), QString());
    type(QStringLiteral("words")); // they are this chat's
    undo();
    QVERIFY(!app()->conversation()->draft().contains(QStringLiteral("words")));
}

/// The text was the same: the key took the words that were typed for all chats out of this chat alone.
void WindowUndoTest::aFieldForgetsTheWordsOfAnotherScope() {
    start();
    talk(QStringLiteral("Hello"));
    const QString key = QStringLiteral("systemPrompt"), words = QStringLiteral("Be brief");
    const auto prompt = [this] { return field("System prompt"); };
    press(Qt::Key_Comma, Qt::ControlModifier);
    QTRY_VERIFY(prompt());
    prompt()->forceActiveFocus(Qt::TabFocusReason);
    type(words);
    QCOMPARE(app()->settings()->value(key).toString(), words);
    click(QStringLiteral("This chat"), QAccessible::RadioButton);
    QTRY_COMPARE(textIn(prompt()), words);
    prompt()->forceActiveFocus(Qt::TabFocusReason);
    undo();
    QVERIFY(drawn());
    QVERIFY(!app()->conversation()->settings().layer(app::ChatSettings::Chat).contains(key));
    QCOMPARE(app()->settings()->value(key).toString(), QString()); // the bar named this step
    type(QStringLiteral("words"));                                 // they are this chat's
    undo();
    QVERIFY(drawn());
    QCOMPARE(textIn(prompt()), QString());
}

void WindowUndoTest::whatWasSentStaysAfterRedo() {
    start();
    talk(QStringLiteral("Stays"));
    talk(QStringLiteral("Comes back"));
    deleteTurn();
    QTRY_COMPARE(messages(), 2);
    undo();
    QTRY_COMPARE(messages(), 4);
    QTRY_VERIFY(shows("Undone: Delete the message"));
    talk(QStringLiteral("New"));
    QCOMPARE(messages(), 6);
    QTRY_VERIFY(!shows("Undone: Delete the message"));
    redo();
    QVERIFY(drawn());
    QCOMPARE(messages(), 6);
}

void WindowUndoTest::anEditedAnswerIsUndoneAndRedone() {
    start();
    talk(QStringLiteral("Hello"));
    const QString before = lastText();
    app::MessageActions& actions = *app()->conversation()->actions();
    const qint64 answer = app()->conversation()->messages()->lastId();
    actions.beginEdit(answer);
    actions.setEditText(answer, QStringLiteral("Short"));
    actions.keepEdit(answer);
    QTRY_COMPARE(lastText(), QStringLiteral("Short"));
    focusOnConversation();
    undo();
    QTRY_COMPARE(lastText(), before);
    QCOMPARE(messages(), 2);
    focusOnConversation();
    redo();
    QTRY_COMPARE(lastText(), QStringLiteral("Short"));
}

/// The keys are pressed where the focus went by itself: in the new version of the message, then in the old one.
void WindowUndoTest::anEditedPromptIsUndoneAndRedone() {
    start();
    talk(QStringLiteral("Hello"));
    talk(QStringLiteral("More"));
    const auto data = [this](int role) { return app()->conversation()->messages()->index(2).data(role); };
    const auto prompt = [&] { return data(app::MessageModel::TextRole).toString(); };
    const auto version = [&] { return data(app::MessageModel::VersionRole).toInt(); };
    press(Qt::Key_L, Qt::ControlModifier);
    press(Qt::Key_E, Qt::ControlModifier);
    QTRY_VERIFY(field("Edit message") && field("Edit message")->hasActiveFocus());
    type(QStringLiteral("!"));
    press(Qt::Key_Return);
    QTRY_COMPARE(prompt(), QStringLiteral("More!"));
    QTRY_VERIFY(!app()->conversation()->busy() && app()->conversation()->actions()->edited().isEmpty());
    const QString answer = lastText();
    undo();
    QTRY_COMPARE(prompt(), QStringLiteral("More"));
    QTRY_VERIFY(shows("Undone: Edit the message"));
    QCOMPARE(version(), 1);
    QCOMPARE(messages(), 4); // the answer to the old words is there too
    QVERIFY(app()->conversation()->actions()->edited().isEmpty());
    redo();
    QTRY_COMPARE(prompt(), QStringLiteral("More!"));
    QTRY_VERIFY(shows("Done again: Edit the message"));
    QCOMPARE(version(), 2);
    QCOMPARE(messages(), 4);
    QCOMPARE(lastText(), answer);
    undo();
    QTRY_COMPARE(prompt(), QStringLiteral("More"));
    talk(QStringLiteral("Go on")); // the model gets the words that are in view
    QCOMPARE(control_->conversations().back()[2].parts[0].text, std::string("More"));
}

/// The words that the answer gained go, and come back without being written again.
void WindowUndoTest::aContinuedAnswerIsUndoneAndRedone() {
    start();
    press(Qt::Key_L, Qt::ControlModifier);
    type(QStringLiteral("Hello"));
    press(Qt::Key_Return);
    control_->allow(test::fakeScript("story")->promptTokens + 20);
    QTRY_VERIFY(lastText().startsWith(QStringLiteral("Once upon")));
    press(Qt::Key_Escape);
    QTRY_VERIFY(!app()->conversation()->busy());
    QTRY_VERIFY(shows("Stopped"));
    const QString part = lastText();
    control_->allowAll();
    press(Qt::Key_Return, Qt::ControlModifier | Qt::ShiftModifier);
    QTRY_VERIFY(lastText().size() > part.size());
    QTRY_VERIFY(!app()->conversation()->busy());
    const QString whole = lastText();
    const size_t asked = control_->conversations().size();
    undo();
    QTRY_COMPARE(lastText(), part);
    QTRY_VERIFY(shows("Undone: Continue the answer") && shows("Stopped"));
    redo();
    QTRY_COMPARE(lastText(), whole);
    QTRY_VERIFY(shows("Done again: Continue the answer") && !shows("Stopped"));
    QCOMPARE(messages(), 2);
    QCOMPARE(control_->conversations().size(), asked);
}

void WindowUndoTest::aForkIsUndoneAndRedone() {
    start();
    talk(QStringLiteral("Hello"));
    const qint64 chat = app()->conversation()->chatId();
    app()->conversation()->actions()->fork(app()->conversation()->messages()->lastId());
    const qint64 fork = app()->conversation()->chatId();
    QVERIFY(fork != chat);
    focusOnConversation();
    undo();
    QTRY_COMPARE(app()->conversation()->chatId(), chat);
    QCOMPARE(app()->chats()->count(), 1);
    focusOnConversation();
    redo();
    QTRY_COMPARE(app()->conversation()->chatId(), fork);
    QCOMPARE(messages(), 2);
}

void WindowUndoTest::pagesSayWhatWasUndone() {
    start();
    const qint64 folder = app()->chats()->createFolder();
    app()->chats()->renameFolder(folder, QStringLiteral("Home"));
    for (const Pages::Page page : {Pages::Bin, Pages::Settings, Pages::Exchange, Pages::About}) {
        app()->pages()->open(page);
        QVERIFY(drawn());
        undo();
        QTRY_VERIFY2(shows("Undone: Rename the folder"), qPrintable(QString::number(page)));
        click(QStringLiteral("Redo"));
        QTRY_VERIFY(shows("Done again: Rename the folder"));
        QCOMPARE(app()->pages()->current(), page);
        app()->pages()->open(Pages::Chat);
    }
}

void WindowUndoTest::theBarLeavesTheQuestionInView() {
    start();
    window()->resize(640, 640);
    talk(QStringLiteral("Hello"));
    press(Qt::Key_R, Qt::ControlModifier);
    QTRY_VERIFY(!app()->conversation()->busy());
    undo();
    QTRY_VERIFY(shows("Undone: Regenerate the answer"));
    const auto place = [this](const char* name) {
        QQuickItem* const found = item(QString::fromUtf8(name));
        return found ? found->mapRectToScene(QRectF(0, 0, found->width(), found->height())) : QRectF();
    };
    QTRY_VERIFY(!place("Undone: Regenerate the answer").isEmpty() && !place("You: Hello").isEmpty());
    QVERIFY(!place("Undone: Regenerate the answer").intersects(place("You: Hello")));
    QVERIFY(place("Undone: Regenerate the answer").bottom() <= place("Message").top());
}

/// The bar lay over the last row of a page, which could not be scrolled out from under it.
void WindowUndoTest::theBarLeavesTheEndOfAPageInView() {
    start();
    for (const double scale : {1.0, 2.0}) {
        app()->settings()->fontScale = scale;
        window()->resize(scale > 1 ? QSize(640, 600) : QSize(900, 500));
        app()->pages()->open(Pages::Settings);
        undoAStep();
        focusOn(QStringLiteral("Reset all"));
        QVERIFY(drawn() && drawn());
        const QQuickItem* const bar = item(app()->undo()->notice());
        const QQuickItem* const reset = item(QStringLiteral("Reset all"));
        QVERIFY(bar && reset && reset->hasActiveFocus());
        QVERIFY(placeOf(reset).bottom() <= placeOf(bar).top());
        app()->undo()->endOffer();
        app()->pages()->open(Pages::Chat);
    }
}

/// The button took the focus. When the bar ended, the focus went back to the search at the top, and the page with it.
void WindowUndoTest::thePageKeepsItsPlaceAfterAClickOnTheBar() {
    start();
    window()->resize(900, 500);
    press(Qt::Key_Comma, Qt::ControlModifier);
    QTRY_VERIFY(item(QStringLiteral("Search in settings")) &&
                item(QStringLiteral("Search in settings"))->hasActiveFocus());
    undoAStep();
    QQuickItem* const area = settingsArea();
    QVERIFY(area);
    constexpr double kPlace = 150;
    area->setProperty("contentY", kPlace); // the wheel leaves the focus where it is
    QVERIFY(drawn() && drawn());
    QCOMPARE(area->property("contentY").toDouble(), kPlace);
    click(QStringLiteral("Redo"));
    QTRY_VERIFY(inView("Done again: Rename the folder"));
    QVERIFY(item(QStringLiteral("Search in settings"))->hasActiveFocus());
    app()->undo()->endOffer();
    QTRY_VERIFY(!shows("Done again: Rename the folder"));
    QVERIFY(drawn() && drawn());
    QCOMPARE(area->property("contentY").toDouble(), kPlace);
}

void WindowUndoTest::theBarIsBesideTheListOverAPage_data() {
    QTest::addColumn<int>("page");
    QTest::addColumn<double>("scale");
    QTest::newRow("the chat") << int(Pages::Chat) << 1.0;
    QTest::newRow("the settings") << int(Pages::Settings) << 1.0;
    QTest::newRow("large texts") << int(Pages::Chat) << 2.0;
}

/// It was behind the dimmed page, and a click on it closed the list.
void WindowUndoTest::theBarIsBesideTheListOverAPage() {
    QFETCH(const int, page);
    QFETCH(const double, scale);
    start();
    app()->settings()->fontScale = scale;
    window()->resize(640, 600);
    app()->pages()->open(static_cast<Pages::Page>(page));
    QTRY_VERIFY(!item(QStringLiteral("Chats")));
    press(Qt::Key_B, Qt::ControlModifier);
    QTRY_VERIFY(item(QStringLiteral("Chats")) && app()->pages()->chatsOver());
    undoAStep();
    const QQuickItem* const bar = item(app()->undo()->notice());
    QVERIFY(bar);
    QVERIFY(placeOf(bar).left() >= placeOf(item(QStringLiteral("Chats"))).right());
    click(QStringLiteral("Redo")); // a page that is dimmed takes no clicks
    QTRY_VERIFY(inView("Done again: Rename the folder"));
    QVERIFY(app()->pages()->chatsOver());
    QCOMPARE(app()->pages()->current(), static_cast<Pages::Page>(page));
}

/// It was in the list of chats, and over the composer when the chat was back.
void WindowUndoTest::theBarOfADeletedChatKeepsItsPlace() {
    start();
    talk(QStringLiteral("One"));
    QVERIFY(app()->chats()->remove(app()->conversation()->chatId()));
    const auto bar = [this](const char* words) {
        const QQuickItem* const found = namedItem(window(), QString::fromUtf8(words), QAccessible::AlertMessage);
        return found ? placeOf(found) : QRectF();
    };
    QTRY_VERIFY(!bar("Deleted \"One\"").isEmpty());
    QVERIFY(drawn() && drawn());
    const QPointF corner = bar("Deleted \"One\"").bottomLeft();
    undo();
    QTRY_VERIFY(!bar("Undone: Delete the chat").isEmpty());
    QVERIFY(drawn() && drawn());
    QCOMPARE(bar("Undone: Delete the chat").bottomLeft(), corner);
    click(QStringLiteral("Redo"));
    QTRY_VERIFY(!bar("Done again: Delete the chat").isEmpty());
    QVERIFY(drawn() && drawn());
    QCOMPARE(bar("Done again: Delete the chat").bottomLeft(), corner);
    click(QStringLiteral("Undo"));
    QTRY_VERIFY(!bar("Undone: Delete the chat").isEmpty());
    press(Qt::Key_B, Qt::ControlModifier); // without the list it is where every other bar is
    QTRY_VERIFY(!item(QStringLiteral("Chats")));
    QTRY_VERIFY(!bar("Undone: Delete the chat").isEmpty());
}

/// Beside the list of chats, the largest texts left a few letters a line beside the button.
void WindowUndoTest::theBarBreaksNoWord() {
    start();
    app()->settings()->fontScale = 2;
    window()->resize(640, 440);
    QTRY_VERIFY(!item(QStringLiteral("Chats")));
    press(Qt::Key_B, Qt::ControlModifier);
    QTRY_VERIFY(item(QStringLiteral("Chats")) && app()->pages()->chatsOver());
    undoAStep();
    QQuickItem* const bar = item(app()->undo()->notice());
    QVERIFY(bar);
    const QQuickItem* const words = findItem(bar, [this](const QQuickItem* at) {
        return at->inherits("QQuickText") && at->property("text").toString() == app()->undo()->notice();
    });
    const QQuickItem* const button = item(QStringLiteral("Redo"));
    QVERIFY(words && button);
    const QFontMetricsF metrics(words->property("font").value<QFont>());
    const QStringList all = app()->undo()->notice().split(QLatin1Char(' '));
    const bool wordsFit = std::all_of(
        all.begin(), all.end(), [&](const QString& word) { return metrics.horizontalAdvance(word) <= words->width(); });
    QVERIFY(wordsFit || words->property("lineCount").toInt() == 1);
    QVERIFY(button->width() >= button->implicitWidth() && placeOf(bar).contains(placeOf(button)));
    QVERIFY(!placeOf(words).intersects(placeOf(button)));
    QTRY_COMPARE(textFindings(window()), QStringList());
}

void WindowUndoTest::aChatGoesBackToTheBin() {
    start();
    for (const char* const title : {"One", "Two"}) {
        press(Qt::Key_N, Qt::ControlModifier);
        talk(QString::fromLatin1(title));
        app()->chats()->remove(app()->conversation()->chatId());
    }
    app()->pages()->open(Pages::Bin);
    QTRY_COMPARE(app()->bin()->count(), 2);
    use("Restore Two");
    QTRY_COMPARE(app()->bin()->count(), 1);
    undo(); // the other chat stays deleted
    QTRY_VERIFY(shows("Undone: Restore the chat"));
    QCOMPARE(app()->bin()->count(), 2);
    QCOMPARE(app()->chats()->count(), 0);
    redo();
    QTRY_COMPARE(app()->bin()->count(), 1);
    QCOMPARE(app()->chats()->count(), 1);
    undo();
    undo(); // now the deletion
    QTRY_COMPARE(app()->chats()->count(), 1);
    QCOMPARE(app()->undo()->undoTitle(), QStringLiteral("Delete the chat"));
}

void WindowUndoTest::aMessageGoesBackToTheBin() {
    start();
    talk(QStringLiteral("Stays"));
    talk(QStringLiteral("Goes away"));
    deleteTurn();
    QTRY_COMPARE(messages(), 2);
    app()->pages()->open(Pages::Bin);
    use("Restore Goes away");
    QTRY_COMPARE(messages(), 4);
    undo();
    QTRY_VERIFY(shows("Undone: Restore the message"));
    QCOMPARE(messages(), 2);
    QCOMPARE(app()->pages()->current(), Pages::Bin);
    redo();
    QTRY_COMPARE(messages(), 4);
    QCOMPARE(app()->bin()->count(), 0);
}

void WindowUndoTest::aResetIsOfferedInView() {
    start();
    window()->resize(900, 500);
    app()->settings()->theme = QStringLiteral("dark");
    app()->pages()->open(Pages::Settings);
    use("Reset all");
    QTRY_COMPARE(app()->settings()->theme(), QStringLiteral("system"));
    QTRY_VERIFY(inView("The defaults are back"));
    click(QStringLiteral("Undo"));
    QTRY_COMPARE(app()->settings()->theme(), QStringLiteral("dark"));
    QTRY_VERIFY(inView("Undone: Reset all settings"));
}

void WindowUndoTest::aDeletedPresetIsOfferedInView() {
    start();
    window()->resize(900, 500);
    const int presets = app()->presets()->count();
    QVERIFY(presets > 0);
    app()->pages()->open(Pages::Settings);
    focusOn(QStringLiteral("Presets"));
    press(Qt::Key_Space);
    use("Delete the preset Precise");
    QTRY_COMPARE(app()->presets()->count(), presets - 1);
    QTRY_VERIFY(inView("Deleted the preset Precise"));
    click(QStringLiteral("Undo"));
    QTRY_COMPARE(app()->presets()->count(), presets);
}

void WindowUndoTest::aSliderIsUndoneInOneStep() {
    start();
    window()->resize(900, 500);
    app()->pages()->open(Pages::Settings);
    focusOn(QStringLiteral("Text size in percent"));
    for (int i = 0; i < 3; ++i) press(Qt::Key_Right);
    QTRY_COMPARE(app()->settings()->fontScale(), 1.3);
    QTRY_VERIFY(inView("Text size changed"));
    undo();
    QTRY_COMPARE(app()->settings()->fontScale(), 1.0);
    QTRY_VERIFY(inView("Undone: Change Text size"));
    redo();
    QTRY_COMPARE(app()->settings()->fontScale(), 1.3);
    QTRY_VERIFY(inView("Done again: Change Text size"));
    QCOMPARE(app()->pages()->current(), Pages::Settings);
}

/// The keys were no step: the key of undo took back an older one.
void WindowUndoTest::theKeysOfTheTextSizeAreOneStep() {
    start();
    const qint64 folder = app()->chats()->createFolder();
    app()->chats()->renameFolder(folder, QStringLiteral("Home"));
    for (int i = 0; i < 3; ++i) press(Qt::Key_Plus, Qt::ControlModifier);
    press(Qt::Key_Minus, Qt::ControlModifier);
    QTRY_COMPARE(app()->settings()->fontScale(), 1.2);
    QTRY_VERIFY(inView("Text size changed"));
    undo();
    QTRY_COMPARE(app()->settings()->fontScale(), 1.0);
    QCOMPARE(app()->undo()->undoTitle(), QStringLiteral("Rename the folder"));
    redo();
    QTRY_COMPARE(app()->settings()->fontScale(), 1.2);
    press(Qt::Key_0, Qt::ControlModifier);
    QTRY_COMPARE(app()->settings()->fontScale(), 1.0);
    undo();
    QTRY_COMPARE(app()->settings()->fontScale(), 1.2);
}

void WindowUndoTest::aPresetLosesItsNewName() {
    start();
    const int presets = app()->presets()->count();
    app()->pages()->open(Pages::Settings);
    focusOn(QStringLiteral("Presets"));
    press(Qt::Key_Space);
    use("Duplicate");
    QTRY_COMPARE(app()->presets()->count(), presets + 1);
    type(QStringLiteral("Poems")); // its name has the focus
    press(Qt::Key_Return);
    QTRY_VERIFY(item(QStringLiteral("Preset: Poems")));
    focusOn(QStringLiteral("Delete the preset Poems"));
    undo();
    QTRY_VERIFY(shows("Undone: Rename the preset"));
    QTRY_VERIFY(item(QStringLiteral("Preset: Precise 2")));
    undo();
    QTRY_VERIFY(shows("Undone: Duplicate the preset"));
    QCOMPARE(app()->presets()->count(), presets);
}

void WindowUndoTest::aFieldWithoutStepsOffersTheLatestOne() {
    start();
    const qint64 folder = app()->chats()->createFolder();
    app()->chats()->renameFolder(folder, QStringLiteral("Home"));
    talk(QStringLiteral("Hello"));
    undo(); // the composer has nothing to undo
    QTRY_VERIFY(shows("Done last: Rename the folder"));
    QCOMPARE(app()->undo()->undoTitle(), QStringLiteral("Rename the folder"));
    undo();
    QTRY_VERIFY(shows("Undone: Rename the folder"));
    app()->undo()->endOffer(); // the bar goes after a while
    redo();
    QTRY_VERIFY(shows("Undone last: Rename the folder"));
    redo();
    QTRY_VERIFY(shows("Done again: Rename the folder"));
    type(QStringLiteral("words")); // the field's own step comes first
    undo();
    QVERIFY(app()->conversation()->draft() != QStringLiteral("words"));
    QCOMPARE(app()->undo()->undoTitle(), QStringLiteral("Rename the folder"));
}

/// The key did nothing, and nothing said so, because the field could still redo what was typed.
void WindowUndoTest::aFieldWithoutWordsToUndoOffersTheLatestStep() {
    start();
    const qint64 folder = app()->chats()->createFolder();
    app()->chats()->renameFolder(folder, QStringLiteral("Home"));
    app()->undo()->endOffer();
    press(Qt::Key_L, Qt::ControlModifier);
    type(QStringLiteral("words"));
    while (!app()->conversation()->draft().isEmpty()) undo();
    QQuickItem* const composer = window()->activeFocusItem();
    QVERIFY(composer);
    QKeyEvent held(QEvent::ShortcutOverride, Qt::Key_Z, Qt::ControlModifier, QString(), true);
    QCoreApplication::sendEvent(composer, &held);
    QVERIFY(app()->undo()->notice().isEmpty()); // a key that is held down ends with the field
    undo();
    QTRY_VERIFY(shows("Done last: Rename the folder"));
    QCOMPARE(app()->undo()->undoTitle(), QStringLiteral("Rename the folder"));
    undo();
    QTRY_VERIFY(shows("Undone: Rename the folder"));
    redo(); // the field has words to bring back
    QVERIFY(!app()->conversation()->draft().isEmpty());
}

/// The key changed only the words in the field, and the preset kept its new name.
void WindowUndoTest::aFieldThatWasAppliedUndoesItsStep() {
    start();
    app()->pages()->open(Pages::Settings);
    focusOn(QStringLiteral("Presets"));
    press(Qt::Key_Space);
    use("Duplicate");
    QTRY_VERIFY(item(QStringLiteral("Preset: Precise 2")));
    type(QStringLiteral("Poems")); // its name has the focus
    press(Qt::Key_Return);
    QTRY_VERIFY(item(QStringLiteral("Preset: Poems")));
    undo();
    QTRY_VERIFY(item(QStringLiteral("Preset: Precise 2")));
    QVERIFY(shows("Undone: Rename the preset"));
    redo();
    QTRY_VERIFY(item(QStringLiteral("Preset: Poems")));
    type(QStringLiteral("x")); // not applied yet: these words are the field's
    QCOMPARE(textIn(field("Name of the preset")), QStringLiteral("Poemsx"));
    undo();
    QCOMPARE(textIn(field("Name of the preset")), QStringLiteral("Poems"));
    QCOMPARE(app()->undo()->undoTitle(), QStringLiteral("Rename the preset"));
    app()->undo()->endOffer(); // the bar goes after a while
    undo();
    QTRY_VERIFY(shows("Done last: Rename the preset"));
    undo();
    QTRY_VERIFY(item(QStringLiteral("Preset: Precise 2")));
}

void WindowUndoTest::aNumberThatWasAppliedIsUndone() {
    start();
    app()->pages()->open(Pages::Settings);
    QTRY_VERIFY(field("Temperature"));
    field("Temperature")->forceActiveFocus(Qt::TabFocusReason);
    press(Qt::Key_A, Qt::ControlModifier);
    type(QStringLiteral("0.3"));
    press(Qt::Key_Return);
    QTRY_COMPARE(app()->settings()->temperature(), 0.3);
    app()->undo()->endOffer();
    undo();
    QTRY_VERIFY(shows("Done last: Change Temperature"));
    QCOMPARE(textIn(field("Temperature")), QStringLiteral("0.3")); // its words stay with the value
    undo();
    QTRY_COMPARE(app()->settings()->temperature(), 0.8);
    QCOMPARE(textIn(field("Temperature")), QStringLiteral("0.8"));
}

void WindowUndoTest::ctrlYRedoesToo() {
    start();
    const qint64 folder = app()->chats()->createFolder();
    app()->chats()->renameFolder(folder, QStringLiteral("Home"));
    app()->pages()->open(Pages::Bin);
    QVERIFY(drawn());
    undo();
    QTRY_VERIFY(shows("Undone: Rename the folder"));
    press(Qt::Key_Y, Qt::ControlModifier);
    QTRY_VERIFY(shows("Done again: Rename the folder"));
    undo();
    QTRY_VERIFY(shows("Undone: Rename the folder"));
    press(Qt::Key_L, Qt::ControlModifier);
    type(QStringLiteral("words"));
    undo();
    QVERIFY(app()->conversation()->draft() != QStringLiteral("words"));
    press(Qt::Key_Y, Qt::ControlModifier); // the field's own step
    QCOMPARE(app()->conversation()->draft(), QStringLiteral("words"));
    QCOMPARE(app()->undo()->redoTitle(), QStringLiteral("Rename the folder"));
}

/// The bar went with the time of the words before: the next key found none, and only brought it again.
void WindowUndoTest::newWordsOfTheBarHaveTheirWholeTime() {
    start();
    undoAStep();
    const QQuickItem* const bar = item(app()->undo()->notice());
    QVERIFY(bar);
    QObject* time = nullptr;
    for (QObject* const part : bar->findChildren<QObject*>())
        if (part->inherits("QQmlTimer")) time = part;
    QVERIFY(time && time->property("running").toBool());
    const QSignalSpy restarts(time, SIGNAL(runningChanged()));
    redo();
    QTRY_VERIFY(inView("Done again: Rename the folder"));
    QVERIFY(restarts.count() > 0);
    QVERIFY(time->property("running").toBool());
}

int main(int argc, char** argv) { return runWindowTest<WindowUndoTest>(argc, argv); }
#include "tst_window_undo.moc"
