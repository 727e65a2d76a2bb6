// SPDX-License-Identifier: Apache-2.0
// The fake's session and tokenizer, and how they wait.
#include "fakes/fake_session.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <tuple>

namespace coterie::test {
namespace {

using namespace engine;

constexpr uint64_t kMiB = 1 << 20;
constexpr std::chrono::milliseconds kLook{1}; // how often a waiting fake looks whether its call was cancelled
constexpr int kOpenSteps = 10;
constexpr uint64_t kExpertBytes = 5 * kMiB / 2, kLayerBytes = 60 * kMiB;
constexpr uint64_t kAutomaticBudget = 1536 * kMiB;
constexpr uint64_t kWeights = 180 * kMiB, kProgram = 96 * kMiB, kScratch = 20 * kMiB;
constexpr uint64_t kCacheBytesPerToken = 16 << 10; // F16
constexpr double kFirstTokenSeconds = 0.25;
constexpr double kWaitPerToken = 0.006, kWaitPerMiss = 0.0002;
constexpr int64_t kVocabulary = 256;

/// A tokenizer that makes a token of every byte, which is enough for a gauge.
class FakeTokenizer : public Tokenizer {
  public:
    explicit FakeTokenizer(const FakeScript& script) {
        if (!script.wordTokens) return;
        for (const FakePiece& piece : script.pieces) words_.push_back(piece.text);
    }
    std::vector<TokenId> encode(std::string_view text, bool) const override {
        std::vector<TokenId> ids;
        for (const char c : text) ids.push_back(static_cast<unsigned char>(c));
        return ids;
    }
    std::vector<TokenId> encode(const PromptText& prompt) const override { return encode(prompt.text, false); }
    std::string decode(TokenId token, bool) const override {
        const auto at = static_cast<size_t>(token);
        return at < words_.size() ? words_[at] : std::string(1, static_cast<char>(token));
    }
    int64_t vocabularySize() const override { return kVocabulary; }
    std::optional<TokenId> beginning() const override { return std::nullopt; }
    bool addsBeginning() const override { return false; }
    const std::vector<TokenId>& endOfGeneration() const override { return ends_; }
    bool isEndOfGeneration(TokenId) const override { return false; }
    bool isControl(TokenId) const override { return false; }
    std::optional<TokenId> find(std::string_view) const override { return std::nullopt; }
    std::string tokenText(TokenId token) const override { return decode(token, false); }
    uint64_t memoryBytes() const override { return 0; }

  private:
    std::vector<std::string> words_;
    std::vector<TokenId> ends_;
};

uint64_t slotBytes(const FakeScript& script) { return script.dense ? kLayerBytes : kExpertBytes; }

int64_t expertsPerToken(const FakeScript& script) {
    return script.layers * (script.dense ? 1 : script.expertsPerToken);
}

/// Experts that each token reads from disk; those of a dense model are all prefetched, so they are no misses.
int64_t missesPerToken(const FakeScript& script) {
    return script.dense ? 0 : static_cast<int64_t>(script.bytesFromDisk / slotBytes(script));
}

/// Tells the trace about the token at this position.
void trace(const FakeScript& script, int64_t answer, int64_t position, int64_t headRows, double seconds,
           TraceSink* sink) {
    if (sink == nullptr) return;
    for (int layer = 0; layer < script.layers; ++layer) {
        const TracedLayer route = fakeRoute(script, position, layer, answer);
        sink->layerDone(position, layer, route.uses, route.waitSeconds);
    }
    sink->tokenDone(position, headRows, seconds);
}

TokenRecord recordOf(int64_t index, const FakeScript& script, const GenerateOptions& options, const TextRange& text) {
    const auto pieces = static_cast<int64_t>(script.pieces.size());
    TokenRecord record{.id = static_cast<TokenId>(index % pieces), .seconds = fakeSeconds(index), .text = {}};
    if (text.end > text.begin) record.text.push_back(text);
    if (options.details.none()) return record;
    record.probability = fakeProbability(index);
    record.entropy = 2 * (1 - *record.probability);
    for (int64_t i = 0; i < options.details.alternatives; ++i)
        record.alternatives.push_back({.id = static_cast<TokenId>((index + i) % pieces),
                                       .probability = *record.probability / static_cast<double>(i + 1)});
    return record;
}

class FakeSession : public Session {
  public:
    FakeSession(FakeScript script, std::shared_ptr<FakeControl> control, ModelInfo info)
        : script_(std::move(script)), control_(std::move(control)), info_(std::move(info)) {}

    const ModelInfo& info() const override { return info_; }
    const Tokenizer& tokenizer() const override { return tokenizer_; }

    Result<Generated> chat(std::span<const Message> conversation, const GenerateOptions& options,
                           const DeltaCallback& onDelta) override {
        if (control_) control_->note({conversation.begin(), conversation.end()}, options);
        const bool toResults = !conversation.empty() && conversation.back().role == Role::Tool;
        pieces_ = toResults && !script_.afterTools.empty() ? &script_.afterTools : &script_.pieces;
        const auto asked = std::find_if(conversation.rbegin(), conversation.rend(),
                                        [](const Message& message) { return message.role == Role::User; });
        question_ = asked == conversation.rend() ? QuestionTokens{} : fakeQuestion(script_, joinedText(asked->parts));
        return answer(promptTokens(conversation, options).value(), options, onDelta);
    }
    Result<Generated> complete(std::string_view text, const GenerateOptions& options,
                               const DeltaCallback& onDelta) override {
        if (control_) control_->note({Message::text(Role::User, std::string(text))}, options);
        question_ = {};
        return answer(tokenizer_.encode(text, false), options, onDelta);
    }
    Result<Generated> completeTokens(std::span<const TokenId> prompt, const GenerateOptions& options,
                                     const DeltaCallback& onDelta) override {
        return answer(prompt, options, onDelta);
    }
    Result<std::vector<TokenId>> promptTokens(std::span<const Message> conversation,
                                              const GenerateOptions&) const override {
        std::vector<TokenId> all;
        for (const Message& message : conversation) {
            const auto ids = tokenizer_.encode(joinedText(message.parts), false);
            all.insert(all.end(), ids.begin(), ids.end());
        }
        return all;
    }
    Result<std::vector<TokenId>> textTokens(std::string_view text, const GenerateOptions&) const override {
        return tokenizer_.encode(text, false);
    }
    Status logits(std::span<const TokenId>, const std::function<void(int64_t, std::span<const float>)>&,
                  const std::atomic<bool>*) override {
        return Error{ErrorKind::Unsupported, "No logits", "This engine follows a script", "Open a real model"};
    }
    Telemetry telemetry() const override;
    void expertStates(std::span<uint8_t> states) const override;

  private:
    static TextRange addPiece(const FakePiece& piece, std::vector<Part>& parts);
    Result<Generated> answer(std::span<const TokenId> prompt, const GenerateOptions& options,
                             const DeltaCallback& onDelta);
    int64_t takePrefix(const std::vector<TokenId>& prefix, std::vector<Part>& parts) const;
    int64_t reusedBefore(int64_t prefix) const {
        if (prefix == 0) return script_.promptReused;
        return script_.rereads ? 0 : script_.promptTokens + prefix - 1;
    }
    void tracePrompt(std::span<const TokenId> prompt, const GenerateOptions& options) const {
        if (options.trace == nullptr) return;
        const auto prefix = static_cast<int64_t>(options.prefix.size());
        options.trace->answerBegins(reusedBefore(prefix), script_.promptTokens + prefix);
        std::vector<TokenId> all = fitted(prompt);
        all.insert(all.end(), options.prefix.begin(), options.prefix.end());
        options.trace->promptIs(all);
        if (!question_.text.empty()) options.trace->questionIs(question_);
    }
    std::vector<TokenId> fitted(std::span<const TokenId> prompt) const;
    /// Traces the pass that draws the next token, after this many tokens of the prefix and the answer.
    void traceAnswer(int64_t tokens, const GenerateOptions& options) const {
        if (tokens == 0) return; // the prompt's last token draws it
        trace(script_, number_, script_.promptTokens + tokens - 1, kVocabulary, kFakeTokenSeconds, options.trace);
    }
    void countExperts(int64_t tokens, GenerationStatistics& statistics) const;
    void countChoices(const GenerateOptions& options, GenerationStatistics& statistics) const;
    void countHead(const GenerateOptions& options, GenerationStatistics& statistics) const;
    uint64_t fromDiskPerToken() const { return script_.bytesFromDisk / slotBytes(script_); }
    bool cancelled() const { return cancel_ != nullptr && cancel_->load(); }
    bool step(std::chrono::microseconds time) const;

    FakeScript script_;
    const std::vector<FakePiece>* pieces_ = &script_.pieces; ///< those of the answer that is written
    std::shared_ptr<FakeControl> control_;
    ModelInfo info_;
    QuestionTokens question_{}; ///< in the prompt that is answered
    int64_t number_ = 0;        ///< the latest answer's, if the script is numbered
    FakeTokenizer tokenizer_{script_};
    const std::atomic<bool>* cancel_ = nullptr; ///< the running answer's
    std::atomic<int64_t> used_{0};
    std::atomic<uint64_t> tokens_{0}; ///< tokens read and written since the session was opened
};

/// Returns false if the call was cancelled.
bool FakeSession::step(std::chrono::microseconds time) const {
    if (control_) return control_->takeStep([this] { return cancelled(); });
    using Clock = std::chrono::steady_clock;
    const Clock::time_point end = Clock::now() + time;
    for (Clock::time_point now = Clock::now(); now < end && !cancelled(); now = Clock::now())
        std::this_thread::sleep_for(std::min<Clock::duration>(end - now, kLook));
    return !cancelled();
}

/// The script says how many tokens a prompt has. Returns as many, which differ if any of the real ones does; a prompt
/// that has this length stays as it is.
std::vector<TokenId> FakeSession::fitted(std::span<const TokenId> prompt) const {
    constexpr TokenId kMix = 31;
    std::vector<TokenId> all(static_cast<size_t>(script_.promptTokens));
    for (size_t i = 0; i < prompt.size() && !all.empty(); ++i) {
        TokenId& token = all[i % all.size()];
        token = (token * kMix + prompt[i]) % kVocabulary;
    }
    return all;
}

/// Returns the place of the piece's text.
TextRange FakeSession::addPiece(const FakePiece& piece, std::vector<Part>& parts) {
    if (piece.makesThoughts)
        for (Part& part : parts) part.kind = PartKind::Thought;
    else if (piece.kind == PartKind::ToolCall || parts.empty() || parts.back().kind != piece.kind)
        parts.push_back({.kind = piece.kind, .text = {}, .call = piece.call});
    const size_t before = parts.back().text.size();
    parts.back().text += piece.text;
    return {.part = parts.size() - 1, .begin = before, .end = before + piece.text.size()};
}

Result<Generated> FakeSession::answer(std::span<const TokenId> prompt, const GenerateOptions& options,
                                      const DeltaCallback& onDelta) {
    cancel_ = options.cancel;
    if (script_.numbered) ++number_;
    Generated done;
    if (cancelled()) return (done.reason = FinishReason::Cancelled, done);
    done.notes = script_.answerNotes;
    done.statistics.promptTokens = script_.promptTokens;
    done.statistics.promptReused = script_.promptReused;
    done.statistics.firstTokenSeconds = kFirstTokenSeconds;
    const auto prefix = static_cast<int64_t>(options.prefix.size());
    tracePrompt(prompt, options);
    onDelta({.text = {}, .promptDone = 0, .promptTotal = script_.promptTokens}); // a caller may cancel from here on
    for (int64_t i = 1; i <= script_.promptTokens; ++i) {
        if (!step(script_.promptStep)) return (done.reason = FinishReason::Cancelled, done);
        used_ = i;
        ++tokens_;
        const int64_t headRows = i == script_.promptTokens && prefix == 0 ? kVocabulary : 0;
        if (i > reusedBefore(prefix)) trace(script_, number_, i - 1, headRows, kFakePromptSeconds, options.trace);
        onDelta({.text = {},
                 .promptDone = i,
                 .promptTotal = script_.promptTokens,
                 .promptSecondsLeft = kFakePromptSeconds * static_cast<double>(script_.promptTokens - i)});
    }
    for (int64_t i = 1; script_.rereads && i < prefix; ++i) traceAnswer(i, options);
    const auto pieces = static_cast<int64_t>(pieces_->size());
    const int64_t first = takePrefix(options.prefix, done.parts);
    for (int64_t i = first; i < pieces || script_.endless; ++i) {
        if (i == script_.failAfter) return script_.failure;
        if (i - first == options.maxTokens) return (done.reason = FinishReason::MaxTokens, done);
        if (used_ >= script_.contextSize) return (done.reason = FinishReason::ContextFull, done);
        if (!step(script_.tokenStep)) return (done.reason = FinishReason::Cancelled, done);
        FakePiece piece = (*pieces_)[static_cast<size_t>(i % pieces)];
        if (script_.numbered && i == first) piece.text.insert(0, "[" + std::to_string(number_) + "] ");
        const bool call = piece.kind == PartKind::ToolCall;
        traceAnswer(prefix + i - first, options);
        done.tokens.push_back(recordOf(i, script_, options, addPiece(piece, done.parts)));
        done.statistics.generated = done.statistics.decodePasses = i - first + 1;
        done.statistics.decodeSeconds = static_cast<double>(i - first + 1) * kFakeTokenSeconds;
        ++used_;
        ++tokens_;
        countExperts(i - first + 1, done.statistics);
        countChoices(options, done.statistics);
        countHead(options, done.statistics);
        onDelta({.kind = piece.kind,
                 .part = done.parts.size() - 1,
                 .text = piece.text,
                 .promptDone = script_.promptTokens,
                 .promptTotal = script_.promptTokens,
                 .generated = i - first + 1,
                 .token = static_cast<TokenId>(i % pieces),
                 .call = call ? &piece.call : nullptr,
                 .makesThoughts = piece.makesThoughts,
                 .tokens = std::span(&done.tokens.back(), 1),
                 .answer = done.parts});
    }
    traceAnswer(prefix + done.statistics.generated, options); // it draws the end
    return done;
}

/// Tokens that a fake wrote are its first pieces; others are the bytes of a text. Returns the piece that follows.
int64_t FakeSession::takePrefix(const std::vector<TokenId>& prefix, std::vector<Part>& parts) const {
    const auto pieces = static_cast<int64_t>(pieces_->size());
    const bool own = script_.wordTokens || [&] {
        for (size_t i = 0; i < prefix.size(); ++i)
            if (prefix[i] != static_cast<int64_t>(i) % pieces) return false;
        return true;
    }();
    for (size_t i = 0; i < prefix.size(); ++i) {
        const FakePiece piece =
            own ? (*pieces_)[static_cast<size_t>(prefix[i])] : FakePiece(tokenizer_.decode(prefix[i], false));
        if (piece.kind == PartKind::ToolCall || parts.empty() || parts.back().kind != piece.kind)
            parts.push_back({.kind = piece.kind, .text = {}, .call = piece.call});
        parts.back().text += piece.text;
    }
    if (script_.wordTokens && !prefix.empty()) return prefix.back() + 1;
    return own ? static_cast<int64_t>(prefix.size()) : 0;
}

void FakeSession::countExperts(int64_t tokens, GenerationStatistics& statistics) const {
    const auto count = static_cast<uint64_t>(tokens);
    statistics.dense = script_.dense;
    const uint64_t fromDisk = count * fromDiskPerToken();
    Counts& counts = statistics.counts;
    counts.misses = script_.dense ? 0 : fromDisk;
    counts.hits = count * static_cast<uint64_t>(expertsPerToken(script_)) - counts.misses;
    counts.prefetchedUsed = fromDisk - counts.misses;
    counts.bytesRead = count * script_.bytesFromDisk;
    if (script_.bytesFromDisk > 0) counts.waitSeconds = static_cast<double>(count) * kWaitPerToken;
}

/// Counts one choice per layer and token; an eighth of them changed if changes are allowed.
void FakeSession::countChoices(const GenerateOptions& options, GenerationStatistics& statistics) const {
    if (script_.dense) return;
    const auto taken = [this](float share, RoutingWhen when) {
        return share > 0 && (script_.scarce || when == RoutingWhen::Always);
    };
    statistics.decoding.choices = static_cast<uint64_t>(statistics.generated * script_.layers);
    if (!taken(options.routing.preferCached, options.preferCachedWhen) &&
        !taken(options.routing.topWeightShare, options.topWeightShareWhen))
        return;
    statistics.exactness = Exactness::Approximate;
    statistics.decoding.choicesChanged = statistics.decoding.choices / 8;
}

/// As the engine does, all rows are computed if the options ask for probabilities or alternatives.
void FakeSession::countHead(const GenerateOptions& options, GenerationStatistics& statistics) const {
    const bool predicted = script_.headRows > 0 && options.head == HeadRows::Predicted && options.details.none();
    statistics.counts.headRows += static_cast<uint64_t>(predicted ? script_.headRows : kVocabulary);
    statistics.counts.headRowsPossible += kVocabulary;
}

Telemetry FakeSession::telemetry() const {
    Telemetry told;
    GenerationStatistics counted;
    countExperts(static_cast<int64_t>(tokens_.load()), counted);
    told.plan = info_.memory;
    told.residentBytes = kWeights;
    told.keyValueBytes = 24 * kMiB;
    told.device.residentBytes = script_.cardBytes;
    told.stateBytes = told.plan.state / 2;
    told.counts = counted.counts;
    told.slots = {.used = told.plan.slots,
                  .usable = told.plan.slots,
                  .bytesEach = told.plan.slotBytes,
                  .bytesHeld = told.plan.slotArena(),
                  .bytesMost = told.plan.slotArena()};
    if (control_) control_->replaceExperts(told.counts, told.slots);
    told.position = used_;
    told.contextSize = script_.contextSize;
    told.tokensPerSecond = script_.tokenStep.count() > 0 ? 1e6 / static_cast<double>(script_.tokenStep.count()) : 20;
    return told;
}

/// The first experts fill all slots, unless a test says where they are.
void FakeSession::expertStates(std::span<uint8_t> states) const {
    if (const std::vector<uint8_t> given = control_ ? control_->expertStates() : std::vector<uint8_t>(); !given.empty())
        return (void)std::copy_n(given.begin(), std::min(given.size(), states.size()), states.begin());
    const size_t kept = std::min<size_t>(states.size(), info_.memory.slots);
    std::fill_n(states.begin(), kept, static_cast<uint8_t>(ExpertState::InMemory));
    std::fill(states.begin() + static_cast<std::ptrdiff_t>(kept), states.end(),
              static_cast<uint8_t>(ExpertState::OnDisk));
}

/// Plans memory with simple sums.
MemoryPlan planned(const FakeScript& script, const OpenOptions& options, int64_t context) {
    MemoryPlan plan;
    plan.budget = options.memory > 0 ? options.memory : kAutomaticBudget;
    plan.context = context;
    plan.resident = kWeights;
    plan.program = kProgram;
    plan.scratch = kScratch;
    plan.keyValue = static_cast<uint64_t>(context) * kCacheBytesPerToken;
    if (options.keyValueFormat == TensorType::Q8_0) plan.keyValue = plan.keyValue / 32 * 17;
    plan.state = static_cast<uint64_t>(script.recurrentLayers) * 2 * kMiB;
    plan.dense = script.dense;
    plan.slotBytes = slotBytes(script);
    plan.minimumSlots = script.dense ? 2 : static_cast<uint64_t>(script.expertsPerToken);
    plan.totalExperts = static_cast<uint64_t>(script.layers * (script.dense ? 1 : script.experts));
    plan.allSlots = plan.totalExperts * plan.slotBytes;
    const uint64_t fixed = plan.total();
    plan.minimumTotal = fixed + plan.minimumSlots * plan.slotBytes;
    if (plan.minimumTotal <= plan.budget)
        plan.slots = std::min(plan.totalExperts, (plan.budget - fixed) / plan.slotBytes);
    return plan;
}

ModelInfo inspect(const FakeScript& script, const OpenOptions& options) {
    ModelInfo info;
    info.path = options.path;
    info.name = script.name;
    info.architecture = "fake";
    info.quantisation = "Q4_0";
    info.fileBytes = 640 * kMiB;
    info.layers = script.layers;
    info.recurrentLayers = script.recurrentLayers;
    info.feedForward = script.neurons;
    if (!script.dense) {
        info.experts = script.experts;
        info.expertsPerToken = script.expertsPerToken;
    }
    info.expertsOfLayer.assign(static_cast<size_t>(script.layers), std::max<int64_t>(info.experts, 1));
    info.trainedContext = 32768;
    info.notes = script.notes;
    info.turns = script.turns;
    info.canThink = script.turns == Turns::Template;
    info.memory = planned(script, options, options.context > 0 ? options.context : script.contextSize);
    if (options.context == 0 && info.memory.minimumTotal > info.memory.budget)
        info.memory = planned(script, options, std::min(kMinimumAutomaticContext, script.contextSize));
    const MemoryPlan& plan = info.memory;
    if (plan.minimumTotal > plan.budget) {
        info.problems.push_back({ErrorKind::OutOfMemory,
                                 "The model doesn't fit",
                                 {"It needs at least %1", ByteCount{plan.minimumTotal}},
                                 "Allow more memory, or choose a smaller model"});
        info.memory = {};
    }
    return info;
}

/// Adds the text to the pieces word by word.
void say(std::vector<FakePiece>& pieces, PartKind kind, std::string_view text) {
    for (size_t begin = 0; begin < text.size();) {
        const size_t space = text.find(' ', begin + 1);
        pieces.emplace_back(std::string(text.substr(begin, space - begin)), kind);
        begin = std::min(space, text.size());
    }
}

FakeScript story() {
    FakeScript script;
    say(script.pieces, PartKind::Thought,
        "The question is about a lighthouse. A short story, then how its light turns.");
    say(script.pieces, PartKind::Text,
        "Once upon a time there was a lighthouse that counted the ships it had seen. Every night it wrote the "
        "number into the fog, and every morning the fog had forgotten it.\n\n"
        "Its light turned like this:\n\n```python\ndef turn(angle):\n    \"\"\"One step of the lamp, in "
        "degrees.\"\"\"\n"
        "    return (angle + 3) % 360\n```\n\nSo the keeper bought a book, and from that day no ship was lost.");
    script.openStep = std::chrono::milliseconds(80);
    script.promptStep = std::chrono::milliseconds(30);
    script.tokenStep = std::chrono::milliseconds(50);
    return script;
}

/// An answer of two paragraphs whose tokens are words, so that each has others as alternatives.
FakeScript words() {
    FakeScript script;
    say(script.pieces, PartKind::Text, "Once upon a time there was a lighthouse that counted the ships it had seen.");
    script.pieces.emplace_back("\n\n");
    say(script.pieces, PartKind::Text,
        "Every night it wrote the number into the fog, and every morning the fog had forgotten it.");
    script.wordTokens = true;
    script.tokenStep = std::chrono::milliseconds(2);
    return script;
}

struct Named {
    const char* name;
    FakeScript (*make)();
};

/// Returns bits that look random and are always the same for these numbers: the last step of SplitMix64.
uint64_t scatteredBits(int64_t position, int layer, int64_t use) {
    uint64_t bits = static_cast<uint64_t>((position * 4096 + layer) * 256 + use + 1) * 0x9E3779B97F4A7C15;
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EB;
    return bits ^ (bits >> 31);
}

/// Returns the first expert from `wanted` on that the route does not have yet.
int32_t unusedExpert(const TracedLayer& route, int64_t wanted, int64_t experts) {
    const auto used = [&](int64_t expert) {
        return std::any_of(route.uses.begin(), route.uses.end(),
                           [=](const ExpertUse& use) { return use.expert == expert; });
    };
    while (used(wanted)) wanted = (wanted + 1) % experts;
    return static_cast<int32_t>(wanted);
}

const Named kScripts[] = {
    {"story", story},
    {"fast",
     [] {
         FakeScript script = story();
         script.openStep = script.promptStep = std::chrono::microseconds(0);
         script.tokenStep = std::chrono::milliseconds(2);
         return script;
     }},
    {"slow",
     [] {
         FakeScript script = story();
         script.openStep = script.promptStep = script.tokenStep = std::chrono::milliseconds(700);
         return script;
     }},
    {"open-failure",
     [] {
         FakeScript script = story();
         script.openFailure = Error{ErrorKind::BadInput, "The model can't be opened",
                                    "The file ends before its tensors do: 2.1 GiB are missing", "Download it again"};
         return script;
     }},
    {"out-of-memory",
     [] {
         FakeScript script = story();
         script.openFailure = Error{ErrorKind::OutOfMemory, "The model doesn't fit",
                                    "It needs 1.4 GiB, and the memory budget is 1.0 GiB",
                                    "Raise the memory budget in the settings, or choose a smaller model"};
         return script;
     }},
    {"disk-lost",
     [] {
         FakeScript script = story();
         script.tokenStep = std::chrono::milliseconds(2);
         script.failAfter = 24;
         script.failure = Error{ErrorKind::Io, "The answer broke off", "The model's file can no longer be read",
                                "Connect its disk and open the model again"};
         return script;
     }},
    {"context-full",
     [] {
         FakeScript script = story();
         script.tokenStep = std::chrono::milliseconds(2);
         script.contextSize = 40;
         return script;
     }},
    {"notes",
     [] {
         FakeScript script = story();
         script.notes = {
             "The context of 65536 tokens is beyond the 32768 that the model was trained for: YaRN scales the "
             "rotation by 2 over 32768 tokens, and answers may be worse"};
         return script;
     }},
    {"device-lost",
     [] {
         FakeScript script = story();
         script.tokenStep = std::chrono::milliseconds(2);
         script.answerNotes = {{"The device %1 stopped working. The device %2 is used instead.", "vulkan:0", "cpu"}};
         return script;
     }},
    {"continues",
     [] {
         FakeScript script = story();
         script.turns = Turns::Plain;
         return script;
     }},
    {"from-disk",
     [] {
         FakeScript script = story();
         script.tokenStep = std::chrono::milliseconds(15);
         script.layers = 32;
         script.bytesFromDisk = 15 * kExpertBytes;
         return script;
     }},
    {"dense",
     [] {
         FakeScript script = story();
         script.dense = true;
         return script;
     }},
    {"words", words},
    {"numbered",
     [] {
         FakeScript script = words();
         script.wordTokens = false;
         script.numbered = true;
         script.bytesFromDisk = 5 * kExpertBytes;
         return script;
     }},
    {"tools",
     [] {
         FakeScript script;
         say(script.pieces, PartKind::Text, "That is a sum.");
         script.pieces.emplace_back(
             ToolCall{.name = "calculator", .arguments = R"json({"expression": "2*(3+4)"})json"});
         say(script.afterTools, PartKind::Text, "It is 14.");
         script.tokenStep = std::chrono::milliseconds(2);
         return script;
     }},
    {"predicted",
     [] {
         FakeScript script = words();
         script.headRows = kVocabulary / 8;
         return script;
     }},
    {"dense-from-disk",
     [] {
         FakeScript script = story();
         script.tokenStep = std::chrono::milliseconds(15);
         script.dense = true;
         script.layers = 30;
         script.bytesFromDisk = 12 * kLayerBytes;
         return script;
     }},
};

} // namespace

TracedLayer fakeRoute(const FakeScript& script, int64_t position, int layer, int64_t answer) {
    TracedLayer route{.layer = layer, .waitSeconds = 0, .uses = {}};
    if (script.dense) {
        route.uses.push_back({.expert = 0, .weight = 1, .hit = true, .activeNeurons = 0});
        return route;
    }
    float weight = 0.5F;
    for (int64_t i = 0; i < script.expertsPerToken; ++i) {
        // Each token misses as many as the script says; the position moves them through the layers.
        const int64_t place = (layer * script.expertsPerToken + i + position + answer) % expertsPerToken(script);
        ExpertUse use{.hit = place >= missesPerToken(script)};
        if (script.scattered) {
            const uint64_t random = scatteredBits(position, layer, i);
            use.expert = unusedExpert(route, static_cast<int64_t>(random % 65536) % script.experts, script.experts);
            use.activeNeurons =
                static_cast<int32_t>((random >> 16) % 65536 % static_cast<uint64_t>(script.neurons + 1));
            weight *= 0.5F + static_cast<float>((random >> 32) % 65536) / 131072;
            use.weight = weight;
        } else {
            use.expert = static_cast<int32_t>((position * 7 + layer * 5 + i * 11 + answer * 3) % script.experts);
            use.activeNeurons = static_cast<int32_t>((position * 13 + layer * 7 + i * 5) % (script.neurons + 1));
            use.weight = static_cast<float>(script.expertsPerToken - i) / 10;
        }
        route.uses.push_back(use);
        if (!use.hit) route.waitSeconds += kWaitPerMiss;
    }
    return route;
}

QuestionTokens fakeQuestion(const FakeScript& script, std::string_view message) {
    QuestionTokens question{.first = 1, .bytes = static_cast<uint32_t>(message.size()), .text = {}};
    const auto most = static_cast<size_t>(std::max<int64_t>(script.promptTokens - 2, 0));
    for (size_t begin = 0; begin < message.size() && question.text.size() < most;) {
        const bool rest = question.text.size() + 1 == most;
        const size_t end = rest ? message.size() : std::min(message.find(' ', begin + 1), message.size());
        question.text.push_back({static_cast<uint32_t>(begin), static_cast<uint32_t>(end)});
        begin = end;
    }
    return question;
}

double fakeSeconds(int64_t token) { return kFirstTokenSeconds + static_cast<double>(token) * kFakeTokenSeconds; }

double fakeProbability(int64_t token) { return static_cast<double>(token * 37 % 100 + 1) / 101; }

std::vector<std::string> fakeScriptNames() {
    std::vector<std::string> names;
    for (const Named& script : kScripts) names.emplace_back(script.name);
    return names;
}

std::optional<FakeScript> fakeScript(std::string_view name) {
    for (const Named& script : kScripts) {
        if (name == script.name) return script.make();
    }
    return std::nullopt;
}

void FakeControl::allow(int64_t steps) {
    const std::lock_guard lock(mutex_);
    allowed_ += steps;
    changed_.notify_all();
}

void FakeControl::allowAll() {
    const std::lock_guard lock(mutex_);
    all_ = true;
    changed_.notify_all();
}

void FakeControl::hold() {
    const std::lock_guard lock(mutex_);
    all_ = false;
    allowed_ = 0;
}

bool FakeControl::takeStep(const std::function<bool()>& stop) {
    std::unique_lock lock(mutex_);
    ++waiting_;
    const auto ready = [&] { return all_ || allowed_ > 0 || stop(); };
    while (!changed_.wait_for(lock, kLook, ready)) {
    } // nobody wakes it for `stop`
    --waiting_;
    if (stop()) return false;
    if (!all_) --allowed_;
    return true;
}

bool FakeControl::waits() const {
    const std::lock_guard lock(mutex_);
    return waiting_ > 0 && !all_ && allowed_ == 0;
}

std::vector<std::vector<Message>> FakeControl::conversations() const {
    const std::lock_guard lock(mutex_);
    return conversations_;
}

std::vector<std::optional<bool>> FakeControl::thinking() const {
    const std::lock_guard lock(mutex_);
    std::vector<std::optional<bool>> thinking;
    for (const GenerateOptions& options : options_) thinking.push_back(options.prompt.thinking);
    return thinking;
}

std::vector<GenerateOptions> FakeControl::options() const {
    const std::lock_guard lock(mutex_);
    return options_;
}

void FakeControl::note(std::vector<Message> conversation, const GenerateOptions& options) {
    const std::lock_guard lock(mutex_);
    options_.push_back(options);
    conversations_.push_back(std::move(conversation));
}

void FakeControl::setExperts(const Counts& counts, const SlotUse& slots) {
    const std::lock_guard lock(mutex_);
    experts_ = {counts, slots};
}

void FakeControl::setExpertStates(const std::vector<ExpertState>& states) {
    const std::lock_guard lock(mutex_);
    states_.clear();
    for (const ExpertState state : states) states_.push_back(static_cast<uint8_t>(state));
}

std::vector<uint8_t> FakeControl::expertStates() const {
    const std::lock_guard lock(mutex_);
    return states_;
}

void FakeControl::replaceExperts(Counts& counts, SlotUse& slots) const {
    const std::lock_guard lock(mutex_);
    if (experts_) std::tie(counts, slots) = *experts_;
}

std::function<Result<ModelInfo>(const OpenOptions&)> fakeInspector(FakeScript script) {
    return [script = std::move(script)](const OpenOptions& options) { return inspect(script, options); };
}

SessionFactory fakeFactory(FakeScript script, std::shared_ptr<FakeControl> control) {
    return [script = std::move(script),
            control = std::move(control)](const OpenOptions& options) -> Result<std::unique_ptr<Session>> {
        const Error cancelled{ErrorKind::Cancelled, "The model was not opened", "Opening was cancelled",
                              "Open it again"};
        std::mutex mutex;
        std::condition_variable never;
        for (int i = 0; i <= kOpenSteps; ++i) {
            const double share = static_cast<double>(i) / kOpenSteps;
            if (options.onProgress && !options.onProgress(share)) return cancelled;
            std::unique_lock lock(mutex);
            if (script.openStep.count() > 0 && !control) never.wait_for(lock, script.openStep);
        }
        if (script.openFailure) return *script.openFailure;
        ModelInfo info = inspect(script, options);
        if (info.memory.budget == 0) return info.problems.back();
        FakeScript opened = script;
        if (options.context > 0 && !script.fixedContext) opened.contextSize = options.context;
        return std::unique_ptr<Session>(new FakeSession(std::move(opened), control, std::move(info)));
    };
}

} // namespace coterie::test
