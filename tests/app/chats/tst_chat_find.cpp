// SPDX-License-Identifier: Apache-2.0
// Find in this chat: hits in all messages of the path, the marks in their texts, and an answer that is searched while
// it is written.
#include "app/app_bench.h"
#include "common/language.h"

#include <QRandomGenerator>
#include <QSignalSpy>
#include <QtTest>

using namespace coterie;
using namespace coterie::app;
using namespace coterie::test;

class TestChatFind : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void initTestCase() {
        QLocale::setDefault(QLocale::c());
        QVERIFY(useLanguage());
    }
    void lettersAreComparedWithoutCaseAndMarks_data();
    void lettersAreComparedWithoutCaseAndMarks();
    void textThatGrowsIsFoundAsAWhole();
    void everyMessageOfThePathIsSearched();
    void hitsAreMarkedInTheTexts();
    void theFirstHitIsBelowThePlaceThatIsRead();
    void aChosenPlaceHasTheCurrentHit();
    void theShownTextOfAnswersIsSearched_data();
    void theShownTextOfAnswersIsSearched();
    void promptsThoughtsAndResultsAreSearchedAsTheyAre();
    void anAnswerIsSearchedWhileItIsWritten();
    void markupIsFoundAlikeWhileItIsWritten();
    void aContinuedAnswerIsSearched();
    void anotherChatHasItsOwnHits();

  private:
    /// Adds a chat with this many turns. Returns its id.
    static qint64 addChat(
        AppBench& bench, int turns, const std::function<QString(int)>& prompt,
        const std::function<std::vector<MessagePart>(int)>& answerParts = [](int i) {
            return textParts(QStringLiteral("Answer %1").arg(i));
        }) {
        bench.stop();
        qint64 chat = 0;
        {
            auto store = ChatStore::open({.folder = bench.folder(), .migrations = {}});
            for (int i = 0; i < turns; ++i) {
                const auto turn = store.value()->addTurn(
                    {.chat = chat, .title = QStringLiteral("Long"), .prompt = prompt(i), .model = {}});
                chat = turn->chat;
                MessageRow answer = turn->answer;
                answer.state = MessageState::Complete;
                answer.parts = answerParts(i);
                if (!store.value()->finishAnswer(answer)) return 0;
            }
        }
        bench.start();
        return chat;
    }
    /// Returns the marked characters of a message as they are shown, a string for each mark.
    static QStringList marked(const TextDocument& document) {
        QStringList found;
        for (const TextMark& mark : document.marks()) {
            QString text;
            for (const TextSpan& span : document.shown(mark.range)) text += document.text(span);
            found.append(text);
        }
        return found;
    }
};

void TestChatFind::lettersAreComparedWithoutCaseAndMarks_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("words");
    QTest::addColumn<QString>("found");
    const auto row = [](const char* name, const char* text, const char* words, const char* found) {
        QTest::newRow(name) << QString::fromUtf8(text) << QString::fromUtf8(words) << QString::fromUtf8(found);
    };
    row("case", "The LIGHT turns", "light", "LIGHT");
    row("within a word", "lighthouse", "hou", "hou");
    row("a letter with a mark", "un caf\xC3\xA9 noir", "cafe", "caf\xC3\xA9");
    row("a mark of its own", "un cafe\xCC\x81 noir", "caf\xC3\xA9", "cafe\xCC\x81");
    row("Greek", "\xCE\x9F\xCE\xB4\xCF\x8C\xCF\x82", "\xCE\xBF\xCE\xB4\xCE\xBF\xCF\x83",
        "\xCE\x9F\xCE\xB4\xCF\x8C\xCF\x82");
    row("an emoji before it", "\xF0\x9F\x98\x80 light", "light", "light");
    row("a line break", "the light\nturns", "light turns", "light\nturns");
    row("a letter of several characters", "\xED\x95\x9C\xEA\xB5\xAD", "\xED\x95\x9C", "\xED\x95\x9C");
    row("absent", "The light turns", "dark", "");
}

void TestChatFind::lettersAreComparedWithoutCaseAndMarks() {
    QFETCH(QString, text);
    QFETCH(QString, words);
    QFETCH(QString, found);
    const std::vector<TextRange> ranges = FoldedText(text).find(FoldedText::fold(words), 0, 10);
    QCOMPARE(ranges.size(), found.isEmpty() ? size_t{0} : size_t{1});
    if (!ranges.empty()) QCOMPARE(text.mid(ranges[0].begin, ranges[0].end - ranges[0].begin), found);
}

void TestChatFind::textThatGrowsIsFoundAsAWhole() {
    QRandomGenerator random(17);
    for (int run = 0; run < 200; ++run) {
        QString text;
        FoldedText grown;
        while (text.size() < 60) {
            QString piece;
            for (quint32 i = random.bounded(4u) + 1; i > 0; --i)
                piece += QStringLiteral("aAb\u00e1 \u0301").at(static_cast<int>(random.bounded(6u)));
            text += piece;
            grown.append(piece);
        }
        QCOMPARE(grown.length(), text.size());
        for (const char* words : {"a", "ab", "aba", "b a"})
            QCOMPARE(grown.find(QString::fromLatin1(words), 0, 100),
                     FoldedText(text).find(QString::fromLatin1(words), 0, 100));
    }
}

void TestChatFind::everyMessageOfThePathIsSearched() {
    AppBench bench;
    const qint64 chat = addChat(bench, 200, [](int i) {
        return i == 3 || i == 150 ? QStringLiteral("A lantern, and a lantern") : QStringLiteral("Prompt %1").arg(i);
    });
    bench.chat().openChat(chat);
    ChatFind& find = *bench.chat().find();
    QVERIFY(bench.chat().messages()->count() < 400); // the first hit is not read yet
    const QSignalSpy wanted(&find, &ChatFind::hitWanted);
    find.setWords(QStringLiteral("Lantern"));
    QCOMPARE(find.count(), 0); // it is not active
    find.setActive(true);
    QTRY_COMPARE(find.count(), 4);
    QCOMPARE(find.current(), 1);
    QCOMPARE(find.countText(), QStringLiteral("1 of 4"));
    const qint64 first = wanted.last().at(0).toLongLong();
    QCOMPARE(bench.chat().messages()->rowOf(first), -1);
    bench.chat().readBackTo(first);
    QVERIFY(bench.chat().messages()->rowOf(first) >= 0);
    QVERIFY(bench.chat().messages()->find(first)->text().contains(QStringLiteral("lantern")));
    QCOMPARE(find.count(), 4); // earlier messages were searched already
    for (const int next : {2, 3, 4, 1}) {
        find.next();
        QCOMPARE(find.current(), next);
    }
    find.previous();
    QCOMPARE(find.countText(), QStringLiteral("4 of 4"));
    find.setWords(QStringLiteral("nowhere"));
    QTRY_COMPARE(find.countText(), QStringLiteral("Not found"));
    find.next();
    QCOMPARE(find.current(), 0);
    find.setWords(QStringLiteral("  "));
    QCOMPARE(find.countText(), QString());
}

void TestChatFind::hitsAreMarkedInTheTexts() {
    AppBench bench;
    const qint64 chat = addChat(bench, 2, [](int i) { return QStringLiteral("one two one %1").arg(i); });
    bench.chat().openChat(chat);
    ChatFind& find = *bench.chat().find();
    MessageModel& messages = *bench.chat().messages();
    const TextDocument* second = messages.document(messages.rows()[2].id); // made before the search
    find.setActive(true);
    find.setWords(QStringLiteral("one"));
    QTRY_COMPARE(find.count(), 4);
    const std::vector<TextMark> marks = {{.range = {0, 0, 3}, .current = false},
                                         {.range = {0, 8, 11}, .current = false}};
    QCOMPARE(second->marks(), marks);
    const TextDocument* first = messages.document(messages.rows()[0].id); // made after it
    QCOMPARE(first->marks().size(), size_t{2});
    QVERIFY(first->marks()[0].current && !first->marks()[1].current);
    find.next();
    QVERIFY(!first->marks()[0].current && first->marks()[1].current);
    find.next();
    QVERIFY(!first->marks()[1].current && second->marks()[0].current);
    find.setActive(false);
    QVERIFY(first->marks().empty() && second->marks().empty());
    QCOMPARE(find.words(), QStringLiteral("one")); // for the next time
}

void TestChatFind::theFirstHitIsBelowThePlaceThatIsRead() {
    AppBench bench;
    const qint64 chat = addChat(bench, 4, [](int i) { return QStringLiteral("one %1").arg(i); });
    bench.chat().openChat(chat);
    ChatFind& find = *bench.chat().find();
    find.setPlace(bench.chat().messages()->rows()[3].id);
    find.setActive(true);
    find.setWords(QStringLiteral("one"));
    QTRY_COMPARE(find.countText(), QStringLiteral("3 of 4"));
    find.setWords(QStringLiteral("one 1")); // the only one is above
    QTRY_COMPARE(find.countText(), QStringLiteral("1 of 1"));
}

/// The search is active already: with the same words, with others, and while the chat is opened once more.
void TestChatFind::aChosenPlaceHasTheCurrentHit() {
    AppBench bench;
    const qint64 chat = addChat(bench, 4, [](int i) { return QStringLiteral("one %1").arg(i); });
    bench.chat().openChat(chat);
    const MessageModel& messages = *bench.chat().messages();
    ChatFind& find = *bench.chat().find();
    std::vector<qint64> prompts;
    for (size_t row = 0; row < 8; row += 2) prompts.push_back(messages.rows()[row].id);
    const auto standsOut = [&](size_t prompt) {
        const std::vector<TextMark>& marks = messages.document(prompts[prompt])->marks();
        return marks.size() == 1 && marks[0].current;
    };
    find.findFrom(prompts[2], QStringLiteral("one"));
    QTRY_COMPARE(find.countText(), QStringLiteral("3 of 4"));
    find.findFrom(prompts[0], QStringLiteral("one"));
    QTRY_COMPARE(find.countText(), QStringLiteral("1 of 4"));
    QVERIFY(standsOut(0) && !standsOut(2));
    find.findFrom(prompts[3], QStringLiteral("on"));
    QTRY_COMPARE(find.countText(), QStringLiteral("4 of 4"));
    bench.chat().openMessage(chat, prompts[1]);
    find.findFrom(prompts[1], QStringLiteral("on"));
    QTRY_VERIFY(!find.searching());
    QCOMPARE(find.countText(), QStringLiteral("2 of 4"));
    QVERIFY(standsOut(1) && !standsOut(3));
    find.setWords(QStringLiteral("one")); // a person goes on typing: the hit stays
    QTRY_VERIFY(!find.searching());
    QCOMPARE(find.countText(), QStringLiteral("2 of 4"));
}

/// Markdown with words and what is marked of it.
void TestChatFind::theShownTextOfAnswersIsSearched_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("words");
    QTest::addColumn<QStringList>("found");
    const auto row = [](const char* name, const char* text, const char* words, const QStringList& found) {
        QTest::newRow(name) << QString::fromUtf8(text) << QString::fromUtf8(words) << found;
    };
    row("over bold", "a **bold** word", "a bold word", {"a bold word"});
    row("the end of bold", "a **bold** word", "old w", {"old w"});
    row("over a link", "see [the page](http://b) now", "the page now", {"the page now"});
    row("over code", "call `main` first", "call main first", {"call main first"});
    row("over an escape", "5 \\* 6 \\* 7", "5 * 6 *", {"5 * 6 *"});
    row("a named character", "salt &amp; pepper", "salt & pep", {"salt & pep"});
    row("over a line", "one *two*\nthree", "two three", {"two\nthree"});
    row("in cells", "| a | b |\n|---|---|\n| **old** one | two |", "old one two", {"old one\ttwo"});
    row("in a list", "- one\n- *two* three", "two three", {"two three"});
    row("in code", "```c\nint **p;\n```", "int **p", {"int **p"});
    row("twice", "**a**b and *a*b", "ab", {"ab", "ab"});
    row("an address", "[a](http://b)", "http", {});
    row("marks", "a **bold** word", "**", {});
    row("a fence", "```python\npass\n```", "python", {});
    row("a heading's mark", "# Title", "# t", {});
}

void TestChatFind::theShownTextOfAnswersIsSearched() {
    QFETCH(QString, text);
    QFETCH(QString, words);
    QFETCH(QStringList, found);
    AppBench bench;
    const qint64 chat = addChat(
        bench, 1, [](int) { return QStringLiteral("-"); }, [&](int) { return textParts(text); });
    bench.chat().openChat(chat);
    ChatFind& find = *bench.chat().find();
    find.setActive(true);
    find.setWords(words);
    QTRY_VERIFY(!find.searching());
    QCOMPARE(find.count(), static_cast<int>(found.size()));
    QCOMPARE(marked(*bench.chat().messages()->document(bench.chat().messages()->lastId())), found);
}

void TestChatFind::promptsThoughtsAndResultsAreSearchedAsTheyAre() {
    AppBench bench;
    const qint64 chat = addChat(
        bench, 1, [](int) { return QStringLiteral("a **b** in a prompt"); },
        [](int) {
            return std::vector<MessagePart>{{.kind = PartKind::Thought, .text = QStringLiteral("\n a **b** there\n")},
                                            {.kind = PartKind::ToolCall,
                                             .text = QStringLiteral("<call>**b</call>"),
                                             .tool = QStringLiteral("clock"),
                                             .arguments = QStringLiteral("{\"a\":\"**b\"}")},
                                            {.kind = PartKind::ToolResult, .text = QStringLiteral("a **b** came")},
                                            {.kind = PartKind::Text, .text = QStringLiteral("a **b** again")}};
        });
    bench.chat().openChat(chat);
    const MessageModel& messages = *bench.chat().messages();
    ChatFind& find = *bench.chat().find();
    find.setActive(true);
    find.setWords(QStringLiteral("a **b"));
    QTRY_VERIFY(!find.searching());
    QCOMPARE(find.countText(), QStringLiteral("1 of 3"));
    TextDocument& answer = *messages.document(messages.rows()[1].id);
    answer.setFolded(0, false);
    QCOMPARE(marked(*messages.document(messages.rows()[0].id)), QStringList{QStringLiteral("a **b")});
    QCOMPARE(marked(answer), (QStringList{QStringLiteral("a **b"), QStringLiteral("a **b")}));
    find.setWords(QStringLiteral("a b"));
    QTRY_VERIFY(!find.searching());
    QCOMPARE(find.countText(), QStringLiteral("1 of 1"));
    QCOMPARE(marked(answer), QStringList{QStringLiteral("a b")});
}

void TestChatFind::anAnswerIsSearchedWhileItIsWritten() {
    AppBench bench;
    OPEN_MODEL(bench);
    QVERIFY(bench.chat().send(QStringLiteral("Begin")));
    ChatFind& find = *bench.chat().find();
    find.setActive(true);
    find.setWords(QStringLiteral("on a")); // in two tokens
    bench.control().allow(1 + 2);
    QTRY_COMPARE(bench.lastText(), QStringLiteral("Once upon "));
    QTRY_COMPARE(find.searching(), false);
    QCOMPARE(find.count(), 0);
    bench.control().allow(1);
    QTRY_COMPARE(find.countText(), QStringLiteral("1 of 1"));
    const MessageRow& row = bench.chat().messages()->rows().back();
    const std::vector<TextMark> mark = {{.range = {0, 7, 11}, .current = true}};
    QCOMPARE(bench.chat().messages()->document(row.id)->marks(), mark);
    bench.control().allowAll();
    QTRY_COMPARE(bench.chat().state(), Conversation::Idle);
    QCOMPARE(find.count(), 1);
    find.setWords(QStringLiteral("time"));
    QTRY_COMPARE(find.countText(), QStringLiteral("1 of 1"));
}

/// After each token the hits are those of the text so far, also where a token makes markup of what stood there, and
/// when the answer is continued.
void TestChatFind::markupIsFoundAlikeWhileItIsWritten() {
    FakeScript script = AppBench::words();
    script.pieces = {"on **a", " b",    "**c a",    " b\n\n",    "- a b\n",  "- [a", " b](http", "://a) b\n\n",
                     "```\na", " b a ", "b\n```\n", "| a b |\n", "|---|\n|", " a ",  "*b*",      " | a b |\n"};
    AppBench bench(script);
    OPEN_MODEL(bench);
    QVERIFY(bench.chat().send(QStringLiteral("Begin")));
    MessageModel& messages = *bench.chat().messages();
    ChatFind& find = *bench.chat().find();
    find.setActive(true);
    find.setWords(QStringLiteral("a b"));
    const auto spaced = [](QString text) { return text.replace(u'\t', u' ').replace(u'\n', u' '); };
    const auto isRight = [&] {
        const TextDocument& document = *messages.document(messages.lastId());
        qsizetype count = 0;
        for (const TextBlock& block : document.blocks()) count += spaced(block.text).count(QStringLiteral("a b"));
        const QStringList texts = marked(document);
        return find.count() == count && texts.size() == count &&
               std::ranges::all_of(texts, [&](const QString& text) { return spaced(text) == u"a b"; });
    };
    bench.control().allow(1);
    for (const FakePiece& piece : script.pieces) {
        const qsizetype length = messages.rows().back().text().size();
        bench.control().allow(1);
        QTRY_COMPARE(messages.rows().back().text().size(), length + static_cast<qsizetype>(piece.text.size()));
        QTRY_VERIFY(!find.searching());
        QVERIFY2(isRight(), piece.text.c_str());
    }
    bench.control().allowAll();
    QTRY_COMPARE(bench.chat().state(), Conversation::Idle);
    QVERIFY(isRight());
    QCOMPARE(find.count(), 8);
}

void TestChatFind::aContinuedAnswerIsSearched() {
    AppBench bench;
    OPEN_MODEL(bench);
    QVERIFY(bench.chat().send(QStringLiteral("Begin")));
    bench.control().allow(1 + 2);
    QTRY_COMPARE(bench.lastText(), QStringLiteral("Once upon "));
    bench.chat().stop();
    QTRY_COMPARE(bench.chat().state(), Conversation::Idle);
    MessageModel& messages = *bench.chat().messages();
    ChatFind& find = *bench.chat().find();
    find.setActive(true);
    find.setWords(QStringLiteral("on"));
    QTRY_COMPARE(find.countText(), QStringLiteral("1 of 2"));
    bench.chat().actions()->continueAnswer(messages.lastId());
    QTRY_COMPARE(find.searching(), false);
    QCOMPARE(marked(*messages.document(messages.lastId())), (QStringList{"On", "on"}));
    bench.control().allowAll();
    QTRY_COMPARE(bench.chat().state(), Conversation::Idle);
    find.setWords(QStringLiteral("a"));
    QTRY_COMPARE(find.countText(), QStringLiteral("1 of 1"));
    QCOMPARE(marked(*messages.document(messages.lastId())), QStringList{"a"});
}

void TestChatFind::anotherChatHasItsOwnHits() {
    AppBench bench;
    const qint64 first = addChat(bench, 3, [](int) { return QStringLiteral("one"); });
    const qint64 second = addChat(bench, 1, [](int) { return QStringLiteral("one"); });
    ChatFind& find = *bench.chat().find();
    bench.chat().openChat(first);
    find.setActive(true);
    find.setWords(QStringLiteral("one"));
    QTRY_COMPARE(find.count(), 3);
    bench.chat().openChat(second);
    QTRY_COMPARE(find.count(), 1);
    bench.chat().newChat();
    QTRY_COMPARE(find.count(), 0);
}

QTEST_MAIN(TestChatFind)
#include "tst_chat_find.moc"
