// SPDX-License-Identifier: Apache-2.0
// Which experts a router's logits choose: order, ties, saturation, numbers that are none.
#include "decoder/router.h"

#include <QtTest>

#include <cmath>

using namespace coterie::engine;

namespace {

std::vector<Choice> choose(const std::vector<float>& logits, int64_t chosen, Gating gating,
                           const char* family = "smallthinker") {
    ModelShape shape;
    for (const Architecture* architecture : architectures())
        if (std::string_view(architecture->name) == family) shape.architecture = architecture;
    shape.experts = static_cast<int64_t>(logits.size());
    shape.expertsPerToken = chosen;
    shape.gating = gating;
    std::vector<Choice> out(static_cast<size_t>(chosen));
    chooseExperts(shape, logits, out);
    return out;
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
    void numbersThatAreNone();
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

QTEST_APPLESS_MAIN(RouterTest)
#include "tst_router.moc"
