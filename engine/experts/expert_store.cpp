// SPDX-License-Identifier: Apache-2.0
// Slots, pins and arrivals. The caller's thread gives slots to experts; the reader's thread fills them.
//
//   an expert:  OnDisk --request, or a guess--> Arriving --read--> InMemory --evicted--> OnDisk
//                                                   \------a read failed twice, or the guess was dropped---> OnDisk
//   what was used a few times as the file has it:   InMemory --nothing to read--> Arriving --arranged--> InMemory
//   a slot:     fresh (no memory yet), empty, or one expert's; held (never given away) while pinned, arriving, or kept
//   for a guess whose layer has not come yet
#include "experts/expert_store.h"

#include "experts/expert_reader.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <limits>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace coterie::engine {

namespace {

constexpr uint64_t mostSlots = uint64_t{1} << 24; // layers x experts of the largest models are some 100,000
constexpr int32_t noSlot = -1;
/// Guesses kept in slots, and being read, at a time: so much can be lost where they are wrong.
constexpr size_t mostGuesses = 16, mostGuessesArriving = 2;
/// What is certain comes soonest one at a time.
constexpr size_t mostCertainArriving = 1;
/// Experts being read at a time while the store rests: whatever is asked for next waits for so much.
constexpr size_t mostFillsArriving = 2;

Error internalError(std::string why) {
    return {ErrorKind::Internal, "The expert store was misused", std::move(why), "Please report this"};
}

size_t countExperts(const std::vector<int>& layers) {
    size_t count = 0;
    for (const int experts : layers) count += static_cast<size_t>(experts);
    return count;
}

/// Arranging an expert takes the time that a few uses of it save. One that is used less often is not worth it.
constexpr uint32_t usesBeforeArranging = 4;

class Store final : public ExpertStore {
  public:
    Store(std::unique_ptr<ExpertSource> source, std::unique_ptr<AsyncReads> reads, Buffer arena, uint32_t slots,
          const ExpertStoreOptions& options);

    bool canRead() const { return reader_.running(); }

    void reach(int layer, std::span<const ExpertDemand> demands, int64_t tokens) override;
    Status request(int layer, std::span<const int> experts, std::span<bool> hit) override;
    void expect(std::span<const ExpertGuess> guesses) override;
    Result<ExpertParts> wait(int layer, int expert) override;
    bool arrived(int layer, int expert) const override { return state(layer, expert) != ExpertState::Arriving; }
    void release(int layer, std::span<const int> experts) override;
    void rest() override;

    void limitSlots(uint64_t slots) override;
    uint64_t slots() const override { return slots_.size(); }
    uint64_t usableSlots() const override { return limit_.load(std::memory_order_relaxed); }
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
        int layer = 0, number = 0; // which expert that is; they stay while it arrives
        uint32_t pins = 0;
        uint32_t uses = 0; // requests
        bool arranged = false;
        bool arriving = false;      // being read, or being arranged
        bool onGuess = false;       // its last read was begun on a guess
        bool guess = false;         // kept until its layer is reached
        bool unclaimed = false;     // read on a guess, and not asked for yet
        bool fill = false;          // arriving because there was room
        std::optional<Error> error; // of its last read
    };

    bool known(int layer, int expert) const;
    Expert& at(int layer, int expert) {
        return experts_[firstExpert_[static_cast<size_t>(layer)] + static_cast<size_t>(expert)];
    }
    std::byte* slotData(uint32_t slot) const { return arena_.data() + slot * slotBytes_; }
    void updateHeld(uint32_t slot) {
        held_[slot] = slots_[slot].pins > 0 || slots_[slot].arriving || slots_[slot].guess;
    }

    bool pinIfPresent(int layer, int expert);
    Status pinMissing(Lock& lock, int layer, int expert);
    void pin(uint32_t slot);
    void unpin(Expert& expert);
    std::optional<uint32_t> takeSlot(Lock& lock);
    std::optional<uint32_t> takeUnused();
    std::optional<uint32_t> takeForGuess(const ExpertGuess& guess);
    void giveTo(uint32_t slot, int layer, int expert);
    void startReading(uint32_t slot, ExpertReader::Urgency urgency);
    void noteWritten(uint32_t slot, uint64_t bytes);
    void filled(uint32_t slot, Status status);
    void arrangeLater(uint32_t slot);
    bool arrangeOne();
    void settle(Lock& lock, uint32_t slot);
    void vacate(uint32_t slot);
    void shrink(Lock& lock);
    std::optional<uint32_t> emptyTheLast();
    void move(uint32_t from, uint32_t to);

    void startGuesses();
    bool isExpected(const Slot& slot) const;
    void endGuess(uint32_t slot, bool wanted);
    void dropGuesses();

    void startFills();
    std::optional<ExpertGuess> soonestOnDisk() const;

    const std::unique_ptr<ExpertSource> source_;
    Buffer arena_;
    const uint64_t slotBytes_, minimumSlots_;
    const bool certain_;
    std::vector<size_t> firstExpert_; // [layers] where a layer's experts start in experts_
    std::vector<Expert> experts_;

    std::mutex mutex_; // guards all below up to the counters
    std::condition_variable arrival_;
    std::vector<Slot> slots_;
    std::vector<uint8_t> held_;        // [slots]
    std::vector<uint64_t> written_;    // [slots] from their beginning, since they had no memory
    std::vector<uint32_t> fresh_;      // slots without memory; the last one is taken next
    std::vector<uint32_t> empty_;      // slots with memory that hold nothing
    std::vector<uint32_t> arrange_;    // slots whose experts are worth it; some may hold others by now
    uint32_t pinned_ = 0;              // slots with pins
    size_t leaving_ = 0;               // slots whose memory is just given back
    std::vector<ExpertGuess> guesses_; // not begun by now, the likeliest last
    std::vector<uint32_t> guessSlots_; // slots of guesses whose layers have not come
    int now_ = 0;                      // the layer that was reached last
    bool choosing_ = false;            // it has not asked for anything yet: no guess may take what it will ask for
    bool resting_ = false;             // nobody asks: slots that hold nothing may be filled
    size_t filling_ = 0;               // slots that are
    std::unique_ptr<EvictionPolicy> policy_;

    std::atomic<uint64_t> limit_; // written under mutex_
    std::atomic<uint64_t> hits_{0}, misses_{0}, guessed_{0}, guessedUsed_{0}, bytesRead_{0}, slotsUsed_{0},
        bytesHeld_{0};
    std::atomic<int64_t> waitNanoseconds_{0};

    ExpertReader reader_; // last: its thread uses all of the above
};

Store::Store(std::unique_ptr<ExpertSource> source, std::unique_ptr<AsyncReads> reads, Buffer arena, uint32_t slots,
             const ExpertStoreOptions& options)
    : source_(std::move(source)), arena_(std::move(arena)), slotBytes_(source_->slotBytes()),
      minimumSlots_(std::clamp<uint64_t>(options.minimumSlots, 1, slots)), certain_(options.certain),
      experts_(countExperts(source_->experts())), slots_(slots), held_(slots), written_(slots),
      policy_(createEviction(options.eviction, {source_->experts(), slots})), limit_(slots),
      reader_(std::move(reads),
              {slots, options.pieceBytes == 0 ? std::numeric_limits<uint64_t>::max() : options.pieceBytes,
               certain_ ? std::numeric_limits<size_t>::max() : ExpertReaderOptions{}.guessDepth},
              {[this](uint32_t slot, Status status) { filled(slot, std::move(status)); },
               [this] { return arrangeOne(); }}) {
    for (uint32_t slot = slots; slot > 0; --slot) fresh_.push_back(slot - 1);
    empty_.reserve(slots);
    arrange_.reserve(slots);
    guesses_.reserve(certain_ ? experts_.size() : mostGuesses);
    guessSlots_.reserve(certain_ ? slots : mostGuesses);
    for (size_t first = 0; const int count : source_->experts()) {
        firstExpert_.push_back(first);
        first += static_cast<size_t>(count);
    }
}

bool Store::known(int layer, int expert) const {
    const std::vector<int>& experts = source_->experts();
    return layer >= 0 && static_cast<size_t>(layer) < experts.size() && expert >= 0 &&
           expert < experts[static_cast<size_t>(layer)];
}

void Store::reach(int layer, std::span<const ExpertDemand> demands, int64_t tokens) {
    const Lock lock(mutex_);
    if (layer < 0 || static_cast<size_t>(layer) >= firstExpert_.size()) return;
    now_ = layer;
    choosing_ = true;
    resting_ = false;
    policy_->layerReached(layer, demands, tokens);
    std::erase_if(guesses_, [layer](const ExpertGuess& guess) { return guess.layer == layer; });
    for (size_t i = guessSlots_.size(); i > 0; --i) {
        const uint32_t slot = guessSlots_[i - 1];
        if (slots_[slot].layer != layer) continue;
        const int number = slots_[slot].number;
        const bool wanted = std::any_of(demands.begin(), demands.end(),
                                        [number](const ExpertDemand& demand) { return demand.expert == number; });
        endGuess(slot, wanted);
    }
}

Status Store::request(int layer, std::span<const int> experts, std::span<bool> hit) {
    for (const int expert : experts)
        if (!known(layer, expert))
            return internalError("Expert " + std::to_string(expert) + " of layer " + std::to_string(layer) +
                                 " does not exist");
    Lock lock(mutex_);
    choosing_ = false;
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
    startGuesses();
    return {};
}

/// True where the expert has a slot and needs no new read.
bool Store::pinIfPresent(int layer, int expert) {
    const Expert& wanted = at(layer, expert);
    if (wanted.slot == noSlot) return false;
    const auto index = static_cast<uint32_t>(wanted.slot);
    Slot& slot = slots_[index];
    if (slot.error && !slot.arriving) return false;
    if (slot.guess) endGuess(index, true);
    if (std::exchange(slot.unclaimed, false)) guessedUsed_.fetch_add(1, std::memory_order_relaxed);
    if (slot.arriving && slot.onGuess) reader_.promote(index);
    pin(index);
    return true;
}

Status Store::pinMissing(Lock& lock, int layer, int expert) {
    Expert& wanted = at(layer, expert);
    if (wanted.slot == noSlot) {
        const auto slot = takeSlot(lock);
        if (!slot) return internalError("All " + std::to_string(slots_.size()) + " slots are in use by one request");
        giveTo(*slot, layer, expert);
    }
    // Else its read failed and whoever asked for it has not let go: it is read again where it is.
    const auto slot = static_cast<uint32_t>(wanted.slot);
    pin(slot);
    startReading(slot, ExpertReader::Urgency::Needed);
    return {};
}

void Store::pin(uint32_t slot) {
    pinned_ += slots_[slot].pins++ == 0;
    ++slots_[slot].uses;
    updateHeld(slot);
}

void Store::giveTo(uint32_t slot, int layer, int expert) {
    Expert& owner = at(layer, expert);
    owner.slot = static_cast<int32_t>(slot);
    slots_[slot] = {};
    slots_[slot].expert = &owner;
    slots_[slot].layer = layer;
    slots_[slot].number = expert;
    policy_->filled(slot, layer, expert);
    slotsUsed_.fetch_add(1, std::memory_order_relaxed);
}

/// A slot for what is needed; nothing where all are pinned. Waits only where all that may go are still being read.
std::optional<uint32_t> Store::takeSlot(Lock& lock) {
    for (;;) {
        if (const auto slot = takeUnused()) return slot;
        if (const auto victim = policy_->victim(held_)) {
            vacate(*victim);
            continue;
        }
        if (!guessSlots_.empty()) {
            dropGuesses();
            continue;
        }
        const bool arriving =
            std::any_of(slots_.begin(), slots_.end(), [](const Slot& slot) { return slot.arriving && slot.pins == 0; });
        if (arriving) {
            arrival_.wait(lock);
            continue;
        }
        // All are pinned: more than the limit only where it was lowered meanwhile.
        if (fresh_.empty()) return std::nullopt;
        const uint32_t slot = fresh_.back();
        fresh_.pop_back();
        return slot;
    }
}

std::optional<uint32_t> Store::takeUnused() {
    const uint64_t used = slots_.size() - fresh_.size();
    std::vector<uint32_t>* from = !empty_.empty() ? &empty_ : used < limit_ && !fresh_.empty() ? &fresh_ : nullptr;
    if (from == nullptr) return std::nullopt;
    const uint32_t slot = from->back();
    from->pop_back();
    return slot;
}

void Store::startReading(uint32_t slot, ExpertReader::Urgency urgency) {
    Slot& into = slots_[slot];
    into.error.reset();
    into.arriving = true;
    into.onGuess = urgency == ExpertReader::Urgency::Guessed;
    updateHeld(slot);
    into.expert->state.store(ExpertState::Arriving, std::memory_order_relaxed);
    std::array<ReadExtent, kMostParts> extents;
    const size_t count = source_->extents(into.layer, into.number, slotData(slot), extents);
    const std::span<std::byte> last = extents[count - 1].to; // parts lie one after the other
    noteWritten(slot, static_cast<uint64_t>(last.data() + last.size() - slotData(slot)));
    reader_.start(slot, std::span(extents).first(count), urgency);
}

void Store::noteWritten(uint32_t slot, uint64_t bytes) {
    if (bytes <= written_[slot]) return;
    bytesHeld_.fetch_add(bytes - std::exchange(written_[slot], bytes), std::memory_order_relaxed);
}

/// On the reader's thread.
void Store::filled(uint32_t index, Status status) {
    Slot& slot = slots_[index]; // its expert stays while it arrives
    uint64_t bytes = 0;
    bool arranged = !source_->arranges(slot.layer);
    if (status) {
        // Whoever waits for it can use it as it is. Where nobody does, or it stays for good, it is arranged at once.
        if (!arranged && (slot.fill || limit_ == experts_.size())) {
            source_->arrange(slot.layer, slot.number, slotData(index));
            arranged = true;
        }
        std::array<ReadExtent, kMostParts> extents;
        const size_t count = source_->extents(slot.layer, slot.number, slotData(index), extents);
        for (const ReadExtent& extent : std::span(extents).first(count)) bytes += extent.to.size();
    }
    Lock lock(mutex_);
    bytesRead_.fetch_add(bytes, std::memory_order_relaxed);
    if (std::exchange(slot.fill, false)) --filling_;
    if (!status && slot.onGuess && slot.pins > 0) {
        // The guess was dropped or its read failed, and it is needed after all: that has tries of its own.
        startReading(index, ExpertReader::Urgency::Needed);
        return;
    }
    slot.arranged = arranged;
    if (!status) slot.error = std::move(status).error();
    if (slot.error) resting_ = false; // a disk that fails is not asked for what nobody needs
    settle(lock, index);
}

/// What arrived, or was arranged, can be used; or it failed.
void Store::settle(Lock& lock, uint32_t index) {
    Slot& slot = slots_[index];
    slot.arriving = false;
    // Whoever sees InMemory without the lock must see the bytes too.
    slot.expert->state.store(slot.error ? ExpertState::OnDisk : ExpertState::InMemory, std::memory_order_release);
    updateHeld(index);
    if (slot.error && slot.pins == 0) vacate(index);
    startGuesses();
    startFills();
    shrink(lock);
    arrival_.notify_all();
}

/// Its layer is done with it: the next token's is far enough away.
void Store::arrangeLater(uint32_t slot) {
    if (slots_[slot].uses % usesBeforeArranging != 0 || arrange_.size() == slots_.size()) return;
    arrange_.push_back(slot);
    reader_.askIdle();
}

/// On the reader's thread, when it has nothing to read. False where nothing is to be arranged.
bool Store::arrangeOne() {
    Lock lock(mutex_);
    while (!arrange_.empty()) {
        const uint32_t index = arrange_.back();
        arrange_.pop_back();
        Slot& slot = slots_[index];
        if (slot.expert == nullptr || slot.arranged || slot.arriving || slot.error || slot.pins > 0 ||
            slot.uses < usesBeforeArranging)
            continue;
        slot.arriving = true;
        slot.expert->state.store(ExpertState::Arriving, std::memory_order_relaxed);
        updateHeld(index);
        lock.unlock();
        source_->arrange(slot.layer, slot.number, slotData(index));
        lock.lock();
        slot.arranged = true;
        settle(lock, index);
        return true;
    }
    return false;
}

Result<ExpertParts> Store::wait(int layer, int expert) {
    if (!known(layer, expert)) return internalError("An expert that does not exist was waited for");
    Lock lock(mutex_);
    const Expert& wanted = at(layer, expert);
    if (wanted.slot == noSlot || slots_[static_cast<size_t>(wanted.slot)].pins == 0)
        return internalError("An expert was waited for that nobody had asked for");
    const auto index = static_cast<uint32_t>(wanted.slot);
    const Slot& slot = slots_[index];
    if (slot.arriving) {
        const auto began = std::chrono::steady_clock::now();
        arrival_.wait(lock, [&] { return !slot.arriving; });
        const auto waited = std::chrono::steady_clock::now() - began;
        waitNanoseconds_.fetch_add(std::chrono::duration_cast<std::chrono::nanoseconds>(waited).count(),
                                   std::memory_order_relaxed);
    }
    if (slot.error) return *slot.error;
    return source_->parts(layer, expert, slotData(index), slot.arranged);
}

void Store::release(int layer, std::span<const int> experts) {
    Lock lock(mutex_);
    for (const int expert : experts)
        if (known(layer, expert)) unpin(at(layer, expert));
    startGuesses();
    shrink(lock);
}

void Store::unpin(Expert& expert) {
    if (expert.slot == noSlot) return;
    const auto index = static_cast<uint32_t>(expert.slot);
    Slot& slot = slots_[index];
    if (slot.pins == 0 || --slot.pins > 0) return;
    --pinned_;
    updateHeld(index);
    if (slot.error && !slot.arriving) return vacate(index);
    if (!slot.arranged && !slot.arriving) arrangeLater(index);
}

/// The slot's expert goes; the slot can be taken.
void Store::vacate(uint32_t slot) {
    Slot& left = slots_[slot];
    if (left.guess) std::erase(guessSlots_, slot);
    left.expert->slot = noSlot;
    left.expert->state.store(ExpertState::OnDisk, std::memory_order_relaxed);
    left = {};
    updateHeld(slot);
    policy_->emptied(slot);
    empty_.push_back(slot);
    slotsUsed_.fetch_sub(1, std::memory_order_relaxed);
}

void Store::expect(std::span<const ExpertGuess> guesses) {
    const Lock lock(mutex_);
    guesses_.clear();
    for (size_t i = certain_ ? guesses.size() : std::min(guesses.size(), mostGuesses); i > 0; --i)
        if (known(guesses[i - 1].layer, guesses[i - 1].expert)) guesses_.push_back(guesses[i - 1]);
    // A guess on its way that is not among the new ones makes room for those.
    for (size_t i = guessSlots_.size(); i > 0; --i)
        if (const uint32_t slot = guessSlots_[i - 1]; slots_[slot].arriving && !isExpected(slots_[slot]))
            endGuess(slot, false);
    startGuesses();
}

bool Store::isExpected(const Slot& slot) const {
    return std::any_of(guesses_.begin(), guesses_.end(), [&slot](const ExpertGuess& guess) {
        return guess.layer == slot.layer && guess.expert == slot.number;
    });
}

/// Has the likeliest guesses read that are not in memory, a few at a time: what comes next may be known better then.
void Store::startGuesses() {
    if (choosing_) return;
    const auto arriving = [this](uint32_t slot) { return slots_[slot].arriving; };
    auto reading = static_cast<size_t>(std::count_if(guessSlots_.begin(), guessSlots_.end(), arriving));
    const size_t room = (limit_ - std::min<uint64_t>(limit_, minimumSlots_)) / 2;
    const size_t most = certain_ ? limit_.load() : std::min(mostGuesses, room);
    const size_t mostReading = certain_ ? mostCertainArriving : mostGuessesArriving;
    for (size_t i = guesses_.size(); i > 0 && reading < mostReading && guessSlots_.size() < most; --i) {
        const ExpertGuess guess = guesses_[i - 1];
        if (at(guess.layer, guess.expert).slot != noSlot) continue;
        const auto slot = takeForGuess(guess);
        if (!slot) return; // as soon as one is released
        guesses_.erase(guesses_.begin() + static_cast<std::ptrdiff_t>(i - 1));
        giveTo(*slot, guess.layer, guess.expert);
        slots_[*slot].guess = slots_[*slot].unclaimed = true;
        guessSlots_.push_back(*slot);
        guessed_.fetch_add(1, std::memory_order_relaxed);
        startReading(*slot, ExpertReader::Urgency::Guessed);
        ++reading;
    }
}

/// One that is unused, or whose expert is expected later than the guess.
std::optional<uint32_t> Store::takeForGuess(const ExpertGuess& guess) {
    if (const auto slot = takeUnused()) return slot;
    const auto victim = policy_->victim(held_);
    if (!victim) return std::nullopt;
    const int layers = static_cast<int>(firstExpert_.size());
    const int ahead = (guess.layer - now_ - 1 + layers) % layers + 1;
    const Slot& slot = slots_[*victim];
    if (policy_->expectedWait(slot.layer, slot.number) <= static_cast<double>(ahead) / layers) return std::nullopt;
    vacate(*victim);
    return takeUnused();
}

/// The slot is kept for a guess no longer. Where it is not wanted, reads that have not begun are left.
void Store::endGuess(uint32_t slot, bool wanted) {
    std::erase(guessSlots_, slot);
    slots_[slot].guess = false;
    updateHeld(slot);
    if (!wanted && slots_[slot].arriving && reader_.cancel(slot)) {
        slots_[slot].arriving = false;
        vacate(slot);
    }
}

/// What is needed has no slot, or memory is short.
void Store::dropGuesses() {
    guesses_.clear();
    while (!guessSlots_.empty()) endGuess(guessSlots_.back(), false);
}

void Store::rest() {
    const Lock lock(mutex_);
    resting_ = true;
    startFills();
}

void Store::startFills() {
    while (resting_ && filling_ < mostFillsArriving) {
        const auto next = soonestOnDisk();
        if (!next) return;
        const auto slot = takeUnused();
        if (!slot) return; // until there is more room
        giveTo(*slot, next->layer, next->expert);
        slots_[*slot].fill = true;
        ++filling_;
        startReading(*slot, ExpertReader::Urgency::Guessed);
    }
}

std::optional<ExpertGuess> Store::soonestOnDisk() const {
    std::optional<ExpertGuess> found;
    double soonest = std::numeric_limits<double>::infinity();
    for (size_t layer = 0, i = 0; layer < firstExpert_.size(); ++layer)
        for (int expert = 0; expert < source_->experts()[layer]; ++expert, ++i) {
            if (experts_[i].slot != noSlot) continue;
            const double wait = policy_->expectedWait(static_cast<int>(layer), expert);
            if (wait >= soonest) continue;
            soonest = wait;
            found = {static_cast<int>(layer), expert};
        }
    return found;
}

void Store::limitSlots(uint64_t slots) {
    Lock lock(mutex_);
    limit_ = std::clamp<uint64_t>(slots, minimumSlots_, slots_.size());
    if (slots_.size() - fresh_.size() > limit_) dropGuesses(); // none is worth memory that others need
    shrink(lock);
    startFills();
}

/// Gives back what is beyond the limit and not held: from the arena's end, as the system takes whole large pages alone.
void Store::shrink(Lock& lock) {
    while (slots_.size() - fresh_.size() - leaving_ > limit_) {
        const auto slot = emptyTheLast();
        if (!slot) return;
        held_[*slot] = 1; // and in no list: nobody else touches it
        ++leaving_;
        lock.unlock();
        arena_.discard(*slot * slotBytes_, slotBytes_);
        lock.lock();
        --leaving_;
        held_[*slot] = 0;
        bytesHeld_.fetch_sub(std::exchange(written_[*slot], 0), std::memory_order_relaxed);
        fresh_.push_back(*slot);
    }
}

/// The last slot with memory that is not held, in no list any more. What it held moves to where something is less
/// wanted.
std::optional<uint32_t> Store::emptyTheLast() {
    for (auto slot = static_cast<uint32_t>(slots_.size()); slot-- > 0;) {
        if (held_[slot] != 0 || std::find(fresh_.begin(), fresh_.end(), slot) != fresh_.end()) continue;
        if (slots_[slot].expert != nullptr) {
            if (empty_.empty()) vacate(*policy_->victim(held_));
            if (slots_[slot].expert != nullptr) move(slot, empty_.back());
        }
        std::erase(empty_, slot);
        return slot;
    }
    return std::nullopt;
}

/// An expert to an empty slot; its own is empty then.
void Store::move(uint32_t from, uint32_t to) {
    const Slot moved = slots_[from];
    std::memcpy(slotData(to), slotData(from), written_[from]);
    noteWritten(to, written_[from]);
    vacate(from);
    std::erase(empty_, to);
    giveTo(to, moved.layer, moved.number);
    slots_[to].unclaimed = moved.unclaimed;
    slots_[to].arranged = moved.arranged;
    slots_[to].uses = moved.uses;
    moved.expert->state.store(ExpertState::InMemory, std::memory_order_release);
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
    now.guessed = guessed_.load(std::memory_order_relaxed);
    now.guessedUsed = guessedUsed_.load(std::memory_order_relaxed);
    now.bytesRead = bytesRead_.load(std::memory_order_relaxed);
    now.waitSeconds = static_cast<double>(waitNanoseconds_.load(std::memory_order_relaxed)) * nanosecond;
    now.slotsUsed = slotsUsed_.load(std::memory_order_relaxed);
    now.slots = limit_.load(std::memory_order_relaxed);
    now.slotBytes = slotBytes_;
    now.bytesHeld = bytesHeld_.load(std::memory_order_relaxed);
    now.reader = reader_.reads().name();
    now.readDepth = reader_.reads().depth();
    return now;
}

} // namespace

Result<std::unique_ptr<ExpertStore>> ExpertStore::create(std::unique_ptr<ExpertSource> source,
                                                         std::unique_ptr<AsyncReads> reads,
                                                         const ExpertStoreOptions& options) {
    // More slots than experts would never be used.
    const uint64_t slots = std::min<uint64_t>({options.slots, countExperts(source->experts()), mostSlots});
    if (slots == 0) return internalError("It needs at least one slot and one expert");
    const uint64_t slotBytes = source->slotBytes();
    if (slotBytes > std::numeric_limits<uint64_t>::max() / slots)
        return internalError("Its slots are larger than any memory");
    auto arena = Buffer::allocate(slots * slotBytes, "the expert slots", Buffer::Pages::Large);
    if (!arena) return arena.error();
    const Error noThread{ErrorKind::OutOfMemory, "The model can't be loaded",
                         "The system gives no thread to read it with", "Close other programs and try again"};
    if (!reads) return noThread;
    auto store = std::make_unique<Store>(std::move(source), std::move(reads), std::move(arena).value(),
                                         static_cast<uint32_t>(slots), options);
    if (!store->canRead()) return noThread;
    return std::unique_ptr<ExpertStore>(std::move(store));
}

} // namespace coterie::engine
