// SPDX-License-Identifier: Apache-2.0
// The expert store: every byte is right; hits and misses, eviction, pins, prefetching, failing disks, and figures that
// other threads read.
#include "experts/store_setup.h"

#include <QtTest>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <random>
#include <semaphore>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace coterie;
using namespace coterie::engine;
using namespace coterie::test;

namespace {

/// Counts the reads that go to the system together.
class CountedReads final : public AsyncReads {
  public:
    CountedReads(std::unique_ptr<AsyncReads> reads, std::vector<size_t>& batches)
        : reads_(std::move(reads)), batches_(batches) {}

    const char* name() const override { return reads_->name(); }
    size_t depth() const override { return reads_->depth(); }
    size_t inFlight() const override { return reads_->inFlight(); }
    void submit(const ReadRequest& request) override {
        ++submitted_;
        reads_->submit(request);
    }
    std::span<ReadDone> collect(std::span<ReadDone> out) override {
        if (submitted_ > 0) batches_.push_back(std::exchange(submitted_, 0));
        return reads_->collect(out);
    }
    void wake() override { reads_->wake(); }

  private:
    const std::unique_ptr<AsyncReads> reads_;
    std::vector<size_t>& batches_; ///< used by the reader's thread, while there is one
    size_t submitted_ = 0;
};

} // namespace

class TestExpertStore : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void everyExpertIsRightToTheByte() {
        for (const uint64_t slots : {1, 2, 5, 24, 100})
            for (const int threads : {1, 3, 8}) {
                StoreSetup s;
                QVERIFY(s.open(slots, threads));
                QCOMPARE(s.store->usableSlots(), std::min<uint64_t>(slots, kLayerCount * kExpertCount));
                std::string wrong;
                for (int round = 0; round < 2; ++round)
                    for (int layer = 0; layer < kLayerCount; ++layer)
                        for (int expert = 0; expert < kExpertCount; ++expert) s.use(layer, expert, &wrong);
                QCOMPARE(wrong, std::string());
                QCOMPARE(s.store->slotUse().bytesEach % 64, uint64_t{0});
            }
    }

    void aModelThatFitsNeverMissesTwice() {
        StoreSetup s;
        QVERIFY(s.open(kLayerCount * kExpertCount));
        for (int round = 0; round < 4; ++round)
            for (int layer = 0; layer < kLayerCount; ++layer)
                for (int expert = 0; expert < kExpertCount; ++expert) QCOMPARE(s.use(layer, expert), round > 0);
        const Counts now = s.store->counts();
        const SlotUse slots = s.store->slotUse();
        QCOMPARE(now.misses, uint64_t{24});
        QCOMPARE(now.hits, uint64_t{72});
        QCOMPARE(now.bytesRead, 24 * uint64_t{96 + 96 + 160});
        QCOMPARE(slots.used, uint64_t{24});
        QCOMPARE(slots.usable, uint64_t{24});
        QCOMPARE(slots.bytesEach, s.layers[0].slotBytes());
    }

    void slotsAreTouchedOnlyWhenNeeded() {
        StoreSetup s;
        QVERIFY(s.open(20));
        QCOMPARE(s.store->slotUse().used, uint64_t{0});
        for (int i = 0; i < 5; ++i) s.use(0, i % 3);
        QCOMPARE(s.store->slotUse().used, uint64_t{3});
    }

    void theLeastNeededIsEvicted() {
        StoreSetup s;
        QVERIFY(s.open(3));
        for (const int expert : {1, 2, 0}) QVERIFY(!s.use(0, expert));
        for (const int expert : {2, 0, 2, 0}) QVERIFY(s.use(0, expert));
        QVERIFY(!s.use(1, 0)); // takes the slot of expert 1
        QCOMPARE(s.store->state(0, 1), ExpertState::OnDisk);
        QVERIFY(s.use(0, 2));
        QVERIFY(s.use(0, 0));
        QVERIFY(!s.use(0, 1)); // takes a slot of its own layer: the other layer comes sooner
        QCOMPARE(s.store->state(1, 0), ExpertState::InMemory);
    }

    void pinnedExpertsStay() {
        StoreSetup s;
        QVERIFY(s.open(3));
        auto pass = s.request(0, std::array{4, 5});
        QVERIFY(pass);
        QCOMPARE(s.check(*pass, 4), std::string());
        QCOMPARE(s.check(*pass, 5), std::string());
        std::string wrong;
        for (int expert = 0; expert < 4; ++expert) s.use(1, expert, &wrong); // all in the third slot
        QCOMPARE(wrong, std::string());
        QCOMPARE(s.check(*pass, 4), std::string());
        QCOMPARE(s.check(*pass, 5), std::string());
        pass->end();
        for (int expert = 0; expert < 3; ++expert) s.use(0, expert, &wrong);
        QCOMPARE(s.store->state(0, 4), ExpertState::OnDisk);
        QCOMPARE(s.store->state(0, 5), ExpertState::OnDisk);
    }

    /// A request's own hits are pinned before its misses evict: else, in this order, expert 2 would evict expert 0.
    void hitsArePinnedBeforeMissesEvict() {
        StoreSetup s;
        QVERIFY(s.open(2));
        s.use(0, 0);
        s.use(0, 1);
        std::array<bool, 2> hit{};
        auto pass = s.request(0, std::array{2, 0}, hit);
        QVERIFY(pass);
        QCOMPARE(hit, (std::array{false, true}));
        QCOMPARE(s.check(*pass, 2), std::string());
        QCOMPARE(s.check(*pass, 0), std::string());
    }

    void pinsAreCounted() {
        StoreSetup s;
        QVERIFY(s.open(2));
        const std::array one{3};
        const std::array twice{3, 3};
        auto pass = s.request(0, one);
        QVERIFY(pass);
        std::array<bool, 2> hit{};
        QVERIFY(pass->request(twice, hit));
        QCOMPARE(hit, (std::array{true, true}));
        pass->release(twice);
        const std::array others{0, 1};
        QVERIFY(!s.request(1, others)); // one slot is still pinned
        pass->release(one);
        auto next = s.request(1, others);
        QVERIFY(next);
        QCOMPARE(s.check(*next, 0), std::string());
        QCOMPARE(s.check(*next, 1), std::string());
    }

    /// However a pass ends, it releases what it has pinned, once.
    void aPassReleasesItsPins() {
        StoreSetup s;
        QVERIFY(s.open(2));
        const std::array both{3, 4}, others{0, 1};
        { auto dropped = s.request(0, both); }
        auto pass = s.request(1, others);
        QVERIFY(pass);
        LayerPass moved = std::move(pass).value();
        QVERIFY(!s.request(0, both)); // the pins have moved with the pass
        QCOMPARE(s.check(moved, 1), std::string());
        moved = LayerPass();
        QVERIFY(!moved.request(others));
        QVERIFY(!moved.wait(1));
        auto again = s.request(0, both);
        QVERIFY(again);
        again->release(both);
        auto next = s.request(0, both);
        QVERIFY(next);
        again->release(both); // it has no pins left, so those of the other pass stay
        again->end();
        QVERIFY(!s.request(1, others));
    }

    void tooManyAtOnce() {
        StoreSetup s;
        QVERIFY(s.open(3));
        s.use(0, 0);
        const std::array many{0, 1, 2, 3};
        LayerPass pass = s.store->beginLayer(0, {}, 1);
        const Status asked = pass.request(many);
        QVERIFY(!asked);
        QCOMPARE(asked.error().kind, ErrorKind::Internal);
        // It pinned nothing: three others fit while that pass goes on.
        const std::array three{4, 5, 6};
        auto next = s.request(2, three);
        QVERIFY(next);
        for (const int expert : three) QCOMPARE(s.check(*next, expert), std::string());
    }

    void releaseInAnyOrder() {
        StoreSetup s;
        QVERIFY(s.open(4));
        const std::array wanted{0, 1, 2, 3};
        for (std::array order{0, 1, 2, 3}; const int round : {0, 1, 2, 3}) {
            auto pass = s.request(round % kLayerCount, wanted);
            QVERIFY(pass);
            std::rotate(order.begin(), order.begin() + round, order.end());
            for (const int expert : order) {
                QCOMPARE(s.check(*pass, expert), std::string());
                pass->release({&expert, 1});
            }
        }
    }

    /// As after a cancelled forward pass: experts are released before they arrive and requested again, and slots never
    /// run out.
    void releasedBeforeItArrives() {
        StoreSetup s;
        QVERIFY(s.open(2, 1));
        std::mt19937 random(5);
        for (int i = 0; i < 500; ++i) {
            const std::array wanted{static_cast<int>(random() % 4), static_cast<int>(4 + random() % 4)};
            auto pass = s.request(static_cast<int>(random() % kLayerCount), wanted);
            QVERIFY(pass);
            if (i % 3 == 0) {
                for (const int expert : wanted) QCOMPARE(s.check(*pass, expert), std::string());
            }
        }
        std::string wrong;
        s.use(0, 0, &wrong);
        QCOMPARE(wrong, std::string());
    }

    /// Under a lower limit the least needed experts go first. The others keep their bytes, in whatever slots they are
    /// then.
    void lessRoom() {
        StoreSetup s;
        QVERIFY(s.open({.slots = 12, .minimumSlots = 3}));
        for (int round = 0; round < 3; ++round)
            for (int expert = 0; expert < kExpertCount; ++expert)
                if (round == 0 || expert >= 4) s.use(0, expert); // 4 to 7 are used most
        for (int expert = 0; expert < 4; ++expert) s.use(0, expert + 4);
        QCOMPARE(s.store->slotUse().used, uint64_t{8});
        s.store->limitSlots(4);
        QCOMPARE(s.store->slotUse().usable, uint64_t{4});
        QCOMPARE(s.store->usableSlots(), uint64_t{4});
        QCOMPARE(s.store->slotUse().used, uint64_t{4});
        std::string wrong;
        for (int expert = 4; expert < kExpertCount; ++expert) QVERIFY(s.use(0, expert, &wrong));
        for (int expert = 0; expert < 4; ++expert) QVERIFY(!s.use(1, expert, &wrong));
        QCOMPARE(s.store->slotUse().used, uint64_t{4});
        s.store->limitSlots(0); // never below the minimum
        QCOMPARE(s.store->slotUse().usable, uint64_t{3});
        s.store->limitSlots(100); // never above what was there
        QCOMPARE(s.store->slotUse().usable, uint64_t{12});
        for (int layer = 0; layer < kLayerCount; ++layer)
            for (int expert = 0; expert < 4; ++expert) s.use(layer, expert, &wrong);
        QCOMPARE(s.store->slotUse().used, uint64_t{12});
        QCOMPARE(wrong, std::string());
    }

    /// A prefetched expert is kept for its layer, but not when memory is short.
    void lessRoomForPrefetches() {
        StoreSetup s;
        QVERIFY(s.open({.slots = 12, .minimumSlots = 2}));
        for (const int expert : {0, 1}) s.use(0, expert);
        const std::array hints{PrefetchHint{1, 2}, PrefetchHint{1, 5}, PrefetchHint{1, 6}};
        s.store->prefetch(hints);
        for (const PrefetchHint& hint : hints)
            QTRY_COMPARE(s.store->state(hint.layer, hint.expert), ExpertState::InMemory);
        s.store->limitSlots(0);
        QCOMPARE(s.store->slotUse().used, uint64_t{2});
        std::string wrong;
        for (int expert = 0; expert < kExpertCount; ++expert) s.use(1, expert, &wrong);
        QCOMPARE(wrong, std::string());
    }

    /// Pinned experts stay until they are released, and meanwhile more may be requested than the limit allows.
    void lessRoomWhileAllIsPinned() {
        StoreSetup s;
        QVERIFY(s.open({.slots = 8, .minimumSlots = 2}));
        const std::array first{0, 1, 2, 3};
        const std::array second{4, 5};
        auto pass = s.request(0, first);
        QVERIFY(pass);
        s.store->limitSlots(2);
        QVERIFY(pass->request(second));
        for (const int expert : {0, 1, 2, 3, 4, 5}) QCOMPARE(s.check(*pass, expert), std::string());
        pass->release(first);
        pass->release(second);
        QCOMPARE(s.store->slotUse().used, uint64_t{2});
        std::string wrong;
        for (int expert = 0; expert < kExpertCount; ++expert) s.use(2, expert, &wrong);
        QCOMPARE(wrong, std::string());
    }

    /// bytesHeld counts what was written to slots, not their size, as layers differ in size. Memory that was given back
    /// is not held any more.
    void memoryHeldIsWhatWasWritten() {
        StoreSetup s;
        QVERIFY(s.openModel());
        for (ExpertLayer::Matrix* matrix : {&s.layers[1].gate, &s.layers[1].up, &s.layers[1].down})
            matrix->bytes = 32; // its experts are smaller
        QVERIFY(s.open({.slots = 6, .minimumSlots = 1}));
        const auto held = [&s] { return s.store->slotUse().bytesHeld; };
        const auto use = [&s](int layer, int expert) {
            auto pass = s.request(layer, std::array{expert});
            if (!pass || !pass->wait(expert)) qFatal("it can't be read");
        };
        QCOMPARE(held(), uint64_t{0});
        use(0, 0);
        const uint64_t large = held();
        QVERIFY(large >= kPartBytes[0] + kPartBytes[1] + kPartBytes[2] && large <= s.store->slotUse().bytesEach);
        use(1, 0);
        const uint64_t both = held();
        QVERIFY(both > large && both - large < large);
        s.store->limitSlots(1);
        QCOMPARE(s.store->slotUse().used, uint64_t{1});
        QCOMPARE(held(), large); // whichever expert stayed, in whatever slot
        use(1, 5);
        QCOMPARE(held(), large); // in memory that held more before
        s.store->limitSlots(6);
        use(0, 7);
        QCOMPARE(held(), 2 * large);
    }

    /// A hint is read while nothing else is, kept until its layer comes, and evicted first if it was wrong.
    void hintsAreReadEarly() {
        StoreSetup s;
        QVERIFY(s.open({.slots = 8, .minimumSlots = 2}));
        s.use(0, 0);
        const std::array hints{PrefetchHint{1, 2}, PrefetchHint{1, 5}, PrefetchHint{1, 99}, PrefetchHint{-1, 0}};
        s.store->prefetch(hints);
        QTRY_COMPARE(s.store->state(1, 2), ExpertState::InMemory);
        QTRY_COMPARE(s.store->state(1, 5), ExpertState::InMemory);
        QCOMPARE(s.store->counts().prefetched, uint64_t{2});
        std::string wrong;
        QVERIFY(s.use(1, 2, &wrong)); // a hit
        QCOMPARE(wrong, std::string());
        QCOMPARE(s.store->counts().prefetchedUsed, uint64_t{1});
        QCOMPARE(s.store->counts().misses, uint64_t{1});
        QCOMPARE(s.store->counts().asked(), uint64_t{2});
        QCOMPARE(s.store->counts().fromDisk(), uint64_t{2}); // the one that was prefetched, too
        QVERIFY(s.use(1, 2, &wrong));
        QCOMPARE(s.store->counts().fromDisk(), uint64_t{2}); // by now it is in memory
        s.store->prefetch({});
        for (int expert = 0; expert < kExpertCount; ++expert) s.use(2, expert, &wrong);
        QCOMPARE(s.store->state(1, 5), ExpertState::OnDisk); // it is evicted first
        QCOMPARE(wrong, std::string());
    }

    /// The matrices of an expert are read together, and hints one after the other.
    void anExpertIsReadInOneGo() {
        StoreSetup s;
        std::vector<size_t> batches;
        QVERIFY(s.openModel());
        auto source = createTensorSource(*s.model, s.layers, false);
        QVERIFY(source);
        auto made = ExpertStore::create(std::move(source).value(),
                                        std::make_unique<CountedReads>(s.files.createReads(4), batches),
                                        {.slots = 8, .minimumSlots = 2});
        QVERIFY(made);
        s.store = std::move(made).value();
        s.use(0, 0);
        s.store->prefetch(std::array{PrefetchHint{1, 2}, PrefetchHint{1, 5}});
        QTRY_COMPARE(s.store->state(1, 2), ExpertState::InMemory);
        QTRY_COMPARE(s.store->state(1, 5), ExpertState::InMemory);
        s.store.reset();
        QCOMPARE(batches, (std::vector<size_t>{3, 3, 3}));
    }

    /// Prefetches never take slots from needed experts, and one that turns out to be needed comes at once.
    void prefetchesGiveWay() {
        std::mt19937 random(23);
        for (const uint64_t slots : {2, 3, 5, 9}) {
            StoreSetup s;
            QVERIFY(s.open({.slots = slots, .minimumSlots = 2}, 2));
            std::string wrong;
            for (int i = 0; i < 600; ++i) {
                const int layer = i % kLayerCount, next = (i + 1) % kLayerCount;
                const std::array wanted{static_cast<int>(random() % 4), static_cast<int>(4 + random() % 4)};
                auto pass = s.request(layer, wanted);
                QVERIFY(pass);
                std::array<PrefetchHint, 3> hints;
                for (PrefetchHint& hint : hints) hint = {next, static_cast<int>(random() % kExpertCount)};
                s.store->prefetch(hints);
                for (const int expert : wanted)
                    if (const std::string result = s.check(*pass, expert); !result.empty()) wrong = result;
            }
            QCOMPARE(wrong, std::string());
            QVERIFY(slots < 5 || s.store->counts().prefetchedUsed > 0);
        }
    }

    /// Idle fills read experts that have room, the soonest first. They evict nothing, and go on as soon as there is
    /// more room.
    void idleFillsUseFreeSlots() {
        StoreSetup s;
        QVERIFY(s.open({.slots = 12, .minimumSlots = 2}));
        std::string wrong;
        for (const int expert : {3, 4}) s.use(1, expert, &wrong);
        s.store->limitSlots(6);
        s.store->fillWhileIdle();
        QTRY_COMPARE(s.store->counts().bytesRead, 6 * uint64_t{352});
        s.store->limitSlots(12);
        QTRY_COMPARE(s.store->counts().bytesRead, 12 * uint64_t{352});
        QCOMPARE(s.store->slotUse().used, uint64_t{12});
        QCOMPARE(s.store->counts().prefetched, uint64_t{0});
        for (const int expert : {3, 4}) QVERIFY(s.use(1, expert, &wrong));
        for (int expert = 0; expert < kExpertCount; ++expert) QVERIFY(s.use(2, expert, &wrong)); // the next layer
        QCOMPARE(wrong, std::string());
        QCOMPARE(s.store->counts().misses, uint64_t{2});
    }

    /// A needed expert comes at once, although a fill is being read; of the fills, only reads that had begun go on.
    void aLayerEndsIdleFills() {
        for (int i = 0; i < 20; ++i) {
            StoreSetup s;
            QVERIFY(s.open(24, 1 + i % 4));
            s.files.slowReads(2);
            s.store->fillWhileIdle();
            const int wanted = i % 3; // those of layer 0 are read first, so some are being read
            std::string wrong;
            s.use(0, wanted, &wrong);
            QCOMPARE(wrong, std::string());
            const uint64_t used = s.store->slotUse().used; // with those being read
            QTest::qWait(10);
            QCOMPARE(s.store->slotUse().used, used);
        }
    }

    void aFailingDiskEndsIdleFills() {
        StoreSetup s;
        QVERIFY(s.open(24));
        s.use(0, 0);
        const int64_t before = s.files.reads();
        s.files.vanishAfterReads(0);
        s.store->fillWhileIdle();
        QTRY_COMPARE(s.store->slotUse().used, uint64_t{1});
        QVERIFY(s.files.reads() > before);
        QVERIFY(s.files.reads() - before <= 2 * 2 * 3); // two experts at a time, three matrices, each tried twice
        s.files.heal();
        std::string wrong;
        for (int expert = 0; expert < kExpertCount; ++expert) QCOMPARE(s.use(0, expert, &wrong), expert == 0);
        QCOMPARE(wrong, std::string());
        s.store->fillWhileIdle();
        QTRY_COMPARE(s.store->slotUse().used, uint64_t{24});
    }

    /// A prefetch that is needed no longer is cancelled while its first read is in flight. No read has failed.
    void aCancelledPrefetchEndsNoIdleFills() {
        for (const bool lessRoom : {false, true}) {
            StoreSetup s;
            QVERIFY(s.open(4, 1)); // one read in flight
            s.files.slowReads(50);
            const int64_t before = s.files.reads();
            s.store->prefetch(std::array{PrefetchHint{1, 2}});
            s.store->fillWhileIdle();
            while (s.files.reads() == before) std::this_thread::yield();
            if (lessRoom) {
                s.store->limitSlots(2);
                s.store->limitSlots(4);
            } else
                s.store->prefetch({});
            s.files.heal();
            QTRY_COMPARE(s.store->slotUse().used, uint64_t{4});
            QTRY_COMPARE(s.store->counts().bytesRead, 4 * uint64_t{352});
        }
    }

    void misuseIsAnError() {
        StoreSetup s;
        QVERIFY(s.open(3));
        for (const auto& [layer, expert] : {std::pair{-1, 0}, {kLayerCount, 0}, {0, -1}, {0, kExpertCount}}) {
            const std::array wanted{expert};
            LayerPass pass = s.store->beginLayer(layer, {}, 1);
            QVERIFY(!pass.request(wanted));
            QVERIFY(!pass.wait(expert));
            pass.release(wanted);
            QCOMPARE(s.store->state(layer, expert), ExpertState::OnDisk);
        }
        LayerPass pass = s.store->beginLayer(0, {}, 1);
        QVERIFY(!pass.wait(0)); // it was not requested
        const std::array wanted{0};
        QVERIFY(pass.request(wanted));
        QVERIFY(pass.wait(0));
        pass.release(wanted);
        QVERIFY(!pass.wait(0)); // it is not pinned any more
        const std::array never{5};
        pass.release(never);
    }

    void whatCannotBeCreated() {
        StoreSetup s;
        QVERIFY(s.openModel());
        QVERIFY(!s.create({.slots = 0}));
        const std::vector<ExpertLayer> right = s.layers;
        s.layers.clear();
        QVERIFY(!s.create({.slots = 4}));
        s.layers = right;
        s.layers[1].experts = kExpertCount + 1; // more than the tensor holds
        QVERIFY(!s.create({.slots = 4}));
        s.layers = right;
        s.layers[0].up.tensor = nullptr;
        QVERIFY(!s.create({.slots = 4}));
        s.layers = right;
        s.layers[0].down.bytes = 0;
        QVERIFY(!s.create({.slots = 4}));
        s.layers = right;
        s.layers[2].experts = -1;
        QVERIFY(!s.create({.slots = 4}));
        s.layers = right;
        s.layers[1].up.stride = s.layers[1].up.bytes - 1; // experts would overlap
        QVERIFY(!s.create({.slots = 4}));
        s.layers[1].up.stride = s.layers[1].up.bytes + 1; // the last one would end behind the tensor
        QVERIFY(!s.create({.slots = 4}));
        s.layers[1].up = right[1].up;
        s.layers[1].up.first = 1;
        QVERIFY(!s.create({.slots = 4}));
        s.layers = right;
        auto source = createTensorSource(*s.model, s.layers, false);
        QVERIFY(source);
        const auto noThread = ExpertStore::create(std::move(source).value(), nullptr, {.slots = 4});
        QVERIFY(!noThread);
        QCOMPARE(noThread.error().kind, ErrorKind::OutOfMemory);
    }

    /// A layer without experts among others.
    void layersWithoutExperts() {
        StoreSetup s;
        QVERIFY(s.openModel());
        s.layers.insert(s.layers.begin() + 1, ExpertLayer{});
        QVERIFY(s.open(4));
        const std::array wanted{3};
        QVERIFY(!s.request(1, wanted));
        auto pass = s.request(0, wanted);
        QVERIFY(pass);
        QCOMPARE(s.check(*pass, 3), std::string());
    }

    void onePassingFailureIsNotNoticed() {
        StoreSetup s;
        QVERIFY(s.open(4, 1));
        for (const bool shortened : {false, true})
            for (int64_t read = 1; read <= 3; ++read) {
                shortened ? s.files.shortenReads(read) : s.files.failCall(read);
                std::string wrong;
                QVERIFY(!s.use(shortened, static_cast<int>(read), &wrong));
                QCOMPARE(wrong, std::string());
                s.files.heal();
            }
        QVERIFY(s.files.fired());
        QCOMPARE(s.store->counts().bytesRead, 6 * uint64_t{352});
    }

    void aReadThatFailsTwice() {
        StoreSetup s;
        QVERIFY(s.open(4, 2));
        std::string wrong;
        s.use(0, 0, &wrong);
        QCOMPARE(wrong, std::string());
        s.files.vanishAfterReads(0);
        const std::array wanted{0, 1};
        auto pass = s.request(0, wanted);
        QVERIFY(pass);
        QCOMPARE(s.check(*pass, 0), std::string()); // it was there already
        const auto failed = pass->wait(1);
        QVERIFY(!failed);
        QCOMPARE(failed.error().kind, ErrorKind::Io);
        QVERIFY(failed.error().line().find(s.model->path()) != std::string::npos);
        QVERIFY(pass->arrived(1)); // there is nothing to wait for
        QCOMPARE(s.store->state(0, 1), ExpertState::OnDisk);
        QVERIFY(!pass->wait(1)); // the same answer, however often it is called
        pass->end();
        // The disk is back: later requests try again.
        s.files.heal();
        QVERIFY(!s.use(0, 1, &wrong));
        QCOMPARE(wrong, std::string());
        QVERIFY(s.use(0, 1, &wrong));
        QCOMPARE(wrong, std::string());
    }

    /// After a failed read a pass waits for its other reads, so that none of them fails into the next pass.
    void aFailedPassWaitsForItsReads() {
        StoreSetup s;
        QVERIFY(s.open(4, 1));
        s.files.vanishAfterReads(0);
        s.files.slowReads(50);
        const std::array wanted{0, 1};
        auto pass = s.request(0, wanted);
        QVERIFY(pass);
        QVERIFY(!pass->wait(0)); // expert 1 is read after expert 0
        pass->end();
        QCOMPARE(s.store->state(0, 1), ExpertState::OnDisk);
        s.files.heal();
        auto next = s.request(0, wanted);
        QVERIFY(next);
        for (const int expert : wanted) QCOMPARE(s.check(*next, expert), std::string());
    }

    void aFailureIsTriedAgainWhilePinned() {
        StoreSetup s;
        QVERIFY(s.open(2, 2));
        const std::array wanted{1};
        s.files.vanishAfterReads(0);
        auto pass = s.request(0, wanted);
        QVERIFY(pass);
        QVERIFY(!pass->wait(1));
        s.files.heal();
        bool hit = true;
        QVERIFY(pass->request(wanted, {&hit, 1}));
        QVERIFY(!hit);
        QCOMPARE(s.check(*pass, 1), std::string());
        pass->end();
        QVERIFY(s.use(0, 1));
    }

    /// While the disk is gone, experts in memory stay there: the slots of failed reads are used again first.
    void failuresPushNothingOut() {
        StoreSetup s;
        QVERIFY(s.open(4, 2));
        for (const int expert : {0, 1, 2}) QVERIFY(!s.use(0, expert));
        s.files.vanishAfterReads(0);
        for (int i = 0; i < 12; ++i) {
            const std::array wanted{i % kExpertCount};
            const int layer = 1 + i % 2;
            auto pass = s.request(layer, wanted);
            QVERIFY(pass);
            if (i % 3 == 0) QVERIFY(!pass->wait(wanted[0])); // else the read fails after the pass has ended
            pass->end();
            while (s.store->state(layer, wanted[0]) == ExpertState::Arriving) std::this_thread::yield();
        }
        for (const int expert : {0, 1, 2}) QVERIFY(s.use(0, expert));
    }

    /// The 1st, 2nd, 3rd ... pair of reads fails in a run of many. Each time the store goes on, and every later byte is
    /// right.
    void failuresAnywhere() {
        bool completed = false;
        for (int64_t failing = 1; !completed; failing += 2) {
            StoreSetup s;
            QVERIFY(s.open(3, 1));
            s.files.shortenReads(failing, 2);
            int errors = 0;
            for (int i = 0; i < 12; ++i) {
                std::string wrong;
                s.use(i % kLayerCount, i % kExpertCount, &wrong);
                errors += !wrong.empty();
                QVERIFY2(wrong.empty() || wrong.find("experts.gguf") != std::string::npos, wrong.c_str());
            }
            completed = !s.files.fired();
            QVERIFY(errors <= (completed ? 0 : 1));
            s.files.heal();
            std::string wrong;
            for (int expert = 0; expert < kExpertCount; ++expert) s.use(2, expert, &wrong);
            QCOMPARE(wrong, std::string());
        }
    }

    void aStoreMayGoWhileItReads() {
        for (int i = 0; i < 50; ++i) {
            StoreSetup s;
            QVERIFY(s.open(8, 1 + i % 4));
            const std::array wanted{0, 1, 2, 3, 4, 5, 6, 7};
            auto pass = s.request(i % kLayerCount, wanted);
            QVERIFY(pass);
            if (i % 2) QCOMPARE(s.check(*pass, 7), std::string());
        }
    }

    void statesOfAllExperts() {
        std::binary_semaphore goOn(0);
        StoreSetup s;
        s.arranges = true;
        QVERIFY(s.openModel());
        s.layers.insert(s.layers.begin() + 1, ExpertLayer{}); // a layer without experts has no bytes
        QVERIFY(s.open(kLayerCount * kExpertCount));
        QCOMPARE(s.store->experts(), size_t(kLayerCount * kExpertCount));
        s.use(0, 3);
        s.use(2, 5);
        s.arranging = [&goOn] { goOn.acquire(); }; // reads from now on do not end before goOn is released
        auto pass = s.request(3, std::array{7});
        QVERIFY(pass);
        std::vector<uint8_t> states(s.store->experts() + 1, 99), expected(s.store->experts() + 1, 0);
        s.store->states(states);
        goOn.release();
        QVERIFY(pass->wait(7));
        expected[3] = expected[kExpertCount + 5] = 2;
        expected[2 * kExpertCount + 7] = 1;
        expected.back() = 99; // beyond the experts nothing is written
        QCOMPARE(states, expected);
        std::vector<uint8_t> first(4, 99);
        s.store->states(first);
        QCOMPARE(first, (std::vector<uint8_t>{0, 0, 0, 2}));
        s.store->states(states);
        QCOMPARE(states[2 * kExpertCount + 7], uint8_t{2});
    }

    /// A forward pass while other threads read the figures all the time.
    void figuresFromOtherThreads() {
        StoreSetup s;
        QVERIFY(s.open(9, 4));
        std::atomic<bool> stop{false};
        std::atomic<uint64_t> looks{0}, wrongLooks{0};
        std::vector<std::thread> watchers;
        for (int w = 0; w < 2; ++w)
            watchers.emplace_back([&] {
                Counts last;
                while (!stop) {
                    const Counts now = s.store->counts();
                    const SlotUse slots = s.store->slotUse();
                    wrongLooks += now.hits < last.hits || now.bytesRead < last.bytesRead || slots.used > slots.usable;
                    last = now;
                    for (int expert = 0; expert < kExpertCount; ++expert)
                        wrongLooks +=
                            static_cast<int>(s.store->state(1, expert)) > static_cast<int>(ExpertState::InMemory);
                    ++looks;
                }
            });
        std::mt19937 random(7);
        uint64_t requests = 0;
        std::string wrong;
        for (int token = 0; token < 300; ++token)
            for (int layer = 0; layer < kLayerCount; ++layer) {
                std::array<int, 3> wanted{};
                for (int& expert : wanted) expert = static_cast<int>(random() % kExpertCount);
                auto pass = s.request(layer, wanted);
                if (!pass) wrong = "request refused";
                for (const int expert : wanted)
                    if (const std::string result = pass ? s.check(*pass, expert) : wrong; !result.empty())
                        wrong = result;
                requests += wanted.size();
            }
        stop = true;
        for (std::thread& watcher : watchers) watcher.join();
        QCOMPARE(wrong, std::string());
        QCOMPARE(wrongLooks.load(), uint64_t{0});
        QVERIFY(looks.load() > 0);
        const Counts now = s.store->counts();
        QCOMPARE(now.hits + now.misses, requests);
        QCOMPARE(now.bytesRead, now.misses * 352);
        QVERIFY(now.waitSeconds >= 0);
    }
};

QTEST_GUILESS_MAIN(TestExpertStore)
#include "tst_expert_store.moc"
