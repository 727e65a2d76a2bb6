// SPDX-License-Identifier: Apache-2.0
// The form in which a trace is stored. All numbers are little-endian.
//
//   header, 48 or 56 bytes                 then for each token, the oldest first
//   +0   8 bytes  "CotTrace"               +0  f32  seconds
//   +8   u32      version, 1 or 2          +4  u32  rows of the head that were computed
//   +12  u32      layers                   +8  the layers' fields, bit after bit, the lowest bit of a byte first,
//   +16  u32      experts of a layer           up to a whole byte:
//   +20  u32      experts per token            for each layer
//   +24  u32      neurons of an expert           experts that it used (as many bits as "experts per token" needs)
//   +28  u32      prompt tokens reused           f32 seconds that it waited
//   +32  u32      prompt tokens                  for each expert per token, used or not
//   +36  u32      position of the first token      number (bits of experts - 1), hit (1), active neurons (bits of
//   +40  u64      tokens                           neurons), weight in steps of 1/65535 (16)
//   +48  u64      promptHash() of the
//                 prompt, in version 2
//
// Earlier versions of the program wrote version 1; a trace whose prompt is not known is still written so.
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
constexpr uint32_t kVersionWithoutPrompt = 1, kVersion = 2;
constexpr size_t kHeaderBytes = 48, kPromptBytes = 8, kTokenHeaderBytes = 8;
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
        std::vector<std::byte> out;
        out.reserve(kHeaderBytes + kPromptBytes + static_cast<size_t>(tokens) * (kTokenHeaderBytes + recordBytes));
        ByteWriter writer(out);
        writer.putText(kMagic);
        writer.put32(prompt_ ? kVersion : kVersionWithoutPrompt);
        for (const int64_t value :
             {shape_.layers, shape_.experts, shape_.expertsPerToken, shape_.neurons, reused_, promptTokens_, first})
            writer.put32(value);
        writer.put(static_cast<uint64_t>(tokens), 8);
        if (prompt_) writer.put(*prompt_, kPromptBytes);
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
    if (version != kVersion && version != kVersionWithoutPrompt)
        return Error{ErrorKind::Unsupported, "A stored trace can't be read",
                     Sentence("It is of version %1, and this program knows version %2", version, kVersion),
                     "Update the program, or record the trace again"};
    TraceShape shape;
    for (int64_t* value : {&shape.layers, &shape.experts, &shape.expertsPerToken, &shape.neurons})
        *value = reader.take32();
    if (!isPossible(shape)) return notATrace("No model is of its shape");
    const int64_t reused = reader.take32(), promptTokens = reader.take32(), first = reader.take32();
    const uint64_t tokens = reader.take(8);
    const size_t headerBytes = kHeaderBytes + (version == kVersion ? kPromptBytes : 0);
    const size_t recordBytes = packedBytes(bitsPerToken(shape));
    if (tokens > static_cast<uint64_t>(kMostPositions) ||
        headerBytes + tokens * (kTokenHeaderBytes + recordBytes) != bytes.size())
        return notATrace("It is not as long as its header says");
    std::optional<uint64_t> prompt;
    if (version == kVersion) prompt = reader.take(kPromptBytes);
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
        bytes = bytes.subspan(headerBytes);
        for (uint64_t i = 0; i < tokens; ++i, bytes = bytes.subspan(kTokenHeaderBytes + recordBytes)) {
            const int64_t position = first + static_cast<int64_t>(i);
            if (Status room = log.value()->makeRoom(log.value()->placeOf(position)); !room) return room.error();
            if (!log.value()->restore(position, bytes.first(kTokenHeaderBytes + recordBytes)))
                return notATrace({"The record of token %1 holds what no layer can do", i});
        }
        return log;
    });
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
