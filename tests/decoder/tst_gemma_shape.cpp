// SPDX-License-Identifier: Apache-2.0
// Tests what the files of Gemma's families say, layer by layer, and what is refused.
#include "decoder/edited_models.h"
#include "decoder/kv_layout.h"
#include "model/layer_needs.h"

#include <QtTest>

#include <array>
#include <cmath>
#include <limits>

using namespace coterie::engine;
using namespace coterie::test;

namespace {

TinyModelOptions gemma2() { return {.architecture = "gemma2", .layers = 4, .window = 8}; }

TinyModelOptions gemma3() { return {.architecture = "gemma3", .layers = 7, .window = 8, .ropeStretch = 8}; }

/// Layers 2 and 5 see everything; with three shared layers, 3 and 4 use the keys of 1, and 5 those of 2.
TinyModelOptions gemma4(int64_t sharedLayers = 0) {
    return {.architecture = "gemma4", .layers = 6, .headDim = 64, .window = 8, .sharedLayers = sharedLayers};
}
TinyModelOptions gemma4Embeddings() {
    TinyModelOptions options = gemma4(3);
    options.layerEmbedding = 32;
    return options;
}
TinyModelOptions gemma4Experts() {
    TinyModelOptions options = gemma4();
    options.expertsBeside = true;
    return options;
}
TinyModelOptions withList(const TinyModelOptions& options, const std::string& key, const std::vector<int32_t>& list) {
    return with(options, key, [list](GgufWriter& w, const std::string& name) { w.i32s(name, list); });
}
TinyModelOptions withWindows(const TinyModelOptions& options, const std::vector<bool>& windows) {
    return with(options, "attention.sliding_window_pattern",
                [windows](GgufWriter& w, const std::string& name) { w.booleans(name, windows); });
}

constexpr uint64_t kHuge = ~uint64_t{0};
constexpr float kNan = std::numeric_limits<float>::quiet_NaN(), kInfinity = std::numeric_limits<float>::infinity();

} // namespace

class GemmaShapeTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void gemma2IsRead();
    void gemma3IsRead();
    void gemma4IsRead();
    void gemma4SharesKeys();
    void gemma4ExpertsAreRead();
    void gemma4EmbeddingsAreRead();
    void everyTensorIsNeeded();
    void edits_data();
    void edits() {
        QFETCH(Edit, edit);
        checkRefused(edit);
    }

  private:
    static void numbers(const TinyModelOptions& options, const char* key, std::initializer_list<uint64_t> values);
    static void floats(const TinyModelOptions& options, const char* key, std::initializer_list<float> values);
};

/// Caps, scales and windows by layer; and what the file may leave out.
void GemmaShapeTest::gemma2IsRead() {
    const auto shape = shapeOf(headerOf(gemma2()));
    QVERIFY2(shape.ok(), shape ? "" : shape.error().line().c_str());
    QVERIFY(shape->activation == Activation::GeGlu && shape->embeddingScale == 8 && shape->logitCap == 1);
    for (size_t i = 0; i < 4; ++i) {
        const LayerShape& layer = shape->layer[i];
        QCOMPARE(layer.attention.window, i % 2 == 0 ? 8 : 0);
        QVERIFY(layer.outputNorms && layer.attention.scoreCap == 2);
        QCOMPARE(layer.attention.scale, 1.0f / std::sqrt(32.0f));
    }
    TinyModelOptions silent = gemma2();
    silent.scoreCap = silent.logitCap = 0;
    const auto usual = shapeOf(headerOf(silent));
    QVERIFY(usual->layer[0].attention.scoreCap == 50 && usual->logitCap == 30);
    const auto none = shapeOf(headerOf(withFloat(gemma2(), "final_logit_softcapping", 0)));
    QVERIFY(none.ok() && none->logitCap == 0);
    const auto threes = shapeOf(headerOf(withNumber(gemma2(), "attention.sliding_window_pattern", 3)));
    QVERIFY(threes->layer[1].attention.window == 8 && threes->layer[2].attention.window == 0);
    TinyModelOptions large = gemma2(); // as Gemma 2 27B, whose heads don't divide the width
    large.layers = 46;
    QCOMPARE(shapeOf(headerOf(large))->layer[0].attention.scale, 1.0f / std::sqrt(16.0f));
    constexpr std::array needs{LayerNeed::Gelu, LayerNeed::OutputNorms, LayerNeed::SoftCaps, LayerNeed::ScoreScale,
                               LayerNeed::EmbeddingScale};
    QCOMPARE(needsAmong(needs, shapeOf(headerOf(large)).value()).size(), needs.size());
    QVERIFY(needsAmong(needs, shapeOf(headerOf({})).value()).empty());
}

/// Layers with a window have a rotation of their own.
void GemmaShapeTest::gemma3IsRead() {
    const auto shape = shapeOf(headerOf(gemma3()));
    QVERIFY2(shape.ok(), shape ? "" : shape.error().line().c_str());
    for (size_t i = 0; i < 7; ++i) {
        const AttentionShape& attention = shape->layer[i].attention;
        QVERIFY(attention.window == (i == 5 ? 0 : 8) && attention.ownRotation == (i != 5) && attention.scoreCap == 0);
    }
    QVERIFY(shape->logitCap == 0 && shape->embeddingScale == 8);
    QVERIFY(shape->rotation.theta == 1e6f && shape->rotation.factors == std::vector<double>(16, 8.0));
    const Rotation& own = shape->windowRotation;
    QVERIFY(own.theta == 1e4f && own.dimensions == 32 && own.factors.empty() && own.scale == 1);
    QCOMPARE(shapeOf(headerOf(plus(gemma3(), "rope.freq_base_swa", 500)))->windowRotation.theta, 500.0f);
    QCOMPARE(shapeOf(headerOf(withNumber(gemma3(), "rope.dimension_count_swa", 16)))->windowRotation.dimensions, 16);
    TinyModelOptions large = gemma3(); // as Gemma 3 27B
    large.layers = 62;
    QCOMPARE(shapeOf(headerOf(large))->layer[0].attention.scale, 1.0f / std::sqrt(16.0f));
    QVERIFY(needsAmong(std::array{LayerNeed::OwnRotations}, shapeOf(headerOf(gemma2())).value()).empty());
    QCOMPARE(needsAmong(std::array{LayerNeed::OwnRotations}, shape.value()).size(), size_t{1});
}

/// Heads, rotation, key heads and neurons by the kind of layer.
void GemmaShapeTest::gemma4IsRead() {
    const auto shape = shapeOf(headerOf(gemma4()));
    QVERIFY2(shape.ok(), shape ? "" : shape.error().line().c_str());
    for (size_t i = 0; i < 6; ++i) {
        const LayerShape& layer = shape->layer[i];
        const AttentionShape& attention = layer.attention;
        const bool window = i != 2 && i != 5;
        QCOMPARE(attention.window, window ? 8 : 0);
        QCOMPARE(attention.headDim, window ? 32 : 64);
        QCOMPARE(attention.kvHeads, window ? 2 : 1);
        QVERIFY(attention.ownRotation == window && attention.keysAreValues == !window && attention.hasKeys());
        QVERIFY(attention.scale == 1 && attention.normsValues && layer.outputNorms && layer.outputScale);
        QCOMPARE(layer.feedForward.width, 96);
    }
    QVERIFY(shape->rotation.dimensions == 64 && shape->rotation.theta == 1e6f && shape->logitCap == 1);
    QVERIFY(shape->windowRotation.dimensions == 32 && shape->windowRotation.theta == 1e4f);
    QVERIFY(!shapeOf(headerOf(without(gemma4(), "blk.1.layer_output_scale.weight")))->layer[1].outputScale);
    QVERIFY(shapeOf(headerOf(without(gemma4(), "blk.1.attn_v.weight")))->layer[1].attention.keysAreValues);
    constexpr std::array needs{LayerNeed::KeysAsValues, LayerNeed::ValueNorms, LayerNeed::OutputScales};
    QCOMPARE(needsAmong(needs, shape.value()).size(), needs.size());
    QVERIFY(needsAmong(std::array{LayerNeed::SharedKeys}, shape.value()).empty());
    QVERIFY(needsAmong(needs, shapeOf(headerOf(gemma3())).value()).empty());
}

/// A layer without keys uses those of the last earlier one of its kind that has some.
void GemmaShapeTest::gemma4SharesKeys() {
    const auto shape = shapeOf(headerOf(gemma4(3)));
    QVERIFY2(shape.ok(), shape ? "" : shape.error().line().c_str());
    constexpr std::array<int64_t, 6> keysOf{-1, -1, -1, 1, 1, 2};
    for (size_t i = 0; i < keysOf.size(); ++i) {
        QCOMPARE(shape->layer[i].attention.keysOf, keysOf[i]);
        QCOMPARE(shape->layer[i].feedForward.width, i < 3 ? 96 : 192);
        QVERIFY(!(shape->layer[i].attention.keysAreValues && i > 2));
    }
    QCOMPARE(needsAmong(std::array{LayerNeed::SharedKeys}, shape.value()).size(), size_t{1});
    // They take no memory: as many positions as in the first three layers.
    const KvLayout shared(shape.value(), TensorType::F16, 100, 10);
    ModelShape three = shape.value();
    three.layer.resize(3);
    QCOMPARE(KvLayout::bytesNeeded(shape.value(), TensorType::F16, 100, 10).value(),
             KvLayout::bytesNeeded(three, TensorType::F16, 100, 10).value());
    QCOMPARE(shared.bytesUpTo(50), KvLayout(three, TensorType::F16, 100, 10).bytesUpTo(50));
    QVERIFY(shared.layer(4).offset == shared.layer(1).offset && shared.layer(5).offset == shared.layer(2).offset);
}

/// The dense part takes the place of the shared expert.
void GemmaShapeTest::gemma4ExpertsAreRead() {
    const auto shape = shapeOf(headerOf(gemma4Experts()));
    QVERIFY2(shape.ok(), shape ? "" : shape.error().line().c_str());
    for (const LayerShape& layer : shape->layer) {
        const FeedForwardShape& f = layer.feedForward;
        QVERIFY(f.denseBeside && f.experts == 8 && f.expertsPerToken == 2 && f.width == 96 && f.sharedWidth == 160);
        QVERIFY(f.router.normalised && f.router.gating == Gating::Softmax && f.router.logitScale == 0.125f);
    }
    QVERIFY(!shape->isDense() && shapeOf(headerOf(gemma4()))->isDense());
    QCOMPARE(needsAmong(std::array{LayerNeed::DenseBesideExperts}, shape.value()).size(), size_t{1});
    QVERIFY(needsAmong(std::array{LayerNeed::DenseBesideExperts}, shapeOf(headerOf(gemma4())).value()).empty());
}

/// Each layer has its part of a token's row, also one that has experts.
void GemmaShapeTest::gemma4EmbeddingsAreRead() {
    const auto shape = shapeOf(headerOf(gemma4Embeddings()));
    QVERIFY2(shape.ok(), shape ? "" : shape.error().line().c_str());
    QCOMPARE(shape->layerEmbedding, 32);
    QCOMPARE(needsAmong(std::array{LayerNeed::LayerEmbeddings}, shape.value()).size(), size_t{1});
    QVERIFY(needsAmong(std::array{LayerNeed::LayerEmbeddings}, shapeOf(headerOf(gemma4())).value()).empty());
    QCOMPARE(shapeOf(headerOf(gemma4()))->layerEmbedding, 0);
    TinyModelOptions both = gemma4Experts();
    both.layerEmbedding = 32;
    QCOMPARE(shapeOf(headerOf(both))->layerEmbedding, 32);
}

void GemmaShapeTest::everyTensorIsNeeded() {
    for (const TinyModelOptions& sound : {gemma2(), gemma3(), gemma4(3), gemma4Embeddings(), gemma4Experts()}) {
        const std::string bytes = headerOf(sound);
        const auto header = gguf::parse(std::as_bytes(std::span(bytes)), bytes.size());
        QVERIFY(header.ok());
        for (const gguf::Tensor& tensor : header->tensors) {
            const std::string name(tensor.name);
            const bool optional = sound.architecture == "gemma4" &&
                                  (name.ends_with("attn_v.weight") || name.ends_with("layer_output_scale.weight"));
            QVERIFY2(shapeOf(headerOf(without(sound, name))).ok() == optional, name.c_str());
        }
    }
}

void GemmaShapeTest::numbers(const TinyModelOptions& options, const char* key, std::initializer_list<uint64_t> values) {
    for (const uint64_t value : values)
        QTest::addRow("%s %s = %llu", options.architecture.c_str(), key, static_cast<unsigned long long>(value))
            << Edit{withNumber(options, key, value), ErrorKind::BadInput, key};
}

void GemmaShapeTest::floats(const TinyModelOptions& options, const char* key, std::initializer_list<float> values) {
    for (const float value : values)
        QTest::addRow("%s %s = %g", options.architecture.c_str(), key, static_cast<double>(value))
            << Edit{withFloat(options, key, value), ErrorKind::BadInput, key};
}

void GemmaShapeTest::edits_data() {
    QTest::addColumn<Edit>("edit");
    for (const char* key : {"attention.sliding_window", "attention.sliding_window_pattern"})
        numbers(gemma2(), key, {0, uint64_t{1} << 40, kHuge});
    for (const char* key : {"attn_logit_softcapping", "final_logit_softcapping"})
        floats(gemma2(), key, {-1, 1e30f, kNan, kInfinity});
    numbers(gemma3(), "rope.dimension_count_swa", {0, 31, 33, 34, kHuge});
    floats(gemma3(), "rope.freq_base_swa", {0, -1, kNan, kInfinity});
    for (const char* key : {"attention.key_length_swa", "attention.value_length_swa", "attention.sliding_window"})
        numbers(gemma4(), key, {0, uint64_t{1} << 40, kHuge});
    numbers(gemma4(), "attention.value_length_swa", {31});
    numbers(gemma4(), "attention.shared_kv_layers", {6, 7, kHuge});
    int lists = 0;
    for (const char* key : {"attention.head_count_kv", "feed_forward_length"})
        for (const std::vector<int32_t>& list : std::vector<std::vector<int32_t>>{
                 {}, {2, 2, 1, 2, 2}, {2, 2, 1, 2, 2, 1, 2}, {2, 2, 1, 2, 0, 1}, {2, 2, 1, 2, -1, 1}})
            QTest::addRow("%s, list %d", key, ++lists) << Edit{withList(gemma4(), key, list), ErrorKind::BadInput, key};
    kinds("no list of windows", withNumber(gemma4(), "attention.sliding_window_pattern", 3), ErrorKind::BadInput,
          "attention.sliding_window_pattern");
    kinds("windows as numbers", withList(gemma4(), "attention.sliding_window_pattern", {1, 1, 0, 1, 1, 0}),
          ErrorKind::BadInput, "attention.sliding_window_pattern");
    for (const std::vector<bool>& windows : {std::vector<bool>(), std::vector<bool>(5), std::vector<bool>(7)})
        QTest::addRow("windows of %zu layers", windows.size())
            << Edit{withWindows(gemma4(), windows), ErrorKind::BadInput, "attention.sliding_window_pattern"};
    kinds("windows in the wrong places", withWindows(gemma4(), {true, false, true, true, true, false}),
          ErrorKind::BadInput, "blk.1.attn_q.weight");
    kinds("shared keys that no layer has", withWindows(gemma4(1), {true, true, true, true, true, false}),
          ErrorKind::BadInput, "attention.shared_kv_layers");
    kinds("shared keys of other heads", withList(gemma4(3), "attention.head_count_kv", {2, 2, 1, 2, 1, 1}),
          ErrorKind::BadInput, "attention.head_count_kv");
    kinds("keys beside shared ones", withTensor(gemma4(3), "blk.4.attn_k.weight", {64, 64}, 0), ErrorKind::Unsupported,
          "blk.4.attn_k.weight");
    const TinyModelOptions embeddings = gemma4Embeddings();
    const char *length = "embedding_length_per_layer_input", *table = "per_layer_token_embd.weight";
    numbers(embeddings, length, {uint64_t{1} << 40, kHuge});
    kinds("embeddings by layer that are not there", withNumber(gemma4(), length, 16), ErrorKind::BadInput, table);
    kinds("embeddings by layer without a length", withNumber(embeddings, length, 0), ErrorKind::Unsupported, table);
    for (const uint64_t wrong : {1, 16, 31, 33, 64, 1 << 24})
        QTest::addRow("embeddings by layer of %d", static_cast<int>(wrong))
            << Edit{withNumber(embeddings, length, wrong), ErrorKind::BadInput, table};
    for (const uint64_t rows : {1, 299, 301})
        QTest::addRow("%d rows of embeddings by layer", static_cast<int>(rows))
            << Edit{withTensor(embeddings, table, {6 * 32, rows}, 0), ErrorKind::BadInput, table};
    kinds("a row of embeddings for one layer", withTensor(embeddings, table, {32, 300}, 0), ErrorKind::BadInput, table);
    kinds("a table of three dimensions", withTensor(embeddings, table, {32, 6, 300}, 0), ErrorKind::BadInput, table);
    kinds("a table in an unknown format", withTensor(embeddings, table, {6 * 32, 300}, 77), ErrorKind::Unsupported,
          table);
    kinds("a projection of another width", withTensor(embeddings, "per_layer_model_proj.weight", {32, 6 * 32}, 0),
          ErrorKind::BadInput, "per_layer_model_proj.weight");
    kinds("a projection for fewer layers", withTensor(embeddings, "per_layer_model_proj.weight", {64, 5 * 32}, 0),
          ErrorKind::BadInput, "per_layer_model_proj.weight");
    kinds("a norm of all layers", withTensor(embeddings, "per_layer_proj_norm.weight", {6 * 32}, 0),
          ErrorKind::BadInput, "per_layer_proj_norm.weight");
    kinds("a gate that is turned", withTensor(embeddings, "blk.2.inp_gate.weight", {32, 64}, 0), ErrorKind::BadInput,
          "blk.2.inp_gate.weight");
    kinds("an output that is turned", withTensor(embeddings, "blk.2.proj.weight", {64, 32}, 0), ErrorKind::BadInput,
          "blk.2.proj.weight");
    kinds("embeddings by layer in gemma3", plus(gemma3(), length, 16), ErrorKind::Unsupported, length);
    kinds("experts in gemma3", plus(gemma3(), "expert_count", 8), ErrorKind::BadInput, "expert_count");
    numbers(gemma4Experts(), "expert_used_count", {0, 9, kHuge});
    numbers(gemma4Experts(), "expert_feed_forward_length", {0, uint64_t{1} << 40, kHuge});
    kinds("other experts in gemma4", withNumber(gemma4Experts(), "expert_count", 7), ErrorKind::BadInput,
          "ffn_gate_inp.weight");
    kinds("no experts in gemma4", withNumber(gemma4Experts(), "expert_count", 0), ErrorKind::Unsupported, "blk.0.");
    kinds("halves of another width", withNumber(gemma4Experts(), "expert_feed_forward_length", 48), ErrorKind::BadInput,
          "ffn_gate_up_exps.weight");
    kinds("caps in gemma3", plus(gemma3(), "attn_logit_softcapping", 50), ErrorKind::Unsupported,
          "attn_logit_softcapping");
    kinds("a norm of another width", withTensor(gemma2(), "blk.1.post_ffw_norm.weight", {32}, 0), ErrorKind::BadInput,
          "post_ffw_norm.weight");
}

QTEST_APPLESS_MAIN(GemmaShapeTest)
#include "tst_gemma_shape.moc"
