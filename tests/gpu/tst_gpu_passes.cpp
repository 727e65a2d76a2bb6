// SPDX-License-Identifier: Apache-2.0
// The commands of a pass: how many a token is, that none is recorded twice, and that each barrier between two of them
// is needed. All are counted or changed in the table of functions.
#include "backend_test.h"
#include "decoder/tiny_families.h"
#include "embedded_shader.h"
#include "vulkan_layers.h"

#include <QtTest>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

using namespace coterie::engine;
using namespace coterie::test;
namespace gpu = coterie::gpu;

namespace {

/// Calls since the counts were set to zero.
struct Calls {
    int submissions = 0, dispatches = 0, barriers = 0, copies = 0;
    int preparations = 0; ///< lists begun, descriptors written, pipelines and memory made
    int pipelines = 0;
};
Calls calls;
int leftOut = -1;     ///< number of the barrier that is not recorded
bool computes = true; ///< otherwise shaders are not run

PFN_vkQueueSubmit trueSubmit;
PFN_vkCmdDispatch trueDispatch;
PFN_vkCmdDispatchIndirect trueIndirect;
PFN_vkCmdCopyBuffer trueCopy;
PFN_vkCmdPipelineBarrier trueBarrier;
PFN_vkAllocateMemory trueAllocate;
PFN_vkBeginCommandBuffer trueBegin;
PFN_vkUpdateDescriptorSets trueUpdate;
PFN_vkCreateComputePipelines trueCreate;

VKAPI_ATTR VkResult VKAPI_CALL submit(VkQueue queue, uint32_t count, const VkSubmitInfo* work, VkFence fence) {
    ++calls.submissions;
    return trueSubmit(queue, count, work, fence);
}
VKAPI_ATTR void VKAPI_CALL dispatch(VkCommandBuffer commands, uint32_t x, uint32_t y, uint32_t z) {
    ++calls.dispatches;
    if (computes) trueDispatch(commands, x, y, z);
}
VKAPI_ATTR void VKAPI_CALL indirect(VkCommandBuffer commands, VkBuffer counts, VkDeviceSize offset) {
    ++calls.dispatches;
    trueIndirect(commands, counts, offset);
}
VKAPI_ATTR void VKAPI_CALL copy(VkCommandBuffer commands, VkBuffer from, VkBuffer to, uint32_t count,
                                const VkBufferCopy* ranges) {
    ++calls.copies;
    trueCopy(commands, from, to, count, ranges);
}
VKAPI_ATTR void VKAPI_CALL barrier(VkCommandBuffer commands, VkPipelineStageFlags from, VkPipelineStageFlags to,
                                   VkDependencyFlags flags, uint32_t count, const VkMemoryBarrier* memory,
                                   uint32_t buffers, const VkBufferMemoryBarrier* buffer, uint32_t images,
                                   const VkImageMemoryBarrier* image) {
    const bool between = (to & VK_PIPELINE_STAGE_HOST_BIT) == 0; // the last one lets the host read
    if (between && calls.barriers++ == leftOut) return;
    trueBarrier(commands, from, to, flags, count, memory, buffers, buffer, images, image);
}
VKAPI_ATTR VkResult VKAPI_CALL allocate(VkDevice device, const VkMemoryAllocateInfo* info,
                                        const VkAllocationCallbacks* callbacks, VkDeviceMemory* memory) {
    ++calls.preparations;
    return trueAllocate(device, info, callbacks, memory);
}
VKAPI_ATTR VkResult VKAPI_CALL begin(VkCommandBuffer commands, const VkCommandBufferBeginInfo* info) {
    ++calls.preparations;
    return trueBegin(commands, info);
}
VKAPI_ATTR void VKAPI_CALL update(VkDevice device, uint32_t writes, const VkWriteDescriptorSet* write, uint32_t copies,
                                  const VkCopyDescriptorSet* copied) {
    ++calls.preparations;
    trueUpdate(device, writes, write, copies, copied);
}
VKAPI_ATTR VkResult VKAPI_CALL create(VkDevice device, VkPipelineCache cache, uint32_t count,
                                      const VkComputePipelineCreateInfo* infos, const VkAllocationCallbacks* callbacks,
                                      VkPipeline* pipelines) {
    ++calls.preparations;
    ++calls.pipelines;
    return trueCreate(device, cache, count, infos, callbacks, pipelines);
}

/// Puts a function that counts in the place of the one that was found.
template <typename Function>
PFN_vkVoidFunction replaced(Function& kept, PFN_vkVoidFunction found, Function counting) {
    kept = reinterpret_cast<Function>(found);
    return reinterpret_cast<PFN_vkVoidFunction>(counting);
}
PFN_vkVoidFunction counted(std::string_view name, PFN_vkVoidFunction found) {
    if (name == "vkQueueSubmit") return replaced(trueSubmit, found, &submit);
    if (name == "vkCmdDispatch") return replaced(trueDispatch, found, &dispatch);
    if (name == "vkCmdDispatchIndirect") return replaced(trueIndirect, found, &indirect);
    if (name == "vkCmdCopyBuffer") return replaced(trueCopy, found, &copy);
    if (name == "vkCmdPipelineBarrier") return replaced(trueBarrier, found, &barrier);
    if (name == "vkAllocateMemory") return replaced(trueAllocate, found, &allocate);
    if (name == "vkBeginCommandBuffer") return replaced(trueBegin, found, &begin);
    if (name == "vkUpdateDescriptorSets") return replaced(trueUpdate, found, &update);
    if (name == "vkCreateComputePipelines") return replaced(trueCreate, found, &create);
    return found;
}

/// One layer is enough to meet every pair of dispatches that the two below have.
TinyModelOptions small(const QString& architecture, int64_t layers) {
    return inFormat({.architecture = architecture.toStdString(), .layers = layers, .leadingDense = 0, .tied = false},
                    TensorType::Q8_0);
}

/// Records a token's pass, as loading a model does, and computes a prompt if one is asked for. Returns whether
/// validation finds something when barrier number leftOut is missing. A device keeps its pipelines, which take most of
/// the time.
bool isReported(gpu::VulkanDevice& device, const LoadedModel& model, bool prompt) {
    calls = {};
    const int before = device.messages().count;
    const ModelTensors tensors = mustHave(findTensors(model.shape, model.file->header()));
    gpu::VulkanLayers layers(device);
    bool done = layers.allocate(model.shape, model.plan).ok() &&
                layers.load(*model.file, tensors, *kernelTables().back(), {}).ok();
    if (prompt) {
        const std::vector<int32_t> tokens = randomTokens(3, model.shape.vocabulary);
        done = done && layers.embed(tokens, 0).ok() && layers.run({0, model.shape.layers}).ok() &&
               layers.head(0, static_cast<int64_t>(tokens.size())).ok();
    }
    if (!done) qFatal("a pass can't be recorded");
    return device.messages().count > before;
}

} // namespace

class GpuPassesTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() { COTERIE_NEEDS_DEVICE(); }
    void cleanup() {
        leftOut = -1;
        computes = true;
    }

    /// A pass is recorded when the model is loaded. A token is then one submission and nothing else.
    void callsOfAToken_data() {
        QTest::addColumn<QString>("family");
        QTest::addColumn<int>("ofLayer");
        QTest::newRow("dense") << QString("llama") << 9;
        QTest::newRow("experts") << QString("qwen3moe") << 10;
        QTest::newRow("experts chosen before attention") << QString("smallthinker") << 10;
    }
    void callsOfAToken() {
        QFETCH(QString, family);
        QFETCH(int, ofLayer);
        const TinyModelOptions options = small(family, 3);
        MemoryFiles files(makeTinyModel(options).bytes), fewer(makeTinyModel(small(family, 2)).bytes);
        calls = {};
        (void)mustLoad(fewer, onVulkan(nullptr, {.replace = counted}));
        const int ofTwoLayers = calls.dispatches;
        QVERIFY2(ofTwoLayers <= 2 * ofLayer + 8, qPrintable(QString::number(ofTwoLayers)));
        for (const gpu::MemoryTier tier : {gpu::MemoryTier::Shared, gpu::MemoryTier::Own}) {
            calls = {};
            const gpu::VulkanDevice* device = nullptr;
            LoadedModel model =
                mustLoad(files, onVulkan(&device, {.validation = true, .tier = tier, .replace = counted}));
            QCOMPARE(calls.dispatches - ofTwoLayers, ofLayer);
            (void)mustRun(*model.decoder, randomTokens(5, options.vocabulary));
            calls = {};
            (void)mustRun(*model.decoder, randomTokens(3, options.vocabulary), {1, 1, 1});
            QCOMPARE(calls.submissions, 3);
            QCOMPARE(calls.dispatches + calls.barriers + calls.copies + calls.preparations, 0);
            QVERIFY2(device->messages().count == 0, device->messages().first.c_str());
        }
    }

    /// Pipelines of a model are made and tried when it is loaded: no prompt waits for them, and no others are tried.
    void pipelinesOfAModel() {
        const TinyModelOptions options = small("qwen3moe", 2);
        MemoryFiles files(makeTinyModel(options).bytes);
        calls = {};
        const gpu::VulkanDevice* device = nullptr;
        LoadedModel model =
            mustLoad(files, onVulkan(&device, {.validation = true, .replace = counted}, gpu::SelfTest::WhenLoaded));
        const std::set<std::string> shaders = device->shadersOfPrograms();
        for (const char* needed : {"attention_f16", "attention_blocks_f16", "product_q8_0", "route"})
            QVERIFY2(std::ranges::any_of(shaders, [&](const auto& each) { return each.starts_with(needed); }), needed);
        QVERIFY(std::ranges::none_of(shaders, [](const auto& each) { return each.starts_with("product_q4_k"); }));
        QVERIFY(shaders.size() < gpu::embeddedShaders().size() / 3);
        calls = {};
        (void)mustRun(*model.decoder, randomTokens(3, options.vocabulary));
        QVERIFY(calls.submissions > 0);
        QCOMPARE(calls.pipelines, 0);
        QVERIFY2(device->messages().count == 0, device->messages().first.c_str());
    }

    void aDeviceThatMiscomputesIsRefused() {
        MemoryFiles files(makeTinyModel(small("llama", 1)).bytes);
        computes = false;
        const auto model = loadModel(files, onVulkan(nullptr, {.replace = counted}, gpu::SelfTest::WhenLoaded));
        QVERIFY(!model && model.error().kind == ErrorKind::Unsupported);
        QVERIFY2(model.error().line().find("prepare_bytes") != std::string::npos, model.error().line().c_str());
    }

    /// On a card the weights arrive by copies.
    void weightsOfACard() {
        MemoryFiles files(makeTinyModel(small("llama", 1)).bytes);
        const auto copiesOf = [&](gpu::MemoryTier tier) {
            calls = {};
            (void)mustLoad(files, onVulkan(nullptr, {.tier = tier, .replace = counted}));
            return calls.copies;
        };
        QCOMPARE(copiesOf(gpu::MemoryTier::Shared), 0);
        QVERIFY(copiesOf(gpu::MemoryTier::Own) > 0);
    }

    /// Each barrier is left out in turn, and validation says so: none of them is idle, and the list has no more.
    void eachBarrierIsNeeded_data() {
        QTest::addColumn<QString>("family");
        QTest::addColumn<bool>("prompt");
        for (const char* family : {"llama", "smallthinker", "qwen2moe"}) {
            QTest::addRow("%s, token", family) << QString(family) << false;
            QTest::addRow("%s, prompt", family) << QString(family) << true;
        }
    }
    void eachBarrierIsNeeded() {
        QFETCH(QString, family);
        QFETCH(bool, prompt);
        MemoryFiles files(makeTinyModel(small(family, 1)).bytes);
        const LoadedModel model = mustLoad(files);
        const auto device = openDevice({.validation = true, .replace = counted});
        QVERIFY(!isReported(*device, model, false));
        const int ofToken = calls.barriers;
        QVERIFY(!isReported(*device, model, prompt));
        const int barriers = calls.barriers;
        QVERIFY(barriers >= 9);
        for (leftOut = prompt ? ofToken : 0; leftOut < barriers; ++leftOut)
            QVERIFY2(isReported(*device, model, prompt), qPrintable(QString::number(leftOut)));
    }

    /// A token's attention over several blocks gives the bits of a prompt's, also behind a window.
    void longContexts_data() {
        QTest::addColumn<TinyModelOptions>("options");
        QTest::newRow("all positions") << small("llama", 2);
        TinyModelOptions window = small("smallthinker", 2); // the first layer sees all positions
        window.window = 70;
        QTest::newRow("a window") << window;
        TinyModelOptions sinks = small("gpt-oss", 2);
        sinks.window = 70;
        QTest::newRow("sinks") << sinks;
    }
    void longContexts() {
        QFETCH(TinyModelOptions, options);
        const std::vector<int32_t> tokens = randomTokens(134, options.vocabulary);
        MemoryFiles files(makeTinyModel(options).bytes);
        LoadedModel model = mustLoad(files, onVulkan());
        const Logits whole = mustRun(*model.decoder, tokens);
        QCOMPARE(model.decoder->rewind(0), 0);
        // Lone tokens on both sides of the borders at 64 and 128.
        const Logits pieces = mustRun(*model.decoder, tokens, {62, 1, 1, 1, 1, 60, 1, 1, 1, 1, 4});
        QVERIFY(sameBits(whole, pieces));
    }
};

QTEST_APPLESS_MAIN(GpuPassesTest)
#include "tst_gpu_passes.moc"
