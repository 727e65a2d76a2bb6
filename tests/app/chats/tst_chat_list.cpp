// SPDX-License-Identifier: Apache-2.0
// The list of chats under everything that can be done to it: pins, folders, order, selection, and undoing all of it;
// and the model of a search's hits. All models run under QAbstractItemModelTester, over a real file.
#include "app/next_millisecond.h"
#include "app/verify_ok.h"
#include "chats/chat_list_model.h"
#include "chats/chat_search_model.h"
#include "common/language.h"

#include <QAbstractItemModelTester>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QtTest>

#include <SQLiteCpp/SQLiteCpp.h>

using namespace coterie;
using namespace coterie::app;

class TestChatList : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void initTestCase() { QVERIFY(useLanguage()); } // for the plurals
    void init();
    void cleanup();

    void pinnedChatsAreOnTop();
    void foldersAreMadeRenamedOrderedAndDeleted();
    void foldedFoldersHideTheirChats();
    void chatsMoveIntoFoldersAndOut();
    void aRowIsDroppedOnAnother();
    void chatsAreSorted();
    void severalChatsAreSelected();
    void selectedChatsAreChangedTogether();
    void aChatIsDuplicatedWithItsBranches();
    void aChangeOfManyIsOneOrNone();
    void unreadChatsStayUnread();
    void anImportIntoTheBinStaysThere();
    void randomStepsAreUndoneAndRepeated();
    void oneOf5000ChangesItsRowAlone();
    void hitsAreReadPageByPage();
    void aNewSearchEndsTheOneBefore();
    void heldHitsStay();
    void hitsOfARemovedChatGoAlone();
    void scatteredHitsTakeThePlaceOfTheLastOne();

  private:
    qint64 addChat(const QString& title);
    QStringList titles() const;
    QStringList sections() const;
    qint64 idOf(const char* title) const;
    int rowOf(const char* title) const { return static_cast<int>(titles().indexOf(QLatin1String(title))); }

    std::unique_ptr<QTemporaryDir> folder_;
    std::unique_ptr<ChatStore> store_;
    std::unique_ptr<ChatListModel> model_;
    std::unique_ptr<UndoStack> undo_;
    std::unique_ptr<QAbstractItemModelTester> tester_;
};

void TestChatList::init() {
    folder_ = std::make_unique<QTemporaryDir>();
    auto opened = ChatStore::open({.folder = folder_->path(), .migrations = {}});
    VERIFY_OK(opened);
    store_ = std::move(*opened);
    model_ = std::make_unique<ChatListModel>();
    undo_ = std::make_unique<UndoStack>();
    connect(model_.get(), &ChatListModel::done, undo_.get(), &UndoStack::push);
    connect(undo_.get(), &UndoStack::changed, model_.get(), &ChatListModel::forgetUndo);
    tester_ = std::make_unique<QAbstractItemModelTester>(model_.get(),
                                                         QAbstractItemModelTester::FailureReportingMode::QtTest);
    model_->setStore(store_.get());
}

void TestChatList::cleanup() {
    tester_.reset();
    undo_.reset();
    model_.reset();
    store_.reset();
}

/// Each chat is newer than the one before.
qint64 TestChatList::addChat(const QString& title) {
    static qint64 time = 1700000000000;
    const auto turn = store_->addTurn({.chat = 0, .title = title, .prompt = QStringLiteral("x"), .model = {}});
    if (!turn) return 0;
    SQLite::Database db(folder_->filePath(QStringLiteral("chats.db")).toStdString(), SQLite::OPEN_READWRITE);
    const std::string now = std::to_string(++time);
    db.exec("UPDATE chats SET created_at = " + now + ", updated_at = " + now +
            " WHERE id = " + std::to_string(turn->chat));
    model_->refresh(turn->chat);
    return turn->chat;
}

QStringList TestChatList::titles() const {
    QStringList all;
    for (int row = 0; row < model_->count(); ++row)
        all.append(model_->index(row).data(ChatListModel::TitleRole).toString());
    return all;
}

QStringList TestChatList::sections() const {
    QStringList all;
    for (int row = 0; row < model_->count(); ++row)
        all.append(model_->index(row).data(ChatListModel::SectionRole).toString());
    return all;
}

qint64 TestChatList::idOf(const char* title) const {
    const QModelIndex row = model_->index(rowOf(title));
    const qint64 chat = row.data(ChatListModel::ChatIdRole).toLongLong();
    return chat != 0 ? chat : row.data(ChatListModel::FolderIdRole).toLongLong();
}

void TestChatList::pinnedChatsAreOnTop() {
    for (const char* title : {"a", "b", "c"}) addChat(QLatin1String(title));
    QSignalSpy resets(model_.get(), &QAbstractItemModel::modelReset);
    QSignalSpy moves(model_.get(), &QAbstractItemModel::rowsMoved);
    model_->setPinned(idOf("a"), true);
    QCOMPARE(titles(), (QStringList{"a", "c", "b"}));
    QCOMPARE(sections(), (QStringList{"pinned", "older", "older"}));
    QVERIFY(model_->isPinned(idOf("a")) && model_->index(0).data(ChatListModel::PinnedRole).toBool());
    QCOMPARE(moves.count(), 1);
    QVERIFY(undo_->undo());
    QCOMPARE(titles(), (QStringList{"c", "b", "a"}));
    QVERIFY(undo_->redo());
    QCOMPARE(titles(), (QStringList{"a", "c", "b"}));
    model_->setPinned(idOf("a"), false);
    QCOMPARE(titles(), (QStringList{"c", "b", "a"}));
    QCOMPARE(resets.count(), 0);
}

void TestChatList::foldersAreMadeRenamedOrderedAndDeleted() {
    addChat(QStringLiteral("a"));
    const qint64 first = model_->createFolder(), second = model_->createFolder();
    QVERIFY(first != 0 && second != 0);
    QCOMPARE(titles(), (QStringList{"New folder", "New folder 2", "a"}));
    QCOMPARE(sections(), (QStringList{"folders", "folders", "older"}));
    model_->renameFolder(first, QStringLiteral("  Cooking "));
    QCOMPARE(titles().first(), QStringLiteral("Cooking"));
    QSignalSpy failures(model_.get(), &ChatListModel::failed);
    model_->renameFolder(second, QStringLiteral("COOKING")); // names differ in more than case
    QCOMPARE(failures.count(), 1);
    QCOMPARE(titles()[1], QStringLiteral("New folder 2"));
    model_->moveFolder(second, -1);
    QCOMPARE(titles(), (QStringList{"New folder 2", "Cooking", "a"}));
    model_->moveFolder(second, -1); // it is the first one already
    QVERIFY(undo_->undo());
    QCOMPARE(titles(), (QStringList{"Cooking", "New folder 2", "a"}));
    model_->moveToFolder(idOf("a"), first);
    QCOMPARE(titles(), (QStringList{"Cooking", "a", "New folder 2"}));
    model_->removeFolder(first);
    QCOMPARE(titles(), (QStringList{"New folder 2", "a"}));
    QCOMPARE(model_->undoText(), QStringLiteral("Deleted the folder Cooking"));
    QVERIFY(undo_->undo());
    QCOMPARE(titles(), (QStringList{"Cooking", "a", "New folder 2"})); // at its place, with its chat
    QCOMPARE(model_->folderCount(), 2);
    QCOMPARE(model_->folders().first().toMap().value(QStringLiteral("name")).toString(), QStringLiteral("Cooking"));
}

void TestChatList::foldedFoldersHideTheirChats() {
    for (const char* title : {"a", "b", "c"}) addChat(QLatin1String(title));
    const qint64 folder = model_->createFolder();
    for (const char* title : {"a", "b"}) model_->moveToFolder(idOf(title), folder);
    QCOMPARE(titles(), (QStringList{"New folder", "b", "a", "c"}));
    QCOMPARE(model_->index(0).data(ChatListModel::ChatCountRole).toInt(), 2);
    QVERIFY(model_->index(1).data(ChatListModel::InFolderRole).toBool());
    QSignalSpy removals(model_.get(), &QAbstractItemModel::rowsRemoved);
    model_->setFolded(folder, true);
    QCOMPARE(titles(), (QStringList{"New folder", "c"}));
    QCOMPARE(removals.count(), 1); // all at once
    ChatListModel again;
    again.setStore(store_.get());
    QCOMPARE(again.count(), 2); // it stays folded
    QVERIFY(again.index(0).data(ChatListModel::FoldedRole).toBool());
    model_->setFolded(folder, false);
    QCOMPARE(titles(), (QStringList{"New folder", "b", "a", "c"}));
}

void TestChatList::chatsMoveIntoFoldersAndOut() {
    for (const char* title : {"a", "b"}) addChat(QLatin1String(title));
    const qint64 first = model_->createFolder(), second = model_->createFolder();
    model_->moveToFolder(idOf("a"), first);
    QCOMPARE(model_->undoText(), QStringLiteral("Moved \"a\" to New folder"));
    model_->moveToFolder(idOf("a"), second);
    QCOMPARE(titles(), (QStringList{"New folder", "New folder 2", "a", "b"}));
    QVERIFY(undo_->undo());
    QCOMPARE(titles(), (QStringList{"New folder", "a", "New folder 2", "b"}));
    model_->moveToFolder(idOf("a"), 0);
    QCOMPARE(titles(), (QStringList{"New folder", "New folder 2", "b", "a"}));
    model_->moveToFolder(idOf("a"), first);
    model_->setPinned(idOf("a"), true); // it is above its folder, and in it again without the pin
    QCOMPARE(titles(), (QStringList{"a", "New folder", "New folder 2", "b"}));
    model_->setPinned(idOf("a"), false);
    QCOMPARE(titles(), (QStringList{"New folder", "a", "New folder 2", "b"}));
}

void TestChatList::aRowIsDroppedOnAnother() {
    for (const char* title : {"a", "b", "c"}) addChat(QLatin1String(title));
    model_->createFolder();
    model_->createFolder();
    model_->drop(rowOf("a"), rowOf("New folder"));
    QCOMPARE(titles(), (QStringList{"New folder", "a", "New folder 2", "c", "b"}));
    model_->drop(rowOf("b"), rowOf("a")); // beside another chat of the folder
    QCOMPARE(titles(), (QStringList{"New folder", "b", "a", "New folder 2", "c"}));
    model_->drop(rowOf("a"), rowOf("c"));
    QCOMPARE(titles(), (QStringList{"New folder", "b", "New folder 2", "c", "a"}));
    model_->drop(rowOf("New folder 2"), rowOf("New folder"));
    QCOMPARE(titles(), (QStringList{"New folder 2", "New folder", "b", "c", "a"}));
    model_->setPinned(idOf("c"), true);
    model_->drop(rowOf("a"), rowOf("c"));
    QVERIFY(model_->isPinned(idOf("a")));
    model_->drop(0, 0);
    model_->drop(-1, 3);
    model_->drop(0, 99);
    QCOMPARE(model_->count(), 5);
}

void TestChatList::chatsAreSorted() {
    addChat(QStringLiteral("Chat 10"));
    addChat(QStringLiteral("chat 9"));
    addChat(QStringLiteral("Apples"));
    test::nextMillisecond();
    VERIFY_OK(store_->addTurn({.chat = idOf("Chat 10"), .title = {}, .prompt = QStringLiteral("y"), .model = {}}));
    model_->refresh(idOf("Chat 10"));
    QCOMPARE(titles(), (QStringList{"Chat 10", "Apples", "chat 9"}));
    model_->setSort(QStringLiteral("title"));
    QCOMPARE(titles(), (QStringList{"Apples", "chat 9", "Chat 10"})); // numbers count as numbers
    QCOMPARE(sections(), (QStringList{"chats", "chats", "chats"}));
    model_->setSort(QStringLiteral("created"));
    QCOMPARE(titles(), (QStringList{"Apples", "chat 9", "Chat 10"}));
    model_->setSort(QStringLiteral("title"));
    model_->rename(idOf("Apples"), QStringLiteral("Zebras"));
    QCOMPARE(titles(), (QStringList{"chat 9", "Chat 10", "Zebras"}));
    QVERIFY(undo_->undo());
    QCOMPARE(titles(), (QStringList{"Apples", "chat 9", "Chat 10"}));
}

void TestChatList::severalChatsAreSelected() {
    for (const char* title : {"a", "b", "c", "d"}) addChat(QLatin1String(title));
    model_->createFolder();
    const auto selected = [&] {
        QStringList all;
        for (int row = 0; row < model_->count(); ++row)
            if (model_->index(row).data(ChatListModel::SelectedRole).toBool()) all.append(titles()[row]);
        return all;
    };
    model_->toggleSelected(rowOf("c"));
    model_->toggleSelected(rowOf("a"));
    QCOMPARE(selected(), (QStringList{"c", "a"}));
    model_->toggleSelected(rowOf("a"));
    QCOMPARE(selected(), QStringList{"c"});
    model_->clearSelection(rowOf("b"));
    QCOMPARE(model_->selectedCount(), 0);
    model_->selectTo(rowOf("d"));
    QCOMPARE(selected(), (QStringList{"d", "c", "b"}));
    model_->selectTo(rowOf("a")); // from the same chat in the other direction
    QCOMPARE(selected(), (QStringList{"b", "a"}));
    model_->toggleSelected(rowOf("New folder")); // a folder can't be selected
    model_->selectAll();
    QCOMPARE(selected(), (QStringList{"d", "c", "b", "a"}));
    model_->remove(idOf("d"));
    QCOMPARE(model_->selectedCount(), 0); // a chat that is gone is not selected
}

void TestChatList::selectedChatsAreChangedTogether() {
    for (const char* title : {"a", "b", "c", "d"}) addChat(QLatin1String(title));
    const qint64 folder = model_->createFolder();
    for (const char* title : {"a", "c"}) model_->toggleSelected(rowOf(title));
    QSignalSpy removals(model_.get(), &ChatListModel::removed);
    model_->moveToFolder(idOf("a"), folder);
    QCOMPARE(titles(), (QStringList{"New folder", "c", "a", "d", "b"}));
    QCOMPARE(model_->undoText(), QStringLiteral("Moved 2 chats to New folder"));
    model_->setPinned(idOf("c"), true);
    QCOMPARE(titles(), (QStringList{"c", "a", "New folder", "d", "b"}));
    model_->setPinned(idOf("b"), true); // it is not selected: it alone
    QCOMPARE(titles(), (QStringList{"c", "b", "a", "New folder", "d"}));
    model_->remove(idOf("a"));
    QCOMPARE(titles(), (QStringList{"b", "New folder", "d"}));
    QCOMPARE(model_->undoText(), QStringLiteral("Deleted 2 chats"));
    QCOMPARE(removals.count(), 2);
    QCOMPARE(store_->removedChats()->size(), size_t{2});
    for (int i = 0; i < 4; ++i) QVERIFY(undo_->undo());
    QCOMPARE(titles(), (QStringList{"New folder", "d", "c", "b", "a"}));
}

void TestChatList::aChatIsDuplicatedWithItsBranches() {
    const qint64 a = addChat(QStringLiteral("a"));
    const auto prompt = store_->messages(a)->front();
    VERIFY_OK(store_->addVersion(prompt.id, textParts(QStringLiteral("another prompt"))));
    VERIFY_OK(store_->setDraft(a, QStringLiteral("a draft")));
    const Record tokens{.version = 3, .bytes = "tokens"}, trace{.version = 4, .bytes = "trace"};
    VERIFY_OK(store_->records().put(
        prompt.id, {.tokens = packedRecord(tokens).value(), .trace = packedRecord(trace).value()}, 1000));
    const qint64 copy = model_->duplicate(a);
    QVERIFY(copy != 0 && copy != a);
    QCOMPARE(titles(), (QStringList{"a (copy)", "a"}));
    QCOMPARE(model_->touchedRow(), 0);
    QCOMPARE(store_->state(copy)->draft, QStringLiteral("a draft"));
    const auto rows = store_->messages(copy);
    VERIFY_OK(rows);
    QCOMPARE(rows->size(), size_t{1});
    QCOMPARE(rows->front().text(), QStringLiteral("another prompt"));
    const auto versions = store_->siblings(rows->front().id);
    QCOMPARE(versions->ids.size(), size_t{2}); // the other branch is there too
    QCOMPARE(store_->records().get(RecordKind::Tokens, versions->ids.front())->value(), tokens);
    QCOMPARE(store_->records().get(RecordKind::Trace, versions->ids.front())->value(), trace);
    QCOMPARE(store_->search({.words = QStringLiteral("another prompt")})->hits.size(), size_t{2});
    QVERIFY(undo_->undo());
    QCOMPARE(titles(), QStringList{"a"});
    QVERIFY(undo_->redo());
    QCOMPARE(titles(), (QStringList{"a (copy)", "a"}));
    QCOMPARE(model_->duplicate(77), 0);
    const qint64 second = model_->duplicate(copy);
    QCOMPARE(store_->chat(second)->title, QStringLiteral("a (copy 2)")); // not "a (copy) (copy)"
    QCOMPARE(store_->chat(model_->duplicate(second))->title, QStringLiteral("a (copy 3)"));
    QCOMPARE(store_->chat(model_->duplicate(a))->title, QStringLiteral("a (copy 4)"));
}

void TestChatList::aChangeOfManyIsOneOrNone() {
    const qint64 a = addChat(QStringLiteral("a"));
    const std::array<qint64, 2> one{a, 77};
    QVERIFY(!store_->remove(one).ok());
    QVERIFY(!store_->setPinned(one, true).ok());
    QVERIFY(!store_->setFolder(one, 0).ok());
    VERIFY_OK(store_->chat(a));
    QVERIFY(!store_->chat(a)->pinned);
}

void TestChatList::unreadChatsStayUnread() {
    const qint64 a = addChat(QStringLiteral("a"));
    model_->setUnread(a, true);
    ChatListModel again;
    again.setStore(store_.get());
    QVERIFY(again.index(0).data(ChatListModel::UnreadRole).toBool()); // after a restart too
    model_->setUnread(a, false);
    QVERIFY(!model_->index(0).data(ChatListModel::UnreadRole).toBool());
    QVERIFY(!store_->chat(a)->unread);
}

/// A file may have chats of the bin: undoing its import is about the others.
void TestChatList::anImportIntoTheBinStaysThere() {
    const qint64 listed = addChat(QStringLiteral("listed")), removed = addChat(QStringLiteral("removed"));
    VERIFY_OK(store_->remove(removed));
    model_->refreshAll();
    model_->addImported(QStringLiteral("Import 1 chat"), {removed});
    QVERIFY(undo_->undoTitle().isEmpty());
    model_->addImported(QStringLiteral("Import 2 chats"), {listed, removed});
    QVERIFY(undo_->undo());
    QVERIFY(titles().isEmpty());
    QVERIFY(undo_->redo());
    QCOMPARE(titles(), QStringList{QStringLiteral("listed")});
}

/// Whatever is done is undone step by step to the list of each step before, and repeated.
void TestChatList::randomStepsAreUndoneAndRepeated() {
    QRandomGenerator random(20261124);
    for (int i = 0; i < 12; ++i) addChat(QStringLiteral("chat %1").arg(i));
    std::vector<QStringList> lists{titles()};
    int steps = 0;
    connect(model_.get(), &ChatListModel::done, this, [&] { ++steps; });
    for (int i = 0; i < 300; ++i) {
        const int row = random.bounded(model_->count());
        const QModelIndex at = model_->index(row);
        const qint64 chat = at.data(ChatListModel::ChatIdRole).toLongLong();
        const qint64 folder = at.data(ChatListModel::FolderIdRole).toLongLong();
        const int before = steps;
        switch (random.bounded(9)) {
        case 0:
            if (chat != 0 && model_->count() - model_->selectedCount() > 4) model_->remove(chat);
            break;
        case 1:
            if (chat != 0) model_->setPinned(chat, !model_->isPinned(chat));
            break;
        case 2:
            if (model_->folderCount() < 4) model_->createFolder();
            break;
        case 3:
            if (folder != 0) model_->removeFolder(folder);
            break;
        case 4:
            if (folder != 0) model_->moveFolder(folder, random.bounded(3) - 1);
            break;
        case 5:
            model_->toggleSelected(row);
            break;
        case 6:
            if (chat != 0) model_->rename(chat, QStringLiteral("renamed %1").arg(i));
            if (folder != 0) model_->renameFolder(folder, QStringLiteral("folder %1").arg(i));
            break;
        default:
            model_->drop(row, random.bounded(model_->count()));
        }
        QVERIFY(steps <= before + 1);
        if (steps > before) lists.push_back(titles());
    }
    QVERIFY(lists.size() > 100);
    for (size_t i = lists.size() - 1; i-- > 0;) {
        QVERIFY(undo_->undo());
        QCOMPARE(titles(), lists[i]);
    }
    for (size_t i = 1; i < lists.size(); ++i) {
        QVERIFY(undo_->redo());
        QCOMPARE(titles(), lists[i]);
    }
    ChatListModel again; // the store has what the rows show
    again.setStore(store_.get());
    QStringList stored;
    for (int row = 0; row < again.count(); ++row)
        stored.append(again.index(row).data(ChatListModel::TitleRole).toString());
    QCOMPARE(stored, titles());
}

void TestChatList::oneOf5000ChangesItsRowAlone() {
    constexpr int kChats = 5000;
    {
        SQLite::Database db(folder_->filePath(QStringLiteral("chats.db")).toStdString(), SQLite::OPEN_READWRITE);
        db.exec("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) "
                "INSERT INTO chats(title, created_at, updated_at) SELECT 'chat ' || i, i, i FROM n");
        db.exec("INSERT INTO chat_search(chat_search) VALUES ('rebuild')");
    }
    tester_.reset(); // it looks at all rows after each change
    model_->refreshAll();
    QCOMPARE(model_->count(), kChats);
    const qint64 folder = model_->createFolder();
    QSignalSpy resets(model_.get(), &QAbstractItemModel::modelReset);
    QSignalSpy changes(model_.get(), &QAbstractItemModel::dataChanged);
    QSignalSpy moves(model_.get(), &QAbstractItemModel::rowsMoved);
    const qint64 last = model_->index(kChats).data(ChatListModel::ChatIdRole).toLongLong();
    model_->rename(last, QStringLiteral("another title"));
    QCOMPARE(changes.count(), 2); // its row, and the folder's number
    changes.clear();
    model_->setAnswering(last, true);
    QCOMPARE(changes.count(), 1);
    QVERIFY(store_->addTurn({.chat = last, .title = {}, .prompt = QStringLiteral("x"), .model = {}}).ok());
    model_->refresh(last);
    model_->setPinned(last, true);
    model_->setPinned(last, false);
    model_->moveToFolder(last, folder);
    QCOMPARE(moves.count(), 3); // unpinned, it is the newest: the first row below the folders is its place
    QCOMPARE(resets.count(), 0);
}

void TestChatList::hitsAreReadPageByPage() {
    constexpr int kChats = 70;
    for (int i = 0; i < kChats; ++i)
        VERIFY_OK(store_->addTurn({.chat = 0,
                                   .title = i == 3 ? QStringLiteral("A lighthouse") : QStringLiteral("Talk"),
                                   .prompt = QStringLiteral("About the lighthouse, number %1").arg(i),
                                   .model = {}}));
    ChatSearchModel search;
    const QAbstractItemModelTester tester(&search, QAbstractItemModelTester::FailureReportingMode::QtTest);
    search.setStore(store_.get());
    search.setWords(QStringLiteral("lightho"));
    QVERIFY(search.searching());
    QTRY_VERIFY(!search.searching());
    QTRY_COMPARE(search.count(), kChats + 1); // the tester fetches all pages, as a view does
    QVERIFY(!search.more());
    const QModelIndex title = search.index(0), message = search.index(1);
    QCOMPARE(title.data(ChatSearchModel::TitleRole).toString(), QStringLiteral("A lighthouse"));
    QCOMPARE(title.data(ChatSearchModel::MessageIdRole).toLongLong(), 0);
    QCOMPARE(title.data(ChatSearchModel::TitleMarksRole).value<QList<int>>(), (QList<int>{2, 12}));
    QCOMPARE(message.data(ChatSearchModel::ExcerptRole).toString(), QStringLiteral("About the lighthouse, number 69"));
    QCOMPARE(message.data(ChatSearchModel::ExcerptMarksRole).value<QList<int>>(), (QList<int>{10, 20}));
    QVERIFY(message.data(ChatSearchModel::FromUserRole).toBool());
    QSet<qint64> chats;
    for (int row = 1; row < search.count(); ++row)
        chats.insert(search.index(row).data(ChatSearchModel::ChatIdRole).toLongLong());
    QCOMPARE(chats.size(), kChats);
    search.setWords({});
    QTRY_COMPARE(search.count(), 0);
}

void TestChatList::aNewSearchEndsTheOneBefore() {
    for (const char* prompt : {"about bread", "about ships"})
        VERIFY_OK(store_->addTurn(
            {.chat = 0, .title = QStringLiteral("Chat"), .prompt = QString::fromLatin1(prompt), .model = {}}));
    ChatSearchModel search;
    search.setStore(store_.get());
    search.setWords(QStringLiteral("ships"));
    search.setWords(QStringLiteral("bre"));
    QTRY_VERIFY(!search.searching());
    QCOMPARE(search.count(), 1);
    QCOMPARE(search.index(0).data(ChatSearchModel::ExcerptRole).toString(), QStringLiteral("about bread"));
    VERIFY_OK(store_->remove(search.index(0).data(ChatSearchModel::ChatIdRole).toLongLong()));
    search.refresh();
    QTRY_COMPARE(search.count(), 0);
}

/// One of them is being renamed. The hits of the latest query come afterwards.
void TestChatList::heldHitsStay() {
    for (const char* prompt : {"about bread", "about ships"})
        VERIFY_OK(store_->addTurn(
            {.chat = 0, .title = QStringLiteral("Chat"), .prompt = QString::fromLatin1(prompt), .model = {}}));
    ChatSearchModel search, other;
    search.setStore(store_.get());
    search.setWords(QStringLiteral("ships"));
    QTRY_VERIFY(!search.searching());
    QSignalSpy reset(&search, &ChatSearchModel::modelReset);
    search.setHeld(true);
    search.setWords(QStringLiteral("about"));
    other.setStore(store_.get());
    for (const char* words : {"bread", "ships", "about"}) { // time enough for the other query
        other.setWords(QString::fromLatin1(words));
        QTRY_VERIFY(!other.searching());
    }
    QCOMPARE(reset.count(), 0);
    QVERIFY(search.searching());
    search.setHeld(false);
    QTRY_COMPARE(search.count(), 2);
    QVERIFY(!search.searching());
    QCOMPARE(reset.count(), 1);
}

/// The others keep their rows, also those of a page that was being read.
void TestChatList::hitsOfARemovedChatGoAlone() {
    constexpr int kChats = 120;
    std::vector<qint64> chats;
    for (int i = 0; i < kChats; ++i) {
        const auto turn = store_->addTurn({.chat = 0,
                                           .title = QStringLiteral("Talk"),
                                           .prompt = QStringLiteral("A ship, number %1").arg(i),
                                           .model = {}});
        QVERIFY(turn.ok());
        chats.push_back(turn->chat);
    }
    const auto remove = [&](ChatSearchModel& search, qint64 chat) {
        VERIFY_OK(store_->remove(chat));
        search.forget(chat);
    };
    ChatSearchModel search;
    search.setStore(store_.get());
    search.setWords(QStringLiteral("ship"));
    remove(search, chats[kChats - 2]); // the first page is being read
    QTRY_VERIFY(!search.searching());
    QVERIFY(search.more());
    const int page = search.count();
    QSignalSpy resets(&search, &QAbstractItemModel::modelReset);
    QCOMPARE(search.index(1).data(ChatSearchModel::ChatIdRole).toLongLong(), chats[kChats - 3]);
    search.fetchMore({});
    remove(search, chats[kChats - 3]);        // the next page is being read
    remove(search, chats[kChats - 3 - page]); // its hits have one of the chat
    QCOMPARE(search.count(), page - 1);
    QCOMPARE(search.index(1).data(ChatSearchModel::ChatIdRole).toLongLong(), chats[kChats - 4]);
    while (search.more()) {
        search.fetchMore({});
        const int before = search.count();
        QTRY_VERIFY(search.count() > before || !search.more());
    }
    QCOMPARE(search.count(), kChats - 3);
    QCOMPARE(resets.count(), 0);
}

/// No other place has all words, but a chat has them in different places.
void TestChatList::scatteredHitsTakeThePlaceOfTheLastOne() {
    const auto add = [&](const char* title, const char* prompt) {
        const auto turn = store_->addTurn(
            {.chat = 0, .title = QString::fromLatin1(title), .prompt = QString::fromLatin1(prompt), .model = {}});
        return turn ? *turn : StoredTurn{};
    };
    const StoredTurn parts = add("Ferries", "Next Monday"), whole = add("Chat", "A ferry on Monday");
    ChatSearchModel search;
    const QAbstractItemModelTester tester(&search, QAbstractItemModelTester::FailureReportingMode::QtTest);
    search.setStore(store_.get());
    search.setWords(QStringLiteral("monday ferr"));
    QTRY_VERIFY(!search.searching());
    QCOMPARE(search.count(), 1);
    QVERIFY(!search.scattered());
    QCOMPARE(search.wordsIn(whole.chat, whole.prompt.id), QStringLiteral("ferry"));
    QSignalSpy searching(&search, &ChatSearchModel::searchingChanged), resets(&search, &ChatSearchModel::modelReset);
    VERIFY_OK(store_->remove(whole.chat));
    search.forget(whole.chat);
    QCOMPARE(search.count(), 0);
    QTRY_COMPARE(search.count(), 2);
    QVERIFY(search.scattered());
    QCOMPARE(searching.count() + resets.count(), 0); // nothing else changed for the views
    const QModelIndex title = search.index(0), message = search.index(1);
    QCOMPARE(title.data(ChatSearchModel::TitleMarksRole).value<QList<int>>(), (QList<int>{0, 7}));
    QCOMPARE(message.data(ChatSearchModel::ExcerptMarksRole).value<QList<int>>(), (QList<int>{5, 11}));
    QCOMPARE(search.wordsIn(parts.chat, parts.prompt.id), QStringLiteral("Monday"));
    VERIFY_OK(store_->restore(whole.chat));
    search.refresh();
    QTRY_COMPARE(search.count(), 1);
    QVERIFY(!search.scattered());
    search.setWords(QStringLiteral("monday ferry nowhere"));
    QTRY_COMPARE(search.count(), 0);
    QVERIFY(!search.scattered());
}

QTEST_GUILESS_MAIN(TestChatList)
#include "tst_chat_list.moc"
