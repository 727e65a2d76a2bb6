// SPDX-License-Identifier: Apache-2.0
// Measures how fast a real model answers in the real window, drawn by software, with the pane of the model's activity
// open and with it closed, in turns. The speed is the one that the engine measures and the store keeps. Every answer is
// written in a chat of its own, is as long as the others and draws the most probable tokens. Prints one JSON object.
//
//     bench_answer --model FILE [--tokens 256] [--rounds 31] [--threads 2] [--memory MIB] [--sides open,closed]
//
// It uses nothing of the inspector, so that it can be built in a commit that has none: with --sides closed,
// before_after.py --in-window compares two builds. bench_inspector.cpp measures the GUI thread alone.
#include "fakes/forwarding_session.h"
#include "gui_clock.h"
#include "ui/window_fixture.h"
#include "window_bench.h"

#include <QCryptographicHash>
#include <QFileInfo>

#include <algorithm>
#include <map>

namespace {

using coterie::app::MessageRow;
using coterie::bench::median;
using coterie::bench::settle;
using coterie::bench::threadMs;
using coterie::bench::waitUntil;

constexpr int kWidth = 1280, kHeight = 800; // room for the list of chats, the conversation and the pane
constexpr int kRestMs = 200;                // the program rests if it computes for less than kBusyMs in this time
constexpr double kBusyMs = 10;
constexpr int kQuiet = 16; // tokens of the unmeasured answers after the model was opened again

struct Options {
    QString model;
    int tokens = 0, rounds = 0, threads = 0, warmUp = 0;
    double memory = 0; ///< bytes; 0: automatic
    QStringList sides;
};

/// Writes past the token that would end an answer, and reads every prompt anew.
class SteadySession : public coterie::test::ForwardingSession {
  public:
    using ForwardingSession::ForwardingSession;
    coterie::engine::Result<coterie::engine::Generated> chat(std::span<const coterie::engine::Message> conversation,
                                                             const coterie::engine::GenerateOptions& options,
                                                             const coterie::engine::DeltaCallback& onDelta) override {
        coterie::engine::GenerateOptions steady = options;
        steady.ignoreEnd = true;
        steady.reuseCache = false;
        return ForwardingSession::chat(conversation, steady, onDelta);
    }
};

coterie::engine::Result<std::unique_ptr<coterie::engine::Session>>
openSteady(const coterie::engine::OpenOptions& options) {
    auto opened = coterie::engine::openSession(options);
    if (!opened) return opened.error();
    return std::unique_ptr<coterie::engine::Session>(new SteadySession(std::move(opened).value()));
}

double processMs() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

struct Answer {
    double tokensPerSecond = 0;
    double guiMs = 0; ///< CPU time of the GUI thread for a token, with the reading of the prompt and the answer's end
    QByteArray text;
};

class Bench {
  public:
    explicit Bench(const Options& options) : options_(options) {}

    /// Opens the model twice: the first time the disk is measured and a head predictor may be derived.
    void start() {
        fixture_.setEngine(coterie::engine::inspectModel);
        if (!fixture_.start()) qFatal("the window did not start");
        window().resize(kWidth, kHeight);
        app().settings()->threads = options_.threads;
        app().settings()->memoryBudget = options_.memory;
        app().settings()->temperature = 0;
        app().models()->open(options_.model);
        waitUntil([this] { return ready(); }, "the model is not open");
        answer(options_.warmUp, false);
        app().models()->reopen();
        waitUntil([this] { return ready(); }, "the model is not open again");
        for (const QString& side : options_.sides) answer(kQuiet, side == QStringLiteral("open"));
    }

    Answer answer(int tokens, bool open) {
        app().settings()->activityShown = open;
        app().settings()->maxTokens = tokens;
        app().conversation()->newChat();
        settle(window());
        rest();
        std::optional<MessageRow> ended;
        const auto connection = QObject::connect(app().answers(), &coterie::app::AnswerQueue::ended, &window(),
                                                 [&](const MessageRow& row) { ended = row; });
        const double begun = threadMs();
        if (!app().conversation()->send(QStringLiteral("Tell me a long story about a lighthouse and its keeper.")))
            qFatal("the prompt was refused");
        waitUntil([&] { return ended.has_value(); }, "the answer did not end");
        QObject::disconnect(connection);
        settle(window());
        if (ended->statistics.tokens != tokens)
            qFatal("the answer has %lld tokens in place of %d: the context may be full",
                   static_cast<long long>(ended->statistics.tokens), tokens);
        QByteArray text;
        for (const auto& part : ended->parts) text += part.text.toUtf8();
        return {
            .tokensPerSecond = ended->statistics.tokensPerSecond, .guiMs = (threadMs() - begun) / tokens, .text = text};
    }

  private:
    coterie::app::App& app() { return *fixture_.app(); }
    QQuickWindow& window() { return *fixture_.window(); }
    bool ready() { return app().models()->state() == coterie::app::ModelController::Ready; }

    /// Waits until nothing of an earlier answer is computed any more, such as its charts.
    static void rest() {
        double before = processMs();
        waitUntil([&] { return processMs() - std::exchange(before, processMs()) < kBusyMs; }, "no rest", kRestMs);
    }

    const Options options_;
    coterie::tests::WindowFixture fixture_{openSteady};
};

QJsonObject measure(const Options& options) {
    Bench bench(options);
    bench.start();
    std::map<QString, std::vector<double>> speeds, gui;
    std::vector<double> ratios;
    QByteArray text;
    for (int round = 0; round < options.rounds; ++round) {
        QStringList sides = options.sides; // the one that begins changes, so that a slow minute hits both
        if (round % 2 != 0) std::reverse(sides.begin(), sides.end());
        for (const QString& side : sides) {
            const Answer answer = bench.answer(options.tokens, side == QStringLiteral("open"));
            if (!text.isEmpty() && answer.text != text) qFatal("the answers differ");
            text = answer.text;
            speeds[side].push_back(answer.tokensPerSecond);
            gui[side].push_back(answer.guiMs);
        }
        if (sides.size() == 2)
            ratios.push_back(speeds[QStringLiteral("open")].back() / speeds[QStringLiteral("closed")].back());
    }
    QJsonObject found{
        {QStringLiteral("model"), QFileInfo(options.model).completeBaseName()},
        {QStringLiteral("tokens"), options.tokens},
        {QStringLiteral("rounds"), options.rounds},
        {QStringLiteral("threads"), options.threads},
        {QStringLiteral("answer_hash"),
         QString::fromLatin1(QCryptographicHash::hash(text, QCryptographicHash::Sha256).toHex().left(16))}};
    for (const QString& side : options.sides) {
        found.insert(side + QStringLiteral("_tps"), median(speeds[side]));
        found.insert(side + QStringLiteral("_gui_ms_per_token"), median(gui[side]));
    }
    if (ratios.empty()) return found;
    found.insert(QStringLiteral("ratio_of_medians"),
                 median(speeds[QStringLiteral("open")]) / median(speeds[QStringLiteral("closed")]));
    found.insert(QStringLiteral("median_of_ratios"), median(ratios));
    return found;
}

} // namespace

int main(int argc, char** argv) {
    const coterie::bench::WindowBench bench(argc, argv,
                                            {{"model", ""},
                                             {"tokens", "256"},
                                             {"rounds", "31"},
                                             {"threads", "2"},
                                             {"memory", "0"},
                                             {"warm-up", "384"},
                                             {"sides", "open,closed"}});
    const Options options{.model = QFileInfo(bench.text("model")).absoluteFilePath(),
                          .tokens = bench.number("tokens", 2),
                          .rounds = bench.number("rounds", 1),
                          .threads = bench.number("threads", 0),
                          .warmUp = bench.number("warm-up", 2),
                          .memory = bench.text("memory").toDouble() * 1024 * 1024,
                          .sides = bench.list("sides")};
    for (const QString& side : options.sides)
        if (side != QStringLiteral("open") && side != QStringLiteral("closed")) qFatal("sides are open and closed");
    coterie::bench::print(measure(options));
    return 0;
}
