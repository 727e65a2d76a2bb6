// SPDX-License-Identifier: Apache-2.0
// Tests what the files of Gemma's families say, layer by layer, and what is refused.
#include "decoder/edited_models.h"
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

constexpr uint64_t kHuge = ~uint64_t{0};
constexpr float kNan = std::numeric_limits<float>::quiet_NaN(), kInfinity = std::numeric_limits<float>::infinity();

} // namespace

class GemmaShapeTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void gemma2IsRead();
    void gemma3IsRead();
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

void GemmaShapeTest::everyTensorIsNeeded() {
    for (const TinyModelOptions& sound : {gemma2(), gemma3()}) {
        const std::string bytes = headerOf(sound);
        const auto header = gguf::parse(std::as_bytes(std::span(bytes)), bytes.size());
        QVERIFY(header.ok());
        for (const gguf::Tensor& tensor : header->tensors) {
            const std::string name(tensor.name);
            QVERIFY2(!shapeOf(headerOf(without(sound, name))).ok(), name.c_str());
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
    kinds("caps in gemma3", plus(gemma3(), "attn_logit_softcapping", 50), ErrorKind::Unsupported,
          "attn_logit_softcapping");
    kinds("a norm of another width", withTensor(gemma2(), "blk.1.post_ffw_norm.weight", {32}, 0), ErrorKind::BadInput,
          "post_ffw_norm.weight");
}

QTEST_APPLESS_MAIN(GemmaShapeTest)
#include "tst_gemma_shape.moc"
