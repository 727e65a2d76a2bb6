// SPDX-License-Identifier: Apache-2.0
// Tests that sums and differences of counts leave no counter out.
#include "experts/counts.h"

#include <QtTest>

#include <array>
#include <bit>

using coterie::engine::Counts;

namespace {

constexpr size_t kCounters = sizeof(Counts) / sizeof(uint64_t);

/// Counts in which counter i is factor * (i + 1). waitSeconds is the only one that is no integer.
Counts countsOf(uint64_t factor) {
    std::array<uint64_t, kCounters> values{};
    for (size_t i = 0; i < kCounters; ++i) values[i] = factor * (i + 1);
    auto counts = std::bit_cast<Counts>(values);
    const auto wait = std::bit_cast<std::array<uint64_t, kCounters>>(Counts{.waitSeconds = 1});
    for (size_t i = 0; i < kCounters; ++i)
        if (wait[i] != 0) counts.waitSeconds = static_cast<double>(values[i]);
    return counts;
}

bool same(const Counts& a, const Counts& b) {
    using Values = std::array<uint64_t, kCounters>;
    return std::bit_cast<Values>(a) == std::bit_cast<Values>(b);
}

} // namespace

class TestCounts : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void everyCounterIsAdded() {
        Counts sum = countsOf(2);
        sum += countsOf(3);
        QVERIFY(same(sum, countsOf(5)));
    }

    void everyCounterIsSubtracted() { QVERIFY(same(countsOf(7) - countsOf(3), countsOf(4))); }

    void readsFromDisk() {
        const Counts counts{.hits = 6, .misses = 2, .prefetched = 9, .prefetchedUsed = 3};
        QCOMPARE(counts.asked(), uint64_t{8});
        QCOMPARE(counts.fromDisk(), uint64_t{5});
    }
};

QTEST_APPLESS_MAIN(TestCounts)
#include "tst_counts.moc"
