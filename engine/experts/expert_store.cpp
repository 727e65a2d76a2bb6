// SPDX-License-Identifier: Apache-2.0
// Slots, pins and arrivals. The caller's thread gives slots to experts; the read queue's threads fill them.
//
//   an expert:  OnDisk --request--> Arriving --last part read--> InMemory --evicted--> OnDisk
//                                        \------a part failed twice------------------> OnDisk (wait() tells the error)
//   a slot:     empty, or one expert's, with a pin for each request not yet released; never given away while pinned or
//   arriving
#include "experts/expert_store.h"

#include "experts/eviction.h"
#include "experts/read_queue.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace coterie::engine {

namespace {

constexpr uint64_t slotAlignment = 64;            // a cache line, and the widest vector
constexpr int mostReadThreads = 64;               // more than any disk's queue gains from
constexpr uint64_t mostSlots = uint64_t{1} << 24; // layers x experts of the largest models are some 100,000
constexpr int attempts = 2;                       // a read that failed for a passing reason is worth one more try
constexpr int32_t noSlot = -1;

Error internalError(std::string why) {
    return {ErrorKind::Internal, "The expert store was misused", std::move(why), "Please report this"};
}

class Store final : public ExpertStore {
  public:
    Store(const ModelFile& file, std::vector<ExpertLayer> layers, Buffer arena, uint32_t slots, uint64_t slotBytes,
          int readThreads);

    bool canRead() const { return queue_.threads() > 0; }

    Status request(int layer, std::span<const int> experts, std::span<bool> hit) override;
    Result<const std::byte*> wait(int layer, int expert) override;
    bool arrived(int layer, int expert) const override { return state(layer, expert) != ExpertState::Arriving; }
    void release(int layer, std::span<const int> experts) override;

    uint64_t slots() const override { return slots_.size(); }
    ExpertState state(int layer, int expert) const override;
    ExpertStoreStatistics statistics() const override;

  private:
    using Lock = std::unique_lock<std::mutex>;

    /// One expert of one layer.
    struct Expert {
        int32_t slot = noSlot;                               // guarded by mutex_
        std::atomic<ExpertState> state{ExpertState::OnDisk}; // written under mutex_, read by anyone
    };
    struct Slot {
        Expert* expert = nullptr;
        int layer = 0, number = 0; // which expert that is
        uint32_t pins = 0;
        size_t partsLeft = 0;       // parts still to be read
        std::optional<Error> error; // the first part that failed twice
    };

    bool known(int layer, int expert) const;
    Expert& at(int layer, int expert) {
        return experts_[firstExpert_[static_cast<size_t>(layer)] + static_cast<size_t>(expert)];
    }
    std::byte* slotData(uint32_t slot) const { return arena_.data() + slot * slotBytes_; }

    bool pinIfPresent(int layer, int expert);
    Status pinMissing(Lock& lock, int layer, int expert);
    std::optional<uint32_t> takeSlot(Lock& lock);
    void startReading(uint32_t slot);
    void unpin(Expert& expert);
    void vacate(uint32_t slot);
    void readPart(ReadItem item, int thread);

    const ModelFile& file_;
    const std::vector<ExpertLayer> layers_;
    const Buffer arena_;
    const uint64_t slotBytes_;
    std::vector<size_t> firstExpert_; // [layers] where a layer's experts start in experts_
    std::vector<Expert> experts_;

    std::mutex mutex_; // guards all below up to the counters
    std::condition_variable arrival_;
    std::vector<Slot> slots_;
    std::vector<uint32_t> emptySlots_; // the last one is taken next
    uint32_t untouched_ = 0;           // slots from here on were never written to: their pages cost nothing yet
    uint32_t pinned_ = 0;              // slots with pins
    std::unique_ptr<EvictionPolicy> policy_;

    std::atomic<uint64_t> hits_{0}, misses_{0}, bytesRead_{0}, slotsUsed_{0};
    std::atomic<int64_t> waitNanoseconds_{0};

    ReadQueue queue_; // last: its threads use all of the above
};

size_t countExperts(const std::vector<ExpertLayer>& layers) {
    size_t count = 0;
    for (const ExpertLayer& layer : layers) count += static_cast<size_t>(layer.experts);
    return count;
}

size_t mostParts(const std::vector<ExpertLayer>& layers) {
    size_t most = 0;
    for (const ExpertLayer& layer : layers) most = std::max(most, layer.parts.size());
    return most;
}

Store::Store(const ModelFile& file, std::vector<ExpertLayer> layers, Buffer arena, uint32_t slots, uint64_t slotBytes,
             int readThreads)
    : file_(file), layers_(std::move(layers)), arena_(std::move(arena)), slotBytes_(slotBytes),
      experts_(countExperts(layers_)), slots_(slots), policy_(createLeastRecentlyUsed(slots)),
      queue_(readThreads, slots * mostParts(layers_), [this](ReadItem item, int thread) { readPart(item, thread); }) {
    emptySlots_.reserve(slots);
    for (size_t first = 0; const ExpertLayer& layer : layers_) {
        firstExpert_.push_back(first);
        first += static_cast<size_t>(layer.experts);
    }
}

bool Store::known(int layer, int expert) const {
    return layer >= 0 && static_cast<size_t>(layer) < layers_.size() && expert >= 0 &&
           expert < layers_[static_cast<size_t>(layer)].experts;
}

Status Store::request(int layer, std::span<const int> experts, std::span<bool> hit) {
    for (const int expert : experts)
        if (!known(layer, expert))
            return internalError("Expert " + std::to_string(expert) + " of layer " + std::to_string(layer) +
                                 " does not exist");
    Lock lock(mutex_);
    // What is there is pinned before anything is evicted: else a miss could push out what this very request needs.
    std::vector<bool> present(experts.size());
    for (size_t i = 0; i < experts.size(); ++i) present[i] = pinIfPresent(layer, experts[i]);
    Status status;
    size_t reached = 0;
    for (; reached < experts.size() && status; ++reached) {
        if (present[reached]) continue;
        // The same expert twice in one request: the second finds it arriving.
        present[reached] = pinIfPresent(layer, experts[reached]);
        if (!present[reached]) status = pinMissing(lock, layer, experts[reached]);
    }
    if (!status) {
        for (size_t i = 0; i < experts.size(); ++i)
            if (present[i] || i + 1 < reached) unpin(at(layer, experts[i]));
        return status;
    }
    const auto found = static_cast<uint64_t>(std::count(present.begin(), present.end(), true));
    hits_.fetch_add(found, std::memory_order_relaxed);
    misses_.fetch_add(experts.size() - found, std::memory_order_relaxed);
    for (size_t i = 0; i < std::min(hit.size(), experts.size()); ++i) hit[i] = present[i];
    return {};
}

/// True where the expert has a slot and needs no new read.
bool Store::pinIfPresent(int layer, int expert) {
    Expert& wanted = at(layer, expert);
    if (wanted.slot == noSlot) return false;
    const auto slot = static_cast<uint32_t>(wanted.slot);
    if (slots_[slot].error && slots_[slot].partsLeft == 0) return false;
    pinned_ += slots_[slot].pins++ == 0;
    policy_->used(slot, layer, expert);
    return true;
}

Status Store::pinMissing(Lock& lock, int layer, int expert) {
    Expert& wanted = at(layer, expert);
    if (wanted.slot == noSlot) {
        const auto slot = takeSlot(lock);
        if (!slot) return internalError("All " + std::to_string(slots_.size()) + " slots are in use by one request");
        wanted.slot = static_cast<int32_t>(*slot);
        slots_[*slot] = {&wanted, layer, expert, 0, 0, std::nullopt};
    }
    // Else its read failed and whoever asked for it has not let go: it is read again where it is.
    const auto slot = static_cast<uint32_t>(wanted.slot);
    pinned_ += slots_[slot].pins++ == 0;
    policy_->used(slot, layer, expert);
    startReading(slot);
    return {};
}

/// An empty slot; nothing where all are pinned. Waits only where all that may go are still being read.
std::optional<uint32_t> Store::takeSlot(Lock& lock) {
    const auto mayGo = [&](uint32_t slot) { return slots_[slot].pins == 0 && slots_[slot].partsLeft == 0; };
    for (;;) {
        if (!emptySlots_.empty()) {
            const uint32_t slot = emptySlots_.back();
            emptySlots_.pop_back();
            return slot;
        }
        if (untouched_ < slots_.size()) {
            slotsUsed_.store(untouched_ + 1, std::memory_order_relaxed);
            return untouched_++;
        }
        if (const auto victim = policy_->victim(mayGo)) {
            vacate(*victim);
            continue;
        }
        if (pinned_ == slots_.size()) return std::nullopt;
        arrival_.wait(lock);
    }
}

void Store::startReading(uint32_t slot) {
    Slot& into = slots_[slot];
    const size_t parts = layers_[static_cast<size_t>(into.layer)].parts.size();
    into.error.reset();
    into.partsLeft = parts;
    into.expert->state.store(ExpertState::Arriving, std::memory_order_relaxed);
    for (size_t part = 0; part < parts; ++part) queue_.push({slot, static_cast<uint32_t>(part)});
}

/// On a thread of the queue.
void Store::readPart(ReadItem item, int thread) {
    Lock lock(mutex_);
    Slot& slot = slots_[item.slot]; // stays this expert's for as long as parts are left
    const ExpertLayer::Part& part = layers_[static_cast<size_t>(slot.layer)].parts[item.part];
    const uint64_t offset = static_cast<uint64_t>(slot.number) * part.bytes;
    lock.unlock();

    const std::span<std::byte> target(slotData(item.slot) + part.slotOffset, static_cast<size_t>(part.bytes));
    Status read = file_.read(*part.tensor, offset, target);
    for (int attempt = 1; attempt < attempts && !read; ++attempt) read = file_.read(*part.tensor, offset, target);
    if (read && part.arrange) part.arrange(target.data(), thread);

    lock.lock();
    if (read)
        bytesRead_.fetch_add(part.bytes, std::memory_order_relaxed);
    else if (!slot.error)
        slot.error = std::move(read).error();
    if (--slot.partsLeft > 0) return;
    // Whoever sees InMemory without the lock must see the bytes too.
    slot.expert->state.store(slot.error ? ExpertState::OnDisk : ExpertState::InMemory, std::memory_order_release);
    if (slot.error && slot.pins == 0) vacate(item.slot);
    arrival_.notify_all();
}

Result<const std::byte*> Store::wait(int layer, int expert) {
    if (!known(layer, expert)) return internalError("An expert that does not exist was waited for");
    Lock lock(mutex_);
    const Expert& wanted = at(layer, expert);
    if (wanted.slot == noSlot || slots_[static_cast<size_t>(wanted.slot)].pins == 0)
        return internalError("An expert was waited for that nobody had asked for");
    const auto index = static_cast<uint32_t>(wanted.slot);
    const Slot& slot = slots_[index];
    if (slot.partsLeft > 0) {
        const auto began = std::chrono::steady_clock::now();
        arrival_.wait(lock, [&] { return slot.partsLeft == 0; });
        const auto waited = std::chrono::steady_clock::now() - began;
        waitNanoseconds_.fetch_add(std::chrono::duration_cast<std::chrono::nanoseconds>(waited).count(),
                                   std::memory_order_relaxed);
    }
    if (slot.error) return *slot.error;
    return static_cast<const std::byte*>(slotData(index));
}

void Store::release(int layer, std::span<const int> experts) {
    const Lock lock(mutex_);
    for (const int expert : experts)
        if (known(layer, expert)) unpin(at(layer, expert));
}

void Store::unpin(Expert& expert) {
    if (expert.slot == noSlot) return;
    const auto index = static_cast<uint32_t>(expert.slot);
    Slot& slot = slots_[index];
    if (slot.pins == 0 || --slot.pins > 0) return;
    --pinned_;
    if (slot.error && slot.partsLeft == 0) vacate(index);
}

/// The slot's expert goes; the slot can be taken.
void Store::vacate(uint32_t slot) {
    Slot& left = slots_[slot];
    left.expert->slot = noSlot;
    left.expert->state.store(ExpertState::OnDisk, std::memory_order_relaxed);
    left = {};
    policy_->emptied(slot);
    emptySlots_.push_back(slot);
}

ExpertState Store::state(int layer, int expert) const {
    if (!known(layer, expert)) return ExpertState::OnDisk;
    const Expert& wanted = experts_[firstExpert_[static_cast<size_t>(layer)] + static_cast<size_t>(expert)];
    return wanted.state.load(std::memory_order_acquire);
}

ExpertStoreStatistics Store::statistics() const {
    constexpr double nanosecond = 1e-9;
    ExpertStoreStatistics now;
    now.hits = hits_.load(std::memory_order_relaxed);
    now.misses = misses_.load(std::memory_order_relaxed);
    now.bytesRead = bytesRead_.load(std::memory_order_relaxed);
    now.waitSeconds = static_cast<double>(waitNanoseconds_.load(std::memory_order_relaxed)) * nanosecond;
    now.slotsUsed = slotsUsed_.load(std::memory_order_relaxed);
    now.slots = slots_.size();
    now.slotBytes = slotBytes_;
    return now;
}

/// Whether every expert's part lies within its tensor, and in a slot that can be counted.
Status checkLayers(const std::vector<ExpertLayer>& layers) {
    for (const ExpertLayer& layer : layers) {
        if (layer.experts < 0 || (layer.experts > 0 && layer.parts.empty()))
            return internalError("A layer's experts have no parts");
        for (const ExpertLayer::Part& part : layer.parts) {
            if (!part.tensor || part.bytes == 0) return internalError("An expert's part has no tensor");
            if (static_cast<uint64_t>(layer.experts) > part.tensor->bytes / part.bytes)
                return internalError("The experts in " + std::string(part.tensor->name) + " reach beyond its end");
            if (part.slotOffset > std::numeric_limits<uint64_t>::max() / 2 ||
                part.bytes > std::numeric_limits<uint64_t>::max() / 4)
                return internalError("The experts in " + std::string(part.tensor->name) + " do not fit in a slot");
        }
    }
    return {};
}

} // namespace

uint64_t ExpertLayer::slotBytes() const {
    uint64_t end = 0;
    for (const Part& part : parts) end = std::max(end, part.slotOffset + part.bytes);
    return (end + slotAlignment - 1) / slotAlignment * slotAlignment;
}

Result<std::unique_ptr<ExpertStore>> ExpertStore::create(const ModelFile& file, std::vector<ExpertLayer> layers,
                                                         const ExpertStoreOptions& options) {
    if (Status checked = checkLayers(layers); !checked) return checked.error();
    uint64_t slotBytes = 0;
    for (const ExpertLayer& layer : layers) slotBytes = std::max(slotBytes, layer.slotBytes());
    // More slots than experts would never be used.
    const uint64_t slots = std::min<uint64_t>({options.slots, countExperts(layers), mostSlots});
    if (slots == 0) return internalError("It needs at least one slot and one expert");
    if (slotBytes > std::numeric_limits<uint64_t>::max() / slots)
        return internalError("Its slots are larger than any memory");
    auto arena = Buffer::allocate(slots * slotBytes, "the expert slots", Buffer::Pages::Large);
    if (!arena) return arena.error();
    auto store =
        std::make_unique<Store>(file, std::move(layers), std::move(arena).value(), static_cast<uint32_t>(slots),
                                slotBytes, std::clamp(options.readThreads, 1, mostReadThreads));
    if (!store->canRead())
        return Error{ErrorKind::OutOfMemory, "Can't open " + file.path(), "The system gives no thread to read it with",
                     "Close other programs and try again"};
    return std::unique_ptr<ExpertStore>(std::move(store));
}

} // namespace coterie::engine
