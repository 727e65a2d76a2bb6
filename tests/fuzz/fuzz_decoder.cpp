// SPDX-License-Identifier: Apache-2.0
// libFuzzer target: any bytes as a model file, from its header to a decoder that has run a prompt and one token. What
// can't run must say so in three parts; what the memory plan promises must hold.
#include "decoder/loaded_model.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

using namespace coterie::engine;
using namespace coterie::test;

namespace {

void require(bool holds) {
    if (!holds) std::abort();
}

void look(const Error& error) { require(!error.what.empty() && !error.why.empty() && !error.action.empty()); }

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    // A file can't ask for more work or memory than this lets it.
    constexpr uint64_t budget = 48 << 20, held = 1 << 20;
    constexpr int64_t mostLayers = 8, mostContext = 4096;
    MemoryFiles files(std::string(reinterpret_cast<const char*>(data), size));
    const auto file = ModelFile::open(files, "model");
    if (!file) return look(file.error()), 0;
    const auto shape = readModelShape(file.value()->header());
    if (!shape) return look(shape.error()), 0;
    if (shape->layers > mostLayers) return 0;
    const MemoryRequest request{.budget = budget,
                                .context = std::min<int64_t>(shape->trainedContext, mostContext),
                                .threads = 1,
                                .held = held,
                                .keyValueFormat = size % 2 == 0 ? TensorType::F16 : TensorType::Q8_0};
    const auto plan = planMemory(shape.value(), file.value()->header(), request);
    if (!plan) return look(plan.error()), 0;
    require(plan->total() <= budget && plan->context == request.context);

    const auto decoder = std::make_unique<Decoder>(createCpuBackend({.kernels = *kernelTables().back()}));
    require(decoder->prepare(shape.value(), plan.value()).ok());
    if (const Status loaded = decoder->upload(*file.value(), {}); !loaded) return look(loaded.error()), 0;
    const DeviceTelemetry before = decoder->telemetry();
    require(before.residentBytes <= plan->resident && before.scratchBytes <= plan->scratch);
    const TokenId last = static_cast<TokenId>(shape->vocabulary - 1);
    const auto logits = logitsOf(*decoder, {0, last, last / 2}, {2, 1});
    if (!logits) return look(logits.error()), 0;
    require(logits->size() == 3 && logits->front().size() == static_cast<size_t>(shape->vocabulary));
    require(decoder->telemetry().keyValueBytes <= plan->keyValue);
    require(decoder->telemetry().stateBytes <= plan->state);
    require(decoder->telemetry().embeddingRowBytes <= plan->embeddingRows);
    return 0;
}
