// SPDX-License-Identifier: Apache-2.0
// The trace of the latest tokens, packed: under 2,000 bytes a token for 48 layers that use 8 of 128 experts with 768
// neurons. A TraceSink to keep attached while the model talks, and for others to look at meanwhile. What it is not: a
// file's form (app/cli) or a replay (experts/replay.h).
//
// What is kept of a layer, one after another without gaps: how many experts it used; the seconds it waited, as a float;
// for each expert, best first, its number, whether it was a hit, its active neurons, and its weight in steps of
// 1/65535. All exact but for the weights: those are right to 0.000008, and cut off below 0 and above 1, where a
// router's never are.
#pragma once

#include "base/memory.h"
#include "base/result.h"
#include "decoder/trace.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace coterie::engine {

/// Of the model whose trace is kept: what is beyond is left out.
struct TraceShape {
    int64_t layers = 0, experts = 0, expertsPerToken = 0; ///< experts: of a layer, at most 65,536
    int64_t neurons = 0;                                  ///< of an expert
};

struct TracedLayer {
    int layer = 0;
    double waitSeconds = 0;
    std::vector<ExpertUse> uses; ///< best first
};

struct TracedToken {
    int64_t position = 0, headRows = 0;
    std::vector<TracedLayer> layers; ///< those that have experts
};

/// layerDone() and tokenDone() on the engine's thread, without an allocation, and with two short locks a token; the
/// others from any. A token can be read once tokenDone() told of it, until another takes its place.
class TraceLog final : public TraceSink {
  public:
    /// Keeps `tokens` of them. OutOfMemory where there is no room; memory is used as tokens come.
    static Result<std::unique_ptr<TraceLog>> create(const TraceShape& shape, int64_t tokens);
    static size_t bytesPerToken(const TraceShape& shape);

    void layerDone(int64_t position, int layer, std::span<const ExpertUse> uses, double waitSeconds) override;
    void tokenDone(int64_t position, int64_t headRows) override;

    /// Of the last tokenDone(); -1 before the first.
    int64_t newest() const;
    std::optional<TracedToken> token(int64_t position) const;
    /// Up to `tokens` at positions one after another, up to the newest.
    std::vector<TracedToken> last(size_t tokens) const;

  private:
    /// Bits of a layer's fields.
    struct Widths {
        explicit Widths(const TraceShape& shape);
        unsigned count, expert, neurons;
        size_t use, layer;
    };
    struct Header {
        int64_t position = -1, headRows = 0;
        bool whole = false; ///< only then may another thread look at the record
    };

    TraceLog(const TraceShape& shape, size_t tokens, Buffer records);
    static size_t wordsPerToken(const TraceShape& shape);
    size_t placeOf(int64_t position) const { return static_cast<size_t>(position) % headers_.size(); }
    uint64_t* record(size_t place) const { return records_.as<uint64_t>() + place * words_; }
    void begin(int64_t position);
    TracedToken unpack(const Header& header, std::span<const uint64_t> words) const;

    const TraceShape shape_;
    const Widths widths_;
    const size_t words_; // of a record
    const Buffer records_;
    mutable std::mutex mutex_;    // guards the headers, the newest, and records that are whole
    std::vector<Header> headers_; // [tokens]
    int64_t newest_ = -1;
    int firstLayer_ = -1; // the engine's thread alone: the layer that a token's record begins with
};

} // namespace coterie::engine
