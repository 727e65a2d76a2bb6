// SPDX-License-Identifier: Apache-2.0
// Kills the program many times while it writes the answers of two chats in turn and changes a third one, and looks
// for everything that it had reported as stored. Answers that were cut off say that the program was closed. A killed
// process can't show a missing sync; tst_chat_store_trouble tests that. How soon text is stored is tested by
// tst_answer_queue.
#include "app/verify_ok.h"
#include "store/answer_ends.h"
#include "store/chat_store.h"
#include "support/effort.h"

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
constexpr int kLatestKill = 600; // tokens, which take three seconds
constexpr int kMoreTokens = 20;  // the engine writes so many until the kill arrives; then it waits
constexpr int kMayBeLost =
    200; // tokens: those of a second. The engine writes no more than these before text is stored.

/// An answer as it was reported.
struct Answer {
    QStringList tokens;   ///< those that left the engine
    qsizetype stored = 0; ///< characters
};

/// The output of a killed process; its last line may be cut.
struct Said {
    QStringList prompts;            ///< accepted, in their order
    QHash<QString, Answer> answers; ///< by prompt
    int edits = 0;                  ///< changes of the third chat
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
        } else if (line.startsWith("T ")) {
            said.answers[asked].tokens.append(QString::fromUtf8(words.at(1)));
        } else if (line.startsWith("S ")) {
            said.answers[asked].stored = words.at(1).toLongLong();
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
    int wanted = 0; ///< tokens after which it is killed
};

class TestKill : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void noWordIsLost();

  private:
    void start(Lane& lane, int round);
    void killOne(Lane& lane, int round);
    void checkFile(const Lane& lane);
    void checkWords(const Lane& lane);
    void checkEdits(const Said& said, const std::vector<ChatRow>& chats);
    void checkAnswer(const QString& prompt, const Said& said, const MessageRow& answer);

    int prompts_ = 0, cut_ = 0, late_ = 0, waited_ = 0, edits_ = 0;
    qsizetype mostLost_ = 0;
};

void TestKill::start(Lane& lane, int round) {
    lane.output.clear();
    lane.process.start(QStringLiteral(KILL_HELPER),
                       {lane.folder.path(), QStringLiteral("round%1").arg(round),
                        QString::number(lane.wanted + kMoreTokens), QString::number(kMayBeLost)});
    QVERIFY(lane.process.waitForStarted(kPatienceMs));
}

/// Kills it once it has written enough and, because the first round has no third chat yet, changed that in a later one.
void TestKill::killOne(Lane& lane, int round) {
    const QDeadlineTimer patience(kPatienceMs);
    while (lane.output.count("\nT ") < lane.wanted || (round > 0 && !lane.output.contains("\nR "))) {
        QVERIFY2(!patience.hasExpired() && lane.process.waitForReadyRead(kPatienceMs), lane.output.right(2000));
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
    const Answer known = said.answers.value(prompt);
    const QString written = known.tokens.join(QString()), kept = answer.text();
    QVERIFY2(written.startsWith(kept), qPrintable(prompt + QStringLiteral(" has another answer: ") + kept));
    QVERIFY2(kept.size() >= known.stored, qPrintable(QStringLiteral("%1: %2 of %3 characters that were stored are lost")
                                                         .arg(prompt)
                                                         .arg(known.stored - kept.size())
                                                         .arg(known.stored)));
    const qsizetype lost = known.tokens.size() - kept.count(u'.');
    QVERIFY2(lost <= kMayBeLost, qPrintable(QStringLiteral("%1: %2 tokens are lost").arg(prompt).arg(lost)));
    mostLost_ = std::max(mostLost_, lost);
    QVERIFY(answer.state == MessageState::Complete || answer.state == MessageState::Stopped);
    if (answer.state == MessageState::Complete) {
        QCOMPARE(kept, written);
        return;
    }
    QVERIFY2(!answer.stoppedByUser(), qPrintable(prompt + QStringLiteral(" would be shown as stopped by the user")));
    QCOMPARE(answer.error.what, endedByClosing().what);
    QCOMPARE(answer.error.why, endedByClosing().why);
    if (known.tokens.empty()) {
        ++waited_;
    } else {
        ++cut_;
        if (known.stored > 0) ++late_;
    }
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
        for (int& tokens : wanted) tokens = 1 + static_cast<int>(random.bounded(kLatestKill));
        std::sort(wanted.begin(), wanted.end());
        for (size_t i = 0; i < lanes.size(); ++i) {
            lanes[i].wanted = wanted[i];
            start(lanes[i], round);
        }
        for (Lane& lane : lanes) killOne(lane, round);
        for (const Lane& lane : lanes) {
            if (QTest::currentTestFailed()) return;
            checkFile(lane);
            checkWords(lane);
        }
    }
    qInfo("%d kills, %d prompts accepted and kept, %d answers cut off, %d of them after a part was stored, %d that "
          "waited; %d changes of the third chat kept; at most %d tokens of an answer lost",
          kKills, prompts_, cut_, late_, waited_, edits_, static_cast<int>(mostLost_));
    QVERIFY(cut_ >= kKills / 2);
    QVERIFY(late_ >= kKills / 4); // those after kMayBeLost tokens of the long answer, at least
    QVERIFY(waited_ >= kKills / 4);
    QVERIFY(edits_ >= kKills / 2); // not in the first round
}

QTEST_GUILESS_MAIN(TestKill)
#include "tst_kill.moc"
