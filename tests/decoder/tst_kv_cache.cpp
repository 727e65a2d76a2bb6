// SPDX-License-Identifier: Apache-2.0
// The two formats of the KV cache: their memory, that logits have the same bits whatever the split, and how near the
// Q8_0 cache is to the oracle that rounds as it does. tst_forward.cpp tests, with F16, what holds for any cache.
#include "decoder/kv_cache.h"
#include "decoder/loaded_model.h"

#include <QtTest>

#include <cstring>
#include <random>

using namespace coterie::engine;
using namespace coterie::test;

namespace {

const TinyModelOptions kDense{};
const TinyModelOptions kWindowed{.architecture = "smallthinker", .layers = 5, .window = 8, .tied = false};
constexpr uint64_t kBlockBytes = 34; // a block of 32 values

LoadedModel load(FileSystem& files, LoadOptions options) {
    options.keyValueFormat = TensorType::Q8_0;
    return mustLoad(files, options);
}

ModelShape shapeOf(const TinyModelOptions& options) {
    const std::string bytes = makeTinyModel(options).bytes;
    return readModelShape(gguf::parse(std::as_bytes(std::span(bytes)), bytes.size()).value()).value();
}

} // namespace

class KvCacheTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void keepsWhatIsStored_data();
    void keepsWhatIsStored();
    void ringsMoveWithTheirPositions();
    void agreesWithTheOracle_data() { models(); }
    void agreesWithTheOracle();
    void splitsAndThreadsChangeNothing_data() { models(); }
    void splitsAndThreadsChangeNothing();
    void rewindAndResume_data() { models(); }
    void rewindAndResume();
    void takesWhatIsPlanned();
    void headsMustBeWholeBlocks();
    void longerAutomaticContext();
    void namesOfFormats();

  private:
    static void models();
};

void KvCacheTest::models() {
    QTest::addColumn<TinyModelOptions>("options");
    QTest::addColumn<const KernelTable*>("kernels");
    const auto row = [](const char* name, const TinyModelOptions& options) {
        for (const KernelTable* table : kernelTables())
            if (table->runsHere()) QTest::addRow("%s %s", name, table->name) << options << table;
    };
    row("llama", kDense);
    row("llama wide heads", {.heads = 2, .kvHeads = 1, .headDim = 128});
    row("qwen3 heads of 96", {.architecture = "qwen3", .headDim = 96});
    row("smallthinker window", kWindowed);
    row("gpt-oss", {.architecture = "gpt-oss", .layers = 3, .headDim = 64, .window = 8, .tied = false});
}

void KvCacheTest::keepsWhatIsStored_data() {
    QTest::addColumn<TensorType>("format");
    QTest::newRow("F16") << TensorType::F16;
    QTest::newRow("Q8_0") << TensorType::Q8_0;
}

/// The whole rings of two layers: each position and head has values of its own, and reads cross the place where a ring
/// wraps.
void KvCacheTest::keepsWhatIsStored() {
    QFETCH(TensorType, format);
    const ModelShape shape = shapeOf(kWindowed);
    const AttentionShape& attention = shape.layer[0].attention;
    const KernelTable& kernels = *kernelTables().back();
    KvCache cache = KvCache::create(shape, format, 100, 4).value(); // layer 0 keeps 100, layer 1 a ring of 12
    const int64_t width = attention.keyWidth();
    // Neighbours differ by 1, far more than the error of eight bits.
    const auto made = [&attention](int64_t position, int64_t layer, int64_t i, bool value) {
        const float size = static_cast<float>(1 + position + 31 * (i / attention.headDim));
        return size * (layer == 0 ? 1.0f : -1.0f) * (value ? 8.0f : 1.0f);
    };
    std::vector<float> key(static_cast<size_t>(width)), value(key);
    for (int64_t position = 0; position < 31; ++position)
        for (int64_t layer = 0; layer < 2; ++layer) {
            for (size_t i = 0; i < key.size(); ++i) {
                key[i] = made(position, layer, static_cast<int64_t>(i), false);
                value[i] = made(position, layer, static_cast<int64_t>(i), true);
            }
            cache.store(kernels, layer, position, key.data(), value.data());
        }
    std::vector<float> row(static_cast<size_t>(attention.headDim));
    for (int64_t layer = 0; layer < 2; ++layer)
        for (int64_t head = 0; head < attention.kvHeads; ++head) {
            int64_t position = 19;
            for (const KvCache::Segment& segment : cache.read(layer, head, 19, 31))
                for (int64_t p = 0; p < segment.count; ++p, ++position)
                    for (const bool isValue : {false, true}) {
                        const std::byte* rows = isValue ? segment.values : segment.keys;
                        kernels.expandRow(format, rows + p * cache.rowBytes(layer), attention.headDim, row.data());
                        for (int64_t i = 0; i < attention.headDim; ++i) {
                            const float want = made(position, layer, head * attention.headDim + i, isValue);
                            QVERIFY(std::abs(row[static_cast<size_t>(i)] - want) < std::abs(want) / 220);
                        }
                    }
            QCOMPARE(position, 31);
        }
}

/// Random chunks, committed or not, and steps back, while the rings are now longer and now as usual: the positions that
/// the conversation needs are there, and keeps() promises no others.
void KvCacheTest::ringsMoveWithTheirPositions() {
    constexpr int64_t kContext = 100, kChunk = 4, kLong = 30, kLayers = 2;
    const ModelShape shape = shapeOf(kWindowed);
    const AttentionShape& attention = shape.layer[0].attention;
    const KernelTable& kernels = *kernelTables().back();
    KvCache cache = KvCache::create(shape, TensorType::F16, kContext, kChunk).value();
    std::vector<std::byte> memory(KvCache::longBytesNeeded(shape, TensorType::F16, kContext, kChunk, kLong).value() +
                                  1);
    std::mt19937 random(1);
    const auto below = [&random](int64_t n) { return static_cast<int64_t>(random() % static_cast<uint64_t>(n)); };
    std::vector<float> row(static_cast<size_t>(attention.keyWidth())), written(kContext);
    int64_t committed = 0, moves = 0, kept = 0;
    bool isLong = false;
    float last = 0;
    for (int i = 0; i < 40000; ++i) {
        const int64_t what = below(8);
        if (what == 0) {
            isLong = !isLong;
            ++moves;
            if (isLong)
                cache.lengthen(shape, kContext, kLong, committed, std::span(memory).subspan(1));
            else
                cache.shorten(committed);
        } else if (what == 1) {
            const int64_t position = below(2) == 0 ? below(committed + 1) : std::max<int64_t>(0, committed - below(12));
            committed = cache.rewind(position);
            if (committed == position && position > 0) ++kept;
        } else {
            const int64_t n = std::min(1 + below(isLong ? kLong : kChunk), kContext - committed);
            const bool commits = below(4) != 0;
            cache.extend(committed + n);
            for (int64_t p = committed; p < committed + n; ++p) {
                last = static_cast<float>((static_cast<int>(last) + 1) % 2048); // whole in half precision
                std::fill(row.begin(), row.end(), last);
                for (int64_t layer = 0; layer < kLayers; ++layer)
                    cache.store(kernels, layer, p, row.data(), row.data());
                if (commits) written[static_cast<size_t>(p)] = last;
            }
            if (commits) committed += n;
        }
        QVERIFY(committed == 0 || cache.keeps(committed));
        for (int64_t layer = 0; layer < kLayers; ++layer)
            for (int64_t head = 0; head < attention.kvHeads; ++head) {
                const int64_t window = shape.layer[static_cast<size_t>(layer)].attention.window;
                int64_t p = window == 0 ? 0 : std::max<int64_t>(0, committed - window + 1);
                for (const KvCache::Segment& segment : cache.read(layer, head, p, committed))
                    for (int64_t s = 0; s < segment.count; ++s, ++p)
                        for (const std::byte* rows : {segment.keys, segment.values}) {
                            kernels.expandRow(TensorType::F16, rows + s * cache.rowBytes(layer), attention.headDim,
                                              row.data());
                            QCOMPARE(row[0], written[static_cast<size_t>(p)]);
                        }
                QCOMPARE(p, committed);
            }
        if (committed == kContext) committed = cache.rewind(0);
    }
    QVERIFY2(moves > 100 && kept > 20, qPrintable(QString("%1, %2").arg(moves).arg(kept)));
}

/// The logits are as near to the oracle's as with F16. The oracle of an F16 cache is far off, so the test does see the
/// rounding.
void KvCacheTest::agreesWithTheOracle() {
    QFETCH(TinyModelOptions, options);
    QFETCH(const KernelTable*, kernels);
    struct Recorder final : TraceSink {
        OracleChoices choices;
        void layerDone(int64_t position, int layer, std::span<const ExpertUse> uses, double) override {
            const auto at = static_cast<size_t>(position);
            choices.resize(std::max(choices.size(), at + 1));
            if (layer == 0) choices[at].clear();
            choices[at].emplace_back();
            for (const ExpertUse& use : uses) choices[at].back().push_back(use.expert);
        }
        void tokenDone(int64_t, int64_t, double) override {}
    } trace;
    TinyModel tiny = makeTinyModel(options);
    MemoryFiles files(tiny.bytes);
    LoadedModel model = load(files, {.kernels = kernels});
    const std::vector<int32_t> tokens = randomTokens(30, options.vocabulary);
    const auto got = logitsOf(*model.decoder, tokens, {}, &trace);
    QVERIFY2(got.ok(), got ? "" : got.error().line().c_str());
    const OracleChoices* choices = trace.choices.empty() ? nullptr : &trace.choices;
    const auto worst = [&](OracleCache cache) {
        tiny.oracle.cache = cache;
        const OracleRun want = runOracle(tiny.oracle, tokens, choices);
        double error = 0;
        for (size_t i = 0; i < tokens.size(); ++i)
            error = std::max(error, relativeError(got.value()[i], want.logits[i]));
        return error;
    };
    const double same = worst(OracleCache::EightBits), half = worst(OracleCache::Half);
    qInfo("Q8_0 oracle %.2e, F16 oracle %.2e", same, half);
    // A value whose float rounding takes it to the next of 127 steps was seen to cost up to 0.0043, with any table.
    QVERIFY(same < 0.005);
    QVERIFY(half > 0.006);
}

/// The tokens cross edges of a window of 8 and of its ring.
void KvCacheTest::splitsAndThreadsChangeNothing() {
    QFETCH(TinyModelOptions, options);
    QFETCH(const KernelTable*, kernels);
    MemoryFiles files(makeTinyModel(options).bytes);
    const std::vector<int32_t> tokens = randomTokens(90, options.vocabulary);
    LoadedModel model = load(files, {.kernels = kernels, .chunk = 16});
    const Logits oneByOne = mustRun(*model.decoder, tokens, std::vector<size_t>(tokens.size(), 1));
    for (const size_t batch : {2u, 7u, 16u, 64u, 90u}) {
        QCOMPARE(model.decoder->rewind(0), 0);
        QVERIFY2(sameBits(mustRun(*model.decoder, tokens, std::vector<size_t>(tokens.size() / batch, batch)), oneByOne),
                 qPrintable(QString::number(batch)));
    }
    for (const int threads : {1, 5}) {
        LoadedModel other = load(files, {.kernels = kernels, .threads = threads});
        QVERIFY2(sameBits(mustRun(*other.decoder, tokens), oneByOne), qPrintable(QString::number(threads)));
    }
}

void KvCacheTest::rewindAndResume() {
    QFETCH(TinyModelOptions, options);
    QFETCH(const KernelTable*, kernels);
    MemoryFiles files(makeTinyModel(options).bytes);
    LoadedModel model = load(files, {.kernels = kernels, .chunk = 4}); // rings of 12
    const std::vector<int32_t> tokens = randomTokens(40, options.vocabulary);
    const Logits want = mustRun(*model.decoder, tokens);
    QCOMPARE(model.decoder->rewind(35), 35);
    QVERIFY(sameBits(mustRun(*model.decoder, part(tokens, 35, 40)), Logits(want.begin() + 35, want.end())));
    const int64_t kept = options.window == 0 ? 34 : 0;
    QCOMPARE(model.decoder->rewind(34), kept);
    QVERIFY(sameBits(mustRun(*model.decoder, part(tokens, static_cast<size_t>(kept), 40)),
                     Logits(want.begin() + kept, want.end())));
}

void KvCacheTest::takesWhatIsPlanned() {
    TinyModelOptions options = kWindowed;
    options.layers = 4; // one layer that sees all positions, three with a window
    MemoryFiles files(makeTinyModel(options).bytes);
    LoadedModel model = load(files, {.chunk = 16});
    QCOMPARE(model.plan.keyValueFormat, TensorType::Q8_0);
    const uint64_t perPosition =
        static_cast<uint64_t>(model.shape.layer[0].attention.keyWidth()) / 32 * kBlockBytes * 2;
    mustRun(*model.decoder, randomTokens(100, options.vocabulary));
    QCOMPARE(model.decoder->telemetry().keyValueBytes, perPosition * (100 + 3 * 24));
    QCOMPARE(KvLayout::bytesNeeded(model.shape, TensorType::Q8_0, 512, 16).value(), perPosition * (512 + 3 * 24));
    QCOMPARE(KvLayout::bytesNeeded(model.shape, TensorType::F16, 512, 16).value(),
             static_cast<uint64_t>(model.shape.layer[0].attention.keyWidth()) * 4 * (512 + 3 * 24));
}

void KvCacheTest::headsMustBeWholeBlocks() {
    MemoryFiles files(makeTinyModel({.headDim = 16}).bytes);
    QVERIFY(loadModel(files).ok());
    const auto refused = loadModel(files, {.keyValueFormat = TensorType::Q8_0});
    QVERIFY(!refused.ok());
    QCOMPARE(refused.error().kind, ErrorKind::Unsupported);
    QVERIFY2(refused.error().why.english().find("16") != std::string::npos, refused.error().line().c_str());
}

/// With a budget for which F16 has to halve the context, Q8_0 keeps it.
void KvCacheTest::longerAutomaticContext() {
    const std::string bytes = makeTinyModel({.layers = 8, .kvHeads = 4, .headDim = 128, .context = 32768}).bytes;
    const gguf::Header header = gguf::parse(std::as_bytes(std::span(bytes)), bytes.size()).value();
    const ModelShape shape = readModelShape(header).value();
    MemoryRequest request{.budget = uint64_t{4} << 30, .threads = 1, .held = 8 << 20};
    const MemoryPlan exact = planMemory(shape, header, request).value();
    QCOMPARE(exact.context, 32768);
    request.budget = exact.total() - exact.keyValue / 4;
    const MemoryPlan shorter = planMemory(shape, header, request).value();
    QVERIFY(shorter.context < 32768);
    request.keyValueFormat = TensorType::Q8_0;
    const MemoryPlan compact = planMemory(shape, header, request).value();
    QCOMPARE(compact.context, 32768);
    QCOMPARE(compact.keyValue, exact.keyValue / 64 * kBlockBytes);
}

void KvCacheTest::namesOfFormats() {
    QCOMPARE(parseKeyValueFormat("f16").value(), TensorType::F16);
    QCOMPARE(parseKeyValueFormat("q8_0").value(), TensorType::Q8_0);
    for (const char* name : {"", "F16", "q4_0", "q8_0 "})
        QCOMPARE(parseKeyValueFormat(name).error().kind, ErrorKind::BadInput);
}

QTEST_APPLESS_MAIN(KvCacheTest)
#include "tst_kv_cache.moc"
