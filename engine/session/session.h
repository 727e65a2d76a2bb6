// SPDX-License-Identifier: Apache-2.0
// A conversation with a model: the door into the engine for app/. A session opens a GGUF file, renders prompts,
// generates answers and reports what it does.
//
//     auto session = openSession({.path = "model.gguf"});
//     if (!session) return show(session.error());
//     auto answer = session.value()->chat(conversation, {}, [](const Delta& d) { show(d.text); });
//
// Threads: one thread at a time calls chat/complete/completeTokens/logits; the other members may be called from any
// thread at any time. The model's files must not be written to while the session lives: experts are read from them, and
// an answer that reads from a changed file is an Io error. Nothing here prints, aborts or throws.
#pragma once

#include "base/files.h"
#include "base/memory.h"
#include "base/power/power.h"
#include "base/result.h"
#include "decoder/device_info.h"
#include "decoder/head_agreement.h"
#include "decoder/memory_plan.h"
#include "decoder/options.h"
#include "decoder/step_meter.h"
#include "decoder/trace.h"
#include "experts/disk_record.h"
#include "experts/slot_layout.h"
#include "prompt/parts.h"
#include "prompt/tokenizer.h"
#include "records/token_record.h"
#include "sampling/sampler.h"
#include "session/exactness.h"
#include "session/layer_info.h"
#include "session/telemetry.h"

#include <atomic>
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
    int64_t chunk = 0;   ///< tokens of a prompt that are computed together, to measure; 0: automatic
    int threads = 0;     ///< 0: automatic
    /// Bytes that the process holds besides this model; 0: all that it holds now. Set it to plan for this model while
    /// another one is open.
    uint64_t held = 0;
    bool traced = false; ///< keeps room in the memory plan for the trace of an answer that fills the context
    TensorType keyValueFormat = TensorType::F16; ///< the KV cache's: F16 (exact) or Q8_0 (about half the memory)
    std::string kernels = "auto";
    /// A name that listDevices() gives, or "auto": the one of `devices` that promises the most for the model, or the
    /// CPU if none promises enough. They are measured for that
    std::string device = "cpu";
    DeviceFactory devices{};     ///< devices besides the CPU
    uint64_t deviceMemory = 0;   ///< most bytes of the device's own memory; 0: all that the device offers
    bool deviceOptional = false; ///< true: where the device can't compute the model the CPU does, and a note says why
    Shortcuts shortcuts{};       ///< to switch off for measuring
    ExpertStoreChoices experts{};
    /// Measures the steps of what the CPU computes; nothing: they are not measured. It outlives the session.
    StepMeter* steps = nullptr;
    std::function<bool(double share)> onProgress; ///< 0..1; returns false to cancel
    FileSystem* files = nullptr;                  ///< nothing: the system's
    std::function<MemoryReading()> readMemory;    ///< read by an automatic budget; nothing: the system's
    /// Rates of the CPU, for the device "auto"; nothing: they are measured
    std::function<Result<DeviceRates>(std::span<const TensorType> formats)> measureCpu;
    std::function<PowerReading()> readPower; ///< for RoutingWhen::Scarce, on any thread; nothing: the system's
    /// UTF-8. The folder of small files that keep measurements: one for each model's derived head predictor
    /// (session/head_record.h), one for how often its experts were used (session/heat_record.h), and one for each disk
    /// (experts/disk_record.h). It is made if it does not exist. If it is empty or can't be written, everything is
    /// measured again at each start.
    std::string recordsFolder;
    /// UTF-8. The folder of packed files, one large file for each model (session/packed_files.h); empty: there are
    /// none.
    std::string packedFolder;
};

/// The predictor that chooses which rows of the head are computed for a single token (HeadRows::Predicted).
struct HeadPredictor {
    enum class Kind {
        None,     ///< there is no predictor: the head is small, or memory is short
        FromFile, ///< the model's file has it
        Derived,  ///< this program derived it from the head
    };
    Kind kind = Kind::None;
    int64_t rank = 0;         ///< FromFile
    HeadAgreement measured{}; ///< Derived: measurements from before the model was opened; used only if they are good
};

/// How a conversation becomes the text that a model reads.
enum class Turns {
    Template, ///< the file's chat template writes it
    ChatMl,   ///< turns are marked the ChatML way, because the vocabulary has its control tokens
    Plain,    ///< no turns: the model continues the text of the conversation
};

/// The facts that `info` shows.
struct ModelInfo {
    std::string path, name, architecture, quantisation, licence, flavour;
    uint64_t fileBytes = 0, parameters = 0;
    uint64_t shards = 1; ///< number of files that make up the model
    int64_t layers = 0, width = 0, heads = 0, kvHeads = 0, headDim = 0, feedForward = 0;
    int64_t experts = 0, expertsPerToken = 0, vocabulary = 0, trainedContext = 0, slidingWindow = 0;
    int64_t recurrentLayers = 0;         ///< layers that need no more memory for a longer context
    std::vector<int64_t> expertsOfLayer; ///< [layers]; a dense layer counts as one expert
    std::vector<LayerInfo> layer;        ///< [layers]
    Turns turns = Turns::Plain;
    bool canThink = false; ///< the template knows PromptOptions::thinking
    MemoryPlan memory;
    HeadPredictor headPredictor;
    std::optional<DiskProfile> disk; ///< the disk that the model is on, if it was measured
    std::string device;              ///< the device that the model was opened on; "" if it was only inspected
    Sentence deviceChoice;           ///< why the device "auto" is that one, which is also a note; "" for another device
    std::vector<Sentence> notes;     ///< assumptions that were made, and abilities that the template or device lacks
    std::vector<Error> problems;     ///< reasons why the model can't run
};

/// Reads only the metadata. It also describes models that can't run: then `problems` says why.
Result<ModelInfo> inspectModel(const OpenOptions& options);
/// Opens only the vocabulary, without weights.
Result<std::unique_ptr<Tokenizer>> openTokenizer(const std::string& path, FileSystem* files = nullptr);
/// The slots of the store that a session with these options opens. Reads only the metadata, and how often earlier runs
/// used the experts.
Result<StoreSlots> readStoreSlots(const OpenOptions& options);

/// Variables that a template gets besides the messages. The strings hold JSON; a string that is not valid JSON is
/// BadInput. A template ignores variables that it doesn't know.
struct PromptOptions {
    std::optional<bool> thinking{}; ///< enable_thinking
    std::string tools{};            ///< array of functions as OpenAI's interface writes them, as `tools`; "" for none
    std::string xmlTools{};         ///< the same as SmolLM3's `xml_tools`
    std::string pythonTools{};      ///< SmolLM3's `python_tools`
    std::string variables{};        ///< object: further variables by name; they don't replace those above
    std::optional<std::tm> now{};   ///< current time for the template; nothing: the system's local time
};

/// When one of the two lossy ways of ApproximateRouting is used.
enum class RoutingWhen {
    Always,
    Scarce, ///< while the battery is low (base/power.h), or while other programs use memory that an automatic budget
            ///< had planned for experts; checked for each token
};
/// Parses "always" or "scarce", as users write it. BadInput for anything else.
Result<RoutingWhen> parseRoutingWhen(std::string_view name);

struct GenerateOptions {
    SamplingOptions sampling;
    int64_t maxTokens = -1;        ///< -1: until the answer ends or the context is full
    std::vector<std::string> stop; ///< strings that end the answer; not shown
    /// For complete() and textTokens(): if true, control tokens spelled in the text ("<|im_start|>") become control
    /// tokens. Otherwise they are plain characters, as in a message.
    bool special = false;
    PromptOptions prompt; ///< for chat(); if it offers tools, the answer is searched for tool calls
    /// The first tokens of the answer. The answer continues after them as if the model had just written them. So a
    /// stopped answer can continue, and another one can branch off at any of its tokens (Generated::tokens has their
    /// ids). Those that the KV cache does not hold yet are read together with the prompt. maxTokens counts only new
    /// tokens; Generated::parts is the whole answer. If the prefix contains a stop string, the answer ends at once.
    std::vector<TokenId> prefix;
    TokenDetails details;       ///< selects what Generated::tokens holds besides ids, text ranges and times
    TraceSink* trace = nullptr; ///< receives what each token makes each layer do
    /// Predicted applies only to greedy and top-k draws, because other draws need every probability. A derived
    /// predictor is measured first, on the states of such requests.
    HeadRows head = HeadRows::Predicted;
    /// Lossy. It applies only to the answer's tokens; the prompt is read exactly. A later exact answer reads again the
    /// tokens that were routed approximately. BadInput outside 0..1. It changes nothing for models without experts.
    ApproximateRouting routing{};
    RoutingWhen preferCachedWhen = RoutingWhen::Always;   ///< when routing.preferCached applies
    RoutingWhen topWeightShareWhen = RoutingWhen::Always; ///< when routing.topWeightShare applies
    /// Tokens that replace the first tokens drawn; for measuring. Unlike the tokens of a prefix, each of them goes
    /// through the model by itself, and is routed approximately if the answer is.
    std::vector<TokenId> forced;
    /// The call ends within one token once it is true, and does nothing if it is true from the start. Nothing resets
    /// it: each call has its own. It outlives the call; null: the call can't be cancelled.
    const std::atomic<bool>* cancel = nullptr;
    bool ignoreEnd = false; ///< true: continues past end-of-generation tokens; for measuring
    bool reuseCache = true; ///< false: the whole prompt is read again; for measuring
    bool keepCache = true;  ///< false: all tokens are computed again for each token of the answer; for measuring
    std::function<void(std::span<const float> logits)> onLogits; ///< gets the logits of each draw, before penalties
};

/// A piece of the answer, made of whole UTF-8 characters. If it has neither text nor a call, kind and part mean
/// nothing. Everything that it points to is valid only during the callback.
struct Delta {
    PartKind kind = PartKind::Text;
    size_t part = 0;         ///< index of the part that it belongs to, in Generated::parts; rises by one at a new part
    std::string_view text{}; ///< next text of the part (all text of a ToolCall); empty while the prompt is read, and
                             ///< while a character, a marker or a stop string may be unfinished
    int64_t promptDone = 0, promptTotal = 0;
    double promptSecondsLeft = -1;  ///< an estimate while the prompt is read; below 0: there is none yet
    int64_t generated = 0;          ///< new tokens so far
    TokenId token = -1;             ///< the token just drawn; -1 while the prompt is read and at the answer's end
    const ToolCall* call = nullptr; ///< the complete call if kind is ToolCall
    /// A thought ended whose beginning nobody marked: all parts of the answer so far are thoughts, with the words that
    /// they have. `text` is empty.
    bool makesThoughts = false;
    /// The tokens that have become final, in their order; each is reported once. A token is final when its text is
    /// known: at once, or later if a character, a marker or a stop string may be unfinished.
    std::span<const TokenRecord> tokens{};
    /// The answer so far, with the prefix and this piece. No delta repeats the prefix, except its end if that was held
    /// back because it is white space or may be part of a marker.
    std::span<const Part> answer{};
};
using DeltaCallback = std::function<void(const Delta&)>; ///< called on the thread that called the session

enum class FinishReason { EndOfGeneration, StopString, MaxTokens, ContextFull, Cancelled };

struct GenerationStatistics {
    int64_t promptTokens = 0; ///< tokens of the prompt and of the prefix
    int64_t promptReused = 0; ///< promptTokens that the KV cache held already
    /// promptTokens after these that it held too, and that were read again: the state of a recurrent layer, or the ring
    /// of a window, can't go back to any token.
    int64_t promptReread = 0;
    int64_t generated = 0; ///< new tokens; the token that ends an answer doesn't count
    /// Forward passes after the prompt's; together they take decodeSeconds. The first token is drawn from the prompt's
    /// own logits, so n tokens take n - 1 passes, and one more if the model itself ends the answer.
    int64_t decodePasses = 0;
    double prefillSeconds = 0, firstTokenSeconds = 0, decodeSeconds = 0; ///< firstTokenSeconds counts from the call
    Counts counts;                                                       ///< the prompt's and the answer's
    Counts decoding;                                                     ///< those after the prompt
    bool dense = false;                        ///< the model has no experts: its layers are counted as experts
    Exactness exactness = Exactness::SameBits; ///< the worst of all tokens
    uint64_t seed = 0;

    /// Returns the tokens decoded per second, or nothing if no token was decoded.
    std::optional<double> decodeRate() const {
        if (decodePasses == 0 || decodeSeconds <= 0) return std::nullopt;
        return static_cast<double>(decodePasses) / decodeSeconds;
    }
    /// Returns the share of the answer's choices of experts that were changed, 0..1, or nothing if there were none.
    std::optional<double> changedShare() const {
        if (decoding.choices == 0) return std::nullopt;
        return static_cast<double>(decoding.choicesChanged) / static_cast<double>(decoding.choices);
    }
};

struct Generated {
    FinishReason reason = FinishReason::EndOfGeneration;
    std::vector<Part> parts; ///< the whole answer: the prefix, then all deltas, in the order in which they were written
    std::vector<TokenRecord> tokens; ///< the new tokens, in their order
    GenerationStatistics statistics;
    std::vector<Sentence> notes{}; ///< sentences for the user, e.g. if another device took over during the answer

    std::string text() const { return joinedText(parts); }
    std::string thought() const { return joinedText(parts, PartKind::Thought); }
    std::vector<ToolCall> toolCalls() const { return toolCallsOf(parts); }
};

struct TraceShape;
/// Returns the shape of this model's traces (records/trace_log.h).
TraceShape traceShape(const ModelInfo& model);

class Session {
  public:
    virtual ~Session() = default;
    virtual const ModelInfo& info() const = 0;
    virtual const Tokenizer& tokenizer() const = 0;

    /// Answers the conversation, whatever ModelInfo::turns says. Only the template's own text becomes control tokens:
    /// "<|im_end|>" in a message is ten characters. Tokens that the KV cache already holds are reused. Errors:
    /// ContextFull (nothing was dropped), Io, BadInput (the template refuses, or loses the last question), OutOfMemory.
    /// If the answer is cancelled or fills the context, that is a finish reason and not an error.
    virtual Result<Generated> chat(std::span<const Message> conversation, const GenerateOptions& options,
                                   const DeltaCallback& onDelta) = 0;
    /// Continues the text, without a template. A person wrote the text: see GenerateOptions::special.
    virtual Result<Generated> complete(std::string_view text, const GenerateOptions& options,
                                       const DeltaCallback& onDelta) = 0;
    /// Continues exactly these tokens; nothing is added.
    virtual Result<Generated> completeTokens(std::span<const TokenId> prompt, const GenerateOptions& options,
                                             const DeltaCallback& onDelta) = 0;
    /// Returns the tokens that chat() reads for this conversation, with the template applied: a context gauge shows
    /// their number before the message is sent. Any thread, also while an answer runs: it uses only data that is fixed
    /// when the model is opened, and waits for nothing.
    virtual Result<std::vector<TokenId>> promptTokens(std::span<const Message> conversation,
                                                      const GenerateOptions& options) const = 0;
    /// Returns the tokens that complete() reads. Any thread, like promptTokens().
    virtual Result<std::vector<TokenId>> textTokens(std::string_view text, const GenerateOptions& options) const = 0;
    /// Computes the raw logits after each of `tokens`, starting with an empty KV cache. Cancelled if `cancel`, which
    /// may be null, becomes true.
    virtual Status logits(std::span<const TokenId> tokens,
                          const std::function<void(int64_t position, std::span<const float> logits)>& onLogits,
                          const std::atomic<bool>* cancel) = 0;
    virtual Telemetry telemetry() const = 0;
    /// Writes where each expert is now: one ExpertState per byte, the experts of layer 0 by number, then those of
    /// layer 1, and so on. states: [sum of ModelInfo::expertsOfLayer]; a shorter span gets the first ones. Takes no
    /// lock, so a view may call it many times per second.
    virtual void expertStates(std::span<uint8_t> states) const = 0;
};

Result<std::unique_ptr<Session>> openSession(const OpenOptions& options);

/// Returns the CPU, then the devices of the factory. Each is tried, which may take seconds.
std::vector<DeviceInfo> listDevices(const DeviceFactory& factory = {});

/// The same with rates of the CPU and of each device that passed, and what "auto" makes of them for a model of usual
/// size. If there is no such device, nothing is measured. OutOfMemory if there is no memory for measuring.
Result<std::vector<DeviceInfo>> measureDevices(const OpenOptions& options);

/// The function through which app/ opens a session, so that a test can open a fake one.
using SessionFactory = std::function<Result<std::unique_ptr<Session>>(const OpenOptions&)>;

} // namespace coterie::engine
