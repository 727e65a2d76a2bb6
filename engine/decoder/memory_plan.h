// SPDX-License-Identifier: Apache-2.0
// Divides a budget before anything is allocated: resident weights + KV cache + states + scratch + rows of embeddings +
// expert slots + the program itself. Nothing here allocates or reads weights.
//
//     auto plan = planMemory(shape, file->header(), {.budget = 1 << 30});
//     if (!plan) return plan.error();        // even the minimum doesn't fit: the error says how much it needs
#pragma once

#include "base/memory.h"
#include "experts/slot_division.h"
#include "model/model_shape.h"

#include <array>
#include <functional>
#include <string>

namespace coterie::engine {

/// The forms of vectors [VectorForm] that some feed-forward matrix takes, shared experts included. Other forms need no
/// room.
struct FeedForwardForms {
    std::array<bool, 2> input{}; ///< gate and up
    std::array<bool, 2> down{};
};

/// The part of a plan that is in the memory of a device. Bytes, except slots.
struct DevicePlan {
    std::string name;    ///< the device's name; "": everything is in main memory
    uint64_t budget = 0; ///< the device's memory that may be used
    uint64_t resident = 0, keyValue = 0, state = 0, scratch = 0; ///< as in MemoryPlan
    uint64_t slots = 0;                                          ///< experts that it can hold besides
    uint64_t slotBytes = 0;                                      ///< bytes of one expert

    uint64_t total() const { return resident + keyValue + state + scratch + slots * slotBytes; }
};

/// The memory of a model at each place: the members of MemoryPlan itself are about main memory, `device` is about the
/// memory of a device that has its own.
///
/// Values are bytes unless their comment says otherwise. A dense layer's feed-forward counts as one expert, which every
/// token uses. total() is the memory that the process will hold once it has filled its context and its slots: at least
/// the amount that is then measured, and at most 5 % more.
struct MemoryPlan {
    uint64_t budget = 0;     ///< memory that the user allows for the whole process, or the automatic budget
    uint64_t resident = 0;   ///< attention, norms, routers, head, and the embedding and the sketch if they are kept
    uint64_t headSketch = 0; ///< the sketch, as part of `resident`; 0: no predictor, or the file has it
    uint64_t keyValue = 0;   ///< KV cache at `context` in `keyValueFormat`, windowed layers at their ring's size
    /// The states of recurrent layers, whatever the context: `stateEach` for the committed one, the working one and
    /// `stateCopies` kept ones
    uint64_t state = 0;
    /// Rows of per-layer embeddings: those of the largest chunk, and `cachedRows` that stay. Their table stays on disk
    uint64_t embeddingRows = 0;
    uint64_t scratch = 0;   ///< activations of the largest chunk
    uint64_t program = 0;   ///< code, stacks, tokenizer, and what the process holds besides, at `context`
    uint64_t slotBytes = 0; ///< bytes of one slot that experts share, enough for the largest of them
    /// The slots that experts share may have two sizes: how the store shall divide them then, and bytes of a small one
    SlotClasses classes{};
    uint64_t smallSlotBytes = 0;
    /// Number and bytes of the slots that dense layers beside layers with experts have for themselves. All numbers of
    /// slots include them
    uint64_t ownSlots = 0, ownSlotBytes = 0;
    uint64_t allSlots = 0; ///< bytes in use if every expert is in a slot: less than their room if layers differ in size
    uint64_t slots = 0;    ///< number of expert slots that fit; the number of all experts if all fit
    uint64_t minimumSlots = 0;     ///< number of slots without which the model can't run
    uint64_t comfortableSlots = 0; ///< two token cycles, or all experts: with as many, most experts are in memory
    uint64_t totalExperts = 0;     ///< layers x experts
    uint64_t minimumTotal = 0;     ///< smallest budget that is enough for this context
    uint64_t comfortableTotal = 0; ///< budget that leaves room for the comfortable slots at this context
    bool dense = false;            ///< slots hold the layers of a model without experts
    bool embeddingKept = false;    ///< false: embedding rows are read when they are needed
    int64_t context = 0;           ///< tokens
    int64_t chunk = 0;             ///< tokens of one prefill step
    /// Tokens of one prefill step of a long prompt, for which experts are read from disk once: `chunk` if nothing is to
    /// gain. Until its end at most `longSlots` of the slots lend their memory to larger arrays and to longer rings of
    /// windowed layers, `longScratch` bytes.
    int64_t longChunk = 0;
    uint64_t longSlots = 0, longScratch = 0;
    bool longChunks = true; ///< the device computes chunks of more than one length
    /// Bytes of experts that a token of a long prompt is expected to read from disk, in chunks of either length. This
    /// takes all experts to be used alike, which is the most that a model can read.
    uint64_t chunkReads = 0, longReads = 0;
    uint64_t stateEach = 0;    ///< bytes of the states of all layers once; 0: no layer is recurrent
    int64_t stateCopies = 0;   ///< number of copies that are kept to go back to
    int64_t cachedRows = 0;    ///< number of rows of per-layer embeddings that stay in memory
    uint64_t rowTable = 0;     ///< bytes of the table that has these rows; 0: the model has none
    uint64_t rowRead = 0;      ///< most bytes that are read from disk for one of them
    int threads = 1;           ///< number of threads that scratch is planned for
    uint64_t regroupedRow = 0; ///< bytes of the longest row of the down matrices that are regrouped; 0: none is
    FeedForwardForms forms{};
    TensorType keyValueFormat = TensorType::F16;
    DevicePlan device;

    uint64_t sharedSlots() const { return slots - ownSlots; }
    /// Number of the slots that are small.
    uint64_t smallSlots() const { return classes.division.smallOf(sharedSlots()); }
    uint64_t sharedSlotBytes() const {
        return (sharedSlots() - smallSlots()) * slotBytes + smallSlots() * smallSlotBytes;
    }
    /// Bytes of one slot that experts share, on average if they have two sizes.
    uint64_t meanSlotBytes() const { return smallSlots() == 0 ? slotBytes : sharedSlotBytes() / sharedSlots(); }
    /// Bytes that slots hold once they are full.
    uint64_t slotArena() const { return slots == totalExperts ? allSlots : ownSlotBytes + sharedSlotBytes(); }
    uint64_t total() const { return resident + keyValue + state + embeddingRows + scratch + program + slotArena(); }
};

/// Memory in use at a place other than main memory.
struct PlaceMemory {
    uint64_t residentBytes = 0, keyValueBytes = 0, stateBytes = 0, scratchBytes = 0;
    uint64_t expertBytes = 0; ///< bytes of the experts that are held there

    uint64_t total() const { return residentBytes + keyValueBytes + stateBytes + scratchBytes + expertBytes; }
};

struct MemoryRequest {
    uint64_t budget = 0; ///< 0: automatic
    int64_t context = 0; ///< 0: automatic, which is the trained length, or less if memory is short
    int64_t chunk = 0;   ///< tokens of one prefill step, for measuring; 0: automatic
    int threads = 1;
    uint64_t held = 0;         ///< bytes that the process holds besides model and tokenizer; 0: as the system says now
    uint64_t heldPerToken = 0; ///< bytes that the process will hold besides for each token of the context
    uint64_t tokenizerBytes = 0;                 ///< Tokenizer::memoryBytes(), if `held` does not include it
    TensorType keyValueFormat = TensorType::F16; ///< or Q8_0, which takes about half the memory
    bool longChunks = true;                      ///< the device computes chunks of MemoryPlan::longChunk
    /// A device with memory of its own, which takes the resident weights, the KV cache and some experts; the others
    /// stay in main memory. "": there is none.
    std::string deviceName{};
    uint64_t deviceMemory = 0; ///< bytes that the device may use
    /// How often earlier runs used the model's experts: slots of two sizes are divided by it. Empty: nothing is known
    ExpertHeat heat{};
    bool headSketch = true; ///< true: make one if it fits beside a token cycle and the head is large
    std::function<MemoryReading()> readMemory{}; ///< called if budget or held is 0; nothing: the system's
};

/// Parses "f16" or "q8_0", as users write it. BadInput for anything else.
Result<TensorType> parseKeyValueFormat(std::string_view name);

/// Bytes that an automatic budget leaves to the rest of the system: an eighth of its memory, but 256 MiB to 4 GiB.
uint64_t systemReserve(const MemoryReading& memory);

/// An automatic context is never shorter, unless the model was trained for less.
inline constexpr int64_t kMinimumAutomaticContext = 1024;

/// Errors: OutOfMemory if even the minimum doesn't fit, which says how much it needs, or if a chunk that was asked for
/// does not; BadInput for a context beyond shape.longestContext; Unsupported if the model's heads don't fit
/// keyValueFormat.
/// Uses only metadata, except that a request whose budget or held is 0 asks the system about its memory.
Result<MemoryPlan> planMemory(const ModelShape& shape, const gguf::Header& header, const MemoryRequest& request);

} // namespace coterie::engine
