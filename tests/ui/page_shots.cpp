// SPDX-License-Identifier: Apache-2.0
// The pictures of the pages, of the pane of the model's activity, and of the command palette.
#include "shots.h"

namespace coterie::tests {
namespace {

using Prepare = std::function<void(WindowFixture&)>;

Prepare atPage(app::Pages::Page page) {
    return [page](WindowFixture& fixture) {
        talk(fixture);
        settle();
        fixture.app()->pages()->open(page);
    };
}

/// Opens one model after the other, and removes the file of the second one.
void withModels(WindowFixture& fixture) {
    fixture.setGuide(modelFile(fixture, QStringLiteral("guide.gguf")));
    const QString gone = modelFile(fixture, QStringLiteral("gpt-oss-20b-mxfp4.gguf"));
    const QString longName = QStringLiteral("qwen3-30b-a3b-instruct-2507-unsloth-dynamic-q4_k_xl-00001-of-00003.gguf");
    talk(fixture);
    for (const QString& path : {gone, modelFile(fixture, longName), modelFile(fixture)}) {
        fixture.app()->models()->open(path);
        waitForModel(fixture);
    }
    QFile::remove(gone);
    settle();
    fixture.app()->pages()->open(app::Pages::Models);
}

/// Deletes two chats, long ago and now.
void withBin(WindowFixture& fixture) {
    fillStore(fixture.dataFolder());
    {
        auto store = app::ChatStore::open({.folder = fixture.dataFolder(), .migrations = {}});
        if (!store) qFatal("%s", store.error().line().c_str());
        const auto chats = store.value()->chats();
        for (const size_t at : {1, 3})
            if (!store.value()->remove(chats.value()[at].id)) qFatal("not removed");
        const auto messages = store.value()->messages(chats.value()[0].id);
        if (!store.value()->removeMessage(messages.value()[2].id)) qFatal("not removed");
    }
    startWithModel(fixture);
    openChat(fixture, 0);
    settle();
    fixture.app()->pages()->open(app::Pages::Bin);
}

/// Opens the text of a licence.
void withLicences(WindowFixture& fixture) {
    atPage(app::Pages::Licences)(fixture);
    press(fixture, QStringLiteral("SQLite: Public domain"));
}

/// Imports a file in which one of three chats can't be read.
void withImport(WindowFixture& fixture) {
    atPage(app::Pages::Exchange)(fixture);
    const QString path = fixture.dataFolder() + QStringLiteral("/conversations.json");
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly)) qFatal("not written");
    for (const char* text : {"[{\"title\": \"Hello\", ", ",{\"title\": \"World\", "}) {
        file.write(text);
        file.write("\"mapping\": {\"a\": {\"message\": {\"author\": {\"role\": \"user\"}, "
                   "\"content\": {\"parts\": [\"Hi\"]}}}}}");
    }
    file.write(",{\"title\": \"New chat\", \"mapping\": {}}]");
    file.close();
    fixture.app()->exchange()->importFile(QUrl::fromLocalFile(path));
    settle();
}

/// Asks before a file is replaced.
void withQuestion(WindowFixture& fixture) {
    atPage(app::Pages::Exchange)(fixture);
    fixture.app()->exchange()->exportAll(QUrl::fromLocalFile(modelFile(fixture)));
    settle();
}

void withActivity(WindowFixture& fixture) {
    talk(fixture);
    settle();
    key(fixture, Qt::Key_I, Qt::ControlModifier);
}

/// Starts with the pane as a window leaves it that is closed with the pane open.
void withRememberedActivity(WindowFixture& fixture) {
    app::Settings(QDir(fixture.dataFolder()).filePath(QStringLiteral("settings.json"))).activityShown = true;
    talk(fixture);
    settle();
}

void withPalette(WindowFixture& fixture) {
    talk(fixture);
    settle();
    key(fixture, Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
}

void withDemoModel(WindowFixture& fixture) {
    startWithGuide(fixture);
    fixture.app()->pages()->open(app::Pages::Models);
}

/// Shows a whole answer in the inspector, in this mode.
std::function<void(WindowFixture&)> inspected(app::ActivityGrid::Mode mode) {
    return [mode](WindowFixture& fixture) {
        withActivity(fixture);
        send(fixture, QStringLiteral("Tell me a story about a lighthouse"));
        waitUntil([&fixture] { return !fixture.app()->conversation()->busy(); });
        fixture.app()->inspector()->grid()->setMode(mode);
    };
}

/// The same with all parts open that have figures or charts.
void withSections(WindowFixture& fixture) {
    inspected(app::ActivityGrid::Reply)(fixture);
    waitUntil([&fixture] { return !fixture.app()->inspector()->charts()->balance().empty(); });
    for (const char* section : {"Figures", "Would more memory help?", "How evenly experts are used", "Active neurons"})
        press(fixture, QString::fromLatin1(section));
}

/// The same with some explanations unfolded.
void withExplanations(WindowFixture& fixture) {
    withSections(fixture);
    for (const char* subject :
         {"The part Figures", "From memory", "The part How evenly experts are used", "The part Remarks",
          "Share from memory, by the room for experts", "Share of active neurons in each layer"})
        press(fixture, QStringLiteral("What is this? ") + QString::fromLatin1(subject));
}

} // namespace

QList<Shot> widthShots() {
    const std::vector<std::pair<const char*, Prepare>> states{{"chat", talk},
                                                              {"models", withModels},
                                                              {"settings", atPage(app::Pages::Settings)},
                                                              {"chat-settings", atPage(app::Pages::ChatSettings)},
                                                              {"bin", withBin},
                                                              {"exchange", atPage(app::Pages::Exchange)},
                                                              {"activity", withActivity},
                                                              {"shortcuts", atPage(app::Pages::Shortcuts)},
                                                              {"about", atPage(app::Pages::About)},
                                                              {"licences", withLicences},
                                                              {"palette", withPalette},
                                                              {"list", [](WindowFixture& fixture) {
                                                                   talk(fixture);
                                                                   settle();
                                                                   key(fixture, Qt::Key_K, Qt::ControlModifier);
                                                               }}};
    QList<Shot> shots;
    for (const int width : {640, 900, 1200}) {
        for (const auto& [name, prepare] : states) {
            for (const bool dark : {false, true}) {
                QString full = QStringLiteral("at-%1-%2").arg(width).arg(QLatin1String(name));
                shots.append({.name = dark ? full + QStringLiteral("-dark") : full,
                              .size = {width, width == 640 ? 560 : 720},
                              .theme = dark ? QStringLiteral("dark") : QStringLiteral("light"),
                              .script = "from-disk",
                              .prepare = prepare});
            }
        }
    }
    return shots;
}

QList<Shot> inspectorShots() {
    using app::ActivityGrid;
    const auto compared = [](WindowFixture& fixture) {
        inspected(app::ActivityGrid::Reply)(fixture);
        app::Inspector& inspector = *fixture.app()->inspector();
        inspector.comparison()->setAgainst(app::AnswerComparison::Prompt);
        inspector.tokens()->setMeasure(app::TokenMeasure::Neurons);
    };
    const auto asTable = [](WindowFixture& fixture) {
        inspected(app::ActivityGrid::Reply)(fixture);
        press(fixture, QStringLiteral("Show the values as a table"));
    };
    const auto atWord = [](WindowFixture& fixture) {
        inspected(app::ActivityGrid::Now)(fixture);
        app::Inspector& inspector = *fixture.app()->inspector();
        inspector.timeline()->setPosition((inspector.timeline()->answerBegins() + inspector.timeline()->last()) / 2);
    };
    const QSize wide{1400, 900}, tall{1400, 2000};
    return {
        {.name = "inspector-word", .size = wide, .script = "fast", .prepare = atWord},
        {.name = "inspector-word-dark", .size = wide, .theme = "dark", .script = "fast", .prepare = atWord},
        {.name = "inspector-explained", .size = {1400, 2600}, .script = "fast", .prepare = withExplanations},
        {.name = "inspector-explained-dark",
         .size = {1400, 2600},
         .theme = "dark",
         .script = "fast",
         .prepare = withExplanations},
        {.name = "inspector-explained-large",
         .size = {900, 2600},
         .scale = 1.6,
         .script = "fast",
         .prepare = withExplanations},
        {.name = "inspector-sections", .size = tall, .script = "fast", .prepare = withSections},
        {.name = "inspector-sections-dark", .size = tall, .theme = "dark", .script = "fast", .prepare = withSections},
        {.name = "inspector-table", .size = wide, .script = "fast", .prepare = asTable},
        {.name = "inspector-now", .size = tall, .script = "fast", .prepare = inspected(ActivityGrid::Now)},
        {.name = "inspector-now-dark",
         .size = tall,
         .theme = "dark",
         .script = "fast",
         .prepare = inspected(ActivityGrid::Now)},
        {.name = "inspector-answer", .size = wide, .script = "fast", .prepare = inspected(ActivityGrid::Reply)},
        {.name = "inspector-places", .size = wide, .script = "fast", .prepare = inspected(ActivityGrid::Store)},
        {.name = "inspector-compared", .size = tall, .script = "fast", .prepare = compared},
        {.name = "inspector-large",
         .size = tall,
         .scale = 1.6,
         .script = "fast",
         .prepare = inspected(ActivityGrid::Reply)},
    };
}

QList<Shot> inspectorPageShots() {
    const auto asPage = [](WindowFixture& fixture) {
        inspected(app::ActivityGrid::Now)(fixture);
        fixture.app()->inspector()->tokens()->setMeasure(app::TokenMeasure::Time);
        fixture.app()->pages()->open(app::Pages::Activity);
    };
    return {
        {.name = "inspector-page", .size = {1400, 1300}, .script = "fast", .prepare = asPage},
        {.name = "inspector-page-dark", .size = {1400, 1300}, .theme = "dark", .script = "fast", .prepare = asPage},
        {.name = "inspector-page-narrow", .size = {640, 1300}, .script = "fast", .prepare = asPage},
        {.name = "inspector-page-wide", .size = {1600, 1000}, .script = "fast", .prepare = asPage},
        {.name = "inspector-page-widest", .size = {2200, 1200}, .script = "fast", .prepare = asPage},
        {.name = "inspector-page-widest-large", .size = {2200, 1200}, .scale = 2, .script = "fast", .prepare = asPage},
        {.name = "inspector-page-large", .size = {1180, 1300}, .scale = 2, .script = "fast", .prepare = asPage},
    };
}

QList<Shot> exchangeShots() {
    return {
        {.name = "exchange-done", .prepare = withImport},
        {.name = "exchange-done-dark", .theme = "dark", .prepare = withImport},
        {.name = "exchange-asks", .prepare = withQuestion},
        {.name = "exchange-large", .size = {720, 900}, .scale = 1.6, .prepare = withImport},
    };
}

QList<Shot> stateShots() {
    const auto typed = [](const QString& words) {
        return [words](WindowFixture& fixture) {
            withPalette(fixture);
            settle();
            for (const QChar c : words) key(fixture, c.toUpper().unicode(), Qt::NoModifier, c);
        };
    };
    const auto elsewhere = [](WindowFixture& fixture) {
        talk(fixture);
        sendForPart(*fixture.app()->conversation(), 0);
        openChat(fixture, 2);
    };
    const auto noModel = [](WindowFixture& fixture) {
        fixture.start();
        fixture.app()->pages()->open(app::Pages::Models);
    };
    const auto failed = [](WindowFixture& fixture) {
        startWithModel(fixture);
        fixture.app()->pages()->open(app::Pages::Models);
    };
    const auto live = [](WindowFixture& fixture) {
        withActivity(fixture);
        sendForPart(*fixture.app()->conversation(), 60);
    };
    const auto emptyActivity = [](WindowFixture& fixture) {
        fixture.start();
        fixture.app()->settings()->activityShown = true;
    };
    const auto erasing = [](WindowFixture& fixture) {
        withBin(fixture);
        settle();
        press(fixture, QStringLiteral("Erase Long words"));
    };
    const QSize wide{1400, 900};
    return {
        {.name = "models-none", .prepare = noModel},
        {.name = "models-failed", .script = "open-failure", .prepare = failed},
        {.name = "models-notes", .script = "notes", .prepare = failed},
        {.name = "models-demo", .prepare = withDemoModel},
        {.name = "models-large", .size = {720, 900}, .scale = 1.6, .prepare = withModels},
        {.name = "bin-empty", .prepare = atPage(app::Pages::Bin)},
        {.name = "bin-erasing", .prepare = erasing},
        {.name = "bin-large", .size = {720, 900}, .scale = 1.6, .prepare = withBin},
        {.name = "activity-live", .size = wide, .script = "from-disk", .prepare = live},
        {.name = "activity-live-dark", .size = wide, .theme = "dark", .script = "from-disk", .prepare = live},
        {.name = "activity-large", .size = wide, .scale = 1.6, .script = "from-disk", .prepare = live},
        {.name = "activity-all", .size = wide, .prepare = withActivity},
        {.name = "activity-remembered", .size = wide, .prepare = withRememberedActivity},
        {.name = "activity-layers", .size = wide, .script = "dense-from-disk", .prepare = live},
        {.name = "activity-no-model", .size = wide, .prepare = emptyActivity},
        {.name = "palette-typed", .prepare = typed(QStringLiteral("show"))},
        {.name = "palette-nothing", .prepare = typed(QStringLiteral("xyz"))},
        {.name = "palette-large", .size = {720, 640}, .scale = 1.6, .prepare = withPalette},
        {.name = "answering-elsewhere", .script = "story", .prepare = elsewhere},
        {.name = "shortcuts-large", .size = {720, 900}, .scale = 1.6, .prepare = atPage(app::Pages::Shortcuts)},
    };
}

} // namespace coterie::tests
