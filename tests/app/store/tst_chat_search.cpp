// SPDX-License-Identifier: Apache-2.0
// Searches: every hit is found once, in a stable order, page by page, and its places in the text are right for letters
// of every kind. If no place has all words, the chats that have them in different places are found.
#include "app/store_on_disk.h"
#include "app/verify_ok.h"

#include <QtTest>

#include <algorithm>
#include <set>

using namespace coterie;
using namespace coterie::app;
using namespace coterie::test;

namespace {

QString u8(const char* text) { return QString::fromUtf8(text); }

constexpr size_t kTooMany = 20000; // more hits than any test has

/// Returns the hits of all pages; a page has at most `most`. Returns none if a page fails or they don't end.
std::vector<SearchHit> allHits(const ChatReads& store, const QString& words, int most, qint64 chat = 0) {
    std::vector<SearchHit> hits;
    SearchRequest request{.words = words, .chat = chat, .most = most};
    for (;;) {
        const auto page = store.search(request);
        if (!page || page->hits.size() > static_cast<size_t>(most) || hits.size() > kTooMany) return {};
        hits.insert(hits.end(), page->hits.begin(), page->hits.end());
        if (!page->next) return hits;
        request.after = *page->next;
    }
}

QStringList marked(const QString& text, const std::vector<TextRange>& ranges) {
    QStringList pieces;
    for (const TextRange& range : ranges) pieces.append(text.mid(range.begin, range.end - range.begin));
    return pieces;
}

} // namespace

class TestChatSearch : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void init() { store_ = std::make_unique<StoreOnDisk>(); }
    void cleanup() { store_.reset(); }
    void titlesComeFirst();
    void hitsOfAllBranches();
    void onlyWhatIsNotDeleted();
    void oneChatAlone();
    void pagesStayRightWhileChatsChange();
    void rangesAreInTheShownText_data();
    void rangesAreInTheShownText();
    void scriptsWithoutSpaces_data();
    void scriptsWithoutSpaces();
    void textsThatAreReadAreThoseOfTheIndex();
    void rangesOfSeveralParts();
    void aNulInTheTextHidesNothing();
    void snippetsAreCutAroundTheHit();
    void scatteredWordsAreFound();
    void aPlaceWithAllWordsComesAlone();
    void scatteredWordsOfWhatIsNotDeleted();
    void scatteredWordsWithoutAnIndex();
    void scatteredHitsStayRightWhileChatsChange();
    void fiveThousandChatsAreSearchedCompletely();
    void fiveThousandChatsHaveScatteredWords();

  private:
    void makeManyChats(int count);

    std::unique_ptr<StoreOnDisk> store_;
    StoreOnDisk& store() { return *store_; }
};

void TestChatSearch::titlesComeFirst() {
    const StoredTurn one = store().say("bread", "no", 0, {}, "Baking bread");
    const StoredTurn two = store().say("x", "bread and more bread", 0, {}, "Other");
    const std::vector<SearchHit> hits = allHits(*store(), "bread", 10);
    QCOMPARE(hits.size(), size_t{3});
    QCOMPARE(hits[0].chat, one.chat);
    QCOMPARE(hits[0].message, qint64{0});
    QCOMPARE(marked("Baking bread", hits[0].ranges), QStringList{"bread"});
    QCOMPARE(hits[1].message, two.answer.id);
    QCOMPARE(hits[1].chat, two.chat);
    QCOMPARE(marked("bread and more bread", hits[1].ranges), (QStringList{"bread", "bread"}));
    QCOMPARE(hits[2].message, one.prompt.id);
    for (int most = 1; most <= 4; ++most) QVERIFY(allHits(*store(), "bread", most) == hits);
    QVERIFY(store()->search({.words = "bread", .most = 0})->hits.empty());
    QVERIFY(store()->search({.words = " "})->hits.empty());
}

void TestChatSearch::hitsOfAllBranches() {
    const StoredTurn turn = store().say("apple", "pear");
    const StoredTurn other = store().say("apple pie", "cake", turn.chat, 0);
    const std::vector<SearchHit> hits = allHits(*store(), "apple", 10);
    QCOMPARE(hits.size(), size_t{2});
    QCOMPARE(hits[0].message, other.prompt.id);
    QCOMPARE(hits[1].message, turn.prompt.id);
}

void TestChatSearch::onlyWhatIsNotDeleted() {
    const StoredTurn kept = store().say("apple", "x", 0, {}, "apple");
    const StoredTurn gone = store().say("apple", "x", 0, {}, "apple");
    const auto branch = store()->addVersion(kept.prompt.id, textParts("apple again"));
    VERIFY_OK(store()->remove(gone.chat));
    VERIFY_OK(store()->removeMessage(branch->id));
    const std::vector<SearchHit> hits = allHits(*store(), "apple", 10);
    QCOMPARE(hits.size(), size_t{2});
    QVERIFY(std::ranges::all_of(hits, [&](const SearchHit& hit) { return hit.chat == kept.chat; }));
    QVERIFY(allHits(*store(), "again", 10).empty());
}

void TestChatSearch::oneChatAlone() {
    const StoredTurn one = store().say("apple", "apple", 0, {}, "apple");
    store().say("apple", "apple", 0, {}, "apple");
    const std::vector<SearchHit> hits = allHits(*store(), "apple", 1, one.chat);
    QCOMPARE(hits.size(), size_t{3});
    QVERIFY(std::ranges::all_of(hits, [&](const SearchHit& hit) { return hit.chat == one.chat; }));
}

void TestChatSearch::pagesStayRightWhileChatsChange() {
    qint64 first = 0;
    for (int i = 0; i < 20; ++i) {
        const StoredTurn turn = store().say("apple", "pear");
        first = i == 0 ? turn.chat : first;
    }
    const std::vector<SearchHit> before = allHits(*store(), "apple", 100);
    const auto page = store()->search({.words = "apple", .most = 7});
    store().say("apple", "a newer hit"); // it is above the page
    store().say("more", "x", first);     // makes the oldest chat the newest
    const auto rest = store()->search({.words = "apple", .after = page->next.value(), .most = 100});
    std::vector<SearchHit> both = page->hits;
    both.insert(both.end(), rest->hits.begin(), rest->hits.end());
    QVERIFY(both == before);
    QVERIFY(!rest->next);
}

void TestChatSearch::rangesAreInTheShownText_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("words");
    QTest::addColumn<QStringList>("pieces");
    const auto row = [](const char* name, const char* text, const char* words, const QStringList& pieces) {
        QTest::newRow(name) << u8(text) << u8(words) << pieces;
    };
    row("ASCII", "one two three two", "two", {"two", "two"});
    row("prefix", "kitchen kit", "kit", {"kitchen", "kit"});
    row("overlapping words", "one two one", "one on", {"one", "one"});
    row("two words", "warm kitchen, warm", "kitchen warm", {"warm", "kitchen", "warm"});
    row("umlauts",
        "\xc3\xa4\xc3\xb6\xc3\xbc Gr\xc3\xb6\xc3\x9f"
        "e und",
        "grosse", {});
    row("without marks", "le caf\xc3\xa9 noir", "cafe", {u8("caf\xc3\xa9")});
    row("combining", "le cafe\xcc\x81 noir", "caf\xc3\xa9", {u8("cafe\xcc\x81")});
    row("stacked marks", "xa\xcc\x81\xcc\xa3\xcd\x9f y", "xa", {u8("xa\xcc\x81\xcc\xa3\xcd\x9f")});
    row("after emoji", "\xf0\x9f\x98\x80\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x92\xbb ship \xf0\x9f\x9a\xa2 ship",
        "ship", {"ship", "ship"});
    row("emoji beside",
        "a\xf0\x9f\x98\x80"
        "b\xf0\x9f\x98\x80",
        "b", {"b"});
    row("Greek",
        "\xce\xba\xce\xb1\xce\xbb\xce\xb7\xce\xbc\xce\xad\xcf\x81\xce\xb1 \xce\xba\xcf\x8c\xcf\x83\xce\xbc\xce\xb5",
        "\xce\x9a\xce\x8c\xce\xa3\xce\x9c\xce\x95", {u8("\xce\xba\xcf\x8c\xcf\x83\xce\xbc\xce\xb5")});
    row("Devanagari",
        "\xe0\xa4\xaf\xe0\xa4\xb9 \xe0\xa4\xb9\xe0\xa4\xbf\xe0\xa4\xa8\xe0\xa5\x8d\xe0\xa4\xa6\xe0\xa5\x80 "
        "\xe0\xa4\xb9\xe0\xa5\x88",
        "\xe0\xa4\xb9\xe0\xa4\xbf\xe0\xa4\xa8\xe0\xa5\x8d\xe0\xa4\xa6\xe0\xa5\x80",
        {u8("\xe0\xa4\xb9\xe0\xa4\xbf\xe0\xa4\xa8\xe0\xa5\x8d\xe0\xa4\xa6\xe0\xa5\x80")});
    row("Chinese", "\xe4\xbd\xa0\xe5\xa5\xbd \xe4\xb8\x96\xe7\x95\x8c", "\xe4\xb8\x96\xe7\x95\x8c",
        {u8("\xe4\xb8\x96\xe7\x95\x8c")});
    row("letters beyond 16 bits", "\xf0\x90\x90\xa8\xf0\x90\x90\xa9 \xf0\x90\x90\xaa and", "\xf0\x90\x90\xaa",
        {u8("\xf0\x90\x90\xaa")});
    row("marks of highlighters", "\x01 <b>bold</b> \x02 bold", "bold", {"bold", "bold"});
}

void TestChatSearch::rangesAreInTheShownText() {
    QFETCH(QString, text);
    QFETCH(QString, words);
    QFETCH(QStringList, pieces);
    const StoredTurn turn = store().say(text, "-", 0, {}, text);
    const std::vector<SearchHit> hits = allHits(*store(), words, 10);
    QCOMPARE(hits.size(), pieces.isEmpty() ? size_t{0} : size_t{2});
    for (const SearchHit& hit : hits) {
        const QString shown = hit.message == 0 ? store()->chat(hit.chat)->title : store()->message(hit.message)->text();
        QCOMPARE(shown, text);
        QCOMPARE(marked(shown, hit.ranges), pieces);
        QCOMPARE(marked(hit.snippet, hit.snippetRanges), pieces);
    }
}

/// A text, words, and the pieces that they mark in it.
void TestChatSearch::scriptsWithoutSpaces_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("words");
    QTest::addColumn<QStringList>("pieces");
    const auto row = [](const char* name, const QString& text, const QString& words, const QStringList& pieces) {
        QTest::newRow(name) << text << words << pieces;
    };
    // "I want to learn programming languages", "To Tokyo Tower today", "I like Thai food"
    const QString chinese = QStringLiteral("\u6211\u60f3\u5b66\u4e60\u7f16\u7a0b\u8bed\u8a00");
    const QString japanese =
        QStringLiteral("\u4eca\u65e5\u306f\u6771\u4eac\u30bf\u30ef\u30fc\u3078\u3001\u30bf\u30ef\u30fc\u3002");
    const QString thai = QStringLiteral("\u0e09\u0e31\u0e19\u0e0a\u0e2d\u0e1a\u0e2d\u0e32\u0e2b\u0e32"
                                        "\u0e23\u0e44\u0e17\u0e22");
    row("Chinese, the beginning", chinese, chinese.left(2), {chinese.left(2)});
    row("Chinese, in the middle", chinese, chinese.mid(4, 2), {chinese.mid(4, 2)});
    row("Chinese, one letter", chinese, chinese.mid(5, 1), {chinese.mid(5, 1)});
    row("Chinese, two words", chinese, chinese.right(2) + u' ' + chinese.mid(2, 2),
        {chinese.mid(2, 2), chinese.right(2)});
    row("Chinese, words that overlap", chinese, chinese.mid(2, 3) + u' ' + chinese.mid(4, 2), {chinese.mid(2, 4)});
    row("Chinese, one word is absent", chinese, chinese.mid(2, 2) + QStringLiteral(" \u732b"), {});
    row("Chinese beside Latin letters", QStringLiteral("C++\u7f16\u7a0b and more"), QStringLiteral("c++\u7f16 More"),
        {QStringLiteral("C++\u7f16"), QStringLiteral("more")});
    row("Japanese", japanese, japanese.mid(3, 2), {japanese.mid(3, 2)});
    row("Japanese, Katakana", japanese, japanese.mid(5, 3), {japanese.mid(5, 3), japanese.mid(5, 3)});
    row("Thai", thai, thai.mid(6, 5), {thai.mid(6, 5)});
    row("Thai, a letter with its mark", thai, thai.left(1), {thai.left(2)});
    row("beyond 16 bits", u8("x\xf0\xa0\xae\xb7\xf0\xa0\xae\xb8y"), u8("\xf0\xa0\xae\xb8"), {u8("\xf0\xa0\xae\xb8")});
}

void TestChatSearch::scriptsWithoutSpaces() { rangesAreInTheShownText(); }

/// Deleted chats and messages, answers that are being written, other chats, pages and excerpts are as with the index.
void TestChatSearch::textsThatAreReadAreThoseOfTheIndex() {
    const QString word = QStringLiteral("\u7f16\u7a0b"), text = QStringLiteral("\u6211") + word;
    const StoredTurn kept = store().say(text, text, 0, {}, text);
    const StoredTurn gone = store().say(text, text, 0, {}, text);
    const auto branch = store()->addVersion(kept.prompt.id, textParts(text));
    const auto written = store()->addTurn({.chat = 0, .title = "T", .prompt = "p", .model = {}});
    VERIFY_OK(store()->saveProgress(written->answer.id, textParts(text), 0));
    const StoredTurn other = store().say("p", word, 0, {}, "T");
    VERIFY_OK(store()->remove(gone.chat));
    VERIFY_OK(store()->removeMessage(branch->id));
    const std::vector<SearchHit> hits = allHits(*store(), word, 10);
    QCOMPARE(hits.size(), size_t{4});
    for (int most = 1; most <= 5; ++most) QVERIFY(allHits(*store(), word, most) == hits);
    QCOMPARE(hits[0].chat, kept.chat);
    QCOMPARE(hits[0].message, qint64{0});
    QCOMPARE(hits[1].message, other.answer.id);
    QCOMPARE(hits[2].message, kept.answer.id);
    QCOMPARE(hits[3].message, kept.prompt.id);
    QCOMPARE(allHits(*store(), word, 10, kept.chat).size(), size_t{3});
    QCOMPARE(hits[1].snippet, word);
    QCOMPARE(hits[2].snippet, text);
}

void TestChatSearch::rangesOfSeveralParts() {
    const auto turn = store()->addTurn({.chat = 0, .title = "T", .prompt = "p", .model = {}});
    MessageRow answer = turn->answer;
    answer.state = MessageState::Complete;
    answer.parts = {{.kind = PartKind::Thought, .text = "apple"},
                    {.kind = PartKind::Text, .text = u8("caf\xc3\xa9 apple")},
                    {.kind = PartKind::Attachment, .text = "apple", .name = "apple"},
                    {.kind = PartKind::Text, .text = "an apple"}};
    VERIFY_OK(store()->finishAnswer(answer));
    const std::vector<SearchHit> hits = allHits(*store(), "apple", 10);
    QCOMPARE(hits.size(), size_t{1});
    QVERIFY((hits[0].ranges == std::vector<TextRange>{{5, 10}, {15, 20}}));
    QCOMPARE(marked(store()->message(answer.id)->text(), hits[0].ranges), (QStringList{"apple", "apple"}));
    QCOMPARE(hits[0].snippet, u8("caf\xc3\xa9 apple an apple"));
}

void TestChatSearch::aNulInTheTextHidesNothing() {
    QString text = QStringLiteral("before");
    text.append(QChar(u'\0')).append(QStringLiteral(" after"));
    const StoredTurn turn = store().say(text, "-");
    const std::vector<SearchHit> hits = allHits(*store(), "after", 10);
    QCOMPARE(hits.size(), size_t{1});
    QCOMPARE(marked(text, hits[0].ranges), QStringList{"after"});
    QCOMPARE(hits[0].snippet, QStringLiteral("before after"));
}

void TestChatSearch::snippetsAreCutAroundTheHit() {
    const QString text = QStringLiteral("one\ntwo   ").repeated(40) + "needle" + QStringLiteral(" three").repeated(40);
    store().say(text, QString(500, u'x') + " needle " + QString(500, u'y'));
    for (const SearchHit& hit : allHits(*store(), "needle", 10)) {
        QVERIFY2(hit.snippet.size() < 130, qPrintable(hit.snippet));
        QVERIFY(hit.snippet.startsWith("...") && hit.snippet.endsWith("..."));
        QVERIFY(!hit.snippet.contains('\n') && !hit.snippet.contains("  "));
        QCOMPARE(marked(hit.snippet, hit.snippetRanges), QStringList{"needle"});
    }
}

/// The hits of a chat are together, its title first. Signs are in no index, and the last word may be incomplete.
void TestChatSearch::scatteredWordsAreFound() {
    const StoredTurn one = store().say("See you on Monday", "By train", 0, {}, "The ferry");
    store().say("Monday", "Monday", 0, {}, "Monday");
    store().say("Ferry", "x", 0, {}, "Boats");
    const StoredTurn two = store().say("This Monday, or another Monday?", "x", 0, {}, "Plans");
    const StoredTurn branch = store().say("The ferryman", "x", two.chat, 0);
    const auto page = store()->search({.words = "monday ferr"});
    VERIFY_OK(page);
    QVERIFY(page->scattered && !page->next);
    const std::vector<SearchHit> hits = allHits(*store(), "monday ferr", 10);
    QVERIFY(hits == page->hits);
    QCOMPARE(hits.size(), size_t{4});
    const auto check = [&](size_t at, qint64 chat, qint64 message, const QStringList& words) {
        QCOMPARE(hits[at].chat, chat);
        QCOMPARE(hits[at].message, message);
        QCOMPARE(marked(hits[at].snippet, hits[at].snippetRanges), words);
    };
    check(0, two.chat, branch.prompt.id, {"ferryman"});
    check(1, two.chat, two.prompt.id, {"Monday", "Monday"});
    check(2, one.chat, 0, {"ferry"});
    check(3, one.chat, one.prompt.id, {"Monday"});
    for (int most = 1; most <= 5; ++most) QVERIFY(allHits(*store(), "monday ferr", most) == hits);
    QVERIFY(allHits(*store(), "Monday & ferr", 10) == hits);
    QCOMPARE(allHits(*store(), "ferry monday", 10).size(), size_t{2}); // only the last word may be incomplete
    QCOMPARE(allHits(*store(), "monday ferr", 10, one.chat).size(), size_t{2});
    const auto none = store()->search({.words = "monday ferry submarine"});
    QVERIFY(none->hits.empty() && !none->scattered);
}

void TestChatSearch::aPlaceWithAllWordsComesAlone() {
    store().say("Monday", "By ferry");
    const StoredTurn whole = store().say("A ferry on Monday", "x");
    const auto page = store()->search({.words = "monday ferry"});
    QCOMPARE(page->hits.size(), size_t{1});
    QCOMPARE(page->hits[0].message, whole.prompt.id);
    QVERIFY(!page->scattered);
    VERIFY_OK(store()->remove(whole.chat));
    const auto rest = store()->search({.words = "monday ferry"});
    QCOMPARE(rest->hits.size(), size_t{2});
    QVERIFY(rest->scattered);
}

void TestChatSearch::scatteredWordsOfWhatIsNotDeleted() {
    const StoredTurn kept = store().say("Monday", "x");
    const auto branch = store()->addVersion(kept.prompt.id, textParts("By ferry"));
    VERIFY_OK(branch);
    const StoredTurn gone = store().say("Monday", "By ferry");
    const auto written = store()->addTurn({.chat = 0, .title = "Monday", .prompt = "p", .model = {}});
    VERIFY_OK(store()->saveProgress(written->answer.id, textParts("By ferry"), 0));
    VERIFY_OK(store()->remove(gone.chat));
    QCOMPARE(allHits(*store(), "monday ferry", 10).size(), size_t{2});
    VERIFY_OK(store()->removeMessage(branch->id));
    QVERIFY(allHits(*store(), "monday ferry", 10).empty());
    VERIFY_OK(store()->restore(gone.chat));
    QCOMPARE(allHits(*store(), "monday ferry", 10).size(), size_t{2});
}

void TestChatSearch::scatteredWordsWithoutAnIndex() {
    const QString word = QStringLiteral("\u7f16\u7a0b"), words = word + QStringLiteral(" Mond");
    const StoredTurn turn = store().say(QStringLiteral("\u6211") + word, "On a monday", 0, {}, "T");
    store().say(word, "x", 0, {}, "T");
    const auto page = store()->search({.words = words});
    QVERIFY(page->scattered);
    const std::vector<SearchHit> hits = page->hits;
    QCOMPARE(hits.size(), size_t{2});
    QCOMPARE(hits[0].message, turn.answer.id);
    QCOMPARE(marked(hits[0].snippet, hits[0].snippetRanges), QStringList{"mond"});
    QCOMPARE(hits[1].message, turn.prompt.id);
    QCOMPARE(marked(hits[1].snippet, hits[1].snippetRanges), QStringList{word});
    for (int most = 1; most <= 3; ++most) QVERIFY(allHits(*store(), words, most) == hits);
}

/// A chat that is deleted between two pages is left out; what is added then is no hit.
void TestChatSearch::scatteredHitsStayRightWhileChatsChange() {
    std::vector<qint64> chats;
    for (int i = 0; i < 12; ++i) chats.push_back(store().say("Monday", "By ferry").chat);
    std::vector<SearchHit> expected = allHits(*store(), "monday ferry", 100);
    QCOMPARE(expected.size(), size_t{24});
    const auto page = store()->search({.words = "monday ferry", .most = 7});
    QCOMPARE(page->hits.size(), size_t{7});
    VERIFY_OK(store()->remove(chats[2]));
    store().say("Monday", "By ferry");
    store().say("A ferry on Monday", "x", chats[3]);
    const auto rest = store()->search({.words = "monday ferry", .after = page->next.value(), .most = 100});
    QVERIFY(rest->scattered && !rest->next);
    std::vector<SearchHit> both = page->hits;
    both.insert(both.end(), rest->hits.begin(), rest->hits.end());
    std::erase_if(expected, [&](const SearchHit& hit) { return hit.chat == chats[2]; });
    QVERIFY(both == expected);
}

/// Makes chats with a prompt and an answer each, without using the store. All answers but the last hold "answer".
void TestChatSearch::makeManyChats(int count) {
    store().close();
    SQLite::Database db(store().file(), SQLite::OPEN_READWRITE);
    SQLite::Transaction transaction(db);
    const std::string numbers =
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < " + std::to_string(count) + ") ";
    db.exec(numbers + "INSERT INTO chats(id, title, created_at, updated_at, leaf) "
                      "SELECT i, 'Chat number ' || i, i, (i * 7919) % 10007, 2 * i FROM n");
    db.exec(numbers + "INSERT INTO messages(id, chat, role, state, created_at) "
                      "SELECT 2 * i - 1, i, 'user', 'complete', i FROM n");
    db.exec(numbers + "INSERT INTO messages(id, chat, parent, role, state, created_at, depth) "
                      "SELECT 2 * i, i, 2 * i - 1, 'assistant', 'complete', i, 1 FROM n");
    db.exec("INSERT INTO parts(message, place, kind, text) SELECT id, 0, 'text', iif(id = 2 * " +
            std::to_string(count) + ", 'silence', iif(id % 2, 'A question', 'The answer ' || id)) FROM messages");
    db.exec("INSERT INTO chat_search(chat_search) VALUES ('rebuild')");
    db.exec("INSERT INTO message_search(message_search) VALUES ('rebuild')");
    transaction.commit();
    store().reopen();
}

void TestChatSearch::fiveThousandChatsAreSearchedCompletely() {
    constexpr int kChats = 5000;
    makeManyChats(kChats);
    const std::vector<SearchHit> hits = allHits(*store(), "answer", 128);
    QCOMPARE(hits.size(), size_t{kChats - 1});
    std::set<qint64> messages;
    for (size_t i = 0; i < hits.size(); ++i) {
        QVERIFY(messages.insert(hits[i].message).second);
        QVERIFY(i == 0 || hits[i].message < hits[i - 1].message);
        QCOMPARE(hits[i].message, 2 * hits[i].chat);
        QCOMPARE(hits[i].snippet, QStringLiteral("The answer %1").arg(hits[i].message));
    }
    QCOMPARE(allHits(*store(), "chat number", 1000).size(), size_t{kChats});
}

void TestChatSearch::fiveThousandChatsHaveScatteredWords() {
    constexpr int kChats = 5000;
    makeManyChats(kChats);
    const std::vector<SearchHit> hits = allHits(*store(), "question answer", 128);
    QCOMPARE(hits.size(), size_t{2 * (kChats - 1)});
    for (size_t i = 0; i < hits.size(); ++i) {
        const qint64 message = 2 * (kChats - 1) - static_cast<qint64>(i);
        QCOMPARE(hits[i].message, message);
        QCOMPARE(hits[i].chat, (message + 1) / 2);
        QCOMPARE(marked(hits[i].snippet, hits[i].snippetRanges), QStringList{message % 2 ? "question" : "answer"});
    }
}

QTEST_GUILESS_MAIN(TestChatSearch)
#include "tst_chat_search.moc"
