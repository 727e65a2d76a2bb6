// SPDX-License-Identifier: Apache-2.0
// A conversation with a model: the only door into the engine for app/. Opens a GGUF file, renders prompts, generates,
// tells what it does.
//
//     auto session = openSession({.path = "model.gguf"});
//     if (!session) return show(session.error());
//     auto answer = session.value()->chat(conversation, {}, [](const Delta& d) { show(d.text); });
//
// Threads: one thread at a time calls chat/complete/completeTokens/logits; the other members may be called from any
// thread at any time. The file must stay where it is while the session lives: experts are read from it. Nothing here
// prints, aborts or throws.
#pragma once

#include "base/files.h"
#include "base/memory.h"
#include "base/power.h"
#include "base/result.h"
#include "decoder/decoder.h"
#include "decoder/memory_plan.h"
#include "decoder/options.h"
#include "decoder/trace.h"
#include "experts/disk_record.h"
#include "prompt/parts.h"
#include "prompt/tokenizer.h"
#include "sampling/sampler.h"
#include "session/telemetry.h"
#include "session/token_record.h"

#include <cstdint>
#include <ctime>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coterie::engine {

struct OpenOptions {
    std::string path;    ///< UTF-8
    uint64_t memory = 0; ///< budget for the whole process in bytes; 0: automatic
    int64_t context = 0; ///< tokens; 0: automatic
    int threads = 0;     ///< 0: automatic
    /// What the process holds besides this model, in bytes; 0: all that it holds now. For a plan while another is open.
    uint64_t held = 0;
    std::string keyValueFormat = "f16"; ///< of the KV cache: "f16" (exact) or "q8_0" (about half the memory)
    std::string kernels = "auto";
    std::string device = "auto"; ///< a name that listDevices() gives, or "auto": the best of `devices`, else the CPU
    DeviceFactory devices{};     ///< devices besides the CPU
    Shortcuts shortcuts{};       ///< to switch off for measuring
    ExpertStoreChoices experts{};
    std::function<bool(double share)> onProgress; ///< 0..1; returns false to cancel
    FileSystem* files = nullptr;                  ///< nothing: the system's
    std::function<MemoryReading()> readMemory;    ///< what an automatic budget watches; nothing: the system's
    std::function<PowerReading()> readPower;      ///< for RoutingWhen::Scarce, on any thread; nothing: the system's
    /// UTF-8. The folder of small files that keep measurements: one for each model's derived head predictor
    /// (session/head_record.h), and one for each disk (experts/disk_record.h). It is made if it does not exist. If it
    /// is empty or can't be written, everything is measured again at each start.
    std::string recordsFolder;
    /// UTF-8. The folder of packed files, one large file for each model (session/packed_files.h); empty: there are
    /// none.
    std::string packedFolder;
};

/// Which rows of the head a single token may have (HeadRows::Predicted), and who says so.
struct HeadPredictor {
    enum class Kind {
        None,     ///< nobody: the head is small, or memory is short
        FromFile, ///< the model's file
        Derived,  ///< this program, from the head
    };
    Kind kind = Kind::None;
    int64_t rank = 0;         ///< FromFile
    HeadAgreement measured{}; ///< Derived: as the model was opened; used where it is good
};

/// How a conversation becomes the text that a model reads.
enum class Turns {
    Template, ///< the file's chat template writes it
    ChatMl,   ///< turns are marked the ChatML way, because the vocabulary has its control tokens
    Plain,    ///< no turns: the model continues the text of the conversation
};

/// What `info` shows.
struct ModelInfo {
    std::string path, name, architecture, quantisation, licence, flavour;
    uint64_t fileBytes = 0, parameters = 0;
    uint64_t parts = 1; ///< files that the model lies in
    int64_t layers = 0, width = 0, heads = 0, kvHeads = 0, headDim = 0, feedForward = 0;
    int64_t experts = 0, expertsPerToken = 0, vocabulary = 0, trainedContext = 0, slidingWindow = 0;
    std::vector<int64_t> expertsOfLayer; ///< [layers]; a dense layer counts as one expert
    Turns turns = Turns::Plain;
    bool canThink = false; ///< the template knows PromptOptions::thinking
    MemoryPlan memory;
    HeadPredictor headPredictor;
    std::optional<DiskProfile> disk; ///< the model's, where it was measured
    std::string device;              ///< that the model was opened on; "" if it was only inspected
    std::vector<Sentence> notes;     ///< what was assumed, and what the device can't do
    std::vector<Error> problems;     ///< what won't work
};

/// Reads metadata alone. Answers for models that can't run too: then `problems` says why.
Result<ModelInfo> inspectModel(const OpenOptions& options);
/// The vocabulary alone, without weights.
Result<std::unique_ptr<Tokenizer>> openTokenizer(const std::string& path, FileSystem* files = nullptr);

/// What a template is given besides the messages. JSON as text: BadInput where it is none. A template passes over what
/// it doesn't know.
struct PromptOptions {
    std::optional<bool> thinking{}; ///< enable_thinking
    std::string tools{};            ///< array of functions as OpenAI's interface writes them, as `tools`; "" for none
    std::string xmlTools{};         ///< the same as SmolLM3's `xml_tools`
    std::string pythonTools{};      ///< SmolLM3's `python_tools`
    std::string variables{};        ///< object: further variables by name; they don't replace those above
    std::optional<std::tm> now{};   ///< what the template takes for the present; nothing: the system's local time
};

/// When a lossy way of ApproximateRouting is taken.
enum class RoutingWhen {
    Always,
    Scarce, ///< while the battery is low (base/power.h), or other programs have taken memory that an automatic budget
            ///< had planned for experts; looked at for each token
};

struct GenerateOptions {
    SamplingOptions sampling;
    int64_t maxTokens = -1;        ///< -1: until the answer ends or the context is full
    std::vector<std::string> stop; ///< strings that end the answer; not shown
    /// Of complete() and textTokens(): control tokens spelled in the text ("<|im_start|>") count as such. Otherwise
    /// they are plain characters, as in a message.
    bool special = false;
    PromptOptions prompt;          ///< of chat(); tool calls are looked for where tools are offered
    /// The first tokens of the answer: it goes on after them as if the model had just written them. So an answer that
    /// was stopped can go on, and another one can branch off at any of its tokens (Generated::tokens has their ids).
    /// They are read in one pass with the prompt, as far as the KV cache does not hold them already. maxTokens counts
    /// new tokens only; Generated::parts is the whole answer. If the prefix holds a stop string, the answer is over.
    std::vector<TokenId> prefix;
    TokenDetails details;       ///< selects what Generated::tokens holds besides ids, text ranges and times
    TraceSink* trace = nullptr; ///< receives what each token makes each layer do
    /// Predicted holds for greedy and top-k draws alone: for others every probability counts. A derived predictor is
    /// measured first, on the states of such requests.
    HeadRows head = HeadRows::Predicted;
    /// Lossy, for the answer's tokens alone: the prompt is read exactly. An exact answer after it reads again what was
    /// said approximately. BadInput outside 0..1. No matter for models without experts.
    ApproximateRouting routing{};
    RoutingWhen preferCachedWhen = RoutingWhen::Always, sureWhen = RoutingWhen::Always; ///< the two ways of `routing`
    /// Taken in place of the first tokens drawn; for measuring. Unlike a prefix, each goes through the model by itself,
    /// and is routed approximately if the answer is.
    std::vector<TokenId> forced;
    bool ignoreEnd = false; ///< goes on past end-of-generation tokens; for measuring
    bool reuseCache = true; ///< false: the whole prompt is read again; for measuring
    bool keepCache = true;  ///< false: each token of the answer reads everything before it again; for measuring
    std::function<void(std::span<const float> logits)> onLogits; ///< what each token is drawn from, before penalties
};

/// A piece of the answer: whole UTF-8 characters. Without words and without a call, kind and part mean nothing.
/// Everything that it points to lives for the callback.
struct Delta {
    PartKind kind = PartKind::Text;
    size_t part = 0;         ///< index of the part that it belongs to, in Generated::parts; rises by one at a new part
    std::string_view text{}; ///< the next words of the part (all of a ToolCall); empty while the prompt is read, and
                             ///< while a character, a marker or a stop string may be unfinished
    int64_t promptDone = 0, promptTotal = 0;
    int64_t generated = 0;          ///< new tokens so far
    TokenId token = -1;             ///< the token just drawn; -1 while the prompt is read and at the answer's end
    const ToolCall* call = nullptr; ///< of a ToolCall: whole
    /// The tokens that have become final, in their order; each comes once. A token is final when its text is known: at
    /// once, or later if a character, a marker or a stop string may be unfinished.
    std::span<const TokenRecord> tokens{};
    /// The answer so far, with the prefix and this piece. The prefix comes in no delta, except its end if that was held
    /// back: text that may be part of a marker, and white space.
    std::span<const Part> answer{};
};
using DeltaCallback = std::function<void(const Delta&)>; ///< on the thread that called

enum class FinishReason { EndOfGeneration, StopString, MaxTokens, ContextFull, Cancelled };

struct GenerationStatistics {
    int64_t promptTokens = 0; ///< the prefix included
    int64_t promptReused = 0; ///< tokens of these that the KV cache held already
    int64_t generated = 0;    ///< new tokens; the token that ends an answer doesn't count
    /// Forward passes after the prompt's, which take decodeSeconds together. The first token is drawn from the prompt's
    /// own logits, so n tokens take n - 1 passes, and one more if the model itself ends the answer.
    int64_t decodePasses = 0;
    double prefillSeconds = 0, firstTokenSeconds = 0, decodeSeconds = 0; ///< first token: from the call
    uint64_t expertHits = 0, expertMisses = 0, diskBytes = 0;
    uint64_t expertsFromDisk = 0; ///< of both: ExpertStoreStatistics::fromDisk()
    bool dense = false;           ///< what counts as experts are the layers of a model without any
    double ioWaitSeconds = 0;
    uint64_t weightBytesRead = 0; ///< while decoding
    uint64_t activeNeurons = 0, neurons = 0, headRows = 0, headRowsPossible = 0;
    uint64_t choices = 0;        ///< of experts while decoding, one a token and layer that has some
    uint64_t choicesChanged = 0; ///< of these, by approximate routing
    bool exact = true; ///< false: a token was drawn after such a change, in this answer or one that it goes on from
    uint64_t seed = 0;

    /// Tokens decoded in a second; nothing if no token was decoded.
    std::optional<double> decodeRate() const {
        if (decodePasses == 0 || decodeSeconds <= 0) return std::nullopt;
        return static_cast<double>(decodePasses) / decodeSeconds;
    }
    /// Share of the choices that were changed, 0..1; nothing if there were none.
    std::optional<double> changedShare() const {
        if (choices == 0) return std::nullopt;
        return static_cast<double>(choicesChanged) / static_cast<double>(choices);
    }
};

struct Generated {
    FinishReason reason = FinishReason::EndOfGeneration;
    std::vector<Part> parts; ///< the whole answer: the prefix, then all deltas, in the order in which they were written
    std::vector<TokenRecord> tokens; ///< the new tokens, in their order
    GenerationStatistics statistics;
    std::vector<Sentence> notes{}; ///< for the user: that another device went on in the middle of it

    std::string text() const { return joinedText(parts); }
    std::string thought() const { return joinedText(parts, PartKind::Thought); }
    std::vector<ToolCall> toolCalls() const { return toolCallsOf(parts); }
};

class Session {
  public:
    virtual ~Session() = default;
    virtual const ModelInfo& info() const = 0;
    virtual const Tokenizer& tokenizer() const = 0;

    /// An answer to the conversation, whatever ModelInfo::turns says. Only what the template itself writes makes
    /// control tokens: "<|im_end|>" in a message is ten characters. Reuses what the KV cache already holds. Errors:
    /// ContextFull (nothing was dropped), Io, BadInput (the template refuses), OutOfMemory. Cancelled and a context
    /// filled by the answer are not errors but finish reasons.
    virtual Result<Generated> chat(std::span<const Message> conversation, const GenerateOptions& options,
                                   const DeltaCallback& onDelta) = 0;
    /// The text's continuation, without a template. The text is a person's: see GenerateOptions::special.
    virtual Result<Generated> complete(std::string_view text, const GenerateOptions& options,
                                       const DeltaCallback& onDelta) = 0;
    /// The continuation of exactly these tokens; nothing is added.
    virtual Result<Generated> completeTokens(std::span<const TokenId> prompt, const GenerateOptions& options,
                                             const DeltaCallback& onDelta) = 0;
    /// The tokens that chat() reads of this conversation, its template applied: a context gauge shows their number
    /// before the message is sent. Any thread, also while an answer runs: it uses only what was fixed when the model
    /// was opened, and waits for nothing.
    virtual Result<std::vector<TokenId>> promptTokens(std::span<const Message> conversation,
                                                      const GenerateOptions& options) const = 0;
    /// The tokens that complete() reads. Any thread, as promptTokens().
    virtual Result<std::vector<TokenId>> textTokens(std::string_view text, const GenerateOptions& options) const = 0;
    /// Raw logits after each of `tokens`, from an empty KV cache.
    virtual Status logits(std::span<const TokenId> tokens,
                          const std::function<void(int64_t position, std::span<const float> logits)>& onLogits) = 0;
    /// Ends the running call within one token.
    virtual void cancel() noexcept = 0;
    virtual Telemetry telemetry() const = 0;
    /// Writes where each expert is now: one ExpertState per byte, the experts of layer 0 by number, then those of
    /// layer 1, and so on. states: [sum of ModelInfo::expertsOfLayer]; a shorter span gets the first ones. Takes no
    /// lock, so a view may ask many times a second.
    virtual void expertStates(std::span<uint8_t> states) const = 0;
};

Result<std::unique_ptr<Session>> openSession(const OpenOptions& options);

/// The CPU, then the devices of the factory.
std::vector<DeviceInfo> listDevices(const DeviceFactory& factory = {});

/// The door as app/ takes it, so that a fake can stand behind it.
using SessionFactory = std::function<Result<std::unique_ptr<Session>>(const OpenOptions&)>;

} // namespace coterie::engine
