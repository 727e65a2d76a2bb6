// SPDX-License-Identifier: Apache-2.0
// The settings' file: changes are there after a restart, and invalid entries do no harm.
#include "settings/settings.h"

#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSignalSpy>
#include <QtTest>

using namespace coterie::app;

namespace {

constexpr qsizetype kTooLong = 65 << 20; // bytes: more than the program reads of such a file

void write(const QString& path, const QByteArray& bytes) {
    QFile file(path);
    if (file.open(QIODevice::WriteOnly)) file.write(bytes);
}

QJsonObject read(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
}

} // namespace

class TestSettings : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }
    void aChangeIsThereAfterARestart();
    void aChangeIsWrittenWhileTheProgramRuns();
    void unknownKeysAreKept();
    void valuesComeIntoTheirRange_data();
    void valuesComeIntoTheirRange();
    void theRoomForTracesHasARange();
    void listsOfTextsHaveTextsOnly();
    void longTextsSurviveARestart();
    void settingsOfModelsAreThereAfterARestart();
    void aFileThatIsNoJsonIsSetAside();
    void aFileThatCannotBeReadIsSetAside();
    void aFileThatIsTooLargeIsNotWritten();
    void aFolderThatIsNotThereIsTold();
    void onlyAChangeIsAChange();

  private:
    QString path() const { return folder_->filePath(QStringLiteral("settings.json")); }
    std::unique_ptr<QTemporaryDir> folder_;
};

void TestSettings::aChangeIsThereAfterARestart() {
    {
        Settings settings(path());
        settings.theme = QStringLiteral("dark");
        settings.temperature = 0.25;
        QCOMPARE(settings.keyValueFormat(), QStringLiteral("f16"));
        settings.keyValueFormat = QStringLiteral("q8_0");
        QVERIFY(settings.thinking());
        settings.thinking = false;
        QCOMPARE(settings.preferCachedWhen(), QStringLiteral("never"));
        QCOMPARE(settings.sureWhen(), QStringLiteral("never"));
        settings.preferCachedWhen = QStringLiteral("always");
        settings.preferCached = 0.35;
        settings.sureWhen = QStringLiteral("scarce");
        settings.sure = 0.75;
        settings.systemPrompt = QString::fromUtf8("Be brief \xe2\x82\xac");
        QVERIFY(settings.tracesKept());
        QCOMPARE(settings.tracesLimit(), 256.0 * 1024 * 1024);
        settings.tracesKept = false;
        settings.tracesLimit = 3.0 * 1024 * 1024 * 1024;
        settings.windowGeometry = QRect(1, 2, 300, 400);
        settings.recentModels = {QStringLiteral("/a"), QStringLiteral("/b")};
    }
    const Settings settings(path());
    QCOMPARE(settings.theme(), QStringLiteral("dark"));
    QCOMPARE(settings.temperature(), 0.25);
    QCOMPARE(settings.keyValueFormat(), QStringLiteral("q8_0"));
    QVERIFY(!settings.thinking());
    QCOMPARE(settings.preferCachedWhen(), QStringLiteral("always"));
    QCOMPARE(settings.preferCached(), 0.35);
    QCOMPARE(settings.sureWhen(), QStringLiteral("scarce"));
    QCOMPARE(settings.sure(), 0.75);
    QCOMPARE(settings.systemPrompt(), QString::fromUtf8("Be brief \xe2\x82\xac"));
    QVERIFY(!settings.tracesKept());
    QCOMPARE(settings.tracesLimit(), 3.0 * 1024 * 1024 * 1024);
    QCOMPARE(settings.windowGeometry(), QRect(1, 2, 300, 400));
    QCOMPARE(settings.recentModels(), (QStringList{QStringLiteral("/a"), QStringLiteral("/b")}));
    QCOMPARE(settings.topK(), 40);
}

void TestSettings::aChangeIsWrittenWhileTheProgramRuns() {
    Settings settings(path());
    settings.theme = QStringLiteral("dark");
    QTRY_COMPARE(read(path())[QStringLiteral("theme")].toString(), QStringLiteral("dark"));
}

void TestSettings::unknownKeysAreKept() {
    write(path(), R"({"theme": "light", "fromTheFuture": {"x": [1, 2]}})");
    {
        Settings settings(path());
        settings.theme = QStringLiteral("dark");
    }
    QCOMPARE(read(path())[QStringLiteral("theme")].toString(), QStringLiteral("dark"));
    QCOMPARE(read(path())[QStringLiteral("fromTheFuture")].toObject()[QStringLiteral("x")].toArray().size(), 2);
}

void TestSettings::valuesComeIntoTheirRange_data() {
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<double>("fontScale");
    QTest::addColumn<QString>("theme");
    QTest::newRow("too large")
        << QByteArray(R"({"fontScale": 99, "theme": "pink", "keyValueFormat": "q9", "sureWhen": "often"})") << 2.0
        << QStringLiteral("system");
    QTest::newRow("too small") << QByteArray(R"({"fontScale": -1})") << 0.8 << QStringLiteral("system");
    QTest::newRow("wrong types") << QByteArray(R"({"fontScale": "x", "theme": 7, "recentModels": {"a": 1}})") << 1.0
                                 << QStringLiteral("system");
    QTest::newRow("an array") << QByteArray("[1, 2]") << 1.0 << QStringLiteral("system");
}

void TestSettings::valuesComeIntoTheirRange() {
    QFETCH(QByteArray, json);
    QFETCH(double, fontScale);
    QFETCH(QString, theme);
    write(path(), json);
    const Settings settings(path());
    QCOMPARE(settings.fontScale(), fontScale);
    QCOMPARE(settings.theme(), theme);
    QCOMPARE(settings.keyValueFormat(), QStringLiteral("f16"));
    QCOMPARE(settings.sureWhen(), QStringLiteral("never"));
    QVERIFY(settings.recentModels().isEmpty());
}

void TestSettings::theRoomForTracesHasARange() {
    Settings settings({});
    settings.tracesLimit = 0;
    QCOMPARE(settings.tracesLimit(), 1024.0 * 1024);
    settings.tracesLimit = 1e30;
    QCOMPARE(settings.tracesLimit(), 64.0 * 1024 * 1024 * 1024);
}

void TestSettings::listsOfTextsHaveTextsOnly() {
    const QString key = QStringLiteral("stopTexts");
    Settings settings({});
    QVERIFY(!settings.changedFromDefault(key));
    settings.setValue(key, QJsonArray{QStringLiteral("END"), 7, QString(), QJsonObject(), QStringLiteral("\n\n")});
    QCOMPARE(settings.value(key).toArray(), (QJsonArray{QStringLiteral("END"), QStringLiteral("\n\n")}));
    QVERIFY(settings.changedFromDefault(key));
    settings.setValue(key, QStringLiteral("END"));
    QVERIFY(settings.value(key).toArray().isEmpty());
}

/// System prompts of many models and presets may be longer than other settings ever are.
void TestSettings::longTextsSurviveARestart() {
    const QString prompt(3 << 20, u'x');
    {
        Settings settings(path());
        settings.systemPrompt = prompt;
    }
    const Settings settings(path());
    QCOMPARE(settings.systemPrompt().size(), prompt.size());
}

void TestSettings::settingsOfModelsAreThereAfterARestart() {
    const QJsonObject values{{QStringLiteral("temperature"), 0.5}};
    {
        Settings settings(path());
        settings.setModelSettings(QStringLiteral("/a.gguf"), values);
        settings.setModelSettings(QStringLiteral("/b.gguf"), values);
        settings.setModelSettings(QStringLiteral("/b.gguf"), {});
    }
    const Settings settings(path());
    QCOMPARE(settings.modelSettings(QStringLiteral("/a.gguf")), values);
    QVERIFY(settings.modelSettings(QStringLiteral("/b.gguf")).isEmpty());
    QCOMPARE(settings.value(QStringLiteral("modelSettings")).toObject().size(), 1);
}

void TestSettings::aFileThatIsNoJsonIsSetAside() {
    write(path(), "{ not json");
    {
        Settings settings(path());
        QCOMPARE(settings.fontScale(), 1.0);
        settings.fontScale = 1.5;
    }
    QVERIFY(QFile::exists(path() + QStringLiteral(".bad")));
    QCOMPARE(read(path())[QStringLiteral("fontScale")].toDouble(), 1.5);
}

void TestSettings::aFileThatCannotBeReadIsSetAside() {
    const QByteArray whole = QByteArray(R"({"theme": "dark"})") + QByteArray(kTooLong, ' ');
    write(path(), whole);
    {
        Settings settings(path());
        settings.fontScale = 1.5; // the file with this setting alone takes its place
    }
    QCOMPARE(QFileInfo(path() + QStringLiteral(".bad")).size(), whole.size());
    QCOMPARE(read(path())[QStringLiteral("fontScale")].toDouble(), 1.5);
}

void TestSettings::aFileThatIsTooLargeIsNotWritten() {
    write(path(), R"({"theme": "dark"})");
    {
        Settings settings(path());
        QSignalSpy failures(&settings, &Settings::failed);
        settings.systemPrompt = QString(kTooLong, u'x');
        settings.flush();
        QCOMPARE(failures.count(), 1);
        const auto error = failures.at(0).at(0).value<ErrorInfo>();
        QVERIFY(error.valid() && !error.why.isEmpty() && !error.action.isEmpty());
    }
    QCOMPARE(Settings(path()).theme(), QStringLiteral("dark")); // the next start would have refused the larger file
}

void TestSettings::aFolderThatIsNotThereIsTold() {
    Settings settings(folder_->filePath(QStringLiteral("nowhere/settings.json")));
    QSignalSpy failures(&settings, &Settings::failed);
    settings.theme = QStringLiteral("dark");
    settings.flush();
    settings.theme = QStringLiteral("light");
    settings.flush();
    QCOMPARE(failures.count(), 1);
    const auto error = failures.at(0).at(0).value<ErrorInfo>();
    QVERIFY(error.valid() && !error.why.isEmpty() && !error.action.isEmpty());
}

void TestSettings::onlyAChangeIsAChange() {
    Settings settings({});
    QSignalSpy changes(&settings, &Settings::changed);
    settings.theme = QStringLiteral("dark");
    settings.theme = QStringLiteral("dark");
    QCOMPARE(changes.count(), 1);
}

QTEST_GUILESS_MAIN(TestSettings)
#include "tst_settings.moc"
