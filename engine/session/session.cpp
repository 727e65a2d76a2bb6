// SPDX-License-Identifier: Apache-2.0
// The session over a real model: opens it, and answers conversations with it.
#include "session/session.h"

#include "base/memory.h"
#include "decoder/cpu_device.h"
#include "experts/expert_source.h"
#include "session/generation.h"
#include "session/guard.h"
#include "session/head_record.h"
#include "session/inspect.h"
#include "session/memory_watch.h"
#include "session/packed_files.h"
#include "session/prompt_format.h"
#include "session/scarcity.h"

#include <algorithm>
#include <utility>

namespace coterie::engine {

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
                  const std::function<void(int64_t position, std::span<const float> logits)>& onLogits) override;
    void cancel() noexcept override { cancel_.store(true, std::memory_order_relaxed); }
    Telemetry telemetry() const override;

  private:
    LocalSession() = default;
    Status openFile(const OpenOptions& options, ModelShape& shape);
    Status startDevice(const OpenOptions& options, const ModelShape& shape);
    void watchMemory(std::function<MemoryReading()> read);
    void watchPower(const GenerateOptions& options);
    std::vector<TokenId> withBeginning(std::vector<TokenId> tokens) const;
    struct Prompt {
        std::vector<TokenId> tokens;
        AnswerForms forms;
    };
    Result<Prompt> conversationPrompt(std::span<const Message> conversation, const PromptOptions& options) const;
    Result<Generated> generate(std::span<const TokenId> prompt, const GenerateOptions& options,
                               const DeltaCallback& onDelta, const AnswerReading& reading);
    /// Runs a call that uses the device: resets cancel first, empties the cache where memory ran out on the way, and
    /// lets the device rest.
    template <typename Body>
    auto call(const Body& body) -> decltype(body());

    ModelInfo info_;
    std::unique_ptr<ModelFile> file_; ///< outlives the device, which reads experts from it
    std::unique_ptr<Tokenizer> tokenizer_;
    PromptFormat format_;
    bool sentencePiece_ = false; ///< its first word carries a space that is not in the text
    std::unique_ptr<Device> device_;
    std::unique_ptr<CachedDevice> cache_;
    std::optional<HeadRecord> headRecord_;
    std::unique_ptr<Scarcity> scarcity_;
    std::unique_ptr<MemoryWatch> watch_; ///< where the budget is automatic; it goes before the device and scarcity_
    RateMeter rate_;
    std::atomic<bool> cancel_{false};
};

Status LocalSession::openFile(const OpenOptions& options, ModelShape& shape) {
    Result<std::unique_ptr<ModelFile>> file = ModelFile::open(filesOf(options), options.path);
    if (!file) return file.error();
    file_ = std::move(file).value();
    const gguf::Header& header = file_->header();
    Result<ModelShape> read = readModelShape(header, options.context);
    if (!read) return read.error();
    shape = std::move(read).value();
    info_ = describeFile(*file_);
    describeShape(shape, info_);

    headRecord_.emplace(filesOf(options), options.recordsFolder, *file_);
    Result<MemoryPlan> plan = planMemory(shape, header, memoryRequestOf(options, headRecord_->known()));
    if (!plan) return plan.error();
    info_.memory = std::move(plan).value();
    info_.headPredictor = describePredictor(shape, info_.memory, headRecord_->known());

    Result<std::unique_ptr<Tokenizer>> tokenizer = Tokenizer::create(header);
    if (!tokenizer) return tokenizer.error();
    tokenizer_ = std::move(tokenizer).value();
    format_ = PromptFormat::choose(header, *tokenizer_, info_.notes);
    info_.turns = format_.turns();
    info_.canThink = format_.canThink();
    sentencePiece_ = header.string("tokenizer.ggml.model") == "llama";
    releaseFreedMemory(); // what reading the vocabulary needed for a while
    return checkVocabulary(*tokenizer_, shape);
}

Status LocalSession::startDevice(const OpenOptions& options, const ModelShape& shape) {
    const Result<const KernelTable*> kernels = chooseKernels(options.kernels);
    if (!kernels) return kernels.error();
    ExpertStoreChoices experts = options.experts;
    std::string packed;
    if (info_.memory.slots < info_.memory.totalExperts) { // its experts will be read again and again
        packed = packedPath(options.packedFolder, *file_, shape);
        // Measured in what the slots are about to take.
        const DiskProfile disk =
            DiskRecord(filesOf(options), options.recordsFolder, options.path).profile(info_.memory.slotArena());
        if (disk.measured()) info_.disk = disk;
        // The reads of one expert go to the disk together.
        if (experts.readDepth == 0) experts.readDepth = std::max(disk.readDepth, static_cast<int>(kMostReadsPerExpert));
    }
    device_ = createCpuDevice({.kernels = kernels.value(),
                               .threads = threadsOf(options),
                               .shortcuts = options.shortcuts,
                               .experts = experts,
                               .packedPath = std::move(packed),
                               .headAgreement = headRecord_->known()});
    if (Status status = device_->prepare(shape, info_.memory); !status) return status;
    cache_ = std::make_unique<CachedDevice>(*device_);
    return device_->upload(*file_, [&options](uint64_t done, uint64_t total) {
        if (!options.onProgress) return true;
        return options.onProgress(total > 0 ? static_cast<double>(done) / static_cast<double>(total) : 1.0);
    });
}

/// Slots are given back while other programs need the memory.
void LocalSession::watchMemory(std::function<MemoryReading()> read) {
    const uint64_t slotBytes = device_->telemetry().experts.slotBytes;
    if (slotBytes == 0) return;
    const MemoryLimits limits{.most = info_.memory.slots * slotBytes,
                              .least = info_.memory.minimumSlots * slotBytes,
                              .reserve = systemReserve(read())};
    watch_ = MemoryWatch::start(
        limits,
        [this, slotBytes, read = std::move(read)] {
            return MemorySample{read(), device_->telemetry().experts.slotsUsed * slotBytes};
        },
        [this, slotBytes, planned = limits.most](uint64_t bytes) {
            device_->limitSlots(bytes / slotBytes);
            scarcity_->tellMemory(bytes < planned);
        });
}

/// Only for those who ask for it.
void LocalSession::watchPower(const GenerateOptions& options) {
    const bool asked = (options.routing.preferCached != 0 && options.preferCachedWhen == RoutingWhen::Scarce) ||
                       (options.routing.sure != 0 && options.sureWhen == RoutingWhen::Scarce);
    if (asked && info_.experts != 0) scarcity_->watchPower();
}

Result<std::unique_ptr<Session>> LocalSession::open(const OpenOptions& options) {
    if (Status status = checkOpenOptions(options); !status) return status.error();
    std::unique_ptr<LocalSession> session(new LocalSession);
    ModelShape shape;
    if (Status status = session->openFile(options, shape); !status) return status.error();
    if (Status status = session->startDevice(options, shape); !status) return status.error();
    session->scarcity_ = std::make_unique<Scarcity>(options.readPower ? options.readPower : readPower);
    if (options.memory == 0) session->watchMemory(options.readMemory ? options.readMemory : readMemory);
    session->device_->rest();
    return std::unique_ptr<Session>(std::move(session));
}

template <typename Body>
auto LocalSession::call(const Body& body) -> decltype(body()) {
    cancel_.store(false, std::memory_order_relaxed);
    auto result = guarded(body);
    if (!result && result.error().kind == ErrorKind::OutOfMemory) cache_->clear();
    rate_.stop();
    device_->rest();
    return result;
}

/// Adds BOS if the vocabulary asks for one, and never a second.
std::vector<TokenId> LocalSession::withBeginning(std::vector<TokenId> tokens) const {
    const std::optional<TokenId> bos = tokenizer_->beginning();
    const bool written = bos && !tokens.empty() && tokens.front() == *bos;
    if (bos && tokenizer_->addsBeginning() && !written) tokens.insert(tokens.begin(), *bos);
    return tokens;
}

Result<LocalSession::Prompt> LocalSession::conversationPrompt(std::span<const Message> conversation,
                                                              const PromptOptions& options) const {
    const Result<PromptText> prompt = format_.render(conversation, options);
    if (!prompt) return prompt.error();
    return Prompt{withBeginning(tokenizer_->encode(prompt.value())),
                  format_.answerForms(conversation, options, prompt->text)};
}

Result<Generated> LocalSession::generate(std::span<const TokenId> prompt, const GenerateOptions& options,
                                         const DeltaCallback& onDelta, const AnswerReading& reading) {
    watchPower(options);
    const GenerationTools tools{.device = *device_,
                                .cache = *cache_,
                                .tokenizer = *tokenizer_,
                                .rate = rate_,
                                .cancel = cancel_,
                                .info = info_,
                                .scarcity = scarcity_.get()};
    Result<Generated> generated = Generation(tools, options, onDelta, reading).run(prompt);
    headRecord_->keep(device_->headAgreement());
    return generated;
}

Result<Generated> LocalSession::chat(std::span<const Message> conversation, const GenerateOptions& options,
                                     const DeltaCallback& onDelta) {
    const Clock::time_point start = Clock::now();
    return call([&]() -> Result<Generated> {
        if (Status status = checkGenerateOptions(options); !status) return status.error();
        const Result<Prompt> prompt = conversationPrompt(conversation, options.prompt);
        if (!prompt) return prompt.error();
        AnswerReading reading{.start = start};
        reading.dropLeadingSpace = sentencePiece_ && format_.turns() != Turns::Plain;
        if (format_.turns() != Turns::Plain) reading.forms = prompt->forms;
        return generate(prompt->tokens, options, onDelta, reading);
    });
}

Result<Generated> LocalSession::complete(std::string_view text, const GenerateOptions& options,
                                         const DeltaCallback& onDelta) {
    const Clock::time_point start = Clock::now();
    return call([&]() -> Result<Generated> {
        if (Status status = checkGenerateOptions(options); !status) return status.error();
        return generate(withBeginning(tokenizer_->encode(text, options.special)), options, onDelta, {.start = start});
    });
}

Result<Generated> LocalSession::completeTokens(std::span<const TokenId> prompt, const GenerateOptions& options,
                                               const DeltaCallback& onDelta) {
    const Clock::time_point start = Clock::now();
    return call([&]() -> Result<Generated> {
        if (Status status = checkGenerateOptions(options); !status) return status.error();
        return generate(prompt, options, onDelta, {.start = start});
    });
}

Result<std::vector<TokenId>> LocalSession::promptTokens(std::span<const Message> conversation,
                                                        const GenerateOptions& options) const {
    return guarded([&]() -> Result<std::vector<TokenId>> {
        Result<Prompt> prompt = conversationPrompt(conversation, options.prompt);
        if (!prompt) return prompt.error();
        return std::move(prompt->tokens);
    });
}

Result<std::vector<TokenId>> LocalSession::textTokens(std::string_view text, const GenerateOptions& options) const {
    return guarded(
        [&]() -> Result<std::vector<TokenId>> { return withBeginning(tokenizer_->encode(text, options.special)); });
}

Status LocalSession::logits(std::span<const TokenId> tokens,
                            const std::function<void(int64_t position, std::span<const float> logits)>& onLogits) {
    return call([&]() -> Status {
        if (Status status = checkPrompt(tokens, info_); !status) return status;
        cache_->clear();
        ForwardRequest request;
        request.tokens = tokens;
        request.wanted = LogitsWanted::All;
        request.onLogits = onLogits;
        request.cancel = &cancel_;
        return cache_->forward(request);
    });
}

Telemetry LocalSession::telemetry() const {
    Telemetry t;
    t.device = device_->telemetry();
    t.plan = info_.memory;
    t.contextUsed = t.device.position;
    t.contextSize = info_.memory.context;
    t.tokensPerSecond = rate_.perSecond();
    return t;
}

} // namespace

Result<std::unique_ptr<Tokenizer>> openTokenizer(const std::string& path, FileSystem* files) {
    return guarded([&]() -> Result<std::unique_ptr<Tokenizer>> {
        Result<std::unique_ptr<ModelFile>> file = ModelFile::open(files ? *files : systemFiles(), path);
        if (!file) return file.error();
        return Tokenizer::create(file.value()->header());
    });
}

Result<std::unique_ptr<Session>> openSession(const OpenOptions& options) {
    return guarded([&] { return LocalSession::open(options); });
}

} // namespace coterie::engine
