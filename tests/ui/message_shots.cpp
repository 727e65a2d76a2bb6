// SPDX-License-Identifier: Apache-2.0
// The pictures of actions on messages: their buttons and menu, versions, a message that is being edited, the bar that
// takes a deletion back.
#include "shots.h"

namespace coterie::tests {
namespace {

app::MessageActions& actions(WindowFixture& fixture) { return *fixture.app()->conversation()->actions(); }

qint64 idOf(WindowFixture& fixture, int row) {
    const app::MessageModel& messages = *fixture.app()->conversation()->messages();
    return messages.index(row).data(app::MessageModel::MessageIdRole).toLongLong();
}

/// A chat whose last prompt and last answer have two versions each; the second of both are shown.
void withVersions(WindowFixture& fixture) {
    fillStore(fixture.dataFolder());
    {
        auto store = app::ChatStore::open({.folder = fixture.dataFolder(), .migrations = {}});
        if (!store) qFatal("%s", store.error().line().c_str());
        const qint64 chat = store.value()->chats().value().front().id;
        const auto messages = store.value()->messages(chat).value();
        auto turn = store.value()->addTurn({.chat = chat,
                                            .title = {},
                                            .prompt = QStringLiteral("And the router?"),
                                            .model = messages.back().model,
                                            .parent = messages[2].parent});
        if (!turn) qFatal("%s", turn.error().line().c_str());
        for (const char* words : {"It picks the experts for a token.", "The router is a small layer of its own: from "
                                                                       "each token it computes a score for every "
                                                                       "expert, and the best ones are used."}) {
            app::MessageRow answer = turn->answer;
            if (!answer.parts.empty()) {
                auto again = store.value()->addAnswer({.parent = answer.parent, .model = answer.model});
                if (!again) qFatal("%s", again.error().line().c_str());
                answer = std::move(again).value();
            }
            answer.parts = app::textParts(words);
            answer.state = app::MessageState::Complete;
            answer.statistics = {.tokensPerSecond = 12.4,
                                 .firstTokenSeconds = 0.31,
                                 .tokens = 31,
                                 .memoryBytes = 1.4e9,
                                 .hitRate = 0.93};
            if (!store.value()->finishAnswer(answer)) qFatal("answer not stored");
            turn->answer = answer;
        }
    }
    startWithModel(fixture);
    openChat(fixture, 0);
    settle();
}

void withPromptEdit(WindowFixture& fixture) {
    withVersions(fixture);
    actions(fixture).beginEdit(idOf(fixture, 2));
}

void withAnswerEdit(WindowFixture& fixture) {
    withVersions(fixture);
    actions(fixture).beginEdit(idOf(fixture, 3));
}

void withMenu(WindowFixture& fixture) {
    const QString other = modelFile(fixture, QStringLiteral("qwen3-30b-a3b-instruct-2507-q4_k_xl.gguf"));
    withVersions(fixture);
    for (const QString& path : {other, modelFile(fixture)}) {
        fixture.app()->models()->open(path);
        waitForModel(fixture);
    }
    settle();
    key(fixture, Qt::Key_Up, Qt::AltModifier); // the last message
    key(fixture, Qt::Key_Menu);
}

void withDeletion(WindowFixture& fixture) {
    withVersions(fixture);
    actions(fixture).remove(idOf(fixture, 2));
}

/// A message with two files, one of them opened, and two files above the composer's field.
void withFiles(WindowFixture& fixture) {
    const app::NewFile notes{.name = QStringLiteral("notes.md"),
                             .mediaType = QStringLiteral("text/markdown"),
                             .text = QStringLiteral("# Experts\n\n- A router picks some of them.\n- The others rest."),
                             .bytes = QByteArray(5200, 'x')};
    app::NewFile table = notes;
    table.name = QStringLiteral("measurements-of-the-third-week-of-october.csv");
    table.text = QStringLiteral("layer,expert,count\n1,4,31\n");
    fillStore(fixture.dataFolder());
    {
        auto store = app::ChatStore::open({.folder = fixture.dataFolder(), .migrations = {}});
        if (!store) qFatal("%s", store.error().line().c_str());
        const qint64 chat = store.value()->chats().value().front().id;
        auto turn = store.value()->addTurn({.chat = chat,
                                            .title = {},
                                            .prompt = QStringLiteral("Which of these is right?"),
                                            .model = QStringLiteral("SmallThinker 4B"),
                                            .files = {notes, table}});
        if (!turn) qFatal("%s", turn.error().line().c_str());
        turn->answer.parts = app::textParts(QStringLiteral("Both are."));
        turn->answer.state = app::MessageState::Complete;
        if (!store.value()->finishAnswer(turn->answer)) qFatal("answer not stored");
        for (const app::NewFile& file : {notes, table})
            if (!store.value()->draftFiles().add(chat, file)) qFatal("file not stored");
    }
    startWithModel(fixture);
    openChat(fixture, 0);
    settle();
    for (QAccessibleInterface* node : accessibleNodes(fixture.window()))
        if (node->role() == QAccessible::Button && plainText(node->text(QAccessible::Name)) == notes.name)
            QMetaObject::invokeMethod(node->object(), "clicked");
    settle();
}

/// Other words for a word in the middle of an answer, opened and walked by keys.
void withAlternatives(WindowFixture& fixture) {
    startWithModel(fixture);
    send(fixture, QStringLiteral("Tell me a story about a lighthouse"));
    waitUntil([&fixture] { return !fixture.app()->conversation()->busy(); });
    settle();
    key(fixture, Qt::Key_T, Qt::ControlModifier);
    const app::TokenAlternatives& alternatives = *fixture.app()->conversation()->alternatives();
    for (int token = 1; token < 8; ++token) {
        waitUntil([&] { return alternatives.state() == app::TokenAlternatives::Ready; });
        key(fixture, Qt::Key_Right);
    }
    waitUntil([&] { return alternatives.state() == app::TokenAlternatives::Ready; });
    settle();
}

/// The panel for an answer of another model.
void withoutAlternatives(WindowFixture& fixture) {
    talk(fixture);
    settle();
    key(fixture, Qt::Key_T, Qt::ControlModifier);
    settle();
}

/// An answer whose words have colours by their probability.
void withTint(WindowFixture& fixture) {
    startWithModel(fixture);
    for (const char* prompt : {"Hello", "Tell me a story about a lighthouse"}) {
        send(fixture, QString::fromLatin1(prompt));
        waitUntil([&fixture] { return !fixture.app()->conversation()->busy(); });
        settle();
        key(fixture, Qt::Key_T, Qt::ControlModifier | Qt::ShiftModifier);
        settle();
    }
}

} // namespace

QList<Shot> messageShots() {
    return {
        {.name = "versions", .prepare = withVersions},
        {.name = "versions-dark", .theme = "dark", .prepare = withVersions},
        {.name = "versions-narrow", .size = {640, 560}, .prepare = withVersions},
        {.name = "versions-large", .scale = 1.6, .prepare = withVersions},
        {.name = "edit-prompt", .prepare = withPromptEdit},
        {.name = "edit-prompt-narrow-large",
         .size = {640, 700},
         .theme = "dark",
         .scale = 1.6,
         .prepare = withPromptEdit},
        {.name = "edit-answer", .prepare = withAnswerEdit},
        {.name = "edit-answer-dark", .theme = "dark", .prepare = withAnswerEdit},
        {.name = "message-menu", .prepare = withMenu},
        {.name = "message-menu-dark-large", .theme = "dark", .scale = 1.6, .prepare = withMenu},
        {.name = "message-deleted", .prepare = withDeletion},
        {.name = "files", .prepare = withFiles},
        {.name = "files-dark", .theme = "dark", .prepare = withFiles},
        {.name = "files-narrow-large", .size = {640, 700}, .scale = 1.6, .prepare = withFiles},
        {.name = "alternatives", .script = "predicted", .prepare = withAlternatives},
        {.name = "alternatives-dark", .theme = "dark", .script = "predicted", .prepare = withAlternatives},
        {.name = "alternatives-narrow-large",
         .size = {640, 700},
         .scale = 1.6,
         .script = "predicted",
         .prepare = withAlternatives},
        {.name = "alternatives-none", .prepare = withoutAlternatives},
        {.name = "tint", .script = "words", .prepare = withTint},
        {.name = "tint-dark", .theme = "dark", .script = "words", .prepare = withTint},
        {.name = "message-deleted-narrow", .size = {640, 560}, .theme = "dark", .prepare = withDeletion},
    };
}

} // namespace coterie::tests
