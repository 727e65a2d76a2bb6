// SPDX-License-Identifier: Apache-2.0
// Answers of the real guide in the inspector: in Spanish, a sum, a story, how two of them differ, and the first look;
// and of small models whose layers differ.
#include "inspector/inspector.h"
#include "settings/settings.h"
#include "shots.h"

namespace coterie::tests {
namespace {

/// Starts with the guide and the open pane. The answers are always the same.
void startInspecting(WindowFixture& fixture) {
    fixture.start();
    waitForModel(fixture);
    app::Settings& settings = *fixture.app()->settings();
    settings.temperature = 0;
    settings.maxTokens = 140; // room for the whole story
    settings.activityShown = true;
}

/// Asks in a new chat, and shows how often the answer used each expert.
void ask(WindowFixture& fixture, const QString& prompt) {
    fixture.app()->conversation()->newChat();
    send(fixture, prompt);
    waitUntil([&] {
        app::Inspector& inspector = *fixture.app()->inspector();
        return !fixture.app()->conversation()->busy() && inspector.condition() == app::Inspector::Ready &&
               !inspector.charts()->coverage().empty();
    });
    fixture.app()->inspector()->grid()->setMode(app::ActivityGrid::Reply);
    settle();
}

const QString kSum = QStringLiteral("What is 7 times 8?");
const QString kStory = QStringLiteral("Tell me a story about a fox.");

std::function<void(WindowFixture&)> asked(const QString& prompt) {
    return [prompt](WindowFixture& fixture) {
        startInspecting(fixture);
        ask(fixture, prompt);
    };
}

} // namespace

QList<Shot> guideShots() {
    const auto difference = [](WindowFixture& fixture) {
        startInspecting(fixture);
        ask(fixture, kSum);
        fixture.app()->inspector()->comparison()->keep();
        ask(fixture, kStory);
        fixture.app()->inspector()->comparison()->setAgainst(app::AnswerComparison::Kept);
    };
    const QSize size{1180, 640};
    QList<Shot> shots{
        {.name = "guide-spanish",
         .size = size,
         .script = nullptr,
         .prepare = asked(QStringLiteral("\u00bfC\u00f3mo est\u00e1s?"))},
        {.name = "guide-sum", .size = size, .script = nullptr, .prepare = asked(kSum)},
        {.name = "guide-story", .size = size, .script = nullptr, .prepare = asked(kStory)},
        {.name = "guide-difference", .size = size, .script = nullptr, .prepare = difference},
    };
    for (const char* family : {"qwen35moe", "glm4moe", "lfm2moe", "gemma4 with experts"})
        for (const bool dark : {false, true})
            shots.append(
                {.name = QStringLiteral("layers-%1%2")
                             .arg(QString::fromLatin1(family).replace(u' ', u'-'), QLatin1String(dark ? "-dark" : "")),
                 .size = {1180, 900},
                 .theme = dark ? QStringLiteral("dark") : QStringLiteral("light"),
                 .script = nullptr,
                 .family = family,
                 .prepare = asked(kSum)});
    for (const bool dark : {false, true}) {
        for (int step = 1; step <= 6; ++step) {
            const auto look = [step](WindowFixture& fixture) {
                startInspecting(fixture);
                ask(fixture, kStory);
                press(fixture, QStringLiteral("Take a first look"));
                for (int next = 1; next < step; ++next) press(fixture, QStringLiteral("Next"));
            };
            shots.append({.name = QStringLiteral("first-look-%1%2").arg(step).arg(QLatin1String(dark ? "-dark" : "")),
                          .size = {1180, 900},
                          .theme = dark ? QStringLiteral("dark") : QStringLiteral("light"),
                          .script = nullptr,
                          .prepare = look});
        }
    }
    return shots;
}

} // namespace coterie::tests
