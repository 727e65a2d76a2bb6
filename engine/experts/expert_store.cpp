// SPDX-License-Identifier: Apache-2.0
// Requests and arrivals. The caller's thread gives slots to experts; the reader's thread fills them.
//
//   an expert:  OnDisk --request or prefetch--> Arriving --read--> InMemory --evicted--> OnDisk
//                                                   \----a read failed twice, or the prefetch was dropped----> OnDisk
//   after a few uses in the file's layout:      InMemory --no read is waiting--> Arriving --arranged--> InMemory
//
// Slots and their states are in slot_table.h, reads that nobody has asked for yet in prefetcher.h, giving memory back
// in shrinker.h.
//
// Locking: one mutex guards the slot table, the prefetcher, the shrinker and the list of slots to arrange. It is never
// held while bytes are arranged, while memory is given back, or while a read is waited for. The reader has a mutex of
// its own, which is taken after this one; the reader calls filled() and arrangeOne() without it.
#include "experts/expert_store.h"

#include "base/mutex.h"
#include "experts/expert_reader.h"
#include "experts/prefetcher.h"
#include "experts/shrinker.h"
#include "experts/slot_layout.h"
#include "experts/slot_table.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

namespace coterie::engine {
namespace {

constexpr uint64_t kMostSlots = uint64_t{1} << 24; // layers x experts of the largest models are some 100,000
/// Arranging an expert takes as long as a few uses of it save. An expert that is used less often is not worth it.
constexpr uint32_t kUsesBeforeArranging = 4;

Error internalError(Sentence why) {
    return {ErrorKind::Internal, "The expert store was misused", std::move(why), "Please report this"};
}

} // namespace

class ExpertStore::Impl {
  public:
    Impl(std::unique_ptr<ExpertSource> source, std::unique_ptr<AsyncReads> reads, SlotLayout layout, Buffer arena,
         uint32_t slots, const ExpertStoreOptions& options);

    bool canRead() const { return reader_.running(); }
    /// For what slot_table.h lets any thread read, and for what does not change while a slot's expert arrives.
    const SlotTable& slots() const COTERIE_UNCHECKED { return slots_; }

    LayerPass beginLayer(int layer, std::span<const ExpertDemand> demands, int64_t tokens);
    Status request(int layer, std::span<const int> experts, std::span<bool> hit);
    Result<ExpertParts> wait(int layer, int expert);
    void release(int layer, std::span<const int> experts);
    void endPass(int layer, std::vector<int> pinned);

    void prefetch(std::span<const PrefetchHint> hints);
    void fillWhileIdle();
    void limitSlots(uint64_t slots);
    std::span<std::byte> lend(uint64_t bytes);
    void endLoan();
    Counts counts() const;
    ExpertHeat heat() const {
        const MutexLock lock(mutex_);
        return heat_;
    }

  private:
    /// Any thread may read this counter.
    uint64_t prefetches() const COTERIE_UNCHECKED { return prefetcher_.started(); }
    void startWith(const ExpertHeat& heat);
    bool pinIfPresent(int layer, int expert) COTERIE_REQUIRES(mutex_);
    Status pinMissing(int layer, int expert) COTERIE_REQUIRES(mutex_);
    void unpin(int layer, int expert) COTERIE_REQUIRES(mutex_);
    std::optional<uint32_t> takeSlot(int layer) COTERIE_REQUIRES(mutex_);
    void filled(uint32_t slot, Status status);
    /// Gives memory back, and wakes those who wait for a slot.
    void shrink() COTERIE_REQUIRES(mutex_) {
        shrinker_.shrink(mutex_);
        arrival_.notifyAll();
    }
    void settle(uint32_t slot, bool arranged, std::optional<Error> error) COTERIE_REQUIRES(mutex_);
    void arrangeLater(uint32_t slot) COTERIE_REQUIRES(mutex_);
    bool arrangeOne();

    const std::unique_ptr<ExpertSource> source_;
    std::vector<int>
        sparePins_; // the caller's thread: room for the next pass's list of pins, so that none is allocated

    mutable Mutex mutex_;
    Condition arrival_;
    SlotTable slots_ COTERIE_GUARDED_BY(mutex_);
    Prefetcher prefetcher_ COTERIE_GUARDED_BY(mutex_);
    Shrinker shrinker_ COTERIE_GUARDED_BY(mutex_);
    ExpertHeat heat_ COTERIE_GUARDED_BY(mutex_);
    // Slots whose experts are worth arranging; some may hold others by now.
    std::vector<uint32_t> arrange_ COTERIE_GUARDED_BY(mutex_);
    // [experts of a request] not 0: the expert needs no new read
    std::vector<uint8_t> present_ COTERIE_GUARDED_BY(mutex_);

    std::atomic<uint64_t> hits_{0}, misses_{0}, prefetchedUsed_{0}, bytesRead_{0};
    std::atomic<int64_t> waitNanoseconds_{0};

    ExpertReader reader_; // last: its thread uses all of the above
};

ExpertStore::Impl::Impl(std::unique_ptr<ExpertSource> source, std::unique_ptr<AsyncReads> reads, SlotLayout layout,
                        Buffer arena, uint32_t slots, const ExpertStoreOptions& options)
    : source_(std::move(source)),
      slots_(*source_, std::move(layout), std::move(arena), slots, options.minimumSlots, options.eviction),
      prefetcher_(slots_, reader_, options.sequential), shrinker_(slots_),
      reader_(std::move(reads),
              {slots, options.pieceBytes == 0 ? std::numeric_limits<uint64_t>::max() : options.pieceBytes,
               options.sequential ? std::numeric_limits<size_t>::max() : ExpertReaderOptions{}.prefetchDepth},
              {[this](uint32_t slot, Status status) { filled(slot, std::move(status)); },
               [this] { return arrangeOne(); }}) {
    arrange_.reserve(slots);
    startWith(options.heat);
}

/// The policy learns earlier uses as if one chunk had made them all.
void ExpertStore::Impl::startWith(const ExpertHeat& heat) {
    const ExpertIndex index(source_->experts());
    const MutexLock lock(mutex_);
    heat_ = {.tokens = std::vector<float>(index.layers()), .uses = std::vector<float>(index.experts())};
    if (!heat.fits(index)) return;
    heat_ = heat;
    for (size_t layer = 0; layer < index.layers(); ++layer) {
        std::vector<ExpertDemand> demands;
        for (size_t i = index.first(layer); i < index.first(layer + 1); ++i)
            if (const auto tokens = static_cast<int64_t>(heat.uses[i]); tokens > 0)
                demands.push_back({static_cast<int>(i - index.first(layer)), tokens});
        if (const auto tokens = static_cast<int64_t>(heat.tokens[layer]); tokens > 0)
            slots_.policy().layerReached(static_cast<int>(layer), demands, tokens);
    }
}

LayerPass ExpertStore::Impl::beginLayer(int layer, std::span<const ExpertDemand> demands, int64_t tokens) {
    LayerPass pass(this, layer, std::exchange(sparePins_, {}));
    const MutexLock lock(mutex_);
    if (layer < 0 || static_cast<size_t>(layer) >= slots_.layers()) return pass;
    slots_.policy().layerReached(layer, demands, tokens);
    heat_.tokens[static_cast<size_t>(layer)] += static_cast<float>(tokens);
    for (const ExpertDemand& demand : demands)
        if (const auto index = slots().numberOf(layer, demand.expert))
            heat_.uses[*index] += static_cast<float>(demand.tokens);
    prefetcher_.beginLayer(layer, demands);
    return pass;
}

Status ExpertStore::Impl::request(int layer, std::span<const int> experts, std::span<bool> hit) {
    for (const int expert : experts)
        if (!slots().known(layer, expert))
            return internalError({"Expert %1 of layer %2 does not exist", expert, layer});
    const MutexLock lock(mutex_);
    prefetcher_.layerHasAsked();
    // Experts that are present are pinned before anything is evicted: else a miss could evict one of them.
    present_.resize(experts.size());
    for (size_t i = 0; i < experts.size(); ++i) present_[i] = pinIfPresent(layer, experts[i]);
    Status status;
    size_t done = 0;
    for (; done < experts.size() && status; ++done) {
        if (present_[done]) continue;
        // The same expert twice in one request: the second one finds it arriving.
        present_[done] = pinIfPresent(layer, experts[done]);
        if (!present_[done]) status = pinMissing(layer, experts[done]);
    }
    if (!status) {
        for (size_t i = 0; i < experts.size(); ++i)
            if (present_[i] || i + 1 < done) unpin(layer, experts[i]);
        return status;
    }
    const auto found = static_cast<uint64_t>(std::count(present_.begin(), present_.end(), uint8_t{1}));
    hits_.fetch_add(found, std::memory_order_relaxed);
    misses_.fetch_add(experts.size() - found, std::memory_order_relaxed);
    for (size_t i = 0; i < std::min(hit.size(), experts.size()); ++i) hit[i] = present_[i] != 0;
    prefetcher_.startReads();
    return {};
}

/// Pins the expert if it has a slot and needs no new read; otherwise returns false.
bool ExpertStore::Impl::pinIfPresent(int layer, int expert) {
    const auto index = slots_.slotOf(layer, expert);
    if (!index) return false;
    const Slot& slot = slots_[*index];
    if (slot.error && !slot.arriving()) return false;
    if (slot.keptForLayer) prefetcher_.keepNoLonger(*index, true);
    if (slot.unclaimed()) prefetchedUsed_.fetch_add(1, std::memory_order_relaxed);
    if (slot.work == Slot::Work::Reading && slot.reason != ReadReason::Needed) reader_.promote(*index);
    slots_.pin(*index);
    return true;
}

Status ExpertStore::Impl::pinMissing(int layer, int expert) {
    auto slot = slots_.slotOf(layer, expert);
    if (!slot) {
        slot = takeSlot(layer);
        if (!slot) return internalError({"All %1 slots are in use by one request", slots_.size()});
        slots_.fill(*slot, layer, expert);
    }
    // If it has a slot, its read failed and another request still pins it: it is read again where it is.
    slots_.pin(*slot);
    startReading(slots_, reader_, *slot, ReadReason::Needed);
    return {};
}

/// Returns a slot for a needed expert of the layer, or nothing if all of its size are pinned. Waits only if every slot
/// that may be given away is still being read or emptied.
std::optional<uint32_t> ExpertStore::Impl::takeSlot(int layer) {
    const SlotSize size = slots_.sizeFor(layer);
    for (;;) {
        if (const auto slot = slots_.takeUnused(layer)) return slot;
        if (const auto victim = slots_.victim(size))
            slots_.vacate(*victim);
        else if (slots_.keptForLayer(size) > 0)
            prefetcher_.drop(size);
        else if (slots_.anyArrivesUnpinned(size))
            arrival_.wait(mutex_);
        else if (const auto fresh = slots_.takeFresh(size))
            return fresh; // all are pinned: there is one more only if the limit was lowered meanwhile
        else if (shrinker_.isEmptying(size))
            arrival_.wait(mutex_);
        else
            return std::nullopt;
    }
}

/// Called on the reader's thread.
void ExpertStore::Impl::filled(uint32_t index, Status status) {
    const Slot& slot = slots()[index]; // its expert and reason do not change while it arrives
    const bool fill = slot.reason == ReadReason::FilledWhileIdle;
    bool arranged = !source_->arranges(slot.layer);
    // A caller that waits can use the expert as it is. If no caller waits, or the expert stays for good, it is arranged
    // now.
    if (status && !arranged && (fill || slots().holdsAllExperts())) {
        source_->arrange(slot.layer, slot.number, slots().data(index));
        arranged = true;
    }
    const MutexLock lock(mutex_);
    if (status) bytesRead_.fetch_add(slot.readBytes, std::memory_order_relaxed);
    if (fill) prefetcher_.fillEnded();
    if (status) return settle(index, arranged, std::nullopt);
    if (slot.reason != ReadReason::Needed && slot.pins > 0)
        // The prefetch was dropped or has failed, but the expert is needed after all: it gets attempts of its own.
        return startReading(slots_, reader_, index, ReadReason::Needed);
    if (status.error().kind != ErrorKind::Cancelled) prefetcher_.stopFills();
    settle(index, arranged, std::move(status).error());
}

/// An expert that was read or arranged can be used now, or its read failed.
void ExpertStore::Impl::settle(uint32_t slot, bool arranged, std::optional<Error> error) {
    slots_.endWork(slot, arranged, std::move(error));
    if (slots_[slot].error && slots_[slot].pins == 0) slots_.vacate(slot);
    prefetcher_.startReads();
    prefetcher_.startFills();
    shrink();
}

/// Called after the expert's layer has released it: the next token needs it only much later.
void ExpertStore::Impl::arrangeLater(uint32_t slot) {
    if (slots_[slot].uses % kUsesBeforeArranging != 0 || arrange_.size() == slots_.size()) return;
    arrange_.push_back(slot);
    reader_.askIdle();
}

/// Called on the reader's thread when it has nothing to read. Returns false if there is nothing to arrange.
bool ExpertStore::Impl::arrangeOne() {
    const MutexLock lock(mutex_);
    while (!arrange_.empty()) {
        const uint32_t index = arrange_.back();
        arrange_.pop_back();
        const Slot& slot = slots_[index];
        if (slot.expert == nullptr || slot.arranged || slot.arriving() || slot.error || slot.pins > 0 ||
            slot.uses < kUsesBeforeArranging)
            continue;
        slots_.beginArranging(index);
        mutex_.unlock();
        source_->arrange(slot.layer, slot.number, slots().data(index));
        mutex_.lock();
        settle(index, true, std::nullopt);
        return true;
    }
    return false;
}

Result<ExpertParts> ExpertStore::Impl::wait(int layer, int expert) {
    if (!slots().known(layer, expert)) return internalError("An expert that does not exist was waited for");
    const MutexLock lock(mutex_);
    const auto index = slots_.slotOf(layer, expert);
    if (!index || slots_[*index].pins == 0)
        return internalError("An expert was waited for that had not been requested");
    const Slot& slot = slots_[*index];
    if (slot.arriving()) {
        const auto began = std::chrono::steady_clock::now();
        while (slot.arriving()) arrival_.wait(mutex_);
        const auto waited = std::chrono::steady_clock::now() - began;
        waitNanoseconds_.fetch_add(std::chrono::duration_cast<std::chrono::nanoseconds>(waited).count(),
                                   std::memory_order_relaxed);
    }
    if (slot.error) return *slot.error;
    return source_->parts(layer, expert, slots_.data(*index), slot.arranged);
}

void ExpertStore::Impl::release(int layer, std::span<const int> experts) {
    const MutexLock lock(mutex_);
    for (const int expert : experts) unpin(layer, expert);
    prefetcher_.startReads();
    shrink();
}

void ExpertStore::Impl::unpin(int layer, int expert) {
    const auto slot = slots_.slotOf(layer, expert);
    if (!slot || !slots_.unpin(*slot) || slots_[*slot].arriving()) return;
    if (slots_[*slot].error) return slots_.vacate(*slot);
    if (!slots_[*slot].arranged) arrangeLater(*slot);
}

void ExpertStore::Impl::endPass(int layer, std::vector<int> pinned) {
    if (!pinned.empty()) release(layer, pinned);
    pinned.clear();
    sparePins_ = std::move(pinned);
}

void ExpertStore::Impl::prefetch(std::span<const PrefetchHint> hints) {
    const MutexLock lock(mutex_);
    prefetcher_.setHints(hints);
}

void ExpertStore::Impl::fillWhileIdle() {
    const MutexLock lock(mutex_);
    prefetcher_.fillWhileIdle();
}

void ExpertStore::Impl::limitSlots(uint64_t slots) {
    const MutexLock lock(mutex_);
    slots_.setLimit(slots);
    for (const SlotSize size : kSlotSizes)
        if (slots_.withMemory(size) > slots_.limit(size))
            prefetcher_.drop(size); // no hint is worth memory that others need
    shrink();
    prefetcher_.startFills();
}

/// Waits while slots to be lent are read, arranged or emptied. Lends nothing if memory gets short meanwhile.
std::span<std::byte> ExpertStore::Impl::lend(uint64_t bytes) {
    const MutexLock lock(mutex_);
    const uint64_t count = slots_.layout().lastWith(bytes, slots_.size());
    if (count > slots_.size() || slots_.limit() < slots_.size() || count + slots_.minimum() > slots_.size()) return {};
    prefetcher_.drop();
    prefetcher_.stopFills();
    const auto first = static_cast<uint32_t>(slots_.size() - count);
    for (auto slot = static_cast<uint32_t>(slots_.size()); slot-- > first;) {
        while (slots_[slot].busy() && slots_[slot].pins == 0) arrival_.wait(mutex_);
        if (slots_[slot].pins > 0 || slots_.limit() < slots_.size()) {
            slots_.endLoan();
            shrink();
            return {};
        }
        slots_.lend(slot, first);
    }
    return slots_.lentMemory();
}

void ExpertStore::Impl::endLoan() {
    const MutexLock lock(mutex_);
    slots_.endLoan();
    shrink();
    prefetcher_.startFills();
}

Counts ExpertStore::Impl::counts() const {
    constexpr double nanosecond = 1e-9;
    return {.hits = hits_.load(std::memory_order_relaxed),
            .misses = misses_.load(std::memory_order_relaxed),
            .prefetched = prefetches(),
            .prefetchedUsed = prefetchedUsed_.load(std::memory_order_relaxed),
            .bytesRead = bytesRead_.load(std::memory_order_relaxed),
            .waitSeconds = static_cast<double>(waitNanoseconds_.load(std::memory_order_relaxed)) * nanosecond};
}

Result<std::unique_ptr<ExpertStore>> ExpertStore::create(std::unique_ptr<ExpertSource> source,
                                                         std::unique_ptr<AsyncReads> reads,
                                                         const ExpertStoreOptions& options) {
    // More slots than experts would never be used.
    const std::vector<int>& layers = source->experts();
    const auto experts = std::accumulate(layers.begin(), layers.end(), uint64_t{0});
    const uint64_t slots = std::min<uint64_t>({options.slots, experts, kMostSlots});
    if (slots == 0) return internalError("It needs at least one slot and one expert");
    const SlotLayout layout = SlotLayout::of(*source).divided(options.classes, slots);
    if (slots <= layout.own()) return internalError("It needs a slot beside those of dense layers");
    const uint64_t bytes = layout.arenaBytes(slots);
    if (bytes == std::numeric_limits<uint64_t>::max()) return internalError("Its slots are larger than any memory");
    auto arena = Buffer::allocate(bytes, "There is no memory for the expert slots", Buffer::Pages::Large);
    if (!arena) return arena.error();
    const Error noThread{ErrorKind::OutOfMemory, "The model can't be loaded",
                         "The system gives no thread to read it with", "Close other programs and try again"};
    if (!reads) return noThread;
    auto impl = std::make_unique<Impl>(std::move(source), std::move(reads), layout, std::move(arena).value(),
                                       static_cast<uint32_t>(slots), options);
    if (!impl->canRead()) return noThread;
    return std::unique_ptr<ExpertStore>(new ExpertStore(std::move(impl)));
}

ExpertStore::ExpertStore(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ExpertStore::~ExpertStore() = default;

LayerPass ExpertStore::beginLayer(int layer, std::span<const ExpertDemand> demands, int64_t tokens) {
    return impl_->beginLayer(layer, demands, tokens);
}
void ExpertStore::prefetch(std::span<const PrefetchHint> hints) { impl_->prefetch(hints); }
void ExpertStore::fillWhileIdle() { impl_->fillWhileIdle(); }
void ExpertStore::limitSlots(uint64_t slots) { impl_->limitSlots(slots); }
uint64_t ExpertStore::usableSlots() const { return impl_->slots().usable() - impl_->slots().layout().own(); }
uint64_t ExpertStore::usableSlots(int layer) const { return impl_->slots().usable(impl_->slots().sizeFor(layer)); }
std::span<std::byte> ExpertStore::lend(uint64_t bytes) { return impl_->lend(bytes); }
void ExpertStore::endLoan() { impl_->endLoan(); }
ExpertState ExpertStore::state(int layer, int expert) const { return impl_->slots().state(layer, expert); }
size_t ExpertStore::experts() const { return impl_->slots().experts(); }
void ExpertStore::states(std::span<uint8_t> out) const { impl_->slots().states(out); }
Counts ExpertStore::counts() const { return impl_->counts(); }
ExpertHeat ExpertStore::heat() const { return impl_->heat(); }
SlotUse ExpertStore::slotUse() const { return impl_->slots().use(); }

LayerPass::LayerPass(ExpertStore::Impl* store, int layer, std::vector<int> pinned)
    : store_(store), layer_(layer), pinned_(std::move(pinned)) {}

LayerPass::LayerPass(LayerPass&& other) noexcept
    : store_(std::exchange(other.store_, nullptr)), layer_(other.layer_), readFailed_(other.readFailed_),
      pinned_(std::move(other.pinned_)) {}

LayerPass& LayerPass::operator=(LayerPass&& other) noexcept {
    if (this == &other) return *this;
    end();
    store_ = std::exchange(other.store_, nullptr);
    layer_ = other.layer_;
    readFailed_ = other.readFailed_;
    pinned_ = std::move(other.pinned_);
    return *this;
}

Status LayerPass::request(std::span<const int> experts, std::span<bool> hit) {
    if (store_ == nullptr) return internalError("Experts were requested by a pass that has ended");
    pinned_.reserve(pinned_.size() + experts.size()); // before anything is pinned: it may throw
    Status status = store_->request(layer_, experts, hit);
    if (status) pinned_.insert(pinned_.end(), experts.begin(), experts.end());
    return status;
}

bool LayerPass::arrived(int expert) const {
    return store_ == nullptr || store_->slots().state(layer_, expert) != ExpertState::Arriving;
}

Result<ExpertParts> LayerPass::wait(int expert) {
    if (store_ == nullptr) return internalError("An expert was waited for by a pass that has ended");
    Result<ExpertParts> parts = store_->wait(layer_, expert);
    readFailed_ = readFailed_ || !parts;
    return parts;
}

void LayerPass::release(std::span<const int> experts) {
    size_t kept = pinned_.size(); // released experts move behind the first `kept` ones
    for (const int expert : experts) {
        const auto end = pinned_.begin() + static_cast<std::ptrdiff_t>(kept);
        if (const auto at = std::find(pinned_.begin(), end, expert); at != end) std::swap(*at, pinned_[--kept]);
    }
    if (store_ != nullptr && kept < pinned_.size()) store_->release(layer_, std::span(pinned_).subspan(kept));
    pinned_.resize(kept);
}

void LayerPass::end() {
    if (store_ == nullptr) return;
    for (size_t i = 0; readFailed_ && i < pinned_.size(); ++i)
        (void)store_->wait(layer_, pinned_[i]); // a second failure adds nothing
    std::exchange(store_, nullptr)->endPass(layer_, std::move(pinned_));
    pinned_.clear();
}

} // namespace coterie::engine
