// SPDX-License-Identifier: Apache-2.0
// What a model's metadata must say, and what is answered where they lie: each edit of a sound file is one clear error.
#include "decoder/loaded_model.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <functional>

using namespace coterie::engine;
using namespace coterie::test;

namespace {

Result<ModelShape> shapeOf(const std::string& bytes, int64_t context = 0) {
    const std::span file(reinterpret_cast<const std::byte*>(bytes.data()), bytes.size());
    const auto header = gguf::parse(file, file.size());
    if (!header) return header.error();
    return readModelShape(header.value(), context);
}

/// A sound file but for one thing.
struct Edit {
    TinyModelOptions options;
    ErrorKind kind = ErrorKind::BadInput;
    std::string named; // by the error: the key or the tensor
};

TinyModelOptions llama() { return {}; }
TinyModelOptions smallThinker() { return {.architecture = "smallthinker", .layers = 5, .window = 8, .tied = false}; }

/// The key with another value.
TinyModelOptions with(TinyModelOptions options, const std::string& key,
                      std::function<void(GgufWriter&, const std::string&)> write) {
    options.skipKey = options.architecture + "." + key;
    options.extraKeys = [write, name = options.skipKey](GgufWriter& w) { write(w, name); };
    return options;
}
TinyModelOptions withNumber(const TinyModelOptions& options, const std::string& key, uint64_t value) {
    return with(options, key, [value](GgufWriter& w, const std::string& name) { w.u64(name, value); });
}
TinyModelOptions withFloat(const TinyModelOptions& options, const std::string& key, float value) {
    return with(options, key, [value](GgufWriter& w, const std::string& name) { w.f32(name, value); });
}
TinyModelOptions withText(const TinyModelOptions& options, const std::string& key, const std::string& value) {
    return with(options, key, [value](GgufWriter& w, const std::string& name) { w.string(name, value); });
}
TinyModelOptions without(TinyModelOptions options, const std::string& tensor) {
    options.skipTensor = tensor;
    return options;
}
/// A tensor with another shape or format, or one more.
TinyModelOptions withTensor(TinyModelOptions options, const std::string& name, const std::vector<uint64_t>& shape,
                            uint32_t type) {
    options.skipTensor = name;
    uint64_t elements = 1;
    for (const uint64_t size : shape) elements *= size;
    const auto known = typeTraits(type);
    const std::string data(known ? elements / known->blockElements * known->blockBytes : 32, '\0');
    options.extraKeys = [=](GgufWriter& w) { w.tensor(name, shape, type, data); };
    return options;
}

void kinds(const char* name, TinyModelOptions options, ErrorKind kind, const char* named) {
    QTest::addRow("%s", name) << Edit{std::move(options), kind, named};
}

} // namespace

class ModelShapeTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void llamaIsRead();
    void smallThinkerIsRead();
    void flavoursAreToldByShape();
    void squareExpertsAreToldByThePredictor();
    void valuesWhereTheFileIsSilent();
    void arraysOfOneNumberALayer();
    void linearScaling();
    void yarnFromTheFile();
    void contextBeyondTheTrainedOne();
    void everyMissingKeyAndTensor();
    void edits_data();
    void edits();
    void unknownArchitectureListsTheKnown();

  private:
    static void numbers();
    static void variants();
    static void tensors();
};

void ModelShapeTest::llamaIsRead() {
    const auto shape = shapeOf(makeTinyModel({.layers = 3, .tied = false}).bytes);
    QVERIFY2(shape.ok(), shape ? "" : shape.error().line().c_str());
    const ModelShape& s = shape.value();
    QCOMPARE(std::string(s.architecture->name), std::string("llama"));
    QCOMPARE(s.name, std::string("tiny-llama"));
    QCOMPARE(std::vector<int64_t>(
                 {s.layers, s.width, s.heads, s.kvHeads, s.headDim, s.feedForward, s.vocabulary, s.trainedContext}),
             std::vector<int64_t>({3, 64, 4, 2, 32, 96, 300, 512}));
    QVERIFY(s.experts == 0 && !s.tiedHead && s.slidingWindow == 0 && s.notes.empty());
    for (const LayerShape& layer : s.layer) QVERIFY(layer.rope && layer.window == 0);
}

void ModelShapeTest::smallThinkerIsRead() {
    const auto shape = shapeOf(makeTinyModel(smallThinker()).bytes);
    QVERIFY2(shape.ok(), shape ? "" : shape.error().line().c_str());
    const ModelShape& s = shape.value();
    QVERIFY(s.experts == 8 && s.expertsPerToken == 2 && s.gating == Gating::Sigmoid && s.slidingWindow == 8);
    for (size_t i = 0; i < 5; ++i) {
        QCOMPARE(s.layer[i].rope, i % 4 != 0);
        QCOMPARE(s.layer[i].window, i % 4 != 0 ? 8 : 0);
    }
}

void ModelShapeTest::flavoursAreToldByShape() {
    TinyModelOptions options = smallThinker();
    QVERIFY(!shapeOf(makeTinyModel(options).bytes)->transposedDown);
    options.transposedDown = true;
    options.headPredictorRank = 5;
    const auto shape = shapeOf(makeTinyModel(options).bytes);
    QVERIFY(shape.ok() && shape.value().transposedDown);
    QCOMPARE(shape.value().headPredictorRank, 5);
    QCOMPARE(shape.value().notes.size(), size_t{1});
}

void ModelShapeTest::squareExpertsAreToldByThePredictor() {
    TinyModelOptions options = smallThinker();
    options.feedForward = options.width;
    QVERIFY(!shapeOf(makeTinyModel(options).bytes)->transposedDown);
    options.headPredictorRank = 2;
    QVERIFY(shapeOf(makeTinyModel(options).bytes)->transposedDown);
}

void ModelShapeTest::valuesWhereTheFileIsSilent() {
    TinyModelOptions options = smallThinker();
    options.gating = "";
    const auto shape = shapeOf(makeTinyModel(options).bytes);
    QVERIFY(shape.ok() && shape.value().gating == Gating::Sigmoid);
    QCOMPARE(shape.value().notes.size(), size_t{1});
    TinyModelOptions bare{.heads = 2, .kvHeads = 2}; // width / heads is the head's width
    bare.skipKey = "llama.attention.key_length";
    QCOMPARE(shapeOf(makeTinyModel(bare).bytes)->headDim, 32);
    bare.skipKey = "llama.attention.head_count_kv";
    QCOMPARE(shapeOf(makeTinyModel(bare).bytes)->kvHeads, 2);
    bare.skipKey = "llama.rope.dimension_count";
    QCOMPARE(shapeOf(makeTinyModel(bare).bytes)->ropeDimensions, 32);
}

void ModelShapeTest::arraysOfOneNumberALayer() {
    const auto list = [](std::vector<int32_t> values) {
        return with(llama(), "feed_forward_length",
                    [values](GgufWriter& w, const std::string& name) { w.i32s(name, values); });
    };
    QCOMPARE(shapeOf(makeTinyModel(list({96, 96})).bytes)->feedForward, 96);
    for (const auto& values : {std::vector<int32_t>{96, 64}, {}, {-96, -96}})
        QVERIFY(!shapeOf(makeTinyModel(list(values)).bytes).ok());
}

void ModelShapeTest::linearScaling() {
    TinyModelOptions options = withText(llama(), "rope.scaling.type", "linear");
    const auto type = options.extraKeys;
    options.extraKeys = [type](GgufWriter& w) { type(w), w.f32("llama.rope.scaling.factor", 4); };
    QCOMPARE(shapeOf(makeTinyModel(options).bytes)->ropeFactors, std::vector<double>(16, 4.0));
    QCOMPARE(shapeOf(makeTinyModel(withText(llama(), "rope.scaling.type", "none")).bytes)->ropeFactors,
             std::vector<double>());
}

/// The published formula at its two ends and between: 16 pairs that turn 512 / (2 pi 10000^(i/16)) times over 512
/// tokens.
void ModelShapeTest::yarnFromTheFile() {
    TinyModelOptions options = withText(llama(), "rope.scaling.type", "yarn");
    const auto type = options.extraKeys;
    options.extraKeys = [type](GgufWriter& w) {
        type(w);
        w.f32("llama.rope.scaling.factor", 4).u32("llama.rope.scaling.original_context_length", 512);
    };
    const auto shape = shapeOf(makeTinyModel(options).bytes);
    QVERIFY2(shape.ok(), shape ? "" : shape.error().line().c_str());
    const ModelShape& s = shape.value();
    QCOMPARE(s.longestContext, s.trainedContext);
    QCOMPARE(s.ropeFactors.size(), size_t{16});
    QCOMPARE(s.ropeFactors.front(), 1.0); // 81 turns: stays
    QCOMPARE(s.ropeFactors.back(), 4.0);  // less than a turn: stretched
    QVERIFY(std::is_sorted(s.ropeFactors.begin(), s.ropeFactors.end()));
    // Pair 4 lies 3/7 up the ramp from pair 1 (32 turns, rounded down) to pair 8 (one turn, rounded up).
    QVERIFY(std::abs(1 / s.ropeFactors[4] - (3.0 / 7 / 4 + 4.0 / 7)) < 1e-12);
    QCOMPARE(s.ropeScale, 1 + 0.1 * std::log(4.0));
    QVERIFY(s.notes.empty());
}

void ModelShapeTest::contextBeyondTheTrainedOne() {
    const auto plain = shapeOf(makeTinyModel(llama()).bytes, 512);
    QVERIFY(plain.ok() && plain->ropeFactors.empty() && plain->notes.empty());
    const auto asked = shapeOf(makeTinyModel(llama()).bytes, 2048);
    QVERIFY2(asked.ok(), asked ? "" : asked.error().line().c_str());
    QCOMPARE(asked->longestContext, 2048);
    QCOMPARE(asked->notes.size(), size_t{1});
    for (const char* said : {"2048", "512", "YaRN", "by 4 "})
        QVERIFY2(asked->notes[0].find(said) != std::string::npos, asked->notes[0].c_str());

    // The same as a file that asks for it.
    TinyModelOptions inFile = withText(llama(), "rope.scaling.type", "yarn");
    const auto type = inFile.extraKeys;
    inFile.extraKeys = [type](GgufWriter& w) {
        type(w), w.f32("llama.rope.scaling.factor", 2).u32("llama.rope.scaling.original_context_length", 256);
    };
    const auto grown = shapeOf(makeTinyModel(inFile).bytes, 1024);
    QVERIFY(grown.ok());
    TinyModelOptions trainedShorter = llama();
    trainedShorter.context = 256;
    QCOMPARE(grown->ropeFactors, shapeOf(makeTinyModel(trainedShorter).bytes, 1024)->ropeFactors);
    QCOMPARE(grown->ropeScale, 1 + 0.1 * std::log(4.0));

    // Where all layers that rotate have a window nothing is scaled.
    const auto windowed = shapeOf(makeTinyModel(smallThinker()).bytes, 2048);
    QVERIFY(windowed.ok() && windowed->ropeFactors.empty() && windowed->notes.size() == 1);

    const auto tooLong = shapeOf(makeTinyModel(llama()).bytes, 512 * 64 + 1);
    QVERIFY(!tooLong.ok());
    QCOMPARE(tooLong.error().kind, ErrorKind::BadInput);
    QVERIFY(tooLong.error().action.find(std::to_string(512 * 64)) != std::string::npos);
}

void ModelShapeTest::everyMissingKeyAndTensor() {
    for (const char* key : {"block_count", "context_length", "embedding_length", "attention.head_count", "expert_count",
                            "expert_used_count"}) {
        TinyModelOptions options = smallThinker();
        options.skipKey = std::string("smallthinker.") + key;
        const auto shape = shapeOf(makeTinyModel(options).bytes);
        QVERIFY2(!shape.ok(), key);
        QVERIFY2(shape.error().line().find(key) != std::string::npos, shape.error().line().c_str());
    }
    for (const TinyModelOptions& sound : {llama(), smallThinker()}) {
        const std::string bytes = makeTinyModel(sound).bytes;
        const auto header = gguf::parse(std::as_bytes(std::span(bytes)), bytes.size());
        QVERIFY(header.ok());
        for (const gguf::Tensor& tensor : header.value().tensors) {
            const std::string name(tensor.name);
            const auto shape = shapeOf(makeTinyModel(without(sound, name)).bytes);
            if (name == "output.weight") { // tied then
                QVERIFY(shape.ok());
                continue;
            }
            QVERIFY2(!shape.ok(), name.c_str());
            QCOMPARE(shape.error().kind, ErrorKind::BadInput);
            QVERIFY2(shape.error().line().find(name) != std::string::npos, shape.error().line().c_str());
        }
    }
}

void ModelShapeTest::edits_data() {
    QTest::addColumn<Edit>("edit");
    numbers();
    variants();
    tensors();
}

void ModelShapeTest::numbers() {
    const auto number = [](const char* key, uint64_t value, const TinyModelOptions& options = llama()) {
        QTest::addRow("%s = %llu", key, static_cast<unsigned long long>(value))
            << Edit{withNumber(options, key, value), ErrorKind::BadInput, key};
    };
    constexpr uint64_t huge = ~uint64_t{0};
    for (const uint64_t value : {uint64_t{0}, uint64_t{60001}, uint64_t{1} << 40, huge}) {
        number("block_count", value);
        number("attention.head_count", value);
        number("attention.head_count_kv", value);
        number("expert_used_count", value, smallThinker());
    }
    for (const uint64_t value : {uint64_t{0}, uint64_t{1} << 40, huge}) {
        number("expert_count", value, smallThinker());
        for (const char* key : {"context_length", "embedding_length", "feed_forward_length", "attention.key_length",
                                "attention.value_length", "rope.dimension_count"})
            number(key, value);
    }
    number("attention.head_count", 3); // 2 key heads don't divide it
    number("attention.value_length", 16);
    number("rope.dimension_count", 31);
    number("rope.dimension_count", 34); // more than the head has
    number("expert_used_count", 9, smallThinker());
    number("attention.sliding_window", huge, smallThinker());
}

void ModelShapeTest::variants() {
    kinds("one layer more", withNumber(llama(), "block_count", 3), ErrorKind::BadInput, "blk.2.");
    kinds("one layer less", withNumber(llama(), "block_count", 1), ErrorKind::Unsupported, "blk.1.");
    kinds("other heads", withNumber(llama(), "attention.head_count", 8), ErrorKind::BadInput, "attn_q.weight");
    kinds("other experts", withNumber(smallThinker(), "expert_count", 7), ErrorKind::BadInput, "ffn_gate_inp.weight");
    kinds("other width", withNumber(llama(), "embedding_length", 96), ErrorKind::BadInput, "token_embd.weight");
    kinds("experts in llama", withNumber(llama(), "expert_count", 8), ErrorKind::Unsupported, "expert_count");
    kinds("gating 4", withNumber(smallThinker(), "expert_gating_func", 4), ErrorKind::Unsupported,
          "expert_gating_func");
    kinds("text for a number", withText(llama(), "block_count", "two"), ErrorKind::BadInput, "block_count");
    kinds("text for theta", withText(llama(), "rope.freq_base", "x"), ErrorKind::BadInput, "rope.freq_base");
    for (const float value :
         {0.0f, -1.0f, std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
        QTest::addRow("theta %f", static_cast<double>(value))
            << Edit{withFloat(llama(), "rope.freq_base", value), ErrorKind::BadInput, "rope.freq_base"};
        if (value != 0)
            QTest::addRow("epsilon %f", static_cast<double>(value))
                << Edit{withFloat(llama(), "attention.layer_norm_rms_epsilon", value), ErrorKind::BadInput,
                        "layer_norm_rms_epsilon"};
    }
    kinds("unknown scaling", withText(llama(), "rope.scaling.type", "longrope"), ErrorKind::Unsupported, "longrope");
    kinds("scaling is a number", withNumber(llama(), "rope.scaling.type", 1), ErrorKind::BadInput, "rope.scaling.type");
}

void ModelShapeTest::tensors() {
    const uint32_t f32 = static_cast<uint32_t>(TensorType::F32), iq2Xxs = 16;
    kinds("embedding too narrow", withTensor(llama(), "token_embd.weight", {63, 300}, f32), ErrorKind::BadInput,
          "token_embd.weight");
    kinds("norm too short", withTensor(llama(), "output_norm.weight", {63}, f32), ErrorKind::BadInput,
          "output_norm.weight");
    kinds("q turned", withTensor(llama(), "blk.0.attn_q.weight", {128, 64}, f32), ErrorKind::BadInput, "attn_q.weight");
    kinds("bias too long", withTensor(llama(), "blk.0.attn_q.bias", {129}, f32), ErrorKind::BadInput, "attn_q.bias");
    kinds("rope_freqs too long", withTensor(llama(), "rope_freqs.weight", {17}, f32), ErrorKind::BadInput,
          "rope_freqs.weight");
    kinds("an expert too few", withTensor(smallThinker(), "blk.3.ffn_up_exps.weight", {64, 96, 7}, f32),
          ErrorKind::BadInput, "ffn_up_exps");
    kinds("down of another shape", withTensor(smallThinker(), "blk.0.ffn_down_exps.weight", {95, 64, 8}, f32),
          ErrorKind::BadInput, "ffn_down_exps");
    kinds("one layer of the other flavour", withTensor(smallThinker(), "blk.2.ffn_down_exps.weight", {64, 96, 8}, f32),
          ErrorKind::BadInput, "blk.2.");
    kinds("half a predictor", withTensor(smallThinker(), "lm_head_profiler.weight", {365}, f32), ErrorKind::BadInput,
          "lm_head_profiler");
    kinds("predictor in two dimensions", withTensor(smallThinker(), "lm_head_profiler.weight", {364, 2}, f32),
          ErrorKind::BadInput, "lm_head_profiler");
    kinds("a tensor nobody knows", withTensor(llama(), "blk.0.ssm_a", {96}, f32), ErrorKind::Unsupported,
          "blk.0.ssm_a");
    kinds("a dense bias too short", withTensor(llama(), "blk.0.ffn_gate.bias", {95}, f32), ErrorKind::BadInput,
          "ffn_gate.bias");
    TinyModelOptions wide{.width = 256, .heads = 8, .feedForward = 256};
    kinds("a format without kernels", withTensor(wide, "blk.1.ffn_up.weight", {256, 256}, iq2Xxs),
          ErrorKind::Unsupported, "IQ2_XXS");
    kinds("a format that isn't", withTensor(wide, "blk.1.ffn_up.weight", {256, 256}, 4), ErrorKind::Unsupported,
          "blk.1.ffn_up.weight");
}

void ModelShapeTest::edits() {
    QFETCH(Edit, edit);
    const auto shape = shapeOf(makeTinyModel(edit.options).bytes);
    QVERIFY(!shape.ok());
    const Error& error = shape.error();
    QVERIFY2(error.kind == edit.kind, error.line().c_str());
    QVERIFY2(error.line().find(edit.named) != std::string::npos, error.line().c_str());
    QVERIFY2(error.line().find("not a valid GGUF") == std::string::npos,
             error.line().c_str()); // the container is sound
    QVERIFY2(!error.what.empty() && !error.why.empty() && !error.action.empty(), error.line().c_str());
}

void ModelShapeTest::unknownArchitectureListsTheKnown() {
    TinyModelOptions options;
    options.architecture = "mamba";
    const auto shape = shapeOf(makeTinyModel(options).bytes);
    QCOMPARE(shape.error().kind, ErrorKind::Unsupported);
    QVERIFY(shape.error().what.find("mamba") != std::string::npos);
    for (const Architecture* architecture : architectures())
        QVERIFY(shape.error().why.find(architecture->name) != std::string::npos);
    QVERIFY(shape.error().why.find("besides") == std::string::npos); // its weights are those of the families here
    TinyModelOptions other = withTensor(options, "blk.1.ssm_a", {96}, 0);
    const auto more = shapeOf(makeTinyModel(other).bytes);
    QVERIFY2(more.error().why.find("besides, the file has ssm_a that none") != std::string::npos,
             more.error().line().c_str());
    options.skipKey = "general.architecture";
    QCOMPARE(shapeOf(makeTinyModel(options).bytes).error().kind, ErrorKind::BadInput);
}

QTEST_APPLESS_MAIN(ModelShapeTest)
#include "tst_model_shape.moc"
