// SPDX-License-Identifier: Apache-2.0
// See memory_plan.h.
#include "decoder/memory_plan.h"

#include "base/memory.h"
#include "decoder/embeddings/row_store.h"
#include "decoder/head_sketch.h"
#include "decoder/kv_cache.h"
#include "decoder/sequence_memory.h"
#include "decoder/state_copies.h"
#include "decoder/workspace.h"
#include "experts/slot_layout.h"
#include "model/model_tensors.h"
#include "model/weights.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace coterie::engine {
namespace {

constexpr uint64_t kMiB = 1 << 20;
constexpr uint64_t kGiB = 1 << 30;

/// Limits of the memory that an automatic budget leaves to the rest of the system, which is an eighth of all memory.
constexpr uint64_t kLeastLeft = 256 * kMiB;
constexpr uint64_t kMostLeft = 4 * kGiB;
/// The amount that is assumed if the system doesn't say how much memory it has.
constexpr uint64_t kUnknownMemory = 4 * kGiB;

// Memory that the process holds besides the model, measured on Linux, x86-64, with /proc/PID/smaps while a model
// answers:
/// Code and libraries that are touched after the plan was made (1.2 to 1.4 MiB), and the heap's small things.
constexpr uint64_t kLaterCode = 3 * kMiB / 2;
/// Stack and heap of a thread: 16 to 40 KiB.
constexpr uint64_t kThreadBytes = 48 << 10;
/// One token in a sampler's list of candidates.
constexpr uint64_t kSamplerBytesPerToken = 16;
/// The store's records for a slot, for what is being read into it, and for an expert.
constexpr uint64_t kSlotRecord = 512, kExpertRecord = 96;
/// Bytes that may be touched beyond the expert, in a slot whose expert is smaller than the slot: Buffer::Pages::Large.
constexpr uint64_t kLargePage = 2 * kMiB;
/// The system's page tables, which a memory cgroup counts too: 8 bytes for 4 KiB, for large pages as well (the system
/// keeps tables ready to split them).
constexpr uint64_t kPageTableShare = 512;
/// A program that already holds much memory, such as one with windows, grows while it is used.
constexpr uint64_t kGrowthShare = 16;

/// Lengths of a chunk. The longest is tried first, because each expert is read once per chunk.
constexpr int64_t kChunks[] = {256, 128, 64, 32};
/// Lengths of a chunk of a long prompt.
constexpr int64_t kLongChunks[] = {4096, 2048, 1024, 512};
/// While such a chunk runs, its arrays and the longer rings of windows may take this share of the slots.
constexpr uint64_t kLongShare = 4;
/// The largest shares: scratch takes at most the first share of the budget, and the KV cache of an automatic context at
/// most the second share of the memory that experts could use. Kept copies of states take at most the third share of
/// the budget, but there is always one.
constexpr uint64_t kScratchShare = 16;
constexpr uint64_t kCacheShare = 4;
constexpr uint64_t kStateShare = 32;
/// A conversation gains little from more copies of its states.
constexpr uint64_t kMostStateCopies = 64;
/// Rows of per-layer embeddings that stay in memory, if they fit: as many different tokens as a chat of the comfortable
/// context can have.
constexpr int64_t kMostCachedRows = 4096;
/// An automatic context is shorter than this only if a token's experts would not fit otherwise.
constexpr int64_t kComfortableContext = 4096;
/// Comfortable expert slots, in token cycles. With two of them about half of the experts that a token needs are in
/// memory (an expected-use policy on published traces), and reads have room besides.
constexpr uint64_t kComfortableCycles = 2;

uint64_t automaticBudget(const MemoryReading& memory) {
    const uint64_t total = memory.total == 0 ? kUnknownMemory : memory.total;
    const uint64_t left = systemReserve(memory);
    const uint64_t usable = memory.available == 0 ? total / 2 : memory.available + memory.resident;
    return usable > 2 * left ? usable - left : usable / 2;
}

class Planner {
  public:
    Planner(const ModelShape& shape, const ModelTensors& tensors, const MemoryRequest& request)
        : shape_(shape), tensors_(tensors), request_(request) {
        MemoryReading memory;
        if (request.budget == 0 || request.held == 0) memory = request.readMemory ? request.readMemory() : readMemory();
        plan_.budget = request.budget == 0 ? automaticBudget(memory) : request.budget;
        plan_.threads = std::max(1, request.threads);
        plan_.dense = shape.isDense();
        plan_.keyValueFormat = request.keyValueFormat;
        plan_.longChunks = request.longChunks && !onDevice();
        plan_.resident = ResidentWeights::bytesNeeded(tensors, false).value();
        plan_.embeddingKept = shape.tiedHead;
        if (onDevice()) {
            plan_.device = {.name = request.deviceName, .budget = request.deviceMemory, .resident = plan_.resident};
            plan_.resident = ResidentWeights::bytesNeeded(expertTensors(tensors), false).value();
        }
        countStates();
        if (const gguf::Tensor* table = tensors.layerEmbedding) {
            plan_.rowTable = table->bytes;
            plan_.rowRead = RowStore::readBytes(*table);
        }
        countExperts();
        findForms();
        held_ = request.held == 0 ? memory.resident : request.held;
    }

    Result<MemoryPlan> run() {
        if (request_.context < 0 || request_.context > shape_.longestContext)
            return Error{ErrorKind::BadInput,
                         {"A context of %1 tokens is not possible", request_.context},
                         {"The model's rotation is right for %1", shape_.longestContext},
                         {"Choose a context from 1 to %1", shape_.longestContext}};
        setContext(request_.context == 0 ? automaticContext() : request_.context);
        sayWhatIsNeeded();
        if (!fits(minimumArena())) return tooLittle();
        keepSketchWhereItFits();
        plan_.slots = slotsThatFit();
        plan_.longChunk = plan_.chunk;
        plan_.chunkReads = plan_.longReads = readsPerToken(plan_.chunk, plan_.slots);
        if (Status status = chooseLongChunk(); !status) return status.error();
        keepEmbeddingWhereItFits();
        keepRowsThatFit();
        fillDevice();
        plan_.program =
            (SaturatingBytes(fixedBytes()) + arena(plan_.slots)).value() - fixedParts().value() - plan_.slotArena();
        return plan_;
    }

  private:
    void countStates() {
        plan_.stateEach = StateCopies::bytesOfOne(shape_).value();
        if (plan_.stateEach == 0) return;
        plan_.stateCopies = copiesIn(plan_.budget);
        (onDevice() ? plan_.device.state : plan_.state) = StateCopies::bytesNeeded(shape_, plan_.stateCopies).value();
    }

    /// The copies of states that a budget keeps, in a model that has states.
    int64_t copiesIn(uint64_t budget) const {
        const uint64_t fitting = budget / kStateShare / plan_.stateEach;
        return static_cast<int64_t>(std::clamp<uint64_t>(fitting, 1, kMostStateCopies));
    }
    uint64_t statesIn(uint64_t budget) const { return StateCopies::bytesNeeded(shape_, copiesIn(budget)).value(); }

    /// Returns the least budget that is enough for what `needed` counts, with as many states as that budget keeps.
    template <typename Needed>
    uint64_t leastBudget(const Needed& needed) {
        const uint64_t state = plan_.state;
        uint64_t budget = 0, bytes = 0;
        do {
            budget = bytes;
            if (state != 0) plan_.state = statesIn(budget);
            bytes = needed().value();
        } while (bytes > budget);
        plan_.state = state;
        return budget;
    }

    /// Counts the rows of a chunk, and so many that stay.
    SaturatingBytes rowsBytes(int64_t chunk, int64_t cached) const {
        if (tensors_.layerEmbedding == nullptr) return 0;
        return RowStore::bytesNeeded(*tensors_.layerEmbedding, {.chunk = chunk, .cached = cached});
    }

    /// Computed from the layers that the store will get, whatever its slots hold.
    void countExperts() {
        const std::vector<ExpertLayer> layers = expertLayers(shape_, tensors_);
        for (const ExpertLayer& layer : layers) plan_.totalExperts += static_cast<uint64_t>(layer.experts);
        plan_.classes = SlotClasses::of(layers, request_.heat);
        slots_ = SlotLayout::of(layers).divided(plan_.classes, plan_.totalExperts);
        plan_.slotBytes = slots_.sharedBytes();
        plan_.smallSlotBytes = slots_.bytesOf(SlotSize::Small);
        plan_.ownSlots = slots_.own();
        plan_.ownSlotBytes = plan_.allSlots = slots_.ownBytes();
        uint64_t shared = 0; // experts that share slots, of those that a token uses
        for (size_t i = 0; i < layers.size(); ++i) {
            const ExpertLayer& layer = layers[i];
            const auto experts = static_cast<uint64_t>(layer.experts);
            largestExpert_ = std::max(largestExpert_, layer.slotBytes());
            if (slots_.ownSlotOf(static_cast<int>(i))) continue;
            const auto chosen = static_cast<uint64_t>(shape_.layer[i].feedForward.chosenExperts());
            // One slot is computed with while the next expert arrives in the other.
            plan_.minimumSlots = std::max(plan_.minimumSlots, std::max<uint64_t>(chosen, 2));
            const uint64_t room = slots_.bytesOf(slots_.sizeFor(static_cast<int>(i)));
            plan_.allSlots += experts * std::min(room, layer.slotBytes() + kLargePage);
            shared += chosen;
        }
        plan_.regroupedRow = longestRegroupedRow(layers);
        tokenCycle_ = plan_.ownSlots + shared;
        plan_.minimumSlots = std::min(plan_.ownSlots + plan_.minimumSlots, plan_.totalExperts);
        plan_.comfortableSlots = std::min(plan_.totalExperts, plan_.ownSlots + kComfortableCycles * shared);
    }

    void findForms() {
        const auto note = [](std::array<bool, 2>& forms, std::initializer_list<const gguf::Tensor*> matrices) {
            for (const gguf::Tensor* matrix : matrices)
                if (matrix != nullptr) forms[placeOf(vectorForm(*matrix->type))] = true;
        };
        for (const LayerTensors& layer : tensors_.layers) {
            note(plan_.forms.input, {layer.gateAndUp, layer.gate, layer.up, layer.sharedGate, layer.sharedUp});
            note(plan_.forms.down, {layer.down, layer.sharedDown});
        }
    }

    SaturatingBytes programBytes() const {
        return SaturatingBytes(held_) + held_ / kGrowthShare + kLaterCode + request_.tokenizerBytes +
               SaturatingBytes(request_.heldPerToken) * static_cast<uint64_t>(plan_.context) +
               SaturatingBytes(static_cast<uint64_t>(plan_.threads)) * kThreadBytes +
               SaturatingBytes(static_cast<uint64_t>(shape_.vocabulary)) * kSamplerBytesPerToken +
               SaturatingBytes(plan_.totalExperts) * kExpertRecord;
    }

    /// Chooses the longest chunk that is cheap enough, or the longest with which the model fits at all.
    void setContext(int64_t context) {
        plan_.context = context;
        plan_.program = programBytes().value();
        for (const int64_t chunk : kChunks) {
            setChunk(request_.chunk == 0 ? chunk : std::min(request_.chunk, kChunks[0]));
            if (plan_.scratch <= plan_.budget / kScratchShare && fits(minimumArena())) break;
        }
    }

    WorkspaceRequest arraysOfChunk() const {
        return {.chunk = plan_.chunk,
                .context = plan_.context,
                .threads = plan_.threads,
                .regroupedRow = plan_.regroupedRow,
                .forms = plan_.forms};
    }

    void setChunk(int64_t most) {
        plan_.chunk = std::min(most, plan_.context);
        WorkspaceRequest arrays = arraysOfChunk();
        plan_.scratch = Workspace::bytesNeeded(shape_, arrays).value();
        plan_.keyValue = KvLayout::bytesNeeded(shape_, plan_.keyValueFormat, plan_.context, plan_.chunk).value();
        plan_.embeddingRows = rowsBytes(plan_.chunk, 0).value();
        if (!onDevice()) return;
        plan_.device.scratch = plan_.scratch;
        plan_.device.keyValue = std::exchange(plan_.keyValue, 0);
        arrays.expertsOnly = true;
        plan_.scratch = Workspace::bytesNeeded(shape_, arrays).value();
    }

    /// Bytes of experts that a token reads from disk on average: those of its chunk that no slot holds. A chunk of n
    /// tokens, which choose k of E experts each and all alike, uses E (1 - (1 - k / E)^n) of them. What has a slot of
    /// its own is not read again.
    uint64_t readsPerToken(int64_t tokens, uint64_t slots) const {
        if (slots == plan_.totalExperts) return 0;
        double used = 0;
        for (const LayerShape& layer : shape_.layer) {
            const auto stored = static_cast<double>(layer.feedForward.storedExperts());
            if (plan_.ownSlots > 0 && stored == 1) continue;
            const double share = static_cast<double>(layer.feedForward.chosenExperts()) / stored;
            used += stored * (1 - std::pow(1 - share, static_cast<double>(tokens)));
        }
        const double missing =
            1 - static_cast<double>(slots - plan_.ownSlots) / static_cast<double>(plan_.totalExperts - plan_.ownSlots);
        return static_cast<uint64_t>(used * missing * static_cast<double>(plan_.meanSlotBytes()) /
                                     static_cast<double>(tokens));
    }

    /// If experts come from disk, a long prompt reads less in longer chunks: slots lend their memory for them until the
    /// prompt has been read. Chooses the length with which a token reads least. With embeddings by layer the
    /// chunk keeps its length: their rows would take more than is saved.
    Status chooseLongChunk() {
        const bool possible =
            plan_.longChunks && plan_.rowTable == 0 && (plan_.slots < plan_.totalExperts || request_.chunk != 0);
        for (const int64_t most : kLongChunks) {
            if (!possible || (request_.chunk != 0 && most != kLongChunks[0])) break;
            const int64_t tokens = std::min(request_.chunk == 0 ? most : request_.chunk, plan_.context);
            if (tokens > plan_.chunk) tryLongChunk(tokens);
        }
        if (request_.chunk <= plan_.longChunk || plan_.context <= plan_.longChunk) return {};
        return Error{ErrorKind::OutOfMemory,
                     {"A chunk of %1 tokens is not possible here", request_.chunk},
                     "Its arrays would take too much of the memory that experts need, or the device computes it",
                     "Choose a shorter chunk, or allow more memory"};
    }

    void tryLongChunk(int64_t tokens) {
        const bool asked = request_.chunk != 0;
        const uint64_t bytes = Workspace::longBytesNeeded(shape_, arraysOfChunk(), tokens).value() +
                               SequenceMemory::longBytesNeeded(shape_, plan_, tokens);
        const SlotLayout layout = plan_.smallSlots() == 0 ? slots_.withOneSize() : slots_;
        const uint64_t slots = layout.lastWith(bytes, plan_.slots);
        const uint64_t least = std::max(plan_.minimumSlots, layout.least());
        if (plan_.slots < least + slots || (!asked && slots > plan_.sharedSlots() / kLongShare)) return;
        const uint64_t reads = readsPerToken(tokens, plan_.slots - slots);
        if (!asked && reads >= plan_.longReads) return;
        plan_.longChunk = tokens;
        plan_.longSlots = slots;
        plan_.longScratch = bytes;
        plan_.longReads = reads;
    }

    bool onDevice() const { return !request_.deviceName.empty(); }
    bool fitsOnDevice() const {
        const DevicePlan& device = plan_.device;
        return (SaturatingBytes(device.resident) + device.keyValue + device.state + device.scratch).value() <=
               device.budget;
    }
    /// The rest of the device's memory holds experts.
    void fillDevice() {
        if (!onDevice()) return;
        DevicePlan& device = plan_.device;
        device.slotBytes = largestExpert_;
        device.slots = std::min(plan_.totalExperts, (device.budget - device.total()) / device.slotBytes);
    }

    /// Computes both totals for the chosen context; the second includes everything that makes the model fast.
    void sayWhatIsNeeded() {
        const int64_t chunk = plan_.chunk;
        setChunk(kChunks[std::size(kChunks) - 1]);
        plan_.minimumTotal = leastBudget([this] { return SaturatingBytes(fixedBytes()) + minimumArena(); });
        setChunk(kChunks[0]);
        const uint64_t cached = rowsBytes(plan_.chunk, mostCachedRows()).value() - plan_.embeddingRows;
        plan_.comfortableTotal = leastBudget([this, cached] {
            return SaturatingBytes(fixedBytes()) + withTables(sketchBytes() + cached) + arena(plan_.comfortableSlots);
        });
        setChunk(chunk);
    }

    static SaturatingBytes withTables(SaturatingBytes bytes) { return bytes + bytes.value() / kPageTableShare; }
    SaturatingBytes fixedParts() const {
        return SaturatingBytes(plan_.resident) + plan_.keyValue + plan_.state + plan_.embeddingRows + plan_.scratch;
    }
    uint64_t fixedBytes() const { return (SaturatingBytes(plan_.program) + withTables(fixedParts())).value(); }
    static SaturatingBytes slotCost(uint64_t bytes) { return withTables(bytes) + kSlotRecord; }
    const SlotDivision& division() const { return plan_.classes.division; }
    SaturatingBytes arena(uint64_t slots) const {
        if (slots == plan_.totalExperts) return withTables(plan_.allSlots) + SaturatingBytes(slots) * kSlotRecord;
        return ownCost() + sharedCost(slots - plan_.ownSlots, division().smallOf(slots - plan_.ownSlots));
    }
    SaturatingBytes sharedCost(uint64_t slots, uint64_t small) const {
        return SaturatingBytes(slots - small) * slotCost(plan_.slotBytes) +
               SaturatingBytes(small) * slotCost(plan_.smallSlotBytes);
    }
    SaturatingBytes ownCost() const {
        return withTables(plan_.ownSlotBytes) + SaturatingBytes(plan_.ownSlots) * kSlotRecord;
    }
    uint64_t slotsThatFit() const {
        if (fits(arena(plan_.totalExperts))) return plan_.totalExperts;
        const uint64_t room = plan_.budget - fixedBytes() - ownCost().value();
        const uint64_t divided = dividedSlotsIn(room);
        if (division().divides(divided)) return plan_.ownSlots + divided;
        return plan_.ownSlots + room / slotCost(plan_.slotBytes).value();
    }
    /// The most shared slots that have room if they have two sizes. If these are too few to be divided, then so are
    /// those of one size, which are not more: the store sees by the number which of both is meant.
    uint64_t dividedSlotsIn(uint64_t room) const {
        if (division().least() == 0) return 0;
        uint64_t fitting = 0, tooMany = plan_.totalExperts - plan_.ownSlots;
        while (fitting + 1 < tooMany) {
            const uint64_t slots = fitting + (tooMany - fitting) / 2;
            const bool fit = sharedCost(slots, division().smallAmong(slots)).value() <= room;
            (fit ? fitting : tooMany) = slots;
        }
        return fitting;
    }
    uint64_t minimumArena() const { return arena(plan_.minimumSlots).value(); }
    bool fits(SaturatingBytes arenaBytes) const {
        return (SaturatingBytes(fixedBytes()) + arenaBytes).value() <= plan_.budget && fitsOnDevice();
    }

    /// Halves the trained length until the cache leaves the experts their share. The length goes below the comfortable
    /// one only to make room for a token's experts. For a dense model these are all layers: if they don't fit anyway,
    /// the context is not shortened for them.
    int64_t automaticContext() {
        setContext(std::min(shape_.trainedContext, kMinimumAutomaticContext));
        const bool streams = plan_.dense && !fits(arena(tokenCycle_));
        const uint64_t wanted = streams ? plan_.minimumSlots : tokenCycle_;
        int64_t context = shape_.trainedContext;
        for (;; context = std::max(context / 2, kMinimumAutomaticContext)) {
            setContext(context);
            if (context <= kMinimumAutomaticContext) return context;
            if (fits(arena(plan_.totalExperts))) return context;
            const uint64_t besides =
                (SaturatingBytes(plan_.program) + plan_.resident + plan_.state + plan_.embeddingRows + plan_.scratch)
                    .value();
            const bool fairShare = besides < plan_.budget && plan_.keyValue <= (plan_.budget - besides) / kCacheShare;
            if (fits(arena(wanted)) && (fairShare || context <= kComfortableContext)) return context;
        }
    }

    SaturatingBytes sketchBytes() const {
        if (!request_.headSketch || onDevice() || shape_.headPredictorRank != 0) return 0;
        return HeadSketch::bytesNeeded(shape_.vocabulary, shape_.width);
    }

    void keepSketchWhereItFits() {
        const uint64_t bytes = sketchBytes().value();
        if (bytes == 0 || !growsTo(plan_.resident + bytes, std::min(plan_.totalExperts, tokenCycle_))) return;
        plan_.headSketch = bytes;
    }

    void keepEmbeddingWhereItFits() {
        if (plan_.embeddingKept || onDevice() || plan_.slots < plan_.totalExperts) return;
        const SaturatingBytes all = ResidentWeights::bytesNeeded(tensors_, true) + plan_.headSketch;
        plan_.embeddingKept = growsTo(all.value(), plan_.slots);
    }

    int64_t mostCachedRows() const { return std::min(kMostCachedRows, shape_.vocabulary); }

    /// Rows take what everything else leaves.
    void keepRowsThatFit() {
        if (plan_.rowTable == 0) return;
        const uint64_t used = (SaturatingBytes(fixedBytes()) + arena(plan_.slots)).value();
        const uint64_t each = (withTables(rowsBytes(0, 1)) + 1).value(); // rounded up
        const uint64_t fitting = (plan_.budget - used) / each;
        plan_.cachedRows = static_cast<int64_t>(std::min(fitting, static_cast<uint64_t>(mostCachedRows())));
        plan_.embeddingRows = rowsBytes(plan_.chunk, plan_.cachedRows).value();
    }

    /// Sets the resident weights to so many bytes if that leaves room for so many slots. Returns whether it does.
    bool growsTo(uint64_t resident, uint64_t slots) {
        const uint64_t before = std::exchange(plan_.resident, resident);
        const bool fitting = fits(arena(slots));
        if (!fitting) plan_.resident = before;
        return fitting;
    }

    Error tooLittleOnDevice() const {
        const DevicePlan& device = plan_.device;
        return {ErrorKind::OutOfMemory,
                {"The model doesn't fit into the memory of the device %1", device.name},
                {"It has %1, and weights take %2, the KV cache %3 at a context of %4 tokens, the rest %5",
                 ByteCount{device.budget}, ByteCount{device.resident}, ByteCount{device.keyValue}, plan_.context,
                 ByteCount{(SaturatingBytes(device.scratch) + device.state).value()}},
                "Choose a shorter context, or the device cpu"};
    }

    Error tooLittle() const {
        if (!fitsOnDevice()) return tooLittleOnDevice();
        const ByteCount least{plan_.minimumTotal}, weights{plan_.resident}, cache{plan_.keyValue};
        const ByteCount rest{(SaturatingBytes(plan_.program) + plan_.embeddingRows + plan_.scratch).value()};
        const Sentence arena = plan_.state == 0
                                   ? Sentence("%1", ByteCount{minimumArena()})
                                   : Sentence("%1, states of the conversation %2", ByteCount{minimumArena()},
                                              ByteCount{statesIn(plan_.minimumTotal)});
        return {ErrorKind::OutOfMemory,
                {"The model doesn't fit into %1 of memory", ByteCount{plan_.budget}},
                plan_.dense ? Sentence("It needs at least %1 at a context of %2 tokens: weights %3, KV cache %4, "
                                       "layers %5, the rest %6",
                                       least, plan_.context, weights, cache, arena, rest)
                            : Sentence("It needs at least %1 at a context of %2 tokens: weights %3, KV cache %4, "
                                       "experts %5, the rest %6",
                                       least, plan_.context, weights, cache, arena, rest),
                request_.context > 1
                    ? Sentence("Allow more memory, choose a shorter context, or choose a smaller model")
                    : "Allow more memory, or choose a smaller model"};
    }

    const ModelShape& shape_;
    const ModelTensors& tensors_;
    const MemoryRequest& request_;
    MemoryPlan plan_;
    SlotLayout slots_;           // as if every expert had a slot
    uint64_t held_ = 0;          // bytes that the process holds without the model
    uint64_t tokenCycle_ = 0;    // experts that a token uses, in all layers
    uint64_t largestExpert_ = 0; // bytes; a dense layer's feed-forward counts as one
};

} // namespace

uint64_t systemReserve(const MemoryReading& memory) {
    return std::clamp((memory.total == 0 ? kUnknownMemory : memory.total) / 8, kLeastLeft, kMostLeft);
}

Result<TensorType> parseKeyValueFormat(std::string_view name) {
    if (name == "f16") return TensorType::F16;
    if (name == "q8_0") return TensorType::Q8_0;
    return Error{ErrorKind::BadInput,
                 {"There is no KV cache called '%1'", name},
                 "It is f16 (exact) or q8_0 (half the memory)",
                 "Choose one of these, or leave the option out"};
}

Result<MemoryPlan> planMemory(const ModelShape& shape, const gguf::Header& header, const MemoryRequest& request) {
    if (Status status = KvCache::checkFormat(shape, request.keyValueFormat); !status) return status.error();
    const Result<ModelTensors> tensors = findTensors(shape, header);
    if (!tensors) return tensors.error();
    return Planner(shape, tensors.value(), request).run();
}

} // namespace coterie::engine
