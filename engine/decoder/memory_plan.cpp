// SPDX-License-Identifier: Apache-2.0
// See memory_plan.h.
#include "decoder/memory_plan.h"

#include "base/memory.h"
#include "decoder/head_sketch.h"
#include "decoder/kv_cache.h"
#include "decoder/model_tensors.h"
#include "decoder/weights.h"
#include "decoder/workspace.h"

#include <algorithm>
#include <cstdio>

namespace coterie::engine {
namespace {

constexpr uint64_t kMiB = 1 << 20;
constexpr uint64_t kGiB = 1 << 30;

/// Automatic leaves the rest of the system an eighth of the memory, within these.
constexpr uint64_t kLeastLeft = 256 * kMiB;
constexpr uint64_t kMostLeft = 4 * kGiB;
/// Where the system doesn't say how much memory it has.
constexpr uint64_t kUnknownMemory = 4 * kGiB;
/// Code, libraries and heap that a program touches after the plan was made, and what the allocator keeps.
constexpr uint64_t kProgramMargin = 32 * kMiB;
constexpr uint64_t kThreadBytes = 256 << 10; // stack that a thread touches
/// A word in the tokenizer's tables besides its text, and a token in a sampler's.
constexpr uint64_t kTokenizerBytesPerWord = 160;
constexpr uint64_t kSamplerBytesPerToken = 32;

/// The longest chunk first: each expert is read once a chunk.
constexpr int64_t kChunks[] = {256, 128, 64, 32};
/// Scratch takes at most this share of the budget, KV cache at an automatic context that share of what experts could
/// use.
constexpr uint64_t kScratchShare = 16;
constexpr uint64_t kCacheShare = 4;
/// An automatic context goes below this only where a token's experts would not fit otherwise.
constexpr int64_t kComfortableContext = 4096;

std::string readable(uint64_t bytes) {
    char text[32];
    if (bytes >= kGiB)
        std::snprintf(text, sizeof text, "%.2f GiB", static_cast<double>(bytes) / static_cast<double>(kGiB));
    else
        std::snprintf(text, sizeof text, "%.0f MiB", static_cast<double>((Size(bytes) + (kMiB - 1)).value() / kMiB));
    return text;
}

uint64_t automaticBudget(const MemoryReading& memory) {
    const uint64_t total = memory.total == 0 ? kUnknownMemory : memory.total;
    const uint64_t left = std::clamp(total / 8, kLeastLeft, kMostLeft);
    const uint64_t usable = memory.available == 0 ? total / 2 : memory.available + memory.resident;
    return usable > 2 * left ? usable - left : usable / 2;
}

/// Vocabulary and merges as the tokenizer will hold them.
Size tokenizerBytes(const gguf::Header& header) {
    Size bytes = 0;
    for (const char* key : {"tokenizer.ggml.tokens", "tokenizer.ggml.merges"}) {
        const gguf::Value* value = header.find(key);
        const gguf::ArrayValue* words = value == nullptr ? nullptr : std::get_if<gguf::ArrayValue>(value);
        if (words != nullptr) bytes += Size(words->bytes.size()) + Size(words->count) * kTokenizerBytesPerWord;
    }
    return bytes;
}

class Planner {
  public:
    Planner(const ModelShape& shape, const ModelTensors& tensors, const gguf::Header& header,
            const MemoryRequest& request)
        : shape_(shape), tensors_(tensors), request_(request) {
        const MemoryReading memory = readMemory();
        plan_.budget = request.budget == 0 ? automaticBudget(memory) : request.budget;
        plan_.threads = std::max(1, request.threads);
        plan_.keyValueFormat = request.keyValueFormat;
        const uint64_t held = request.held == 0 ? memory.resident : request.held;
        plan_.program = (Size(held) + kProgramMargin + tokenizerBytes(header) +
                         Size(static_cast<uint64_t>(plan_.threads)) * kThreadBytes +
                         Size(static_cast<uint64_t>(shape.vocabulary)) * kSamplerBytesPerToken)
                            .value();
        plan_.resident = ResidentWeights::bytesNeeded(tensors, false).value();
        plan_.embeddingKept = shape.tiedHead;
        plan_.minimumSlots = static_cast<uint64_t>(shape.expertsPerToken);
        plan_.totalExperts = static_cast<uint64_t>(shape.layers * shape.experts);
        for (const ExpertLayer& layer : expertLayers(shape, tensors)) {
            const ExpertLayer::Part& last = layer.parts.back();
            if (regroupsDown(shape, *last.tensor))
                plan_.regroupedRow = std::max(plan_.regroupedRow,
                                              rowBytes(*last.tensor->type, static_cast<uint64_t>(shape.feedForward)));
            plan_.slotBytes = std::max(plan_.slotBytes, alignedSize(Size(last.slotOffset) + last.bytes).value());
        }
    }

    Result<MemoryPlan> run() {
        if (request_.context < 0 || request_.context > shape_.longestContext)
            return Error{ErrorKind::BadInput,
                         "A context of " + std::to_string(request_.context) + " tokens can't be had",
                         "The model's rotation is right for " + std::to_string(shape_.longestContext),
                         "Choose a context from 1 to " + std::to_string(shape_.longestContext)};
        setContext(request_.context == 0 ? automaticContext() : request_.context);
        if (fixedBytes() + minimumArena() > plan_.budget) return tooLittle();
        keepSketchWhereItFits();
        const uint64_t left = plan_.budget - fixedBytes();
        plan_.slots = plan_.slotBytes == 0 ? 0 : std::min(plan_.totalExperts, left / plan_.slotBytes);
        keepEmbeddingWhereItFits();
        return plan_;
    }

  private:
    WorkspaceRequest workspace(int64_t chunk) const {
        return {.chunk = chunk, .context = plan_.context, .threads = plan_.threads, .regroupedRow = plan_.regroupedRow};
    }

    /// With the longest chunk that is cheap enough, or that the model fits with at all.
    void setContext(int64_t context) {
        plan_.context = context;
        for (const int64_t chunk : kChunks) {
            plan_.chunk = std::min(chunk, context);
            plan_.scratch = Workspace::bytesNeeded(shape_, workspace(plan_.chunk)).value();
            plan_.keyValue = KvCache::bytesNeeded(shape_, plan_.keyValueFormat, context, plan_.chunk).value();
            if (plan_.scratch <= plan_.budget / kScratchShare && fits(minimumArena())) break;
        }
    }

    uint64_t fixedBytes() const {
        return (Size(plan_.program) + plan_.resident + plan_.keyValue + plan_.scratch).value();
    }
    Size arena(uint64_t slots) const { return Size(slots) * plan_.slotBytes; }
    uint64_t minimumArena() const { return arena(plan_.minimumSlots).value(); }
    uint64_t tokenCycle() const { return static_cast<uint64_t>(shape_.layers) * plan_.minimumSlots; }
    bool fits(Size arenaBytes) const { return (Size(fixedBytes()) + arenaBytes).value() <= plan_.budget; }

    /// Halves the trained length until the cache leaves the experts their share; below the comfortable length only for
    /// a token's experts.
    int64_t automaticContext() {
        int64_t context = shape_.trainedContext;
        for (;; context = std::max(context / 2, kMinimumAutomaticContext)) {
            setContext(context);
            if (context <= kMinimumAutomaticContext) return context;
            if (fits(arena(plan_.totalExperts))) return context;
            const uint64_t besides = (Size(plan_.program) + plan_.resident + plan_.scratch).value();
            const bool fairShare = besides < plan_.budget && plan_.keyValue <= (plan_.budget - besides) / kCacheShare;
            if (fits(arena(tokenCycle())) && (fairShare || context <= kComfortableContext)) return context;
        }
    }

    void keepSketchWhereItFits() {
        if (!request_.headSketch || shape_.headPredictorRank != 0) return;
        const Size bytes = HeadSketch::bytesNeeded(shape_.vocabulary, shape_.width);
        const Size cycle = arena(std::min(plan_.totalExperts, tokenCycle()));
        if (bytes.value() == 0 || !fits(cycle + bytes)) return;
        plan_.headSketch = bytes.value();
        plan_.resident += plan_.headSketch;
    }

    void keepEmbeddingWhereItFits() {
        if (plan_.embeddingKept || plan_.slots < plan_.totalExperts) return;
        const uint64_t all = (ResidentWeights::bytesNeeded(tensors_, true) + plan_.headSketch).value();
        if ((Size(plan_.total()) + (all - plan_.resident)).value() > plan_.budget) return;
        plan_.resident = all;
        plan_.embeddingKept = true;
    }

    Error tooLittle() const {
        const uint64_t needed = (Size(fixedBytes()) + minimumArena()).value();
        const bool shorterHelps = request_.context > 1;
        return {ErrorKind::OutOfMemory, "The model doesn't fit into " + readable(plan_.budget) + " of memory",
                "It needs at least " + readable(needed) + " at a context of " + std::to_string(plan_.context) +
                    " tokens: weights " + readable(plan_.resident) + ", KV cache " + readable(plan_.keyValue) +
                    ", experts " + readable(minimumArena()) + ", the rest " +
                    readable((Size(plan_.program) + plan_.scratch).value()),
                std::string("Allow more memory, ") + (shorterHelps ? "choose a shorter context, " : "") +
                    "or choose a smaller model"};
    }

    const ModelShape& shape_;
    const ModelTensors& tensors_;
    const MemoryRequest& request_;
    MemoryPlan plan_;
};

} // namespace

Result<TensorType> parseKeyValueFormat(std::string_view name) {
    if (name == "f16") return TensorType::F16;
    if (name == "q8_0") return TensorType::Q8_0;
    return Error{ErrorKind::BadInput, "There is no KV cache called '" + std::string(name) + "'",
                 "It is f16 (exact) or q8_0 (half the memory)", "Choose one of these, or leave the option out"};
}

Result<MemoryPlan> planMemory(const ModelShape& shape, const gguf::Header& header, const MemoryRequest& request) {
    if (Status status = KvCache::checkFormat(shape, request.keyValueFormat); !status) return status.error();
    const Result<ModelTensors> tensors = findTensors(shape, header);
    if (!tensors) return tensors.error();
    return Planner(shape, tensors.value(), header, request).run();
}

} // namespace coterie::engine
