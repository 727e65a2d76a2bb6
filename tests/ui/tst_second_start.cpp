// SPDX-License-Identifier: Apache-2.0
// B7 of the review with two real processes: the second start of the program ends, the first one goes on, and opens the
// model that the second one was started with, as a file manager does.
#include <QDir>
#include <QJsonDocument>
#include <QJsonObject>
#include <QObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

class TestSecondStart : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void theProgramEndsAtOnce_data();
    void theProgramEndsAtOnce();
};

void TestSecondStart::theProgramEndsAtOnce_data() {
    QTest::addColumn<QString>("model");
    QTest::newRow("without a model") << QString();
    QTest::newRow("with a model, relative to its folder") << QStringLiteral("my m\u00f6del.gguf");
}

/// The second one ends with 0 and says nothing.
void TestSecondStart::theProgramEndsAtOnce() {
    QFETCH(QString, model);
    const QTemporaryDir folder, elsewhere;
    const QString path = elsewhere.filePath(model);
    if (QFile file(path); !model.isEmpty()) QVERIFY(file.open(QIODevice::WriteOnly) && file.write("of the fake") > 0);
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
    second.setWorkingDirectory(elsewhere.path());
    second.start(QStringLiteral(PROGRAM), model.isEmpty() ? call : call + QStringList{model});
    QVERIFY(second.waitForFinished(coterie::kPatienceMs));
    QCOMPARE(second.exitStatus(), QProcess::NormalExit);
    QCOMPARE(second.exitCode(), 0);
    QCOMPARE(QString::fromUtf8(second.readAll()), QString());
    QCOMPARE(first.state(), QProcess::Running);
    const auto opened = [&] { // the first one keeps the name of a model that it has opened
        QFile settings(folder.filePath(QStringLiteral("settings.json")));
        return settings.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(settings.readAll())[u"lastModel"].toString()
                                                  : QString();
    };
    if (!model.isEmpty()) QTRY_COMPARE(opened(), QDir::toNativeSeparators(QFileInfo(path).canonicalFilePath()));
    first.terminate();
    if (!first.waitForFinished(coterie::kPatienceMs)) first.kill();
}

QTEST_MAIN(TestSecondStart)
#include "tst_second_start.moc"
