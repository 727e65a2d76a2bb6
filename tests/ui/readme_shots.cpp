// SPDX-License-Identifier: Apache-2.0
// The pictures of the top README.md about chats, and its first one. Every answer is the real guide's, except the one
// that shows how text is formatted: the guide writes no tables.
#include "inspector/inspector.h"
#include "settings/settings.h"
#include "shots.h"

namespace coterie::tests {
namespace {

const char* const kFormatted =
    "The router gives each expert a score, and the *k* best ones work on the token. Their weights are\n\n"
    "$$w_i = \\frac{e^{s_i}}{\\sum_{j=1}^{k} e^{s_j}}$$\n\n"
    "| Part | Where it is | When it is read |\n|:--|:--|:--|\n"
    "| attention | in memory | when the model is opened |\n| **experts in use** | in memory | once |\n"
    "| other experts | on disk | when the router picks them |\n\n"
    "```python\ndef route(scores, k):\n    # the k best experts\n    best = sorted(range(len(scores)), key=lambda e: "
    "-scores[e])[:k]\n    return best\n```";

const char* const kStory = "Tell me a story about a fox.";
const char* const kSum = "What is 7 times 8?";
const char* const kExperts = "What is an expert?";

/// Starts with the guide. The answers are always the same.
void start(WindowFixture& fixture) {
    fixture.start();
    waitForModel(fixture);
    app::Settings& settings = *fixture.app()->settings();
    settings.temperature = 0;
    settings.maxTokens = 140;
}

void waitForAnswer(WindowFixture& fixture) {
    waitUntil([&] { return !fixture.app()->conversation()->busy(); });
    settle();
}

void ask(WindowFixture& fixture, const char* prompt) {
    fixture.app()->panes()->newChat();
    send(fixture, QString::fromUtf8(prompt));
    waitForAnswer(fixture);
}

/// A conversation, and beside it what the experts did for the last answer.
void atWork(WindowFixture& fixture) {
    start(fixture);
    ask(fixture, kExperts);
    send(fixture, QStringLiteral("What is a router?"));
    waitForAnswer(fixture);
    fixture.app()->settings()->activityShown = true;
    waitUntil([&] { return !fixture.app()->inspector()->charts()->coverage().empty(); });
    fixture.app()->inspector()->grid()->setMode(app::ActivityGrid::Reply);
    settle();
}

void formatted(WindowFixture& fixture) {
    {
        auto store = app::ChatStore::open({.folder = fixture.dataFolder(), .migrations = {}});
        if (!store) qFatal("%s", store.error().line().c_str());
        auto turn = store.value()->addTurn({.chat = 0,
                                            .title = QStringLiteral("How does a router choose?"),
                                            .prompt = QStringLiteral("How does a router choose?"),
                                            .model = {}});
        if (!turn) qFatal("%s", turn.error().line().c_str());
        turn->answer.parts = app::textParts(kFormatted);
        turn->answer.state = app::MessageState::Complete;
        if (!store.value()->finishAnswer(turn->answer)) qFatal("answer not stored");
    }
    start(fixture);
    openChat(fixture, 0);
    settle();
}

void withVersions(WindowFixture& fixture) {
    start(fixture);
    ask(fixture, kStory);
    fixture.app()->settings()->temperature = 0.9;
    fixture.app()->settings()->setValue(QStringLiteral("seed"), 3);
    key(fixture, Qt::Key_R, Qt::ControlModifier);
    waitForAnswer(fixture);
}

void sideBySide(WindowFixture& fixture) {
    start(fixture);
    ask(fixture, kStory);
    key(fixture, Qt::Key_Backslash, Qt::ControlModifier);
    ask(fixture, kSum);
}

void searched(WindowFixture& fixture) {
    start(fixture);
    for (const char* prompt : {kExperts, kSum, kStory}) ask(fixture, prompt);
    key(fixture, Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    for (const QChar c : QStringLiteral("fox")) key(fixture, c.toUpper().unicode(), {}, c);
    waitUntil([&fixture] { return fixture.app()->search()->count() > 0; });
    key(fixture, Qt::Key_Down);
    key(fixture, Qt::Key_Return);
    settle();
}

void withAlternatives(WindowFixture& fixture) {
    start(fixture);
    ask(fixture, kStory);
    app::Conversation& chat = *fixture.app()->conversation();
    const qint64 answer = chat.messages()->lastId();
    chat.alternatives()->show(answer, 7); // the fox's name
    waitUntil([&] { return chat.alternatives()->state() == app::TokenAlternatives::Ready; });
    settle();
}

void withSettings(WindowFixture& fixture) {
    start(fixture);
    ask(fixture, kStory);
    key(fixture, Qt::Key_S, Qt::ControlModifier | Qt::ShiftModifier);
    settle();
}

} // namespace

QList<Shot> readmeShots() {
    QList<Shot> shots;
    const auto add = [&](const char* name, std::function<void(WindowFixture&)> prepare) {
        shots.append(
            {.name = QLatin1String(name), .size = {1180, 640}, .script = nullptr, .prepare = std::move(prepare)});
    };
    add("readme-window", atWork);
    shots.back().size = {1180, 780};
    add("readme-formatted", formatted);
    add("readme-versions", withVersions);
    add("readme-alternatives", withAlternatives);
    add("readme-beside", sideBySide);
    add("readme-search", searched);
    add("readme-settings", withSettings);
    return shots;
}

} // namespace coterie::tests
