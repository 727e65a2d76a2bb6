// SPDX-License-Identifier: Apache-2.0
// The program's parts together, without a window: models that open, fail and vanish, memory figures, one program per
// folder, folders that can't be used.
#include "app/app_bench.h"
#include "support/small_disk.h"

#include <QFileOpenEvent>
#include <QSignalSpy>
#include <QUrl>
#include <QtTest>

#include <mutex>

using namespace coterie;
using namespace coterie::app;
using namespace coterie::test;

class TestApp : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void opensAModelByPathAndUrl();
    void opensAsTheSettingsSay();
    void changedSettingsAskForAnotherOpening();
    void remembersRecentModels();
    void aMissingFileIsAState();
    void aFileThatVanishesInUseIsAState();
    void aFailureToOpenIsSaid();
    void openingCanBeCancelled();
    void memoryIsMeasuredOnlyWhileEnabled();
    void memoryThatDoesNotChangeIsNotTold();
    void memoryPartsAddUp();
    void theDialogStartsAtTheLastModel();
    void factsAreToldOfTheOpenModel();
    void aSecondProgramSaysSo();
    void n15AKillKeepsTheChatInView();
    void aReadOnlyHomeIsSaidAndNothingIsAccepted();
    void aDatabaseThatCannotBeOpenedIsSaid();
    void chatsOfANewerVersionAreShownAndNotChanged();
    void aFileFromTheFileManagerIsOpened();
    void aPresetGoesWithItsChat();
};

void TestApp::opensAModelByPathAndUrl() {
    AppBench bench;
    QCOMPARE(bench.models().state(), ModelController::None);
    bench.models().open(QUrl::fromLocalFile(bench.model()).toString());
    QCOMPARE(bench.models().state(), ModelController::Opening);
    QTRY_COMPARE(bench.models().state(), ModelController::Ready);
    QCOMPARE(bench.models().path(), QDir::toNativeSeparators(bench.model()));
    QCOMPARE(bench.models().name(), QStringLiteral("Scripted"));
    QVERIFY(bench.models().experts());
    QCOMPARE(bench.models().details(), QString::fromUtf8("fake \u00b7 Q4_0 \u00b7 640 MiB"));
    bench.models().close();
    QCOMPARE(bench.models().state(), ModelController::None);
    QVERIFY(!bench.chat().canSend());
}

/// Only the engine sees these options, so a factory in front of the fake's records them.
void TestApp::opensAsTheSettingsSay() {
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("model.gguf")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    std::mutex mutex;
    engine::OpenOptions seen;
    const engine::SessionFactory fake = fakeFactory(AppBench::words());
    App app({.dataFolder = folder.path(),
             .factory =
                 [&](const engine::OpenOptions& options) {
                     const std::lock_guard lock(mutex);
                     seen = options;
                     return fake(options);
                 },
             .model = {}});
    app.start();
    const auto asked = [&] {
        const std::lock_guard lock(mutex);
        return seen;
    };
    const auto open = [&] {
        app.models()->open(file.fileName());
        QTRY_COMPARE(app.models()->state(), ModelController::Ready);
    };
    open();
    QVERIFY(asked().keyValueFormat == engine::TensorType::F16);
    QCOMPARE(asked().context, 0);
    app.settings()->keyValueFormat = QStringLiteral("q8_0");
    app.settings()->contextTokens = 777;
    app.settings()->threads = 3;
    open();
    QVERIFY(asked().keyValueFormat == engine::TensorType::Q8_0);
    QCOMPARE(asked().context, 777);
    QCOMPARE(asked().threads, 3);
}

void TestApp::changedSettingsAskForAnotherOpening() {
    AppBench bench;
    ModelController& models = bench.models();
    Settings& settings = *bench.app().settings();
    settings.contextTokens = 512;
    QVERIFY(!models.outdated()); // no model is open
    OPEN_MODEL(bench);
    QVERIFY(!models.outdated());
    QSignalSpy changes(&models, &ModelController::optionsChanged);
    settings.memoryBudget = 700.0 * 1024 * 1024;
    QCOMPARE(changes.count(), 1);
    QVERIFY(models.outdated());
    settings.memoryBudget = 0;
    QVERIFY(!models.outdated()); // the same as when the model was opened
    settings.contextTokens = 1024;
    QVERIFY(models.outdated());
    settings.theme = QStringLiteral("dark");
    models.reopen();
    QCOMPARE(models.state(), ModelController::Opening);
    QTRY_COMPARE(models.state(), ModelController::Ready);
    QVERIFY(!models.outdated());
    QCOMPARE(models.path(), QDir::toNativeSeparators(bench.model()));
    settings.threads = 3;
    QVERIFY(models.outdated());
    settings.threads = 0;
    settings.keyValueFormat = QStringLiteral("q8_0");
    QVERIFY(models.outdated());
}

void TestApp::theDialogStartsAtTheLastModel() {
    AppBench bench;
    const QString usual = bench.models().folder().toLocalFile();
    QVERIFY(QDir(usual).exists());
    QVERIFY(usual != bench.folder());
    OPEN_MODEL(bench);
    QCOMPARE(bench.models().folder().toLocalFile(), QFileInfo(bench.model()).absolutePath());
    const QTemporaryDir other;
    const QString moved = other.filePath(QStringLiteral("moved.gguf"));
    QVERIFY(QFile::copy(bench.model(), moved));
    bench.models().open(moved);
    QTRY_COMPARE(bench.models().state(), ModelController::Ready);
    QCOMPARE(bench.models().folder().toLocalFile(), other.path());
    QVERIFY(QDir(other.path()).removeRecursively()); // a disk that is not connected
    QCOMPARE(bench.models().folder().toLocalFile(), QFileInfo(bench.model()).absolutePath());
}

void TestApp::factsAreToldOfTheOpenModel() {
    AppBench bench;
    QVERIFY(bench.models().facts().isEmpty());
    OPEN_MODEL(bench);
    QMap<QString, QString> facts;
    for (const QVariant& fact : bench.models().facts()) {
        const QVariantMap map = fact.toMap();
        facts.insert(map.value(QStringLiteral("name")).toString(), map.value(QStringLiteral("value")).toString());
    }
    QCOMPARE(facts.value(QStringLiteral("Size on disk")), QStringLiteral("640 MiB"));
    QCOMPARE(facts.value(QStringLiteral("Layers")), QStringLiteral("12"));
    QVERIFY(facts.value(QStringLiteral("Experts in a layer")).startsWith(QStringLiteral("32, of which")));
    QVERIFY(!facts.contains(QStringLiteral("Licence"))); // the file has none
    bench.models().close();
    QVERIFY(bench.models().facts().isEmpty());
}

void TestApp::remembersRecentModels() {
    AppBench bench;
    OPEN_MODEL(bench);
    const QString odd = QDir(bench.folder()).filePath(QString::fromUtf8("b\xc3\xa4r 100% #1.gguf"));
    QVERIFY(QFile::copy(bench.model(), odd));
    bench.models().open(QUrl::fromLocalFile(odd).toString());
    QTRY_COMPARE(bench.models().state(), ModelController::Ready);
    QCOMPARE(bench.models().path(), QDir::toNativeSeparators(odd));
    const auto recent = [&](int at, const char* key) {
        return bench.models().recent().at(at).toMap().value(QString::fromLatin1(key));
    };
    QCOMPARE(bench.models().recent().size(), 2);
    QCOMPARE(recent(0, "path").toString(), QDir::toNativeSeparators(odd));
    QVERIFY(recent(0, "exists").toBool());
    QVERIFY(QFile::remove(odd));
    QVERIFY(!recent(0, "exists").toBool());
    bench.models().forget(recent(0, "path").toString());
    QCOMPARE(bench.models().recent().size(), 1);
    OPEN_MODEL(bench);
    bench.restart();
    QTRY_COMPARE(bench.models().state(), ModelController::Ready);
    QCOMPARE(bench.models().path(), QDir::toNativeSeparators(bench.model()));
}

void TestApp::aMissingFileIsAState() {
    AppBench bench;
    bench.models().open(QStringLiteral("/nowhere/at all.gguf"));
    QCOMPARE(bench.models().state(), ModelController::Missing);
    QVERIFY(!bench.models().error().why.isEmpty() && !bench.models().error().action.isEmpty());
    QVERIFY(!bench.chat().canSend());
    // An open model stays open when another file is missing.
    OPEN_MODEL(bench);
    bench.models().open(QStringLiteral("/nowhere/at all.gguf"));
    QCOMPARE(bench.models().state(), ModelController::Ready);
    QVERIFY(!bench.models().error().why.isEmpty() && !bench.models().error().action.isEmpty());
    QVERIFY(bench.chat().canSend());
}

void TestApp::aFileThatVanishesInUseIsAState() {
    FakeScript lost = AppBench::words();
    lost.failAfter = 1;
    lost.failure = {engine::ErrorKind::Io, "The answer broke off", "The file can't be read", "Bring it back"};
    AppBench bench(lost);
    OPEN_MODEL(bench);
    QVERIFY(bench.chat().send(QStringLiteral("Hello")));
    QVERIFY(QFile::remove(bench.model()));
    bench.control().allowAll();
    QTRY_COMPARE(bench.models().state(), ModelController::Missing);
    QCOMPARE(bench.lastText(), QStringLiteral("Once "));
    QVERIFY(!bench.chat().canSend());
    QVERIFY(!bench.chat().send(QStringLiteral("More")));
    QCOMPARE(bench.chat().messages()->count(), 2);
}

void TestApp::aFailureToOpenIsSaid() {
    AppBench bench(*fakeScript("open-failure"));
    bench.openModel();
    QTRY_COMPARE(bench.models().state(), ModelController::Failed);
    QVERIFY(bench.models().error().why.contains(QStringLiteral("2.1 GiB")));
    QVERIFY(!bench.chat().canSend());
}

void TestApp::openingCanBeCancelled() {
    AppBench bench;
    bench.openModel();
    bench.models().cancelOpening();
    QCOMPARE(bench.models().state(), ModelController::None);
    OPEN_MODEL(bench);
}

void TestApp::memoryIsMeasuredOnlyWhileEnabled() {
    AppBench bench;
    OPEN_MODEL(bench);
    MemoryMonitor* memory = bench.app().memory();
    QSignalSpy changes(memory, &MemoryMonitor::changed);
    QCOMPARE(memory->total(), 0.0);
    memory->setEnabled(true);
    QCOMPARE(changes.count(), 1);
    bench.control().setExperts({}, {.used = 300, .usable = 350, .bytesEach = 1 << 20, .bytesHeld = 200 << 20});
    QVERIFY(changes.wait(kPatienceMs));
    memory->setEnabled(false);
    bench.control().setExperts({}, {.used = 300, .usable = 350, .bytesEach = 1 << 20, .bytesHeld = 100 << 20});
    const int before = changes.count();
    // The timer itself shows that more than one interval has passed.
    QTimer interval;
    QSignalSpy passed(&interval, &QTimer::timeout);
    interval.start(600);
    QVERIFY(passed.wait(kPatienceMs));
    QCOMPARE(changes.count(), before);
}

void TestApp::memoryThatDoesNotChangeIsNotTold() {
    AppBench bench;
    OPEN_MODEL(bench);
    MemoryMonitor* memory = bench.app().memory();
    memory->measure();
    QSignalSpy changes(memory, &MemoryMonitor::changed);
    // Other programs may take or free a visible amount meanwhile, but not each of the many times.
    constexpr int times = 200;
    for (int i = 0; i < times; ++i) memory->measure();
    QVERIFY2(changes.count() < times / 2, qPrintable(QString::number(changes.count())));
    bench.control().setExperts({}, {.used = 300, .usable = 350, .bytesEach = 1 << 20, .bytesHeld = 200 << 20});
    const int before = changes.count();
    memory->measure();
    QCOMPARE(changes.count(), before + 1);
}

void TestApp::memoryPartsAddUp() {
    AppBench bench;
    OPEN_MODEL(bench);
    MemoryMonitor* memory = bench.app().memory();
    constexpr double mebi = 1024.0 * 1024;
    // Fewer bytes are held than slots times slot size, because not all experts are as large as a slot.
    bench.control().setExperts(
        {}, {.used = 300, .usable = 350, .bytesEach = 1 << 20, .bytesHeld = 200 << 20, .bytesMost = 250 << 20});
    memory->measure();
    QCOMPARE(memory->weights(), 180 * mebi);
    QCOMPARE(memory->cache(), 200 * mebi);
    QCOMPARE(memory->cacheLimit(), 250 * mebi);
    QVERIFY(memory->scarce()); // the plan had slots for all of the fake's 384 experts
    QVERIFY(!memory->dense());
    QCOMPARE(memory->keyValue(), 24 * mebi);
    if (memory->total() == 0) QSKIP("the system doesn't tell its memory");
    const double sum =
        memory->weights() + memory->cache() + memory->keyValue() + memory->app() + memory->other() + memory->free();
    QVERIFY2(qAbs(sum - memory->total()) < 0.01 * memory->total(), qPrintable(QString::number(sum / memory->total())));
}

void TestApp::aSecondProgramSaysSo() {
    AppBench bench;
    QVERIFY(!bench.app().error().valid());
    {
        AppBench second(AppBench::words(), bench.folder());
        QVERIFY(second.app().error().what.contains(QStringLiteral("already")));
        OPEN_MODEL(second);
        QVERIFY(!second.chat().send(QStringLiteral("Hello")));
        QVERIFY(second.chat().error().valid());
        second.app().settings()->theme = QStringLiteral("dark");
    }
    OPEN_MODEL(bench);
    QVERIFY(bench.chat().send(QStringLiteral("Hello")));
    bench.restart();
    QCOMPARE(bench.app().settings()->theme(), QStringLiteral("system"));
}

void TestApp::aReadOnlyHomeIsSaidAndNothingIsAccepted() {
    const auto disk = SmallDisk::make(4 << 20);
    if (!disk) QSKIP("no small disk can be mounted here");
    qint64 chat = 0;
    {
        AppBench bench(AppBench::words(), disk->path());
        OPEN_MODEL(bench);
        bench.control().allowAll();
        QVERIFY(bench.chat().send(QStringLiteral("Hello")));
        QTRY_COMPARE(bench.chat().state(), Conversation::Idle);
        chat = bench.chat().chatId();
    }
    QVERIFY(disk->setReadOnly(true));
    {
        AppBench bench(AppBench::words(), disk->path());
        QVERIFY(bench.app().error().valid());
        QVERIFY(!bench.app().error().why.isEmpty() && !bench.app().error().action.isEmpty());
        QCOMPARE(bench.app().chats()->count(), 1);
        bench.chat().openChat(chat);
        QCOMPARE(bench.lastText(), QStringLiteral("Once upon a time"));
        OPEN_MODEL(bench);
        QVERIFY(!bench.chat().send(QStringLiteral("More")));
        QVERIFY(bench.chat().error().valid());
    }
    QVERIFY(disk->setReadOnly(false));
}

void TestApp::aDatabaseThatCannotBeOpenedIsSaid() {
    QTemporaryDir folder;
    QVERIFY(QDir(folder.path()).mkpath(QStringLiteral("chats.db"))); // a folder in place of the file
    AppBench bench(AppBench::words(), folder.path());
    QVERIFY(bench.app().error().valid());
    OPEN_MODEL(bench);
    QVERIFY(!bench.chat().send(QStringLiteral("Hello")));
    QCOMPARE(bench.chat().error(), bench.app().error());
    bench.app().dismissError();
    QVERIFY(!bench.app().error().valid());
}

void TestApp::chatsOfANewerVersionAreShownAndNotChanged() {
    AppBench bench;
    OPEN_MODEL(bench);
    bench.control().allowAll();
    QVERIFY(bench.chat().send(QStringLiteral("Hello")));
    QTRY_COMPARE(bench.chat().state(), Conversation::Idle);
    bench.stop();
    const QString path = QDir(bench.folder()).filePath(QStringLiteral("chats.db"));
    const auto bytes = [&] {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    {
        QFile file(path); // the place of user_version in the header of an SQLite file
        QVERIFY(file.open(QIODevice::ReadWrite) && file.seek(60) && file.write(QByteArray::fromHex("00000063")) == 4);
    }
    const QByteArray before = bytes();
    bench.start();
    QVERIFY2(bench.app().error().why.contains(QStringLiteral("newer version")), qPrintable(bench.app().error().why));
    const ErrorInfo notice = bench.app().error();
    QCOMPARE(bench.app().chats()->count(), 1);
    QCOMPARE(bench.lastText(), QStringLiteral("Once upon a time"));
    OPEN_MODEL(bench);
    bench.chat().setDraft(QStringLiteral("More"));
    QVERIFY(!bench.chat().send(QStringLiteral("More")));
    QCOMPARE(bench.chat().error().why, notice.why);
    bench.app().chats()->rename(bench.chat().chatId(), QStringLiteral("Other"));
    bench.chat().newChat();
    QCOMPARE(bench.app().error().why, notice.why);
    bench.stop();
    QCOMPARE(bytes(), before);
    const QStringList beside = QDir(bench.folder()).entryList({QStringLiteral("chats.db-*")});
    QCOMPARE(beside, QStringList());
}

/// macOS tells the running program about such a file by an event; other systems start the program once more.
void TestApp::aFileFromTheFileManagerIsOpened() {
    AppBench bench;
    qApp->installEventFilter(&bench.app());
    QFileOpenEvent event(bench.model());
    QCoreApplication::sendEvent(qApp, &event);
    QTRY_COMPARE(bench.models().state(), ModelController::Ready);
    QCOMPARE(bench.models().path(), QDir::toNativeSeparators(bench.model()));
}

/// The files are copied while the program runs, as a kill would leave them.
/// A chat answers in the same way on another computer, whose program does not know the preset.
void TestApp::aPresetGoesWithItsChat() {
    const QString heat = QStringLiteral("temperature"), prompt = QStringLiteral("systemPrompt");
    const QTemporaryDir folder;
    const QUrl file = QUrl::fromLocalFile(folder.filePath(QStringLiteral("chats.json")));
    const auto isDone = [](AppBench& bench) {
        return QTest::qWaitFor([&] { return bench.app().exchange()->state() == ChatExchange::Done; }, kPatienceMs);
    };
    {
        AppBench bench;
        OPEN_MODEL(bench);
        bench.control().allowAll();
        const QString preset = bench.app().presets()->add(QStringLiteral("Poems"),
                                                          {{heat, 1.25}, {prompt, QStringLiteral("Answer in rhymes")}});
        QVERIFY(bench.chat().send(QStringLiteral("Hello")));
        QTRY_VERIFY(!bench.chat().busy());
        QVERIFY(bench.chat().setOwnSettings(bench.chat().chatId(), {{kPresetKey, preset}}).ok());
        bench.app().exchange()->exportAll(file);
        QVERIFY(isDone(bench));
    }
    AppBench other;
    other.app().exchange()->importFile(file);
    QVERIFY(isDone(other));
    other.chat().openChat(1);
    QCOMPARE(other.chat().settings().value(heat).toDouble(), 1.25);
    QCOMPARE(other.chat().settings().value(prompt).toString(), QStringLiteral("Answer in rhymes"));
    QCOMPARE(other.app().presets()->name(other.chat().settings().preset()), QStringLiteral("Poems"));
    QVERIFY(other.app().exchange()->result().contains(QStringLiteral("preset")));
    const int presets = other.app().presets()->count();
    other.app().exchange()->importFile(file); // it is not doubled
    QVERIFY(isDone(other));
    QCOMPARE(other.app().presets()->count(), presets);
}

void TestApp::n15AKillKeepsTheChatInView() {
    AppBench bench;
    OPEN_MODEL(bench);
    bench.control().allowAll();
    for (const char* prompt : {"First", "Second"}) {
        bench.chat().newChat();
        QVERIFY(bench.chat().send(QString::fromLatin1(prompt)));
        QTRY_VERIFY(!bench.chat().busy());
    }
    const qint64 first = bench.app().chats()->index(1).data(ChatListModel::ChatIdRole).toLongLong();
    bench.app().panes()->open(first);
    QCOMPARE(bench.chat().title(), QStringLiteral("First"));
    const QDir from(bench.folder());
    const auto kept = [&] { // a moment later
        QFile file(from.filePath(QStringLiteral("settings.json")));
        return file.open(QIODevice::ReadOnly) &&
               QJsonDocument::fromJson(file.readAll())[u"lastChat"].toInteger() == first;
    };
    QTRY_VERIFY(kept());
    const QTemporaryDir copy;
    for (const QString& name : from.entryList({QStringLiteral("*.db*"), QStringLiteral("*.json")}, QDir::Files))
        QVERIFY(QFile::copy(from.filePath(name), copy.filePath(name)));
    AppBench after(AppBench::words(), copy.path());
    QCOMPARE(after.chat().title(), QStringLiteral("First"));
}

QTEST_MAIN(TestApp)
#include "tst_app.moc"
