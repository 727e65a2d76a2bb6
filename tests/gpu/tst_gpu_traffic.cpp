// SPDX-License-Identifier: Apache-2.0
// A token moves bytes between host and device, which are counted in the table of functions, and reads bytes of weights,
// which are those that the CPU reads.
#include "backend_test.h"
#include "decoder/tiny_families.h"

#include <QtTest>

#include <cmath>
#include <cstring>
#include <map>
#include <string_view>
#include <vector>

using namespace coterie::engine;
using namespace coterie::test;
namespace gpu = coterie::gpu;

namespace {

constexpr uint64_t kMostBesides = 4096; ///< bytes up, and bytes down beside the logits

/// Memory of the device that the host sees, as it was when it was looked at last.
struct Seen {
    VkDeviceSize size = 0;
    std::byte* bytes = nullptr; ///< null: the host does not see it
    std::vector<std::byte> before{};
};
std::map<VkDeviceMemory, Seen> memories;
uint64_t up = 0, down = 0; ///< bytes that changed

PFN_vkAllocateMemory trueAllocate;
PFN_vkFreeMemory trueFree;
PFN_vkMapMemory trueMap;
PFN_vkQueueSubmit trueSubmit;
PFN_vkWaitForFences trueWait;

/// Bytes of words that are not as before.
uint64_t changes() {
    constexpr size_t kWord = 4;
    uint64_t changed = 0;
    for (auto& [handle, seen] : memories) {
        if (seen.bytes == nullptr) continue;
        for (size_t i = 0; i + kWord <= seen.before.size(); i += kWord)
            if (std::memcmp(seen.bytes + i, &seen.before[i], kWord) != 0) changed += kWord;
        std::memcpy(seen.before.data(), seen.bytes, seen.before.size());
    }
    return changed;
}

VKAPI_ATTR VkResult VKAPI_CALL allocate(VkDevice device, const VkMemoryAllocateInfo* info,
                                        const VkAllocationCallbacks* callbacks, VkDeviceMemory* memory) {
    const VkResult result = trueAllocate(device, info, callbacks, memory);
    if (result == VK_SUCCESS) memories[*memory] = {.size = info->allocationSize};
    return result;
}
VKAPI_ATTR void VKAPI_CALL release(VkDevice device, VkDeviceMemory memory, const VkAllocationCallbacks* callbacks) {
    memories.erase(memory);
    trueFree(device, memory, callbacks);
}
VKAPI_ATTR VkResult VKAPI_CALL map(VkDevice device, VkDeviceMemory memory, VkDeviceSize offset, VkDeviceSize size,
                                   VkMemoryMapFlags flags, void** address) {
    const VkResult result = trueMap(device, memory, offset, size, flags, address);
    Seen& seen = memories[memory];
    seen.bytes = static_cast<std::byte*>(*address);
    seen.before.assign(seen.bytes, seen.bytes + seen.size);
    return result;
}
VKAPI_ATTR VkResult VKAPI_CALL submit(VkQueue queue, uint32_t count, const VkSubmitInfo* work, VkFence fence) {
    up += changes();
    return trueSubmit(queue, count, work, fence);
}
VKAPI_ATTR VkResult VKAPI_CALL wait(VkDevice device, uint32_t count, const VkFence* fences, VkBool32 all,
                                    uint64_t longest) {
    const VkResult result = trueWait(device, count, fences, all, longest);
    down += changes();
    return result;
}

template <typename Function>
PFN_vkVoidFunction replaced(Function& kept, PFN_vkVoidFunction found, Function counting) {
    kept = reinterpret_cast<Function>(found);
    return reinterpret_cast<PFN_vkVoidFunction>(counting);
}
PFN_vkVoidFunction counted(std::string_view name, PFN_vkVoidFunction found) {
    if (name == "vkAllocateMemory") return replaced(trueAllocate, found, &allocate);
    if (name == "vkFreeMemory") return replaced(trueFree, found, &release);
    if (name == "vkMapMemory") return replaced(trueMap, found, &map);
    if (name == "vkQueueSubmit") return replaced(trueSubmit, found, &submit);
    if (name == "vkWaitForFences") return replaced(trueWait, found, &wait);
    return found;
}

TinyModelOptions small(const char* family) {
    TinyModelOptions options{.architecture = family, .layers = 6, .tied = false};
    if (options.architecture == "gpt-oss") options.window = 8; // it can't be without one
    return inFormat(options, TensorType::Q8_0);
}

uint64_t weightBytes(const LoadedModel& model) { return model.decoder->telemetry().counts.weightBytesRead; }

/// Weights that three single tokens behind a prompt read.
uint64_t weightBytesOfTokens(FileSystem& files, const LoadOptions& options, const std::vector<int32_t>& tokens) {
    LoadedModel model = mustLoad(files, options);
    (void)mustRun(*model.decoder, part(tokens, 0, tokens.size() - 3));
    const uint64_t before = weightBytes(model);
    (void)mustRun(*model.decoder, part(tokens, tokens.size() - 3, tokens.size()), {1, 1, 1});
    return weightBytes(model) - before;
}

} // namespace

class GpuTrafficTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() { COTERIE_NEEDS_DEVICE(); }

    /// On a card, whose memory the host does not see: what it sees are the token, the logits and the reports.
    void bytesOfAToken_data() {
        QTest::addColumn<TinyModelOptions>("options");
        for (const char* family : {"llama", "qwen3moe", "qwen2moe", "gpt-oss", "smallthinker"})
            QTest::newRow(family) << small(family);
    }
    void bytesOfAToken() {
        QFETCH(TinyModelOptions, options);
        MemoryFiles files(makeTinyModel(options).bytes);
        memories.clear();
        const LoadedModel model =
            mustLoad(files, onVulkan(nullptr, {.tier = gpu::MemoryTier::Own, .replace = counted}));
        const std::vector<int32_t> tokens = randomTokens(70, options.vocabulary);
        (void)mustRun(*model.decoder, part(tokens, 0, 60));
        const uint64_t logits = static_cast<uint64_t>(model.shape.vocabulary) * sizeof(float);
        for (size_t t = 60; t < tokens.size(); ++t) {
            up = down = 0;
            (void)mustRun(*model.decoder, {tokens[t]});
            QVERIFY2(up > 0 && up <= kMostBesides, qPrintable(QString::number(up)));
            QVERIFY2(down > logits / 2 && down <= logits + kMostBesides, qPrintable(QString::number(down)));
        }
    }

    /// The experts of SmallThinker are in PowerInfer's layout: in the other one the CPU leaves out some columns of the
    /// down matrices, which it has regrouped, and the device reads them all.
    void weightsOfAToken_data() {
        QTest::addColumn<TinyModelOptions>("options");
        for (const char* family : {"llama", "qwen3moe", "qwen2moe", "gpt-oss"}) QTest::newRow(family) << small(family);
        TinyModelOptions sparse = inFormat({.architecture = "smallthinker", .tied = false}, TensorType::Q4_0);
        sparse.transposedDown = true;
        QTest::newRow("smallthinker, stored by neuron") << sparse;
    }
    void weightsOfAToken() {
        QFETCH(TinyModelOptions, options);
        const std::vector<int32_t> tokens = randomTokens(12, options.vocabulary);
        MemoryFiles files(makeTinyModel(options).bytes);
        LoadOptions onCpu;
        onCpu.experts.prefetch = false; // guesses read the routers of later layers
        const auto ofCpu = static_cast<double>(weightBytesOfTokens(files, onCpu, tokens));
        const auto ofDevice = static_cast<double>(weightBytesOfTokens(files, onVulkan(), tokens));
        QVERIFY(ofCpu > 0);
        QVERIFY2(std::abs(ofDevice / ofCpu - 1) < 0.01, qPrintable(QString("%1 of %2").arg(ofDevice).arg(ofCpu)));
    }

    /// With ReGLU a token reads the ups of open neurons alone. The neurons are counted by the shader that reads them.
    void weightsOfShutNeurons() {
        const TinyModelOptions options = inFormat({.architecture = "smallthinker", .tied = false}, TensorType::Q8_0);
        MemoryFiles files(makeTinyModel(options).bytes);
        LoadedModel model = mustLoad(files, onVulkan());
        const std::vector<int32_t> tokens = randomTokens(8, options.vocabulary);
        (void)mustRun(*model.decoder, part(tokens, 0, 4));
        const Counts before = model.decoder->telemetry().counts;
        (void)mustRun(*model.decoder, part(tokens, 4, 8), {1, 1, 1, 1});
        const Counts read = model.decoder->telemetry().counts - before;
        QVERIFY(read.activeNeurons > 0 && read.activeNeurons < read.neurons * 9 / 10);
        LoadedModel onCpu = mustLoad(files);
        (void)mustRun(*onCpu.decoder, part(tokens, 0, 4));
        const Counts beforeOnCpu = onCpu.decoder->telemetry().counts;
        (void)mustRun(*onCpu.decoder, part(tokens, 4, 8), {1, 1, 1, 1});
        const Counts ofCpu = onCpu.decoder->telemetry().counts - beforeOnCpu;
        QCOMPARE(read.neurons, ofCpu.neurons);
        const auto difference = static_cast<double>(read.activeNeurons) / static_cast<double>(ofCpu.activeNeurons) - 1;
        QVERIFY2(std::abs(difference) < 0.01, qPrintable(QString::number(difference)));
    }
};

QTEST_APPLESS_MAIN(GpuTrafficTest)
#include "tst_gpu_traffic.moc"
