// SPDX-License-Identifier: Apache-2.0
// The search in all chats if no message holds all words: the chats that have them in different places are found, and
// the window says so. A hit leads to its words. Where the hits have the focus is in tst_window_list_focus.cpp.
#include "window_driver.h"

using namespace coterie;
using namespace coterie::tests;

class WindowSearchTest : public WindowDriver {
    Q_OBJECT
  private Q_SLOTS:
    void scatteredWordsAreFound();
    void aScatteredHitIsMarkedInItsChat();
    void wordsThatStandApartLeadToTheFirst();
    void scatteredHitsFollowTheLastOneOfAllWords();

  private:
    app::ChatSearchModel& search() const { return *app()->search(); }
    /// Makes a chat whose title is its first prompt.
    void makeChat(const QStringList& prompts) {
        press(Qt::Key_N, Qt::ControlModifier);
        for (const QString& prompt : prompts) talk(prompt);
    }
    void searchFor(const QString& words) {
        press(Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
        type(words);
        QTRY_COMPARE(search().words(), words);
        QTRY_VERIFY(!search().searching());
    }
    QAccessibleInterface* focused() const {
        QAccessible::setActive(true);
        return QAccessible::queryAccessibleInterface(window()->activeFocusItem());
    }
    QString listRemark() const {
        QQuickItem* const list = namedItem(window(), QStringLiteral("Hits"), QAccessible::List);
        return list ? QAccessible::queryAccessibleInterface(list)->text(QAccessible::Description) : QString();
    }

    static constexpr const char* kRemark = "The words are in different places of each chat.";
};

/// The window said that no chat had them.
void WindowSearchTest::scatteredWordsAreFound() {
    start("words");
    makeChat({"Ferry", "Monday"});
    makeChat({"Monday"});
    searchFor(QStringLiteral("monday ferry"));
    QTRY_VERIFY(shows("3 places found")); // a title and two messages
    QVERIFY(shows(kRemark));
    QCOMPARE(listRemark(), QString::fromLatin1(kRemark));
    press(Qt::Key_Down);
    QTRY_COMPARE(focused()->text(QAccessible::Name), QStringLiteral("Ferry"));
    QVERIFY(focused()->text(QAccessible::Description).startsWith(QStringLiteral("Title")));
    press(Qt::Key_Down);
    QVERIFY(focused()->text(QAccessible::Description).endsWith(QStringLiteral("Monday")));
    searchFor(QStringLiteral("monday"));
    QTRY_VERIFY(shows("3 places found")); // another title and both messages
    QVERIFY(!shows(kRemark));
    QCOMPARE(listRemark(), QString());
    searchFor(QStringLiteral("monday ferry nowhere"));
    QTRY_VERIFY(shows("No chat contains these words."));
    QVERIFY(!shows(kRemark));
}

/// The search in the chat looks for the word that the message has.
void WindowSearchTest::aScatteredHitIsMarkedInItsChat() {
    start("words");
    makeChat({"Ferry", "Monday"});
    makeChat({"Other"});
    searchFor(QStringLiteral("ferry mon"));
    QTRY_COMPARE(search().count(), 3);
    press(Qt::Key_Down);
    press(Qt::Key_Down);
    press(Qt::Key_Return);
    QTRY_COMPARE(app()->conversation()->title(), QStringLiteral("Ferry"));
    const app::ChatFind& find = *app()->conversation()->find();
    QTRY_COMPARE(find.countText(), QStringLiteral("1 of 1"));
    QCOMPARE(find.words(), QStringLiteral("Monday"));
}

/// The chat said "Not found" of words that its message has, but not side by side.
void WindowSearchTest::wordsThatStandApartLeadToTheFirst() {
    start("words");
    makeChat({"Plans", "The ferry goes on Monday"});
    makeChat({"Other"});
    const app::ChatFind& find = *app()->conversation()->find();
    const auto opened = [&](const QString& words) {
        searchFor(words);
        press(Qt::Key_Down);
        press(Qt::Key_Return);
    };
    opened(QStringLiteral("monday ferry"));
    QTRY_COMPARE(find.countText(), QStringLiteral("1 of 1"));
    QCOMPARE(find.words(), QStringLiteral("ferry"));
    opened(QStringLiteral("on mon"));
    QTRY_COMPARE(find.words(), QStringLiteral("on mon"));
    QTRY_COMPARE(find.countText(), QStringLiteral("1 of 1"));
}

/// The chat of the last hit that had all words is deleted: those that have them in different places come in its place,
/// and one of them has the focus, so that the next key goes on there.
void WindowSearchTest::scatteredHitsFollowTheLastOneOfAllWords() {
    start("words");
    makeChat({"Ferry", "Monday"});
    makeChat({"Plans", "The ferry on Monday"});
    searchFor(QStringLiteral("monday ferry"));
    QTRY_VERIFY(shows("1 place found"));
    QVERIFY(!shows(kRemark));
    press(Qt::Key_Down);
    QTRY_COMPARE(focused()->text(QAccessible::Name), QStringLiteral("Plans"));
    press(Qt::Key_Delete);
    QTRY_VERIFY(shows("3 places found"));
    QVERIFY(shows(kRemark));
    QTRY_COMPARE(focused()->text(QAccessible::Name), QStringLiteral("Ferry"));
    press(Qt::Key_Z, Qt::ControlModifier);
    QTRY_VERIFY(shows("1 place found"));
    QVERIFY(!shows(kRemark));
    QTRY_COMPARE(focused()->text(QAccessible::Name), QStringLiteral("Plans"));
}

int main(int argc, char** argv) { return runWindowTest<WindowSearchTest>(argc, argv); }

#include "tst_window_search.moc"
