// SPDX-License-Identifier: Apache-2.0
// Makes pictures of the window in all its states, offscreen, over the real application objects, for people to look at.
// With --scale 2 they are as on a screen with two pixels for one. With --check it makes no pictures and tests each
// state instead, in the pseudo-language: whether a screen reader can use it, and whether every text is translated
// (window_checks.h).
//
//     coterie-screenshots [--out build/screenshots] [--scale 1|2] [NAME...]
//     coterie-screenshots --check pseudo.qm [--part 2/4] [NAME...]
#include "decoder/tiny_families.h"
#include "quick_animations.h"
#include "session/session.h"
#include "shell/licence_list.h"
#include "shots.h"
#include "support/effort.h"
#include "window_checks.h"

#include <QCommandLineParser>

#include <optional>

using namespace coterie;
using namespace coterie::tests;

namespace {

QList<Shot> startShots() {
    const auto start = [](WindowFixture& fixture) { fixture.start(); };
    return {
        {.name = "first-start", .prepare = start},
        {.name = "first-start-dark", .theme = "dark", .prepare = start},
        {.name = "first-start-narrow", .size = {720, 520}, .prepare = start},
        {.name = "first-start-large", .scale = 1.6, .prepare = start},
        {.name = "model-failed", .script = "open-failure", .prepare = startWithModel},
        {.name = "model-ready", .prepare = startWithModel},
        {.name = "model-notes", .script = "notes", .prepare = startWithModel},
        {.name = "model-continues", .theme = "dark", .script = "continues", .prepare = startWithModel},
        {.name = "model-opening",
         .script = "slow",
         .paced = true,
         .prepare = [](WindowFixture& fixture) { fixture.start(modelFile(fixture)); }},
    };
}

QList<Shot> demoShots() {
    const auto afterAModel = [](WindowFixture& fixture) {
        fixture.setGuide(modelFile(fixture, QStringLiteral("guide.gguf")));
        startWithModel(fixture);
        fixture.app()->models()->close();
        waitForModel(fixture);
    };
    const auto narrow = [](WindowFixture& fixture) {
        startWithGuide(fixture);
        fixture.app()->settings()->sidebarWidth = 300;
    };
    return {
        {.name = "demo", .prepare = startWithGuide},
        {.name = "demo-dark", .theme = "dark", .prepare = startWithGuide},
        {.name = "demo-large", .scale = 1.6, .prepare = startWithGuide},
        {.name = "demo-narrow", .size = {640, 560}, .prepare = narrow},
        {.name = "demo-narrow-large", .size = {720, 900}, .theme = "dark", .scale = 1.6, .prepare = startWithGuide},
        {.name = "demo-again", .prepare = afterAModel},
        {.name = "demo-failed", .script = "open-failure", .prepare = startWithGuide},
        {.name = "demo-menu",
         .prepare =
             [](WindowFixture& fixture) {
                 fixture.setGuide(modelFile(fixture, QStringLiteral("guide.gguf")));
                 talk(fixture);
                 settle();
                 press(fixture, QStringLiteral("Model: Scripted"));
             }},
        {.name = "demo-talk",
         .prepare =
             [](WindowFixture& fixture) {
                 startWithGuide(fixture);
                 settle();
                 press(fixture, QStringLiteral("What is an expert cache?"));
                 app::Conversation& chat = *fixture.app()->conversation();
                 waitUntil([&chat] { return chat.messages()->count() == 2 && !chat.busy(); });
             }},
    };
}

QList<Shot> talkShots() {
    const auto toolCall = [](WindowFixture& fixture) {
        talk(fixture);
        openChat(fixture, 4);
    };
    const auto failed = [](WindowFixture& fixture) {
        startWithModel(fixture);
        send(fixture, QStringLiteral("Tell me a story about a lighthouse"));
        waitUntil([&fixture] { return !fixture.app()->conversation()->busy(); });
    };
    return {
        {.name = "conversation-light", .prepare = talk},
        {.name = "conversation-dark", .theme = "dark", .prepare = talk},
        {.name = "conversation-large", .scale = 1.6, .prepare = talk},
        {.name = "conversation-narrow", .size = {720, 560}, .prepare = talk},
        {.name = "conversation-top",
         .size = {1400, 900},
         .prepare =
             [](WindowFixture& fixture) {
                 talk(fixture);
                 settle();
                 key(fixture, Qt::Key_Tab, Qt::ShiftModifier);
                 key(fixture, Qt::Key_Home);
             }},
        {.name = "no-model",
         .prepare =
             [](WindowFixture& fixture) {
                 fillStore(fixture.dataFolder());
                 fixture.start();
                 openChat(fixture, 0);
             }},
        {.name = "tool-call", .prepare = toolCall},
        {.name = "tool-call-dark-large", .theme = "dark", .scale = 1.6, .prepare = toolCall},
        {.name = "long-words",
         .prepare =
             [](WindowFixture& fixture) {
                 talk(fixture);
                 openChat(fixture, 1);
             }},
        {.name = "streaming",
         .script = "story",
         .prepare =
             [](WindowFixture& fixture) {
                 talk(fixture);
                 sendForPart(*fixture.app()->conversation(), 60);
             }},
        {.name = "answer-failed", .script = "disk-lost", .prepare = failed},
        {.name = "answer-failed-dark", .theme = "dark", .script = "disk-lost", .prepare = failed},
    };
}

/// Types lower-case words into the search of all chats.
void search(const WindowFixture& fixture, const QByteArray& words) {
    settle();
    key(fixture, Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    for (const char c : words) key(fixture, c - 'a' + Qt::Key_A, {}, QString(QLatin1Char(c)));
}

QList<Shot> pageShots() {
    return {
        {.name = "settings",
         .prepare =
             [](WindowFixture& fixture) {
                 talk(fixture);
                 key(fixture, Qt::Key_Comma, Qt::ControlModifier);
             }},
        {.name = "settings-dark-large",
         .size = {720, 640},
         .theme = "dark",
         .scale = 1.6,
         .prepare =
             [](WindowFixture& fixture) {
                 talk(fixture);
                 key(fixture, Qt::Key_Comma, Qt::ControlModifier);
             }},
        {.name = "offline",
         .prepare =
             [](WindowFixture& fixture) {
                 talk(fixture);
                 settle();
                 press(fixture, QStringLiteral("Offline"));
             }},
        {.name = "models-menu",
         .prepare =
             [](WindowFixture& fixture) {
                 talk(fixture);
                 settle();
                 press(fixture, QStringLiteral("Model: Scripted"));
             }},
        {.name = "first-start-again",
         .prepare =
             [](WindowFixture& fixture) {
                 startWithModel(fixture);
                 fixture.app()->models()->close();
             }},
        {.name = "shortcuts",
         .prepare =
             [](WindowFixture& fixture) {
                 talk(fixture);
                 key(fixture, Qt::Key_F1);
             }},
        {.name = "search",
         .prepare =
             [](WindowFixture& fixture) {
                 talk(fixture);
                 search(fixture, "experts");
             }},
        {.name = "undo",
         .prepare =
             [](WindowFixture& fixture) {
                 talk(fixture);
                 app::ChatListModel* chats = fixture.app()->chats();
                 chats->remove(chats->data(chats->index(2), app::ChatListModel::ChatIdRole).toLongLong());
             }},
    };
}

/// Moves the focus as the Tab key does: panels open, and pages scroll to the item.
void focusOn(const WindowFixture& fixture, const QString& name) {
    awaited(fixture, name)->forceActiveFocus(Qt::TabFocusReason);
    settle();
}

/// Focuses the gauge whose name begins with this text.
void focusOnGauge(const WindowFixture& fixture, const QString& beginning) {
    QString name;
    waitUntil([&] {
        for (QAccessibleInterface* node : tests::accessibleNodes(fixture.window())) {
            name = tests::plainText(node->text(QAccessible::Name));
            if (name.startsWith(beginning)) return true;
        }
        return false;
    });
    focusOn(fixture, name);
}

constexpr double kGiB = 1024.0 * 1024 * 1024;

/// Shows a gauge's panel at rest, or in the middle of an answer.
std::function<void(WindowFixture&)> panelOf(const char* gauge) {
    return [gauge](WindowFixture& fixture) {
        talk(fixture);
        settle();
        focusOnGauge(fixture, QString::fromLatin1(gauge));
    };
}
std::function<void(WindowFixture&)> livePanelOf(const char* gauge) {
    return [gauge](WindowFixture& fixture) {
        talk(fixture);
        sendForPart(*fixture.app()->conversation(), 60);
        focusOnGauge(fixture, QString::fromLatin1(gauge));
    };
}

void answerWhole(WindowFixture& fixture) {
    startWithModel(fixture);
    send(fixture, QStringLiteral("Tell me a story about a lighthouse"));
    waitUntil([&fixture] { return !fixture.app()->conversation()->busy(); });
}

QList<Shot> expertShots() {
    const auto panel = panelOf("Experts from memory"), answer = livePanelOf("Experts from memory");
    return {
        {.name = "memory-panel", .script = "from-disk", .prepare = panelOf("Memory: ")},
        {.name = "experts-live", .script = "from-disk", .prepare = answer},
        {.name = "experts-live-dark", .theme = "dark", .script = "from-disk", .prepare = answer},
        {.name = "experts-live-large", .scale = 1.6, .script = "from-disk", .prepare = answer},
        {.name = "experts-live-narrow", .size = {640, 560}, .script = "from-disk", .prepare = answer},
        {.name = "experts-idle", .script = "from-disk", .prepare = panel},
        {.name = "experts-all", .prepare = panel},
        {.name = "experts-no-model",
         .prepare =
             [](WindowFixture& fixture) {
                 fillStore(fixture.dataFolder());
                 fixture.start();
                 openChat(fixture, 0);
                 settle();
                 focusOnGauge(fixture, QStringLiteral("Experts from memory"));
             }},
        {.name = "footer-note", .script = "device-lost", .prepare = answerWhole},
        {.name = "footer-disk", .script = "from-disk", .prepare = answerWhole},
        {.name = "footer-disk-dark-large-narrow",
         .size = {640, 640},
         .theme = "dark",
         .scale = 1.6,
         .script = "from-disk",
         .prepare = answerWhole},
    };
}

/// Shows the settings scrolled to the memory group, however long the page is.
void showMemory(WindowFixture& fixture, double budget, const QString& focus) {
    talk(fixture);
    settle();
    fixture.app()->settings()->allSettings = true;
    key(fixture, Qt::Key_Comma, Qt::ControlModifier);
    settle();
    if (budget > 0) fixture.app()->settings()->memoryBudget = budget;
    waitUntil([&fixture] { return fixture.app()->forecast()->least() > 0; });
    settle();
    focusOn(fixture, focus);
}

QList<Shot> memoryShots() {
    const QString field = QStringLiteral("Memory budget in GiB"), threads = QStringLiteral("Processor threads");
    const auto with = [field](double budget) {
        return [field, budget](WindowFixture& fixture) { showMemory(fixture, budget, field); };
    };
    const auto tooLittle = [](WindowFixture& fixture) {
        showMemory(fixture, 0.3 * kGiB, QStringLiteral("Allow 352 MiB"));
    };
    const auto outdated = [](WindowFixture& fixture) {
        showMemory(fixture, kGiB, QStringLiteral("Open again with these settings"));
    };
    return {
        {.name = "budget", .script = "from-disk", .prepare = with(0)},
        {.name = "budget-fits", .prepare = with(0)},
        {.name = "budget-chosen", .size = {1180, 1000}, .script = "from-disk", .prepare = outdated},
        {.name = "budget-chosen-dark",
         .size = {1180, 1000},
         .theme = "dark",
         .script = "from-disk",
         .prepare = outdated},
        {.name = "budget-large", .size = {900, 1200}, .scale = 1.6, .script = "from-disk", .prepare = outdated},
        {.name = "budget-narrow", .size = {640, 900}, .script = "from-disk", .prepare = outdated},
        {.name = "budget-too-little", .size = {1180, 1000}, .script = "from-disk", .prepare = tooLittle},
        {.name = "budget-too-little-dark-large",
         .size = {900, 1200},
         .theme = "dark",
         .scale = 1.6,
         .script = "from-disk",
         .prepare = tooLittle},
        {.name = "budget-slow", .size = {1180, 1000}, .script = "from-disk", .prepare = with(0.5 * kGiB)},
        {.name = "budget-beyond", .size = {1180, 1000}, .script = "from-disk", .prepare = with(900 * kGiB)},
        {.name = "budget-no-model",
         .size = {1180, 1000},
         .prepare =
             [threads](WindowFixture& fixture) {
                 fillStore(fixture.dataFolder());
                 fixture.start();
                 openChat(fixture, 0);
                 settle();
                 fixture.app()->settings()->allSettings = true;
                 key(fixture, Qt::Key_Comma, Qt::ControlModifier);
                 settle();
                 focusOn(fixture, threads);
             }},
    };
}

/// Pictures of models without experts: the same places, but they show layers.
QList<Shot> layerShots() {
    const char* const script = "dense-from-disk";
    const auto panel = panelOf("Layers from memory"), answer = livePanelOf("Layers from memory");
    const auto budget = [](double bytes) {
        return [bytes](WindowFixture& fixture) { showMemory(fixture, bytes, QStringLiteral("Memory budget in GiB")); };
    };
    const QSize size{1180, 1000};
    return {
        {.name = "layers-live", .script = script, .prepare = answer},
        {.name = "layers-live-dark", .theme = "dark", .script = script, .prepare = answer},
        {.name = "layers-live-large", .scale = 1.6, .script = script, .prepare = answer},
        {.name = "layers-live-narrow", .size = {640, 560}, .script = script, .prepare = answer},
        {.name = "layers-idle", .script = script, .prepare = panel},
        {.name = "layers-all", .script = "dense", .prepare = panel},
        {.name = "layers-memory-panel", .script = script, .prepare = panelOf("Memory: ")},
        {.name = "layers-memory-panel-dark-large",
         .theme = "dark",
         .scale = 1.6,
         .script = script,
         .prepare = panelOf("Memory: ")},
        {.name = "layers-footer", .script = script, .prepare = answerWhole},
        {.name = "layers-footer-dark-large-narrow",
         .size = {640, 640},
         .theme = "dark",
         .scale = 1.6,
         .script = script,
         .prepare = answerWhole},
        {.name = "layers-budget", .size = size, .script = script, .prepare = budget(0)},
        {.name = "layers-budget-dark-large",
         .size = {900, 1200},
         .theme = "dark",
         .scale = 1.6,
         .script = script,
         .prepare = budget(kGiB)},
        {.name = "layers-budget-fits", .size = size, .script = "dense", .prepare = budget(0)},
        {.name = "layers-budget-too-little", .size = size, .script = script, .prepare = budget(0.3 * kGiB)},
    };
}

std::shared_ptr<test::FakePackedFile> packedFile(engine::PackedFileStatus::State state) {
    return std::make_shared<test::FakePackedFile>(
        state, "/home/someone/.cache/coterie/SmallThinker-21B-A3B-Instruct.Q4_0.experts");
}

/// Shows the memory settings with the focus on a button. If `then` is given, presses the button and moves the focus to
/// that control.
std::function<void(WindowFixture&)> showingMemory(const char* button, const char* then = nullptr) {
    return [button, then](WindowFixture& fixture) {
        showMemory(fixture, 0, QString::fromLatin1(button));
        if (!then) return;
        key(fixture, Qt::Key_Return);
        settle();
        focusOn(fixture, QString::fromLatin1(then));
    };
}

QList<Shot> unusedFileShots() {
    const auto left = [](int files) {
        const QStringList names{QStringLiteral("SmallThinker-21B-A3B-Instruct.Q4_0.gguf"),
                                QStringLiteral("qwen3-30b-a3b-instruct-2507-q4_0-00001-of-00003.gguf"),
                                QStringLiteral("gpt-oss-20b-mxfp4.gguf")};
        auto all = packedFile(engine::PackedFileStatus::State::Current);
        all->leave(static_cast<quint64>(files) * (quint64{23} << 29), names.first(files));
        return all;
    };
    const auto failingToFree = left(2);
    failingToFree->failWith({engine::ErrorKind::Io, "Can't remove /home/someone/.cache/coterie/gpt-oss-20b.experts",
                             "The disk can only be read", "Close other windows of Coterie"});
    const QSize size{1180, 1000};
    return {
        {.name = "unused-packed-files",
         .size = size,
         .script = "from-disk",
         .packedFile = left(3),
         .prepare = showingMemory("Free 34.5 GiB")},
        {.name = "unused-packed-file-dark",
         .size = size,
         .theme = "dark",
         .script = "from-disk",
         .packedFile = left(1),
         .prepare = showingMemory("Free 11.5 GiB")},
        {.name = "unused-packed-files-large",
         .size = {720, 1200},
         .scale = 1.6,
         .script = "from-disk",
         .packedFile = left(3),
         .prepare = showingMemory("Free 34.5 GiB")},
        {.name = "unused-packed-files-failed-dark-large",
         .size = {900, 1200},
         .theme = "dark",
         .scale = 1.6,
         .packedFile = failingToFree,
         .prepare = showingMemory("Free 23.0 GiB", "System prompt")},
    };
}

QList<Shot> packedFileShots() {
    using State = engine::PackedFileStatus::State;
    const auto packing = packedFile(State::None);
    packing->packUpTo(0.42);
    const auto failing = packedFile(State::None);
    failing->failWith({engine::ErrorKind::Io, "The packed file was not made",
                       "The disk of /home/someone/.cache is full: 3.2 GiB are missing",
                       "Make room there, then try again"});
    const QSize size{1180, 1000};
    return {
        {.name = "packed-file-offered",
         .size = size,
         .script = "from-disk",
         .packedFile = packedFile(State::None),
         .prepare = showingMemory("Make it")},
        {.name = "packed-file-not-useful",
         .size = size,
         .packedFile = packedFile(State::None),
         .prepare = showingMemory("Processor threads")},
        {.name = "packed-file-packing",
         .size = size,
         .script = "from-disk",
         .packedFile = packing,
         .prepare = showingMemory("Make it", "Stop")},
        {.name = "packed-file-made",
         .size = size,
         .theme = "dark",
         .script = "from-disk",
         .packedFile = packedFile(State::None),
         .prepare = showingMemory("Make it", "Remove")},
        {.name = "packed-file-present",
         .size = size,
         .script = "from-disk",
         .packedFile = packedFile(State::Current),
         .prepare = showingMemory("Remove")},
        {.name = "packed-file-stale-large",
         .size = {900, 1200},
         .scale = 1.6,
         .script = "from-disk",
         .packedFile = packedFile(State::Stale),
         .prepare = showingMemory("Remove")},
        {.name = "packed-file-failed-dark",
         .size = size,
         .theme = "dark",
         .script = "from-disk",
         .packedFile = failing,
         .prepare = showingMemory("Make it", "Try again")},
    };
}

/// Shows the settings scrolled to the ways to answer faster; prefer and leaveOut say when each is used.
Shot lossyShot(const QString& prefer, const QString& leaveOut, Shot shot) {
    shot.prepare = [prefer, leaveOut, size = shot.size, scale = shot.scale](WindowFixture& fixture) {
        talk(fixture);
        fixture.window()->resize(size);
        fixture.app()->settings()->fontScale = scale;
        fixture.app()->settings()->preferCachedWhen = prefer;
        fixture.app()->settings()->sureWhen = leaveOut;
        fixture.app()->settings()->allSettings = true;
        settle();
        key(fixture, Qt::Key_Comma, Qt::ControlModifier);
        settle();
        QQuickItem* page = awaited(fixture, QStringLiteral("Settings"), QAccessible::Pane);
        QQuickItem* scroller = tests::findItem(page, [](QQuickItem* at) { return at->inherits("QQuickFlickable"); });
        if (!scroller) qFatal("no page to scroll");
        const double end = scroller->property("contentHeight").toDouble() - scroller->height();
        scroller->setProperty("contentY", std::max(0.0, end));
    };
    return shot;
}

QList<Shot> lossyShots() {
    const QString never = QStringLiteral("never"), scarce = QStringLiteral("scarce"), always = QStringLiteral("always");
    const char* const disk = "from-disk";
    const QSize tall{1180, 1000};
    const auto answer = [always](WindowFixture& fixture) {
        startWithModel(fixture);
        fixture.app()->settings()->sureWhen = always;
        send(fixture, QStringLiteral("Tell me a story about a lighthouse"));
        waitUntil([&fixture] { return !fixture.app()->conversation()->busy(); });
    };
    return {
        lossyShot(never, never, {.name = "lossy-off", .script = disk, .prepare = {}}),
        lossyShot(scarce, always, {.name = "lossy-on", .size = tall, .script = disk, .prepare = {}}),
        lossyShot(scarce, always,
                  {.name = "lossy-on-dark", .size = tall, .theme = "dark", .script = disk, .prepare = {}}),
        lossyShot(always, scarce,
                  {.name = "lossy-on-large", .size = {900, 1200}, .scale = 1.6, .script = disk, .prepare = {}}),
        lossyShot(always, scarce,
                  {.name = "lossy-on-dark-huge-narrow",
                   .size = {640, 900},
                   .theme = "dark",
                   .scale = 2,
                   .script = disk,
                   .prepare = {}}),
        lossyShot(never, always, {.name = "lossy-all-fit", .size = tall, .prepare = {}}),
        lossyShot(scarce, always, {.name = "lossy-no-experts", .size = tall, .script = "dense", .prepare = {}}),
        lossyShot(never, always, {.name = "lossy-no-experts-dark", .theme = "dark", .script = "dense", .prepare = {}}),
        {.name = "footer-less-exact", .script = disk, .prepare = answer},
        {.name = "footer-less-exact-dark", .theme = "dark", .prepare = answer},
        {.name = "footer-less-exact-large-narrow", .size = {640, 640}, .scale = 1.6, .script = disk, .prepare = answer},
    };
}

/// The task for each state: a picture of it, or a check.
struct Job {
    QDir out;
    QString pseudo; ///< for a check: compiled catalogue of the pseudo-language; empty for a picture
};

/// Returns the texts of people and models in a chat.
QStringList foreignTextsOf(app::Conversation& chat) {
    QStringList texts;
    const app::QueuedPrompts& waiting = *chat.queue();
    for (int row = 0; row < waiting.rowCount(); ++row)
        for (const int role : {app::QueuedPrompts::TextRole, app::QueuedPrompts::FilesRole})
            texts.append(waiting.data(waiting.index(row), role).toString());
    for (const app::MessagePart& file : chat.files()->parts()) texts.append(file.name);
    const app::TokenAlternatives& words = *chat.alternatives();
    for (int row = 0; row < words.rowCount(); ++row) // a mark stands for the space before them
        texts.append(QChar(0x2423) + words.index(row).data(app::TokenAlternatives::TextRole).toString().trimmed());
    static const QRegularExpression kLineEnd(QStringLiteral("\\s*\\n\\s*"));
    for (const app::MessageRow& row : chat.messages()->rows())
        for (const app::MessagePart& part : row.parts) // also a thought that is folded, and the strip of tokens
            texts += {part.name, part.text, QString(part.text).replace(kLineEnd, QStringLiteral("\u21b5"))};
    return texts;
}

/// Returns the texts of the state that nobody translates.
QStringList foreignTexts(const WindowFixture& fixture) {
    app::App& app = *fixture.app();
    QStringList texts{app.models()->name(), app.models()->path(), app.models()->details(), fixture.dataFolder()};
    texts += {QStringLiteral("Coterie"), QStringLiteral("ss -tunap | grep coterie")};
    texts += {QStringLiteral("get_time"), QStringLiteral("{\n    \"city\": \"Lisbon\",\n    \"format\": \"24h\"\n}")};
    texts += {QStringLiteral("calculator"), QStringLiteral("{\n    \"expression\": \"2*(3+4)\"\n}"),
              app.tools()->arguments()};
    for (const QFileInfo& file : QDir(fixture.dataFolder()).entryInfoList(QDir::Files))
        texts.append(file.absoluteFilePath()); // a message may name it
    texts += {app.packedFile()->path(), app.packedFile()->unusedNames().join(QStringLiteral(", "))};
    for (const QVariant& recent : app.models()->recent()) {
        for (const QVariant& value : recent.toMap()) texts.append(value.toString());
    }
    for (const QVariant& device : app.devices()->devices().sliced(1)) // the CPU comes first, by a name of ours
        texts.append(device.toMap().value(QStringLiteral("title")).toString());
    for (app::Conversation* chat : {app.panes()->first(), app.panes()->second()}) texts += foreignTextsOf(*chat);
    app::LicenceList licences;
    for (QAbstractItemModel* model :
         {static_cast<QAbstractItemModel*>(&licences),
          static_cast<QAbstractItemModel*>(app.panes()->first()->messages()),
          static_cast<QAbstractItemModel*>(app.panes()->second()->messages()),
          static_cast<QAbstractItemModel*>(app.chats()), static_cast<QAbstractItemModel*>(app.search()),
          static_cast<QAbstractItemModel*>(app.bin()), static_cast<QAbstractItemModel*>(app.commands())}) {
        // The keys of commands are named by Qt; their titles are ours.
        const bool commands = model == app.commands();
        for (int row = 0; row < model->rowCount(); ++row) {
            for (const auto& [role, name] : model->roleNames().asKeyValueRange()) {
                const QVariant value = model->index(row, 0).data(role);
                if (const auto* document = value.value<app::TextDocument*>()) texts.append(document->text());
                static const QByteArrayList kForeign{"text", "title", "chatTitle", "excerpt", "modelName", "licence"};
                if (!commands && kForeign.contains(name)) texts.append(value.toString());
                if (commands && name == "shownKeys") texts += value.toStringList();
            }
        }
    }
    return texts;
}

/// Returns what the job found wrong with the state that the window is in.
QStringList run(const Job& job, const Shot& shot, const WindowFixture& fixture) {
    if (!job.pseudo.isEmpty()) {
        // An answer that is being written grows before its place does: a text in a wrong place stays there.
        QStringList texts;
        constexpr int kStaysMs = 2000;
        (void)waitFor([&] { return (texts = tests::textFindings(fixture.window())).isEmpty(); }, kStaysMs);
        return tests::accessibleFindings(fixture.window()) + tests::overlapFindings(fixture.window()) + texts +
               tests::untranslatedTexts(fixture.window(), foreignTexts(fixture));
    }
    const bool saved = fixture.window()->grabWindow().save(job.out.filePath(shot.name + QStringLiteral(".png")));
    return saved ? QStringList() : QStringList{QStringLiteral("the picture was not saved")};
}

/// Writes the model that tinyFamilies() has under this name, with enough layers to show how they differ. Returns its
/// path.
QString familyModel(const QLatin1String& family, const QString& folder) {
    constexpr int64_t kLayers = 12;
    const QString path = QDir(folder).filePath(QStringLiteral("model.gguf"));
    for (test::NamedOptions named : test::tinyFamilies()) {
        if (family != QLatin1String(named.name)) continue;
        named.options.layers = kLayers;
        if (test::saveTinyModel(named.options, path.toStdString())) return path;
    }
    qFatal("There is no small model of the family %s", family.data());
}

QStringList take(const Shot& shot, const Job& job) {
    const bool real = !shot.script;
    const test::FakeScript script = *test::fakeScript(real ? "fast" : shot.script);
    pace = shot.paced ? nullptr : std::make_shared<test::FakeControl>();
    if (pace) pace->allowAll();
    WindowFixture fixture(real ? engine::SessionFactory(engine::openSession) : test::fakeFactory(script, pace));
    fixture.setCatalogue(job.pseudo);
    if (real)
        fixture.setGuide(shot.family ? familyModel(QLatin1String(shot.family), fixture.dataFolder())
                                     : QStringLiteral(COTERIE_GUIDE));
    else
        fixture.setEngine(test::fakeInspector(script),
                          shot.packedFile ? test::fakePackedFiles(shot.packedFile, {}) : app::PackedFileCalls{});
    {
        app::Settings settings(QDir(fixture.dataFolder()).filePath(QStringLiteral("settings.json")));
        settings.theme = shot.theme;
        settings.fontScale = shot.scale;
        settings.windowGeometry = {QPoint(), shot.size};
    }
    shot.prepare(fixture);
    if (!fixture.window()) return {QStringLiteral("there is no window")};
    settle();
    return run(job, shot, fixture);
}

/// Every state. A state's name ends with how it differs from another one: dark, large, narrow, or several of them.
QList<Shot> allShots() {
    return startShots() + demoShots() + talkShots() + messageShots() + pageShots() + expertShots() + memoryShots() +
           layerShots() + unusedFileShots() + packedFileShots() + lossyShots() + widthShots() + inspectorShots() +
           inspectorPageShots() + flowShots() + chatShots() + guideShots() + textShots() + exchangeShots() +
           settingShots() + paneShots() + readmeShots() + stateShots();
}

/// Whether a check of each state may leave this one out. Texts, roles and places are the same in all themes, and the
/// narrow pages are the tight ones; the long form checks all widths and sizes, and pictures that show again what other
/// states show.
bool checksLittle(const QString& name, const QStringList& all) {
    static const QString kDark = QStringLiteral("-dark");
    if (name.endsWith(kDark) && all.contains(name.chopped(kDark.size()))) return true;
    if (test::longTests()) return false;
    static const QRegularExpression kSeldom(QStringLiteral("^(at-900-|at-1200-|readme-)"));
    if (kSeldom.match(name).hasMatch()) return true;
    const bool oneWay = name.endsWith(QLatin1String("-large")) || name.endsWith(QLatin1String("-narrow"));
    static const QRegularExpression kWays(QStringLiteral("(-dark|-large|-narrow)+$"));
    const auto tighter = [&](const QString& other) { // it differs in the same way, and in one more
        return other.size() > name.size() && QString(other).remove(kWays) == QString(name).remove(kWays);
    };
    return oneWay && std::any_of(all.begin(), all.end(), tighter);
}

/// Every n-th state from the k-th on, so that a few programs share the work.
struct Part {
    qsizetype k = 1, n = 1;
};

/// Reads "2/4" as the second of four parts. Nothing: the text is something else.
std::optional<Part> readPart(const QString& text) {
    const QStringList numbers = text.split(u'/');
    if (numbers.size() != 2) return std::nullopt;
    const Part part{numbers[0].toLongLong(), numbers[1].toLongLong()};
    return part.k >= 1 && part.k <= part.n ? std::optional(part) : std::nullopt;
}

QList<Shot> statesOf(const Part& part, const QList<Shot>& shots) {
    QList<Shot> own;
    for (qsizetype i = part.k - 1; i < shots.size(); i += part.n) own.append(shots[i]);
    return own;
}

/// The states as a person with these looks has them: dark, large, narrow. Their names say so; those that have a look
/// already keep theirs.
QList<Shot> withLooks(QList<Shot> shots, const QStringList& looks) {
    for (Shot& shot : shots) {
        for (const QString& look : looks) {
            if (shot.name.split(u'-').contains(look)) continue;
            shot.name += u'-' + look;
            if (look == QLatin1String("dark")) shot.theme = look;
            if (look == QLatin1String("large")) shot.scale = 1.6;
            if (look == QLatin1String("narrow")) shot.size.setWidth(640);
        }
    }
    return shots;
}

/// The states with these names. If none is named: all for pictures, those that find most for a check.
QList<Shot> shotsFor(const Job& job, const QStringList& names) {
    QList<Shot> shots = allShots();
    QStringList all;
    for (const Shot& shot : shots) all.append(shot.name);
    shots.removeIf([&](const Shot& shot) {
        if (!names.isEmpty()) return !names.contains(shot.name);
        return !job.pseudo.isEmpty() && checksLittle(shot.name, all);
    });
    return shots;
}

} // namespace

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    qputenv("QT_QUICK_BACKEND", "software");
    for (int i = 1; i + 1 < argc; ++i) // Qt reads it before there is an application
        if (QByteArray(argv[i]) == "--scale") qputenv("QT_SCALE_FACTOR", argv[i + 1]);
    QGuiApplication application(argc, argv);
    QQuickStyle::setStyle(QStringLiteral("Basic"));
    const tests::QuickAnimations animations;
    QCommandLineParser parser;
    parser.addOption({QStringLiteral("out"), QStringLiteral("Folder for the pictures"), QStringLiteral("folder"),
                      QStringLiteral("build/screenshots")});
    parser.addOption({QStringLiteral("check"), QStringLiteral("Check each state instead, in the pseudo-language"),
                      QStringLiteral("catalogue")});
    parser.addOption({QStringLiteral("scale"), QStringLiteral("Pixels of the screen for one of ours"),
                      QStringLiteral("factor"), QStringLiteral("1")});
    parser.addOption({QStringLiteral("part"), QStringLiteral("Only the k-th of n parts of the states"),
                      QStringLiteral("k/n"), QStringLiteral("1/1")});
    parser.addOption({QStringLiteral("look"), QStringLiteral("Each state as dark, large or narrow, or several of them"),
                      QStringLiteral("looks"), QString()});
    parser.addPositionalArgument(QStringLiteral("names"), QStringLiteral("Which ones; all if none is named"));
    parser.process(application);
    const Job job{.out = QDir(parser.value(QStringLiteral("out"))), .pseudo = parser.value(QStringLiteral("check"))};
    const std::optional<Part> part = readPart(parser.value(QStringLiteral("part")));
    if (!part) qFatal("--part takes k/n, with k from 1 to n");
    if (job.pseudo.isEmpty()) job.out.mkpath(QStringLiteral("."));
    bool good = true;
    const QStringList looks = parser.value(QStringLiteral("look")).split(u',', Qt::SkipEmptyParts);
    for (const Shot& shot : withLooks(statesOf(*part, shotsFor(job, parser.positionalArguments())), looks)) {
        const QStringList findings = take(shot, job);
        QTextStream(stdout) << shot.name << Qt::endl;
        for (const QString& finding : findings) QTextStream(stdout) << "    " << finding << Qt::endl;
        good = good && findings.isEmpty();
    }
    return good ? 0 : 1;
}
