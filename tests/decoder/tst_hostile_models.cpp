// SPDX-License-Identifier: Apache-2.0
// Broken files, from the header to a decoded token, give a clear error or run; they never crash the program. These
// tests find most in sanitizer builds.
#include "decoder/loaded_model.h"
#include "decoder/tiny_families.h"
#include "kernels/formats.h"

#include <QtTest>

using namespace coterie::engine;
using namespace coterie::test;

namespace {

const int kTries = kSanitized || longTests() ? 1000 : 200; // each finds more in sanitizer builds

TinyModelOptions sparse(bool transposed) {
    return {.architecture = "smallthinker",
            .type = TensorType::Q4_0,
            .layers = 2,
            .heads = 2,
            .kvHeads = 1,
            .feedForward = 32,
            .experts = 4,
            .vocabulary = 260,
            .context = 64,
            .window = 4,
            .transposedDown = transposed,
            .headPredictorRank = transposed ? 1 : 0,
            .tied = false};
}

/// The options that the families add: experts with biases, or a shared one; sinks and YaRN in gpt-oss; a dense layer,
/// groups and a draft layer in glm4moe; a state and a draft layer in Qwen 3.5.
TinyModelOptions family(const std::string& architecture) {
    TinyModelOptions options = sparse(false);
    options.architecture = architecture;
    options.type = TensorType::MXFP4;
    options.sharedFeedForward = 64;
    if (architecture == "glm4moe") {
        options.groups = 2, options.groupsUsed = 1, options.draftLayers = 1;
        options.denseFeedForward = options.sharedFeedForward = 64;
    }
    if (architecture.starts_with("qwen3")) {
        options.type = TensorType::Q4_0, options.width = 32, options.headDim = 16;
        options.keyHeads = 1, options.valueHeads = 2, options.draftLayers = 1;
    }
    if (architecture == "gemma4") {
        options.type = TensorType::Q4_0, options.headDim = 64, options.expertsBeside = true;
        options.layers = 6, options.sharedLayers = 3;
    }
    if (architecture == "gemma4 with embeddings by layer") {
        options = family("gemma4");
        options.expertsBeside = false, options.layerEmbedding = 32;
    }
    if (architecture == "gpt-oss") options.yarnFactor = 4, options.yarnContext = 16;
    return options;
}

/// All formats with codebooks, the second layer's experts in others than the first one's.
TinyModelOptions fewBits() {
    TinyModelOptions options{.architecture = "qwen3moe",
                             .width = 256,
                             .heads = 8,
                             .kvHeads = 1,
                             .feedForward = 256,
                             .experts = 2,
                             .expertsPerToken = 1,
                             .vocabulary = 260,
                             .context = 64};
    options.typeOf = fewBitsType;
    return options;
}

/// Loads the model as a session would and decodes a prompt and a token, with each table of kernels in its turn. Returns
/// whether it ran; errors are checked.
bool survives(const std::string& bytes) {
    static const std::vector<const KernelTable*> tables = testedKernels();
    static size_t turn = 0;
    MemoryFiles files(bytes);
    auto model = loadModel(files, {.kernels = tables[turn++ % tables.size()], .threads = 1});
    const auto good = [](const Error& error) {
        return !error.what.empty() && !error.why.empty() && !error.action.empty();
    };
    if (!model) {
        if (!good(model.error()) || model.error().kind == ErrorKind::Internal)
            qFatal("%s", model.error().line().c_str());
        return false;
    }
    const auto logits = logitsOf(*model->decoder, {1, 2, 3, 4}, {3, 1});
    if (!logits && !good(logits.error())) qFatal("%s", logits.error().line().c_str());
    return logits.ok();
}

/// Puts 0xff in place of all weights, biases and sinks: no numbers in any format, and the last place in each codebook.
/// Divisors of the rotation stay, since a file is refused for them.
std::string withoutNumbers(const std::string& bytes) {
    const auto header = gguf::parse(std::as_bytes(std::span(bytes)), bytes.size());
    std::string broken = bytes;
    std::fill(broken.begin() + static_cast<std::ptrdiff_t>(header->dataOffset), broken.end(), '\xff');
    if (const gguf::Tensor* divisors = header->tensor("rope_freqs.weight"))
        std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(divisors->offset), divisors->bytes,
                    broken.begin() + static_cast<std::ptrdiff_t>(divisors->offset));
    return broken;
}

uint64_t next(uint64_t& state) { // xorshift64 (Marsaglia 2003)
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

} // namespace

class HostileModelsTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void truncations_data() { models(); }
    void truncations();
    void bitFlipsInTheHeader_data() { models(); }
    void bitFlipsInTheHeader();
    void bitFlipsAnywhere_data() { models(); }
    void bitFlipsAnywhere();
    void weightsThatAreNoNumbers();
    void formatsUnderOtherNames();

  private:
    static void models();
};

void HostileModelsTest::models() {
    static const std::vector<std::pair<const char*, std::string>> made = [] {
        std::vector<std::pair<const char*, std::string>> all;
        const auto add = [&all](const char* name, const TinyModelOptions& options) {
            all.emplace_back(name, makeTinyModel(options).bytes);
        };
        add("llama", {.type = TensorType::Q8_0,
                      .heads = 2,
                      .kvHeads = 1,
                      .feedForward = 32,
                      .vocabulary = 260,
                      .context = 64,
                      .ropeFactors = true});
        add("smallthinker", sparse(false));
        add("smallthinker by neuron", sparse(true));
        add("gpt-oss with YaRN", family("gpt-oss"));
        for (const char* name : {"qwen2moe", "glm4moe", "qwen35moe", "lfm2moe", "gemma2", "gemma3", "gemma4",
                                 "gemma4 with embeddings by layer", "qwen3next"})
            add(name, family(name));
        add("few bits", fewBits());
        return all;
    }();
    QTest::addColumn<std::string>("bytes");
    for (const auto& [name, bytes] : made) QTest::newRow(name) << bytes;
}

void HostileModelsTest::truncations() {
    QFETCH(std::string, bytes);
    QVERIFY(survives(bytes));
    for (int i = 0; i < kTries; ++i)
        QVERIFY(!survives(bytes.substr(0, static_cast<size_t>(i) * (bytes.size() - 64) /
                                              static_cast<size_t>(kTries)))); // 64: the last tensor's padding
}

void HostileModelsTest::bitFlipsInTheHeader() {
    QFETCH(std::string, bytes);
    const size_t header = gguf::parse(std::as_bytes(std::span(bytes)), bytes.size())->headerBytes;
    uint64_t state = 12345;
    int ran = 0;
    for (int i = 0; i < kTries; ++i) {
        std::string broken = bytes;
        const uint64_t bit = next(state) % (header * 8);
        broken[bit / 8] = static_cast<char>(broken[bit / 8] ^ (1 << (bit % 8)));
        ran += survives(broken);
    }
    QVERIFY(ran > 0 && ran < kTries);
}

void HostileModelsTest::bitFlipsAnywhere() {
    QFETCH(std::string, bytes);
    uint64_t state = 54321;
    for (int i = 0; i < kTries; ++i) {
        std::string broken = bytes;
        for (int flips = 0; flips < 1 + i % 8; ++flips) {
            const uint64_t bit = next(state) % (broken.size() * 8);
            broken[bit / 8] = static_cast<char>(broken[bit / 8] ^ (1 << (bit % 8)));
        }
        survives(broken);
    }
}

void HostileModelsTest::weightsThatAreNoNumbers() {
    for (const TinyModelOptions& options : {sparse(false), sparse(true), fewBits(), family("qwen2moe"),
                                            family("gpt-oss"), family("glm4moe"), family("qwen35"), family("qwen3next"),
                                            family("lfm2moe"), family("gemma2"), family("gemma3"), family("gemma4")})
        QVERIFY(survives(withoutNumbers(makeTinyModel(options).bytes)));
    std::string factors = makeTinyModel({.ropeFactors = true}).bytes;
    const auto header = gguf::parse(std::as_bytes(std::span(factors)), factors.size());
    const gguf::Tensor* tensor = header->tensor("rope_freqs.weight");
    std::fill_n(factors.begin() + static_cast<std::ptrdiff_t>(tensor->offset), tensor->bytes, '\0'); // divisors of 0
    QVERIFY(!survives(factors));
}

/// A tensor is said to be in another format than it is. The model runs if the said bytes are no more than the true
/// ones, and is refused if the tensor would reach into the next one.
void HostileModelsTest::formatsUnderOtherNames() {
    const std::string name = "blk.1.ffn_down_exps.weight";
    TinyModelOptions options = fewBits();
    for (const KnownType& held : kKnownTypes) {
        if (!hasCodebook(held.type)) continue; // all pairs would take long
        options.typeOf = [&](const std::string& tensor) { return tensor == name ? held.type : fewBitsType(tensor); };
        const std::string bytes = makeTinyModel(options).bytes;
        const size_t type = bytes.find(name) + name.size() + sizeof(uint32_t) + 3 * sizeof(uint64_t);
        for (const KnownType& said : kKnownTypes) {
            std::string broken = bytes;
            std::memcpy(broken.data() + type, &said.type, sizeof said.type);
            const bool fits = rowBytes(said.type, 256) <= rowBytes(held.type, 256);
            QVERIFY2(survives(broken) == fits,
                     qPrintable(QStringLiteral("%1 as %2").arg(held.traits.name, said.traits.name)));
        }
    }
}

QTEST_APPLESS_MAIN(HostileModelsTest)
#include "tst_hostile_models.moc"
