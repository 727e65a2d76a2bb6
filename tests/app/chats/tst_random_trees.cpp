// SPDX-License-Identifier: Apache-2.0
// Thousands of random operations on chats against a plain model in memory: the same trees, the same words, a sound
// file; and the same in a process that is killed every hundred operations. Undoing leads back to the chats of before.
// COTERIE_SEED=NUMBER repeats a run.
//
// tst_random_trees --operate FOLDER SEED POINTS: makes operations without end and prints "D <number>" after each.
// POINTS are the numbers of operations after which a process began, with commas; the last one is where it begins.
#include "app/chats/tree_hand.h"
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

const int kOperations = longTests() ? 10000 : kSanitized ? 1000 : 2000;
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

bool goOn(double) { return true; }

/// The chat of the store as the plain model has it.
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

/// Returns the first difference between the store and the model; empty if there is none. only: the key of the chat that
/// is compared; nothing: all are.
QString difference(const ChatReads& store, const PlainModel& model, std::optional<int> only = {}) {
    const auto ids = store.chatIds(true);
    if (!ids) return failed(ids.error());
    if (ids->size() != model.chats.size())
        return QStringLiteral("%1 chats, not %2").arg(ids->size()).arg(model.chats.size());
    for (size_t i = 0; i < ids->size(); ++i) { // both are in the order in which chats were added
        if (only && model.chats[i].key != *only) continue;
        const auto tree = store.tree((*ids)[i], {.bin = true});
        if (!tree) return failed(tree.error());
        PlainChat expected = model.chats[i];
        expected.key = 0;
        expected.uid.clear();
        for (PlainMessage& message : expected.messages) {
            message.id = 0;
            message.writing = false;
        }
        if (const PlainChat there = plainChat(tree.value()); there != expected)
            return QStringLiteral("there is ") + described(there) + QStringLiteral("\nnot ") + described(expected);
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
    model.comparing = false; // randomOperations() does
    for (qsizetype i = 0; i + 1 < points.size(); ++i)
        model = modelAt(std::move(model), seed, points[i].toInt(), points[i + 1].toInt());
    model.restart();
    const int begin = points.last().toInt();
    TreeHand hand(folder);
    if (!hand) return 1;
    for (int i = begin;; ++i) {
        const Operation next = randomOperation(model, seed, i);
        const QString failure = hand.apply(next);
        model.apply(next);
        if (const QString wrong = failure.isEmpty() ? hand.stepsDiffer(model) : failure; !wrong.isEmpty()) {
            std::printf("E %d: kind %d: %s\n", i, static_cast<int>(next.kind), qPrintable(wrong));
            return 1;
        }
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
    static QString wrongAfter(const Operation& operation, TreeHand& hand, const PlainModel& model, bool whole);
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

/// Returns what is wrong after the operation; empty if nothing is.
QString TestRandomTrees::wrongAfter(const Operation& operation, TreeHand& hand, const PlainModel& model, bool whole) {
    const bool moves = operation.kind == Operation::Undo || operation.kind == Operation::Redo;
    if (moves && hand.moved() != model.moved)
        return QStringLiteral("the step was %1done").arg(QLatin1String(hand.moved() ? "" : "not "));
    if (moves && !model.broken.isEmpty()) return model.broken;
    if (const QString steps = hand.stepsDiffer(model); !steps.isEmpty()) return steps;
    if (whole) return difference(hand.store(), model);
    if (!moves || !model.moved) return {};
    const PlainStep& step = operation.kind == Operation::Undo ? model.undone.back() : model.done.back();
    return difference(hand.store(), model, step.chat);
}

void TestRandomTrees::randomOperations() {
    const quint32 seed = seedOf();
    QTemporaryDir folder;
    TreeHand hand(folder.path());
    QVERIFY(hand);
    PlainModel model;
    std::map<Operation::Kind, int> counts; // those that changed something
    for (int i = 0; model.changes < kOperations; ++i) {
        const Operation next = randomOperation(model, seed, i);
        const QString failure = hand.apply(next);
        QVERIFY2(failure.isEmpty(), qPrintable(QStringLiteral("operation %1: %2").arg(i).arg(failure)));
        if (model.apply(next)) ++counts[next.kind];
        const QString wrong = wrongAfter(next, hand, model, i % 50 == 0 || model.changes == kOperations);
        QVERIFY2(wrong.isEmpty(), qPrintable(QStringLiteral("after operation %1: %2").arg(i).arg(wrong)));
        if (i % 1000 == 0) checkCopy(hand.store(), model);
        if (QTest::currentTestFailed()) return;
    }
    checkCopy(hand.store(), model);
    QCOMPARE(fault(folder.path()), QString());
    qInfo("%d undone, %d repeated, %d of them back to chats that nothing else had changed; %d imported, %d beside",
          counts[Operation::Undo], counts[Operation::Redo], model.compared, counts[Operation::Import], model.beside);
    for (int kind = Operation::Send; kind <= Operation::Redo; ++kind)
        QVERIFY2(counts[static_cast<Operation::Kind>(kind)] > kOperations / 500, QByteArray::number(kind));
    QVERIFY(model.beside > kOperations / 500);
    QVERIFY(model.compared > kOperations / 50);
}

/// After a kill the file has all operations that were reported, and perhaps the one after them.
void TestRandomTrees::killedEveryHundredOperations() {
    const quint32 seed = seedOf();
    QRandomGenerator random(seed);
    QTemporaryDir folder;
    std::vector<int> points{0};
    int kills = 0, unreported = 0;
    PlainModel start; // at the last point
    start.comparing = false;
    while (start.changes < kOperations) {
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
