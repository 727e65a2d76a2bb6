// SPDX-License-Identifier: Apache-2.0
// Tests the numbering of the experts of all layers: layers without experts, the ends of layers, and what it lacks.
#include "experts/expert_index.h"

#include <QtTest>

#include <vector>

using coterie::engine::ExpertIndex;

class TestExpertIndex : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void numbersFollowEachOther() {
        const std::vector<int> expertsOfLayer{3, 0, 1, 2};
        const ExpertIndex index(expertsOfLayer);
        QCOMPARE(index.layers(), expertsOfLayer.size());
        QCOMPARE(index.experts(), size_t{6});
        size_t number = 0;
        for (int layer = 0; layer < 4; ++layer) {
            const int experts = expertsOfLayer[static_cast<size_t>(layer)];
            QCOMPARE(index.first(static_cast<size_t>(layer)), number);
            QCOMPARE(index.expertsOf(static_cast<size_t>(layer)), static_cast<size_t>(experts));
            for (int expert = 0; expert < experts; ++expert) QCOMPARE(index.number(layer, expert), number++);
            QVERIFY(!index.has(layer, experts));
            QVERIFY(!index.has(layer, -1));
        }
        QCOMPARE(index.first(4), number);
        QVERIFY(!index.has(-1, 0) && !index.has(4, 0));
    }

    void anEmptyIndexHasNothing() {
        QCOMPARE(ExpertIndex().layers(), size_t{0});
        QCOMPARE(ExpertIndex().experts(), size_t{0});
        QVERIFY(!ExpertIndex().has(0, 0));
    }

    /// Counts come from files: a layer with fewer than no experts has none.
    void aNumberBelowZeroCountsAsZero() {
        QVERIFY(ExpertIndex(std::vector<int64_t>{2, -5, 1}) == ExpertIndex(std::vector<int>{2, 0, 1}));
    }
};

QTEST_GUILESS_MAIN(TestExpertIndex)
#include "tst_expert_index.moc"
