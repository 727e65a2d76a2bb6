// SPDX-License-Identifier: Apache-2.0
// The form in which an answer's token records are stored. Numbers are little-endian; a varint is drawn in
// stored_bytes.h.
//
//   header, 16 bytes          then for each token
//   +0   8 bytes  "CotToken"    varint  id + 1
//   +8   u32      version, 1    f32     seconds
//   +12  u32      tokens        u8      details: 1 if the probability follows, 2 if the entropy follows, or their sum
//                               [f32]   probability
//                               [f32]   entropy
//                               varint  ranges of text; for each
//                                   varint  part
//                                   varint  first byte
//                                   varint  number of bytes
//                               varint  alternatives; for each
//                                   varint  id + 1
//                                   f32     probability
//
// A reader checks every count against the bytes that are there before it allocates anything, and every value against
// the range that it can have.
#include "records/token_bytes.h"

#include "base/guard.h"
#include "records/stored_bytes.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string_view>
#include <utility>

namespace coterie::engine {

namespace {

constexpr std::string_view kMagic = "CotToken";
constexpr uint32_t kVersion = 1;
constexpr size_t kHeaderBytes = 16;
// The fewest bytes of one of each.
constexpr size_t kTokenBytes = 8, kRangeBytes = 3, kAlternativeBytes = 5;
constexpr unsigned kHasProbability = 1, kHasEntropy = 2;
/// The largest id, part and place: no vocabulary and no answer is as large.
constexpr uint64_t kLargest = std::numeric_limits<int32_t>::max();
constexpr double kLargestFloat = std::numeric_limits<float>::max();

uint64_t keptNumber(size_t value) { return std::min<uint64_t>(value, kLargest); }
uint64_t keptId(TokenId id) { return static_cast<uint64_t>(std::max<int64_t>(id, -1) + 1); }
float keptFloat(double value, double most) {
    return value > 0 ? static_cast<float>(std::min(value, most)) : 0.0f; // NaN becomes 0
}

void putToken(ByteWriter& out, const TokenRecord& token) {
    out.putVarint(keptId(token.id));
    out.putFloat(keptFloat(token.seconds, kLargestFloat));
    out.put((token.probability ? kHasProbability : 0) + (token.entropy ? kHasEntropy : 0), 1);
    if (token.probability) out.putFloat(keptFloat(*token.probability, 1));
    if (token.entropy) out.putFloat(keptFloat(*token.entropy, kLargestFloat));
    out.putVarint(token.text.size());
    for (const TextRange& range : token.text) {
        const uint64_t begin = keptNumber(range.begin), end = keptNumber(range.end);
        out.putVarint(keptNumber(range.part));
        out.putVarint(begin);
        out.putVarint(end - std::min(begin, end));
    }
    out.putVarint(token.alternatives.size());
    for (const TokenChance& chance : token.alternatives) {
        out.putVarint(keptId(chance.id));
        out.putFloat(keptFloat(chance.probability, 1));
    }
}

Error notTokens(Sentence why) {
    return {ErrorKind::BadInput, "The stored tokens of an answer can't be read", std::move(why),
            "Write the answer again"};
}

/// Reads tokens one after another. Each function returns false if a value can't be one.
class TokenReader {
  public:
    explicit TokenReader(std::span<const std::byte> bytes) : in_(bytes) {}

    bool atEnd() const { return in_.ok() && in_.left() == 0; }

    bool take(TokenRecord& token) {
        return takeId(token.id) && takeFloat(token.seconds, kLargestFloat) && takeDetails(token) &&
               takeText(token.text) && takeAlternatives(token.alternatives);
    }

  private:
    bool takeNumber(uint64_t& value, uint64_t most) {
        value = in_.takeVarint();
        return in_.ok() && value <= most;
    }
    bool takeFloat(double& value, double most) {
        const float taken = in_.takeFloat();
        value = static_cast<double>(taken);
        return in_.ok() && value >= 0 && value <= most && !std::signbit(taken);
    }
    bool takeId(TokenId& id) {
        uint64_t next = 0;
        if (!takeNumber(next, kLargest + 1)) return false;
        id = static_cast<TokenId>(static_cast<int64_t>(next) - 1);
        return true;
    }
    bool takeDetails(TokenRecord& token) {
        const uint64_t details = in_.take(1);
        if (details > (kHasProbability | kHasEntropy)) return false;
        if ((details & kHasProbability) != 0 && !takeFloat(token.probability.emplace(), 1)) return false;
        return (details & kHasEntropy) == 0 || takeFloat(token.entropy.emplace(), kLargestFloat);
    }
    /// Reads the number of things that take at least `bytes` bytes each.
    bool takeCount(uint64_t& count, size_t bytes) { return takeNumber(count, in_.left() / bytes); }
    bool takeText(std::vector<TextRange>& ranges) {
        uint64_t count = 0;
        if (!takeCount(count, kRangeBytes)) return false;
        ranges.reserve(static_cast<size_t>(count));
        for (; count > 0; --count) {
            uint64_t part = 0, begin = 0, bytes = 0;
            if (!takeNumber(part, kLargest) || !takeNumber(begin, kLargest) || !takeNumber(bytes, kLargest - begin))
                return false;
            ranges.push_back(
                {static_cast<size_t>(part), static_cast<size_t>(begin), static_cast<size_t>(begin + bytes)});
        }
        return true;
    }
    bool takeAlternatives(std::vector<TokenChance>& chances) {
        uint64_t count = 0;
        if (!takeCount(count, kAlternativeBytes)) return false;
        chances.reserve(static_cast<size_t>(count));
        for (; count > 0; --count) {
            TokenChance& chance = chances.emplace_back();
            if (!takeId(chance.id) || !takeFloat(chance.probability, 1)) return false;
        }
        return true;
    }

    ByteReader in_;
};

} // namespace

std::vector<std::byte> tokenBytes(std::span<const TokenRecord> tokens) {
    constexpr size_t kUsualBytes = 12;
    std::vector<std::byte> bytes;
    bytes.reserve(kHeaderBytes + tokens.size() * kUsualBytes);
    ByteWriter out(bytes);
    out.putText(kMagic);
    out.put(kVersion, 4);
    out.put(tokens.size(), 4);
    for (const TokenRecord& token : tokens) putToken(out, token);
    return bytes;
}

Result<std::vector<TokenRecord>> readTokenBytes(std::span<const std::byte> bytes) {
    if (bytes.size() < kHeaderBytes || std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) != 0)
        return notTokens("They do not begin as stored tokens do");
    ByteReader header(bytes.subspan(kMagic.size()));
    const uint32_t version = header.take32(), count = header.take32();
    if (version > kVersion)
        return Error{ErrorKind::Unsupported, "The stored tokens of an answer can't be read",
                     Sentence("They are of version %1, and this program knows version %2", version, kVersion),
                     "Update the program, or write the answer again"};
    if (version < kVersion) return notTokens("No program wrote such a version");
    if (count > header.left() / kTokenBytes) return notTokens("They are fewer than their header says");

    return guarded([&]() -> Result<std::vector<TokenRecord>> {
        TokenReader reader(bytes.subspan(kHeaderBytes));
        std::vector<TokenRecord> tokens(count);
        for (uint32_t i = 0; i < count; ++i)
            if (!reader.take(tokens[i])) return notTokens({"Token %1 holds what no token can", i});
        if (!reader.atEnd()) return notTokens("More bytes follow after the last token");
        return tokens;
    });
}

} // namespace coterie::engine
