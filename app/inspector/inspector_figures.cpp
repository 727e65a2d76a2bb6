// SPDX-License-Identifier: Apache-2.0
// See inspector_figures.h.
#include "inspector/inspector_figures.h"

#include "common/units.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

namespace coterie::app {
namespace {

struct Inspector {
    Q_DECLARE_TR_FUNCTIONS(Inspector)
};

constexpr int kBudgets = 12;           // points of the curve of budgets
constexpr size_t kMostPoints = 400;    // points of a curve: as many as a wide chart has pixels to show
constexpr size_t kPairs = 5;           // pairs that are named
constexpr double kWorthwhile = 0.02;   // a better budget must gain as much of the hit rate
constexpr double kMostOfMachine = 0.8; // share of the machine's memory that a suggested budget may take

QString number(double value, int decimals = 0) { return QLocale().toString(value, 'f', decimals); }

std::vector<QPointF> curve(const std::vector<double>& values) {
    std::vector<QPointF> points;
    const size_t step = std::max<size_t>(1, values.size() / kMostPoints);
    for (size_t i = 0; i < values.size(); i += step) points.emplace_back(static_cast<double>(i + 1), values[i]);
    if (!values.empty() && points.back().x() != static_cast<double>(values.size()))
        points.emplace_back(static_cast<double>(values.size()), values.back());
    return points;
}

ChartData coverageChart(std::span<const engine::TracedToken> tokens, const std::vector<int64_t>& experts) {
    const std::vector<double> seen = engine::coverage(tokens, experts);
    if (seen.empty() || seen.back() == 0) return {};
    const std::vector<double> uniform = engine::uniformCoverage(tokens, experts);
    ChartData chart;
    chart.lines = {{.name = Inspector::tr("If experts were chosen at random"),
                    .label = Inspector::tr("by chance"),
                    .look = ChartLine::Look::Baseline,
                    .points = curve(uniform)},
                   {.name = Inspector::tr("Different experts used"),
                    .label = Inspector::tr("the model"),
                    .look = ChartLine::Look::Main,
                    .points = curve(seen)}};
    chart.title = Inspector::tr("Experts used so far");
    chart.about =
        Inspector::tr("From left to right the answer grows, token by token; a token is a word or a piece of one. "
                      "The full line shows which share of all experts was used at least once by then. The "
                      "dashed line shows what chance would use. Where the full line stays far below it, the "
                      "model comes back to the same experts, and little memory is enough for them.");
    chart.leastX = 1;
    chart.mostX = std::max(2.0, static_cast<double>(seen.size()));
    chart.leftText = Inspector::tr("token 1");
    chart.rightText = Inspector::tr("token %1").arg(number(static_cast<double>(seen.size())));
    chart.lowerText = shareText(0);
    chart.upperText = shareText(1);
    chart.summary = Inspector::tr("%1 of all experts were used at least once; by chance it would be %2.")
                        .arg(shareText(seen.back()), shareText(uniform.back()));
    return chart;
}

std::vector<uint64_t> slotCounts(const FigureRequest& request, std::span<const engine::TracedToken> tokens) {
    uint64_t cycle = 0;
    for (const engine::TracedToken& token : tokens) {
        uint64_t uses = 0;
        for (const engine::TracedLayer& layer : token.layers) uses += layer.uses.size();
        cycle = std::max(cycle, uses);
    }
    const auto all = static_cast<uint64_t>(
        std::accumulate(request.expertsOfLayer.begin(), request.expertsOfLayer.end(), int64_t{0}));
    std::set<uint64_t> counts;
    const uint64_t least = std::max<uint64_t>(1, cycle / 2);
    for (int i = 0; i < kBudgets && all > least; ++i)
        counts.insert(least + (all - least) * static_cast<uint64_t>(i) / (kBudgets - 1));
    if (request.slots > 0) counts.insert(std::min(request.slots, all));
    return {counts.begin(), counts.end()};
}

double hitRateAt(const std::vector<engine::BudgetPoint>& points, uint64_t slots) {
    for (const engine::BudgetPoint& point : points)
        if (point.slots >= slots) return point.hitRate;
    return points.empty() ? 0 : points.back().hitRate;
}

/// Bytes of the whole process if it had so many slots in place of those that it has.
double budgetFor(const FigureRequest& request, uint64_t slots) {
    const double difference = static_cast<double>(slots) - static_cast<double>(request.slots);
    return static_cast<double>(request.budget) + difference * static_cast<double>(request.slotBytes);
}

void sayBudgets(InspectorFigures& figures, const FigureRequest& request,
                const std::vector<engine::BudgetPoint>& points) {
    if (request.slots == 0 || request.slotBytes == 0) {
        figures.budgetText = Inspector::tr("Open the model that wrote this answer to see which budget would help.");
        figures.budgetResult = Inspector::tr("Open its model to see");
        return;
    }
    const double now = hitRateAt(points, request.slots), most = points.back().hitRate;
    if (request.slots >= points.back().slots) {
        figures.budgetText =
            Inspector::tr("More memory would not help: every expert of the model has room. The chart's replays "
                          "begin with nothing in memory.");
        figures.budgetResult = Inspector::tr("No");
        return;
    }
    if (most - now < kWorthwhile) {
        figures.budgetResult = Inspector::tr("Hardly");
        figures.budgetText =
            Inspector::tr("More memory would hardly help: in a replay that begins with nothing in memory, %1 of the "
                          "expert reads come from memory with %2, and %3 if every expert had room.")
                .arg(shareText(now), sizeText(static_cast<double>(request.budget)), shareText(most));
        return;
    }
    for (const engine::BudgetPoint& point : points) {
        const double bytes = budgetFor(request, point.slots);
        if (point.hitRate - now < std::max(kWorthwhile, (most - now) / 2)) continue;
        if (request.machine > 0 && bytes > kMostOfMachine * static_cast<double>(request.machine)) break;
        figures.betterBudget = std::ceil(bytes / (1 << 20)) * (1 << 20);
        figures.budgetText = Inspector::tr("With %1 in place of %2, %3 of the expert reads would come from memory "
                                           "in place of %4, in a replay that begins with nothing in memory.")
                                 .arg(sizeText(figures.betterBudget), sizeText(static_cast<double>(request.budget)),
                                      shareText(point.hitRate), shareText(now));
        figures.budgetResult = Inspector::tr("Yes, with %1").arg(sizeText(figures.betterBudget));
        return;
    }
    figures.budgetText = Inspector::tr("More memory would help, but this machine does not have enough of it.");
    figures.budgetResult = Inspector::tr("Yes, but none is left");
}

/// Replays one budget after the other, because a replay takes long: nothing if it was stopped between two.
std::vector<engine::BudgetPoint> replayed(const FigureRequest& request, std::span<const engine::TracedToken> tokens,
                                          const std::function<bool()>& stopped) {
    std::vector<engine::BudgetPoint> points;
    for (const uint64_t slots : slotCounts(request, tokens)) {
        if (stopped()) return {};
        const auto one = engine::replayBudgets(tokens, std::span(&slots, 1));
        if (!one) return {};
        points.insert(points.end(), one->begin(), one->end());
    }
    return points;
}

void computeBudgets(InspectorFigures& figures, const FigureRequest& request,
                    std::span<const engine::TracedToken> tokens, const std::function<bool()>& stopped) {
    const std::vector<engine::BudgetPoint> points = replayed(request, tokens, stopped);
    if (points.size() < 2) return;
    ChartLine hits{
        .name = Inspector::tr("From memory"), .label = Inspector::tr("as kept now"), .look = ChartLine::Look::Main};
    ChartLine best{.name = Inspector::tr("The most that is possible"),
                   .label = Inspector::tr("the most possible"),
                   .look = ChartLine::Look::Baseline};
    for (const engine::BudgetPoint& point : points) {
        hits.points.emplace_back(static_cast<double>(point.slots), point.hitRate);
        best.points.emplace_back(static_cast<double>(point.slots), point.bestPossible);
    }
    ChartData& chart = figures.budgets;
    chart.lines = {best, hits};
    chart.leastX = static_cast<double>(points.front().slots);
    chart.mostX = static_cast<double>(points.back().slots);
    chart.title = Inspector::tr("Expert reads from memory");
    chart.about = Inspector::tr(
        "The prompt and the answer, computed again with other room in memory for experts, which is empty at first: the "
        "farther to the right, the more room. The full line shows how many of the experts that tokens needed would be "
        "in memory. No "
        "choice of experts to keep could do better than the dashed line. A vertical line marks the room "
        "that the open model has now.");
    if (request.slots > 0) {
        chart.mark = std::min(static_cast<double>(request.slots), chart.mostX);
        chart.markText = Inspector::tr("now");
    }
    chart.leftText = Inspector::tr("room for %Ln expert(s)", nullptr, static_cast<int>(chart.leastX));
    chart.rightText = Inspector::tr("%Ln expert(s)", nullptr, static_cast<int>(chart.mostX));
    chart.lowerText = shareText(0);
    chart.upperText = shareText(1);
    sayBudgets(figures, request, points);
    chart.summary = figures.budgetText;
}

/// The horizontal axis of a chart with a box for each layer.
void spanLayers(ChartData& chart, size_t layers) {
    chart.leastX = -0.5;
    chart.mostX = static_cast<double>(layers) - 0.5;
    chart.leftText = Inspector::tr("layer 0");
    chart.rightText = Inspector::tr("layer %1").arg(number(static_cast<double>(layers - 1)));
}

void computeBalance(InspectorFigures& figures, const engine::ExpertUsage& usage) {
    double sum = 0, worst = -1;
    int layers = 0, worstLayer = 0;
    double entropyShare = 0;
    for (size_t l = 0; l < usage.expertsOfLayer().size(); ++l) {
        const auto uses = usage.uses(static_cast<int>(l));
        if (uses.size() < 2) continue;
        const double gini = engine::giniIndex(uses);
        figures.balance.boxes.push_back({.x = static_cast<double>(l), .most = gini});
        sum += gini;
        entropyShare += engine::entropyBits(uses) / std::log2(static_cast<double>(uses.size()));
        ++layers;
        if (gini > worst) {
            worst = gini;
            worstLayer = static_cast<int>(l);
        }
    }
    if (layers == 0) return;
    spanLayers(figures.balance, usage.expertsOfLayer().size());
    figures.balance.title = Inspector::tr("Unevenness");
    figures.balance.about = Inspector::tr("A bar for each layer. If it is low, the layer uses all of its experts about "
                                          "equally often. If it is high, a few experts do most of the layer's work.");
    figures.balance.lowerText = Inspector::tr("even");
    figures.balance.upperText = Inspector::tr("one expert");
    figures.balanceText =
        Inspector::tr(
            "Unevenness %1 on average, from 0, all experts are used alike, to 1, one is used alone. Layer %2 is the "
            "most uneven, with %3. The technical name of this number is Gini index. Another measure, the entropy of "
            "use, "
            "is %4 of what it would be if all experts were used alike.")
            .arg(number(sum / layers, 2), number(worstLayer), number(worst, 2), shareText(entropyShare / layers));
    figures.balance.summary = figures.balanceText;
    figures.balanceResult = Inspector::tr("Unevenness %1 (0 to 1)").arg(number(sum / layers, 2));
}

/// Two to the power of the entropy: as many experts, used alike, would be as hard to guess.
void computeEvenness(InspectorFigures& figures, const engine::ExpertUsage& usage) {
    double sum = 0, most = 0;
    ChartData& chart = figures.evenness;
    for (size_t l = 0; l < usage.expertsOfLayer().size(); ++l) {
        const auto uses = usage.uses(static_cast<int>(l));
        if (uses.size() < 2 || std::accumulate(uses.begin(), uses.end(), uint64_t{0}) == 0) continue;
        chart.boxes.push_back({.x = static_cast<double>(l), .most = std::exp2(engine::entropyBits(uses))});
        sum += chart.boxes.back().most;
        most = std::max(most, static_cast<double>(uses.size()));
    }
    if (chart.boxes.empty()) return;
    const auto fewest = std::min_element(chart.boxes.begin(), chart.boxes.end(),
                                         [](const ChartBox& a, const ChartBox& b) { return a.most < b.most; });
    chart.title = Inspector::tr("Experts, counted as if used alike");
    chart.about = Inspector::tr("A bar for each layer: from how many experts it seems to choose. A layer that uses all "
                                "of its experts equally often has as many as it really has. One that takes the same "
                                "two for nearly every token has about two.");
    spanLayers(chart, usage.expertsOfLayer().size());
    chart.mostY = most;
    chart.lowerText = number(0);
    chart.upperText = number(most);
    chart.summary =
        Inspector::tr(
            "A layer chooses as if it had %1 experts and used them alike, on average; layer %2 has the fewest, "
            "%3. The logarithm of this number is called entropy.")
            .arg(number(sum / static_cast<double>(chart.boxes.size()), 1), number(fewest->x), number(fewest->most, 1));
}

/// The figure of the answer: of all neurons of the experts that ran.
double meanActiveShare(std::span<const engine::TracedToken> tokens, const engine::TraceShape& shape) {
    double active = 0, uses = 0;
    for (const engine::TracedToken& token : tokens)
        for (const engine::TracedLayer& layer : token.layers)
            for (const engine::ExpertUse& use : layer.uses) {
                active += use.activeNeurons;
                ++uses;
            }
    return active / (uses * static_cast<double>(shape.neurons));
}

void computeNeurons(InspectorFigures& figures, std::span<const engine::TracedToken> tokens,
                    const engine::TraceShape& shape) {
    const auto spreads = engine::activeShares(tokens, shape);
    double sum = 0;
    for (size_t l = 0; l < spreads.size(); ++l) {
        if (!spreads[l]) continue;
        figures.neurons.boxes.push_back({.x = static_cast<double>(l),
                                         .least = spreads[l]->least,
                                         .lowerQuartile = spreads[l]->lowerQuartile,
                                         .median = spreads[l]->median,
                                         .upperQuartile = spreads[l]->upperQuartile,
                                         .most = spreads[l]->most});
        sum += spreads[l]->median;
    }
    if (figures.neurons.boxes.empty()) return;
    spanLayers(figures.neurons, spreads.size());
    figures.neurons.title = Inspector::tr("Active neurons, with the median marked");
    figures.neurons.about = Inspector::tr(
        "A box for each layer. The higher it stands, the more neurons were at work. Half of the tokens lie "
        "inside of the box and half outside: the thin line goes down to the token with the fewest active "
        "neurons and up to the one with the most. The mark inside of the box is the median: as many tokens "
        "lie above it as below.");
    figures.neurons.lowerText = shareText(0);
    figures.neurons.upperText = shareText(1);
    figures.neurons.summary =
        Inspector::tr("For half of the tokens, at least %1 of the neurons of the experts that ran were active, on "
                      "average over the layers.")
            .arg(shareText(sum / static_cast<double>(figures.neurons.boxes.size())));
    figures.neuronsResult = Inspector::tr("About %1 at work").arg(shareText(meanActiveShare(tokens, shape)));
}

std::vector<engine::TracedToken> tokensOf(const FigureRequest& request, bool withPrompts) {
    std::vector<engine::TracedToken> tokens;
    for (const auto& trace : request.traces) {
        if (trace->shape() != request.traces.front()->shape()) continue; // another model with as many experts
        for (engine::TracedToken& token : trace->last(std::numeric_limits<size_t>::max()))
            if (withPrompts || token.position >= trace->promptTokens()) tokens.push_back(std::move(token));
    }
    return tokens;
}

} // namespace

InspectorFigures computeFigures(const FigureRequest& request, const std::function<bool()>& stopped) {
    InspectorFigures figures;
    std::vector<engine::TracedToken> tokens = tokensOf(request, false); // as the grid counts them
    if (tokens.empty()) return figures;
    engine::ExpertUsage usage(request.expertsOfLayer);
    for (const engine::TracedToken& token : tokens) usage.add(token);
    computeNeurons(figures, tokens, request.traces.front()->shape());
    const bool experts = std::any_of(request.expertsOfLayer.begin(), request.expertsOfLayer.end(),
                                     [](int64_t count) { return count > 1; });
    if (!experts) return figures; // every token uses all of such a model
    computeBalance(figures, usage);
    computeEvenness(figures, usage);
    figures.coverage = coverageChart(tokens, request.expertsOfLayer);
    if (stopped()) return figures;
    for (const engine::ExpertPair& pair : engine::expertPairs(tokens, request.expertsOfLayer, kPairs))
        figures.pairs.append(
            Inspector::tr("Layer %1: experts %2 and %3 work together for %Ln token(s), %4 times as "
                          "often as by chance.",
                          nullptr, static_cast<int>(pair.together))
                .arg(number(pair.layer), number(pair.first), number(pair.second), number(pair.lift, 1)));
    if (stopped()) return figures;
    tokens = tokensOf(request, true); // a prompt needs experts, too
    computeBudgets(figures, request, tokens, stopped);
    return figures;
}

} // namespace coterie::app
