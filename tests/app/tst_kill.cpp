// SPDX-License-Identifier: Apache-2.0
// Kills the program many times while it writes the answers of two chats in turn and changes a third one, and looks
// for everything that it had reported. A killed process can't show a missing sync; tst_chat_store_trouble tests that.
#include "store/chat_store.h"
#include "support/effort.h"
#include "verify_ok.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <QProcess>
#include <QRandomGenerator>
#include <QtTest>

#include <algorithm>
#include <array>

using namespace coterie;
using namespace coterie::app;

namespace {

const int kKills = test::longTests() ? 100 : 25;
constexpr int kLanes = 5;
constexpr int kLatestKill = 9000; // bytes of output, which take about two seconds
constexpr qint64 kMayBeLostMs = 1000;

struct Token {
    qint64 time = 0;
    QString text;
};

/// The output of a killed process; its last line may be cut.
struct Said {
    QStringList prompts;                        ///< accepted, in their order
    QHash<QString, std::vector<Token>> answers; ///< tokens that left the engine, by prompt
    int edits = 0;                              ///< changes of the third chat
    qint64 last = 0;                            ///< time of the last token
};

Said read(const QByteArray& output) {
    Said said;
    QString asked;
    for (const QByteArray& line : output.left(output.lastIndexOf('\n') + 1).split('\n')) {
        const QList<QByteArray> words = line.split(' ');
        if (line.startsWith("P ")) {
            said.prompts.append(QString::fromUtf8(words.at(1)));
        } else if (line.startsWith("A ")) {
            asked = QString::fromUtf8(words.at(1));
        } else if (line.startsWith("R ")) {
            said.edits = words.at(1).toInt();
        } else if (line.startsWith("T ") && words.size() == 3) {
            said.last = words.at(1).toLongLong();
            said.answers[asked].push_back({said.last, QString::fromUtf8(words.at(2))});
        }
    }
    return said;
}

} // namespace

/// A program in a data folder of its own, which is killed and started again.
struct Lane {
    QTemporaryDir folder;
    QProcess process;
    QByteArray output;
    int wanted = 0; ///< bytes of output after which it is killed
};

class TestKill : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void noWordIsLost();

  private:
    void start(Lane& lane, int round);
    void killOne(Lane& lane);
    void checkFile(const Lane& lane);
    void checkWords(const Lane& lane);
    void checkEdits(const Said& said, const std::vector<ChatRow>& chats);
    void checkAnswer(const QString& prompt, const Said& said, const MessageRow& answer);

    int prompts_ = 0, cut_ = 0, late_ = 0, waited_ = 0, edits_ = 0;
    qint64 worstMs_ = 0;
};

void TestKill::start(Lane& lane, int round) {
    lane.output.clear();
    lane.process.start(QStringLiteral(KILL_HELPER), {lane.folder.path(), QStringLiteral("round%1").arg(round)});
    QVERIFY(lane.process.waitForStarted(kPatienceMs));
}

void TestKill::killOne(Lane& lane) {
    while (lane.output.size() < lane.wanted) {
        QVERIFY2(lane.process.waitForReadyRead(kPatienceMs), lane.output.constData());
        lane.output += lane.process.readAllStandardOutput();
        QVERIFY2(!lane.output.startsWith("E "), lane.output.constData());
    }
    lane.process.kill();
    QVERIFY(lane.process.waitForFinished(kPatienceMs));
    lane.output += lane.process.readAllStandardOutput();
    QCOMPARE(lane.process.exitStatus(), QProcess::CrashExit);
}

void TestKill::checkFile(const Lane& lane) {
    SQLite::Database db(lane.folder.filePath(QStringLiteral("chats.db")).toStdString(), SQLite::OPEN_READWRITE);
    SQLite::Statement rows(db, "PRAGMA integrity_check");
    QVERIFY(rows.executeStep());
    QCOMPARE(rows.getColumn(0).getString(), std::string("ok"));
    QVERIFY(!rows.executeStep());
}

void TestKill::checkAnswer(const QString& prompt, const Said& said, const MessageRow& answer) {
    const std::vector<Token> tokens = said.answers.value(prompt);
    QString expected;
    for (const Token& token : tokens) {
        expected += token.text;
        if (answer.text().startsWith(expected)) continue;
        const qint64 age = said.last - token.time;
        worstMs_ = std::max(worstMs_, age);
        QVERIFY2(
            age < kMayBeLostMs,
            qPrintable(
                QStringLiteral("%1: %2 is lost, %3 ms before the end").arg(prompt, token.text, QString::number(age))));
    }
    QVERIFY(answer.state == MessageState::Complete || answer.state == MessageState::Stopped);
    if (answer.state == MessageState::Complete) return;
    if (tokens.empty()) {
        ++waited_;
        return;
    }
    ++cut_;
    if (said.last - tokens.front().time > kMayBeLostMs) ++late_;
}

/// The third chat has the last title that it was known to have, or the one after it.
void TestKill::checkEdits(const Said& said, const std::vector<ChatRow>& chats) {
    if (said.edits == 0) return;
    const auto has = [&](int number) {
        const QString title = QStringLiteral("edit-%1").arg(number);
        return std::any_of(chats.begin(), chats.end(), [&](const ChatRow& chat) { return chat.title == title; });
    };
    QVERIFY2(has(said.edits) || has(said.edits + 1), qPrintable(QStringLiteral("edit %1 is lost").arg(said.edits)));
    edits_ += said.edits;
}

void TestKill::checkWords(const Lane& lane) {
    const auto store = ChatStore::open({.folder = lane.folder.path(), .migrations = {}});
    VERIFY_OK(store);
    QVERIFY2(!(*store)->notice(), "the file was damaged");
    const auto chats = (*store)->chats();
    VERIFY_OK(chats);
    QHash<QString, MessageRow> answers;
    for (const ChatRow& chat : chats.value()) {
        const auto rows = (*store)->messages(chat.id);
        VERIFY_OK(rows);
        for (size_t i = 0; i + 1 < rows.value().size(); i += 2) {
            answers.insert(rows.value()[i].text(), rows.value()[i + 1]);
        }
    }
    const Said said = read(lane.output);
    checkEdits(said, chats.value());
    for (const QString& prompt : said.prompts) {
        ++prompts_;
        QVERIFY2(answers.contains(prompt), qPrintable(prompt + QStringLiteral(" is lost")));
        checkAnswer(prompt, said, answers[prompt]);
    }
}

void TestKill::noWordIsLost() {
    QRandomGenerator random(20261121);
    std::array<Lane, kLanes> lanes;
    for (int round = 0; round < kKills; round += kLanes) {
        // Sorted in ascending order, so that no program runs far beyond its limit while the test waits for another one.
        std::array<int, kLanes> wanted{};
        for (int& bytes : wanted) bytes = 40 + static_cast<int>(random.bounded(kLatestKill));
        std::sort(wanted.begin(), wanted.end());
        for (size_t i = 0; i < lanes.size(); ++i) {
            lanes[i].wanted = wanted[i];
            start(lanes[i], round);
        }
        for (Lane& lane : lanes) killOne(lane);
        for (const Lane& lane : lanes) {
            if (QTest::currentTestFailed()) return;
            checkFile(lane);
            checkWords(lane);
        }
    }
    qInfo("%d kills, %d prompts accepted and kept, %d answers cut off, %d of them after more than a second, %d that "
          "waited; %d changes of the third chat kept; at most %lld ms of an answer lost",
          kKills, prompts_, cut_, late_, waited_, edits_, worstMs_);
    QVERIFY(cut_ >= kKills / 2);
    QVERIFY(late_ >= kKills / 10);
    QVERIFY(waited_ >= kKills / 2);
    QVERIFY(edits_ >= kKills);
}

QTEST_GUILESS_MAIN(TestKill)
#include "tst_kill.moc"
