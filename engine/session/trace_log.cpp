// SPDX-License-Identifier: Apache-2.0
// A ring of packed records, found by position. A prompt's chunk goes through a layer as a whole, so many records are
// open at a time; whoever writes an open one needs no lock, as nobody looks at it.
#include "session/trace_log.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

namespace coterie::engine {

namespace {

constexpr unsigned weightBits = 16, waitBits = 32, wordBits = 64;
constexpr double weightSteps = 65535;

unsigned bitsFor(int64_t largest) {
    return static_cast<unsigned>(std::bit_width(static_cast<uint64_t>(std::max<int64_t>(largest, 0))));
}

uint64_t lowBits(unsigned count) { return (uint64_t{1} << count) - 1; } // count < 64

/// Fields one after another, each of at most 63 bits, that may reach from one word into the next.
class BitWriter {
  public:
    BitWriter(uint64_t* words, size_t bit) : words_(words), bit_(bit) {}

    /// Too large a value becomes the largest. The words must have been 0.
    void put(int64_t value, unsigned bits) {
        const uint64_t field = std::min(static_cast<uint64_t>(std::max<int64_t>(value, 0)), lowBits(bits));
        const size_t shift = bit_ % wordBits;
        words_[bit_ / wordBits] |= field << shift;
        if (shift + bits > wordBits) words_[bit_ / wordBits + 1] |= field >> (wordBits - shift);
        bit_ += bits;
    }

  private:
    uint64_t* words_;
    size_t bit_;
};

class BitReader {
  public:
    BitReader(const uint64_t* words, size_t bit) : words_(words), bit_(bit) {}

    uint64_t take(unsigned bits) {
        if (bits == 0) return 0;
        const size_t shift = bit_ % wordBits;
        uint64_t field = words_[bit_ / wordBits] >> shift;
        if (shift + bits > wordBits) field |= words_[bit_ / wordBits + 1] << (wordBits - shift);
        bit_ += bits;
        return field & lowBits(bits);
    }

  private:
    const uint64_t* words_;
    size_t bit_;
};

} // namespace

TraceLog::Widths::Widths(const TraceShape& shape)
    : count(bitsFor(shape.expertsPerToken)), expert(bitsFor(shape.experts - 1)), neurons(bitsFor(shape.neurons)),
      use(weightBits + 1 + expert + neurons),
      layer(count + waitBits + static_cast<size_t>(shape.expertsPerToken) * use) {}

size_t TraceLog::wordsPerToken(const TraceShape& shape) {
    return (static_cast<size_t>(shape.layers) * Widths(shape).layer + wordBits - 1) / wordBits;
}

size_t TraceLog::bytesPerToken(const TraceShape& shape) {
    return wordsPerToken(shape) * sizeof(uint64_t) + sizeof(Header);
}

TraceLog::TraceLog(const TraceShape& shape, size_t tokens, Buffer records)
    : shape_(shape), widths_(shape), words_(wordsPerToken(shape)), records_(std::move(records)), headers_(tokens) {}

Result<std::unique_ptr<TraceLog>> TraceLog::create(const TraceShape& shape, int64_t tokens) {
    constexpr int64_t mostLayers = 65536, mostExperts = 65536, mostNeurons = int64_t{1} << 31;
    const auto within = [](int64_t value, int64_t least, int64_t most) { return value >= least && value <= most; };
    if (!within(shape.layers, 0, mostLayers) || !within(shape.experts, 0, mostExperts) ||
        !within(shape.expertsPerToken, 0, shape.experts) || !within(shape.neurons, 0, mostNeurons) || tokens < 1)
        return Error{ErrorKind::Internal, "A trace can't be kept", "No model is of this shape", "Please report this"};
    const uint64_t bytes = wordsPerToken(shape) * sizeof(uint64_t);
    const auto count = static_cast<uint64_t>(tokens);
    if (count > std::numeric_limits<uint32_t>::max() || bytes > (uint64_t{1} << 31))
        return Error{ErrorKind::OutOfMemory, "A trace of so many tokens can't be kept", "It is larger than any memory",
                     "Ask for fewer tokens"};
    Result<Buffer> records = Buffer::allocate(bytes * count, "There is no memory for the trace");
    if (!records) return records.error();
    return std::unique_ptr<TraceLog>(new TraceLog(shape, static_cast<size_t>(count), std::move(records).value()));
}

/// The record at this position is a new token's; what stood there is gone.
void TraceLog::begin(int64_t position) {
    const size_t place = placeOf(position);
    {
        const std::lock_guard lock(mutex_);
        headers_[place] = {position, 0, false};
    }
    std::fill_n(record(place), words_, uint64_t{0});
}

void TraceLog::layerDone(int64_t position, int layer, std::span<const ExpertUse> uses, double waitSeconds) {
    if (position < 0 || layer < 0 || layer >= shape_.layers || uses.empty()) return;
    if (firstLayer_ < 0) firstLayer_ = layer;
    if (layer == firstLayer_) begin(position);
    const size_t place = placeOf(position);
    // A chunk longer than the ring: the token's place is by now that of a later one.
    if (headers_[place].position != position || headers_[place].whole) return;
    uses = uses.first(std::min(uses.size(), static_cast<size_t>(shape_.expertsPerToken)));
    BitWriter out(record(place), static_cast<size_t>(layer) * widths_.layer);
    out.put(static_cast<int64_t>(uses.size()), widths_.count);
    out.put(std::bit_cast<uint32_t>(static_cast<float>(std::max(waitSeconds, 0.0))), waitBits);
    for (const ExpertUse& use : uses) {
        const double weight = std::clamp(static_cast<double>(use.weight), 0.0, 1.0);
        out.put(use.expert, widths_.expert);
        out.put(use.hit, 1);
        out.put(use.activeNeurons, widths_.neurons);
        out.put(std::lround(weight * weightSteps), weightBits);
    }
}

void TraceLog::tokenDone(int64_t position, int64_t headRows) {
    if (position < 0) return;
    if (firstLayer_ < 0) begin(position); // a model without experts
    const std::lock_guard lock(mutex_);
    Header& header = headers_[placeOf(position)];
    if (header.position != position) return;
    header.headRows = headRows;
    header.whole = true;
    newest_ = position;
}

int64_t TraceLog::newest() const {
    const std::lock_guard lock(mutex_);
    return newest_;
}

std::optional<TracedToken> TraceLog::token(int64_t position) const {
    if (position < 0) return std::nullopt;
    std::vector<uint64_t> words(words_);
    Header header;
    {
        const std::lock_guard lock(mutex_);
        const size_t place = placeOf(position);
        header = headers_[place];
        if (header.position != position || !header.whole) return std::nullopt;
        std::copy_n(record(place), words_, words.begin());
    }
    return unpack(header, words);
}

TracedToken TraceLog::unpack(const Header& header, std::span<const uint64_t> words) const {
    TracedToken token{header.position, header.headRows, {}};
    for (int64_t layer = 0; layer < shape_.layers; ++layer) {
        BitReader in(words.data(), static_cast<size_t>(layer) * widths_.layer);
        const uint64_t count = in.take(widths_.count);
        if (count == 0) continue;
        TracedLayer& to = token.layers.emplace_back();
        to.layer = static_cast<int>(layer);
        to.waitSeconds = static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(in.take(waitBits))));
        for (uint64_t i = 0; i < count; ++i) {
            ExpertUse& use = to.uses.emplace_back();
            use.expert = static_cast<int32_t>(in.take(widths_.expert));
            use.hit = in.take(1) != 0;
            use.activeNeurons = static_cast<int32_t>(in.take(widths_.neurons));
            use.weight = static_cast<float>(static_cast<double>(in.take(weightBits)) / weightSteps);
        }
    }
    return token;
}

std::vector<TracedToken> TraceLog::last(size_t tokens) const {
    std::vector<TracedToken> found;
    for (int64_t position = newest(); found.size() < tokens; --position) {
        std::optional<TracedToken> one = token(position);
        if (!one) break;
        found.push_back(std::move(*one));
    }
    std::reverse(found.begin(), found.end());
    return found;
}

} // namespace coterie::engine
