// SPDX-License-Identifier: Apache-2.0
// The session over a real model: opens it, and answers conversations with it.
#include "session/session.h"

#include "base/guard.h"
#include "base/memory.h"
#include "model/model_tensors.h"
#include "records/trace_log.h"
#include "session/automatic_device.h"
#include "session/decoder_opening.h"
#include "session/devices.h"
#include "session/generation.h"
#include "session/head_record.h"
#include "session/heat_record.h"
#include "session/inspect.h"
#include "session/memory_watch.h"
#include "session/message_starts.h"
#include "session/prompt_format.h"
#include "session/question_tokens.h"
#include "session/scarcity.h"

#include <algorithm>
#include <utility>

namespace coterie::engine {

TraceShape traceShape(const ModelInfo& model) {
    return {.layers = model.layers,
            .experts = std::max<int64_t>(model.experts, 1),
            .expertsPerToken = std::max<int64_t>(model.expertsPerToken, 1),
            .neurons = model.feedForward};
}

namespace {

using Clock = Generation::Clock;

/// A vocabulary larger than the model's embedding would give ids that the model has no row for.
Status checkVocabulary(const Tokenizer& tokenizer, const ModelShape& shape) {
    if (tokenizer.vocabularySize() <= shape.vocabulary) return {};
    return Error{ErrorKind::BadInput,
                 "The vocabulary does not fit the model",
                 {"It has %1 tokens, and the embedding has %2 rows", tokenizer.vocabularySize(), shape.vocabulary},
                 "Download the model again, or from another source"};
}

class LocalSession final : public Session {
  public:
    ~LocalSession() override;
    static Result<std::unique_ptr<Session>> open(const OpenOptions& options);

    const ModelInfo& info() const override { return info_; }
    const Tokenizer& tokenizer() const override { return *tokenizer_; }

    Result<Generated> chat(std::span<const Message> conversation, const GenerateOptions& options,
                           const DeltaCallback& onDelta) override;
    Result<Generated> complete(std::string_view text, const GenerateOptions& options,
                               const DeltaCallback& onDelta) override;
    Result<Generated> completeTokens(std::span<const TokenId> prompt, const GenerateOptions& options,
                                     const DeltaCallback& onDelta) override;
    Result<std::vector<TokenId>> promptTokens(std::span<const Message> conversation,
                                              const GenerateOptions& options) const override;
    Result<std::vector<TokenId>> textTokens(std::string_view text, const GenerateOptions& options) const override;
    Status logits(std::span<const TokenId> tokens,
                  const std::function<void(int64_t position, std::span<const float> logits)>& onLogits,
                  const std::atomic<bool>* cancel) override;
    Telemetry telemetry() const override;
    void expertStates(std::span<uint8_t> states) const override { device_->expertStates(states); }

  private:
    explicit LocalSession(const OpenOptions& options) : options_(options) {}
    Status openFile();
    Status startDevice();
    MemoryRequest memoryRequest(int64_t context) const;
    Result<OpenedDecoder> openOn(const DeviceInfo& device, int64_t context,
                                 const std::function<bool(double share)>& progress, std::optional<DiskProfile>& disk);
    Result<OpenedDecoder> openNext();
    void watchMemory(uint64_t slotBytes, const MemoryPlan& plan);
    void watchPower(const GenerateOptions& options);
    std::vector<TokenId> withBeginning(std::vector<TokenId> tokens) const;
    struct Prompt {
        std::vector<TokenId> tokens;
        AnswerForms forms;
        std::vector<int64_t> messageStarts{}; ///< see AnswerReading
        QuestionTokens question{};            ///< if a trace wants it
    };
    Result<Prompt> conversationPrompt(std::span<const Message> conversation, const GenerateOptions& options) const;
    Result<Generated> generate(std::span<const TokenId> prompt, const GenerateOptions& options,
                               const DeltaCallback& onDelta, const AnswerReading& reading);
    /// Runs a call that uses the device: empties the cache if memory ran out on the way, and lets the device read
    /// experts while it is idle. cancel: the call's.
    template <typename Body>
    auto call(const std::atomic<bool>* cancel, const Body& body) -> decltype(body());

    OpenOptions options_;
    ModelInfo info_;                  ///< never changes once the session is open: any thread reads it
    std::unique_ptr<ModelFile> file_; ///< outlives the device, which reads experts from it
    ModelShape shape_;
    std::unique_ptr<Tokenizer> tokenizer_;
    PromptFormat format_;
    bool sentencePiece_ = false; ///< its first word carries a space that is not in the text
    std::unique_ptr<DeviceSwitch> device_;
    std::unique_ptr<PromptCache> cache_;
    std::optional<HeadRecord> headRecord_;
    std::optional<HeatRecord> heatRecord_;
    uint64_t held_ = 0; ///< heldBesides() before the tokenizer was made
    std::unique_ptr<Scarcity> scarcity_;
    std::unique_ptr<MemoryWatch> watch_; ///< set if the budget is automatic; destroyed before the device and scarcity_
    RateMeter rate_;
    const std::atomic<bool>* cancel_ = nullptr; ///< the running call's
};

/// The next run reads the experts first that this one used most.
LocalSession::~LocalSession() {
    const auto keep = [this]() -> Status {
        if (heatRecord_ && device_) heatRecord_->keep(device_->expertHeat());
        return {};
    };
    static_cast<void>(guarded(keep)); // without memory for it, nothing is kept
}

Status LocalSession::openFile() {
    Result<std::unique_ptr<ModelFile>> file = ModelFile::open(filesOf(options_), options_.path);
    if (!file) return file.error();
    file_ = std::move(file).value();
    const gguf::Header& header = file_->header();
    Result<ModelShape> shape = readModelShape(header, options_.context);
    if (!shape) return shape.error();
    shape_ = std::move(shape).value();
    info_ = describeFile(*file_);
    describeShape(shape_, info_);
    headRecord_.emplace(filesOf(options_), options_.recordsFolder, *file_);
    heatRecord_.emplace(filesOf(options_), options_.recordsFolder, *file_, ExpertIndex(info_.expertsOfLayer));
    held_ = heldBesides(options_);

    Result<std::unique_ptr<Tokenizer>> tokenizer = Tokenizer::create(header);
    if (!tokenizer) return tokenizer.error();
    tokenizer_ = std::move(tokenizer).value();
    format_ = PromptFormat::choose(header, *tokenizer_, info_.notes);
    info_.turns = format_.turns();
    info_.canThink = format_.canThink();
    sentencePiece_ = header.string("tokenizer.ggml.model") == "llama";
    releaseFreedMemory(); // memory that reading the vocabulary needed for a while
    return checkVocabulary(*tokenizer_, shape_);
}

Status LocalSession::startDevice() {
    Result<ChosenDevice> chosen = deviceOfModel({.options = options_,
                                                 .shape = shape_,
                                                 .header = file_->header(),
                                                 .memory = memoryRequest(options_.context),
                                                 .measured = headRecord_->known()},
                                                info_.notes);
    if (!chosen) return chosen.error();
    DeviceInfo& device = chosen->device;
    const std::function<bool(double)> onProgress = std::exchange(options_.onProgress, nullptr);
    Result<OpenedDecoder> opened = openOn(device, options_.context, onProgress, info_.disk);
    if (!opened && cpuTakesOver(options_, device.name, opened.error(), info_.notes)) {
        *chosen = {cpuDevice(), info_.notes.back()};
        info_.notes.pop_back();
        opened = openOn(device, options_.context, onProgress, info_.disk);
    }
    if (!opened) return opened.error();
    if (!chosen->why.empty()) info_.notes.push_back(chosen->why);
    if (options_.device == kAutomaticDevice) info_.deviceChoice = chosen->why;
    info_.device = opened->decoder->deviceName();
    info_.memory = opened->plan;
    info_.headPredictor = describePredictor(shape_, info_.memory, headRecord_->known());
    for (Sentence& note : missingAbilities(device)) info_.notes.push_back(std::move(note));
    device_ = std::make_unique<DeviceSwitch>(std::move(opened).value(), [this] { return openNext(); });
    cache_ = std::make_unique<PromptCache>(*device_);
    watchMemory(device_->telemetry().slots.bytesEach, info_.memory);
    return {};
}

MemoryRequest LocalSession::memoryRequest(int64_t context) const {
    MemoryRequest memory = memoryRequestOf(options_, info_, headRecord_->known(), held_, tokenizer_.get());
    memory.context = context;
    memory.heat = heatRecord_->known();
    return memory;
}

Result<OpenedDecoder> LocalSession::openOn(const DeviceInfo& device, int64_t context,
                                           const std::function<bool(double share)>& progress,
                                           std::optional<DiskProfile>& disk) {
    const DecoderNeeds needs{.options = options_,
                             .file = *file_,
                             .shape = shape_,
                             .memory = memoryRequest(context),
                             .measured = headRecord_->known()};
    const auto share = [&progress](uint64_t done, uint64_t total) {
        if (!progress) return true;
        return progress(total > 0 ? static_cast<double>(done) / static_cast<double>(total) : 1.0);
    };
    return openDecoder(needs, device, share, disk);
}

/// The CPU takes the place of a device that was lost, with a context of the same length.
Result<OpenedDecoder> LocalSession::openNext() {
    watch_.reset();
    scarcity_->setMemoryShort(false); // the next decoder starts with all slots of a new plan
    std::optional<DiskProfile> disk;
    const auto goesOn = [this](double) { return cancel_ == nullptr || !cancel_->load(std::memory_order_relaxed); };
    Result<OpenedDecoder> opened = openOn(cpuDevice(), info_.memory.context, goesOn, disk);
    if (opened) watchMemory(opened->decoder->telemetry().slots.bytesEach, opened->plan);
    return opened;
}

/// If the budget is automatic, slots are given back while other programs need the memory.
void LocalSession::watchMemory(uint64_t slotBytes, const MemoryPlan& plan) {
    if (options_.memory != 0 || slotBytes == 0) return;
    const auto read = options_.readMemory ? options_.readMemory : readMemory;
    const MemoryLimits limits{
        .most = plan.slots * slotBytes, .least = plan.minimumSlots * slotBytes, .reserve = systemReserve(read())};
    watch_ = MemoryWatch::start(
        limits,
        [this, slotBytes, read] {
            const SlotUse slots = device_->telemetry().slots;
            return MemorySample{read(), (slots.used + slots.lent) * slotBytes};
        },
        [this, slotBytes, planned = limits.most](uint64_t bytes) {
            device_->limitSlots(bytes / slotBytes);
            scarcity_->setMemoryShort(bytes < planned);
        });
}

/// The battery is watched only if a request asks for it.
void LocalSession::watchPower(const GenerateOptions& options) {
    const bool asked = (options.routing.preferCached != 0 && options.preferCachedWhen == RoutingWhen::Scarce) ||
                       (options.routing.topWeightShare != 0 && options.topWeightShareWhen == RoutingWhen::Scarce);
    if (asked && info_.experts != 0) scarcity_->watchPower();
}

Result<std::unique_ptr<Session>> LocalSession::open(const OpenOptions& options) {
    if (Status status = checkOpenOptions(options); !status) return status.error();
    std::unique_ptr<LocalSession> session(new LocalSession(options));
    session->scarcity_ = std::make_unique<Scarcity>(options.readPower ? options.readPower : readPower);
    if (Status status = session->openFile(); !status) return status.error();
    if (Status status = session->startDevice(); !status) return status.error();
    session->device_->fillWhileIdle();
    return std::unique_ptr<Session>(std::move(session));
}

template <typename Body>
auto LocalSession::call(const std::atomic<bool>* cancel, const Body& body) -> decltype(body()) {
    cancel_ = cancel;
    auto result = guarded(body);
    if (!result && result.error().kind == ErrorKind::OutOfMemory) cache_->clear();
    cancel_ = nullptr;
    rate_.stop();
    device_->fillWhileIdle();
    return result;
}

/// Adds BOS if the vocabulary asks for it and the tokens do not begin with it already.
std::vector<TokenId> LocalSession::withBeginning(std::vector<TokenId> tokens) const {
    const std::optional<TokenId> bos = tokenizer_->beginning();
    const bool written = bos && !tokens.empty() && tokens.front() == *bos;
    if (bos && tokenizer_->addsBeginning() && !written) tokens.insert(tokens.begin(), *bos);
    return tokens;
}

Result<LocalSession::Prompt> LocalSession::conversationPrompt(std::span<const Message> conversation,
                                                              const GenerateOptions& options) const {
    const Result<PromptText> prompt = format_.render(conversation, options.prompt);
    if (!prompt) return prompt.error();
    Prompt made{withBeginning(tokenizer_->encode(prompt.value())),
                format_.answerForms(conversation, options.prompt, prompt->text)};
    if (info_.memory.stateEach != 0)
        made.messageStarts = messageStarts(conversation, *prompt, made.tokens, *tokenizer_);
    if (options.trace != nullptr) made.question = questionTokens(conversation, *prompt, made.tokens, *tokenizer_);
    return made;
}

Result<Generated> LocalSession::generate(std::span<const TokenId> prompt, const GenerateOptions& options,
                                         const DeltaCallback& onDelta, const AnswerReading& reading) {
    watchPower(options);
    const GenerationTools tools{.device = *device_,
                                .cache = *cache_,
                                .tokenizer = *tokenizer_,
                                .rate = rate_,
                                .info = info_,
                                .scarcity = scarcity_.get()};
    Result<Generated> generated = Generation(tools, options, onDelta, reading).run(prompt);
    headRecord_->keep(device_->headAgreement());
    if (generated) generated->notes = device_->takeNotes();
    return generated;
}

Result<Generated> LocalSession::chat(std::span<const Message> conversation, const GenerateOptions& options,
                                     const DeltaCallback& onDelta) {
    const Clock::time_point start = Clock::now();
    return call(options.cancel, [&]() -> Result<Generated> {
        if (Status status = checkGenerateOptions(options); !status) return status.error();
        const Result<Prompt> prompt = conversationPrompt(conversation, options);
        if (!prompt) return prompt.error();
        AnswerReading reading{.start = start};
        reading.dropLeadingSpace = sentencePiece_ && format_.turns() != Turns::Plain;
        reading.forms = prompt->forms;
        reading.messageStarts = prompt->messageStarts;
        reading.question = prompt->question;
        Result<Generated> generated = generate(prompt->tokens, options, onDelta, reading);
        if (generated && offersTools(options.prompt) && !format_.showsTools(options.prompt))
            generated->notes.emplace_back(
                "The tools that were offered did not reach the model: its prompt has no place "
                "for them");
        return generated;
    });
}

Result<Generated> LocalSession::complete(std::string_view text, const GenerateOptions& options,
                                         const DeltaCallback& onDelta) {
    const Clock::time_point start = Clock::now();
    return call(options.cancel, [&]() -> Result<Generated> {
        if (Status status = checkGenerateOptions(options); !status) return status.error();
        return generate(withBeginning(tokenizer_->encode(text, options.special)), options, onDelta, {.start = start});
    });
}

Result<Generated> LocalSession::completeTokens(std::span<const TokenId> prompt, const GenerateOptions& options,
                                               const DeltaCallback& onDelta) {
    const Clock::time_point start = Clock::now();
    return call(options.cancel, [&]() -> Result<Generated> {
        if (Status status = checkGenerateOptions(options); !status) return status.error();
        return generate(prompt, options, onDelta, {.start = start});
    });
}

Result<std::vector<TokenId>> LocalSession::promptTokens(std::span<const Message> conversation,
                                                        const GenerateOptions& options) const {
    return guarded([&]() -> Result<std::vector<TokenId>> {
        Result<Prompt> prompt = conversationPrompt(conversation, options);
        if (!prompt) return prompt.error();
        return std::move(prompt->tokens);
    });
}

Result<std::vector<TokenId>> LocalSession::textTokens(std::string_view text, const GenerateOptions& options) const {
    return guarded(
        [&]() -> Result<std::vector<TokenId>> { return withBeginning(tokenizer_->encode(text, options.special)); });
}

Status LocalSession::logits(std::span<const TokenId> tokens,
                            const std::function<void(int64_t position, std::span<const float> logits)>& onLogits,
                            const std::atomic<bool>* cancel) {
    return call(cancel, [&]() -> Status {
        if (Status status = checkPrompt(tokens, info_); !status) return status;
        cache_->clear();
        ForwardRequest request;
        request.tokens = tokens;
        request.wanted = LogitsWanted::All;
        request.onLogits = onLogits;
        request.cancel = cancel;
        return cache_->forward(request);
    });
}

Telemetry LocalSession::telemetry() const {
    return {device_->telemetry(), device_->deviceName(), device_->plan(), info_.memory.context, rate_.perSecond()};
}

} // namespace

Result<std::unique_ptr<Tokenizer>> openTokenizer(const std::string& path, FileSystem* files) {
    return guarded([&]() -> Result<std::unique_ptr<Tokenizer>> {
        Result<std::unique_ptr<ModelFile>> file = ModelFile::open(files ? *files : systemFiles(), path);
        if (!file) return file.error();
        return Tokenizer::create(file.value()->header());
    });
}

Result<StoreSlots> readStoreSlots(const OpenOptions& options) {
    return guarded([&]() -> Result<StoreSlots> {
        const Result<std::unique_ptr<ModelFile>> file = ModelFile::open(filesOf(options), options.path);
        if (!file) return file.error();
        const gguf::Header& header = file.value()->header();
        const Result<ModelShape> shape = readModelShape(header);
        if (!shape) return shape.error();
        const Result<ModelTensors> tensors = findTensors(shape.value(), header);
        if (!tensors) return tensors.error();
        const std::vector<ExpertLayer> layers = expertLayers(shape.value(), tensors.value());
        const HeatRecord record(filesOf(options), options.recordsFolder, **file, ExpertIndex(expertsOf(layers)));
        return StoreSlots::of(layers, record.known());
    });
}

Result<std::unique_ptr<Session>> openSession(const OpenOptions& options) {
    return guarded([&] { return LocalSession::open(options); });
}

} // namespace coterie::engine
