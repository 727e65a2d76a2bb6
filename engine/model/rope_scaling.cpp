// SPDX-License-Identifier: Apache-2.0
// See rope_scaling.h. Keys and their defaults are those of llama.cpp.
#include "model/rope_scaling.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace coterie::engine {
namespace {

/// The largest factor by which YaRN may stretch the trained context; published models go up to 32.
constexpr int64_t kMostStretch = 64;

struct Yarn {
    double factor = 1;
    double original = 0;        ///< context that the frequencies were trained for, in tokens
    double fast = 32, slow = 1; ///< turns over that context: above fast a pair stays, below slow it is stretched
    double extrapolation = 1;   ///< 0: all pairs are stretched alike
    double attention = 1;       ///< factor of cosines and sines in that case, in place of 1 + 0.1 ln(factor)
};

/// Returns the factor by which the pairs turn slower than trained: 1 if the file does not give it, or gives 0. The
/// second key is the older one.
double readFactor(Metadata& keys) {
    const char* key = keys.has("rope.scaling.factor") ? "rope.scaling.factor" : "rope.scale_linear";
    const double factor = keys.optionalNumber(key, 0, 1e6, 1);
    constexpr double least = 1e-3;
    if (factor != 0 && factor < least) keys.fail(key, {"It is %1, which can't be right", factor});
    return factor == 0 ? 1 : factor;
}

Yarn readYarn(Metadata& keys, const ModelShape& shape) {
    Yarn yarn;
    yarn.factor = readFactor(keys);
    const double trained = static_cast<double>(shape.trainedContext);
    yarn.original = keys.optionalNumber("rope.scaling.original_context_length", 1, 1e9, trained);
    yarn.fast = keys.optionalNumber("rope.scaling.yarn_beta_fast", 1e-3, 1e6, yarn.fast);
    yarn.slow = keys.optionalNumber("rope.scaling.yarn_beta_slow", 1e-3, 1e6, yarn.slow);
    const double extrapolation = keys.optionalNumber("rope.scaling.yarn_ext_factor", -1, 1, yarn.extrapolation);
    if (extrapolation >= 0) yarn.extrapolation = extrapolation; // a value below 0 means that the file does not say
    yarn.attention = keys.optionalNumber("rope.scaling.yarn_attn_factor", 1e-3, 1e3, 1);
    return yarn;
}

/// The index, as a real number, of the pair that turns `turns` times over the original context.
double pairOfTurns(const ModelShape& shape, double original, double turns) {
    const double theta = static_cast<double>(shape.rotation.theta);
    return static_cast<double>(shape.rotation.dimensions) * std::log(original / (turns * 2 * std::numbers::pi)) /
           (2 * std::log(theta));
}

/// Multiplies shape.rotation.factors by YaRN's divisors. Pairs that turn often stay as they are, pairs that turn less
/// than `slow` times are slowed down by the factor, and the others lie between.
void stretch(const Yarn& yarn, ModelShape& shape) {
    const size_t pairs = static_cast<size_t>(shape.rotation.dimensions / 2);
    const double last = static_cast<double>(shape.rotation.dimensions - 1);
    const double low = std::max(0.0, std::floor(pairOfTurns(shape, yarn.original, yarn.fast)));
    const double high = std::min(last, std::ceil(pairOfTurns(shape, yarn.original, yarn.slow)));
    constexpr double narrowest = 0.001; // width of the ramp
    if (shape.rotation.factors.empty()) shape.rotation.factors.assign(pairs, 1);
    for (size_t i = 0; i < pairs; ++i) {
        const double ramp = std::clamp((static_cast<double>(i) - low) / std::max(narrowest, high - low), 0.0, 1.0);
        const double kept = (1 - ramp) * yarn.extrapolation;
        shape.rotation.factors[i] /= (1 - kept) / yarn.factor + kept;
    }
    const double grown = yarn.factor <= 1 ? 1 : 1 + 0.1 * std::log(yarn.factor);
    shape.rotation.scale *= yarn.extrapolation == 0 ? yarn.attention : grown;
}

/// Returns whether some layer that rotates sees distances that it was not trained for.
bool rotatesBeyondWindows(const ModelShape& shape) {
    return std::any_of(shape.layer.begin(), shape.layer.end(), [&](const LayerShape& layer) {
        const AttentionShape& attention = layer.attention;
        return layer.hasAttention() && attention.rope &&
               (attention.window == 0 || attention.window > shape.trainedContext);
    });
}

/// Stretches the file's own scaling further, for a context beyond the trained one.
void stretchFor(int64_t context, bool fileHasYarn, double linearFactor, Yarn yarn, Metadata& keys, ModelShape& shape) {
    if (context > shape.trainedContext * kMostStretch) {
        return keys.refuse(
            {ErrorKind::BadInput,
             {"A context of %1 tokens is not possible", context},
             {"It is more than %1 times the %2 that the model was trained for", kMostStretch, shape.trainedContext},
             {"Choose a context from 1 to %1", shape.trainedContext * kMostStretch}});
    }
    shape.longestContext = context;
    if (!rotatesBeyondWindows(shape)) {
        if (fileHasYarn) stretch(yarn, shape);
        return shape.notes.push_back({"The context of %1 tokens is beyond the %2 that the model was trained for, but "
                                      "nothing is scaled, because no layer that rotates looks back further than its "
                                      "window",
                                      context, shape.trainedContext});
    }
    if (!fileHasYarn) yarn.original = static_cast<double>(shape.trainedContext) / linearFactor;
    const double wanted = static_cast<double>(context) / yarn.original / linearFactor;
    yarn.factor = std::max(fileHasYarn ? yarn.factor : 1, wanted);
    stretch(yarn, shape);
    if (linearFactor == 1)
        shape.notes.push_back(
            {"The context of %1 tokens is beyond the %2 that the model was trained for: YaRN scales the "
             "rotation by %3 over %4 tokens, and answers may be worse",
             context, shape.trainedContext, yarn.factor, yarn.original});
    else
        shape.notes.push_back(
            {"The context of %1 tokens is beyond the %2 that the model was trained for: YaRN scales the "
             "rotation by %3 over %4 tokens, in addition to the file's own factor of %5, and answers "
             "may be worse",
             context, shape.trainedContext, yarn.factor, yarn.original, linearFactor});
}

void checkPairs(Metadata& keys, const char* key, const Rotation& rotation) {
    if (!keys.failed() && rotation.dimensions % 2 != 0)
        keys.fail(key, {"%1 is odd, and rotation takes pairs", rotation.dimensions});
}

/// The rotation of layers with a window, whose distances are never longer than trained for: it is not scaled.
void readWindowRotation(Metadata& keys, ModelShape& shape) {
    const double usualTheta = shape.architecture->windowTheta;
    const auto own = std::find_if(shape.layer.begin(), shape.layer.end(),
                                  [](const LayerShape& layer) { return layer.attention.ownRotation; });
    if (usualTheta == 0 || own == shape.layer.end()) return;
    const int64_t headDim = own->attention.headDim;
    Rotation& rotation = shape.windowRotation;
    constexpr const char* key = "rope.dimension_count_swa";
    rotation.dimensions = keys.optional(key, 2, headDim, std::min(headDim, shape.rotation.dimensions));
    rotation.theta = static_cast<float>(keys.optionalNumber("rope.freq_base_swa", 1e-3, 1e30, usualTheta));
    checkPairs(keys, key, rotation);
}

} // namespace

void readRope(Metadata& keys, int64_t headDim, int64_t context, ModelShape& shape) {
    constexpr double usualTheta = 10000; // arXiv:2104.09864
    shape.longestContext = shape.trainedContext;
    shape.rotation.dimensions = keys.optional("rope.dimension_count", 2, headDim, headDim);
    shape.rotation.theta = static_cast<float>(keys.optionalNumber("rope.freq_base", 1e-3, 1e30, usualTheta));
    checkPairs(keys, "rope.dimension_count", shape.rotation);
    readWindowRotation(keys, shape);
    const std::string type = keys.optionalText("rope.scaling.type", "linear");
    const double linear = type == "linear" ? readFactor(keys) : 1;
    shape.rotation.scale = keys.optionalNumber("rope.scaling.attn_factor", 1e-3, 1e3, 1);
    if (!keys.failed() && type != "linear" && type != "yarn" && type != "none")
        return keys.unsupported("rope.scaling.type",
                                {"it is '%1', and 'linear', 'yarn' and 'none' are known", shortened(type)});
    const bool fileHasYarn = type == "yarn";
    const Yarn yarn = fileHasYarn ? readYarn(keys, shape) : Yarn{};
    if (keys.failed()) return;
    if (shape.rotation.theta <= 1 && (fileHasYarn || context > shape.trainedContext))
        return keys.fail("rope.freq_base", "It is not above 1, and YaRN needs pairs of different speeds");
    if (linear != 1) shape.rotation.factors.assign(static_cast<size_t>(shape.rotation.dimensions / 2), linear);
    if (context > shape.trainedContext)
        stretchFor(context, fileHasYarn, linear, yarn, keys, shape);
    else if (fileHasYarn)
        stretch(yarn, shape);
}

} // namespace coterie::engine
