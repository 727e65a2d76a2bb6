// SPDX-License-Identifier: Apache-2.0
// Thousands of random operations on chats against a plain model in memory: the same trees, the same words, a sound
// file; and the same in a process that is killed every hundred operations. COTERIE_SEED=NUMBER repeats a run.
//
// tst_random_trees --operate FOLDER SEED POINTS: makes operations without end and prints "D <number>" after each.
// POINTS are the numbers of operations after which a process began, with commas; the last one is where it begins.
#include "app/store/random_trees.h"
#include "app/store_on_disk.h"
#include "app/verify_ok.h"
#include "exchange/chat_export.h"
#include "exchange/chat_import.h"
#include "support/effort.h"

#include <QProcess>
#include <QRandomGenerator>
#include <QtTest>

#include <algorithm>
#include <cstdio>
#include <string_view>

using namespace coterie;
using namespace coterie::app;
using namespace coterie::test;

namespace {

const int kOperations = longTests() ? 10000 : kSanitized ? 1500 : 2500;
constexpr int kBetweenKills = 100;

quint32 seedOf() {
    quint32 seed = 1;
    if (const int given = qEnvironmentVariableIntValue("COTERIE_SEED"); given > 0)
        seed = static_cast<quint32>(given);
    else if (longTests())
        seed = QRandomGenerator::global()->generate() % 1000000 + 1;
    qInfo("COTERIE_SEED=%u", seed);
    return seed;
}

QString failed(const engine::Error& error) { return QString::fromStdString(error.line()); }

template <typename T>
QString failureText(const engine::Result<T>& result) {
    return result ? QString() : failed(result.error());
}

bool goOn(double) { return true; }

/// Does operations in a store. Ids are looked up by plain SQL: the messages of a chat are in the model's order.
class Operator {
  public:
    explicit Operator(const QString& folder) : folder_(folder) {
        auto opened = ChatStore::open({.folder = folder, .migrations = {}});
        if (opened && !(*opened)->notice()) store_ = std::move(opened).value();
        if (!store_) return;
        look_ = std::make_unique<SQLite::Database>((folder + QStringLiteral("/chats.db")).toStdString(),
                                                   SQLite::OPEN_READONLY);
    }

    explicit operator bool() const { return store_ != nullptr; }
    ChatStore& store() { return *store_; }

    /// Returns an empty text, or the reason why it failed.
    QString apply(const Operation& operation, const PlainModel& model);

  private:
    QString applyToChat(const Operation& operation, const PlainChat& chat);
    QString applyToMessage(const Operation& operation, const PlainChat& chat);
    QString send(const Operation& operation, const PlainModel& model);
    QString finish(const Operation& operation, const PlainChat& chat);
    QString move(qint64 chat, const QString& folder);
    qint64 chatId(const PlainChat& chat);
    qint64 messageId(const PlainChat& chat, int message);
    QString fileOf(int number) const { return folder_ + QStringLiteral("/chat-%1.json").arg(number); }

    QString folder_;
    std::unique_ptr<ChatStore> store_;
    std::unique_ptr<SQLite::Database> look_;
};

qint64 Operator::chatId(const PlainChat& chat) {
    SQLite::Statement row(*look_, "SELECT id FROM chats WHERE title = ?");
    row.bind(1, chat.title.toStdString());
    return row.executeStep() ? row.getColumn(0).getInt64() : -1;
}

qint64 Operator::messageId(const PlainChat& chat, int message) {
    SQLite::Statement row(*look_, "SELECT id FROM messages WHERE chat = ? ORDER BY id LIMIT 1 OFFSET ?");
    row.bind(1, static_cast<int64_t>(chatId(chat)));
    row.bind(2, message);
    return message >= 0 && row.executeStep() ? row.getColumn(0).getInt64() : 0;
}

QString Operator::send(const Operation& operation, const PlainModel& model) {
    NewTurn turn{
        .title = operation.text + QStringLiteral(" chat"), .prompt = operation.text, .model = QStringLiteral("Guide")};
    if (operation.chat >= 0) {
        const PlainChat& chat = model.chats[static_cast<size_t>(operation.chat)];
        turn.chat = chatId(chat);
        turn.parent = messageId(chat, operation.message);
    }
    const QString file = operation.text + QStringLiteral(" file");
    if (operation.flag)
        turn.files.push_back({.name = QStringLiteral("a.txt"),
                              .mediaType = QStringLiteral("text/plain"),
                              .text = file,
                              .bytes = file.toUtf8()});
    return failureText(store_->addTurn(turn));
}

QString Operator::finish(const Operation& operation, const PlainChat& chat) {
    auto row = store_->message(messageId(chat, operation.message));
    if (!row) return failed(row.error());
    row->parts = textParts(row->text() + operation.text);
    row->state = MessageState::Complete;
    return failureText(store_->finishAnswer(row.value()));
}

QString Operator::move(qint64 chat, const QString& folder) {
    if (folder.isEmpty()) return failureText(store_->setFolder(chat, 0));
    auto all = store_->folders().list();
    if (!all) return failed(all.error());
    const auto found = std::find_if(all->begin(), all->end(), [&](const FolderRow& row) { return row.name == folder; });
    if (found != all->end()) return failureText(store_->setFolder(chat, found->id));
    const auto made = store_->folders().create(folder);
    return made ? failureText(store_->setFolder(chat, made->id)) : failed(made.error());
}

QString Operator::applyToMessage(const Operation& operation, const PlainChat& chat) {
    using enum Operation::Kind;
    const qint64 message = messageId(chat, operation.message);
    switch (operation.kind) {
    case Finish:
        return finish(operation, chat);
    case Regenerate:
        return failureText(store_->addAnswer({.parent = message, .model = QStringLiteral("Guide")}));
    case Edit:
        return failureText(store_->addVersion(message, textParts(operation.text)));
    case Continue:
        return failureText(store_->continueAnswer(message));
    case Delete:
        return failureText(store_->removeMessage(message));
    case Restore:
        return failureText(store_->restoreMessage(message));
    case Erase:
        return failureText(store_->eraseMessage(message));
    default:
        return failureText(store_->setLeaf(chatId(chat), message));
    }
}

QString Operator::applyToChat(const Operation& operation, const PlainChat& chat) {
    using enum Operation::Kind;
    const qint64 id = chatId(chat);
    switch (operation.kind) {
    case Rename:
        return failureText(store_->rename(id, operation.text));
    case Pin:
        return failureText(store_->setPinned(id, operation.flag));
    case Move:
        return move(id, operation.text);
    case DeleteChat:
        return failureText(store_->remove(id));
    case RestoreChat:
        return failureText(store_->restore(id));
    case EraseChat:
        return failureText(store_->erase(id));
    case Export:
        return failureText(exportJson(
            *store_, {.path = fileOf(chat.number), .chats = {id}, .tree = {.bin = true}, .replace = true}, goOn));
    default:
        return applyToMessage(operation, chat);
    }
}

QString Operator::apply(const Operation& operation, const PlainModel& model) {
    if (operation.kind == Operation::Nothing) return {};
    if (operation.kind == Operation::Send) return send(operation, model);
    if (operation.kind != Operation::Import)
        return applyToChat(operation, model.chats[static_cast<size_t>(operation.chat)]);
    const auto importer = store_->openImporter();
    if (!importer) return failed(importer.error());
    const auto report = importChats(*importer.value(), {.paths = {fileOf(operation.number)}}, goOn);
    if (!report) return failed(report.error());
    if (!report->problems.empty()) return failed(report->problems.front().error);
    return report->beside == 0 ? QString() : QStringLiteral("a chat was doubled");
}

/// The chat of the store as the plain model has it; `exact` also says whether an answer was cut off.
PlainChat plainChat(const ChatTree& tree) {
    PlainChat chat{.title = tree.title,
                   .folder = tree.folder,
                   .pinned = tree.pinned,
                   .deleted = tree.removed.has_value(),
                   .leaf = static_cast<int>(tree.leaf)};
    for (const TreeMessage& message : tree.messages) {
        PlainMessage plain{.parent = static_cast<int>(message.parent),
                           .user = message.role == engine::Role::User,
                           .finished = message.state == QLatin1String("complete"),
                           .deleted = message.removed.has_value()};
        for (const TreePart& part : message.parts) {
            if (part.kind == PartKind::Attachment && part.file >= 0 &&
                tree.files[static_cast<size_t>(part.file)] == part.text.toUtf8())
                plain.file = part.text;
            else
                plain.text += part.text;
        }
        chat.messages.push_back(std::move(plain));
    }
    return chat;
}

QString described(const PlainChat& chat) {
    QString text = QStringLiteral("\"%1\" folder \"%2\" pinned %3 deleted %4 leaf %5:")
                       .arg(chat.title, chat.folder)
                       .arg(chat.pinned)
                       .arg(chat.deleted)
                       .arg(chat.leaf);
    for (const PlainMessage& message : chat.messages)
        text += QStringLiteral(" [%1 %2%3%4 \"%5\" \"%6\"]")
                    .arg(message.parent)
                    .arg(QLatin1String(message.user ? "u" : "a"), QLatin1String(message.finished ? "" : "-"),
                         QLatin1String(message.deleted ? "x" : ""), message.text, message.file);
    return text;
}

/// Returns the first difference between the store and the model; empty if there is none.
QString difference(const ChatReads& store, const PlainModel& model) {
    const auto ids = store.chatIds(true);
    if (!ids) return failed(ids.error());
    std::map<QString, PlainChat> found;
    for (const qint64 id : ids.value()) {
        const auto tree = store.tree(id, {.bin = true});
        if (!tree) return failed(tree.error());
        found[tree->title] = plainChat(tree.value());
    }
    if (found.size() != model.chats.size() || ids->size() != found.size())
        return QStringLiteral("%1 chats, not %2").arg(ids->size()).arg(model.chats.size());
    for (PlainChat expected : model.chats) {
        expected.number = 0;
        for (PlainMessage& message : expected.messages) {
            message.writing = false;
            message.born = 0;
        }
        const auto chat = found.find(expected.title);
        if (chat == found.end()) return expected.title + QStringLiteral(" is not there");
        if (chat->second != expected)
            return QStringLiteral("there is ") + described(chat->second) + QStringLiteral("\nnot ") +
                   described(expected);
    }
    return {};
}

/// Returns the first fault of the file; empty if it is sound.
QString fault(const QString& folder) {
    SQLite::Database db((folder + QStringLiteral("/chats.db")).toStdString(), SQLite::OPEN_READWRITE);
    SQLite::Statement rows(db, "PRAGMA integrity_check");
    rows.executeStep();
    if (rows.getColumn(0).getString() != "ok") return QString::fromStdString(rows.getColumn(0).getString());
    if (SQLite::Statement(db, "PRAGMA foreign_key_check").executeStep())
        return QStringLiteral("a row refers to nothing");
    try {
        db.exec("INSERT INTO message_search(message_search) VALUES ('integrity-check')");
        db.exec("INSERT INTO chat_search(chat_search) VALUES ('integrity-check')");
    } catch (const SQLite::Exception& exception) {
        return QString::fromUtf8(exception.what());
    }
    return {};
}

/// The model after the operations from `from` on; a process began there.
PlainModel modelAt(PlainModel model, quint32 seed, int from, int to) {
    model.restart();
    for (int i = from; i < to; ++i) model.apply(randomOperation(model, seed, i));
    return model;
}

int operate(const QString& folder, quint32 seed, const QStringList& points) {
    PlainModel model;
    for (qsizetype i = 0; i + 1 < points.size(); ++i)
        model = modelAt(std::move(model), seed, points[i].toInt(), points[i + 1].toInt());
    model.restart();
    const int begin = points.last().toInt();
    Operator hand(folder);
    if (!hand) return 1;
    for (int i = begin;; ++i) {
        const Operation next = randomOperation(model, seed, i);
        if (const QString failure = hand.apply(next, model); !failure.isEmpty()) {
            std::printf("E %d: kind %d: %s\n", i, static_cast<int>(next.kind), qPrintable(failure));
            return 1;
        }
        model.apply(next);
        std::printf("D %d\n", i + 1);
        std::fflush(stdout);
    }
}

} // namespace

class TestRandomTrees : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void randomOperations();
    void killedEveryHundredOperations();

  private:
    void checkCopy(ChatStore& store, const PlainModel& model);
};

/// All chats, exported and imported into an empty file, are the same, and their export has the same bytes.
void TestRandomTrees::checkCopy(ChatStore& store, const PlainModel& model) {
    QTemporaryDir place;
    const QString once = place.filePath(QStringLiteral("once.json")),
                  twice = place.filePath(QStringLiteral("twice.json"));
    VERIFY_OK(exportJson(store, {.path = once, .tree = {.bin = true}}, goOn));
    StoreOnDisk copy;
    {
        const auto importer = copy->openImporter();
        VERIFY_OK(importer);
        const auto report = importChats(*importer.value(), {.paths = {once}}, goOn);
        if (model.chats.empty() && !report) return; // a file with nothing to import is refused
        VERIFY_OK(report);
        QCOMPARE(report->failed, 0);
    }
    QCOMPARE(difference(*copy, model), QString());
    VERIFY_OK(exportJson(*copy, {.path = twice, .tree = {.bin = true}}, goOn));
    QFile first(once), second(twice);
    QVERIFY(first.open(QIODevice::ReadOnly) && second.open(QIODevice::ReadOnly));
    QVERIFY(first.readAll() == second.readAll());
}

void TestRandomTrees::randomOperations() {
    const quint32 seed = seedOf();
    QTemporaryDir folder;
    Operator hand(folder.path());
    QVERIFY(hand);
    PlainModel model;
    std::map<Operation::Kind, int> counts;
    for (int i = 0; i < kOperations; ++i) {
        const Operation next = randomOperation(model, seed, i);
        const QString failure = hand.apply(next, model);
        QVERIFY2(failure.isEmpty(), qPrintable(QStringLiteral("operation %1: %2").arg(i).arg(failure)));
        model.apply(next);
        ++counts[next.kind];
        if (i % 50 != 0 && i + 1 != kOperations) continue;
        const QString wrong = difference(hand.store(), model);
        QVERIFY2(wrong.isEmpty(), qPrintable(QStringLiteral("after operation %1: %2").arg(i).arg(wrong)));
        if (i % 1000 == 0) checkCopy(hand.store(), model);
        if (QTest::currentTestFailed()) return;
    }
    checkCopy(hand.store(), model);
    QCOMPARE(fault(folder.path()), QString());
    for (int kind = Operation::Send; kind <= Operation::Import; ++kind)
        QVERIFY2(counts[static_cast<Operation::Kind>(kind)] > kOperations / 500, QByteArray::number(kind));
}

/// After a kill the file has all operations that were reported, and perhaps the one after them.
void TestRandomTrees::killedEveryHundredOperations() {
    const quint32 seed = seedOf();
    QRandomGenerator random(seed);
    QTemporaryDir folder;
    std::vector<int> points{0};
    int kills = 0, unreported = 0;
    PlainModel start; // at the last point
    while (points.back() < kOperations) {
        QStringList began;
        for (const int point : points) began.append(QString::number(point));
        QProcess process;
        process.start(QCoreApplication::applicationFilePath(), {QStringLiteral("--operate"), folder.path(),
                                                                QString::number(seed), began.join(QLatin1Char(','))});
        QVERIFY(process.waitForStarted(kPatienceMs));
        const int wanted = points.back() + kBetweenKills / 2 + random.bounded(kBetweenKills);
        int done = points.back();
        while (done < wanted) {
            QVERIFY2(process.canReadLine() || process.waitForReadyRead(kPatienceMs), "the process said nothing");
            while (process.canReadLine()) {
                const QByteArray line = process.readLine();
                QVERIFY2(line.startsWith("D "), line.constData());
                done = line.mid(2).trimmed().toInt();
            }
        }
        process.kill();
        QVERIFY(process.waitForFinished(kPatienceMs));
        while (process.canReadLine()) done = process.readLine().mid(2).trimmed().toInt();
        ++kills;
        QCOMPARE(fault(folder.path()), QString());
        const auto store = ChatStore::open({.folder = folder.path(), .migrations = {}});
        VERIFY_OK(store);
        QVERIFY(!(*store)->notice());
        PlainModel model = modelAt(start, seed, points.back(), done);
        const QString before = difference(**store, model);
        model.apply(randomOperation(model, seed, done));
        const QString after = before.isEmpty() ? QString() : difference(**store, model);
        QVERIFY2(before.isEmpty() || after.isEmpty(),
                 qPrintable(QStringLiteral("after operation %1: %2\nor, one more: %3").arg(done).arg(before, after)));
        if (!before.isEmpty()) ++unreported;
        points.push_back(before.isEmpty() ? done : done + 1);
        start = modelAt(std::move(start), seed, points[points.size() - 2], points.back());
    }
    qInfo("%d kills, %d of them after a step that was not reported yet", kills, unreported);
    QVERIFY(kills >= kOperations / (2 * kBetweenKills));
}

int main(int argc, char** argv) {
    QCoreApplication program(argc, argv);
    const QStringList words = QCoreApplication::arguments();
    if (words.size() == 5 && words[1] == QStringLiteral("--operate"))
        return operate(words[2], words[3].toUInt(), words[4].split(QLatin1Char(',')));
    TestRandomTrees test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_random_trees.moc"
