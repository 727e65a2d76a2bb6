// SPDX-License-Identifier: Apache-2.0
// B7 of the review with two real processes: the second start of the program ends, and the first one goes on.
#include <QDir>
#include <QObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

class TestSecondStart : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void theProgramEndsAtOnce();
};

/// The second one ends with 0 and says nothing.
void TestSecondStart::theProgramEndsAtOnce() {
    const QTemporaryDir folder;
    const QStringList call{QStringLiteral("--data-dir"), folder.path()};
    QProcess first, second;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("XDG_RUNTIME_DIR"), folder.path());
    first.setProcessEnvironment(environment);
    second.setProcessEnvironment(environment);
    first.start(QStringLiteral(PROGRAM), call);
    QVERIFY(first.waitForStarted(coterie::kPatienceMs));
    const auto listens = [&] { // its channel is a socket in the folder
        return !QDir(folder.path()).entryList({QStringLiteral("coterie-*")}, QDir::System).isEmpty();
    };
    QTRY_VERIFY(listens());
    second.setProcessChannelMode(QProcess::MergedChannels);
    second.start(QStringLiteral(PROGRAM), call);
    QVERIFY(second.waitForFinished(coterie::kPatienceMs));
    QCOMPARE(second.exitStatus(), QProcess::NormalExit);
    QCOMPARE(second.exitCode(), 0);
    QCOMPARE(QString::fromUtf8(second.readAll()), QString());
    QCOMPARE(first.state(), QProcess::Running);
    first.terminate();
    if (!first.waitForFinished(coterie::kPatienceMs)) first.kill();
}

QTEST_MAIN(TestSecondStart)
#include "tst_second_start.moc"
