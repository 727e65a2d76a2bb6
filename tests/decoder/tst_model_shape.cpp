// SPDX-License-Identifier: Apache-2.0
// The metadata and tensors that a model must have: each wrong edit of a sound file gives one clear error.
#include "decoder/edited_models.h"
#include "decoder/tiny_families.h"
#include "model/layer_needs.h"
#include "model/model_tensors.h"

#include <QtTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

using namespace coterie::engine;
using namespace coterie::test;

namespace {

TinyModelOptions llama() { return {}; }
TinyModelOptions gptOss() { return {.architecture = "gpt-oss", .layers = 3, .window = 8, .tied = false}; }
TinyModelOptions qwen2Moe() { return {.architecture = "qwen2moe", .tied = false}; }
TinyModelOptions glm4Moe() {
    return {.architecture = "glm4moe", .layers = 3, .sharedFeedForward = 96, .ropeDimensions = 16, .tied = false};
}
TinyModelOptions qwen3Moe() { return {.architecture = "qwen3moe", .tied = false}; }
TinyModelOptions qwen35() { return {.architecture = "qwen35", .layers = 4, .attentionInterval = 4}; }
TinyModelOptions qwen3Next() { return {.architecture = "qwen3next", .layers = 3, .tied = false}; }
TinyModelOptions lfm2() { return {.architecture = "lfm2", .layers = 4, .taps = 3}; }
TinyModelOptions smallThinker() { return {.architecture = "smallthinker", .layers = 5, .window = 8, .tied = false}; }

/// The model with this list of layers that recur, beside an interval that says otherwise.
TinyModelOptions withRecurrence(const TinyModelOptions& options, const std::vector<bool>& list) {
    return with(options, "full_attention_interval", [list](GgufWriter& w, const std::string& name) {
        w.u32(name, 1).booleans("qwen35.attention.recurrent_layers", list);
    });
}

TinyModelOptions yarn(const TinyModelOptions& options, float factor, float original) {
    return plus(plus(withText(options, "rope.scaling.type", "yarn"), "rope.scaling.factor", factor),
                "rope.scaling.original_context_length", original);
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
    void longContextBesideTheFilesOwnScaling();
    void yarnOptions();
    void gptOssIsRead();
    void recurrentLayersAreRead();
    void shortConvolutionsAreRead();
    void qwen2MoeIsRead();
    void joinedExpertsAreFound();
    void glm4MoeIsRead();
    void routersByKeys();
    void draftLayersAreLeftOut();
    void everyKindOfTensorIsKnown();
    void everyMissingKeyAndTensor();
    void edits_data();
    void edits();
    void unknownArchitectureListsTheKnown();
    void theFuzzersDictionaryIsWhole();

  private:
    static void numbers();
    static void variants();
    static void newerVariants();
    static void ropeVariants();
    static void tensors();
};

void ModelShapeTest::llamaIsRead() {
    const auto shape = shapeOf(headerOf({.layers = 3, .tied = false}));
    QVERIFY2(shape.ok(), shape ? "" : shape.error().line().c_str());
    const ModelShape& s = shape.value();
    QCOMPARE(std::string(s.architecture->name), std::string("llama"));
    QCOMPARE(s.name, std::string("tiny-llama"));
    const AttentionShape& attention = s.layer[2].attention;
    QCOMPARE(std::vector<int64_t>({s.layers, s.width, attention.heads, attention.kvHeads, attention.headDim,
                                   s.layer[2].feedForward.width, s.vocabulary, s.trainedContext}),
             std::vector<int64_t>({3, 64, 4, 2, 32, 96, 300, 512}));
    QVERIFY(s.isDense() && !s.tiedHead && s.slidingWindow == 0 && s.notes.empty());
    for (const LayerShape& layer : s.layer)
        QVERIFY(layer.hasAttention() && layer.attention.rope && layer.attention.window == 0);
}

void ModelShapeTest::smallThinkerIsRead() {
    const auto shape = shapeOf(headerOf(smallThinker()));
    QVERIFY2(shape.ok(), shape ? "" : shape.error().line().c_str());
    const ModelShape& s = shape.value();
    QCOMPARE(s.slidingWindow, 8);
    for (size_t i = 0; i < 5; ++i) {
        const FeedForwardShape& experts = s.layer[i].feedForward;
        QVERIFY(experts.experts == 8 && experts.expertsPerToken == 2 && experts.router.gating == Gating::Sigmoid);
        QCOMPARE(s.layer[i].attention.rope, i % 4 != 0);
        QCOMPARE(s.layer[i].attention.window, i % 4 != 0 ? 8 : 0);
    }
}

void ModelShapeTest::flavoursAreToldByShape() {
    TinyModelOptions options = smallThinker();
    QVERIFY(!shapeOf(headerOf(options))->transposedDown);
    options.transposedDown = true;
    options.headPredictorRank = 5;
    const auto shape = shapeOf(headerOf(options));
    QVERIFY(shape.ok() && shape.value().transposedDown);
    QCOMPARE(shape.value().headPredictorRank, 5);
    QVERIFY(shape.value().notes.empty());
}

void ModelShapeTest::squareExpertsAreToldByThePredictor() {
    TinyModelOptions options = smallThinker();
    options.feedForward = options.width;
    QVERIFY(!shapeOf(headerOf(options))->transposedDown);
    options.headPredictorRank = 2;
    QVERIFY(shapeOf(headerOf(options))->transposedDown);
}

void ModelShapeTest::valuesWhereTheFileIsSilent() {
    TinyModelOptions options = smallThinker();
    options.gating = "";
    const auto shape = shapeOf(headerOf(options));
    QVERIFY(shape.ok() && shape->layer[0].feedForward.router.gating == Gating::Sigmoid);
    QCOMPARE(shape.value().notes.size(), size_t{1});
    TinyModelOptions bare{.heads = 2, .kvHeads = 2}; // width / heads is the head's width
    bare.skipKey = "llama.attention.key_length";
    QCOMPARE(shapeOf(headerOf(bare))->layer[0].attention.headDim, 32);
    bare.skipKey = "llama.attention.head_count_kv";
    QCOMPARE(shapeOf(headerOf(bare))->layer[0].attention.kvHeads, 2);
    bare.skipKey = "llama.rope.dimension_count";
    QCOMPARE(shapeOf(headerOf(bare))->rotation.dimensions, 32);
}

void ModelShapeTest::arraysOfOneNumberALayer() {
    const auto list = [](std::vector<int32_t> values) {
        return with(llama(), "feed_forward_length",
                    [values](GgufWriter& w, const std::string& name) { w.i32s(name, values); });
    };
    QCOMPARE(shapeOf(headerOf(list({96, 96})))->layer[1].feedForward.width, 96);
    for (const auto& values : {std::vector<int32_t>{96, 64}, {}, {-96, -96}})
        QVERIFY(!shapeOf(headerOf(list(values))).ok());
}

void ModelShapeTest::linearScaling() {
    const std::vector<double> four(16, 4.0), none;
    const TinyModelOptions linear = withText(llama(), "rope.scaling.type", "linear");
    const auto factors = [](const TinyModelOptions& options) { return shapeOf(headerOf(options))->rotation.factors; };
    QCOMPARE(factors(plus(linear, "rope.scaling.factor", 4)), four);
    QCOMPARE(factors(plus(llama(), "rope.scaling.factor", 4)), four); // the default type is linear
    QCOMPARE(factors(plus(linear, "rope.scale_linear", 4)), four);    // the older key
    QCOMPARE(factors(plus(plus(linear, "rope.scale_linear", 2), "rope.scaling.factor", 4)), four);
    QCOMPARE(factors(plus(linear, "rope.scaling.factor", 0)), none);
    QCOMPARE(shapeOf(headerOf(plus(linear, "rope.scaling.attn_factor", 2)))->rotation.scale, 2.0);
    QCOMPARE(shapeOf(headerOf(withText(llama(), "rope.scaling.type", "none")))->rotation.factors,
             std::vector<double>());
}

/// Checks the published formula at its two ends and between: 16 pairs turn 512 / (2 pi 10000^(i/16)) times over 512
/// tokens.
void ModelShapeTest::yarnFromTheFile() {
    const auto shape = shapeOf(headerOf(yarn(llama(), 4, 512)));
    QVERIFY2(shape.ok(), shape ? "" : shape.error().line().c_str());
    const ModelShape& s = shape.value();
    QCOMPARE(s.longestContext, s.trainedContext);
    QCOMPARE(s.rotation.factors.size(), size_t{16});
    QCOMPARE(s.rotation.factors.front(), 1.0); // 81 turns: stays
    QCOMPARE(s.rotation.factors.back(), 4.0);  // less than a turn: stretched
    QVERIFY(std::is_sorted(s.rotation.factors.begin(), s.rotation.factors.end()));
    // Pair 4 lies 3/7 up the ramp from pair 1 (32 turns, rounded down) to pair 8 (one turn, rounded up).
    QVERIFY(std::abs(1 / s.rotation.factors[4] - (3.0 / 7 / 4 + 4.0 / 7)) < 1e-12);
    QCOMPARE(s.rotation.scale, 1 + 0.1 * std::log(4.0));
    QVERIFY(s.notes.empty());
}

void ModelShapeTest::contextBeyondTheTrainedOne() {
    const auto plain = shapeOf(headerOf(llama()), 512);
    QVERIFY(plain.ok() && plain->rotation.factors.empty() && plain->notes.empty());
    const auto asked = shapeOf(headerOf(llama()), 2048);
    QVERIFY2(asked.ok(), asked ? "" : asked.error().line().c_str());
    QCOMPARE(asked->longestContext, 2048);
    QCOMPARE(asked->notes.size(), size_t{1});
    for (const char* said : {"2048", "512", "YaRN", "by 4 "})
        QVERIFY2(asked->notes[0].english().find(said) != std::string::npos, asked->notes[0].english().c_str());

    // The result is the same as for a file that asks for it.
    const auto grown = shapeOf(headerOf(yarn(llama(), 2, 256)), 1024);
    QVERIFY(grown.ok());
    TinyModelOptions trainedShorter = llama();
    trainedShorter.context = 256;
    QCOMPARE(grown->rotation.factors, shapeOf(headerOf(trainedShorter), 1024)->rotation.factors);
    QCOMPARE(grown->rotation.scale, 1 + 0.1 * std::log(4.0));

    // If all layers that rotate have a window, nothing is scaled.
    const auto windowed = shapeOf(headerOf(smallThinker()), 2048);
    QVERIFY(windowed.ok() && windowed->rotation.factors.empty() && windowed->notes.size() == 1);

    // This does not hold if the window is longer than the trained context.
    TinyModelOptions wide = smallThinker();
    wide.window = 513;
    QVERIFY(!shapeOf(headerOf(wide), 2048)->rotation.factors.empty());

    const auto tooLong = shapeOf(headerOf(llama()), 512 * 64 + 1);
    QVERIFY(!tooLong.ok());
    QCOMPARE(tooLong.error().kind, ErrorKind::BadInput);
    QVERIFY(tooLong.error().action.english().find(std::to_string(512 * 64)) != std::string::npos);
}

/// The file's own scaling stays, and the note says so.
void ModelShapeTest::longContextBesideTheFilesOwnScaling() {
    const auto says = [](const ModelShape& shape, const char* words) {
        return std::any_of(shape.notes.begin(), shape.notes.end(),
                           [words](const Sentence& note) { return note.english().find(words) != std::string::npos; });
    };
    // The model was trained for 512 tokens at half speed: the pairs turn as often as over 256, and YaRN starts there.
    const auto linear = shapeOf(headerOf(plus(llama(), "rope.scaling.factor", 2)), 2048);
    QVERIFY2(linear.ok(), linear ? "" : linear.error().line().c_str());
    QCOMPARE(linear->rotation.factors.front(), 2.0);
    QCOMPARE(linear->rotation.factors.back(), 8.0);
    QVERIFY(says(linear.value(), "by 4 over 256 tokens, in addition to the file's own factor of 2"));
    const auto divisors = shapeOf(headerOf({.ropeFactors = true}), 2048);
    QVERIFY(divisors.ok() && says(divisors.value(), "rope_freqs.weight"));
    QVERIFY(!says(shapeOf(headerOf({.ropeFactors = true})).value(), "rope_freqs.weight"));
}

/// Each of YaRN's optional keys has its effect.
void ModelShapeTest::yarnOptions() {
    const TinyModelOptions plain = yarn(llama(), 4, 512);
    const auto read = [&](const char* key, float value) { return shapeOf(headerOf(plus(plain, key, value))).value(); };
    const ModelShape usual = shapeOf(headerOf(plain)).value();
    const double grown = 1 + 0.1 * std::log(4.0);
    QVERIFY(read("rope.scaling.yarn_beta_fast", 8).rotation.factors[1] == 1.0 &&
            read("rope.scaling.yarn_beta_fast", 8).rotation.factors[4] < usual.rotation.factors[4]);
    QVERIFY(read("rope.scaling.yarn_beta_slow", 4).rotation.factors[4] > usual.rotation.factors[4]);
    QCOMPARE(read("rope.scaling.yarn_ext_factor", -1).rotation.factors,
             usual.rotation.factors); // the file does not say
    QCOMPARE(read("rope.scaling.yarn_ext_factor", 0).rotation.factors, std::vector<double>(16, 4.0));
    QCOMPARE(read("rope.scaling.yarn_ext_factor", 0).rotation.scale, 1.0);
    QCOMPARE(read("rope.scaling.attn_factor", 0.5f).rotation.scale, grown / 2);
    QCOMPARE(read("rope.scaling.yarn_attn_factor", 0.5f).rotation.scale, grown);
}

void ModelShapeTest::gptOssIsRead() {
    const auto shape = shapeOf(headerOf(gptOss()));
    QVERIFY2(shape.ok(), shape ? "" : shape.error().line().c_str());
    const ModelShape& s = shape.value();
    QVERIFY(s.slidingWindow == 8 && s.notes.empty());
    for (size_t i = 0; i < 3; ++i) {
        const FeedForwardShape& experts = s.layer[i].feedForward;
        QVERIFY(experts.experts == 8 && experts.router.gating == Gating::Softmax);
        QVERIFY(s.layer[i].attention.rope && s.layer[i].attention.window == (i % 2 == 0 ? 8 : 0));
    }
}

void ModelShapeTest::qwen2MoeIsRead() {
    const auto shape = shapeOf(headerOf(qwen2Moe()));
    QVERIFY2(shape.ok(), shape ? "" : shape.error().line().c_str());
    const FeedForwardShape& experts = shape->layer[0].feedForward;
    QVERIFY(experts.width == 96 && experts.sharedWidth == 128 && experts.sharedIsGated && experts.experts == 8);
    // Old files lack the keys: the shared expert is then as wide as the two experts of a token.
    TinyModelOptions old = qwen2Moe();
    old.sharedFeedForward = 2 * old.feedForward;
    old.skipKey = "qwen2moe.expert_feed_forward_length";
    old.extraKeys = [](GgufWriter&) {};
    QVERIFY(!shapeOf(headerOf(old)).ok()); // its feed_forward_length is that of one expert
    old = withNumber(old, "feed_forward_length", 192);
    const std::string bytes = headerOf(old);
    std::string silent = bytes;
    const size_t at = silent.find("expert_feed_forward_length");
    QVERIFY(at != std::string::npos);
    silent[at] = 'x'; // only one key can be skipped, so the other one gets an unknown name
    const auto read = shapeOf(silent);
    QVERIFY2(read.ok(), read ? "" : read.error().line().c_str());
    QVERIFY(read->layer[0].feedForward.width == 96 && read->layer[0].feedForward.sharedWidth == 192);
}

/// The tensors alone say whether experts are joined.
void ModelShapeTest::joinedExpertsAreFound() {
    TinyModelOptions options = glm4Moe();
    QVERIFY(!shapeOf(headerOf(options))->layer[1].feedForward.joined);
    options.joinedExperts = true;
    const auto shape = shapeOf(headerOf(options));
    QVERIFY2(shape.ok(), shape ? "" : shape.error().line().c_str());
    QVERIFY(!shape->layer[0].feedForward.joined && shape->layer[1].feedForward.joined); // the first one is dense
    constexpr std::array needs{LayerNeed::JoinedExperts};
    QCOMPARE(needsAmong(needs, shape.value()).size(), size_t{1});
    QVERIFY(needsAmong(needs, shapeOf(headerOf(glm4Moe())).value()).empty());
}

void ModelShapeTest::glm4MoeIsRead() {
    TinyModelOptions options = glm4Moe();
    options.leadingDense = 2;
    const auto shape = shapeOf(headerOf(options));
    QVERIFY2(shape.ok(), shape ? "" : shape.error().line().c_str());
    QVERIFY(shape->notes.empty() && shape->rotation.dimensions == 16 && !shape->isDense());
    for (size_t i = 0; i < 2; ++i) {
        const FeedForwardShape& dense = shape->layer[i].feedForward;
        QVERIFY(dense.isDense() && dense.width == 160 && dense.sharedWidth == 0);
        QVERIFY(dense.storedExperts() == 1 && dense.chosenExperts() == 1);
    }
    const FeedForwardShape& experts = shape->layer[2].feedForward;
    QVERIFY(experts.experts == 8 && experts.expertsPerToken == 2 && experts.width == 96);
    QVERIFY(experts.sharedWidth == 96 && !experts.sharedIsGated);
    QVERIFY(experts.router.gating == Gating::Sigmoid && experts.router.normalised && experts.router.groups == 1);
    QCOMPARE(experts.router.scale, 2.5f);
    QCOMPARE(shape->mostExperts(), 8);
    QCOMPARE(shape->mostChosenExperts(), 2);
    QCOMPARE(shape->widestSharedExpert(), 96);
    options.leadingDense = 3;
    QVERIFY(shapeOf(headerOf(options))->isDense());
    options = glm4Moe();
    options.skipKey = "glm4moe.leading_dense_block_count"; // then every layer has experts
    QVERIFY(shapeOf(headerOf(options)).error().line().find("blk.0.ffn_gate_inp") != std::string::npos);
    options = glm4Moe();
    options.sharedFeedForward = 192; // two shared experts side by side
    QCOMPARE(shapeOf(headerOf(options))->layer[1].feedForward.sharedWidth, 192);
    options.extraKeys = [](GgufWriter& w) { w.u32("glm4moe.expert_shared_feed_forward_length", 192); };
    options.skipKey = "glm4moe.expert_shared_count";
    QCOMPARE(shapeOf(headerOf(options))->layer[1].feedForward.sharedWidth, 192);
}

void ModelShapeTest::routersByKeys() {
    const auto router = [](const TinyModelOptions& options) {
        const auto shape = shapeOf(headerOf(options));
        if (!shape) qFatal("%s", shape.error().line().c_str());
        return shape->layer[2].feedForward.router;
    };
    const auto flag = [](bool value) {
        return with(glm4Moe(), "expert_weights_norm",
                    [value](GgufWriter& w, const std::string& name) { w.boolean(name, value); });
    };
    QVERIFY(router(flag(true)).normalised && !router(flag(false)).normalised);
    TinyModelOptions silent = glm4Moe();
    silent.skipKey = "glm4moe.expert_weights_norm";
    QVERIFY(!router(silent).normalised);
    QCOMPARE(router(withFloat(glm4Moe(), "expert_weights_scale", 0)).scale, 1.0f);
    silent.skipKey = "glm4moe.expert_weights_scale";
    QCOMPARE(router(silent).scale, 1.0f);
    QVERIFY(router(withNumber(glm4Moe(), "expert_gating_func", 1)).gating == Gating::Softmax);
    TinyModelOptions grouped = glm4Moe();
    grouped.groups = 4, grouped.groupsUsed = 2;
    QVERIFY(router(grouped).groups == 4 && router(grouped).groupsUsed == 2);
    for (const uint64_t none : {0, 1}) {
        const RouterShape all = router(withNumber(glm4Moe(), "expert_group_count", none));
        QVERIFY(all.groups == 1 && all.groupsUsed == 1);
    }
}

/// Draft layers are counted in block_count; their tensors are accepted and not used.
void ModelShapeTest::draftLayersAreLeftOut() {
    TinyModelOptions options = glm4Moe();
    options.draftLayers = 2;
    const auto shape = shapeOf(headerOf(options));
    QVERIFY2(shape.ok(), shape ? "" : shape.error().line().c_str());
    QVERIFY(shape->layers == 3 && shape->layer.size() == 3 && shape->draftLayers == 2);
    QVERIFY(shape->notes.size() == 1 && shape->notes[0].english().find("last 2 layers") != std::string::npos);
    const auto beyond = withTensor(options, "blk.5.attn_norm.weight", {64}, static_cast<uint32_t>(TensorType::F32));
    QVERIFY(shapeOf(headerOf(beyond)).error().line().find("blk.5.") != std::string::npos);
    options.skipKey = "glm4moe.nextn_predict_layers";
    QCOMPARE(shapeOf(headerOf(options)).error().kind, ErrorKind::Unsupported);
}

/// Every fourth layer has attention; the others recur. A layer that only drafts is left out.
void ModelShapeTest::recurrentLayersAreRead() {
    TinyModelOptions options = qwen35();
    options.layers = 8, options.draftLayers = 1, options.ropeDimensions = 8;
    const auto shape = shapeOf(headerOf(options));
    QVERIFY2(shape.ok(), shape ? "" : shape.error().line().c_str());
    QVERIFY(shape->layers == 8 && shape->draftLayers == 1 && shape->rotation.dimensions == 8);
    QVERIFY(shape->notes.size() == 1 && shape->notes[0].english().find("nextn_predict_layers") != std::string::npos);
    for (size_t i = 0; i < 8; ++i) {
        const LayerShape& layer = shape->layer[i];
        QCOMPARE(layer.hasAttention(), i % 4 == 3);
        QCOMPARE(layer.hasState(), i % 4 != 3);
        const DeltaRuleShape& d = layer.deltaRule;
        if (layer.hasAttention())
            QVERIFY(layer.attention.gated && layer.attention.norm == HeadNorm::EachHead);
        else
            QVERIFY(d.keyHeads == 2 && d.valueHeads == 4 && d.size == 16 && d.taps == 4 && !d.grouped);
    }
    options.skipKey = "qwen35.full_attention_interval"; // 4 in every published model
    QCOMPARE(shapeOf(headerOf(options))->layer[3].mixer, Mixer::Attention);
    // A list counts more than the interval, and has a place for the layer that only drafts.
    options.layers = 4, options.attentionInterval = 2;
    options = withRecurrence(options, {true, false, true, false, false});
    const auto listed = shapeOf(headerOf(options));
    QVERIFY2(listed.ok(), listed ? "" : listed.error().line().c_str());
    for (size_t i = 0; i < 4; ++i) QCOMPARE(listed->layer[i].hasState(), i % 2 == 0);
    const DeltaRuleShape next = shapeOf(headerOf(qwen3Next()))->layer[0].deltaRule;
    QVERIFY(next.grouped && next.keyHeadOf(1) == 0 && next.keyHeadOf(2) == 1);
    QVERIFY(shape->layer[0].deltaRule.keyHeadOf(1) == 1 && shape->layer[0].deltaRule.keyHeadOf(2) == 0);
}

/// The list of heads says which layers have a convolution.
void ModelShapeTest::shortConvolutionsAreRead() {
    const auto shape = shapeOf(headerOf(lfm2()));
    QVERIFY2(shape.ok(), shape ? "" : shape.error().line().c_str());
    for (size_t i = 0; i < 4; ++i) {
        const LayerShape& layer = shape->layer[i];
        QCOMPARE(layer.mixer, i % 2 == 0 ? Mixer::ShortConvolution : Mixer::Attention);
        QCOMPARE(layer.attention.kvHeads, i % 2 == 0 ? 0 : 2);
        QCOMPARE(layer.shortConvolution.taps, i % 2 == 0 ? 3 : 0);
        QCOMPARE(layer.shortConvolution.channels, i % 2 == 0 ? 64 : 0);
    }
    TinyModelOptions windows = lfm2();
    windows.window = 8;
    const auto windowed = shapeOf(headerOf(windows));
    for (size_t i = 0; i < 4; ++i) QCOMPARE(windowed->layer[i].attention.window, i % 2 == 0 ? 0 : 8);
    QCOMPARE(shapeOf(headerOf(withNumber(windows, "attention.sliding_window", 0)))->layer[1].attention.window, 0);
    QCOMPARE(shapeOf(headerOf(withNumber(lfm2(), "attention.head_count_kv", 0))).error().kind, ErrorKind::BadInput);
    QVERIFY(shapeOf(headerOf({.architecture = "lfm2", .attentionInterval = 9})).ok()); // no layer has attention
    QVERIFY(shapeOf(headerOf({.architecture = "lfm2", .attentionInterval = 1})).ok()); // every layer has
}

/// The kinds of tensors that the message about other families calls known are those that the families here use.
void ModelShapeTest::everyKindOfTensorIsKnown() {
    std::vector<NamedOptions> families = tinyFamilies();
    families.push_back({"biases and divisors", {.ropeFactors = true, .biases = true}});
    families.push_back({"predictor", smallThinker()});
    families.back().options.headPredictorRank = 2;
    for (const NamedOptions& family : families) {
        TinyModelOptions options = family.options;
        options.tied = false;
        const std::string bytes = headerOf(options);
        const auto header = gguf::parse(std::as_bytes(std::span(bytes)), bytes.size());
        QVERIFY(header.ok());
        for (const gguf::Tensor& tensor : header->tensors)
            QVERIFY2(isKnownTensorKind(tensorKind(tensor.name)), std::string(tensor.name).c_str());
    }
    QCOMPARE(tensorKind("blk.12.ssm_a"), std::string("ssm_a"));
    QCOMPARE(tensorKind("enc.blk.3.attn_k.weight"), std::string("enc.blk.attn_k.weight"));
    QCOMPARE(tensorKind("v.blk.3.ln1.bias"), std::string("v.blk.ln1.bias"));
    for (const char* odd : {"", ".", "blk", "blk.", "blk.7", "7", "...", "blk.x."})
        QVERIFY(!isKnownTensorKind(tensorKind(odd)));
}

void ModelShapeTest::everyMissingKeyAndTensor() {
    for (const char* key : {"block_count", "context_length", "embedding_length", "attention.head_count", "expert_count",
                            "expert_used_count"}) {
        TinyModelOptions options = smallThinker();
        options.skipKey = std::string("smallthinker.") + key;
        const auto shape = shapeOf(headerOf(options));
        QVERIFY2(!shape.ok(), key);
        QVERIFY2(shape.error().line().find(key) != std::string::npos, shape.error().line().c_str());
    }
    for (const char* key : {"ssm.group_count", "ssm.time_step_rank", "ssm.state_size", "ssm.conv_kernel"}) {
        TinyModelOptions options = qwen35();
        options.skipKey = std::string("qwen35.") + key;
        QVERIFY2(shapeOf(headerOf(options)).error().line().find(key) != std::string::npos, key);
    }
    TinyModelOptions windowless = gptOss();
    windowless.window = 0;
    QVERIFY(shapeOf(headerOf(windowless)).error().line().find("sliding_window") != std::string::npos);
    for (const TinyModelOptions& sound :
         {llama(), smallThinker(), qwen2Moe(), gptOss(), glm4Moe(), qwen35(), qwen3Next(), lfm2()}) {
        const std::string bytes = headerOf(sound);
        const auto header = gguf::parse(std::as_bytes(std::span(bytes)), bytes.size());
        QVERIFY(header.ok());
        for (const gguf::Tensor& tensor : header.value().tensors) {
            const std::string name(tensor.name);
            const auto shape = shapeOf(headerOf(without(sound, name)));
            const bool optionalBias = sound.architecture == "qwen2moe" && name.ends_with(".bias");
            const bool optionalNorm =
                sound.architecture == "glm4moe" && (name.ends_with("q_norm.weight") || name.ends_with("k_norm.weight"));
            if (name == "output.weight" || optionalBias || optionalNorm) { // tied without its head
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
    newerVariants();
    ropeVariants();
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
    number("attention.sliding_window", uint64_t{1} << 40, lfm2());
    number("attention.sliding_window", 0, gptOss());
    for (const uint64_t value : {uint64_t{0}, uint64_t{1} << 40, huge})
        number("expert_shared_feed_forward_length", value, qwen2Moe());
    for (const uint64_t value : {uint64_t{4}, uint64_t{1} << 40, huge}) {
        number("leading_dense_block_count", value, glm4Moe()); // there are 3 layers
        number("nextn_predict_layers", value, glm4Moe());
    }
    for (const uint64_t value : {uint64_t{0}, uint64_t{1'000'000'000}, uint64_t{1} << 40, huge})
        for (const char* key : {"ssm.group_count", "ssm.time_step_rank", "ssm.state_size", "ssm.conv_kernel",
                                "ssm.inner_size", "full_attention_interval"})
            number(key, value, qwen35());
    number("ssm.group_count", 3, qwen35()); // 4 value heads can't share them
    number("ssm.group_count", 8, qwen3Next());
    number("ssm.inner_size", 65, qwen35());
    number("nextn_predict_layers", 4, qwen35());
    for (const uint64_t value : {uint64_t{0}, uint64_t{1'000'000'000}, huge})
        number("shortconv.l_cache", value, lfm2());
    TinyModelOptions wide = glm4Moe();
    wide.feedForward = wide.sharedFeedForward = 512; // 65536 times that is too wide
    for (const uint64_t value : {uint64_t{1} << 16, uint64_t{1} << 17, huge})
        number("expert_shared_count", value, wide);
    number("nextn_predict_layers", 3, glm4Moe()); // none would be left
    TinyModelOptions grouped = glm4Moe();
    grouped.groups = 4, grouped.groupsUsed = 2, grouped.expertsPerToken = 3;
    for (const uint64_t value : {uint64_t{3}, uint64_t{8}, uint64_t{9}, huge}) // one expert is no group
        number("expert_group_count", value, grouped);
    for (const uint64_t value : {uint64_t{0}, uint64_t{1}, uint64_t{5}, huge}) // 3 experts are not in one group of 2
        number("expert_group_used_count", value, grouped);
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
    for (const int32_t value : {-1, std::numeric_limits<int32_t>::min()}) {
        const auto negative = [value](GgufWriter& w, const std::string& name) { w.i32(name, value); };
        for (const char* key :
             {"leading_dense_block_count", "nextn_predict_layers", "expert_shared_count", "expert_group_count"})
            QTest::addRow("%s = %d", key, value) << Edit{with(glm4Moe(), key, negative), ErrorKind::BadInput, key};
    }
    for (const float value :
         {-1.0f, 1e30f, std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()})
        QTest::addRow("scale %f", static_cast<double>(value))
            << Edit{withFloat(glm4Moe(), "expert_weights_scale", value), ErrorKind::BadInput, "expert_weights_scale"};
    kinds("a number for a flag", withNumber(glm4Moe(), "expert_weights_norm", 2), ErrorKind::BadInput,
          "expert_weights_norm");
    kinds("groups without a number used", withNumber(glm4Moe(), "expert_group_count", 2), ErrorKind::BadInput,
          "expert_group_used_count");
    kinds("a softmax of the chosen beside a bias", withNumber(glm4Moe(), "expert_gating_func", 3),
          ErrorKind::Unsupported, "expert_gating_func");
    kinds("dense layers in qwen3moe", plus(qwen3Moe(), "leading_dense_block_count", 1), ErrorKind::Unsupported,
          "leading_dense_block_count");
    kinds("groups in qwen3moe", plus(qwen3Moe(), "expert_group_count", 4), ErrorKind::Unsupported,
          "expert_group_count");
    kinds("draft layers in llama", plus(llama(), "nextn_predict_layers", 1), ErrorKind::Unsupported,
          "nextn_predict_layers");
    kinds("experts in some layers", plus(glm4Moe(), "interleave_moe_layer_step", 2), ErrorKind::Unsupported,
          "interleave_moe_layer_step");
    kinds("other key heads", withNumber(qwen35(), "ssm.group_count", 1), ErrorKind::BadInput, "attn_qkv.weight");
    kinds("other taps", withNumber(qwen35(), "ssm.conv_kernel", 3), ErrorKind::BadInput, "ssm_conv1d.weight");
    kinds("other layers with attention", withNumber(qwen35(), "full_attention_interval", 2), ErrorKind::BadInput,
          "blk.1.attn_q.weight");
    const auto heads = [](const char* name, const std::vector<int32_t>& list, const char* named) {
        const auto write = [list](GgufWriter& w, const std::string& key) { w.i32s(key, list); };
        kinds(name, with(lfm2(), "attention.head_count_kv", write), ErrorKind::BadInput, named);
    };
    heads("heads of too few layers", {0, 2, 0}, "attention.head_count_kv");
    heads("heads of too many layers", {0, 2, 0, 2, 0}, "attention.head_count_kv");
    heads("no list of heads", {}, "attention.head_count_kv");
    heads("a negative number of heads", {0, 2, 0, -1}, "attention.head_count_kv");
    heads("heads that can't be shared", {0, 2, 0, 3}, "attention.head_count_kv");
    heads("heads in the wrong places", {2, 0, 0, 2}, "blk.0.attn_q.weight");
    kinds("a convolution of other taps", withNumber(lfm2(), "shortconv.l_cache", 4), ErrorKind::BadInput,
          "shortconv.conv.weight");
    kinds("text for a number", withText(llama(), "block_count", "two"), ErrorKind::BadInput, "block_count");
    kinds("unknown scaling", withText(llama(), "rope.scaling.type", "longrope"), ErrorKind::Unsupported, "longrope");
    for (const char* key : {"attention.scale", "attention.clamp_kqv", "final_logit_softcapping", "logit_scale",
                            "embedding_scale", "expert_weights_scale", "rope.scaling.yarn_log_multiplier"})
        QTest::addRow("%s of another family", key) << Edit{plus(qwen2Moe(), key, 0.7f), ErrorKind::Unsupported, key};
    kinds("clamping is NaN", plus(llama(), "attention.clamp_kqv", std::numeric_limits<float>::quiet_NaN()),
          ErrorKind::BadInput, "attention.clamp_kqv");
    kinds("scaling is a number", withNumber(llama(), "rope.scaling.type", 1), ErrorKind::BadInput, "rope.scaling.type");
}

void ModelShapeTest::newerVariants() {
    for (const std::vector<bool>& list : {std::vector<bool>(), std::vector<bool>(3), std::vector<bool>(5)})
        QTest::addRow("a list of %zu recurrent layers", list.size())
            << Edit{withRecurrence(qwen35(), list), ErrorKind::BadInput, "attention.recurrent_layers"};
    kinds("no layer that recurs", withRecurrence(qwen35(), std::vector<bool>(4)), ErrorKind::BadInput,
          "blk.0.attn_q.weight");
    kinds("recurrent layers as a number", plus(qwen35(), "attention.recurrent_layers", 1), ErrorKind::BadInput,
          "attention.recurrent_layers");
    TinyModelOptions joined = qwen3Moe();
    joined.joinedExperts = true;
    kinds("experts that are joined and apart", withTensor(joined, "blk.1.ffn_up_exps.weight", {64, 96, 8}, 0),
          ErrorKind::Unsupported, "blk.1.ffn_up_exps.weight");
    kinds("joined experts of another width", withTensor(joined, "blk.1.ffn_gate_up_exps.weight", {64, 96, 8}, 0),
          ErrorKind::BadInput, "blk.1.ffn_gate_up_exps.weight");
    kinds("joined experts with biases", withTensor(gptOss(), "blk.0.ffn_gate_up_exps.weight", {64, 192, 8}, 0),
          ErrorKind::Unsupported, "blk.0.ffn_gate_up_exps.weight");
    kinds("an early file of Qwen3-Next", withTensor(qwen3Next(), "blk.0.ssm_in.weight", {64, 192}, 0),
          ErrorKind::Unsupported, "newer file");
    kinds("a model that sees what follows",
          with(llama(), "attention.causal", [](GgufWriter& w, const std::string& name) { w.boolean(name, false); }),
          ErrorKind::Unsupported, "attention.causal");
}

void ModelShapeTest::ropeVariants() {
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
    constexpr float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
    for (const float value : {nan, inf, -inf, -2.0f, 1e30f}) {
        const auto row = [value](const TinyModelOptions& options, const char* key) {
            QTest::addRow("%s %s %g", options.architecture.c_str(), key, static_cast<double>(value))
                << Edit{plus(options, key, value), ErrorKind::BadInput, key};
        };
        const TinyModelOptions yarned = withText(llama(), "rope.scaling.type", "yarn");
        row(llama(), "rope.scaling.factor");
        row(llama(), "rope.scale_linear");
        row(llama(), "rope.scaling.attn_factor");
        for (const char* key : {"factor", "original_context_length", "yarn_beta_fast", "yarn_beta_slow",
                                "yarn_ext_factor", "yarn_attn_factor"})
            row(yarned, ("rope.scaling." + std::string(key)).c_str());
    }
    kinds("a factor next to 0", plus(llama(), "rope.scaling.factor", 1e-4f), ErrorKind::BadInput, "scaling.factor");
    TinyModelOptions still = plus(withText(llama(), "rope.scaling.type", "yarn"), "rope.scaling.factor", 4);
    still.skipKey = "llama.rope.freq_base";
    kinds("YaRN over pairs of one speed", plus(still, "rope.freq_base", 1), ErrorKind::BadInput, "rope.freq_base");
}

void ModelShapeTest::tensors() {
    const uint32_t f32 = static_cast<uint32_t>(TensorType::F32), tq1 = 34;
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
    kinds("a sink too many", withTensor(gptOss(), "blk.1.attn_sinks.weight", {5}, f32), ErrorKind::BadInput,
          "attn_sinks");
    kinds("sinks in llama", withTensor(llama(), "blk.0.attn_sinks.weight", {4}, f32), ErrorKind::Unsupported,
          "attn_sinks");
    kinds("experts' biases without experts", withTensor(gptOss(), "blk.2.ffn_down_exps.bias", {64}, f32),
          ErrorKind::BadInput, "ffn_down_exps.bias");
    kinds("router's bias too short", withTensor(gptOss(), "blk.0.ffn_gate_inp.bias", {7}, f32), ErrorKind::BadInput,
          "ffn_gate_inp.bias");
    kinds("shared router in two rows", withTensor(qwen2Moe(), "blk.0.ffn_gate_inp_shexp.weight", {64, 2}, f32),
          ErrorKind::BadInput, "ffn_gate_inp_shexp");
    kinds("shared down turned", withTensor(qwen2Moe(), "blk.1.ffn_down_shexp.weight", {64, 128}, f32),
          ErrorKind::BadInput, "ffn_down_shexp");
    kinds("a narrower shared expert", withNumber(qwen2Moe(), "expert_shared_feed_forward_length", 64),
          ErrorKind::BadInput, "ffn_gate_shexp");
    kinds("a shared expert in qwen3moe",
          withTensor({.architecture = "qwen3moe"}, "blk.0.ffn_up_shexp.weight", {64, 128}, f32), ErrorKind::Unsupported,
          "ffn_up_shexp");
    kinds("a dense layer that has experts", withTensor(glm4Moe(), "blk.0.ffn_gate_inp.weight", {64, 8}, f32),
          ErrorKind::Unsupported, "blk.0.ffn_gate_inp");
    kinds("selection bias too short", withTensor(glm4Moe(), "blk.1.exp_probs_b.bias", {7}, f32), ErrorKind::BadInput,
          "exp_probs_b");
    kinds("a selection bias in qwen3moe", withTensor(qwen3Moe(), "blk.0.exp_probs_b.bias", {8}, f32),
          ErrorKind::Unsupported, "exp_probs_b");
    kinds("a gate of the shared expert", withTensor(glm4Moe(), "blk.1.ffn_gate_inp_shexp.weight", {64}, f32),
          ErrorKind::Unsupported, "ffn_gate_inp_shexp");
    kinds("a shared expert in a dense layer", withTensor(glm4Moe(), "blk.0.ffn_up_shexp.weight", {64, 96}, f32),
          ErrorKind::Unsupported, "ffn_up_shexp");
    TinyModelOptions wide{.width = 256, .heads = 8, .feedForward = 256};
    kinds("a format without kernels", withTensor(wide, "blk.1.ffn_up.weight", {256, 256}, tq1), ErrorKind::Unsupported,
          "TQ1_0");
    kinds("a format that isn't", withTensor(wide, "blk.1.ffn_up.weight", {256, 256}, 4), ErrorKind::Unsupported,
          "blk.1.ffn_up.weight");
}

void ModelShapeTest::edits() {
    QFETCH(Edit, edit);
    checkRefused(edit);
}

void ModelShapeTest::unknownArchitectureListsTheKnown() {
    TinyModelOptions options;
    options.architecture = "mamba";
    const auto shape = shapeOf(headerOf(options));
    QCOMPARE(shape.error().kind, ErrorKind::Unsupported);
    QVERIFY(shape.error().what.english().find("mamba") != std::string::npos);
    for (const Architecture* architecture : architectures())
        QVERIFY(shape.error().why.english().find(architecture->name) != std::string::npos);
    QVERIFY(shape.error().why.english().find("none of them") ==
            std::string::npos); // its weights are those of the families here
    TinyModelOptions other = withTensor(options, "blk.1.ssm_d", {96}, 0);
    const auto more = shapeOf(headerOf(other));
    QVERIFY2(more.error().why.english().ends_with("none of them has the file's ssm_d"), more.error().line().c_str());
    other.skipTensor.clear();
    other.extraKeys = [](GgufWriter& w) {
        for (int layer = 0; layer < 3; ++layer)
            for (const char* kind :
                 {"ssm_d", "ssm_in.weight", "ssm_conv1d.bias", "ssm_x.weight", "y.weight", "z.weight"})
                w.tensor("blk." + std::to_string(layer) + "." + kind, {1}, 0, std::string(4, '\0'));
    };
    const auto many = shapeOf(headerOf(other));
    QVERIFY2(many.error().why.english().ends_with(
                 "the file's ssm_conv1d.bias, ssm_d, ssm_in.weight, ssm_x.weight and 2 more kinds of "
                 "weights"),
             many.error().line().c_str());
    options.skipKey = "general.architecture";
    QCOMPARE(shapeOf(headerOf(options)).error().kind, ErrorKind::BadInput);
}

/// The fuzzer finds the code of a key or tensor by putting its name into a file.
void ModelShapeTest::theFuzzersDictionaryIsWhole() {
    QFile file(QStringLiteral(COTERIE_DICTIONARY));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const std::string words = file.readAll().toStdString();
    const auto missing = [&words](const std::string& name) { return words.find(name + "\"\n") == std::string::npos; };
    for (const NamedOptions& family : tinyFamilies()) {
        const std::string bytes = headerOf(family.options), start = family.options.architecture + ".";
        const auto header = gguf::parse(std::as_bytes(std::span(bytes)), bytes.size());
        QVERIFY(header.ok());
        QVERIFY2(!missing("\"" + family.options.architecture), family.name);
        for (const auto& [name, value] : header->keys) {
            if (!name.starts_with(start)) continue;
            const std::string key(name.substr(start.size()));
            QVERIFY2(!missing("\"" + key), key.c_str());
        }
        for (const gguf::Tensor& tensor : header->tensors) {
            const std::string kind = tensorKind(tensor.name);
            QVERIFY2(!missing(kind), kind.c_str());
        }
    }
}

QTEST_APPLESS_MAIN(ModelShapeTest)
#include "tst_model_shape.moc"
