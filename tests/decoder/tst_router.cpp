// SPDX-License-Identifier: Apache-2.0
// Tests which experts a router's logits choose: order, ties, saturation, NaN, selection bias, groups; and the same
// under approximate routing, which prefers cached experts or leaves out those with little weight.
#include "decoder/router.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <set>

using namespace coterie::engine;

namespace {

constexpr RouterShape kSoftmax{}, kSigmoid{.gating = Gating::Sigmoid}, kSoftmaxOfAll{.normalised = false};

std::vector<Choice> choose(const std::vector<float>& logits, int64_t chosen, const RouterShape& router,
                           const std::vector<float>& bias = {}) {
    std::vector<Choice> out(static_cast<size_t>(chosen));
    std::vector<float> scratch(logits.size() + 3); // another layer may have more experts
    const auto scores = selectionScores(router, logits, bias.empty() ? nullptr : bias.data(), scratch);
    chooseExperts(router, logits, scores, out);
    return out;
}

struct Approximate {
    std::vector<Choice> chosen; // the chosen experts, except those left out
    bool changed = false;
};

/// cached: the numbers of the experts in memory.
Approximate chooseApproximately(const std::vector<float>& logits, int64_t chosen, const ApproximateRouting& routing,
                                const std::vector<size_t>& cached, const RouterShape& router = kSoftmax,
                                const std::vector<float>& bias = {}) {
    std::vector<uint8_t> inMemory(logits.size());
    for (const size_t expert : cached) inMemory[expert] = 1;
    Approximate out{.chosen = std::vector<Choice>(static_cast<size_t>(chosen))};
    std::vector<float> scratch(logits.size());
    const auto scores = selectionScores(router, logits, bias.empty() ? nullptr : bias.data(), scratch);
    const ApproximateChoice choice = chooseExperts(router, logits, scores, routing, inMemory, out.chosen);
    out.chosen.resize(choice.experts);
    out.changed = choice.changed;
    return out;
}
std::vector<Choice> approximately(const std::vector<float>& logits, int64_t chosen, const ApproximateRouting& routing,
                                  const std::vector<size_t>& cached, const RouterShape& router = kSoftmax) {
    return chooseApproximately(logits, chosen, routing, cached, router).chosen;
}

std::vector<int> experts(const std::vector<Choice>& choices) {
    std::vector<int> numbers;
    for (const Choice& choice : choices) numbers.push_back(choice.expert);
    return numbers;
}

bool sameBits(const std::vector<Choice>& a, const std::vector<Choice>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Choice& x, const Choice& y) {
        return x.expert == y.expert && std::memcmp(&x.weight, &y.weight, sizeof x.weight) == 0;
    });
}

bool near(float got, double want) { return std::abs(static_cast<double>(got) - want) < 1e-6; }

} // namespace

class RouterTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void sigmoidIsNormalised();
    void softmaxIsNormalisedOverTheChosen();
    void softmaxOverAll();
    void rankedByLogitsWhereSigmoidSaturates();
    void equalOnesByNumber();
    void farBelowZero();
    void theSelectionBiasChoosesAndDoesNotWeigh();
    void onlyTheBestGroupsAreChosenFrom();
    void approximateRoutingUnderABias();
    void numbersThatAreNone();
    void exactRoutingChangesNoBit();
    void nearEqualsInMemoryGoFirst();
    void theBestStays();
    void weightsComeFromTheTrueLogits();
    void changesAreReported();
    void allInMemoryIsLikeNone();
    void aTieGoesToTheCachedExpert();
    void topWeightShareKeepsTheFewestThatHoldIt();
    void topWeightShareKeepsAtLeastOne();
    void bothTogether();
    void approximateRoutingOfNumbersThatAreNone();
    void chosenExpertsHavePositiveMargins();
    void cachedExpertsGetTheBonus();
};

void RouterTest::sigmoidIsNormalised() {
    const auto chosen = choose({0, 2, -1, 1}, 2, kSigmoid);
    QCOMPARE(chosen[0].expert, 1);
    QCOMPARE(chosen[1].expert, 3);
    const double a = 1 / (1 + std::exp(-2.0)), b = 1 / (1 + std::exp(-1.0));
    QVERIFY(near(chosen[0].weight, a / (a + b)) && near(chosen[1].weight, b / (a + b)));
}

void RouterTest::softmaxIsNormalisedOverTheChosen() {
    const auto chosen = choose({0, 2, -1, 1}, 2, kSoftmax);
    QVERIFY(near(chosen[0].weight, 1 / (1 + std::exp(-1.0))));
    QVERIFY(near(chosen[0].weight + chosen[1].weight, 1));
}

void RouterTest::softmaxOverAll() {
    const auto chosen = choose({0, 2, -1, 1}, 2, kSoftmaxOfAll);
    const double all = 1 + std::exp(2.0) + std::exp(-1.0) + std::exp(1.0);
    QVERIFY(near(chosen[0].weight, std::exp(2.0) / all) && near(chosen[1].weight, std::exp(1.0) / all));
}

void RouterTest::rankedByLogitsWhereSigmoidSaturates() {
    const auto chosen = choose({20, 40, 30, 50}, 2, kSigmoid);
    QVERIFY(chosen[0].expert == 3 && chosen[1].expert == 1);
    QVERIFY(near(chosen[0].weight, 0.5) && near(chosen[1].weight, 0.5));
}

void RouterTest::equalOnesByNumber() {
    const auto chosen = choose({1, 1, 1, 1}, 3, kSoftmax);
    for (int i = 0; i < 3; ++i)
        QVERIFY(chosen[static_cast<size_t>(i)].expert == i && near(chosen[static_cast<size_t>(i)].weight, 1.0 / 3));
}

/// Weights are divided by 2^-14 at least: a sigmoid router may find that no expert fits.
void RouterTest::farBelowZero() {
    for (const float base : {-9.0f, -12.0f, -30.0f, -600.0f, -1e30f}) {
        const auto chosen = choose({base, base, base - 1, base}, 2, kSigmoid);
        QVERIFY(chosen[0].expert == 0 && chosen[1].expert == 1);
        const double p = 1 / (1 + std::exp(-static_cast<double>(base)));
        const double want = p / std::max(2 * p, std::ldexp(1.0, -14));
        QVERIFY2(near(chosen[0].weight, want) && near(chosen[1].weight, want),
                 qPrintable(QString::number(static_cast<double>(base))));
    }
    QVERIFY(near(choose({-5000, -5000, -5001}, 2, kSoftmax)[0].weight, 0.5));
}

void RouterTest::theSelectionBiasChoosesAndDoesNotWeigh() {
    const std::vector<float> logits{2, 1, 0, -1};
    const auto sigmoid = [](double x) { return 1 / (1 + std::exp(-x)); };
    // 0.88, 0.73, 0.5, 0.27
    const auto chosen = choose(logits, 2, kSigmoid, {0, 0, 0, 0.5f}); // the last one is lifted above the second
    QCOMPARE(experts(chosen), std::vector<int>({0, 3}));
    const double a = sigmoid(2), b = sigmoid(-1);
    QVERIFY(near(chosen[0].weight, a / (a + b)) && near(chosen[1].weight, b / (a + b)));
    // The order is that of the weights, not that of the scores.
    QCOMPARE(experts(choose(logits, 2, kSigmoid, {0, 0, 0, 5})), std::vector<int>({0, 3}));
    QCOMPARE(experts(choose(logits, 2, kSigmoid, {-1, 0, 0, 0})), std::vector<int>({1, 2}));
    // The bias joins the softmax over all: 0.64, 0.24, 0.09, 0.03.
    QCOMPARE(experts(choose(logits, 2, kSoftmax, {0, 0, 0, 0.2f})), std::vector<int>({0, 1}));
    const auto lifted = choose(logits, 2, kSoftmaxOfAll, {0, 0, 0, 0.22f});
    QCOMPARE(experts(lifted), std::vector<int>({0, 3}));
    const double all = std::exp(2.0) + std::exp(1.0) + 1 + std::exp(-1.0);
    QVERIFY(near(lifted[0].weight, std::exp(2.0) / all) && near(lifted[1].weight, std::exp(-1.0) / all));
    // A bias of zeros chooses the same experts as no bias, as long as the sigmoid of a float distinguishes the logits.
    const std::vector<float> zeros(4);
    QVERIFY(sameBits(choose(logits, 3, kSigmoid, zeros), choose(logits, 3, kSigmoid)));
    // The scale is no part of the weights: it is applied when the experts' answers are added up.
    RouterShape scaled = kSigmoid;
    scaled.scale = 2.5f;
    QVERIFY(sameBits(choose(logits, 2, scaled), choose(logits, 2, kSigmoid)));
}

void RouterTest::onlyTheBestGroupsAreChosenFrom() {
    const std::vector<float> logits{3, -3, 1, 1, 2.9f, -2.9f, 0, 0}; // the two best of a pair: 1.0, 1.46, 1.0, 1.0
    RouterShape router = kSigmoid;
    router.groups = 4;
    router.groupsUsed = 1;
    QCOMPARE(experts(choose(logits, 2, router)), std::vector<int>({2, 3}));
    router.groupsUsed = 2; // the first of the equal ones
    QCOMPARE(experts(choose({3, -3, 1, 1, 3, -3, 0, 0}, 3, router)), std::vector<int>({0, 2, 3}));
    router.groupsUsed = 4;
    QCOMPARE(experts(choose(logits, 3, router)), std::vector<int>({0, 4, 2}));
    // The bias counts for groups, too; the weights are those of the sigmoid alone.
    router.groupsUsed = 1;
    const auto lifted = choose(logits, 2, router, {0, 0, 0, 0, 0, 0, 0.5f, 0.5f});
    QCOMPARE(experts(lifted), std::vector<int>({6, 7}));
    QVERIFY(near(lifted[0].weight, 0.5) && near(lifted[1].weight, 0.5));
    // Only the two best of a group count: 0.9 + 0.89 is more than 0.95 + 3 x 0.8.
    const auto logit = [](float p) { return std::log(p / (1 - p)); };
    router.groups = 2;
    std::vector<float> wide{0.95f, 0.8f, 0.8f, 0.8f, 0.9f, 0.89f, 0.1f, 0.1f};
    for (float& each : wide) each = logit(each);
    QCOMPARE(experts(choose(wide, 2, router)), std::vector<int>({4, 5}));
    // A cached expert outside the best groups is not preferred.
    const auto approximate = chooseApproximately(wide, 2, {.preferCached = 1}, {0, 6}, router);
    QCOMPARE(experts(approximate.chosen), std::vector<int>({4, 6}));
    QVERIFY(approximate.changed);
    // Experts outside the best groups have a margin of minus infinity.
    std::vector<float> scores(8), scratch(8);
    selectionScores(router, wide, nullptr, scores);
    selectionMargins(scores, 2, scratch);
    QVERIFY(scores[4] > 0 && scores[5] > 0 && scores[6] < 0 && std::isfinite(scores[7]));
    for (size_t e = 0; e < 4; ++e) QVERIFY(std::isinf(scores[e]) && scores[e] < 0);
}

void RouterTest::approximateRoutingUnderABias() {
    const std::vector<float> logits{2, 1, 0, -1}, bias{0, 0, 0, 0.5f}; // 0.88, 0.73, 0.5, 0.77
    const auto exact = chooseApproximately(logits, 2, {}, {1, 2}, kSigmoid, bias);
    QVERIFY(sameBits(exact.chosen, choose(logits, 2, kSigmoid, bias)) && !exact.changed);
    const auto cached = chooseApproximately(logits, 2, {.preferCached = 0.2f}, {1}, kSigmoid, bias);
    QCOMPARE(experts(cached.chosen), std::vector<int>({0, 1}));
    QVERIFY(cached.changed);
    QVERIFY(!chooseApproximately(logits, 2, {.preferCached = 0.2f}, {0, 3}, kSigmoid, bias).changed);
    // The two hold 0.77 and 0.23 of the weight: the first alone holds enough.
    QCOMPARE(experts(chooseApproximately(logits, 2, {.topWeightShare = 0.7f}, {}, kSigmoid, bias).chosen),
             std::vector<int>({0}));
}

/// The choice is arbitrary then, but every chosen expert exists, and none is chosen twice.
void RouterTest::numbersThatAreNone() {
    const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
    for (const std::vector<float>& logits :
         {std::vector<float>{nan, nan, nan}, {1, nan, 2}, {infinity, infinity, nan}, {-infinity, -infinity, -infinity}})
        for (const RouterShape& router : {kSigmoid, kSoftmax}) {
            const auto chosen = choose(logits, 2, router);
            QVERIFY(chosen[0].expert >= 0 && chosen[0].expert < 3 && chosen[1].expert >= 0 && chosen[1].expert < 3);
            QVERIFY(chosen[0].expert != chosen[1].expert);
        }
}

void RouterTest::exactRoutingChangesNoBit() {
    std::mt19937 random(5);
    std::normal_distribution<float> normal(0, 2);
    for (const RouterShape& router : {kSoftmax, kSoftmaxOfAll})
        for (int round = 0; round < 200; ++round) {
            std::vector<float> logits(16);
            for (float& logit : logits) logit = normal(random);
            const auto want = choose(logits, 4, router);
            QVERIFY(sameBits(approximately(logits, 4, {}, {1, 5, 9, 13}, router), want));
            QVERIFY(sameBits(approximately(logits, 4, {.preferCached = 1}, {}, router), want)); // none is cached
            QVERIFY(sameBits(approximately(logits, 4, {.topWeightShare = 1}, {1, 5}, router), want));
        }
}

/// The range is 10, so a share of 0.1 adds 1 to cached experts.
void RouterTest::nearEqualsInMemoryGoFirst() {
    const std::vector<float> logits{10, 8, 7.5f, 6.9f, 0};
    QCOMPARE(experts(approximately(logits, 2, {.preferCached = 0.1f}, {2})), std::vector<int>({0, 2}));
    QCOMPARE(experts(approximately(logits, 2, {.preferCached = 0.1f}, {3})),
             std::vector<int>({0, 1})); // 7.9 is not enough
    QCOMPARE(experts(approximately(logits, 2, {.preferCached = 0.2f}, {3})), std::vector<int>({0, 3}));
    QCOMPARE(experts(approximately(logits, 2, {.preferCached = 0.9f}, {4})), std::vector<int>({0, 4}));
    // The order is that of the true logits, whichever expert was preferred.
    QCOMPARE(experts(approximately(logits, 4, {.preferCached = 0.5f}, {4, 3})), std::vector<int>({0, 1, 2, 3}));
    QCOMPARE(experts(approximately(logits, 4, {.preferCached = 1}, {4, 3})), std::vector<int>({0, 1, 3, 4}));
}

void RouterTest::theBestStays() {
    const std::vector<float> logits{0, 1, 2, 9, 3, 4};
    for (const float strength : {0.05f, 0.5f, 1.0f}) {
        QCOMPARE(experts(approximately(logits, 1, {.preferCached = strength}, {0, 1, 2, 4, 5})), std::vector<int>({3}));
        QCOMPARE(approximately(logits, 3, {.preferCached = strength}, {0, 1, 2})[0].expert, 3);
    }
    QCOMPARE(experts(approximately(logits, 3, {.preferCached = 1}, {0, 1})), std::vector<int>({3, 1, 0}));
}

void RouterTest::weightsComeFromTheTrueLogits() {
    const std::vector<float> logits{3, 2, 1, 0};
    const auto normalised = approximately(logits, 2, {.preferCached = 1}, {3});
    QCOMPARE(experts(normalised), std::vector<int>({0, 3}));
    const double a = std::exp(3.0), b = std::exp(0.0);
    QVERIFY(near(normalised[0].weight, a / (a + b)) && near(normalised[1].weight, b / (a + b)));
    const auto ofAll = approximately(logits, 2, {.preferCached = 1}, {3}, kSoftmaxOfAll);
    const double all = std::exp(3.0) + std::exp(2.0) + std::exp(1.0) + std::exp(0.0);
    QVERIFY(near(ofAll[0].weight, a / all) && near(ofAll[1].weight, b / all));
}

void RouterTest::changesAreReported() {
    const std::vector<float> logits{8, 7, 6, 5, 4, 3};
    const auto changed = [&logits](const ApproximateRouting& routing, const std::vector<size_t>& there) {
        return chooseApproximately(logits, 3, routing, there).changed;
    };
    QVERIFY(!changed({}, {4, 5}));
    QVERIFY(!changed({.preferCached = 1}, {}));
    QVERIFY(!changed({.preferCached = 1}, {1, 2}));
    QVERIFY(!changed({.preferCached = 0.1f}, {3})); // not by enough
    QVERIFY(changed({.preferCached = 0.3f}, {3}));
    QVERIFY(changed({.preferCached = 1}, {1, 5}));
    QVERIFY(!changed({.topWeightShare = 1}, {}));
    QVERIFY(changed({.topWeightShare = 0.5f}, {}));
    QVERIFY(changed({.preferCached = 1, .topWeightShare = 0.5f}, {0, 1, 2}));
}

/// The logits are so near each other that adding to them in float would make them equal.
void RouterTest::allInMemoryIsLikeNone() {
    std::vector<float> logits{-1000, 0.25f, 0.25f, 0.25f, 1000};
    logits[2] = std::nextafter(logits[1], 1.0f);
    logits[3] = std::nextafter(logits[2], 1.0f);
    const auto want = choose(logits, 3, kSoftmax);
    QCOMPARE(experts(want), std::vector<int>({4, 3, 2}));
    QVERIFY(sameBits(approximately(logits, 3, {.preferCached = 0.3f}, {0, 1, 2, 3, 4}), want));
}

void RouterTest::aTieGoesToTheCachedExpert() {
    const std::vector<float> logits{5, 1, 1, 1, 0};
    QCOMPARE(experts(approximately(logits, 2, {.preferCached = 0.01f}, {3})), std::vector<int>({0, 3}));
    QCOMPARE(experts(approximately(logits, 2, {.preferCached = 0.01f}, {2, 3})),
             std::vector<int>({0, 2})); // then by number
}

/// Weights 0.4, 0.3, 0.2, 0.1.
void RouterTest::topWeightShareKeepsTheFewestThatHoldIt() {
    const std::vector<float> logits{std::log(4.0f), std::log(1.0f), std::log(3.0f), std::log(2.0f)};
    const std::vector<std::pair<float, size_t>> wanted{{0.01f, 1}, {0.39f, 1}, {0.41f, 2}, {0.69f, 2},
                                                       {0.71f, 3}, {0.89f, 3}, {0.91f, 4}, {1.0f, 4}};
    const std::vector<int> ranks{0, 2, 3, 1};
    const std::vector<double> weights{0.4, 0.3, 0.2, 0.1};
    for (const auto& [share, count] : wanted) {
        const auto kept = approximately(logits, 4, {.topWeightShare = share}, {});
        QCOMPARE(experts(kept), std::vector<int>(ranks.begin(), ranks.begin() + static_cast<std::ptrdiff_t>(count)));
        double held = 0, sum = 0;
        for (size_t k = 0; k < count; ++k) held += weights[k];
        for (size_t k = 0; k < count; ++k) {
            QVERIFY(near(kept[k].weight, weights[k] / held));
            sum += static_cast<double>(kept[k].weight);
        }
        QVERIFY(std::abs(sum - 1) < 1e-6);
    }
    // Without normalising: of two experts that hold 0.7 of all weight, the first has four sevenths.
    QCOMPARE(experts(approximately(logits, 2, {.topWeightShare = 0.57f}, {}, kSoftmaxOfAll)), std::vector<int>({0}));
    QVERIFY(near(approximately(logits, 2, {.topWeightShare = 0.57f}, {}, kSoftmaxOfAll)[0].weight, 0.4));
    QCOMPARE(approximately(logits, 2, {.topWeightShare = 0.58f}, {}, kSoftmaxOfAll).size(), size_t{2});
}

void RouterTest::topWeightShareKeepsAtLeastOne() {
    for (const float share : {std::numeric_limits<float>::min(), 0.5f, 1.0f})
        QCOMPARE(experts(approximately({-1e30f, 100, -1e30f}, 2, {.topWeightShare = share}, {})).front(), 1);
    QCOMPARE(approximately({0, 100, 0}, 2, {.topWeightShare = 0.5f}, {}).size(), size_t{1});
    QCOMPARE(approximately({0, 100, 0}, 1, {.topWeightShare = 0.5f}, {})[0].weight, 1.0f);
}

/// Which experts are left out depends on the weights of those that were preferred.
void RouterTest::bothTogether() {
    const std::vector<float> logits{3, 2.9f, 0, -3};
    QCOMPARE(experts(approximately(logits, 2, {.topWeightShare = 0.9f}, {3})), std::vector<int>({0, 1}));
    const auto kept = approximately(logits, 2, {.preferCached = 1, .topWeightShare = 0.9f}, {3});
    QCOMPARE(experts(kept), std::vector<int>({0}));
    QCOMPARE(kept[0].weight, 1.0f);
}

void RouterTest::approximateRoutingOfNumbersThatAreNone() {
    const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
    for (const std::vector<float>& logits : {std::vector<float>{nan, nan, nan, nan},
                                             {1, nan, 2, nan},
                                             {infinity, infinity, nan, 0},
                                             {-infinity, -infinity, -infinity, -infinity},
                                             {3e38f, -3e38f, nan, 1}})
        for (const auto& [cached, share] : {std::pair{1.0f, 0.0f}, {0.0f, 0.9f}, {0.5f, 0.5f}}) {
            const auto chosen = approximately(logits, 3, {.preferCached = cached, .topWeightShare = share}, {1, 3});
            QVERIFY(!chosen.empty() && chosen.size() <= 3);
            std::set<int> numbers;
            for (const Choice& choice : chosen) {
                QVERIFY(choice.expert >= 0 && choice.expert < 4);
                numbers.insert(choice.expert);
            }
            QCOMPARE(numbers.size(), chosen.size());
        }
}

void RouterTest::chosenExpertsHavePositiveMargins() {
    std::mt19937 random(11);
    std::normal_distribution<float> normal;
    for (const size_t count : {size_t{1}, size_t{2}, size_t{8}, size_t{33}})
        for (size_t chosen = 1; chosen <= count; ++chosen) {
            std::vector<float> logits(count), scratch(count), moved;
            for (float& logit : logits) logit = normal(random);
            for (const float logit : logits) moved.push_back(7 * logit + 100);
            std::vector<Choice> best(chosen);
            rankExperts(logits, best);
            selectionMargins(logits, chosen, scratch);
            selectionMargins(moved, chosen, scratch);
            for (size_t e = 0; count > 1 && e < count; ++e) {
                const bool among = std::any_of(best.begin(), best.end(), [e](const Choice& choice) {
                    return choice.expert == static_cast<int32_t>(e);
                });
                QCOMPARE(logits[e] >= 0, among);
                QVERIFY(std::abs(moved[e] - logits[e]) < 1e-3F); // neither their offset nor their unit matters
            }
        }
    std::vector<float> some{3, 1, 0, -4}, scratch(4);
    selectionMargins(some, 2, scratch); // around 0, deviation: the root of 26 / 4
    QVERIFY(near(some[0], 2.5 / std::sqrt(6.5)) && near(some[1], 0.5 / std::sqrt(6.5)));
    QVERIFY(near(some[2], -0.5 / std::sqrt(6.5)));
    for (std::vector<float> odd : {std::vector<float>{2, 2, 2, 2}, {1, NAN, 3, 4}, {INFINITY, 1, 2, 3}}) {
        selectionMargins(odd, 2, scratch);
        QVERIFY(std::isnan(odd[1]));
    }
}

void RouterTest::cachedExpertsGetTheBonus() {
    std::vector<float> logits{0, 4, 10, 6};
    addCachedBonus(logits, 0, std::vector<uint8_t>{1, 1, 1, 1});
    QCOMPARE(logits, (std::vector<float>{0, 4, 10, 6}));
    addCachedBonus(logits, 0.5F, std::vector<uint8_t>{0, 1, 0, 0}); // by half of the range
    QCOMPARE(logits, (std::vector<float>{0, 9, 10, 6}));
}

QTEST_APPLESS_MAIN(RouterTest)
#include "tst_router.moc"
