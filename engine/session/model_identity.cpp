// SPDX-License-Identifier: Apache-2.0
// See model_identity.h.
#include "session/model_identity.h"

#include "base/hash.h"

#include <array>

namespace coterie::engine {

std::optional<uint64_t> modelIdentity(const ModelFile& model) {
    constexpr uint64_t kSamples = 32, kSampleBytes = 256;
    const gguf::Header& header = model.header();
    const gguf::Tensor* head = header.tensor("output.weight");
    if (head == nullptr) head = header.tensor("token_embd.weight");
    if (head == nullptr || head->bytes < kSampleBytes) return std::nullopt;
    Hash hash;
    const std::array<uint64_t, 4> shape{model.size(), head->typeId, head->shape[0], head->shape[1]};
    hash.add(std::as_bytes(std::span(shape)));
    std::array<std::byte, kSampleBytes> sample;
    for (uint64_t i = 0; i < kSamples; ++i) {
        if (!model.read(*head, (head->bytes - kSampleBytes) / kSamples * i, sample)) return std::nullopt;
        hash.add(sample);
    }
    return hash.value();
}

} // namespace coterie::engine
