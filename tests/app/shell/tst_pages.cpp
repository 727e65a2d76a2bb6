// SPDX-License-Identifier: Apache-2.0
// The stack of pages, and the commands that the palette offers.
#include "shell/command_filter.h"
#include "shell/pages.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QtTest>

using namespace coterie::app;

class TestPages : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void aPageReturnsToTheOneBelow();
    void aPageIsInTheStackOnce();
    void f23SettingsLeadBackToTheConversation();
    void theActivityLeadsBackToTheConversation();
    void aPageClosesThePalette();
    void theFilterFindsWordsInAnyOrder();
    void theFilterOffersOnlyWhatCanBeRun();
    void tipsHaveTheTitleAndTheKey();
};

namespace {

void fill(CommandList& commands, bool* answering) {
    commands.add({.id = "page.settings", .group = "Pages", .title = "Settings", .keys = {"Ctrl+,", "F5"}});
    commands.add({.id = "page.about", .group = "Pages", .title = "About Coterie"});
    commands.add({.id = "chat.rename", .group = "Chats", .title = "Rename the chat", .keys = {"F2"}, .local = true});
    commands.add({.id = "answer.stop", .group = "Conversation", .title = "Stop the answer", .enabled = [answering] {
                      return *answering;
                  }});
}

QStringList titles(const CommandFilter& filter) {
    QStringList all;
    for (int row = 0; row < filter.rowCount(); ++row)
        all.append(filter.index(row, 0).data(CommandList::TitleRole).toString());
    return all;
}

} // namespace

void TestPages::aPageReturnsToTheOneBelow() {
    Pages pages;
    const QSignalSpy changes(&pages, &Pages::currentChanged);
    QCOMPARE(pages.current(), Pages::Chat);
    pages.close();
    QCOMPARE(changes.count(), 0);
    pages.open(Pages::Models);
    pages.open(Pages::Settings);
    QCOMPARE(pages.current(), Pages::Settings);
    QCOMPARE(pages.below(), Pages::Models);
    pages.close();
    QCOMPARE(pages.current(), Pages::Models);
    QCOMPARE(pages.below(), Pages::Chat);
    pages.close();
    QCOMPARE(pages.current(), Pages::Chat);
    QCOMPARE(changes.count(), 4);
}

void TestPages::f23SettingsLeadBackToTheConversation() {
    Pages pages;
    pages.open(Pages::ChatSettings);
    pages.open(Pages::Settings);
    QCOMPARE(pages.below(), Pages::Chat);
    pages.open(Pages::ChatSettings);
    QCOMPARE(pages.current(), Pages::ChatSettings);
    pages.close();
    QCOMPARE(pages.current(), Pages::Chat);
}

void TestPages::aPageIsInTheStackOnce() {
    Pages pages;
    for (const auto page : {Pages::Models, Pages::Settings, Pages::About}) pages.open(page);
    pages.open(Pages::Settings); // closes About
    QCOMPARE(pages.current(), Pages::Settings);
    QCOMPARE(pages.below(), Pages::Models);
    pages.open(Pages::Bin);
    pages.open(Pages::Chat); // closes all
    QCOMPARE(pages.current(), Pages::Chat);
    pages.open(Pages::Bin);
    QCOMPARE(pages.below(), Pages::Chat);
}

void TestPages::theActivityLeadsBackToTheConversation() {
    Pages pages;
    for (const auto page : {Pages::Settings, Pages::Shortcuts, Pages::Activity}) pages.open(page);
    QCOMPARE(pages.current(), Pages::Activity);
    QCOMPARE(pages.below(), Pages::Chat);
    pages.open(Pages::Settings);
    pages.close();
    QCOMPARE(pages.current(), Pages::Activity);
    pages.close();
    QCOMPARE(pages.current(), Pages::Chat);
}

void TestPages::aPageClosesThePalette() {
    Pages pages;
    const QSignalSpy changes(&pages, &Pages::paletteChanged);
    pages.setPalette(true);
    pages.setPalette(true);
    QCOMPARE(changes.count(), 1);
    pages.open(Pages::Chat); // also if it is shown already
    QVERIFY(!pages.palette());
    pages.setPalette(true);
    pages.open(Pages::About);
    QVERIFY(!pages.palette());
}

void TestPages::theFilterFindsWordsInAnyOrder() {
    bool answering = false;
    CommandList commands;
    const QAbstractItemModelTester listTester(&commands, QAbstractItemModelTester::FailureReportingMode::QtTest);
    fill(commands, &answering);
    CommandFilter filter;
    const QAbstractItemModelTester tester(&filter, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QCOMPARE(filter.rowCount(), 0);
    filter.setCommands(&commands);
    filter.setWords(QStringLiteral("ABOUT"));
    QCOMPARE(titles(filter), QStringList{QStringLiteral("About Coterie")});
    filter.setWords(QStringLiteral("cot  pages"));
    QCOMPARE(titles(filter), QStringList{QStringLiteral("About Coterie")});
    filter.setWords(QStringLiteral("about settings"));
    QVERIFY(titles(filter).isEmpty());
    filter.setWords({});
    QCOMPARE(filter.rowCount(), 3);
}

void TestPages::theFilterOffersOnlyWhatCanBeRun() {
    bool answering = false;
    CommandList commands;
    fill(commands, &answering);
    CommandFilter filter;
    filter.setCommands(&commands);
    QVERIFY(!titles(filter).contains(QStringLiteral("Rename the chat"))); // the list of chats handles its key
    const QModelIndex stop = filter.index(2, 0);
    QVERIFY(!stop.data(CommandList::EnabledRole).toBool());
    const QSignalSpy changes(&filter, &QAbstractItemModel::dataChanged);
    answering = true;
    commands.refresh();
    QCOMPARE(changes.count(), 1);
    QVERIFY(stop.data(CommandList::EnabledRole).toBool());
}

void TestPages::tipsHaveTheTitleAndTheKey() {
    bool answering = false;
    CommandList commands;
    fill(commands, &answering);
    const QString id = QStringLiteral("page.settings");
    const QString keys = QKeySequence(QStringLiteral("Ctrl+,")).toString(QKeySequence::NativeText);
    QCOMPARE(commands.title(id), QStringLiteral("Settings"));
    QCOMPARE(commands.tip({}, id), QStringLiteral("Settings (%1)").arg(keys));
    QCOMPARE(commands.tip(QStringLiteral("Options"), id), QStringLiteral("Options (%1)").arg(keys));
    QCOMPARE(commands.tip({}, QStringLiteral("page.about")), QStringLiteral("About Coterie"));
    QCOMPARE(commands.title(QStringLiteral("no.such")), QString());
}

QTEST_MAIN(TestPages)
#include "tst_pages.moc"
