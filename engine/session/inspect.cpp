// SPDX-License-Identifier: Apache-2.0
// inspectModel(): describes a model from its metadata alone.
#include "session/inspect.h"

#include "base/guard.h"
#include "base/threads.h"
#include "kernels/kernels.h"
#include "prompt/utf8.h"
#include "prompt/vocabulary.h"
#include "records/trace_log.h"
#include "session/automatic_device.h"
#include "session/devices.h"
#include "session/head_record.h"
#include "session/heat_record.h"
#include "session/images.h"
#include "session/prompt_format.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace coterie::engine {

namespace {

constexpr int kMostThreads = 1024; // no machine that this program meets has more

/// Returns the name of the format that most weights of matrices are in, or e.g. "type 77" if it has no name.
std::string mainFormat(const gguf::Header& header) {
    std::map<uint32_t, uint64_t> elements;
    for (const gguf::Tensor& tensor : header.tensors)
        if (tensor.dimensions >= 2) elements[tensor.typeId] += tensor.elements();
    const auto most = std::max_element(elements.begin(), elements.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    return most == elements.end() ? std::string() : typeName(most->first);
}

/// A text that a window and a terminal show on a line.
std::string text(const gguf::Header& header, std::string_view key) {
    constexpr size_t kMostBytes = 256;
    return cutText(header.string(key).value_or(""), kMostBytes);
}

/// Returns the value of "<architecture>.<key>" in the file, or 0 if the file has no such key or the value is
/// impossible.
int64_t count(const gguf::Header& header, const std::string& architecture, const char* key) {
    const uint64_t value = header.unsignedInteger(architecture + "." + key).value_or(0);
    return value <= static_cast<uint64_t>(INT64_MAX) ? static_cast<int64_t>(value) : 0;
}

void addProblem(ModelInfo& info, const Error& error) { info.problems.push_back(error); }

using OpenedTokenizer = Result<std::unique_ptr<Tokenizer>>;

void planFor(const ModelShape& shape, const ModelFile& file, const OpenOptions& options, uint64_t held,
             const OpenedTokenizer& tokenizer, ModelInfo& info) {
    const HeadRecord record(filesOf(options), options.recordsFolder, file);
    MemoryRequest memory = memoryRequestOf(options, info, record.known(), held, tokenizer ? tokenizer->get() : nullptr);
    memory.heat = HeatRecord(filesOf(options), options.recordsFolder, file, ExpertIndex(info.expertsOfLayer)).known();
    const Result<ChosenDevice> chosen = deviceOfModel(
        {.options = options, .shape = shape, .header = file.header(), .memory = memory, .measured = record.known()},
        info.notes);
    if (!chosen) return addProblem(info, chosen.error());
    MemoryRequest placed = memory;
    placeOn(chosen->device, options.deviceMemory, placed);
    Result<MemoryPlan> plan = planMemory(shape, file.header(), placed);
    if (!plan && cpuTakesOver(options, chosen->device.name, plan.error(), info.notes))
        plan = planMemory(shape, file.header(), memory);
    if (!plan) return addProblem(info, plan.error());
    info.deviceChoice = chosen->why;
    if (!chosen->why.empty()) info.notes.push_back(chosen->why);
    info.memory = std::move(plan).value();
    info.headPredictor = describePredictor(shape, info.memory, record.known());
    info.disk = DiskRecord(filesOf(options), options.recordsFolder, options.path).known();
}

void describeVocabulary(const gguf::Header& header, const OpenedTokenizer& tokenizer, ModelInfo& info) {
    if (!tokenizer) return addProblem(info, tokenizer.error());
    const PromptFormat format = PromptFormat::choose(header, *tokenizer.value(), info.notes);
    info.turns = format.turns();
    info.canThink = format.canThink();
}

Result<ModelInfo> inspect(const OpenOptions& options) {
    if (Status status = checkOpenOptions(options); !status) return status.error();
    Result<std::unique_ptr<ModelFile>> file = ModelFile::open(filesOf(options), options.path);
    if (!file) return file.error();
    const gguf::Header& header = file.value()->header();
    ModelInfo info = describeFile(*file.value());
    const uint64_t held = heldBesides(options);
    const OpenedTokenizer tokenizer = Tokenizer::create(header);
    if (const Result<ModelShape> shape = readModelShape(header, options.context)) {
        describeShape(shape.value(), info);
        planFor(shape.value(), *file.value(), options, held, tokenizer, info);
    } else {
        addProblem(info, shape.error());
    }
    if (!readsImages(header)) describeVocabulary(header, tokenizer, info);
    return info;
}

} // namespace

ModelInfo describeFile(const ModelFile& file) {
    const gguf::Header& header = file.header();
    ModelInfo info;
    info.path = file.path();
    info.fileBytes = file.size();
    info.shards = file.shards();
    info.name = text(header, "general.name");
    info.architecture = text(header, "general.architecture");
    info.licence = text(header, "general.license");
    info.quantisation = mainFormat(header);
    for (const gguf::Tensor& tensor : header.tensors) info.parameters += tensor.elements();

    const auto stated = [&](const char* key) { return count(header, info.architecture, key); };
    info.layers = stated("block_count");
    info.width = stated("embedding_length");
    info.heads = stated("attention.head_count");
    info.kvHeads = stated("attention.head_count_kv");
    info.headDim = stated("attention.key_length");
    info.feedForward = stated("feed_forward_length");
    info.experts = stated("expert_count");
    info.expertsPerToken = stated("expert_used_count");
    info.trainedContext = stated("context_length");
    info.slidingWindow = stated("attention.sliding_window");
    info.vocabulary = static_cast<int64_t>(arrayCount(header, "tokenizer.ggml.tokens"));
    if (couldSeeImages(file)) info.notes.push_back("This model could see images; Coterie cannot yet");
    return info;
}

namespace {

LayerMixer mixerOf(const LayerShape& layer) {
    switch (layer.mixer) {
    case Mixer::Attention:
        break;
    case Mixer::DeltaRule:
        return LayerMixer::DeltaRule;
    case Mixer::ShortConvolution:
        return LayerMixer::ShortConvolution;
    }
    return layer.attention.window > 0 ? LayerMixer::WindowedAttention : LayerMixer::Attention;
}

} // namespace

void describeShape(const ModelShape& shape, ModelInfo& info) {
    info.layers = shape.layers;
    info.width = shape.width;
    const auto attends = std::find_if(shape.layer.begin(), shape.layer.end(),
                                      [](const LayerShape& layer) { return layer.hasAttention(); });
    const AttentionShape attention = attends == shape.layer.end() ? AttentionShape() : attends->attention;
    info.heads = attention.heads;
    info.kvHeads = attention.kvHeads;
    info.headDim = attention.headDim;
    info.feedForward = shape.layer.back().feedForward.width; // the first layers may be dense
    info.experts = shape.mostExperts();
    info.expertsPerToken = shape.layer.back().feedForward.expertsPerToken;
    info.recurrentLayers = shape.countOf([](const LayerShape& layer) { return layer.hasState(); });
    info.expertsOfLayer.clear();
    info.layer.clear();
    for (const LayerShape& layer : shape.layer) {
        info.expertsOfLayer.push_back(layer.feedForward.storedExperts());
        info.layer.push_back({mixerOf(layer), layer.feedForward.sharedWidth != 0});
    }
    info.vocabulary = shape.vocabulary;
    info.trainedContext = shape.trainedContext;
    info.slidingWindow = shape.slidingWindow;
    if (shape.architecture->transposedDown) info.flavour = shape.transposedDown ? "PowerInfer" : "mainline";
    info.notes.insert(info.notes.end(), shape.notes.begin(), shape.notes.end());
}

Status checkOpenOptions(const OpenOptions& options) {
    std::vector<Sentence> notes;
    if (const Result<DeviceInfo> device = wantedDevice(options, notes); !device) return device.error();
    if (options.threads < 0 || options.threads > kMostThreads)
        return Error{ErrorKind::BadInput,
                     "The number of threads is out of range",
                     {"It is %1", options.threads},
                     {"Give 1 to %1, or 0 for the system's number", kMostThreads}};
    if (options.context < 0)
        return Error{ErrorKind::BadInput, "The context is out of range", "It is negative",
                     "Give a number of tokens, or 0 for automatic"};
    if (options.chunk < 0)
        return Error{ErrorKind::BadInput, "The chunk is out of range", "It is negative",
                     "Give a number of tokens, or 0 for automatic"};
    if (const Result<const KernelTable*> table = chooseKernels(options.kernels); !table) return table.error();
    return {};
}

uint64_t heldBesides(const OpenOptions& options) {
    if (options.held != 0) return options.held;
    return options.readMemory ? options.readMemory().resident : readMemory().resident;
}

MemoryRequest memoryRequestOf(const OpenOptions& options, const ModelInfo& info, const HeadAgreement& measured,
                              uint64_t held, const Tokenizer* tokenizer) {
    return {.budget = options.memory,
            .context = options.context,
            .chunk = options.chunk,
            .threads = threadsOf(options),
            .held = held,
            .heldPerToken = options.traced ? TraceLog::bytesPerToken(traceShape(info)) : 0,
            .tokenizerBytes = tokenizer == nullptr ? 0 : tokenizer->memoryBytes(),
            .keyValueFormat = options.keyValueFormat,
            .headSketch = !measured.settled() || measured.good(),
            .readMemory = options.readMemory};
}

void placeOn(const DeviceInfo& device, uint64_t most, MemoryRequest& memory) {
    memory.longChunks = device.abilities.longChunks;
    if (device.memory == 0) return;
    memory.deviceName = device.name;
    memory.deviceMemory = most == 0 ? device.memory : std::min(most, device.memory);
}

HeadPredictor describePredictor(const ModelShape& shape, const MemoryPlan& plan, const HeadAgreement& measured) {
    using enum HeadPredictor::Kind;
    if (shape.headPredictorRank != 0) return {.kind = FromFile, .rank = shape.headPredictorRank};
    // A predictor that was found useless has no room in the plan, but it is reported too.
    if (plan.headSketch == 0 && !measured.settled()) return {};
    return {.kind = Derived, .measured = measured};
}

int threadsOf(const OpenOptions& options) { return options.threads > 0 ? options.threads : defaultThreads(); }

FileSystem& filesOf(const OpenOptions& options) { return options.files ? *options.files : systemFiles(); }

Result<ModelInfo> inspectModel(const OpenOptions& options) {
    return guarded([&] { return inspect(options); });
}

} // namespace coterie::engine
