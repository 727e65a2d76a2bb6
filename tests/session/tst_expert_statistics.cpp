// SPDX-License-Identifier: Apache-2.0
// Statistics over a trace: cases counted by hand, and random traces against counting in the plainest way.
#include "experts/replay.h"
#include "records/expert_statistics.h"
#include "support/random.h"

#include <QtTest>

#include <cmath>
#include <set>

using namespace coterie::engine;
using namespace coterie::test;

namespace {

constexpr double kRounding = 1e-12; // the sums here are of a few hundred doubles

bool isNear(double a, double b) { return std::abs(a - b) < kRounding; }

ExpertUse use(int expert, float weight = 0.5F, bool hit = true, int activeNeurons = 0) {
    return {.expert = expert, .weight = weight, .hit = hit, .activeNeurons = activeNeurons};
}

TracedLayer layerOf(int layer, std::vector<ExpertUse> uses, double waitSeconds = 0) {
    return {.layer = layer, .waitSeconds = waitSeconds, .uses = std::move(uses)};
}

TracedToken tokenOf(std::vector<TracedLayer> layers, double seconds = 0) {
    return {.position = 0, .headRows = 0, .seconds = seconds, .layers = std::move(layers)};
}

/// Two tokens of a model with a dense layer 0, 4 experts in layer 1 and 3 in layer 2.
const std::vector<int64_t> kExperts{1, 4, 3};
std::vector<TracedToken> twoTokens() {
    return {tokenOf({layerOf(0, {use(0, 1)}), layerOf(1, {use(2, 0.75F), use(0, 0.25F, false)}, 0.5),
                     layerOf(2, {use(1, 1, false, 7)}, 0.25)},
                    2),
            tokenOf({layerOf(0, {use(0, 1, false)}), layerOf(1, {use(2, 0.5F), use(3, 0.5F)}),
                     layerOf(2, {use(1, 1, true, 5)})},
                    1)};
}

/// Tokens that use experts of uneven popularity; now and then a layer is left out, and one that the model lacks is
/// named.
std::vector<TracedToken> drawTokens(Random& random, const std::vector<int64_t>& experts, size_t count) {
    std::vector<TracedToken> tokens(count);
    for (TracedToken& token : tokens) {
        for (size_t l = 0; l < experts.size(); ++l) {
            if (random.bits() % 16 == 0) continue;
            std::set<int> chosen;
            const size_t wanted = experts[l] == 1 ? 1 : 1 + random.bits() % 2;
            while (chosen.size() < wanted) {
                const double u = random.uniform();
                chosen.insert(static_cast<int>(u * u * static_cast<double>(experts[l])));
            }
            TracedLayer layer = layerOf(static_cast<int>(l), {});
            for (const int expert : chosen)
                layer.uses.push_back(use(expert, 0.5F, random.bits() % 2 == 0, static_cast<int>(random.bits() % 10)));
            if (random.bits() % 16 == 0) layer.uses.push_back(use(static_cast<int>(experts[l])));
            token.layers.push_back(layer);
        }
    }
    return tokens;
}

/// Whether the token used the expert in the layer.
bool used(const TracedToken& token, int layer, int expert) {
    for (const TracedLayer& traced : token.layers)
        for (const ExpertUse& one : traced.uses)
            if (traced.layer == layer && one.expert == expert) return true;
    return false;
}

bool visited(const TracedToken& token, int layer) {
    return std::any_of(token.layers.begin(), token.layers.end(), [&](const auto& l) { return l.layer == layer; });
}

uint64_t countIf(const std::vector<TracedToken>& tokens, const std::function<bool(const TracedToken&)>& is) {
    return static_cast<uint64_t>(std::count_if(tokens.begin(), tokens.end(), is));
}

} // namespace

class TestExpertStatistics : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void layersThatAreDense();
    void usageByHand();
    void usageLeavesOutWhatTheModelLacks();
    void usageOfRandomTraces();
    void usageAddsRuns();
    void giniAndEntropy();
    void coverageByHand();
    void coverageOfRandomTraces();
    void uniformCoverageIsItsFormula();
    void pairsByHand();
    void pairsOfRandomTraces();
    void spreads();
    void activeNeurons();
    void budgetsAreReplayed();
    void differences();
};

void TestExpertStatistics::layersThatAreDense() {
    const TraceShape shape{.layers = 4, .experts = 4, .expertsPerToken = 2, .neurons = 8};
    // Layer 3 has no tokens, so it is taken for one with experts.
    QCOMPARE(expertsOfLayers(shape, twoTokens()), (std::vector<int64_t>{1, 4, 4, 4}));
    QCOMPARE(expertsOfLayers(shape, {}), (std::vector<int64_t>{4, 4, 4, 4}));
    // Expert 0 with a smaller weight is a choice of a router, and one such token is enough.
    std::vector<TracedToken> tokens{tokenOf({layerOf(0, {use(0, 1)})}), tokenOf({layerOf(0, {use(0, 0.5F)})})};
    QCOMPARE(expertsOfLayers(shape, tokens).front(), 4);
    tokens[1] = tokenOf({layerOf(0, {}), layerOf(-1, {use(0, 1)}), layerOf(4, {use(0, 1)})});
    QCOMPARE(expertsOfLayers(shape, tokens), (std::vector<int64_t>{1, 4, 4, 4}));
}

void TestExpertStatistics::usageByHand() {
    ExpertUsage usage(kExperts);
    QCOMPARE(usage.mostUses(), 0U);
    for (const TracedToken& token : twoTokens()) usage.add(token);
    QCOMPARE(usage.tokens(), 2U);
    QCOMPARE(usage.requests(), 8U);
    QCOMPARE(usage.misses(), 3U);
    QCOMPARE(usage.mostUses(), 2U);
    QCOMPARE(usage.activeNeurons(), 12U);
    QCOMPARE(usage.waitSeconds(), 0.75);
    QCOMPARE(usage.seconds(), 3.0);
    const auto layer = usage.uses(1);
    QCOMPARE(std::vector<uint64_t>(layer.begin(), layer.end()), (std::vector<uint64_t>{1, 0, 2, 1}));
    QCOMPARE(usage.uses(0).size(), 1U);
    QCOMPARE(usage.usesOf(0, 0), 2U);
    QCOMPARE(usage.usesOf(2, 1), 2U);
    QCOMPARE(usage.usesOf(2, 2), 0U);
    QCOMPARE(usage.missesOf(1, 0), 1U);
    QCOMPARE(usage.missesOf(1, 2), 0U);
    QCOMPARE(usage.missesOf(2, 1), 1U);
    QCOMPARE(usage.weightOf(1, 2), 1.25);
    QCOMPARE(ExpertUsage().mostUses(), 0U);
    ExpertUsage chosenOnce({1, 2}); // the first layer is dense
    for (const int expert : {0, 1}) chosenOnce.add(tokenOf({layerOf(0, {use(0, 1)}), layerOf(1, {use(expert, 1)})}));
    QCOMPARE(chosenOnce.mostUses(), 1U);
    ExpertUsage dense({1, 1});
    dense.add(tokenOf({layerOf(0, {use(0, 1)}), layerOf(1, {use(0, 1)})}));
    QCOMPARE(dense.mostUses(), 1U);
    QVERIFY(ExpertUsage().expertsOfLayer().empty());
}

void TestExpertStatistics::usageLeavesOutWhatTheModelLacks() {
    ExpertUsage usage(kExperts);
    usage.add(tokenOf({layerOf(-1, {use(0)}), layerOf(3, {use(0)}), layerOf(1, {use(4), use(-1), use(3)}),
                       layerOf(2, {use(2147483647)})}));
    QCOMPARE(usage.requests(), 1U);
    QCOMPARE(usage.usesOf(1, 3), 1U);
    ExpertUsage none(std::vector<int64_t>{0, -5, 2}); // layers that claim to have no experts
    none.add(tokenOf({layerOf(0, {use(0)}), layerOf(1, {use(0)}), layerOf(2, {use(1)})}));
    QCOMPARE(none.requests(), 1U);
    QVERIFY(none.uses(0).empty() && none.uses(1).empty());
    QCOMPARE(none.usesOf(2, 1), 1U);
}

void TestExpertStatistics::usageOfRandomTraces() {
    Random random(5);
    const std::vector<int64_t> experts{1, 7, 12, 2};
    const std::vector<TracedToken> tokens = drawTokens(random, experts, 200);
    ExpertUsage usage(experts);
    for (const TracedToken& token : tokens) usage.add(token);
    uint64_t all = 0;
    for (int l = 0; l < 4; ++l) {
        for (int e = 0; e < experts[static_cast<size_t>(l)]; ++e) {
            const uint64_t counted = countIf(tokens, [&](const TracedToken& token) { return used(token, l, e); });
            QCOMPARE(usage.usesOf(l, e), counted);
            all += counted;
        }
    }
    QCOMPARE(usage.requests(), all);
    QVERIFY(usage.misses() > 0 && usage.misses() < all);
}

void TestExpertStatistics::usageAddsRuns() {
    Random random(6);
    const std::vector<TracedToken> tokens = drawTokens(random, kExperts, 50);
    ExpertUsage whole(kExperts), first(kExperts), second(kExperts);
    for (size_t i = 0; i < tokens.size(); ++i) {
        whole.add(tokens[i]);
        (i < 20 ? first : second).add(tokens[i]);
    }
    first.add(second);
    for (int l = 0; l < 3; ++l) {
        for (int e = 0; e < kExperts[static_cast<size_t>(l)]; ++e) {
            QCOMPARE(first.usesOf(l, e), whole.usesOf(l, e));
            QCOMPARE(first.missesOf(l, e), whole.missesOf(l, e));
            QCOMPARE(first.weightOf(l, e), whole.weightOf(l, e));
        }
    }
    QCOMPARE(first.tokens(), 50U);
    QCOMPARE(first.requests(), whole.requests());
    QCOMPARE(first.misses(), whole.misses());
    QCOMPARE(first.activeNeurons(), whole.activeNeurons());
    first.add(ExpertUsage({1, 4})); // another model
    QCOMPARE(first.tokens(), 50U);
}

void TestExpertStatistics::giniAndEntropy() {
    using Counts = std::vector<uint64_t>;
    QCOMPARE(giniIndex(Counts{}), 0.0);
    QCOMPARE(giniIndex(Counts{0, 0, 0}), 0.0);
    QCOMPARE(giniIndex(Counts{5, 5, 5, 5}), 0.0);
    QCOMPARE(giniIndex(Counts{0, 9, 0, 0}), 0.75);
    QCOMPARE(giniIndex(Counts{3, 1}), 0.25); // the mean difference 2 * 2 / 4 over twice the mean 2
    QCOMPARE(giniIndex(Counts{7}), 0.0);
    QCOMPARE(entropyBits(Counts{}), 0.0);
    QCOMPARE(entropyBits(Counts{0, 0}), 0.0);
    QCOMPARE(entropyBits(Counts{0, 8, 0}), 0.0);
    QCOMPARE(entropyBits(Counts{3, 3, 3, 3}), 2.0);
    QCOMPARE(entropyBits(Counts{2, 1, 1}), 1.5);
    Random random(7);
    for (int round = 0; round < 200; ++round) {
        Counts counts(1 + random.bits() % 20);
        for (uint64_t& count : counts) count = random.bits() % 50;
        counts[0] += 1;
        const auto n = static_cast<double>(counts.size());
        // The definition: the mean absolute difference of all pairs, over twice the mean.
        double differences = 0, sum = 0;
        for (const uint64_t a : counts) {
            sum += static_cast<double>(a);
            for (const uint64_t b : counts) differences += std::abs(static_cast<double>(a) - static_cast<double>(b));
        }
        const double gini = giniIndex(counts), entropy = entropyBits(counts);
        QVERIFY(std::abs(gini - differences / (2 * n * sum)) < 1e-9);
        QVERIFY(gini >= -kRounding && gini <= 1 - 1 / n + kRounding);
        QVERIFY(entropy >= -kRounding && entropy <= std::log2(n) + kRounding);
    }
}

void TestExpertStatistics::coverageByHand() {
    const std::vector<double> shares = coverage(twoTokens(), kExperts);
    QCOMPARE(shares, (std::vector<double>{3 / 7.0, 4 / 7.0})); // the dense layer does not count
    QVERIFY(coverage({}, kExperts).empty());
    QCOMPARE(coverage(twoTokens(), std::vector<int64_t>{1, 1, 1}), (std::vector<double>{0, 0}));
    QCOMPARE(coverage(std::vector{twoTokens().front()}, kExperts).size(), 1U);
}

void TestExpertStatistics::coverageOfRandomTraces() {
    Random random(8);
    const std::vector<int64_t> experts{1, 30, 11};
    const std::vector<TracedToken> tokens = drawTokens(random, experts, 60);
    const std::vector<double> shares = coverage(tokens, experts);
    QCOMPARE(shares.size(), tokens.size());
    for (size_t t = 0; t < tokens.size(); ++t) {
        const std::vector<TracedToken> sofar(tokens.begin(), tokens.begin() + static_cast<ptrdiff_t>(t) + 1);
        int distinct = 0;
        for (int l = 1; l < 3; ++l)
            for (int e = 0; e < experts[static_cast<size_t>(l)]; ++e)
                distinct += countIf(sofar, [&](const TracedToken& token) { return used(token, l, e); }) > 0 ? 1 : 0;
        QVERIFY(isNear(shares[t], distinct / 41.0));
    }
}

void TestExpertStatistics::uniformCoverageIsItsFormula() {
    // Layer 1 uses 2 of 4 experts for each token, layer 2 uses 1 of 3.
    std::vector<TracedToken> tokens(20, twoTokens().front());
    std::vector<double> shares = uniformCoverage(tokens, kExperts);
    QCOMPARE(shares.size(), 20U);
    for (int t = 1; t <= 20; ++t) {
        const double wanted = (4 * (1 - std::pow(1 - 2 / 4.0, t)) + 3 * (1 - std::pow(1 - 1 / 3.0, t))) / 7;
        QVERIFY(isNear(shares[static_cast<size_t>(t) - 1], wanted));
    }
    // An expert that the model lacks is not one of the k.
    for (TracedToken& token : tokens) token.layers[1].uses.push_back(use(4));
    QCOMPARE(uniformCoverage(tokens, kExperts), shares);
    QVERIFY(uniformCoverage({}, kExperts).empty());
    QCOMPARE(uniformCoverage(tokens, std::vector<int64_t>{1, 1}), std::vector<double>(20, 0));
    const std::vector<TracedToken> all{tokenOf({layerOf(0, {use(0), use(1)})})}; // both of two experts
    QCOMPARE(uniformCoverage(all, std::vector<int64_t>{2}), std::vector<double>{1});
}

void TestExpertStatistics::pairsByHand() {
    // Experts 0 and 1 always come together; 2 and 3 too, once; expert 1 without 0 never.
    std::vector<TracedToken> tokens(3, tokenOf({layerOf(0, {use(1), use(0)})}));
    tokens.push_back(tokenOf({layerOf(0, {use(2), use(3)})}));
    const std::vector<int64_t> experts{4};
    const std::vector<ExpertPair> pairs = expertPairs(tokens, experts, 10);
    QCOMPARE(pairs.size(), 2U); // experts that never meet are no pair
    QCOMPARE(pairs[0].layer, 0);
    QCOMPARE(pairs[0].first, 0);
    QCOMPARE(pairs[0].second, 1);
    QCOMPARE(pairs[0].together, 3U);
    QVERIFY(isNear(pairs[0].lift, 4 / 3.0)); // 3 * 4 / (3 * 3)
    QCOMPARE(pairs[1].first, 2);
    QVERIFY(isNear(pairs[1].lift, 4)); // 1 * 4 / (1 * 1): rarer, so it comes later although its lift is larger
    QCOMPARE(expertPairs(tokens, experts, 1).size(), 1U);
    QVERIFY(expertPairs(tokens, experts, 0).empty());
    QVERIFY(expertPairs({}, experts, 10).empty());
    QVERIFY(expertPairs(tokens, std::vector<int64_t>{1}, 10).empty());
    // Experts that the model lacks are in no pair; a pair no more often than by chance is left out.
    QCOMPARE(expertPairs(tokens, std::vector<int64_t>{3}, 10).size(), 1U);
    QVERIFY(expertPairs(std::vector{tokens.front()}, experts, 10).empty());
}

void TestExpertStatistics::pairsOfRandomTraces() {
    Random random(9);
    const std::vector<int64_t> experts{1, 6, 9};
    const std::vector<TracedToken> tokens = drawTokens(random, experts, 150);
    const std::vector<ExpertPair> pairs = expertPairs(tokens, experts, 1000);
    QVERIFY(!pairs.empty());
    size_t found = 0;
    for (int l = 1; l < 3; ++l) {
        const auto of = static_cast<double>(countIf(tokens, [&](const TracedToken& t) { return visited(t, l); }));
        for (int b = 0; b < experts[static_cast<size_t>(l)]; ++b) {
            for (int a = 0; a < b; ++a) {
                const uint64_t as = countIf(tokens, [&](const TracedToken& t) { return used(t, l, a); });
                const uint64_t bs = countIf(tokens, [&](const TracedToken& t) { return used(t, l, b); });
                const uint64_t both = countIf(tokens, [&](const auto& t) { return used(t, l, a) && used(t, l, b); });
                const double lift = as * bs == 0 ? 0 : static_cast<double>(both) * of / static_cast<double>(as * bs);
                const auto pair = std::find_if(pairs.begin(), pairs.end(), [&](const ExpertPair& p) {
                    return p.layer == l && p.first == a && p.second == b;
                });
                QCOMPARE(pair != pairs.end(), lift > 1);
                if (pair == pairs.end()) continue;
                ++found;
                QCOMPARE(pair->together, both);
                QVERIFY(isNear(pair->lift, lift));
            }
        }
    }
    QCOMPARE(found, pairs.size());
    const auto beyond = [](const ExpertPair& p) { return static_cast<double>(p.together) * (1 - 1 / p.lift); };
    for (size_t i = 1; i < pairs.size(); ++i) QVERIFY(beyond(pairs[i - 1]) >= beyond(pairs[i]) - 1e-9);
}

void TestExpertStatistics::spreads() {
    QVERIFY(!spreadOf({}));
    QCOMPARE(*spreadOf({3}), (Spread{3, 3, 3, 3, 3}));
    QCOMPARE(*spreadOf({2, 1}), (Spread{1, 1.25, 1.5, 1.75, 2}));
    QCOMPARE(*spreadOf({5, 1, 4, 2, 3}), (Spread{1, 2, 3, 4, 5}));
    QCOMPARE(*spreadOf({4, 1, 3, 2}), (Spread{1, 1.75, 2.5, 3.25, 4}));
}

void TestExpertStatistics::activeNeurons() {
    const TraceShape shape{.layers = 3, .experts = 4, .expertsPerToken = 2, .neurons = 10};
    const auto token = [](int a, int b, int c) {
        return tokenOf({layerOf(0, {use(0, 1, true, a), use(1, 1, true, b)}), layerOf(1, {use(0, 1, true, c)}),
                        layerOf(7, {use(0, 1, true, 10)})});
    };
    const std::vector<TracedToken> tokens{token(1, 3, 0), token(0, 0, 0), token(10, 10, 0)};
    const auto shares = activeShares(tokens, shape);
    QCOMPARE(shares.size(), 3U);
    QVERIFY(shares[0].has_value());
    const Spread wanted = *spreadOf({0.2, 0, 1});
    QVERIFY(isNear(shares[0]->median, wanted.median) && isNear(shares[0]->least, 0) && isNear(shares[0]->most, 1));
    QVERIFY(isNear(shares[0]->lowerQuartile, 0.1) && isNear(shares[0]->upperQuartile, 0.6));
    QVERIFY(!shares[1] && !shares[2]); // no ReLU, and no tokens
    QCOMPARE(activeShares({}, shape).size(), 3U);
    QVERIFY(!activeShares(tokens, TraceShape{.layers = 1, .experts = 4, .expertsPerToken = 2, .neurons = 0})[0]);
}

void TestExpertStatistics::budgetsAreReplayed() {
    Random random(10);
    const std::vector<int64_t> experts{9, 9};
    std::vector<TracedToken> tokens = drawTokens(random, experts, 80);
    RoutingTrace trace;
    for (const TracedToken& token : tokens) {
        for (const TracedLayer& layer : token.layers) {
            std::vector<int> ids;
            for (const ExpertUse& one : layer.uses) ids.push_back(one.expert);
            QVERIFY(trace.add(layer.layer, ids));
        }
    }
    tokens.push_back(tokenOf({layerOf(0, {})})); // a layer without uses changes nothing
    const std::vector<uint64_t> slots{1, 4, 8, 12, 100};
    const auto points = replayBudgets(tokens, slots);
    QVERIFY(points);
    QCOMPARE(points->size(), 4U); // 1 slot can't hold the experts of a token
    for (const BudgetPoint& point : *points) {
        QCOMPARE(point.hitRate, replay(trace, EvictionKind::ExpectedUse, point.slots)->hitRate());
        QCOMPARE(point.bestPossible, replayClairvoyant(trace, point.slots)->hitRate());
        QVERIFY(point.hitRate <= point.bestPossible);
    }
    // By hand: with room for all, each expert is missed once.
    const auto room = replayBudgets(twoTokens(), std::vector<uint64_t>{100});
    QVERIFY(room);
    QCOMPARE(room->front().hitRate, 3 / 8.0); // five of the eight uses are the first ones
    QCOMPARE(room->front().bestPossible, 3 / 8.0);
    QVERIFY(replayBudgets(twoTokens(), std::vector<uint64_t>{})->empty());
    const auto none = replayBudgets({}, slots);
    QVERIFY(!none);
    QCOMPARE(none.error().kind, ErrorKind::BadInput);
    const std::vector<TracedToken> twice{tokenOf({layerOf(0, {use(1), use(1)})})};
    QVERIFY(!replayBudgets(twice, slots)); // no trace of a model
}

void TestExpertStatistics::differences() {
    ExpertUsage first({2, 3}), second({2, 3});
    for (int i = 0; i < 4; ++i) first.add(tokenOf({layerOf(0, {use(0)}), layerOf(1, {use(i == 0 ? 2 : 1)})}));
    QCOMPARE(usageDifference(first, second), std::vector<double>(5, 0)); // the second run has used nothing
    second.add(tokenOf({layerOf(1, {use(1)})}));
    second.add(tokenOf({layerOf(1, {use(0)})}));
    QCOMPARE(usageDifference(first, second), (std::vector<double>{0, 0, 0.5, -0.25, -0.25}));
    QCOMPARE(usageDifference(second, first), (std::vector<double>{0, 0, -0.5, 0.25, 0.25}));
    QVERIFY(usageDifference(first, ExpertUsage({2, 4})).empty());
}

QTEST_GUILESS_MAIN(TestExpertStatistics)
#include "tst_expert_statistics.moc"
