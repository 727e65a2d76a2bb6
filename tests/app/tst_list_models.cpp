// SPDX-License-Identifier: Apache-2.0
// The models behind the window's two lists, under QAbstractItemModelTester all the while.
#include "chat_list_model.h"
#include "message_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QtTest>

using namespace coterie;
using namespace coterie::app;

namespace {

MessageRow message(qint64 id, const char* role, const QString& text, MessageState state = MessageState::Complete) {
    return {.id = id,
            .parent = id - 1,
            .role = QString::fromLatin1(role),
            .state = state,
            .text = text,
            .created = QDateTime::currentDateTime(),
            .model = {},
            .statistics = {},
            .error = {}};
}

} // namespace

class TestListModels : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void messagesStream();
    void onlyTheLastRowChanges();
    void blocksOfEachKindOfMessage();
    void statisticsReadWell();
    void chatsComeAndGo();
    void chatsCanBeFiltered();
    void undoTakesBackTheLatest();
    void withoutAStoreNothingHappens();
};

void TestListModels::messagesStream() {
    MessageModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QSignalSpy counts(&model, &MessageModel::countChanged);
    model.append({message(1, "user", QStringLiteral("Hello")), message(2, "assistant", {}, MessageState::Streaming)});
    QCOMPARE(counts.count(), 1);
    model.appendText(QStringLiteral("Once "));
    model.appendText(QStringLiteral("upon"));
    const QModelIndex last = model.index(1);
    QCOMPARE(last.data(MessageModel::TextRole).toString(), QStringLiteral("Once upon"));
    QCOMPARE(last.data(MessageModel::StateRole).toString(), QStringLiteral("streaming"));
    QVERIFY(!last.data(MessageModel::BlocksRole).toList().at(0).toMap()[QStringLiteral("closed")].toBool());
    model.finish(MessageState::Failed, {.tokensPerSecond = 10, .firstTokenSeconds = 0.5, .tokens = 2},
                 ErrorInfo(QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")));
    QCOMPARE(last.data(MessageModel::StateRole).toString(), QStringLiteral("failed"));
    QCOMPARE(last.data(MessageModel::ErrorWhyRole).toString(), QStringLiteral("b"));
    QVERIFY(!last.data(MessageModel::StatisticsRole).toString().isEmpty());
    QVERIFY(last.data(MessageModel::BlocksRole).toList().at(0).toMap()[QStringLiteral("closed")].toBool());
    model.appendText(QStringLiteral("too late"));
    QCOMPARE(last.data(MessageModel::TextRole).toString(), QStringLiteral("Once upon"));
    model.reset({});
    QCOMPARE(model.rowCount(), 0);
}

void TestListModels::onlyTheLastRowChanges() {
    MessageModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    std::vector<MessageRow> rows;
    for (int i = 1; i <= 9; ++i) rows.push_back(message(i, "user", QStringLiteral("x")));
    rows.push_back(message(10, "assistant", QStringLiteral("So "), MessageState::Streaming));
    model.reset(rows);
    QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    for (int i = 0; i < 5; ++i) model.appendText(QStringLiteral("far "));
    QCOMPARE(changes.count(), 5);
    QCOMPARE(resets.count(), 0);
    for (const QList<QVariant>& change : changes) {
        QCOMPARE(change.at(0).toModelIndex().row(), 9);
        QCOMPARE(change.at(1).toModelIndex().row(), 9);
    }
    QCOMPARE(model.index(9).data(MessageModel::TextRole).toString(), QStringLiteral("So far far far far far "));
}

void TestListModels::blocksOfEachKindOfMessage() {
    MessageModel model;
    const QString text = QStringLiteral("See:\n```cpp\nint a;\n```");
    model.reset({message(1, "user", text), message(2, "assistant", text)});
    const auto blocks = [&](int row) { return model.index(row).data(MessageModel::BlocksRole).toList(); };
    QCOMPARE(blocks(0).size(), 1);
    QCOMPARE(blocks(0).at(0).toMap()[QStringLiteral("text")].toString(), text);
    QCOMPARE(blocks(1).size(), 2);
    QCOMPARE(blocks(1).at(1).toMap()[QStringLiteral("kind")].toString(), QStringLiteral("code"));
    QCOMPARE(blocks(1).at(1).toMap()[QStringLiteral("language")].toString(), QStringLiteral("cpp"));
}

void TestListModels::statisticsReadWell() {
    QLocale::setDefault(QLocale::c());
    QCOMPARE(statisticsText({.tokensPerSecond = 12.44, .firstTokenSeconds = 0.309, .tokens = 150}),
             QStringLiteral("12.4 tok/s - 0.31 s to first token - 150 tokens"));
    QCOMPARE(statisticsText({.tokensPerSecond = 0, .firstTokenSeconds = 0, .tokens = 1}), QStringLiteral("1 token"));
    QCOMPARE(statisticsText({}), QString());
}

void TestListModels::chatsComeAndGo() {
    QTemporaryDir folder;
    auto store = ChatStore::open({.folder = folder.path(), .migrations = {}});
    QVERIFY(store.ok());
    ChatListModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setStore(store->get());
    QCOMPARE(model.count(), 0);
    const qint64 chat =
        (*store)
            ->addTurn({.chat = 0, .title = QStringLiteral("One"), .prompt = QStringLiteral("x"), .model = {}})
            .value()
            .chat;
    model.refresh();
    QCOMPARE(model.count(), 1);
    const QModelIndex row = model.index(0);
    QCOMPARE(row.data(ChatListModel::ChatIdRole).toLongLong(), chat);
    QCOMPARE(row.data(ChatListModel::SectionRole).toString(), QStringLiteral("today"));
    QVERIFY(!row.data(ChatListModel::CurrentRole).toBool());
    model.setCurrentChatId(chat);
    QVERIFY(row.data(ChatListModel::CurrentRole).toBool());
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    model.rename(chat, QStringLiteral("  Two\nlines "));
    QCOMPARE(row.data(ChatListModel::TitleRole).toString(), QStringLiteral("Two lines"));
    model.rename(chat, QStringLiteral("   "));
    QCOMPARE(row.data(ChatListModel::TitleRole).toString(), QStringLiteral("Two lines"));
    QCOMPARE(resets.count(), 0);
}

void TestListModels::chatsCanBeFiltered() {
    QTemporaryDir folder;
    auto store = ChatStore::open({.folder = folder.path(), .migrations = {}});
    QVERIFY(store.ok());
    for (const char* prompt : {"about bread", "about ships"}) {
        QVERIFY(
            (*store)
                ->addTurn(
                    {.chat = 0, .title = QStringLiteral("Chat"), .prompt = QString::fromLatin1(prompt), .model = {}})
                .ok());
    }
    ChatListModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setStore(store->get());
    QCOMPARE(model.count(), 2);
    model.setFilter(QStringLiteral("bre"));
    QCOMPARE(model.count(), 1);
    QCOMPARE(model.index(0).data(ChatListModel::SnippetRole).toString(), QStringLiteral("about bread"));
    model.setFilter(QStringLiteral("nothing like it"));
    QCOMPARE(model.count(), 0);
    model.setFilter({});
    QCOMPARE(model.count(), 2);
}

void TestListModels::undoTakesBackTheLatest() {
    QTemporaryDir folder;
    auto store = ChatStore::open({.folder = folder.path(), .migrations = {}});
    QVERIFY(store.ok());
    for (const char* title : {"One", "Two"}) {
        QVERIFY(
            (*store)
                ->addTurn({.chat = 0, .title = QString::fromLatin1(title), .prompt = QStringLiteral("x"), .model = {}})
                .ok());
    }
    ChatListModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setStore(store->get());
    QSignalSpy removals(&model, &ChatListModel::removed);
    model.remove(1);
    model.remove(2);
    QCOMPARE(removals.count(), 2);
    QCOMPARE(model.count(), 0);
    QVERIFY(model.undoAvailable());
    QCOMPARE(model.undoTitle(), QStringLiteral("Two"));
    model.undoRemove();
    QVERIFY(!model.undoAvailable());
    QCOMPARE(model.count(), 1);
    QCOMPARE(model.index(0).data(ChatListModel::TitleRole).toString(), QStringLiteral("Two"));
    QSignalSpy failures(&model, &ChatListModel::failed);
    model.remove(77);
    QCOMPARE(failures.count(), 1);
    QVERIFY(!model.undoAvailable());
}

void TestListModels::withoutAStoreNothingHappens() {
    ChatListModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.refresh();
    model.rename(1, QStringLiteral("x"));
    model.remove(1);
    model.undoRemove();
    QCOMPARE(model.count(), 0);
}

QTEST_GUILESS_MAIN(TestListModels)
#include "tst_list_models.moc"
