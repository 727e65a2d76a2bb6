// SPDX-License-Identifier: Apache-2.0
// Which expert makes room: the order that a policy gives, without a store around it.
#include "experts/eviction.h"

#include <QtTest>

#include <algorithm>
#include <optional>
#include <random>
#include <vector>

using namespace coterie::engine;

class TestEviction : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void theOldestThatMayGo() {
        const auto policy = createLeastRecentlyUsed(4);
        const auto any = [](uint32_t) { return true; };
        QVERIFY(!policy->victim(any));
        for (const uint32_t slot : {2u, 0u, 3u, 1u}) policy->used(slot, 0, static_cast<int>(slot));
        QCOMPARE(policy->victim(any), std::optional<uint32_t>(2));
        policy->used(2, 1, 7);
        QCOMPARE(policy->victim(any), std::optional<uint32_t>(0));
        QCOMPARE(policy->victim([](uint32_t slot) { return slot != 0; }), std::optional<uint32_t>(3));
        QVERIFY(!policy->victim([](uint32_t) { return false; }));
        policy->emptied(0);
        QCOMPARE(policy->victim(any), std::optional<uint32_t>(3));
        policy->emptied(0); // once more changes nothing
        for (const uint32_t slot : {3u, 1u, 2u}) policy->emptied(slot);
        QVERIFY(!policy->victim(any));
    }

    /// Against a plain list that does the same slowly.
    void agreesWithAPlainList() {
        constexpr uint32_t slots = 17;
        const auto policy = createLeastRecentlyUsed(slots);
        std::vector<uint32_t> list; // oldest first
        std::mt19937 random(11);
        for (int i = 0; i < 20000; ++i) {
            const auto slot = static_cast<uint32_t>(random() % slots);
            list.erase(std::remove(list.begin(), list.end(), slot), list.end());
            if (random() % 5 == 0) {
                policy->emptied(slot);
            } else {
                policy->used(slot, 0, 0);
                list.push_back(slot);
            }
            const uint32_t pinned = random();
            const auto mayGo = [&](uint32_t s) { return (pinned >> s & 1) == 0; };
            const auto found = std::find_if(list.begin(), list.end(), mayGo);
            QCOMPARE(policy->victim(mayGo), found == list.end() ? std::nullopt : std::optional<uint32_t>(*found));
        }
    }
};

QTEST_APPLESS_MAIN(TestEviction)
#include "tst_eviction.moc"
