// SPDX-License-Identifier: Apache-2.0
// The models behind the window's two lists, checked by QAbstractItemModelTester all the time.
#include "app/next_millisecond.h"
#include "chats/chat_list_model.h"
#include "chats/message_model.h"
#include "common/language.h"
#include "common/units.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QtTest>

using namespace coterie;
using namespace coterie::app;

namespace {

MessageRow message(qint64 id, engine::Role role, const QString& text, MessageState state = MessageState::Complete) {
    return {.id = id,
            .parent = id - 1,
            .role = role,
            .state = state,
            .parts = textParts(text),
            .created = QDateTime::currentDateTime(),
            .model = {},
            .statistics = {},
            .error = {}};
}

TextDocument* documentOf(const MessageModel& model, int row) {
    return qobject_cast<TextDocument*>(model.index(row).data(MessageModel::DocumentRole).value<QObject*>());
}

void addText(MessageModel& model, const QString& text) {
    const PartPiece piece{0, {.kind = PartKind::Text, .text = text}};
    model.appendPieces({&piece, 1});
}

} // namespace

class TestListModels : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void initTestCase() { QVERIFY(useLanguage()); } // for the plurals
    void messagesStream();
    void onlyTheLastRowChanges();
    void earlierMessagesComeBeforeTheOthers();
    void promptBytesFollowTheRows();
    void blocksOfEachKindOfMessage();
    void i16AFooterIsShort();
    void diskIsToldWhereItWasRead();
    void whatIsLessExactIsTold();
    void sizesAndSharesReadWell();
    void chatsComeAndGo();
    void aChangedChatMovesAlone();
    void undoTakesBackTheLatest();
    void withoutAStoreNothingHappens();
};

void TestListModels::messagesStream() {
    MessageModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QSignalSpy counts(&model, &MessageModel::countChanged);
    model.append({message(1, engine::Role::User, QStringLiteral("Hello")),
                  message(2, engine::Role::Assistant, {}, MessageState::Streaming)});
    QCOMPARE(counts.count(), 1);
    addText(model, QStringLiteral("Once "));
    addText(model, QStringLiteral("upon"));
    const QModelIndex last = model.index(1);
    QCOMPARE(last.data(MessageModel::TextRole).toString(), QStringLiteral("Once upon"));
    QCOMPARE(last.data(MessageModel::StateRole).toString(), QStringLiteral("streaming"));
    const QPointer<TextDocument> document = documentOf(model, 1);
    QCOMPARE(document->text(), QStringLiteral("Once upon"));
    QVERIFY(!document->block(0).closed);
    MessageRow ended = message(2, engine::Role::Assistant, {}, MessageState::Failed);
    ended.statistics = {.tokensPerSecond = 10, .firstTokenSeconds = 0.5, .tokens = 2};
    ended.error = ErrorInfo(QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c"));
    ended.notes = {QStringLiteral("one"), QStringLiteral("two")};
    model.finish(ended);
    QCOMPARE(last.data(MessageModel::NotesRole).toString(), QStringLiteral("one\ntwo"));
    QCOMPARE(model.roleNames().value(MessageModel::NotesRole), QByteArray("notes"));
    QCOMPARE(last.data(MessageModel::StateRole).toString(), QStringLiteral("failed"));
    QCOMPARE(last.data(MessageModel::ErrorWhyRole).toString(), QStringLiteral("b"));
    QVERIFY(!last.data(MessageModel::StatisticsRole).toString().isEmpty());
    QVERIFY(document && documentOf(model, 1) == document); // the view keeps its document for the whole life of the row
    QVERIFY(document->block(0).closed);
    addText(model, QStringLiteral("too late"));
    QCOMPARE(last.data(MessageModel::TextRole).toString(), QStringLiteral("Once upon"));
    model.reset({});
    QCOMPARE(model.rowCount(), 0);
}

void TestListModels::earlierMessagesComeBeforeTheOthers() {
    MessageModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.reset({message(3, engine::Role::User, QStringLiteral("three")),
                 message(4, engine::Role::Assistant, QStringLiteral("four"))});
    const auto document = [&](int row) {
        return model.index(row).data(MessageModel::DocumentRole).value<TextDocument*>();
    };
    const TextDocument* four = document(1);
    model.prepend({message(1, engine::Role::User, QStringLiteral("one")),
                   message(2, engine::Role::Assistant, QStringLiteral("two"))});
    QCOMPARE(model.count(), 4);
    QCOMPARE(document(3), four); // the view keeps showing it
    for (const auto& [row, text] : {std::pair(0, "one"), std::pair(1, "two"), std::pair(2, "three")})
        QCOMPARE(document(row)->text(), QString::fromLatin1(text));
}

void TestListModels::onlyTheLastRowChanges() {
    MessageModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    std::vector<MessageRow> rows;
    for (int i = 1; i <= 9; ++i) rows.push_back(message(i, engine::Role::User, QStringLiteral("x")));
    rows.push_back(message(10, engine::Role::Assistant, QStringLiteral("So "), MessageState::Streaming));
    model.reset(rows);
    QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    for (int i = 0; i < 5; ++i) addText(model, QStringLiteral("far "));
    QCOMPARE(changes.count(), 5);
    QCOMPARE(resets.count(), 0);
    for (const QList<QVariant>& change : changes) {
        QCOMPARE(change.at(0).toModelIndex().row(), 9);
        QCOMPARE(change.at(1).toModelIndex().row(), 9);
    }
    QCOMPARE(model.index(9).data(MessageModel::TextRole).toString(), QStringLiteral("So far far far far far "));
}

/// The sum is right after each kind of change, whether it was asked for before or not.
void TestListModels::promptBytesFollowTheRows() {
    MessageModel model;
    const auto right = [&model] {
        qsizetype sum = 0;
        for (const MessageRow& row : model.rows()) sum += promptBytes(row.parts);
        return model.promptBytes() == sum && sum > 0;
    };
    const QString euros = QString::fromUtf8("\xe2\x82\xac\xe2\x82\xac"), name = QStringLiteral("a.txt");
    QCOMPARE(promptBytes(textParts(euros)) - promptBytes(textParts(QStringLiteral("ab"))), qsizetype{4});
    model.reset({message(3, engine::Role::User, euros)});
    QVERIFY(right());
    model.prepend({message(1, engine::Role::User, name), message(2, engine::Role::Assistant, euros)});
    QVERIFY(right());
    model.append({message(4, engine::Role::Assistant, name, MessageState::Streaming)});
    QVERIFY(right());
    addText(model, euros);
    QVERIFY(right());
    model.rewrite(textParts(QStringLiteral("So")));
    QVERIFY(right());
    model.finish(message(4, engine::Role::Assistant, {}));
    model.resume();
    addText(model, QStringLiteral(" far"));
    QVERIFY(right());
    model.showPath({message(1, engine::Role::User, name), message(5, engine::Role::Assistant, euros)}, {});
    QVERIFY(right());
}

void TestListModels::blocksOfEachKindOfMessage() {
    MessageModel model;
    const QString text = QStringLiteral("See:\n```cpp\nint a;\n```");
    model.reset({message(1, engine::Role::User, text), message(2, engine::Role::Assistant, text)});
    QCOMPARE(documentOf(model, 0)->count(), 1);
    QCOMPARE(documentOf(model, 0)->block(0).text, text);
    QCOMPARE(documentOf(model, 1)->count(), 2);
    QCOMPARE(documentOf(model, 1)->block(1).kind, TextBlock::Kind::Code);
    QCOMPARE(documentOf(model, 1)->block(1).label, QStringLiteral("cpp"));
}

void TestListModels::diskIsToldWhereItWasRead() {
    QLocale::setDefault(QLocale::c());
    const AnswerStatistics measured{
        .tokens = 100, .expertsFromDisk = 0.118, .diskBytes = 1.21 * (1 << 30), .waitSeconds = 0.84};
    QCOMPARE(diskText(measured),
             QStringLiteral("12 % of experts from disk \u00b7 1.2 GiB \u00b7 0.8 s waiting for the disk"));
    QCOMPARE(diskText({.tokens = 100}), QString());
    MessageModel model;
    MessageRow answer;
    answer.role = engine::Role::Assistant;
    answer.state = MessageState::Streaming;
    model.append({answer});
    const QModelIndex row = model.index(0);
    QCOMPARE(model.data(row, MessageModel::DiskRole).toString(), QString());
    answer.state = MessageState::Complete;
    answer.statistics = measured;
    model.finish(answer);
    QCOMPARE(model.data(row, MessageModel::DiskRole).toString(), diskText(measured));
    QCOMPARE(model.roleNames().value(MessageModel::DiskRole), QByteArray("disk"));
}

void TestListModels::whatIsLessExactIsTold() {
    QLocale::setDefault(QLocale::c());
    const AnswerStatistics measured{.tokens = 100, .lessExact = true, .choicesChanged = 0.118};
    QCOMPARE(exactnessText(measured), QStringLiteral("Less exact: 12 % of router choices used other or fewer experts"));
    QCOMPARE(exactnessText({.tokens = 1, .lessExact = true}),
             QStringLiteral("Less exact: it continues a less exact answer"));
    QCOMPARE(exactnessText({.tokens = 100}), QString());
    MessageModel model;
    MessageRow answer;
    answer.role = engine::Role::Assistant;
    answer.state = MessageState::Streaming;
    answer.statistics = measured;
    model.append({answer});
    const QModelIndex row = model.index(0);
    QCOMPARE(model.data(row, MessageModel::ExactnessRole).toString(), QString());
    answer.state = MessageState::Complete;
    answer.statistics = measured;
    model.finish(answer);
    QCOMPARE(model.data(row, MessageModel::ExactnessRole).toString(), exactnessText(measured));
    QCOMPARE(model.roleNames().value(MessageModel::ExactnessRole), QByteArray("exactness"));
}

void TestListModels::sizesAndSharesReadWell() {
    QLocale::setDefault(QLocale::c());
    constexpr double mebi = 1024.0 * 1024;
    QCOMPARE(sizeText(0), QStringLiteral("0 MiB"));
    QCOMPARE(sizeText(17), QStringLiteral("17 bytes"));
    QCOMPARE(sizeText(1024), QStringLiteral("1 KiB"));
    QCOMPARE(sizeText(700 * 1024), QStringLiteral("700 KiB"));
    QCOMPARE(sizeText(640 * mebi), QStringLiteral("640 MiB"));
    QCOMPARE(sizeText(1536 * mebi), QStringLiteral("1.5 GiB"));
    QCOMPARE(shareText(0), QStringLiteral("0 %"));
    QCOMPARE(shareText(0.001), QStringLiteral("1 %")); // not 0 %
    QCOMPARE(shareText(0.929), QStringLiteral("93 %"));
    QCOMPARE(shareText(0.9999), QStringLiteral("99 %")); // not 100 %
    QCOMPARE(shareText(1), QStringLiteral("100 %"));
    QCOMPARE(probabilityText(0), QStringLiteral("0 %"));
    QCOMPARE(probabilityText(1e-9), QStringLiteral("<0.1 %"));
    QCOMPARE(probabilityText(0.0031), QStringLiteral("0.3 %"));
    QCOMPARE(probabilityText(0.4217), QStringLiteral("42 %"));
    QCOMPARE(probabilityText(0.9871), QStringLiteral("98.7 %"));
    QCOMPARE(probabilityText(0.99951), QStringLiteral(">99.9 %")); // not 100 %
    QCOMPARE(probabilityText(1), QStringLiteral("100 %"));
    QCOMPARE(secondsText(1.44), QStringLiteral("1.4 s"));
    QCOMPARE(secondsText(0.004, 2), QStringLiteral("<0.01 s"));
    QCOMPARE(secondsText(0.0, 2), QStringLiteral("0.00 s"));
}

void TestListModels::i16AFooterIsShort() {
    QLocale::setDefault(QLocale::c());
    const AnswerStatistics fast{
        .tokensPerSecond = 12.44, .firstTokenSeconds = 0.309, .tokens = 150, .memoryBytes = 1024};
    QCOMPARE(statisticsText(fast), QStringLiteral("150 tokens \u00b7 12 tok/s"));
    QCOMPARE(resourcesText(fast), QStringLiteral("0.31 s to first token \u00b7 1 KiB of memory"));
    QCOMPARE(statisticsText({.tokensPerSecond = 6110.5, .tokens = 2}),
             QStringLiteral("2 tokens \u00b7 %1 tok/s").arg(QLocale().toString(6110.5, 'f', 0)));
    QCOMPARE(statisticsText({.tokensPerSecond = 9.44, .tokens = 2}), QStringLiteral("2 tokens \u00b7 9.4 tok/s"));
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
    model.refresh(chat);
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

void TestListModels::aChangedChatMovesAlone() {
    QTemporaryDir folder;
    auto store = ChatStore::open({.folder = folder.path(), .migrations = {}});
    QVERIFY(store.ok());
    const auto add = [&](qint64 chat) {
        return (*store)
            ->addTurn({.chat = chat, .title = QStringLiteral("Chat"), .prompt = QStringLiteral("x"), .model = {}})
            .value()
            .chat;
    };
    for (int i = 0; i < 5; ++i) add(0);
    ChatListModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setStore(store->get());
    QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    QSignalSpy moves(&model, &QAbstractItemModel::rowsMoved);
    const auto ids = [&] {
        QList<qint64> all;
        for (int row = 0; row < model.count(); ++row)
            all.append(model.index(row).data(ChatListModel::ChatIdRole).toLongLong());
        return all;
    };
    QCOMPARE(ids(), (QList<qint64>{5, 4, 3, 2, 1}));
    test::nextMillisecond();
    add(2);
    model.refresh(2);
    QCOMPARE(ids(), (QList<qint64>{2, 5, 4, 3, 1}));
    model.refresh(2);
    model.refresh(1);
    QCOMPARE(ids(), (QList<qint64>{2, 5, 4, 3, 1}));
    QCOMPARE(moves.count(), 1);
    test::nextMillisecond();
    QCOMPARE(add(0), qint64{6});
    model.refresh(6);
    QCOMPARE(ids(), (QList<qint64>{6, 2, 5, 4, 3, 1}));
    model.setAnswering(4, true);
    QVERIFY(model.index(3).data(ChatListModel::AnsweringRole).toBool());
    UndoStack undo;
    connect(&model, &ChatListModel::done, &undo, &UndoStack::push);
    model.remove(3);
    QCOMPARE(ids(), (QList<qint64>{6, 2, 5, 4, 1}));
    QVERIFY(undo.undo());
    QCOMPARE(model.touchedRow(), 4);
    QCOMPARE(ids(), (QList<qint64>{6, 2, 5, 4, 3, 1}));
    QCOMPARE(resets.count(), 0);
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
    UndoStack undo;
    connect(&model, &ChatListModel::done, &undo, &UndoStack::push);
    connect(&undo, &UndoStack::changed, &model, &ChatListModel::forgetUndo);
    QSignalSpy removals(&model, &ChatListModel::removed);
    model.remove(1);
    model.remove(2);
    QCOMPARE(removals.count(), 2);
    QCOMPARE(model.count(), 0);
    QVERIFY(model.undoAvailable());
    QCOMPARE(model.undoText(), QStringLiteral("Deleted \"Two\""));
    QVERIFY(undo.undo());
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
    model.refresh(1);
    model.refreshAll();
    model.setSort(QStringLiteral("title"));
    model.rename(1, QStringLiteral("x"));
    model.remove(1);
    model.setPinned(1, true);
    model.moveToFolder(1, 1);
    QCOMPARE(model.createFolder(), 0);
    model.renameFolder(1, QStringLiteral("x"));
    model.removeFolder(1);
    model.drop(0, 1);
    model.selectAll();
    QVERIFY(!model.undoAvailable());
    QCOMPARE(model.count(), 0);
}

QTEST_GUILESS_MAIN(TestListModels)
#include "tst_list_models.moc"
