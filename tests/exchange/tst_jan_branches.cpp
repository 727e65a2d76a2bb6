// SPDX-License-Identifier: Apache-2.0
// The branches of Jan's threads: versions of answers and of prompts, answers that have lost their prompt, and threads
// that are damaged. A thread is written as a text: "ID ROLE PARENT ACTIVE_CHILD" for each message, where "-" is
// missing.
#include "exchange/jan_branches.h"

#include <QtTest>

using namespace coterie::app;

namespace {

constexpr qint64 kBegin = 1720000000000;

QJsonObject messageOf(const QString& written, qint64 number) {
    const QStringList words = written.split(QLatin1Char(' '));
    QJsonObject metadata;
    if (words[2] == QLatin1String("null"))
        metadata.insert(QStringLiteral("parentId"), QJsonValue::Null);
    else if (words[2] != QLatin1String("-"))
        metadata.insert(QStringLiteral("parentId"), words[2]);
    if (words.size() > 3) metadata.insert(QStringLiteral("activeChildId"), words[3]);
    QJsonObject message{{QStringLiteral("role"), words[1]},
                        {QStringLiteral("created_at"), kBegin + number},
                        {QStringLiteral("metadata"), metadata}};
    if (words[0] != QLatin1String("-")) message.insert(QStringLiteral("id"), words[0]);
    return message;
}

std::vector<QJsonObject> threadOf(const char* written) {
    std::vector<QJsonObject> lines;
    for (const QString& line : QString::fromLatin1(written).split(QStringLiteral(", ")))
        lines.push_back(messageOf(line, static_cast<qint64>(lines.size())));
    return lines;
}

/// "parents: shown", with numbers from 1 on; 0 is the parent of a first message.
QString described(const JanBranches& branches) {
    QStringList parents, shown;
    for (const qsizetype parent : branches.parents) parents.append(QString::number(parent + 1));
    for (qsizetype line = branches.leaf; line >= 0; line = branches.parents[static_cast<size_t>(line)])
        shown.prepend(QString::number(line + 1));
    return parents.join(QLatin1Char(' ')) + QStringLiteral(": ") + shown.join(QLatin1Char(' '));
}

} // namespace

class TestJanBranches : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void followOneAnother_data();
    void followOneAnother();
    void timeCountsAndNotTheLine();
    void theActiveRootIsShown();
    void manyLinesEnd();
};

void TestJanBranches::followOneAnother_data() {
    QTest::addColumn<QByteArray>("thread");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const char* thread, const char* expected) {
        QTest::newRow(name) << QByteArray(thread) << QString::fromLatin1(expected);
    };
    row("no parents", "u user -, a assistant -, b assistant - c", "0 1 2: 1 2 3");
    row("a list with parents", "u user null, a assistant u, v user a", "0 1 2: 1 2 3");
    row("versions of an answer", "u user null, a assistant u, b assistant u", "0 1 1: 1 3");
    row("the older version is shown", "u user null a, a assistant u, b assistant u", "0 1 1: 1 2");
    row("versions with a tail", "u user null a, a assistant u, v user a, b assistant u, w user b", "0 1 2 1 4: 1 2 3");
    row("a version that is gone", "u user null gone, a assistant u", "0 1: 1 2");
    row("a version of another message", "u user null v, a assistant u, v user a", "0 1 2: 1 2 3");
    row("an edited prompt", "u user null, a assistant u, v user a, w user a", "0 1 2 2: 1 2 4");
    row("an edited first prompt", "u user null, a assistant u, v user null", "0 1 0: 3");
    row("an answer with null", "u user null, a assistant null, v user a", "0 1 2: 1 2 3");
    row("answers with null", "u user null, a assistant null, v user a, b assistant null", "0 1 2 3: 1 2 3 4");
    row("answers without a parent", "u user null, a assistant u, v user a, b assistant -, w user v, c assistant -",
        "0 1 2 3 4 5: 1 2 3 4 5 6");
    row("an answer before all prompts", "a assistant null, u user null", "0 0: 2");
    row("a parent that is gone", "u user null, a assistant u, v user gone, b assistant gone", "0 1 2 3: 1 2 3 4");
    row("a prompt without a parent", "u user null, a assistant u, v user -", "0 1 2: 1 2 3");
    row("no first message", "u user gone, a assistant u", "0 1: 1 2");
    row("its own parent", "u user null, v user v", "0 0: 1");
    row("a circle", "u user null, v user x, w user v, x user w", "0 0 2 3: 1");
    row("nothing but a circle", "u user v, v user u", "0 1: 1 2");
    row("a way into a circle", "t user w, u user null, v user w, w user v", "4 0 4 0: 2");
    row("an id twice", "u user null, a assistant u, a assistant u, v user a", "0 1 1 3: 1 3 4");
    row("no ids", "- user null, - assistant -, - user -", "0 1 2: 1 2 3");
}

void TestJanBranches::followOneAnother() {
    QFETCH(const QByteArray, thread);
    QFETCH(const QString, expected);
    QCOMPARE(described(janBranches({}, threadOf(thread.constData()))), expected);
}

/// Jan writes an older version again when it has changed, so that its line comes later.
void TestJanBranches::timeCountsAndNotTheLine() {
    std::vector<QJsonObject> lines = threadOf("b assistant u, a assistant u, u user null");
    lines[0].insert(QStringLiteral("created_at"), kBegin + 3);
    lines[1].insert(QStringLiteral("created_at"), 1720000000); // in seconds
    lines[2].insert(QStringLiteral("created_at"), 1719999999);
    const JanBranches branches = janBranches({}, lines);
    QCOMPARE(described(branches), QStringLiteral("3 3 0: 3 1"));
    QCOMPARE(branches.times, std::vector<qint64>({kBegin + 3, kBegin, kBegin - 1000}));
    lines[1].remove(QStringLiteral("created_at")); // then it is as old as the line before it
    QCOMPARE(janBranches({}, lines).times[1], kBegin + 3);
    QVERIFY(janBranches({}, {}).leaf < 0);
}

void TestJanBranches::theActiveRootIsShown() {
    const std::vector<QJsonObject> lines = threadOf("u user null, a assistant u, v user null");
    const auto shown = [&](const char* root) {
        const QJsonObject metadata{{QStringLiteral("activeRootId"), QString::fromLatin1(root)}};
        const QJsonObject thread{{QStringLiteral("metadata"), metadata}};
        return described(janBranches(thread, lines));
    };
    QCOMPARE(shown("u"), QStringLiteral("0 1 0: 1 2"));
    QCOMPARE(shown("v"), QStringLiteral("0 1 0: 3"));
    QCOMPARE(shown("a"), QStringLiteral("0 1 0: 3")); // it is no first message
    QCOMPARE(shown("gone"), QStringLiteral("0 1 0: 3"));
}

/// All answers have lost the same prompt, which all others follow.
void TestJanBranches::manyLinesEnd() {
    constexpr qsizetype kHalf = 25000;
    std::vector<QJsonObject> lines{messageOf(QStringLiteral("u user null"), 0)};
    for (qsizetype i = 1; i <= 2 * kHalf; ++i)
        lines.push_back(messageOf(i > kHalf ? QStringLiteral("- user u") : QStringLiteral("- assistant -"), i));
    const JanBranches branches = janBranches({}, lines);
    QCOMPARE(branches.leaf, 2 * kHalf);
    QCOMPARE(branches.parents[2 * kHalf], kHalf);
    QCOMPARE(branches.parents[kHalf], 0);
}

QTEST_APPLESS_MAIN(TestJanBranches)
#include "tst_jan_branches.moc"
