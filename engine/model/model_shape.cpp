// SPDX-License-Identifier: Apache-2.0
// See model_shape.h. Reads a model's numbers as its family's entry in the table says, and refuses files that contradict
// it.
#include "model/model_shape.h"

#include "model/metadata.h"
#include "model/model_tensors.h"
#include "model/rope_scaling.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace coterie::engine {
namespace {

// Largest numbers accepted from a file: far above any published model, and small enough that no product of two
// overflows.
constexpr int64_t kMostLayers = 1 << 16;
constexpr int64_t kMostWidth = 1 << 24;
constexpr int64_t kMostHeads = 1 << 16;
constexpr int64_t kMostHeadDim = 1 << 16;
constexpr int64_t kMostExperts = 1 << 16;
constexpr int64_t kMostVocabulary = 1 << 28;
constexpr int64_t kMostStateSize = 1 << 12; // published models have 128
constexpr int64_t kMostTaps = 1 << 6;       // published models have 4
constexpr int64_t kMostContext = 1 << 28;
constexpr double kMostScale = 1e6; // scale of experts' weights; published models have 1 to 3
constexpr double kMostCap = 1e6;   // soft caps; published models have 30 and 50

/// The architectures that this program knows, and kinds of weights in the file that none of them has.
Sentence knownAndMissing(const std::string& known, const gguf::Header& header) {
    constexpr size_t mostNamed = 4;
    std::set<std::string> kinds;
    for (const gguf::Tensor& tensor : header.tensors)
        if (std::string kind = tensorKind(tensor.name); !isKnownTensorKind(kind)) kinds.insert(std::move(kind));
    if (kinds.empty()) return {"It knows %1", known};
    std::string text;
    size_t named = 0;
    for (const std::string& kind : kinds)
        if (named < mostNamed) text += (named++ == 0 ? "" : ", ") + shortened(kind);
    if (kinds.size() > mostNamed)
        return {"It knows %1, and none of them has the file's %2 and %3 more kinds of weights", known, text,
                kinds.size() - mostNamed};
    return {"It knows %1, and none of them has the file's %2", known, text};
}

Error isNoModel(const gguf::Header& header) {
    const std::string_view name = header.string("general.name").value_or("");
    return {ErrorKind::Unsupported,
            name.empty() ? Sentence("This file belongs to a language model, and can't answer without it")
                         : Sentence("This file belongs to the language model '%1', and can't answer without it",
                                    shortened(name)),
            "With it the model could see images, but Coterie cannot yet",
            "Open the file of the language model, which is usually beside it"};
}

Result<const Architecture*> findArchitecture(const gguf::Header& header) {
    const auto name = header.string("general.architecture");
    if (!name)
        return Error{ErrorKind::BadInput, "The file doesn't say which kind of model it holds",
                     "The key general.architecture is missing or is not text", "Get the file again from its source"};
    if (readsImages(header)) return isNoModel(header);
    std::string known;
    for (const Architecture* architecture : architectures()) {
        if (architecture->name == *name) return architecture;
        known += (known.empty() ? "" : ", ") + std::string(architecture->name);
    }
    return Error{ErrorKind::Unsupported,
                 {"This program can't run the architecture '%1'", shortened(*name)},
                 knownAndMissing(known, header),
                 "Choose a model of one of these families"};
}

/// Reads the sizes of the model. Returns the attention of a layer, as all layers that have it begin with.
AttentionShape readSizes(Metadata& keys, ModelShape& shape) {
    const Architecture& family = *shape.architecture;
    AttentionShape attention{.norm = family.headNorm, .ropeKind = family.rope, .gated = family.gatedAttention};
    shape.layers = keys.required("block_count", 1, kMostLayers);
    shape.width = keys.required("embedding_length", 1, kMostWidth);
    shape.trainedContext = keys.required("context_length", 1, kMostContext);
    attention.heads = keys.required("attention.head_count", 1, kMostHeads);
    const bool listed = family.shortConvolution || family.twoKindsOfAttention;
    attention.kvHeads = listed // see readShortConvolutions(), readKinds()
                            ? attention.heads
                            : keys.optional("attention.head_count_kv", 1, kMostHeads, attention.heads);
    if (keys.failed()) return attention;
    if (attention.heads % attention.kvHeads != 0)
        keys.fail("attention.head_count_kv", {"%1 heads can't share %2 key heads", attention.heads, attention.kvHeads});
    if (!keys.has("attention.key_length") && shape.width % attention.heads != 0)
        keys.fail("attention.head_count", {"%1 heads don't divide a width of %2", attention.heads, shape.width});
    attention.headDim = keys.optional("attention.key_length", 1, kMostHeadDim, shape.width / attention.heads);
    if (keys.optional("attention.value_length", 1, kMostHeadDim, attention.headDim) != attention.headDim)
        keys.fail("attention.value_length", "It differs from attention.key_length, which no family here allows");
    attention.normsValues = family.normsValues;
    attention.scale = family.unscaledScores ? 1 : 1.0f / std::sqrt(static_cast<float>(attention.headDim));
    return attention;
}

/// The shared expert's width and gate. own: the file has a key for the experts' own width.
void readSharedExpert(Metadata& keys, SharedExpert kind, bool own, FeedForwardShape& experts) {
    constexpr const char* widthKey = "expert_shared_feed_forward_length";
    experts.sharedIsGated = kind == SharedExpert::Gated;
    if (kind == SharedExpert::Gated) {
        // llama.cpp's rules for files without the key: the shared expert is as wide as a token's experts together.
        const int64_t together = keys.optional("feed_forward_length", 1, kMostWidth, experts.width);
        experts.sharedWidth = keys.optional(widthKey, 1, kMostWidth, together);
        if (!own) experts.width = std::max<int64_t>(1, experts.width / experts.expertsPerToken);
    }
    if (kind == SharedExpert::Ungated) {
        const int64_t count = keys.optional("expert_shared_count", 0, kMostExperts, 0);
        experts.sharedWidth = keys.optional(widthKey, 0, kMostWidth, count * experts.width);
        if (experts.sharedWidth > kMostWidth)
            keys.fail("expert_shared_count", {"So many experts would have %1 neurons together", experts.sharedWidth});
    }
}

Gating readGating(Metadata& keys, const RouterShape& router, ModelShape& shape) {
    const Architecture& family = *shape.architecture;
    if (!keys.has("expert_gating_func")) {
        if (family.gating == Gating::Sigmoid)
            shape.notes.push_back("The file doesn't say how experts are weighted, so sigmoid is assumed, as in the "
                                  "published checkpoints");
        return family.gating;
    }
    constexpr int64_t softmax = 1, sigmoid = 2, softmaxOfChosen = 3; // llama.cpp's numbering
    const int64_t function = keys.required("expert_gating_func", 0, kMostExperts);
    if (function == sigmoid) return Gating::Sigmoid;
    // Divided by the sum over the chosen, a softmax over all is one over the chosen.
    const bool same = router.normalised && family.selectionBias == Presence::Never && router.groups == 1;
    if (function != softmax && !(function == softmaxOfChosen && same))
        keys.unsupported("expert_gating_func", {"it is %1, and 1 (softmax) and 2 (sigmoid) are known", function});
    return Gating::Softmax;
}

void readGroups(Metadata& keys, const FeedForwardShape& layer, RouterShape& router) {
    router.groups = std::max<int64_t>(1, keys.optional("expert_group_count", 0, layer.experts, 1));
    if (router.groups == 1 || keys.failed()) return;
    if (layer.experts % router.groups != 0)
        return keys.fail("expert_group_count",
                         {"%1 experts can't form %2 groups of the same size", layer.experts, router.groups});
    const int64_t each = layer.experts / router.groups;
    if (each < 2) // a group's score is the sum of its two best experts
        return keys.fail("expert_group_count", {"%1 groups leave fewer than two experts in a group", router.groups});
    router.groupsUsed = keys.required("expert_group_used_count", 1, router.groups);
    if (!keys.failed() && router.groupsUsed * each < layer.expertsPerToken)
        keys.fail("expert_group_used_count", {"A token uses %1 experts, and so many groups have only %2",
                                              layer.expertsPerToken, router.groupsUsed * each});
}

FeedForwardShape readExperts(Metadata& keys, ModelShape& shape) {
    const Architecture& family = *shape.architecture;
    FeedForwardShape experts;
    experts.experts = keys.required("expert_count", 1, kMostExperts);
    experts.expertsPerToken = keys.required("expert_used_count", 1, experts.experts);
    const bool own = keys.has("expert_feed_forward_length");
    experts.width = keys.required(own ? "expert_feed_forward_length" : "feed_forward_length", 1, kMostWidth);
    readSharedExpert(keys, family.sharedExpert, own, experts);
    experts.router.normalised = family.normaliseWeights;
    if (family.routerKeys) {
        experts.router.normalised = keys.optionalFlag("expert_weights_norm", family.normaliseWeights);
        const double scale = keys.optionalNumber("expert_weights_scale", 0, kMostScale, 1);
        experts.router.scale = scale == 0 ? 1 : static_cast<float>(scale); // a file that says 0 says nothing
        readGroups(keys, experts, experts.router);
    }
    experts.router.gating = readGating(keys, experts.router, shape);
    return experts;
}

void readFeedForwards(Metadata& keys, ModelShape& shape) {
    const Architecture& family = *shape.architecture;
    const bool hasExperts = family.experts || keys.optional("expert_count", 0, kMostExperts, 0) != 0;
    if (hasExperts && !family.experts && !family.denseBesideExperts)
        return keys.unsupported("expert_count", "this family is known here without experts only");
    const int64_t leading = family.leadingDense ? keys.optional("leading_dense_block_count", 0, shape.layers, 0) : 0;
    const int64_t dense = family.experts ? leading : shape.layers;
    FeedForwardShape denseLayer, expertLayer;
    if (dense > 0 && !family.twoKindsOfAttention)
        denseLayer.width = keys.required("feed_forward_length", 1, kMostWidth);
    if (hasExperts) expertLayer = readExperts(keys, shape);
    for (int64_t i = 0; i < shape.layers; ++i)
        shape.layer[static_cast<size_t>(i)].feedForward = i < dense ? denseLayer : expertLayer;
    if (!family.twoKindsOfAttention) return;
    const std::vector<int64_t> widths = keys.requiredList("feed_forward_length", 1, kMostWidth, shape.layers);
    for (size_t i = 0; i < shape.layer.size(); ++i) {
        FeedForwardShape& layer = shape.layer[i].feedForward;
        if (hasExperts) layer = expertLayer;
        (hasExperts ? layer.sharedWidth : layer.width) = widths[i];
        layer.denseBeside = hasExperts;
        if (hasExperts) layer.router.logitScale = 1.0f / std::sqrt(static_cast<float>(shape.width));
    }
}

/// Refuses keys of other families' arithmetic, unless they have one of the two values that change nothing: a file that
/// states another value needs something that this program does not compute for its family.
void refuseOtherArithmetic(Metadata& keys, const Architecture& family, int64_t headDim) {
    struct Key {
        const char* name;
        double neutral, alsoNeutral;
        bool isRead = false; // by this family
    };
    const double usualScale = family.unscaledScores ? 1 : 1 / std::sqrt(static_cast<double>(headDim));
    for (const Key& key :
         {Key{"attention.scale", 0, usualScale}, Key{"attention.clamp_kqv", 0, 0},
          Key{"attention.max_alibi_bias", 0, 0}, Key{"attention.temperature_scale", 0, 0},
          Key{"attn_logit_softcapping", 0, 0, family.scoreCap != 0},
          Key{"final_logit_softcapping", 0, 0, family.logitCap != 0}, Key{"embedding_scale", 0, 1},
          Key{"residual_scale", 0, 1}, Key{"logit_scale", 0, 1}, Key{"expert_weights_scale", 0, 1, family.routerKeys},
          Key{"expert_group_count", 0, 1, family.routerKeys},
          Key{"leading_dense_block_count", 0, 0, family.leadingDense}, Key{"interleave_moe_layer_step", 0, 1},
          Key{"nextn_predict_layers", 0, 0, family.draftLayers},
          Key{"embedding_length_per_layer_input", 0, 0, family.layerEmbeddings},
          Key{"rope.scaling.yarn_log_multiplier", 0, 0}}) {
        if (key.isRead) continue;
        const double value = keys.optionalNumber(key.name, -1e30, 1e30, key.neutral);
        const auto is = [value](double other) { return std::abs(value - other) <= 1e-6 * std::abs(other); };
        if (!keys.failed() && !is(key.neutral) && !is(key.alsoNeutral))
            keys.unsupported(key.name, {"it is %1, which this family doesn't have here", value});
    }
    if (!keys.optionalFlag("attention.causal", true))
        keys.unsupported("attention.causal", "it is false, and a model that answers sees only what stands before");
}

/// Sizes by which the layers recur.
DeltaRuleShape readDeltaRule(Metadata& keys, DeltaRuleForm form) {
    DeltaRuleShape shape{.grouped = form == DeltaRuleForm::Grouped};
    shape.keyHeads = keys.required("ssm.group_count", 1, kMostHeads);
    shape.valueHeads = keys.required("ssm.time_step_rank", 1, kMostHeads);
    shape.size = keys.required("ssm.state_size", 1, kMostStateSize);
    shape.taps = keys.required("ssm.conv_kernel", 1, kMostTaps);
    const int64_t inner = keys.optional("ssm.inner_size", 1, kMostWidth, shape.valueWidth());
    if (keys.failed()) return shape;
    if (shape.valueHeads % shape.keyHeads != 0)
        keys.fail("ssm.group_count", {"%1 value heads can't share %2 key heads", shape.valueHeads, shape.keyHeads});
    if (inner != shape.valueWidth())
        keys.fail("ssm.inner_size", {"It is %1, and %2 value heads of %3 have %4", inner, shape.valueHeads, shape.size,
                                     shape.valueWidth()});
    return shape;
}

/// Returns which layers recur by the delta rule. If the file has no list, every full_attention_interval-th attends.
std::vector<bool> readRecurrentLayers(Metadata& keys, const ModelShape& shape) {
    constexpr const char* list = "attention.recurrent_layers";
    const int64_t all = shape.layers + shape.draftLayers; // the list has those that only draft, too
    if (keys.has(list)) return keys.requiredFlags(list, all);
    constexpr int64_t usualInterval = 4; // every published model has it
    const int64_t interval = keys.optional("full_attention_interval", 1, kMostLayers, usualInterval);
    std::vector<bool> recur;
    for (int64_t i = 0; i < all; ++i) recur.push_back((i + 1) % interval != 0);
    return recur;
}

/// Layers that have no heads of keys and values have a short convolution.
void readShortConvolutions(Metadata& keys, ModelShape& shape) {
    const ShortConvolutionShape convolution{.channels = shape.width,
                                            .taps = keys.required("shortconv.l_cache", 1, kMostTaps)};
    constexpr const char* key = "attention.head_count_kv";
    const std::vector<int64_t> heads = keys.requiredList(key, 0, kMostHeads, shape.layers);
    for (size_t i = 0; i < shape.layer.size() && !keys.failed(); ++i) {
        LayerShape& layer = shape.layer[i];
        if (heads[i] == 0) {
            layer = {.mixer = Mixer::ShortConvolution, .shortConvolution = convolution};
            continue;
        }
        layer.attention.kvHeads = heads[i];
        if (layer.attention.heads % heads[i] != 0)
            keys.fail(key, {"%1 heads can't share %2 key heads", layer.attention.heads, heads[i]});
    }
}

/// Models that see images rotate by a position in parts: time, row, column. A text's three parts are equal, so if each
/// pair has one of them, the rotation is the usual one.
void checkPositionParts(Metadata& keys, const ModelShape& shape) {
    constexpr const char* key = "rope.dimension_sections";
    if (keys.failed() || !keys.has(key)) return;
    const auto sections = keys.numbers(key);
    constexpr size_t parts = 3; // a fourth number is 0
    if (!sections || sections->size() < parts) return keys.fail(key, "It is not a list of three numbers or more");
    int64_t pairs = 0;
    for (size_t i = 0; i < sections->size(); ++i) {
        const int64_t each = (*sections)[i];
        if (each < 0 || each > kMostHeadDim || (i >= parts && each != 0))
            return keys.fail(key, {"Its part %1 has %2 pairs", i, each});
        pairs += each;
    }
    if (2 * pairs != shape.rotation.dimensions)
        keys.fail(key, {"Its parts have %1 pairs together, and %2 values of a head rotate", pairs,
                        shape.rotation.dimensions});
}

/// A cap of scores or logits. 0 in the file means that there is none.
float readCap(Metadata& keys, const char* key, double usual) {
    return usual == 0 ? 0 : static_cast<float>(keys.optionalNumber(key, 0, kMostCap, usual));
}

void setWindow(const ModelShape& shape, AttentionShape& attention) {
    attention.window = shape.slidingWindow;
    attention.ownRotation = shape.architecture->windowTheta != 0;
}

/// Gives layers the window: all except every period-th.
void setWindows(Metadata& keys, ModelShape& shape) {
    const int64_t usual = shape.architecture->windowPeriod;
    if (usual == 0) return;
    const int64_t period = keys.optional("attention.sliding_window_pattern", 1, kMostLayers, usual);
    for (int64_t i = 0; i < shape.layers; ++i)
        if ((i + 1) % period != 0) setWindow(shape, shape.layer[static_cast<size_t>(i)].attention);
}

/// Sets what layers with a window and the others have apart.
void readKinds(Metadata& keys, ModelShape& shape) {
    constexpr const char *sharedKey = "attention.shared_kv_layers", *headsKey = "attention.head_count_kv";
    const std::vector<bool> windows = keys.requiredFlags("attention.sliding_window_pattern", shape.layers);
    const std::vector<int64_t> heads = keys.requiredList(headsKey, 1, kMostHeads, shape.layers);
    const int64_t headDim = keys.required("attention.key_length_swa", 1, kMostHeadDim);
    if (keys.optional("attention.value_length_swa", 1, kMostHeadDim, headDim) != headDim)
        keys.fail("attention.value_length_swa",
                  "It differs from attention.key_length_swa, which no family here allows");
    const int64_t own = shape.layers - keys.optional(sharedKey, 0, shape.layers - 1, 0);
    std::array<int64_t, 2> last{-1, -1}; // layers with keys of their own, without and with a window
    for (int64_t i = 0; i < shape.layers && !keys.failed(); ++i) {
        const bool window = windows[static_cast<size_t>(i)];
        AttentionShape& attention = shape.layer[static_cast<size_t>(i)].attention;
        if (window) setWindow(shape, attention);
        if (window) attention.headDim = headDim;
        attention.kvHeads = heads[static_cast<size_t>(i)];
        if (attention.heads % attention.kvHeads != 0)
            keys.fail(headsKey, {"%1 heads can't share %2 key heads", attention.heads, attention.kvHeads});
        if (i < own) {
            last[window] = i;
            continue;
        }
        attention.keysOf = last[window];
        if (last[window] < 0)
            keys.fail(sharedKey, {"Layer %1 would use keys of an earlier layer of its kind, and there is none", i});
        else if (shape.layer[static_cast<size_t>(last[window])].attention.kvHeads != attention.kvHeads)
            keys.fail(headsKey, {"Layer %1 has other key heads than layer %2, whose keys it uses", i, last[window]});
    }
}

void readMixers(Metadata& keys, AttentionShape attention, ModelShape& shape) {
    attention.scoreCap = readCap(keys, "attn_logit_softcapping", shape.architecture->scoreCap);
    const Presence window = shape.architecture->slidingWindow;
    if (window == Presence::Required) shape.slidingWindow = keys.required("attention.sliding_window", 1, kMostContext);
    if (window == Presence::Optional) {
        shape.slidingWindow = keys.optional("attention.sliding_window", 0, kMostContext, 0);
        if (keys.has("attention.sliding_window") && shape.slidingWindow == 0)
            shape.notes.push_back("The sliding window is 0, which is taken to mean that there is none");
    }
    const DeltaRuleForm form = shape.architecture->deltaRule;
    std::vector<bool> recur(shape.layer.size());
    DeltaRuleShape deltaRule;
    if (form != DeltaRuleForm::None) {
        recur = readRecurrentLayers(keys, shape);
        deltaRule = readDeltaRule(keys, form);
    }
    for (int64_t i = 0; i < shape.layers; ++i) {
        LayerShape& layer = shape.layer[static_cast<size_t>(i)];
        layer.outputNorms = shape.architecture->outputNorms;
        layer.outputScale = shape.architecture->outputScale;
        if (recur[static_cast<size_t>(i)]) {
            layer.mixer = Mixer::DeltaRule;
            layer.deltaRule = deltaRule;
            continue;
        }
        layer.attention = attention;
        if (shape.architecture->attention != nullptr) shape.architecture->attention(shape, i, layer.attention);
    }
    setWindows(keys, shape);
    if (shape.architecture->twoKindsOfAttention) readKinds(keys, shape);
    if (shape.architecture->shortConvolution) readShortConvolutions(keys, shape);
}

/// Makes room for the layers after checking that their number is credible.
void readLayers(Metadata& keys, size_t tensors, const AttentionShape& attention, ModelShape& shape) {
    if (shape.architecture->draftLayers) {
        shape.draftLayers = keys.optional("nextn_predict_layers", 0, shape.layers - 1, 0);
        if (shape.draftLayers != 0)
            shape.notes.push_back(
                {"The file's last %1 layers only draft tokens ahead (nextn_predict_layers) and are not used",
                 shape.draftLayers});
        shape.layers -= shape.draftLayers;
    }
    // Each layer has more than one tensor.
    if (static_cast<uint64_t>(shape.layers) > tensors)
        return keys.fail("block_count", {"It names %1 layers, and the file has %2 tensors", shape.layers, tensors});
    shape.layer.resize(static_cast<size_t>(shape.layers));
    readMixers(keys, attention, shape);
    readFeedForwards(keys, shape);
}

/// The tensor holds two matrices, rank x width and vocabulary x rank, in one row of values.
Status readPredictor(const gguf::Tensor& predictor, ModelShape& shape) {
    const uint64_t vocabularyAndWidth = static_cast<uint64_t>(shape.vocabulary + shape.width);
    if (predictor.shape[0] != predictor.elements() || predictor.elements() % vocabularyAndWidth != 0)
        return Error{ErrorKind::BadInput,
                     "The tensor 'lm_head_profiler.weight' has the wrong shape",
                     {"Its %1 values don't make a whole rank for a width of %2 and %3 tokens", predictor.elements(),
                      shape.width, shape.vocabulary},
                     "Get the file again from its source"};
    const uint64_t rank = predictor.elements() / vocabularyAndWidth;
    const uint64_t block = predictor.type ? traits(*predictor.type).blockElements : 1; // unknown ones are refused later
    if (rank % block == 0 && static_cast<uint64_t>(shape.width) % block == 0)
        shape.headPredictorRank = static_cast<int64_t>(rank);
    else
        shape.notes.push_back(
            {"The head predictor is not used, because its rows of %1 values are not whole blocks of its format", rank});
    return {};
}

/// Layers without a projection of values take the keys' for it, those without a scale have none.
void findValues(const gguf::Header& header, ModelShape& shape) {
    for (size_t i = 0; i < shape.layer.size(); ++i) {
        const std::string prefix = "blk." + std::to_string(i) + ".";
        LayerShape& layer = shape.layer[i];
        layer.attention.keysAreValues = layer.attention.hasKeys() && header.tensor(prefix + "attn_v.weight") == nullptr;
        layer.outputScale = layer.outputScale && header.tensor(prefix + "layer_output_scale.weight") != nullptr;
    }
}

/// Published files of Gemma 4 have joined experts, and converters can join those of other families. Whether they do is
/// nowhere said.
void findJoinedExperts(const gguf::Header& header, ModelShape& shape) {
    const Architecture& family = *shape.architecture;
    if (family.expertBiases != Presence::Never || family.transposedDown) return; // llama.cpp has no such form of these
    for (size_t i = 0; i < shape.layer.size(); ++i) {
        FeedForwardShape& layer = shape.layer[i].feedForward;
        const std::string name = "blk." + std::to_string(i) + ".ffn_gate_up_exps.weight";
        layer.joined = !layer.isDense() && header.tensor(name) != nullptr;
    }
}

/// Reads the facts that only the tensors show: vocabulary, tied head, flavour.
Status readFromTensors(const gguf::Header& header, ModelShape& shape) {
    const gguf::Tensor* embedding = header.tensor("token_embd.weight");
    if (embedding == nullptr) return missingTensor("token_embd.weight");
    if (embedding->shape[1] > static_cast<uint64_t>(kMostVocabulary))
        return Error{ErrorKind::BadInput,
                     "The tensor 'token_embd.weight' is too large",
                     {"It has %1 rows", embedding->shape[1]},
                     "Get the file again from its source"};
    shape.vocabulary = static_cast<int64_t>(embedding->shape[1]);
    shape.tiedHead = header.tensor("output.weight") == nullptr;
    if (shape.longestContext > shape.trainedContext && header.tensor("rope_freqs.weight") != nullptr)
        shape.notes.push_back(
            "The file's own divisors of the rotation (rope_freqs.weight) are used as well, unchanged");
    if (shape.architecture->twoKindsOfAttention) findValues(header, shape);
    findJoinedExperts(header, shape);
    if (!shape.architecture->transposedDown) return {};

    const gguf::Tensor* predictor = header.tensor("lm_head_profiler.weight");
    if (predictor != nullptr)
        if (Status status = readPredictor(*predictor, shape); !status) return status;
    const gguf::Tensor* down = header.tensor("blk.0.ffn_down_exps.weight");
    if (down == nullptr) return missingTensor("blk.0.ffn_down_exps.weight");
    shape.transposedDown = down->shape[0] == static_cast<uint64_t>(shape.width);
    if (shape.width != shape.layer.front().feedForward.width) return {};
    // A square matrix does not show how it is stored, but only the flavour that transposes has a head predictor.
    shape.transposedDown = predictor != nullptr;
    shape.notes.push_back(shape.transposedDown
                              ? Sentence("The experts' down matrices are square, and are taken as stored by neuron")
                              : "The experts' down matrices are square, and are taken as stored by row");
    return {};
}

/// Early files of Qwen3-Next, which interleave by key head what newer ones hold in two tensors.
Status refuseOlderForm(const gguf::Header& header, const ModelShape& shape) {
    constexpr const char* older = "blk.0.ssm_in.weight";
    if (shape.architecture->deltaRule != DeltaRuleForm::Grouped || header.tensor(older) == nullptr) return {};
    return Error{ErrorKind::Unsupported,
                 "This program can't run this variant of the model",
                 {"The file is in an older form: its tensor '%1' holds what newer files have in 'attn_qkv.weight' and "
                  "'attn_gate.weight'",
                  older},
                 "Choose a newer file of this model"};
}

} // namespace

bool readsImages(const gguf::Header& header) {
    return header.string("general.architecture") == "clip" || header.string("general.type") == "mmproj";
}

Result<ModelShape> readModelShape(const gguf::Header& header, int64_t context) {
    const Result<const Architecture*> architecture = findArchitecture(header);
    if (!architecture) return architecture.error();
    ModelShape shape;
    shape.architecture = architecture.value();
    shape.name = std::string(header.string("general.name").value_or(""));
    Metadata keys(header, shape.architecture->name);
    constexpr double usualEpsilon = 1e-5; // arXiv:1910.07467's implementations
    shape.activation = shape.architecture->activation;
    shape.routerInput = shape.architecture->routerInput;
    const AttentionShape attention = readSizes(keys, shape);
    if (shape.architecture->scaledEmbedding) shape.embeddingScale = std::sqrt(static_cast<float>(shape.width));
    if (shape.architecture->layerEmbeddings)
        shape.layerEmbedding = keys.optional("embedding_length_per_layer_input", 0, kMostWidth, 0);
    shape.logitCap = readCap(keys, "final_logit_softcapping", shape.architecture->logitCap);
    if (!keys.failed()) readLayers(keys, header.tensors.size(), attention, shape);
    if (!keys.failed()) refuseOtherArithmetic(keys, *shape.architecture, attention.headDim);
    shape.normEpsilon = static_cast<float>(keys.optionalNumber("attention.layer_norm_rms_epsilon", 0, 1, usualEpsilon));
    if (!keys.failed()) readRope(keys, attention.headDim, context, shape);
    checkPositionParts(keys, shape);
    if (keys.failed()) return keys.error();
    if (Status status = refuseOlderForm(header, shape); !status) return status.error();
    if (Status status = readFromTensors(header, shape); !status) return status.error();
    if (const Result<ModelTensors> tensors = findTensors(shape, header); !tensors) return tensors.error();
    return shape;
}

} // namespace coterie::engine
