// SPDX-License-Identifier: Apache-2.0
// Titles that the model gives to new chats: when it is asked, what for, and when the title of before stays.
#include "app/app_bench.h"
#include "chats/auto_titles.h"

#include <QtTest>

using namespace coterie;
using namespace coterie::app;
using namespace coterie::test;

class TestAutoTitles : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void theModelGivesTheTitle();
    void onlyTheFirstAnswerGivesOne();
    void aTitleOfTheUserStays();
    void theNextMessageComesFirst();
    void theSettingTurnsItOff();
    void aModelThatContinuesTextsIsNotAsked();
    void titlesAreCleaned_data();
    void titlesAreCleaned();

  private:
    static QString shownTitle(AppBench& bench) {
        return bench.app().chats()->index(0).data(ChatListModel::TitleRole).toString();
    }
    static bool idle(AppBench& bench) { return !bench.chat().busy() && !bench.app().answers()->busy(); }
};

void TestAutoTitles::theModelGivesTheTitle() {
    AppBench bench;
    bench.app().settings()->autoTitles = true;
    OPEN_MODEL(bench);
    bench.control().allowAll();
    QVERIFY(bench.chat().send(QStringLiteral("Tell me a story")));
    QTRY_COMPARE(shownTitle(bench), QStringLiteral("Once upon a time"));
    QCOMPARE(bench.chat().title(), QStringLiteral("Once upon a time"));
    QCOMPARE(bench.chat().messages()->count(), 2); // the question is no message of the chat
    QCOMPARE(bench.control().conversations().size(), size_t{2});
    const engine::GenerateOptions asked = bench.control().options()[1];
    QCOMPARE(asked.maxTokens, 12);
    QCOMPARE(asked.sampling.temperature, 0.0F);
    // It continues the conversation, whose tokens the model has read already.
    const auto conversation = bench.control().conversations()[1];
    QCOMPARE(conversation.size(), size_t{3});
    QCOMPARE(QString::fromStdString(conversation[0].parts[0].text), QStringLiteral("Tell me a story"));
}

void TestAutoTitles::onlyTheFirstAnswerGivesOne() {
    AppBench bench;
    bench.app().settings()->autoTitles = true;
    OPEN_MODEL(bench);
    bench.control().allowAll();
    QVERIFY(bench.chat().send(QStringLiteral("Tell me a story")));
    QTRY_COMPARE(bench.control().conversations().size(), size_t{2});
    QTRY_VERIFY(idle(bench));
    QVERIFY(bench.chat().send(QStringLiteral("And another")));
    QTRY_COMPARE(bench.chat().messages()->count(), 4);
    QTRY_VERIFY(idle(bench));
    QCOMPARE(bench.control().conversations().size(), size_t{3});
}

void TestAutoTitles::aTitleOfTheUserStays() {
    AppBench bench;
    bench.app().settings()->autoTitles = true;
    OPEN_MODEL(bench);
    QVERIFY(bench.chat().send(QStringLiteral("Tell me a story")));
    bench.control().allow(1 + 4); // the answer; the question for the title waits
    QTRY_COMPARE(bench.control().conversations().size(), size_t{2});
    bench.app().chats()->rename(bench.chat().chatId(), QStringLiteral("Mine"));
    bench.control().allowAll();
    QVERIFY(bench.chat().send(QStringLiteral("More")));
    QTRY_VERIFY(idle(bench));
    QCOMPARE(shownTitle(bench), QStringLiteral("Mine"));
    bench.chat().newChat();
    QVERIFY(bench.chat().send(QStringLiteral("Once more")));
    bench.app().chats()->rename(bench.chat().chatId(), QStringLiteral("Mine too")); // before the answer has ended
    QTRY_VERIFY(idle(bench));
    QCOMPARE(shownTitle(bench), QStringLiteral("Mine too"));
}

void TestAutoTitles::theNextMessageComesFirst() {
    AppBench bench;
    bench.app().settings()->autoTitles = true;
    OPEN_MODEL(bench);
    QVERIFY(bench.chat().send(QStringLiteral("Tell me a story")));
    bench.control().allow(1 + 4);
    QTRY_COMPARE(bench.control().conversations().size(), size_t{2}); // it is asked
    QVERIFY(!bench.chat().busy());
    QVERIFY(bench.chat().send(QStringLiteral("Go on")));
    QTRY_COMPARE(bench.chat().state(), Conversation::Reading);
    // The question ends without a single step more, and the message is read.
    QTRY_COMPARE(bench.control().conversations().size(), size_t{3});
    bench.control().allow(1 + 4);
    QTRY_VERIFY(idle(bench));
    QCOMPARE(bench.lastText(), QStringLiteral("Once upon a time"));
    QCOMPARE(shownTitle(bench), QStringLiteral("Tell me a story"));
}

void TestAutoTitles::theSettingTurnsItOff() {
    AppBench bench;
    bench.app().settings()->autoTitles = false;
    OPEN_MODEL(bench);
    bench.control().allowAll();
    QVERIFY(bench.chat().send(QStringLiteral("Tell me a story")));
    QTRY_COMPARE(bench.lastState(), QStringLiteral("complete"));
    QCOMPARE(bench.control().conversations().size(), size_t{1});
    QCOMPARE(shownTitle(bench), QStringLiteral("Tell me a story"));
    QVERIFY(settingRow(QStringLiteral("autoTitles")).usual.toBool());
}

void TestAutoTitles::aModelThatContinuesTextsIsNotAsked() {
    FakeScript script = AppBench::words();
    script.turns = engine::Turns::Plain;
    AppBench bench(script);
    bench.app().settings()->autoTitles = true;
    OPEN_MODEL(bench);
    bench.control().allowAll();
    QVERIFY(bench.chat().send(QStringLiteral("Tell me a story")));
    QTRY_COMPARE(bench.lastState(), QStringLiteral("complete"));
    QCOMPARE(bench.control().conversations().size(), size_t{1});
}

void TestAutoTitles::titlesAreCleaned_data() {
    QTest::addColumn<QString>("answer");
    QTest::addColumn<QString>("title");
    QTest::newRow("plain") << "A short story"
                           << "A short story";
    QTest::newRow("quotes") << "\"A short story\""
                            << "A short story";
    QTest::newRow("named") << "**Title:** A short story."
                           << "A short story";
    QTest::newRow("heading") << "# Title: \"A short story\"\n\nIt begins"
                             << "A short story";
    QTest::newRow("about titles") << "Title deeds"
                                  << "Title deeds";
    QTest::newRow("curved quotes") << QStringLiteral("\u201cBread\u201d") << "Bread";
    QTest::newRow("nothing") << " \n\n"
                             << "";
    QTest::newRow("marks only") << "***"
                                << "";
    QTest::newRow("long") << QString(200, u'x') << QString(48, u'x') + QChar(0x2026);
}

void TestAutoTitles::titlesAreCleaned() {
    QFETCH(QString, answer);
    QFETCH(QString, title);
    QCOMPARE(titleIn(answer), title);
}

QTEST_GUILESS_MAIN(TestAutoTitles)
#include "tst_auto_titles.moc"
