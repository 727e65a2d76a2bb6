// SPDX-License-Identifier: Apache-2.0
// The form in which a trace is stored. All numbers are little-endian.
//
//   header, 48, 56 or 60 bytes             then, behind the prompt's tokens, for each token, the oldest first
//   +0   8 bytes  "CotTrace"               +0  f32  seconds
//   +8   u32      version, 1 to 3          +4  u32  rows of the head that were computed
//   +12  u32      layers                   +8  the layers' fields, bit after bit, the lowest bit of a byte first,
//   +16  u32      experts of a layer           up to a whole byte:
//   +20  u32      experts per token            for each layer
//   +24  u32      neurons of an expert           experts that it used (as many bits as "experts per token" needs)
//   +28  u32      prompt tokens reused           f32 seconds that it waited
//   +32  u32      prompt tokens                  for each expert per token, used or not
//   +36  u32      position of the first token      number (bits of experts - 1), hit (1), active neurons (bits of
//   +40  u64      tokens                           neurons), weight in steps of 1/65535 (16)
//   +48  u64      promptHash() of the
//                 prompt, from version 2 on
//   +56  u32      bytes of the prompt's
//                 tokens, in version 3
//
// The prompt's tokens, all varints:
//
//   position of the first one that is stored: the first that was read, or the question's first if that was reused
//   id of each one from there to the end of the prompt
//   number of the question's tokens; if there are some:
//     how far behind the first one that is stored they begin
//     bytes of the whole question
//     for each of them: bytes of the question that no token holds, bytes that it holds
//
// Earlier versions of the program wrote versions 1 and 2; a trace whose prompt, or the tokens of it, are not known is
// still written so.
//
// A reader checks every count against the bytes that are there before it allocates anything, and every field of every
// record against the shape.
#include "base/guard.h"
#include "records/stored_bytes.h"
#include "records/trace_log.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string_view>
#include <utility>

namespace coterie::engine {

namespace {

constexpr std::string_view kMagic = "CotTrace";
constexpr uint32_t kVersionWithoutPrompt = 1, kVersionWithHash = 2, kVersion = 3;
constexpr size_t kHeaderBytes = 48, kHashBytes = 8, kLengthBytes = 4, kTokenHeaderBytes = 8;
constexpr int64_t kMostPositions = std::numeric_limits<int32_t>::max(); // more than any context

size_t packedBytes(size_t bits) { return (bits + 7) / 8; }

Error notATrace(Sentence why) {
    return {ErrorKind::BadInput, "A stored trace can't be read", std::move(why), "Record it again"};
}

} // namespace

Result<std::vector<std::byte>> TraceLog::bytes() const {
    return guarded([this]() -> Result<std::vector<std::byte>> {
        const MutexLock lock(mutex_);
        int64_t first = newest_ + 1;
        while (holds(first - 1) && newest_ - first + 1 < static_cast<int64_t>(tokens_)) --first;
        const int64_t tokens = newest_ + 1 - first;
        if (newest_ >= kMostPositions || promptTokens_ > kMostPositions)
            return Error{ErrorKind::Internal, "A trace can't be stored", "No context is as long", "Please report this"};
        const size_t recordBytes = packedBytes(bitsPerToken(shape_));
        std::vector<std::byte> prompt;
        ByteWriter promptWriter(prompt);
        if (!promptIds_.empty()) putPrompt(promptWriter);
        std::vector<std::byte> out;
        out.reserve(kHeaderBytes + kHashBytes + kLengthBytes + prompt.size() +
                    static_cast<size_t>(tokens) * (kTokenHeaderBytes + recordBytes));
        ByteWriter writer(out);
        writer.putText(kMagic);
        writer.put32(!prompt_ ? kVersionWithoutPrompt : prompt.empty() ? kVersionWithHash : kVersion);
        for (const int64_t value :
             {shape_.layers, shape_.experts, shape_.expertsPerToken, shape_.neurons, reused_, promptTokens_, first})
            writer.put32(value);
        writer.put(static_cast<uint64_t>(tokens), 8);
        if (prompt_) writer.put(*prompt_, kHashBytes);
        if (!prompt.empty()) writer.put32(static_cast<int64_t>(prompt.size()));
        out.insert(out.end(), prompt.begin(), prompt.end());
        for (int64_t position = first; position <= newest_; ++position) {
            const size_t place = placeOf(position);
            writer.putFloat(headerOf(place).seconds);
            writer.put32(headerOf(place).headRows);
            const uint64_t* words = record(place);
            for (size_t done = 0; done < recordBytes; done += sizeof(uint64_t))
                writer.put(words[done / sizeof(uint64_t)], std::min(sizeof(uint64_t), recordBytes - done));
        }
        return out;
    });
}

Result<std::unique_ptr<TraceLog>> TraceLog::read(std::span<const std::byte> bytes) {
    if (bytes.size() < kHeaderBytes || std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) != 0)
        return notATrace("It does not begin as a trace does");
    ByteReader reader(bytes.subspan(kMagic.size()));
    const uint32_t version = reader.take32();
    if (version < kVersionWithoutPrompt || version > kVersion)
        return Error{ErrorKind::Unsupported, "A stored trace can't be read",
                     Sentence("It is of version %1, and this program knows version %2", version, kVersion),
                     "Update the program, or record the trace again"};
    TraceShape shape;
    for (int64_t* value : {&shape.layers, &shape.experts, &shape.expertsPerToken, &shape.neurons})
        *value = reader.take32();
    if (!isPossible(shape)) return notATrace("No model is of its shape");
    const int64_t reused = reader.take32(), promptTokens = reader.take32(), first = reader.take32();
    const uint64_t tokens = reader.take(8);
    std::optional<uint64_t> prompt;
    if (version >= kVersionWithHash) prompt = reader.take(kHashBytes);
    const size_t promptBytes = version >= kVersion ? reader.take32() : 0;
    const size_t headerBytes = bytes.size() - reader.left();
    const size_t recordBytes = packedBytes(bitsPerToken(shape));
    if (!reader.ok() || tokens > static_cast<uint64_t>(kMostPositions) ||
        headerBytes + promptBytes + tokens * (kTokenHeaderBytes + recordBytes) != bytes.size())
        return notATrace("It is not as long as its header says");
    if (reused > promptTokens || promptTokens > kMostPositions ||
        first + static_cast<int64_t>(tokens) > kMostPositions || (tokens == 0 && first != 0))
        return notATrace("Its positions are not those of an answer");

    return guarded([&]() -> Result<std::unique_ptr<TraceLog>> {
        Result<std::unique_ptr<TraceLog>> log = create(shape, std::max<int64_t>(static_cast<int64_t>(tokens), 1));
        if (!log) return log;
        log.value()->answerBegins(reused, promptTokens);
        {
            const MutexLock lock(log.value()->mutex_);
            log.value()->prompt_ = prompt;
        }
        ByteReader promptReader(bytes.subspan(headerBytes, promptBytes));
        if (version >= kVersion && !log.value()->takePrompt(promptReader))
            return notATrace("The tokens of its prompt are not those of an answer");
        bytes = bytes.subspan(headerBytes + promptBytes);
        for (uint64_t i = 0; i < tokens; ++i, bytes = bytes.subspan(kTokenHeaderBytes + recordBytes)) {
            const int64_t position = first + static_cast<int64_t>(i);
            if (Status room = log.value()->makeRoom(log.value()->placeOf(position)); !room) return room.error();
            if (!log.value()->restore(position, bytes.first(kTokenHeaderBytes + recordBytes)))
                return notATrace({"The record of token %1 holds what no layer can do", i});
        }
        return log;
    });
}

/// The positions before the first token that was read are of no use, unless they are the question's.
void TraceLog::putPrompt(ByteWriter& writer) const {
    const bool asked = !question_.text.empty();
    const int64_t first = std::max(promptFirst_, asked ? std::min(question_.first, reused_) : reused_);
    if (first >= promptTokens_) return; // there is nothing to say
    writer.putVarint(static_cast<uint64_t>(first));
    for (int64_t position = first; position < promptTokens_; ++position)
        writer.putVarint(static_cast<uint64_t>(promptIds_[static_cast<size_t>(position - promptFirst_)]));
    writer.putVarint(question_.text.size());
    if (!asked) return;
    writer.putVarint(static_cast<uint64_t>(question_.first - first));
    writer.putVarint(question_.bytes);
    uint32_t end = 0;
    for (const QuestionTokens::Range& range : question_.text) {
        writer.putVarint(range.begin - end);
        writer.putVarint(range.end - range.begin);
        end = range.end;
    }
}

/// Reads what putPrompt() wrote. False if it is not that of this trace.
bool TraceLog::takePrompt(ByteReader& reader) {
    const MutexLock lock(mutex_);
    const auto tokens = static_cast<uint64_t>(promptTokens_);
    const uint64_t first = reader.takeVarint();
    // Each token takes a byte or more.
    if (!reader.ok() || first >= tokens || first > static_cast<uint64_t>(reused_) || tokens - first > reader.left())
        return false;
    promptFirst_ = static_cast<int64_t>(first);
    for (uint64_t i = first; i < tokens; ++i) {
        const uint64_t id = reader.takeVarint();
        if (id > std::numeric_limits<TokenId>::max()) return false;
        promptIds_.push_back(static_cast<TokenId>(id));
    }
    const uint64_t count = reader.takeVarint();
    if (count == 0) return reader.ok() && reader.left() == 0 && promptFirst_ == reused_;
    const uint64_t behind = reader.takeVarint(), bytes = reader.takeVarint();
    if (behind > tokens - first || count > tokens - first - behind || bytes > std::numeric_limits<uint32_t>::max())
        return false;
    question_ = {.first = static_cast<int64_t>(first + behind), .bytes = static_cast<uint32_t>(bytes), .text = {}};
    uint64_t end = 0;
    for (uint64_t i = 0; i < count; ++i) {
        const uint64_t left = bytes - end, before = reader.takeVarint(), length = reader.takeVarint();
        if (before > left || length > left - before) return false;
        question_.text.push_back({static_cast<uint32_t>(end + before), static_cast<uint32_t>(end + before + length)});
        end += before + length;
    }
    return reader.ok() && reader.left() == 0 && promptFirst_ == std::min(question_.first, reused_);
}

/// Fills the record of this position from its stored bytes. False if a field is larger than the shape allows.
bool TraceLog::restore(int64_t position, std::span<const std::byte> bytes) {
    const size_t place = placeOf(position);
    ByteReader reader(bytes);
    Header kept{.position = position, .whole = true};
    kept.seconds = reader.takeFloat();
    kept.headRows = reader.take32();
    const std::span words(record(place), words_);
    size_t left = bytes.size() - kTokenHeaderBytes;
    for (uint64_t& word : words) {
        word = reader.take(std::min(sizeof(word), left));
        left -= std::min(sizeof(word), left);
    }
    {
        const MutexLock lock(mutex_);
        headerOf(place) = kept;
        newest_ = position;
    }
    return unpack(kept, words).has_value();
}

} // namespace coterie::engine
