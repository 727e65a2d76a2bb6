// SPDX-License-Identifier: Apache-2.0
// The division of shared slots into two sizes: which layers get small ones, the shares without a record of use, and
// those that recorded use gives: with no other division of as many bytes would it have read less.
#include "experts/expert_source.h"
#include "experts/replay.h"
#include "experts/slot_layout.h"

#include <QtTest>

#include <algorithm>
#include <array>
#include <limits>
#include <random>
#include <span>
#include <vector>

using namespace coterie::engine;

namespace {

constexpr uint64_t kLargeBytes = 100000, kSmallBytes = 50000;

/// A layer whose experts take these bytes, and a little for alignment.
ExpertLayer layerOf(int experts, uint64_t bytes, int chosen = 2) {
    ExpertLayer layer;
    layer.gate.bytes = bytes;
    layer.experts = experts;
    layer.chosen = chosen;
    return layer;
}

/// A layer of each size, and a dense one between them, which has a slot of its own.
std::vector<ExpertLayer> threeLayers(int large, int small, int chosen = 2) {
    return {layerOf(large, kLargeBytes, chosen), layerOf(1, 900000, 1), layerOf(small, kSmallBytes, chosen)};
}

/// A heat of the three layers: tokens, and how many of them used each expert of the first and of the last one.
ExpertHeat heatOf(float tokens, std::span<const float> large, std::span<const float> small) {
    ExpertHeat heat{.tokens = {tokens, tokens, tokens}, .uses = {large.begin(), large.end()}};
    heat.uses.push_back(tokens);
    heat.uses.insert(heat.uses.end(), small.begin(), small.end());
    return heat;
}

std::vector<float> drawnUses(std::mt19937& random, int experts, uint32_t most) {
    std::vector<float> uses;
    for (int i = 0; i < experts; ++i) uses.push_back(static_cast<float>(random() % (1 + random() % most)));
    return uses;
}

/// The bytes that the use reads, if so many of the experts of each size that were used most stay in memory.
double readBy(std::span<const std::vector<float>, 2> uses, std::span<const uint64_t, 2> bytes, uint64_t large,
              uint64_t small) {
    double read = 0;
    for (const size_t size : {size_t{0}, size_t{1}}) {
        std::vector<float> sorted = uses[size];
        std::sort(sorted.begin(), sorted.end());
        for (size_t i = 0; i + (size == 0 ? large : small) < sorted.size(); ++i)
            read += static_cast<double>(sorted[i]) * static_cast<double>(bytes[size]);
    }
    return read;
}

/// The fewest bytes that the use reads with any number of large and small slots that take at most so many bytes.
double fewestRead(std::span<const std::vector<float>, 2> uses, std::span<const uint64_t, 2> bytes, uint64_t least,
                  uint64_t most) {
    double fewest = std::numeric_limits<double>::infinity();
    for (uint64_t large = least; large <= uses[0].size(); ++large)
        for (uint64_t small = least; small <= uses[1].size(); ++small)
            if (large * bytes[0] + small * bytes[1] <= most)
                fewest = std::min(fewest, readBy(uses, bytes, large, small));
    return fewest;
}

/// Experts of which nothing is known.
SlotDivision::Experts unused(uint64_t experts, uint64_t atOnce) {
    return {.use = std::vector<double>(experts), .atOnce = atOnce};
}

} // namespace

class SlotDivisionTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    /// Each size has its share of the slots where nothing is known.
    void everyPrefixKeepsTheShares() {
        std::mt19937 random(3);
        for (int round = 0; round < 300; ++round) {
            const uint64_t larges = 1 + random() % 200, smalls = 1 + random() % 200, all = larges + smalls;
            const uint64_t leastLarge = 1 + random() % std::min<uint64_t>(larges, 9);
            const uint64_t leastSmall = 1 + random() % std::min<uint64_t>(smalls, 9);
            const SlotDivision d(unused(larges, leastLarge), unused(smalls, leastSmall));
            QCOMPARE(d.least(), leastLarge + leastSmall);
            QCOMPARE(d.smallAmong(0), uint64_t{0});
            QCOMPARE(d.smallOf(all), smalls);
            bool before = false;
            for (uint64_t n = 1; n <= all; ++n) {
                const uint64_t small = d.smallAmong(n), large = n - small;
                QVERIFY(small - d.smallAmong(n - 1) <= 1);
                QVERIFY(small <= smalls && large <= larges);
                if (n >= d.least()) QVERIFY(large >= leastLarge && small >= leastSmall);
                // Half a slot from the share, wherever both sizes have enough by it.
                if (d.divides(n))
                    QVERIFY(2 * std::max(large * all, n * larges) <= 2 * std::min(large * all, n * larges) + all);
                QVERIFY(d.divides(n) || !before); // the more slots, the sooner
                before = d.divides(n);
                QCOMPARE(d.smallOf(n), before ? small : uint64_t{0});
            }
        }
    }

    /// The threshold is where the least room stays unused; small gains, dense models and few slots get one size.
    void whichLayersAreSmall() {
        const std::vector three{layerOf(8, 300000), layerOf(8, 290000), layerOf(8, 100000), layerOf(8, 90000)};
        QCOMPARE(SlotClasses::of(three).small, (std::vector<uint8_t>{0, 0, 1, 1}));
        const std::vector few{layerOf(64, 300000), layerOf(1, 4000000), layerOf(4, 100000, 3)};
        QCOMPARE(SlotClasses::of(few).division, SlotDivision(unused(64, 2), unused(4, 3)));
        QCOMPARE(SlotClasses::of(std::vector{layerOf(64, 300000), layerOf(1, 4000000), layerOf(1, 9)}).division,
                 SlotDivision{});
        QCOMPARE(SlotClasses::of(std::vector{layerOf(8, 300000), layerOf(8, 297000)}).division, SlotDivision{});
        QCOMPARE(SlotClasses::of(std::vector{layerOf(8, 300000), layerOf(8, 300000)}).division, SlotDivision{});
        QCOMPARE(SlotClasses::of(std::vector{layerOf(1, 300000), layerOf(1, 100000)}).division, SlotDivision{});
        QCOMPARE(SlotClasses::of({}).division, SlotDivision{});
        const SlotLayout layout = SlotLayout::of(few);
        // By share 2 of 42 slots would be small, and the layer needs 3; the dense layer's own one comes besides.
        QCOMPARE(layout.divided(SlotClasses::of(few), 43).bytesOf(SlotSize::Small), uint64_t{0});
        QVERIFY(layout.divided(SlotClasses::of(few), 60).bytesOf(SlotSize::Small) >= 100000);
    }

    /// The example of slot_division.h.
    void whatWasUsedMostComesFirst() {
        const SlotDivision d({.use = {0.02, 0.4, 0.01, 0.3}, .atOnce = 1},
                             {.use = {0.18, 0.2, 0.19, 0.2}, .atOnce = 1});
        const std::array<uint64_t, 9> want{0, 0, 1, 1, 2, 3, 4, 4, 4};
        for (uint64_t slots = 0; slots < want.size(); ++slots) QCOMPARE(d.smallAmong(slots), want[slots]);
        QVERIFY(d != SlotDivision(unused(4, 1), unused(4, 1)));
    }

    /// An oracle that tries every division: with none of at most as many bytes, and with what a layer needs at once of
    /// each size, fewer bytes are read by the recorded use. The store's is compared with it at every number of slots.
    void noOtherDivisionReadsLess() {
        std::mt19937 random(5);
        int divided = 0, worse = 0;
        for (int round = 0; round < 150; ++round) {
            const int large = 3 + static_cast<int>(random() % 8), small = 3 + static_cast<int>(random() % 8);
            const std::array uses{drawnUses(random, large, 1 + random() % 100), drawnUses(random, small, 50)};
            const std::vector<ExpertLayer> layers = threeLayers(large, small);
            const StoreSlots known = StoreSlots::of(layers, heatOf(100, uses[0], uses[1]));
            const StoreSlots even = StoreSlots::of(layers);
            const std::array bytes{layers[0].slotBytes(), layers[2].slotBytes()};
            for (uint64_t slots = 1; slots <= known.most(); ++slots) {
                const SlotLayout layout = known.layout(slots);
                QCOMPARE(layout.least(), even.layout(slots).least()); // as many are divided
                if (layout.least() == 0) continue;
                // Whether a layout reads the least that is possible in its bytes.
                const auto isBest = [&](const SlotLayout& of) {
                    const uint64_t larges = of.countOf(SlotSize::Large, slots);
                    const uint64_t smalls = of.countOf(SlotSize::Small, slots);
                    return qFuzzyCompare(1 + readBy(uses, bytes, larges, smalls),
                                         1 + fewestRead(uses, bytes, 2, larges * bytes[0] + smalls * bytes[1]));
                };
                QVERIFY(isBest(layout));
                ++divided;
                worse += !isBest(even.layout(slots));
            }
        }
        QVERIFY(divided > 500 && worse > divided / 4);
    }

    /// Whatever was used: each prefix has what a layer needs at once of either size, and all experts fit at last.
    void anyUseLeavesBothTheirMinimum() {
        std::mt19937 random(6);
        for (int round = 0; round < 100; ++round) {
            const int large = 2 + static_cast<int>(random() % 39), small = 4 + static_cast<int>(random() % 40);
            const int chosen = static_cast<int>(random() % 5);
            const auto least = [chosen](int experts) {
                return static_cast<uint64_t>(std::min(experts, std::max(2, chosen)));
            };
            const std::vector<ExpertLayer> layers = threeLayers(large, small, chosen);
            const bool cold = round % 2 == 0;
            const SlotDivision d = SlotClasses::of(layers, heatOf(1000, drawnUses(random, large, cold ? 1 : 1000),
                                                                  drawnUses(random, small, cold ? 1000 : 1)))
                                       .division;
            QCOMPARE(d.least(), least(large) + least(small));
            const auto all = static_cast<uint64_t>(large + small);
            QCOMPARE(d.smallOf(all), static_cast<uint64_t>(small));
            for (uint64_t n = 1; n <= all; ++n) {
                QVERIFY(d.smallAmong(n) - d.smallAmong(n - 1) <= 1);
                QVERIFY(d.smallAmong(n) <= static_cast<uint64_t>(small));
                QVERIFY(n - d.smallAmong(n) <= static_cast<uint64_t>(large));
                if (n < d.least()) continue;
                QVERIFY(d.smallAmong(n) >= least(small) && n - d.smallAmong(n) >= least(large));
            }
        }
    }

    /// So many slots fit into their own bytes, and no more unless those would be divided and these are not.
    void slotsInBytes() {
        std::mt19937 random(7);
        const ExpertHeat heat = heatOf(100, drawnUses(random, 20, 100), drawnUses(random, 30, 100));
        for (const StoreSlots& slots :
             {StoreSlots::of(threeLayers(20, 30)), StoreSlots::of(threeLayers(20, 30), heat)}) {
            QCOMPARE(slots.most(), uint64_t{51});
            for (uint64_t count = 1; count <= slots.most(); ++count) {
                const uint64_t bytes = slots.layout(count).arenaBytes(count), fitting = slots.slotsIn(bytes);
                QVERIFY(fitting >= count && slots.layout(fitting).arenaBytes(fitting) <= bytes);
                if (slots.layout(count).least() == 0) continue;
                QCOMPARE(fitting, count);
                QCOMPARE(slots.slotsIn(bytes + slots.layout(count).bytesOf(SlotSize::Small) - 1), count);
                QVERIFY(slots.slotsIn(bytes - 1) < count);
            }
            QCOMPARE(slots.slotsIn(uint64_t{1} << 60), slots.most());
            QCOMPARE(slots.slotsIn(0), uint64_t{0});
        }
    }

    /// A heat of another model, and one with impossible numbers, count as none.
    void aHeatThatDoesNotFitCountsAsNone() {
        const std::vector<ExpertLayer> layers = threeLayers(8, 8);
        const std::vector<float> hot(8, 90), cold(8, 1);
        const ExpertHeat right = heatOf(100, hot, cold);
        const SlotDivision none = SlotClasses::of(layers).division;
        QVERIFY(SlotClasses::of(layers, right).division != none);
        QCOMPARE(SlotClasses::of(layers, ExpertHeat{}).division, none);
        QCOMPARE(SlotClasses::of(layers, heatOf(0, std::vector<float>(8), std::vector<float>(8))).division, none);
        QCOMPARE(SlotClasses::of(layers, heatOf(100, hot, std::vector<float>(7, 1))).division, none);
        ExpertHeat fewer = right;
        fewer.tokens.pop_back();
        QCOMPARE(SlotClasses::of(layers, fewer).division, none);
        for (const float wrong :
             {-1.0F, 101.0F, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
            ExpertHeat heat = right;
            heat.uses[3] = wrong;
            QCOMPARE(SlotClasses::of(layers, heat).division, none);
        }
    }

    /// Routing of one size is even, and of the other uneven. The heat of a trace's first half saves misses of the
    /// second.
    void extremesMissLess_data() {
        QTest::addColumn<bool>("evenLarge");
        QTest::newRow("the large ones are used evenly") << true;
        QTest::newRow("the small ones are used evenly") << false;
    }
    void extremesMissLess() {
        QFETCH(bool, evenLarge);
        constexpr int experts = 32, half = 1500;
        std::mt19937 random(8);
        RoutingTrace first, both;
        ExpertHeat heat = heatOf(half, std::vector<float>(experts), std::vector<float>(experts));
        for (int token = 0; token < 2 * half; ++token)
            for (const int layer : {0, 1, 2}) {
                const bool any = (layer == 0) == evenLarge || random() % 16 == 0;
                const std::array used{layer == 1 ? 0 : static_cast<int>(random() % (any ? experts : 4))};
                QVERIFY(both.add(layer, used));
                if (token >= half) continue;
                QVERIFY(first.add(layer, used));
                if (layer != 1) heat.uses[static_cast<size_t>((layer == 0 ? 0 : experts + 1) + used[0])] += 1;
            }
        const std::vector<ExpertLayer> layers = threeLayers(experts, experts, 1);
        const StoreSlots even = StoreSlots::of(layers), known = StoreSlots::of(layers, heat);
        for (const uint64_t percent : {40, 50, 60, 75}) {
            const uint64_t bytes = even.oneSize.ownBytes() + 2 * experts * layers[0].slotBytes() * percent / 100;
            const auto misses = [&](const StoreSlots& model) {
                const uint64_t slots = model.slotsIn(bytes);
                const auto all = replay(both, EvictionKind::ExpectedUse, slots, &model);
                return all->misses - replay(first, EvictionKind::ExpectedUse, slots, &model)->misses;
            };
            QVERIFY2(10 * misses(known) < 8 * misses(even),
                     qPrintable(QString("%1 %: %2, and %3 without").arg(percent).arg(misses(known)).arg(misses(even))));
        }
    }
};

QTEST_APPLESS_MAIN(SlotDivisionTest)
#include "tst_slot_division.moc"
