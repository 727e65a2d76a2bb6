// SPDX-License-Identifier: Apache-2.0
// Which experts a router's logits choose: order, ties, saturation, numbers that are none; and the same bent toward what
// is in memory, or cut where the router is sure.
#include "decoder/router.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <set>

using namespace coterie::engine;

namespace {

ModelShape shapeFor(const std::vector<float>& logits, int64_t chosen, Gating gating, const char* family) {
    ModelShape shape;
    for (const Architecture* architecture : architectures())
        if (std::string_view(architecture->name) == family) shape.architecture = architecture;
    shape.experts = static_cast<int64_t>(logits.size());
    shape.expertsPerToken = chosen;
    shape.gating = gating;
    return shape;
}

std::vector<Choice> choose(const std::vector<float>& logits, int64_t chosen, Gating gating,
                           const char* family = "smallthinker") {
    std::vector<Choice> out(static_cast<size_t>(chosen));
    chooseExperts(shapeFor(logits, chosen, gating, family), logits, out);
    return out;
}

/// Only those that are chosen. there: numbers of experts.
std::vector<Choice> bent(const std::vector<float>& logits, int64_t chosen, const ApproximateRouting& routing,
                         const std::vector<size_t>& there, const char* family = "smallthinker") {
    std::vector<uint8_t> inMemory(logits.size());
    for (const size_t expert : there) inMemory[expert] = 1;
    std::vector<Choice> out(static_cast<size_t>(chosen));
    out.resize(
        chooseExperts(shapeFor(logits, chosen, Gating::Softmax, family), logits, routing, inMemory, out).experts);
    return out;
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

const std::vector<std::string> kFamilies{"smallthinker", "olmoe"}; // weights normalised over the chosen, and not

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
    void numbersThatAreNone();
    void withoutBendingNoBitChanges();
    void nearEqualsInMemoryGoFirst();
    void theBestStays();
    void bentWeightsAreTrueOnes();
    void whatIsChangedIsSaid();
    void allInMemoryIsLikeNone();
    void aTieGoesToWhoIsThere();
    void sureKeepsTheFewestThatHoldTheShare();
    void sureKeepsOneAtLeast();
    void bothTogether();
    void numbersThatAreNoneBend();
    void whatIsChosenLeads();
    void whatIsThereIsLifted();
};

void RouterTest::sigmoidIsNormalised() {
    const auto chosen = choose({0, 2, -1, 1}, 2, Gating::Sigmoid);
    QCOMPARE(chosen[0].expert, 1);
    QCOMPARE(chosen[1].expert, 3);
    const double a = 1 / (1 + std::exp(-2.0)), b = 1 / (1 + std::exp(-1.0));
    QVERIFY(near(chosen[0].weight, a / (a + b)) && near(chosen[1].weight, b / (a + b)));
}

void RouterTest::softmaxIsNormalisedOverTheChosen() {
    const auto chosen = choose({0, 2, -1, 1}, 2, Gating::Softmax);
    QVERIFY(near(chosen[0].weight, 1 / (1 + std::exp(-1.0))));
    QVERIFY(near(chosen[0].weight + chosen[1].weight, 1));
}

void RouterTest::softmaxOverAll() {
    const auto chosen = choose({0, 2, -1, 1}, 2, Gating::Softmax, "olmoe");
    const double all = 1 + std::exp(2.0) + std::exp(-1.0) + std::exp(1.0);
    QVERIFY(near(chosen[0].weight, std::exp(2.0) / all) && near(chosen[1].weight, std::exp(1.0) / all));
}

void RouterTest::rankedByLogitsWhereSigmoidSaturates() {
    const auto chosen = choose({20, 40, 30, 50}, 2, Gating::Sigmoid);
    QVERIFY(chosen[0].expert == 3 && chosen[1].expert == 1);
    QVERIFY(near(chosen[0].weight, 0.5) && near(chosen[1].weight, 0.5));
}

void RouterTest::equalOnesByNumber() {
    const auto chosen = choose({1, 1, 1, 1}, 3, Gating::Softmax);
    for (int i = 0; i < 3; ++i)
        QVERIFY(chosen[static_cast<size_t>(i)].expert == i && near(chosen[static_cast<size_t>(i)].weight, 1.0 / 3));
}

void RouterTest::farBelowZero() {
    for (const float base : {-400.0f, -600.0f, -5000.0f, -1e30f}) {
        const auto chosen = choose({base, base, base - 1, base}, 2, Gating::Sigmoid);
        QVERIFY(chosen[0].expert == 0 && chosen[1].expert == 1);
        QVERIFY2(near(chosen[0].weight, 0.5) && near(chosen[1].weight, 0.5),
                 qPrintable(QString::number(static_cast<double>(base))));
    }
}

/// Nothing sensible can come out, but every expert is a real one, and each is chosen once.
void RouterTest::numbersThatAreNone() {
    const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
    for (const std::vector<float>& logits :
         {std::vector<float>{nan, nan, nan}, {1, nan, 2}, {infinity, infinity, nan}, {-infinity, -infinity, -infinity}})
        for (const Gating gating : {Gating::Sigmoid, Gating::Softmax}) {
            const auto chosen = choose(logits, 2, gating);
            QVERIFY(chosen[0].expert >= 0 && chosen[0].expert < 3 && chosen[1].expert >= 0 && chosen[1].expert < 3);
            QVERIFY(chosen[0].expert != chosen[1].expert);
        }
}

void RouterTest::withoutBendingNoBitChanges() {
    std::mt19937 random(5);
    std::normal_distribution<float> normal(0, 2);
    for (const std::string& family : kFamilies)
        for (int round = 0; round < 200; ++round) {
            std::vector<float> logits(16);
            for (float& logit : logits) logit = normal(random);
            const auto want = choose(logits, 4, Gating::Softmax, family.c_str());
            QVERIFY(sameBits(bent(logits, 4, {}, {1, 5, 9, 13}, family.c_str()), want));
            QVERIFY(sameBits(bent(logits, 4, {.preferCached = 1}, {}, family.c_str()), want)); // nobody to prefer
            QVERIFY(sameBits(bent(logits, 4, {.sure = 1}, {1, 5}, family.c_str()), want));
        }
}

/// A range of 10: a share of 0.1 lifts who is there by 1.
void RouterTest::nearEqualsInMemoryGoFirst() {
    const std::vector<float> logits{10, 8, 7.5f, 6.9f, 0};
    QCOMPARE(experts(bent(logits, 2, {.preferCached = 0.1f}, {2})), std::vector<int>({0, 2}));
    QCOMPARE(experts(bent(logits, 2, {.preferCached = 0.1f}, {3})), std::vector<int>({0, 1})); // 7.9 is not enough
    QCOMPARE(experts(bent(logits, 2, {.preferCached = 0.2f}, {3})), std::vector<int>({0, 3}));
    QCOMPARE(experts(bent(logits, 2, {.preferCached = 0.9f}, {4})), std::vector<int>({0, 4}));
    // Best first by true logits, whoever was preferred.
    QCOMPARE(experts(bent(logits, 4, {.preferCached = 0.5f}, {4, 3})), std::vector<int>({0, 1, 2, 3}));
    QCOMPARE(experts(bent(logits, 4, {.preferCached = 1}, {4, 3})), std::vector<int>({0, 1, 3, 4}));
}

void RouterTest::theBestStays() {
    const std::vector<float> logits{0, 1, 2, 9, 3, 4};
    for (const float strength : {0.05f, 0.5f, 1.0f}) {
        QCOMPARE(experts(bent(logits, 1, {.preferCached = strength}, {0, 1, 2, 4, 5})), std::vector<int>({3}));
        QCOMPARE(bent(logits, 3, {.preferCached = strength}, {0, 1, 2})[0].expert, 3);
    }
    QCOMPARE(experts(bent(logits, 3, {.preferCached = 1}, {0, 1})), std::vector<int>({3, 1, 0}));
}

void RouterTest::bentWeightsAreTrueOnes() {
    const std::vector<float> logits{3, 2, 1, 0};
    const auto normalised = bent(logits, 2, {.preferCached = 1}, {3});
    QCOMPARE(experts(normalised), std::vector<int>({0, 3}));
    const double a = std::exp(3.0), b = std::exp(0.0);
    QVERIFY(near(normalised[0].weight, a / (a + b)) && near(normalised[1].weight, b / (a + b)));
    const auto ofAll = bent(logits, 2, {.preferCached = 1}, {3}, "olmoe");
    const double all = std::exp(3.0) + std::exp(2.0) + std::exp(1.0) + std::exp(0.0);
    QVERIFY(near(ofAll[0].weight, a / all) && near(ofAll[1].weight, b / all));
}

void RouterTest::whatIsChangedIsSaid() {
    const std::vector<float> logits{8, 7, 6, 5, 4, 3};
    const auto changed = [&logits](const ApproximateRouting& routing, const std::vector<size_t>& there) {
        std::vector<uint8_t> inMemory(logits.size());
        for (const size_t expert : there) inMemory[expert] = 1;
        std::vector<Choice> out(3);
        return chooseExperts(shapeFor(logits, 3, Gating::Softmax, "smallthinker"), logits, routing, inMemory, out)
            .changed;
    };
    QVERIFY(!changed({}, {4, 5}));
    QVERIFY(!changed({.preferCached = 1}, {}));
    QVERIFY(!changed({.preferCached = 1}, {1, 2}));
    QVERIFY(!changed({.preferCached = 0.1f}, {3})); // not by enough
    QVERIFY(changed({.preferCached = 0.3f}, {3}));
    QVERIFY(changed({.preferCached = 1}, {1, 5}));
    QVERIFY(!changed({.sure = 1}, {}));
    QVERIFY(changed({.sure = 0.5f}, {}));
    QVERIFY(changed({.preferCached = 1, .sure = 0.5f}, {0, 1, 2}));
}

/// Logits so near each other that adding to them in float would make them one.
void RouterTest::allInMemoryIsLikeNone() {
    std::vector<float> logits{-1000, 0.25f, 0.25f, 0.25f, 1000};
    logits[2] = std::nextafter(logits[1], 1.0f);
    logits[3] = std::nextafter(logits[2], 1.0f);
    const auto want = choose(logits, 3, Gating::Softmax);
    QCOMPARE(experts(want), std::vector<int>({4, 3, 2}));
    QVERIFY(sameBits(bent(logits, 3, {.preferCached = 0.3f}, {0, 1, 2, 3, 4}), want));
}

void RouterTest::aTieGoesToWhoIsThere() {
    const std::vector<float> logits{5, 1, 1, 1, 0};
    QCOMPARE(experts(bent(logits, 2, {.preferCached = 0.01f}, {3})), std::vector<int>({0, 3}));
    QCOMPARE(experts(bent(logits, 2, {.preferCached = 0.01f}, {2, 3})), std::vector<int>({0, 2})); // then by number
}

/// Weights 0.4, 0.3, 0.2, 0.1.
void RouterTest::sureKeepsTheFewestThatHoldTheShare() {
    const std::vector<float> logits{std::log(4.0f), std::log(1.0f), std::log(3.0f), std::log(2.0f)};
    const std::vector<std::pair<float, size_t>> wanted{{0.01f, 1}, {0.39f, 1}, {0.41f, 2}, {0.69f, 2},
                                                       {0.71f, 3}, {0.89f, 3}, {0.91f, 4}, {1.0f, 4}};
    const std::vector<int> ranks{0, 2, 3, 1};
    const std::vector<double> weights{0.4, 0.3, 0.2, 0.1};
    for (const auto& [share, count] : wanted) {
        const auto kept = bent(logits, 4, {.sure = share}, {});
        QCOMPARE(experts(kept), std::vector<int>(ranks.begin(), ranks.begin() + static_cast<std::ptrdiff_t>(count)));
        double held = 0, sum = 0;
        for (size_t k = 0; k < count; ++k) held += weights[k];
        for (size_t k = 0; k < count; ++k) {
            QVERIFY(near(kept[k].weight, weights[k] / held));
            sum += static_cast<double>(kept[k].weight);
        }
        QVERIFY(std::abs(sum - 1) < 1e-6);
    }
    // Where a family leaves them as they are: of two that hold 0.7 of all, the first has four sevenths.
    QCOMPARE(experts(bent(logits, 2, {.sure = 0.57f}, {}, "olmoe")), std::vector<int>({0}));
    QVERIFY(near(bent(logits, 2, {.sure = 0.57f}, {}, "olmoe")[0].weight, 0.4));
    QCOMPARE(bent(logits, 2, {.sure = 0.58f}, {}, "olmoe").size(), size_t{2});
}

void RouterTest::sureKeepsOneAtLeast() {
    for (const float share : {std::numeric_limits<float>::min(), 0.5f, 1.0f})
        QCOMPARE(experts(bent({-1e30f, 100, -1e30f}, 2, {.sure = share}, {})).front(), 1);
    QCOMPARE(bent({0, 100, 0}, 2, {.sure = 0.5f}, {}).size(), size_t{1});
    QCOMPARE(bent({0, 100, 0}, 1, {.sure = 0.5f}, {})[0].weight, 1.0f);
}

/// Who is dropped is decided by the weights of those that were preferred.
void RouterTest::bothTogether() {
    const std::vector<float> logits{3, 2.9f, 0, -3};
    QCOMPARE(experts(bent(logits, 2, {.sure = 0.9f}, {3})), std::vector<int>({0, 1}));
    const auto kept = bent(logits, 2, {.preferCached = 1, .sure = 0.9f}, {3});
    QCOMPARE(experts(kept), std::vector<int>({0}));
    QCOMPARE(kept[0].weight, 1.0f);
}

void RouterTest::numbersThatAreNoneBend() {
    const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
    for (const std::vector<float>& logits : {std::vector<float>{nan, nan, nan, nan},
                                             {1, nan, 2, nan},
                                             {infinity, infinity, nan, 0},
                                             {-infinity, -infinity, -infinity, -infinity},
                                             {3e38f, -3e38f, nan, 1}})
        for (const auto& [cached, sure] : {std::pair{1.0f, 0.0f}, {0.0f, 0.9f}, {0.5f, 0.5f}}) {
            const auto chosen = bent(logits, 3, {.preferCached = cached, .sure = sure}, {1, 3});
            QVERIFY(!chosen.empty() && chosen.size() <= 3);
            std::set<int> numbers;
            for (const Choice& choice : chosen) {
                QVERIFY(choice.expert >= 0 && choice.expert < 4);
                numbers.insert(choice.expert);
            }
            QCOMPARE(numbers.size(), chosen.size());
        }
}

void RouterTest::whatIsChosenLeads() {
    std::mt19937 random(11);
    std::normal_distribution<float> normal;
    for (const size_t count : {size_t{1}, size_t{2}, size_t{8}, size_t{33}})
        for (size_t chosen = 1; chosen <= count; ++chosen) {
            std::vector<float> logits(count), scratch(count), moved;
            for (float& logit : logits) logit = normal(random);
            for (const float logit : logits) moved.push_back(7 * logit + 100);
            std::vector<Choice> best(chosen);
            rankExperts(logits, best);
            leadsOf(logits, chosen, scratch);
            leadsOf(moved, chosen, scratch);
            for (size_t e = 0; count > 1 && e < count; ++e) {
                const bool among = std::any_of(best.begin(), best.end(), [e](const Choice& choice) {
                    return choice.expert == static_cast<int32_t>(e);
                });
                QCOMPARE(logits[e] >= 0, among);
                QVERIFY(std::abs(moved[e] - logits[e]) < 1e-3F); // neither where they lie nor their unit matters
            }
        }
    std::vector<float> some{3, 1, 0, -4}, scratch(4);
    leadsOf(some, 2, scratch); // around 0, deviation: the root of 26 / 4
    QVERIFY(near(some[0], 2.5 / std::sqrt(6.5)) && near(some[1], 0.5 / std::sqrt(6.5)));
    QVERIFY(near(some[2], -0.5 / std::sqrt(6.5)));
    for (std::vector<float> odd : {std::vector<float>{2, 2, 2, 2}, {1, NAN, 3, 4}, {INFINITY, 1, 2, 3}}) {
        leadsOf(odd, 2, scratch);
        QVERIFY(std::isnan(odd[1]));
    }
}

void RouterTest::whatIsThereIsLifted() {
    std::vector<float> logits{0, 4, 10, 6};
    liftPresent(logits, 0, std::vector<uint8_t>{1, 1, 1, 1});
    QCOMPARE(logits, (std::vector<float>{0, 4, 10, 6}));
    liftPresent(logits, 0.5F, std::vector<uint8_t>{0, 1, 0, 0}); // by half of the range
    QCOMPARE(logits, (std::vector<float>{0, 9, 10, 6}));
}

QTEST_APPLESS_MAIN(RouterTest)
#include "tst_router.moc"
