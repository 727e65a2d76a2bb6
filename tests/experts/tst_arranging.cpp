// SPDX-License-Identifier: Apache-2.0
// Arranging of experts in the store: which experts are worth it and when, and that an expert is right before and after.
#include "experts/store_setup.h"

#include <QtTest>

#include <semaphore>

using namespace coterie;
using namespace coterie::engine;
using namespace coterie::test;

class TestArranging : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void whatIsUsedOftenIsArranged_data() {
        QTest::addColumn<bool>("direct");
        QTest::newRow("through the page cache") << false;
        QTest::newRow("past it") << true;
    }
    void whatIsUsedOftenIsArranged() {
        QFETCH(bool, direct);
        StoreSetup s;
        s.arranges = true;
        s.direct = direct;
        ExpertStoreOptions options;
        options.slots = 4;
        options.eviction = EvictionKind::LeastRecentlyUsed;
        QVERIFY(s.open(options));
        std::string wrong;
        for (int use = 0; use < 4; ++use) QVERIFY(!s.useArranged(1, 3, &wrong));
        QTRY_VERIFY(s.useArranged(1, 3, &wrong));
        QVERIFY(!s.useArranged(1, 4, &wrong));
        QCOMPARE(wrong, std::string());
        // Other experts evict it: when it is read again, it has the file's layout.
        for (int expert = 0; expert < kExpertCount; ++expert) s.use(2, expert, &wrong);
        QVERIFY(!s.useArranged(1, 3, &wrong));
        QCOMPARE(wrong, std::string());
    }

    void whatStaysIsArrangedAtOnce() {
        StoreSetup s;
        s.arranges = true;
        QVERIFY(s.open(kLayerCount * kExpertCount));
        std::string wrong;
        for (int layer = 0; layer < kLayerCount; ++layer)
            for (int expert = 0; expert < kExpertCount; ++expert) QVERIFY(s.useArranged(layer, expert, &wrong));
        QCOMPARE(wrong, std::string());
    }

    void idleFillsAreArranged() {
        StoreSetup s;
        s.arranges = true;
        QVERIFY(s.open(10));
        s.store->fillWhileIdle();
        QTRY_COMPARE(s.store->slotUse().used, uint64_t{10});
        std::string wrong;
        for (int expert = 0; expert < kExpertCount; ++expert)
            if (s.store->state(0, expert) != ExpertState::OnDisk) QVERIFY(s.useArranged(0, expert, &wrong));
        QCOMPARE(wrong, std::string());
    }

    void whatIsBeingArrangedIsWaitedFor() {
        std::binary_semaphore goOn(0);
        StoreSetup s;
        s.arranges = true;
        s.arranging = [&goOn] { goOn.acquire(); };
        QVERIFY(s.open(4));
        std::string wrong;
        for (int use = 0; use < 4; ++use) s.use(0, 0, &wrong);
        QTRY_COMPARE(s.store->state(0, 0), ExpertState::Arriving);
        const std::array wanted{0};
        bool hit = false;
        auto pass = s.request(0, wanted, {&hit, 1});
        goOn.release();
        QVERIFY(pass && hit);
        const auto parts = pass->wait(0);
        QVERIFY(parts.ok() && parts->downArranged);
        QCOMPARE(s.check(*pass, 0), std::string());
        QCOMPARE(wrong, std::string());
    }

    void whatMovesStaysAsItIs() {
        for (const int uses : {1, 8}) {
            StoreSetup s;
            s.arranges = true;
            QVERIFY(s.open(8));
            std::string wrong;
            for (int use = 0; use < uses; ++use)
                for (int expert = 0; expert < kExpertCount; ++expert) s.use(0, expert, &wrong);
            s.store->limitSlots(3);
            QTRY_COMPARE(s.store->slotUse().used, uint64_t{3});
            for (int expert = 0; expert < kExpertCount; ++expert)
                if (s.store->state(0, expert) == ExpertState::InMemory) QVERIFY(s.use(0, expert, &wrong));
            QCOMPARE(wrong, std::string());
        }
    }
};

QTEST_GUILESS_MAIN(TestArranging)
#include "tst_arranging.moc"
