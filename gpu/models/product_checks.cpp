// SPDX-License-Identifier: Apache-2.0
// The self-test's checks of the shaders for matrices: each variant once, some rows of it.
#include "layer_step_runs.h"
#include "layer_step_samples.h"
#include "product_runs.h"
#include "same_bits.h"
#include "samples.h"
#include "self_test.h"
#include "shader_names.h"
#include "vulkan_device.h"

#include "kernels/formats.h"

#include <array>
#include <cstring>
#include <utility>

namespace coterie::gpu {
namespace {

using engine::Status;
using engine::TensorType;

constexpr int kUnwritten = 0xCD;  ///< the bytes of an output before a shader runs
constexpr uint32_t kRows = 5;     ///< no multiple of the rows of a workgroup
constexpr uint32_t kNeurons = 64; ///< two groups
constexpr uint32_t kUnwrittenWord = 0xcdcdcdcd;
constexpr uint32_t kVectors = 3;    ///< no multiple of the vectors of a workgroup
constexpr uint32_t kColumns = 1536; ///< 48 steps of 32: some lanes have two
constexpr uint32_t kSeed = 1;

std::vector<float> unwritten(size_t count) {
    std::vector<float> values(count);
    std::memset(values.data(), kUnwritten, count * sizeof(float));
    return values;
}

Status checkPrepare(VulkanDevice& device) {
    Samples samples(kSeed);
    const std::vector<float> x = samples.ties(size_t{kColumns} * kVectors);
    const uint32_t stride = preparedWords(kColumns);
    const PrepareCall call{x, {kColumns, kVectors, kColumns, stride}};
    std::vector<uint32_t> written(size_t{stride} * kVectors), expected(written.size());
    prepareBytes(call, expected);
    if (Status done = runPrepare(device, call, written); !done) return done;
    return sameBytes("prepare_bytes", std::as_bytes(std::span(written)), std::as_bytes(std::span(expected)));
}

/// The columns of a float format end within a step.
uint32_t columnsOf(TensorType type) { return engine::isIntegerFormat(type) ? kColumns : kColumns - 11; }

/// Succeeds on a device that lacks what the variant needs: the shader is not used there.
template <TensorType type, bool shuffles, bool integerDot>
Status checkProduct(VulkanDevice& device) {
    const Abilities& abilities = device.abilities();
    if ((shuffles && !abilities.shuffles) || (integerDot && !abilities.integerDot)) return {};
    const ProductSample sample(type, kRows, columnsOf(type), kVectors, kSeed);
    std::vector<float> written(sample.outputs()), expected = unwritten(sample.outputs());
    const ProductTuning tuning{.rows = 2, .vectors = 2, .shuffles = shuffles, .integerDot = integerDot};
    product(sample.call(), expected);
    if (Status done = runProduct(device, sample.call(), tuning, written); !done) return done;
    return sameBits(productName(type, tuning, abilities), written, expected);
}

/// A model uses one of the formulas: with ReGlu gates come first.
template <TensorType type, bool shuffles, bool integerDot>
Status checkNeurons(VulkanDevice& device) {
    const Abilities& abilities = device.abilities();
    if ((shuffles && !abilities.shuffles) || (integerDot && !abilities.integerDot)) return {};
    const ProductTuning tuning{.lanes = 128, .rows = 2, .shuffles = shuffles, .integerDot = integerDot};
    for (const auto kind : {engine::Activation::SwiGlu, engine::Activation::ReGlu}) {
        const NeuronsSample sample(type, kind, kind == engine::Activation::ReGlu, kNeurons, columnsOf(type), 2, kSeed);
        std::vector<float> written(sample.floats()), expected = unwritten(sample.floats());
        std::vector<uint32_t> words(sample.words()), expectedWords(words), counts(sample.counts(), kUnwrittenWord),
            expectedCounts(counts);
        neurons(sample.call(), expected, expectedWords, expectedCounts);
        if (Status done = runNeurons(device, sample.call(), tuning, written, words, counts); !done) return done;
        const std::string name = neuronsName(type, tuning, abilities);
        if (Status same = sameBits(name, written, expected); !same) return same;
        if (Status same = sameBytes(name, std::as_bytes(std::span(words)), std::as_bytes(std::span(expectedWords)));
            !same)
            return same;
        if (Status same = sameBytes(name, std::as_bytes(std::span(counts)), std::as_bytes(std::span(expectedCounts)));
            !same)
            return same;
    }
    return {};
}

template <TensorType type>
Status checkExpand(VulkanDevice& device) {
    const ProductSample sample(type, kRows, columnsOf(type), 1, kSeed);
    const std::array<uint32_t, 2> rows = {4, 1};
    const ExpandCall call{{type, sample.weights}, rows, {sample.columns, 2, sample.columns, 0}};
    std::vector<float> written(2 * size_t{sample.columns}), expected = unwritten(written.size());
    expandRows(call, expected);
    if (Status done = runExpand(device, call, written); !done) return done;
    return sameBits(shaderName("expand_row", type), written, expected);
}

template <TensorType type>
Status checkNeuronSum(VulkanDevice& device) {
    const ProductSample sample(type, kRows, columnsOf(type), 1, kSeed);
    std::vector<float> activations = Samples(kSeed).units(size_t{kRows} * kVectors);
    activations[1] = 0;
    const NeuronSumCall call{
        {type, sample.weights}, activations, {kRows, sample.columns, kVectors, kRows, sample.columns, 0}};
    std::vector<float> written(size_t{sample.columns} * kVectors), expected = unwritten(written.size());
    sumNeurons(call, expected);
    if (Status done = runNeuronSum(device, call, written); !done) return done;
    return sameBits(shaderName("neuron_sum", type), written, expected);
}

/// A check and the name that its string_view needs.
struct NamedCheck {
    std::string name;
    Status (*run)(VulkanDevice& device);
};

template <TensorType type, bool shuffles, bool integerDot>
void addProducts(std::vector<NamedCheck>& checks) {
    const ProductTuning tuning{.shuffles = shuffles, .integerDot = integerDot};
    checks.push_back({productName(type, tuning, {.shuffles = shuffles}), checkProduct<type, shuffles, integerDot>});
    checks.push_back({neuronsName(type, tuning, {.shuffles = shuffles}), checkNeurons<type, shuffles, integerDot>});
}

template <TensorType type>
void addChecks(std::vector<NamedCheck>& checks) {
    if (!hasShaders(type)) return;
    addProducts<type, false, false>(checks);
    addProducts<type, true, false>(checks);
    if constexpr (engine::isIntegerFormat(type)) {
        addProducts<type, false, true>(checks);
        addProducts<type, true, true>(checks);
    }
    checks.push_back({shaderName("expand_row", type), checkExpand<type>});
    checks.push_back({shaderName("neuron_sum", type), checkNeuronSum<type>});
}

template <size_t... place>
std::vector<NamedCheck> allChecks(std::index_sequence<place...> /*places*/) {
    std::vector<NamedCheck> checks{{"prepare_bytes", checkPrepare}};
    (addChecks<engine::kFormats[place].type>(checks), ...);
    return checks;
}

} // namespace

std::span<const ShaderCheck> productChecks() {
    static const std::vector<NamedCheck> named = allChecks(std::make_index_sequence<std::size(engine::kFormats)>());
    static const std::vector<ShaderCheck> checks = [] {
        std::vector<ShaderCheck> all;
        all.reserve(named.size());
        for (const NamedCheck& check : named) all.push_back({check.name, check.run});
        return all;
    }();
    return checks;
}

} // namespace coterie::gpu
