// SPDX-License-Identifier: Apache-2.0
// Measures what the pane with the model's activity costs the GUI thread while an answer is written, and how large the
// answer's record is: a scripted engine of 48 layers with 128 experts, of which a token uses 8, over the real window,
// drawn by software. Each answer is written quickly up to the last tokens, which then come at a steady rate and are
// measured, once with the pane open and once with it closed. So work that grows with the answer shows. Prints one JSON
// object a line: medians over the rounds. With --scrub, the finished answer is then looked through: so many positions
// are chosen one after the other, and each is measured until the window shows it.
//
//     bench_inspector [--lengths 1000,2000,4000,16000] [--views now] [--measured 400] [--rate 100] [--rounds 3]
//                     [--experts 128] [--scrub 0]
//
// bench_answer.cpp measures the speed of a real model with the pane open and closed.
#include "fakes/fake_session.h"
#include "gui_clock.h"
#include "ui/window_fixture.h"
#include "window_bench.h"

#include <algorithm>
#include <map>
#include <thread>

namespace {

using coterie::app::ActivityGrid;
using coterie::app::Inspector;
using coterie::app::TokenMeasure;
using coterie::bench::median;
using coterie::bench::print;
using coterie::bench::settle;
using coterie::bench::threadMs;
using coterie::bench::waitUntil;
using coterie::test::FakeControl;
using coterie::test::FakeScript;

constexpr int kWidth = 1280, kHeight = 800; // room for the list of chats, the conversation and the pane
constexpr int kPromptTokens = 8, kWordsPerParagraph = 60;

constexpr int kLayers = 48;

/// A model in the shape of Qwen3 30B A3B, a tenth of whose experts are read from disk.
FakeScript script(int experts) {
    static const char* const words[] = {"the ", "lighthouse ", "counted ", "ships, ", "and ", "fog ", "had ", "gone "};
    FakeScript script;
    for (int i = 1; i < kWordsPerParagraph; ++i) script.pieces.emplace_back(words[i * i % 8]);
    script.pieces.emplace_back("home.\n\n");
    script.endless = true;
    script.promptTokens = kPromptTokens;
    script.contextSize = 32768;
    script.layers = kLayers;
    script.experts = experts;
    script.expertsPerToken = 8;
    script.neurons = 768;
    script.scattered = true;
    script.bytesFromDisk = 38 * (uint64_t{5} << 19); // 38 of the 384 experts of a token, of 2.5 MiB each
    return script;
}

/// The figures of one answer.
struct Cost {
    double perTokenMs = 0;    ///< CPU time of the GUI thread for a token
    double endMs = 0;         ///< CPU time of the GUI thread from the answer's end until everything is shown
    double chartsSeconds = 0; ///< time from the answer's end until its charts are computed, on another thread
};

/// The size of an answer's record.
struct RecordSize {
    int positions = 0;      ///< tokens that it has, of the prompt and of the answer
    double storedBytes = 0; ///< bytes of the trace and the token record, packed in the store
    double traceBytes = 0;  ///< bytes of the trace before it is packed
};

class Bench {
  public:
    Bench(int measured, int rate, int experts)
        : measured_(measured), rate_(rate), fixture_{coterie::test::fakeFactory(script(experts), control_)} {}

    bool start() {
        const QString model = QDir(fixture_.dataFolder()).filePath(QStringLiteral("model.gguf"));
        QFile file(model);
        if (!file.open(QIODevice::WriteOnly) || !fixture_.start(model)) return false;
        window().resize(kWidth, kHeight);
        app().settings()->tracesLimit = 4.0 * 1024 * 1024 * 1024; // no answer's record makes room for another's
        waitUntil([&] { return app().models()->state() == coterie::app::ModelController::Ready; }, "no model is open");
        return true;
    }

    /// Writes an answer of so many tokens and one more, which ends it.
    Cost answer(int tokens, const QString& view, bool open) {
        app().settings()->activityShown = open;
        app().settings()->maxTokens = tokens + 1;
        app().conversation()->newChat();
        settle(window());
        if (inspector().enabled() != open) qFatal("the pane is not as it should be");
        storedBefore_ = app().records()->bytes();
        if (!app().conversation()->send(QStringLiteral("What did it count?"))) qFatal("the prompt was refused");
        write(kPromptTokens + tokens - measured_, tokens - measured_);
        if (open) show(view);
        settle(window());
        Cost cost;
        double begun = threadMs();
        std::thread feeder([this] { feed(); });
        write(0, tokens);
        settle(window());
        cost.perTokenMs = (threadMs() - begun) / measured_;
        feeder.join();

        QElapsedTimer ended;
        ended.start();
        begun = threadMs();
        control_->allow(1);
        waitUntil([&] { return !app().conversation()->busy() && (!open || charted()); }, "the answer did not end");
        cost.chartsSeconds = static_cast<double>(ended.nsecsElapsed()) * 1e-9;
        settle(window());
        cost.endMs = threadMs() - begun;
        waitUntil([&] { return app().records()->bytes() > storedBefore_; }, "the record was not stored");
        if (open && inspector().timeline()->last() != kPromptTokens + tokens - 1)
            qFatal("the pane does not show the whole answer");
        return cost;
    }

    /// Chooses so many positions of the last answer, in no order, and returns for each the CPU time of the GUI thread,
    /// in microseconds, until the window shows it.
    std::vector<double> scrub(int steps) {
        coterie::app::AnswerTimeline& timeline = *inspector().timeline();
        inspector().grid()->setMode(ActivityGrid::Now);
        const int positions = timeline.last() - timeline.first() + 1;
        std::vector<double> costs;
        for (int step = 0; step < steps; ++step) {
            settle(window());
            const int position = timeline.first() + (timeline.position() - timeline.first() + 7919) % positions;
            const double begun = threadMs();
            timeline.setPosition(position);
            settle(window());
            costs.push_back((threadMs() - begun) * 1000);
            if (timeline.position() != position) qFatal("the position is not shown");
        }
        return costs;
    }

    /// The size of the last answer's record, which must be shown.
    RecordSize record() {
        const auto bytes = inspector().shown().record()->trace()->bytes();
        if (!bytes) qFatal("the trace has no bytes");
        return {.positions = inspector().timeline()->last() - inspector().timeline()->first() + 1,
                .storedBytes = app().records()->bytes() - storedBefore_,
                .traceBytes = static_cast<double>(bytes->size())};
    }

  private:
    coterie::app::App& app() { return *fixture_.app(); }
    Inspector& inspector() { return *app().inspector(); }
    QQuickWindow& window() { return *fixture_.window(); }
    bool charted() { return !inspector().live() && !inspector().charts()->coverage().empty(); }

    /// Allows so many steps, and waits until the window has so many tokens of the answer.
    void write(int steps, int tokens) {
        control_->allow(steps);
        const qint64 message = app().answers()->progress(app().conversation()->chatId())->message;
        const auto drawn = [&] {
            const auto* record = app().answers()->record(message);
            return record && static_cast<int>(record->tokens.size()) >= tokens;
        };
        waitUntil(drawn, "the answer did not grow");
    }

    /// Allows one token after the other, at the rate. Runs on a thread of its own.
    void feed() {
        const auto begun = std::chrono::steady_clock::now();
        for (int i = 1; i <= measured_; ++i) {
            control_->allow(1);
            std::this_thread::sleep_until(begun + std::chrono::microseconds(int64_t{1000000} * i / rate_));
        }
    }

    void show(const QString& view) {
        waitUntil([&] { return inspector().condition() == Inspector::Ready; }, "the pane shows no answer");
        inspector().grid()->setMode(view == QStringLiteral("answer")   ? ActivityGrid::Reply
                                    : view == QStringLiteral("places") ? ActivityGrid::Store
                                                                       : ActivityGrid::Now);
        inspector().tokens()->setMeasure(view == QStringLiteral("measure") ? TokenMeasure::Time : TokenMeasure::None);
        if (view == QStringLiteral("expert")) inspector().grid()->select(24, 64);
    }

    const int measured_, rate_;
    std::shared_ptr<FakeControl> control_ = std::make_shared<FakeControl>();
    coterie::tests::WindowFixture fixture_;
    double storedBefore_ = 0;
};

double medianOf(const std::vector<Cost>& costs, double Cost::*figure) {
    std::vector<double> values;
    for (const Cost& cost : costs) values.push_back(cost.*figure);
    return median(values);
}

/// Measures the answer that was written last, with the pane open.
void measureScrub(Bench& bench, int tokens, int experts, int steps) {
    std::vector<double> costs = bench.scrub(steps);
    std::sort(costs.begin(), costs.end());
    print({{QStringLiteral("view"), QStringLiteral("scrub")},
           {QStringLiteral("tokens"), tokens},
           {QStringLiteral("layers"), kLayers},
           {QStringLiteral("experts"), experts},
           {QStringLiteral("steps"), steps},
           {QStringLiteral("median_us_per_step"), costs[costs.size() / 2]},
           {QStringLiteral("p99_us_per_step"), costs[costs.size() * 99 / 100]},
           {QStringLiteral("most_us_per_step"), costs.back()}});
}

/// Measures one view at one length in turns. The side that begins changes, so that a slow moment hits both.
void measure(Bench& bench, const QString& view, int tokens, int rounds) {
    std::map<bool, std::vector<Cost>> costs;
    RecordSize size;
    for (int round = 0; round < rounds; ++round) {
        for (const bool open : {round % 2 == 0, round % 2 != 0}) {
            costs[open].push_back(bench.answer(tokens, view, open));
            if (open) size = bench.record();
        }
    }
    const double open = medianOf(costs[true], &Cost::perTokenMs), closed = medianOf(costs[false], &Cost::perTokenMs);
    print({{QStringLiteral("view"), view},
           {QStringLiteral("tokens"), tokens},
           {QStringLiteral("open_ms_per_token"), open},
           {QStringLiteral("closed_ms_per_token"), closed},
           {QStringLiteral("added_ms_per_token"), open - closed},
           {QStringLiteral("open_end_ms"), medianOf(costs[true], &Cost::endMs)},
           {QStringLiteral("closed_end_ms"), medianOf(costs[false], &Cost::endMs)},
           {QStringLiteral("charts_s"), medianOf(costs[true], &Cost::chartsSeconds)},
           {QStringLiteral("positions"), size.positions},
           {QStringLiteral("stored_bytes_per_token"), size.storedBytes / size.positions},
           {QStringLiteral("trace_bytes_per_token"), size.traceBytes / size.positions}});
}

} // namespace

int main(int argc, char** argv) {
    const coterie::bench::WindowBench program(argc, argv,
                                              {{"lengths", "1000,2000,4000,16000"},
                                               {"views", "now"},
                                               {"measured", "400"},
                                               {"rate", "100"},
                                               {"rounds", "3"},
                                               {"experts", "128"},
                                               {"scrub", "0"}});
    const int last = program.number("measured", 1), experts = program.number("experts", 8);
    const int scrubbed = program.number("scrub", 0);
    Bench bench(last, program.number("rate", 1), experts);
    if (!bench.start()) qFatal("the window did not start");
    for (const QString& view : program.list("views")) {
        if (view.isEmpty()) continue;
        for (const QString& tokens : program.list("lengths"))
            measure(bench, view, std::max(last + 1, tokens.toInt()), program.number("rounds", 1));
    }
    if (scrubbed == 0) return 0;
    for (const QString& length : program.list("lengths")) {
        const int tokens = std::max(last + 1, length.toInt());
        bench.answer(tokens, QStringLiteral("now"), true);
        measureScrub(bench, tokens, experts, scrubbed);
    }
    return 0;
}
