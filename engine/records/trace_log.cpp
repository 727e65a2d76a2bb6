// SPDX-License-Identifier: Apache-2.0
// A ring of packed records, found by position, in blocks that are allocated as tokens come to them. A prompt's chunk
// goes through a layer as a whole, so many records are open at a time. No other thread looks at an open record, so it
// is written without a lock.
#include "records/trace_log.h"

#include "base/hash.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

namespace coterie::engine {

namespace {

constexpr unsigned kWeightBits = 16, kWaitBits = 32, kWordBits = 64;
constexpr double kWeightSteps = 65535;
constexpr size_t kMostBlockTokens = 64;

unsigned bitsFor(int64_t largest) {
    return static_cast<unsigned>(std::bit_width(static_cast<uint64_t>(std::max<int64_t>(largest, 0))));
}

uint64_t lowBits(unsigned count) { return (uint64_t{1} << count) - 1; } // count < 64

float keptDuration(double seconds) { return seconds > 0 ? static_cast<float>(seconds) : 0.0f; }

bool isDuration(float seconds) { return std::isfinite(seconds) && seconds >= 0; }

/// Writes fields of at most 63 bits one after another; a field may reach from one word into the next.
class BitWriter {
  public:
    BitWriter(uint64_t* words, size_t bit) : words_(words), bit_(bit) {}

    /// A value outside 0..largest becomes the nearer of the two. The words must have been 0.
    void put(int64_t value, int64_t largest, unsigned bits) {
        const auto field = static_cast<uint64_t>(std::clamp<int64_t>(value, 0, largest));
        const size_t shift = bit_ % kWordBits;
        words_[bit_ / kWordBits] |= field << shift;
        if (shift + bits > kWordBits) words_[bit_ / kWordBits + 1] |= field >> (kWordBits - shift);
        bit_ += bits;
    }

  private:
    uint64_t* words_;
    size_t bit_;
};

class BitReader {
  public:
    BitReader(const uint64_t* words, size_t bit) : words_(words), bit_(bit) {}

    int64_t take(unsigned bits) {
        if (bits == 0) return 0;
        const size_t shift = bit_ % kWordBits;
        uint64_t field = words_[bit_ / kWordBits] >> shift;
        if (shift + bits > kWordBits) field |= words_[bit_ / kWordBits + 1] << (kWordBits - shift);
        bit_ += bits;
        return static_cast<int64_t>(field & lowBits(bits));
    }

  private:
    const uint64_t* words_;
    size_t bit_;
};

} // namespace

TraceLog::Widths::Widths(const TraceShape& shape)
    : count(bitsFor(shape.expertsPerToken)), expert(bitsFor(shape.experts - 1)), neurons(bitsFor(shape.neurons)),
      use(kWeightBits + 1 + expert + neurons),
      layer(count + kWaitBits + static_cast<size_t>(shape.expertsPerToken) * use) {}

bool TraceLog::isPossible(const TraceShape& shape) {
    constexpr int64_t kMostLayers = 65536, kMostExperts = 65536, kMostNeurons = int64_t{1} << 31;
    constexpr size_t kMostBits = size_t{1} << 27; // 16 MiB per token: a thousand times what the largest models need
    const auto within = [](int64_t value, int64_t least, int64_t most) { return value >= least && value <= most; };
    return within(shape.layers, 0, kMostLayers) && within(shape.experts, 0, kMostExperts) &&
           within(shape.expertsPerToken, 0, shape.experts) && within(shape.neurons, 0, kMostNeurons) &&
           bitsPerToken(shape) <= kMostBits;
}

uint64_t promptHash(std::span<const TokenId> prompt) {
    Hash hash;
    hash.add(std::as_bytes(prompt));
    return hash.value();
}

size_t TraceLog::bitsPerToken(const TraceShape& shape) {
    return static_cast<size_t>(shape.layers) * Widths(shape).layer;
}

size_t TraceLog::wordsPerToken(const TraceShape& shape) { return (bitsPerToken(shape) + kWordBits - 1) / kWordBits; }

size_t TraceLog::recordBytes(const TraceShape& shape) {
    return wordsPerToken(shape) * sizeof(uint64_t) + sizeof(Header);
}

size_t TraceLog::bytesPerToken(const TraceShape& shape) {
    return recordBytes(shape) + sizeof(TokenId) + sizeof(QuestionTokens::Range);
}

TraceLog::TraceLog(const TraceShape& shape, size_t tokens)
    : shape_(shape), widths_(shape), tokens_(tokens), words_(wordsPerToken(shape)),
      blockTokens_(std::min(tokens, kMostBlockTokens)), blocks_((tokens + blockTokens_ - 1) / blockTokens_) {}

Result<std::unique_ptr<TraceLog>> TraceLog::create(const TraceShape& shape, int64_t tokens) {
    if (!isPossible(shape) || tokens < 1)
        return Error{ErrorKind::Internal, "A trace can't be kept", "No model is of this shape", "Please report this"};
    const auto count = static_cast<uint64_t>(tokens);
    if (count > std::numeric_limits<uint32_t>::max())
        return Error{ErrorKind::OutOfMemory, "A trace of so many tokens can't be kept", "It is larger than any memory",
                     "Ask for fewer tokens"};
    return std::unique_ptr<TraceLog>(new TraceLog(shape, static_cast<size_t>(count)));
}

Result<std::unique_ptr<TraceLog>> TraceLog::create(const TraceShape& shape, int64_t tokens, BegunTrace begun) {
    Result<std::unique_ptr<TraceLog>> log = create(shape, tokens);
    if (log && begun.trace != nullptr && begun.trace->shape() == shape) log.value()->begun_ = std::move(begun);
    return log;
}

const Buffer* TraceLog::blockOf(size_t place) const {
    const Buffer& block = blocks_[place / blockTokens_];
    return block.data() == nullptr ? nullptr : &block;
}

uint64_t* TraceLog::record(size_t place) const {
    static_assert(sizeof(Header) % alignof(uint64_t) == 0, "records lie behind the headers");
    auto* const records = reinterpret_cast<uint64_t*>(blockOf(place)->as<Header>() + blockTokens_);
    return records + place % blockTokens_ * words_;
}

Status TraceLog::makeRoom(size_t place) {
    if (blockOf(place) != nullptr) return {};
    Result<Buffer> block = Buffer::allocate(recordBytes(shape_) * blockTokens_, "There is no memory for the trace");
    if (!block) return block.error();
    std::uninitialized_fill_n(block->as<Header>(), blockTokens_, Header{});
    const MutexLock lock(mutex_);
    blocks_[place / blockTokens_] = std::move(block).value();
    return {};
}

void TraceLog::answerBegins(int64_t reused, int64_t promptTokens) {
    const MutexLock lock(mutex_);
    for (const Buffer& block : blocks_)
        if (block.data() != nullptr) std::fill_n(block.as<Header>(), blockTokens_, Header{});
    newest_ = -1;
    end_ = std::numeric_limits<int64_t>::max();
    reused_ = reused;
    promptTokens_ = promptTokens;
    prompt_.reset();
    promptFirst_ = 0;
    promptIds_.clear();
    question_ = {};
    continues_ = false;
    kept_ = -1;
    firstLayer_ = -1;
}

void TraceLog::promptIs(std::span<const TokenId> prompt) {
    if (takeOver(prompt)) return;
    const uint64_t hash = promptHash(prompt);
    const MutexLock lock(mutex_);
    prompt_ = hash;
    if (static_cast<int64_t>(prompt.size()) == promptTokens_) promptIds_.assign(prompt.begin(), prompt.end());
}

void TraceLog::questionIs(const QuestionTokens& question) {
    const MutexLock lock(mutex_);
    const auto tokens = static_cast<int64_t>(question.text.size());
    const bool inPrompt = question.first >= 0 && question.first + tokens <= static_cast<int64_t>(promptIds_.size());
    question_ = inPrompt ? question : QuestionTokens{};
}

/// Begins with the records of begun_ if this is its prompt. Tokens that the KV cache has and begun_ has not get records
/// without layers.
bool TraceLog::takeOver(std::span<const TokenId> prompt) {
    if (begun_.trace == nullptr || begun_.trace->newest() < 0) return false;
    const TraceLog& from = *begun_.trace;
    const int64_t begins = from.promptTokens(), read = reused();
    if (static_cast<int64_t>(prompt.size()) != begins + begun_.tokens) return false;
    if (from.prompt() != promptHash(prompt.first(static_cast<size_t>(begins)))) return false;
    const int64_t last = std::min(from.newest(), begins + begun_.shared - 1);
    int64_t first = last + 1;
    while (from.token(first - 1)) --first;
    for (int64_t position = first; position <= last; ++position) copyFrom(from, position);
    for (int64_t position = last + 1; position < read; ++position) {
        begin(position);
        tokenDone(position, 0, 0);
    }
    kept_ = std::max(last, read - 1);
    const MutexLock lock(mutex_);
    reused_ = from.reused();
    promptTokens_ = begins;
    prompt_ = from.prompt();
    promptIds_.assign(prompt.begin(), prompt.begin() + begins);
    continues_ = true;
    return true;
}

void TraceLog::copyFrom(const TraceLog& other, int64_t position) {
    begin(position);
    const size_t place = placeOf(position), from = other.placeOf(position);
    if (blockOf(place) == nullptr) return; // there is no memory for it
    Header header;
    {
        const MutexLock lock(other.mutex_);
        if (!other.holds(position)) return;
        header = other.headerOf(from);
        std::copy_n(other.record(from), words_, record(place));
    }
    const MutexLock lock(mutex_);
    headerOf(place) = header;
    newest_ = position;
}

/// From now on the record at this position belongs to a new token.
void TraceLog::begin(int64_t position) {
    const size_t place = placeOf(position);
    if (!makeRoom(place)) return;
    {
        const MutexLock lock(mutex_);
        headerOf(place) = {.position = position};
    }
    std::fill_n(record(place), words_, uint64_t{0});
}

void TraceLog::layerDone(int64_t position, int layer, std::span<const ExpertUse> uses, double waitSeconds) {
    if (position < 0 || position <= kept_ || layer < 0 || layer >= shape_.layers || uses.empty()) return;
    if (firstLayer_ < 0) firstLayer_ = layer;
    if (layer == firstLayer_) begin(position);
    const size_t place = placeOf(position);
    // In a chunk that is longer than the ring, the place may already be that of a later token.
    if (blockOf(place) == nullptr || headerOf(place).position != position || headerOf(place).whole) return;
    uses = uses.first(std::min(uses.size(), static_cast<size_t>(shape_.expertsPerToken)));
    BitWriter out(record(place), static_cast<size_t>(layer) * widths_.layer);
    out.put(static_cast<int64_t>(uses.size()), shape_.expertsPerToken, widths_.count);
    out.put(std::bit_cast<int32_t>(keptDuration(waitSeconds)), std::numeric_limits<int32_t>::max(), kWaitBits);
    for (const ExpertUse& use : uses) {
        const double weight = std::clamp(static_cast<double>(use.weight), 0.0, 1.0);
        out.put(use.expert, shape_.experts - 1, widths_.expert);
        out.put(use.hit, 1, 1);
        out.put(use.activeNeurons, shape_.neurons, widths_.neurons);
        out.put(std::lround(weight * kWeightSteps), static_cast<int64_t>(kWeightSteps), kWeightBits);
    }
}

void TraceLog::tokenDone(int64_t position, int64_t headRows, double seconds) {
    if (position < 0 || position <= kept_) return;
    if (firstLayer_ < 0) begin(position); // no layer is traced
    const size_t place = placeOf(position);
    const MutexLock lock(mutex_);
    if (position >= end_ || blockOf(place) == nullptr || headerOf(place).position != position) return;
    Header& done = headerOf(place);
    done.headRows = static_cast<uint32_t>(std::clamp<int64_t>(headRows, 0, std::numeric_limits<uint32_t>::max()));
    done.seconds = keptDuration(seconds);
    done.whole = true;
    newest_ = position;
}

void TraceLog::endAt(int64_t position) {
    const MutexLock lock(mutex_);
    end_ = position;
    newest_ = std::min(newest_, position - 1);
    while (newest_ >= 0 && !holds(newest_)) --newest_; // later tokens may have taken its place
}

int64_t TraceLog::reused() const {
    const MutexLock lock(mutex_);
    return reused_;
}

int64_t TraceLog::promptTokens() const {
    const MutexLock lock(mutex_);
    return promptTokens_;
}

std::optional<uint64_t> TraceLog::prompt() const {
    const MutexLock lock(mutex_);
    return prompt_;
}

TokenId TraceLog::promptToken(int64_t position) const {
    const MutexLock lock(mutex_);
    const int64_t at = position - promptFirst_;
    return at >= 0 && at < static_cast<int64_t>(promptIds_.size()) ? promptIds_[static_cast<size_t>(at)] : -1;
}

QuestionTokens TraceLog::question() const {
    const MutexLock lock(mutex_);
    return question_;
}

bool TraceLog::continues() const {
    const MutexLock lock(mutex_);
    return continues_;
}

int64_t TraceLog::newest() const {
    const MutexLock lock(mutex_);
    return newest_;
}

bool TraceLog::holds(int64_t position) const {
    const size_t place = placeOf(position);
    return position >= 0 && position < end_ && blockOf(place) != nullptr && headerOf(place).position == position &&
           headerOf(place).whole;
}

std::optional<TracedToken> TraceLog::token(int64_t position) const {
    std::vector<uint64_t> words(words_);
    Header header;
    {
        const MutexLock lock(mutex_);
        if (!holds(position)) return std::nullopt;
        const size_t place = placeOf(position);
        header = headerOf(place);
        std::copy_n(record(place), words_, words.begin());
    }
    return unpack(header, words);
}

/// Returns nothing if a field is larger than the shape allows. That can only happen with bytes from elsewhere.
std::optional<TracedToken> TraceLog::unpack(const Header& header, std::span<const uint64_t> words) const {
    if (!isDuration(header.seconds)) return std::nullopt;
    TracedToken token{header.position, header.headRows, static_cast<double>(header.seconds), {}};
    for (int64_t layer = 0; layer < shape_.layers; ++layer) {
        BitReader in(words.data(), static_cast<size_t>(layer) * widths_.layer);
        const int64_t count = in.take(widths_.count);
        if (count == 0) continue;
        const auto wait = std::bit_cast<float>(static_cast<uint32_t>(in.take(kWaitBits)));
        if (count > shape_.expertsPerToken || !isDuration(wait)) return std::nullopt;
        TracedLayer& to = token.layers.emplace_back();
        to.layer = static_cast<int>(layer);
        to.waitSeconds = static_cast<double>(wait);
        for (int64_t i = 0; i < count; ++i) {
            ExpertUse& use = to.uses.emplace_back();
            const int64_t expert = in.take(widths_.expert);
            use.hit = in.take(1) != 0;
            const int64_t neurons = in.take(widths_.neurons);
            if (expert >= shape_.experts || neurons > shape_.neurons) return std::nullopt;
            use.expert = static_cast<int32_t>(expert);
            use.activeNeurons = static_cast<int32_t>(neurons);
            use.weight = static_cast<float>(static_cast<double>(in.take(kWeightBits)) / kWeightSteps);
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
