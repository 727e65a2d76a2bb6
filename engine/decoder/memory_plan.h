// SPDX-License-Identifier: Apache-2.0
// How a budget is shared out before anything is allocated: resident weights + KV cache + scratch + expert slots + the
// program itself. Nothing here allocates or reads weights.
//
//     auto plan = planMemory(shape, file->header(), {.budget = 1 << 30});
//     if (!plan) return plan.error();        // even the minimum doesn't fit: says how much would
#pragma once

#include "base/memory.h"
#include "decoder/model_shape.h"

#include <array>
#include <functional>
#include <string>

namespace coterie::engine {

/// Which forms vectors take before feed-forward matrices, shared ones too [VectorForm]: what no matrix takes needs no
/// room.
struct FeedForwardForms {
    std::array<bool, 2> input{}; ///< gate and up
    std::array<bool, 2> down{};
};

/// The part of a plan that is in the memory of a device. Bytes, except slots.
struct DevicePlan {
    std::string name;                                 ///< of the device; "": everything is in main memory
    uint64_t budget = 0;                              ///< memory of its own that it may use
    uint64_t resident = 0, keyValue = 0, scratch = 0; ///< as in MemoryPlan
    uint64_t slots = 0;                               ///< experts that it can hold besides
    uint64_t slotBytes = 0;                           ///< of one of them

    uint64_t total() const { return resident + keyValue + scratch + slots * slotBytes; }
};

/// The memory of a model, place by place: the fields of MemoryPlan itself say what is in main memory, `device` what is
/// in the memory of a device that has its own.
///
/// Bytes, unless said. A dense layer's feed-forward counts as one expert, which every token uses. total() is what the
/// process will hold once it has filled its context and its slots: within 5 % of what is then measured, and not less.
struct MemoryPlan {
    uint64_t budget = 0;     ///< what the user allows for the whole process, or what automatic found
    uint64_t resident = 0;   ///< attention, norms, routers, head, and the embedding and the sketch where they are kept
    uint64_t headSketch = 0; ///< of these, what predicts rows of the head; 0: nothing does, or the file brings it
    uint64_t keyValue = 0;   ///< KV cache at `context` in `keyValueFormat`, windowed layers at their ring's size
    uint64_t scratch = 0;    ///< activations of the largest chunk
    uint64_t program = 0;    ///< code, stacks, tokenizer, what the process holds besides
    uint64_t slotBytes = 0;  ///< for the largest of the experts
    uint64_t allSlots = 0;   ///< what a slot for each expert comes to hold: less where layers differ in size
    uint64_t slots = 0;      ///< expert slots that fit; all experts where they do
    uint64_t minimumSlots = 0;     ///< below this the model can't run
    uint64_t comfortableSlots = 0; ///< two token cycles, or all experts: from there on most experts are found in memory
    uint64_t totalExperts = 0;     ///< layers x experts
    uint64_t minimumTotal = 0;     ///< the least budget that does at this context
    uint64_t comfortableTotal = 0; ///< one that leaves room for the comfortable slots at this context
    bool dense = false;            ///< slots hold the layers of a model without experts
    bool embeddingKept = false;    ///< else rows are read when needed
    int64_t context = 0;           ///< tokens
    int64_t chunk = 0;             ///< tokens of one prefill step
    int threads = 1;               ///< that scratch is planned for
    uint64_t regroupedRow = 0;     ///< of the experts' down matrices that are regrouped, the longest row; 0: none is
    FeedForwardForms forms{};
    TensorType keyValueFormat = TensorType::F16;
    DevicePlan device;

    /// What slots come to hold.
    uint64_t slotArena() const { return slots == totalExperts ? allSlots : slots * slotBytes; }
    uint64_t total() const { return resident + keyValue + scratch + program + slotArena(); }
};

/// Memory in use at a place besides main memory.
struct PlaceMemory {
    uint64_t residentBytes = 0, keyValueBytes = 0, scratchBytes = 0;
    uint64_t expertBytes = 0; ///< experts that are held there

    uint64_t total() const { return residentBytes + keyValueBytes + scratchBytes + expertBytes; }
};

struct MemoryRequest {
    uint64_t budget = 0; ///< 0: automatic
    int64_t context = 0; ///< 0: automatic: the trained length, less where memory is short
    int threads = 1;
    uint64_t held = 0; ///< what the process holds besides the model and its tokenizer; 0: as the system says now
    uint64_t tokenizerBytes = 0;                 ///< Tokenizer::memoryBytes(), if `held` does not include it
    TensorType keyValueFormat = TensorType::F16; ///< or Q8_0, in about half the memory
    /// A device with memory of its own, which takes the resident weights, the KV cache and some experts; the others
    /// stay in main memory. "": there is none.
    std::string deviceName{};
    uint64_t deviceMemory = 0;                   ///< bytes that the device may use
    bool headSketch = true;                      ///< where it fits beside a token cycle, and the head is large
    std::function<MemoryReading()> readMemory{}; ///< asked if budget or held is 0; nothing: the system's
};

/// "f16" or "q8_0", as users write it; BadInput for anything else.
Result<TensorType> parseKeyValueFormat(std::string_view name);

/// What an automatic budget leaves to the rest of the system: an eighth of its memory, but 256 MiB to 4 GiB.
uint64_t systemReserve(const MemoryReading& memory);

/// An automatic context is never shorter, unless the model was trained for less.
inline constexpr int64_t kMinimumAutomaticContext = 1024;

/// OutOfMemory where even the minimum doesn't fit: says how much would. BadInput for a context beyond
/// shape.longestContext. Unsupported where the model's heads don't fit keyValueFormat.
/// From metadata alone, except that a request whose budget or held is 0 asks the system about its memory.
Result<MemoryPlan> planMemory(const ModelShape& shape, const gguf::Header& header, const MemoryRequest& request);

} // namespace coterie::engine
