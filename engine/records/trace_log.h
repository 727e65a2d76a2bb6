// SPDX-License-Identifier: Apache-2.0
// The trace of one answer, packed: under 2,000 bytes per token for 48 layers that use 8 of 128 experts with 768
// neurons. The caller owns it, attaches it to an answer as its TraceSink, looks at it while the model talks, and can
// store it as bytes. It is not a trace file of coterie-cli (app/cli) and not a replay (experts/replay.h).
//
//     auto log = TraceLog::create(traceShape(session.info()), session.info().memory.context);
//     if (!log) return log.error();
//     options.trace = log->get();
//     ... session.chat(conversation, options, onDelta) ...
//     Result<std::vector<std::byte>> stored = log.value()->bytes();
//
// A record holds, for each layer, the number of experts that it used; the seconds it waited for reads, as a float; and
// for each expert, best first: its number, whether it was a hit, its active neurons, and its weight in steps of
// 1/65535. All values are exact except the weights, which are right to 0.000008. A dense layer uses its one expert,
// number 0, with weight 1.
//
// Prompt tokens that the KV cache already held are not computed again, so they have no records: a trace starts at the
// position reused(), and the tokens before it were reused. The ids of the prompt's tokens, and the words of its
// question, are known also for these.
#pragma once

#include "base/memory.h"
#include "base/mutex.h"
#include "base/result.h"
#include "decoder/trace.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace coterie::engine {

class ByteReader;
class ByteWriter;

/// The largest values that a trace can hold. Larger ones are cut down to them; layers beyond are left out.
struct TraceShape {
    int64_t layers = 0;
    int64_t experts = 0;         ///< experts of the layer that has most, at most 65,536; 1 for a dense model
    int64_t expertsPerToken = 0; ///< experts per token in the layer that uses most
    int64_t neurons = 0;         ///< neurons of the largest expert

    bool operator==(const TraceShape&) const = default;
};

/// Returns a hash that tells prompts apart. It is the same on every machine.
uint64_t promptHash(std::span<const TokenId> prompt);

struct TracedLayer {
    int layer = 0;
    double waitSeconds = 0;
    std::vector<ExpertUse> uses; ///< best first

    bool operator==(const TracedLayer&) const = default;
};

struct TracedToken {
    int64_t position = 0;
    int64_t headRows = 0; ///< rows of the head that were computed; 0 if no logits were needed
    double seconds = 0;   ///< time that computing it took; the tokens of a chunk share the chunk's time evenly
    std::vector<TracedLayer> layers;

    bool operator==(const TracedToken&) const = default;
};

class TraceLog;

/// The trace of an answer, of which another answer takes over the beginning.
struct BegunTrace {
    std::shared_ptr<const TraceLog>
        trace{};        ///< the trace of an answer that has ended; null, or of another shape: there is none
    int64_t tokens = 0; ///< tokens that stand behind the prompt when the other answer begins
    int64_t shared = 0; ///< how many of them, from the first on, are those of `trace`
};

/// The engine's thread calls the members of TraceSink: they take two short locks per token, and memory once in
/// many tokens. Any thread may call the others at any time. A token can be read after its tokenDone(), until a
/// later token takes its place or another answer begins.
class TraceLog final : public TraceSink {
  public:
    /// Keeps the latest `tokens` of an answer; the context's size keeps all. Memory is taken as tokens come: tokens for
    /// which there is none have no record. OutOfMemory if no memory could hold so many.
    static Result<std::unique_ptr<TraceLog>> create(const TraceShape& shape, int64_t tokens);
    /// The same for an answer that begins as another one does, whose trace is `begun`. If promptIs() gets the prompt of
    /// that one and its tokens behind it, this trace begins with those records, of the time when they were made: passes
    /// at their positions are not recorded again. Else it is a trace like any other; see continues().
    static Result<std::unique_ptr<TraceLog>> create(const TraceShape& shape, int64_t tokens, BegunTrace begun);
    /// Reads what bytes() wrote; the bytes may come from anywhere. BadInput if they are not a whole trace, Unsupported
    /// if a later version of the program wrote them. Allocates at most some eight times their size.
    static Result<std::unique_ptr<TraceLog>> read(std::span<const std::byte> bytes);
    /// The most memory that one token takes. The memory plan counts it for a whole context (OpenOptions::traced).
    static size_t bytesPerToken(const TraceShape& shape);

    /// Empties the log: it is about this answer from now on.
    void answerBegins(int64_t reused, int64_t promptTokens) override;
    void promptIs(std::span<const TokenId> prompt) override;
    void questionIs(const QuestionTokens& question) override;
    void layerDone(int64_t position, int layer, std::span<const ExpertUse> uses, double waitSeconds) override;
    void tokenDone(int64_t position, int64_t headRows, double seconds) override;

    /// Ends the answer before this position, while the engine may still go on with it: what the trace has from there on
    /// is forgotten, and nothing is recorded there any more. Any thread may call it.
    void endAt(int64_t position);

    const TraceShape& shape() const { return shape_; }
    /// Number of prompt tokens that were in the KV cache already, which is the position of the first record.
    int64_t reused() const;
    /// Number of the prompt's tokens: the position at which the answer begins.
    int64_t promptTokens() const;
    /// promptHash() of the prompt, by which a prompt that was read again is compared with the one of this trace.
    /// Nothing if promptIs() was not called, or if an earlier version of the program stored the trace.
    std::optional<uint64_t> prompt() const;
    /// The prompt's token at this position, or -1 if that is not known: earlier versions of the program stored none,
    /// and this one stores none before the reused tokens of the question.
    TokenId promptToken(int64_t position) const;
    /// The question's tokens in the prompt; without any if they are not known.
    QuestionTokens question() const;
    /// Whether it begins with the records of another answer; see create(). Known when promptIs() was called.
    bool continues() const;
    /// Position of the last tokenDone(); -1 before the first.
    int64_t newest() const;
    std::optional<TracedToken> token(int64_t position) const;
    /// Returns up to `tokens` tokens at consecutive positions, the newest last.
    std::vector<TracedToken> last(size_t tokens) const;
    /// Returns the tokens at consecutive positions up to the newest, in the form that trace_bytes.cpp draws. The bytes
    /// are the same on every machine. An answer that runs meanwhile waits for the copy: about a millisecond for 2,000
    /// tokens.
    Result<std::vector<std::byte>> bytes() const;

  private:
    /// Number of bits of a layer's fields.
    struct Widths {
        explicit Widths(const TraceShape& shape);
        unsigned count, expert, neurons;
        size_t use, layer;
    };
    struct Header {
        int64_t position = -1;
        uint32_t headRows = 0;
        float seconds = 0;
        bool whole = false; ///< other threads may look at the record
    };

    TraceLog(const TraceShape& shape, size_t tokens);
    static bool isPossible(const TraceShape& shape);
    static size_t bitsPerToken(const TraceShape& shape);
    static size_t wordsPerToken(const TraceShape& shape);
    static size_t recordBytes(const TraceShape& shape);
    size_t placeOf(int64_t position) const { return static_cast<size_t>(position) % tokens_; }
    bool holds(int64_t position) const COTERIE_REQUIRES(mutex_);
    /// These three are safe with the mutex, and without it on the thread that writes the trace, which alone changes
    /// the blocks. The first is null if the place has no memory yet; the others are called only if it has.
    const Buffer* blockOf(size_t place) const COTERIE_UNCHECKED;
    Header& headerOf(size_t place) const { return blockOf(place)->as<Header>()[place % blockTokens_]; }
    uint64_t* record(size_t place) const;
    Status makeRoom(size_t place);
    void begin(int64_t position);
    void putPrompt(ByteWriter& writer) const COTERIE_REQUIRES(mutex_);
    bool takePrompt(ByteReader& reader);
    bool restore(int64_t position, std::span<const std::byte> bytes);
    bool takeOver(std::span<const TokenId> prompt);
    void copyFrom(const TraceLog& other, int64_t position);
    std::optional<TracedToken> unpack(const Header& header, std::span<const uint64_t> words) const;

    const TraceShape shape_;
    const Widths widths_;
    const size_t tokens_; // records
    const size_t words_;  // words of a record
    const size_t blockTokens_;
    mutable Mutex mutex_; // guards also the headers, and the records that are whole
    /// Headers and records of consecutive places: Header[blockTokens_], uint64_t[blockTokens_, words_]. A block is
    /// empty until a token comes to it.
    std::vector<Buffer> blocks_ COTERIE_GUARDED_BY(mutex_);
    int64_t newest_ COTERIE_GUARDED_BY(mutex_) = -1;
    int64_t end_ COTERIE_GUARDED_BY(mutex_) = std::numeric_limits<int64_t>::max(); // see endAt()
    int64_t reused_ COTERIE_GUARDED_BY(mutex_) = 0, promptTokens_ COTERIE_GUARDED_BY(mutex_) = 0;
    std::optional<uint64_t> prompt_ COTERIE_GUARDED_BY(mutex_); // see prompt()
    int64_t promptFirst_ COTERIE_GUARDED_BY(mutex_) = 0;        // position of the first one of
    std::vector<TokenId> promptIds_ COTERIE_GUARDED_BY(mutex_); // see promptToken()
    QuestionTokens question_ COTERIE_GUARDED_BY(mutex_);
    bool continues_ COTERIE_GUARDED_BY(mutex_) = false;
    // The rest is used only by the engine's thread.
    BegunTrace begun_{};
    int64_t kept_ = -1;   // position of the last record that is not written any more
    int firstLayer_ = -1; // the layer that a token's record begins with
};

} // namespace coterie::engine
