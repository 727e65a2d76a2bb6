// SPDX-License-Identifier: Apache-2.0
// Messages as a tree: branches, versions, leaves, pages of the path, and what is deleted and restored. Random changes
// are compared with a model in memory that knows no SQL.
#include "app/store_on_disk.h"
#include "app/verify_ok.h"

#include <QRandomGenerator>
#include <QtTest>

#include <algorithm>
#include <map>

using namespace coterie;
using namespace coterie::app;
using namespace coterie::test;

namespace {

/// One chat as a person would draw it.
class ModelTree {
  public:
    struct Node {
        qint64 parent = 0;
        QString text;
        bool deleted = false;
    };

    void add(qint64 id, qint64 parent, const QString& text) {
        nodes_[id] = {.parent = parent, .text = text};
        leaf_ = id;
    }
    bool visible(qint64 id) const {
        for (; id != 0; id = nodes_.at(id).parent)
            if (nodes_.at(id).deleted) return false;
        return true;
    }
    bool isUnder(qint64 id, qint64 above) const {
        while (id != above && id != 0) id = nodes_.at(id).parent;
        return id == above;
    }
    std::vector<qint64> children(qint64 parent) const {
        std::vector<qint64> ids;
        for (const auto& [id, node] : nodes_)
            if (node.parent == parent && visible(id)) ids.push_back(id);
        return ids;
    }
    std::vector<qint64> path(qint64 id) const {
        std::vector<qint64> ids;
        for (; id != 0; id = nodes_.at(id).parent) ids.insert(ids.begin(), id);
        return ids;
    }
    qint64 newestUnder(qint64 above) const {
        qint64 newest = 0;
        for (const auto& [id, node] : nodes_)
            if (visible(id) && isUnder(id, above)) newest = id;
        return newest;
    }
    void remove(qint64 id) {
        nodes_[id].deleted = true;
        if (leaf_ == 0 || visible(leaf_)) return;
        const std::vector<qint64> others = children(nodes_[id].parent);
        leaf_ = others.empty() ? nodes_[id].parent : newestUnder(nearest(others, id));
    }
    void restore(qint64 id) {
        nodes_[id].deleted = false;
        if (visible(id)) leaf_ = newestUnder(id);
    }
    void show(qint64 id) { leaf_ = newestUnder(id); }

    const std::map<qint64, Node>& nodes() const { return nodes_; }
    qint64 leaf() const { return leaf_; }

  private:
    /// The last one before id, or the first one after it.
    static qint64 nearest(const std::vector<qint64>& others, qint64 id) {
        const auto after = std::upper_bound(others.begin(), others.end(), id);
        return after == others.begin() ? *after : *(after - 1);
    }

    std::map<qint64, Node> nodes_;
    qint64 leaf_ = 0;
};

} // namespace

class TestChatTree : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void cleanup() { store_.reset(); }
    void anotherAnswerIsASibling();
    void anEditedPromptIsASibling();
    void aFirstPromptCanBeEditedToo();
    void aVersionKeepsRoleAndFiles();
    void branchingCopiesNothing();
    void theNewestDescendantIsShown();
    void deletingHidesTheSubtree();
    void nestedDeletionsComeBackOneByOne();
    void deletedMessagesAreErasedInTime();
    void oneMessageCanBeErased();
    void anAnswerThatWasErasedStaysErased();
    void anAnswerCanBeContinued();
    void anAnswerThatIsDeletedWhileItGrowsStaysDeleted();
    void unknownMessagesAreErrors();
    void pagesOfALongPath();
    void randomChangesAgreeWithTheModel();

  private:
    void changeAtRandom(QRandomGenerator& random, qint64 chat, ModelTree& model, int step);
    void compare(qint64 chat, const ModelTree& model);
    std::vector<qint64> shown(qint64 chat);
    QStringList find(const QString& word);

    std::unique_ptr<StoreOnDisk> store_;
    StoreOnDisk& store() {
        if (!store_) store_ = std::make_unique<StoreOnDisk>();
        return *store_;
    }
};

std::vector<qint64> TestChatTree::shown(qint64 chat) {
    std::vector<qint64> ids;
    const auto rows = store()->messages(chat);
    if (rows)
        for (const MessageRow& row : rows.value()) ids.push_back(row.id);
    return ids;
}

/// Returns the excerpts of all hits.
QStringList TestChatTree::find(const QString& word) {
    QStringList found;
    const auto page = store()->search({.words = word, .most = 1000});
    if (page)
        for (const SearchHit& hit : page.value().hits) found.append(hit.snippet);
    return found;
}

void TestChatTree::anotherAnswerIsASibling() {
    const StoredTurn turn = store().say("Hello", "first");
    auto second = store()->addAnswer({.parent = turn.prompt.id, .model = QStringLiteral("Other")});
    VERIFY_OK(second);
    QCOMPARE(second->state, MessageState::Streaming);
    QCOMPARE(shown(turn.chat), (std::vector<qint64>{turn.prompt.id, second->id}));
    const auto siblings = store()->siblings(second->id);
    VERIFY_OK(siblings);
    QCOMPARE(siblings->ids, (std::vector<qint64>{turn.answer.id, second->id}));
    QCOMPARE(siblings->index, qsizetype{1});
    QCOMPARE(store()->siblings(turn.answer.id)->index, qsizetype{0});
    QCOMPARE(store()->children(turn.prompt.id).value(), siblings->ids);
    store().reopen();
    QCOMPARE(store()->message(second->id)->model, QStringLiteral("Other"));
    QCOMPARE(store()->message(second->id)->state, MessageState::Stopped);
    QCOMPARE(store()->message(turn.answer.id)->model, QStringLiteral("Guide"));
    QCOMPARE(store()->state(turn.chat)->leaf, second->id);
}

void TestChatTree::anEditedPromptIsASibling() {
    const StoredTurn first = store().say("One", "Two");
    const StoredTurn second = store().say("Three", "Four", first.chat);
    const StoredTurn edited = store().say("Tree", "Bark", first.chat, second.prompt.parent);
    QCOMPARE(edited.prompt.parent, first.answer.id);
    QCOMPARE(store()->siblings(edited.prompt.id)->ids, (std::vector<qint64>{second.prompt.id, edited.prompt.id}));
    QCOMPARE(shown(first.chat),
             (std::vector<qint64>{first.prompt.id, first.answer.id, edited.prompt.id, edited.answer.id}));
    QCOMPARE(store()->path(second.answer.id).value(),
             (std::vector<qint64>{first.prompt.id, first.answer.id, second.prompt.id, second.answer.id}));
}

void TestChatTree::aFirstPromptCanBeEditedToo() {
    const StoredTurn first = store().say("Helo", "Hm?");
    store().say("In another chat", "Yes");
    const StoredTurn edited = store().say("Hello", "Hello!", first.chat, 0);
    QCOMPARE(edited.prompt.parent, qint64{0});
    const auto siblings = store()->siblings(first.prompt.id);
    QCOMPARE(siblings->ids, (std::vector<qint64>{first.prompt.id, edited.prompt.id}));
    QCOMPARE(shown(first.chat), (std::vector<qint64>{edited.prompt.id, edited.answer.id}));
}

void TestChatTree::aVersionKeepsRoleAndFiles() {
    const auto turn = store()->addTurn({.chat = 0,
                                        .title = "T",
                                        .prompt = "Read this",
                                        .model = {},
                                        .files = {{"a.txt", "text/plain", "letters", QByteArray("\0bytes\xff", 7)}}});
    VERIFY_OK(turn);
    std::vector<MessagePart> parts = turn->prompt.parts;
    parts[0].text = QStringLiteral("Read that");
    const auto version = store()->addVersion(turn->prompt.id, parts);
    VERIFY_OK(version);
    store().reopen();
    QCOMPARE(shown(turn->chat), (std::vector<qint64>{version->id}));
    QCOMPARE(version->role, engine::Role::User);
    QVERIFY(store()->message(version->id)->parts == parts);
    QCOMPARE(store()->records().attachment({.message = version->id, .part = 1}).value(), QByteArray("\0bytes\xff", 7));
    const auto answer = store()->addVersion(turn->answer.id, textParts("My own words"));
    VERIFY_OK(answer);
    QCOMPARE(answer->role, engine::Role::Assistant);
    QCOMPARE(answer->state, MessageState::Complete);
    QCOMPARE(find("own"), QStringList{"My own words"});
}

void TestChatTree::branchingCopiesNothing() {
    const StoredTurn first = store().say("One", QString(100000, u'a'));
    const auto turn = store()->addTurn({.chat = first.chat,
                                        .title = {},
                                        .prompt = "Two",
                                        .model = {},
                                        .files = {{"f", "x", "t", QByteArray(9999, 'b')}}});
    VERIFY_OK(turn);
    const qint64 bytes = store().number("SELECT sum(length(text)) FROM parts");
    const auto edited = store()->addTurn({.chat = first.chat,
                                          .title = {},
                                          .prompt = "Three",
                                          .model = {},
                                          .parent = first.answer.id,
                                          .sameFiles = {{.message = turn->prompt.id, .part = 1}}});
    VERIFY_OK(edited);
    QCOMPARE(edited->prompt.parts.at(1).name, QStringLiteral("f"));
    QCOMPARE(store().number("SELECT sum(length(text)) FROM parts"), bytes + 6); // the prompt, and the text of the file
    QCOMPARE(store().number("SELECT count(*) FROM files"), qint64{1});
    QCOMPARE(store().number("SELECT count(*) FROM attachments"), qint64{2});
    QCOMPARE(store()->records().attachment({.message = edited->prompt.id, .part = 1}).value(), QByteArray(9999, 'b'));
}

void TestChatTree::theNewestDescendantIsShown() {
    const StoredTurn first = store().say("One", "a");
    const StoredTurn second = store().say("Two", "b", first.chat);
    const auto other = store()->addAnswer({.parent = first.prompt.id, .model = {}});
    VERIFY_OK(other);
    QCOMPARE(store()->setLeaf(first.chat, first.answer.id).value(), second.answer.id);
    QCOMPARE(shown(first.chat).back(), second.answer.id);
    QCOMPARE(store()->setLeaf(first.chat, first.prompt.id).value(), other->id);
    QCOMPARE(shown(first.chat).back(), other->id);
    store().reopen();
    QCOMPARE(store()->state(first.chat)->leaf, other->id);
}

void TestChatTree::deletingHidesTheSubtree() {
    const StoredTurn first = store().say("apple", "pear");
    const StoredTurn second = store().say("plum", "cherry", first.chat);
    QCOMPARE(store()->removeMessage(second.prompt.id).value(), first.answer.id);
    QCOMPARE(shown(first.chat).size(), size_t{2});
    QVERIFY(store()->children(first.answer.id)->empty());
    QVERIFY(find("plum").isEmpty());
    QVERIFY(find("cherry").isEmpty());
    QVERIFY(!store()->setLeaf(first.chat, second.answer.id));
    QVERIFY(!store()->addAnswer({.parent = second.prompt.id, .model = {}}));
    QVERIFY(
        !store()->addTurn({.chat = first.chat, .title = {}, .prompt = "x", .model = {}, .parent = second.answer.id}));
    const auto removed = store()->removedMessages();
    QCOMPARE(removed->size(), size_t{1});
    QCOMPARE(removed->at(0).text(), QStringLiteral("plum"));
    QVERIFY(removed->at(0).removed.isValid());
    store().reopen();
    QCOMPARE(store()->restoreMessage(second.prompt.id).value(), second.answer.id);
    QCOMPARE(shown(first.chat).size(), size_t{4});
    QCOMPARE(find("cherry").size(), 1);
    QVERIFY(store()->removedMessages()->empty());
}

void TestChatTree::nestedDeletionsComeBackOneByOne() {
    const StoredTurn first = store().say("apple", "pear");
    const StoredTurn second = store().say("plum", "cherry", first.chat);
    VERIFY_OK(store()->removeMessage(second.answer.id));
    QCOMPARE(store()->removeMessage(first.prompt.id).value(), qint64{0});
    QVERIFY(shown(first.chat).empty());
    QCOMPARE(store()->restoreMessage(second.answer.id).value(), qint64{0}); // its prompt is still deleted
    QVERIFY(find("cherry").isEmpty());
    VERIFY_OK(store()->restoreMessage(first.prompt.id));
    QCOMPARE(find("cherry").size(), 1);
    VERIFY_OK(store()->removeMessage(second.answer.id));
    VERIFY_OK(store()->removeMessage(first.answer.id));
    QCOMPARE(store()->restoreMessage(first.answer.id).value(), second.prompt.id);
    QVERIFY(find("cherry").isEmpty());
    QCOMPARE(find("plum").size(), 1);
}

void TestChatTree::deletedMessagesAreErasedInTime() {
    const StoredTurn first = store().say("apple", "pear");
    const auto second = store()->addTurn(
        {.chat = first.chat, .title = {}, .prompt = "plum", .model = {}, .files = {{"f", "x", "t", "bytes"}}});
    VERIFY_OK(store()->records().put(second->answer.id, {.trace = packedRecord({1, "trace"}).value()}, 1000));
    VERIFY_OK(store()->removeMessage(second->prompt.id));
    VERIFY_OK(store()->purge(QDateTime::currentDateTime().addDays(-30)));
    QCOMPARE(store().number("SELECT count(*) FROM messages"), qint64{4});
    VERIFY_OK(store()->purge(QDateTime::currentDateTime().addDays(1)));
    QCOMPARE(store().number("SELECT count(*) FROM messages"), qint64{2});
    for (const char* table : {"files", "attachments", "traces"})
        QCOMPARE(store().number((std::string("SELECT count(*) FROM ") + table).c_str()), qint64{0});
    QVERIFY(!store()->restoreMessage(second->prompt.id));
    store().close();
    SQLite::Database(store().file(), SQLite::OPEN_READWRITE)
        .exec("INSERT INTO message_search(message_search) VALUES ('integrity-check')");
}

void TestChatTree::oneMessageCanBeErased() {
    const StoredTurn first = store().say("apple", "pear");
    const StoredTurn second = store().say("plum", "cherry", first.chat);
    QVERIFY(!store()->eraseMessage(second.answer.id)); // it was not deleted
    VERIFY_OK(store()->removeMessage(second.prompt.id));
    QVERIFY(!store()->eraseMessage(second.answer.id)); // it is only hidden
    VERIFY_OK(store()->eraseMessage(second.prompt.id));
    QCOMPARE(store().number("SELECT count(*) FROM messages"), qint64{2});
    QVERIFY(!store()->restoreMessage(second.prompt.id));
    QCOMPARE(store()->messages(first.chat)->size(), size_t{2});
    store().close();
    SQLite::Database(store().file(), SQLite::OPEN_READWRITE)
        .exec("INSERT INTO message_search(message_search) VALUES ('integrity-check')");
}

void TestChatTree::anAnswerThatWasErasedStaysErased() {
    const auto turn = store()->addTurn({.title = "Plums", .prompt = "plum", .model = "Guide"});
    VERIFY_OK(turn);
    VERIFY_OK(store()->remove(turn->chat));
    VERIFY_OK(store()->erase(turn->chat));
    MessageRow answer = turn->answer;
    answer.parts = textParts("cherry");
    answer.state = MessageState::Complete;
    VERIFY_OK(store()->finishAnswer(answer));
    QCOMPARE(store().number("SELECT count(*) FROM messages"), qint64{0});
    QCOMPARE(store().number("SELECT count(*) FROM parts"), qint64{0});
}

void TestChatTree::anAnswerCanBeContinued() {
    const StoredTurn turn = store().say("Hello", "Once upon");
    VERIFY_OK(store()->continueAnswer(turn.answer.id));
    QCOMPARE(store()->message(turn.answer.id)->state, MessageState::Streaming);
    QCOMPARE(store()->message(turn.answer.id)->text(), QStringLiteral("Once upon"));
    MessageRow answer = turn.answer;
    answer.parts = textParts("Once upon a time");
    VERIFY_OK(store()->saveProgress(answer.id, answer.parts, 0));
    answer.state = MessageState::Complete;
    VERIFY_OK(store()->finishAnswer(answer));
    QCOMPARE(find("time"), QStringList{"Once upon a time"});
    const auto prefixed = store()->addAnswer({.parent = turn.prompt.id, .model = {}, .parts = textParts("Once")});
    VERIFY_OK(prefixed);
    QCOMPARE(store()->message(prefixed->id)->text(), QStringLiteral("Once"));
}

void TestChatTree::anAnswerThatIsDeletedWhileItGrowsStaysDeleted() {
    const auto turn = store()->addTurn({.chat = 0, .title = "T", .prompt = "Hello", .model = {}});
    VERIFY_OK(turn);
    VERIFY_OK(store()->removeMessage(turn->answer.id));
    MessageRow answer = turn->answer;
    answer.parts = textParts("ghost");
    answer.state = MessageState::Complete;
    VERIFY_OK(store()->finishAnswer(answer));
    QVERIFY(find("ghost").isEmpty());
    QCOMPARE(shown(turn->chat), std::vector<qint64>{turn->prompt.id});
    VERIFY_OK(store()->restoreMessage(answer.id));
    QCOMPARE(find("ghost"), QStringList{"ghost"});
}

void TestChatTree::unknownMessagesAreErrors() {
    const StoredTurn turn = store().say("Hello", "x");
    const StoredTurn other = store().say("Other", "y");
    const auto notFound = [](const auto& result) {
        return !result && result.error().kind == engine::ErrorKind::NotFound;
    };
    QVERIFY(notFound(store()->setLeaf(turn.chat, other.answer.id)));
    QVERIFY(notFound(store()->setLeaf(turn.chat, 99)));
    QVERIFY(notFound(store()->removeMessage(99)));
    QVERIFY(notFound(store()->restoreMessage(turn.answer.id)));
    QVERIFY(notFound(store()->addAnswer({.parent = 99, .model = {}})));
    QVERIFY(notFound(
        store()->addTurn({.chat = turn.chat, .title = {}, .prompt = "x", .model = {}, .parent = other.answer.id})));
    QVERIFY(notFound(store()->addVersion(99, {})));
    QVERIFY(notFound(store()->continueAnswer(99)));
    QVERIFY(notFound(store()->message(99)));
    QVERIFY(notFound(store()->siblings(99)));
    QVERIFY(notFound(store()->page(turn.chat, other.answer.id, 5)));
    QCOMPARE(store().number("SELECT count(*) FROM messages"), qint64{4});
}

void TestChatTree::pagesOfALongPath() {
    constexpr int kTurns = 60;
    qint64 chat = 0;
    std::vector<qint64> ids;
    for (int i = 0; i < kTurns; ++i) {
        const StoredTurn turn = store().say(QString::number(i), "a", chat);
        chat = turn.chat;
        ids.insert(ids.end(), {turn.prompt.id, turn.answer.id});
    }
    VERIFY_OK(store()->addVersion(ids[41], textParts("side")));
    VERIFY_OK(store()->setLeaf(chat, ids.back()));
    QCOMPARE(store()->page(chat, 0, 1)->rows.at(0).id, ids.back());
    std::vector<qint64> read;
    qint64 before = 0;
    do {
        const auto page = store()->page(chat, before, 7);
        VERIFY_OK(page);
        QCOMPARE(page->length, qint64{2 * kTurns});
        QCOMPARE(page->first, static_cast<qint64>(ids.size() - read.size() - page->rows.size()));
        QCOMPARE(page->siblings.size(), page->rows.size());
        for (size_t i = page->rows.size(); i-- > 0;) {
            read.insert(read.begin(), page->rows[i].id);
            QVERIFY(!page->rows[i].parts.empty());
            const bool twice = page->rows[i].id == ids[41];
            QCOMPARE(page->siblings[i].ids.size(), twice ? size_t{2} : size_t{1});
            QCOMPARE(page->siblings[i].index, qsizetype{0});
        }
        before = page->rows.front().id;
    } while (before != ids.front());
    QCOMPARE(read, ids);
    QVERIFY(store()->page(chat, before, 7)->rows.empty());
    QVERIFY(store()->page(77, 0, 7)->rows.empty());
    QCOMPARE(store()->page(77, 0, 7)->length, qint64{0});
}

void TestChatTree::changeAtRandom(QRandomGenerator& random, qint64 chat, ModelTree& model, int step) {
    std::vector<qint64> all, visible, deleted;
    for (const auto& [id, node] : model.nodes()) {
        all.push_back(id);
        if (model.visible(id)) visible.push_back(id);
        if (node.deleted) deleted.push_back(id);
    }
    const auto one = [&](const std::vector<qint64>& ids) {
        return ids.at(static_cast<size_t>(random.bounded(static_cast<int>(ids.size()))));
    };
    const QString text = QStringLiteral("word%1").arg(step);
    const int choice = random.bounded(10);
    if (visible.empty() || choice < 3) {
        const qint64 parent = visible.empty() || random.bounded(8) == 0 ? 0 : one(visible);
        const StoredTurn turn = store().say(text, text + "answer", chat, parent);
        QVERIFY(turn.prompt.id > 0);
        model.add(turn.prompt.id, parent, text);
        model.add(turn.answer.id, turn.prompt.id, text + "answer");
    } else if (choice < 5) {
        const qint64 of = one(visible);
        const auto version = store()->addVersion(of, textParts(text));
        VERIFY_OK(version);
        model.add(version->id, model.nodes().at(of).parent, text);
    } else if (choice < 7) {
        const qint64 gone = one(visible);
        model.remove(gone);
        QCOMPARE(store()->removeMessage(gone).value(), model.leaf());
    } else if (choice < 9 && !deleted.empty()) {
        const qint64 back = one(deleted);
        model.restore(back);
        QCOMPARE(store()->restoreMessage(back).value(), model.leaf());
    } else {
        const qint64 to = one(visible);
        model.show(to);
        QCOMPARE(store()->setLeaf(chat, to).value(), model.leaf());
    }
}

void TestChatTree::compare(qint64 chat, const ModelTree& model) {
    QCOMPARE(store()->state(chat)->leaf, model.leaf());
    QCOMPARE(shown(chat), model.path(model.leaf()));
    if (model.leaf() != 0)
        QCOMPARE(store()->page(chat, 0, 1000)->length, static_cast<qint64>(model.path(model.leaf()).size()));
    QStringList texts;
    for (const auto& [id, node] : model.nodes()) {
        QCOMPARE(store()->path(id).value(), model.path(id));
        QCOMPARE(store()->children(id).value(), model.children(id));
        QCOMPARE(store()->message(id)->text(), node.text);
        if (!model.visible(id)) continue;
        texts.prepend(node.text);
        QCOMPARE(store()->siblings(id)->ids, model.children(node.parent));
    }
    QCOMPARE(find("word"), texts);
}

void TestChatTree::randomChangesAgreeWithTheModel() {
    for (quint32 seed = 1; seed <= 8; ++seed) {
        QRandomGenerator random(seed);
        const StoredTurn first = store().say("word", "wordanswer");
        ModelTree model;
        model.add(first.prompt.id, 0, "word");
        model.add(first.answer.id, first.prompt.id, "wordanswer");
        for (int step = 0; step < 60; ++step) {
            changeAtRandom(random, first.chat, model, step);
            if (QTest::currentTestFailed()) return;
            if (step % 5 == 0) compare(first.chat, model);
            if (step % 20 == 19) store().reopen();
        }
        compare(first.chat, model);
        if (QTest::currentTestFailed()) return;
        store_.reset();
    }
}

QTEST_GUILESS_MAIN(TestChatTree)
#include "tst_chat_tree.moc"
