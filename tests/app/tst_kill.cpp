// SPDX-License-Identifier: Apache-2.0
// Kills the program a hundred times while it writes answers, and looks for every word that it had reported. A killed
// process can't show a missing sync; tst_chat_store_trouble tests that.
#include "store/chat_store.h"
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

constexpr int kKills = 100;
constexpr int kLanes = 5;
constexpr int kLatestKill = 9000; // bytes of output, which take about two seconds
constexpr int kPatienceMs = 60000;
constexpr qint64 kMayBeLostMs = 1000;

struct Token {
    qint64 time = 0;
    QString text;
};

/// The output of a killed process about one prompt.
struct Said {
    QString prompt;
    std::vector<Token> tokens;
};

/// Reads the lines of kill_helper; the last one may be cut. Tokens may come before their prompt, because the prompt's
/// line comes from another thread.
std::vector<Said> read(const QByteArray& output) {
    std::vector<Said> all;
    std::vector<Token> early;
    for (const QByteArray& line : output.left(output.lastIndexOf('\n') + 1).split('\n')) {
        const QList<QByteArray> words = line.split(' ');
        if (line.startsWith("P ")) {
            all.push_back({QString::fromUtf8(words.at(1)), std::move(early)});
            early.clear();
        } else if (line.startsWith("T ") && words.size() == 3) {
            const Token token{words.at(1).toLongLong(), QString::fromUtf8(words.at(2))};
            const bool first = token.text == QStringLiteral("w0.");
            const bool isNext = all.empty() || (first && !all.back().tokens.empty()) || !early.empty();
            (isNext ? early : all.back().tokens).push_back(token);
        }
    }
    return all;
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
    void checkAnswer(const Said& said, const MessageRow& answer, qint64 killed);

    int prompts_ = 0, cut_ = 0, late_ = 0;
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

void TestKill::checkAnswer(const Said& said, const MessageRow& answer, qint64 killed) {
    QString expected;
    for (const Token& token : said.tokens) {
        expected += token.text;
        if (answer.text().startsWith(expected)) continue;
        const qint64 age = killed - token.time;
        worstMs_ = std::max(worstMs_, age);
        QVERIFY2(age < kMayBeLostMs, qPrintable(QStringLiteral("%1: %2 is lost, %3 ms before the end")
                                                    .arg(said.prompt, token.text, QString::number(age))));
    }
    QVERIFY(answer.state == MessageState::Complete || answer.state == MessageState::Stopped);
    if (answer.state == MessageState::Stopped) ++cut_;
    if (!said.tokens.empty() && answer.state == MessageState::Stopped &&
        killed - said.tokens.front().time > kMayBeLostMs) {
        ++late_;
    }
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
    const std::vector<Said> all = read(lane.output);
    const qint64 killed = all.empty() || all.back().tokens.empty() ? 0 : all.back().tokens.back().time;
    for (const Said& said : all) {
        ++prompts_;
        QVERIFY2(answers.contains(said.prompt), qPrintable(said.prompt + QStringLiteral(" is lost")));
        checkAnswer(said, answers[said.prompt], killed);
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
    qInfo("%d kills, %d prompts accepted and kept, %d answers cut off, %d of them after more than a second; at most "
          "%lld ms of an answer lost",
          kKills, prompts_, cut_, late_, worstMs_);
    QVERIFY(cut_ >= kKills / 2);
    QVERIFY(late_ >= kKills / 10);
}

QTEST_GUILESS_MAIN(TestKill)
#include "tst_kill.moc"
