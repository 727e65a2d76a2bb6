// SPDX-License-Identifier: Apache-2.0
// Whole models on a Vulkan device: their logits are those of the float64 decoder, the same bits however a prompt is cut
// and however often it is run, and what the device can't do is said in words.
#include "backend_test.h"
#include "decoder/tiny_families.h"
#include "shader_names.h"
#include "vulkan_devices.h"

#include <QtTest>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <string_view>
#include <type_traits>

using namespace coterie::engine;
using namespace coterie::test;
namespace gpu = coterie::gpu;

namespace {

VKAPI_ATTR VkResult VKAPI_CALL loseDevice() { return VK_ERROR_DEVICE_LOST; }
/// The device is lost as soon as a model needs commands.
PFN_vkVoidFunction losesDevice(std::string_view name, PFN_vkVoidFunction found) {
    return name == "vkCreateCommandPool" ? reinterpret_cast<PFN_vkVoidFunction>(loseDevice) : found;
}
PFN_vkVoidFunction losesDeviceAtOnce(std::string_view name, PFN_vkVoidFunction found) {
    return name == "vkCreateDevice" ? reinterpret_cast<PFN_vkVoidFunction>(loseDevice) : found;
}

struct Memory {
    VkDeviceSize bytes = 0;
    void* seen = nullptr; ///< address at which the host sees it, if it does
};
std::map<VkDeviceMemory, Memory> memories;
/// If set, the host reads this number everywhere when the device has ended its work.
std::optional<uint32_t> readInstead;

PFN_vkAllocateMemory trueAllocate;
PFN_vkMapMemory trueMap;
PFN_vkFreeMemory trueFree;
PFN_vkWaitForFences trueWait;

VKAPI_ATTR VkResult VKAPI_CALL allocateMemory(VkDevice device, const VkMemoryAllocateInfo* info,
                                              const VkAllocationCallbacks* callbacks, VkDeviceMemory* memory) {
    const VkResult done = trueAllocate(device, info, callbacks, memory);
    if (done == VK_SUCCESS) memories[*memory] = {info->allocationSize, nullptr};
    return done;
}
VKAPI_ATTR VkResult VKAPI_CALL mapMemory(VkDevice device, VkDeviceMemory memory, VkDeviceSize offset,
                                         VkDeviceSize bytes, VkMemoryMapFlags flags, void** address) {
    const VkResult done = trueMap(device, memory, offset, bytes, flags, address);
    if (done == VK_SUCCESS) memories[memory].seen = *address;
    return done;
}
VKAPI_ATTR void VKAPI_CALL freeMemory(VkDevice device, VkDeviceMemory memory, const VkAllocationCallbacks* callbacks) {
    memories.erase(memory);
    trueFree(device, memory, callbacks);
}
VKAPI_ATTR VkResult VKAPI_CALL waitForFences(VkDevice device, uint32_t count, const VkFence* fences, VkBool32 all,
                                             uint64_t longest) {
    const VkResult done = trueWait(device, count, fences, all, longest);
    for (const auto& [handle, memory] : memories)
        if (readInstead && memory.seen != nullptr)
            std::fill_n(static_cast<uint32_t*>(memory.seen), memory.bytes / sizeof(uint32_t), *readInstead);
    return done;
}
PFN_vkVoidFunction readsWrongly(std::string_view name, PFN_vkVoidFunction found) {
    const auto replaced = [found](auto& kept, auto function) {
        kept = reinterpret_cast<std::remove_reference_t<decltype(kept)>>(found);
        return reinterpret_cast<PFN_vkVoidFunction>(function);
    };
    if (name == "vkAllocateMemory") return replaced(trueAllocate, &allocateMemory);
    if (name == "vkMapMemory") return replaced(trueMap, &mapMemory);
    if (name == "vkFreeMemory") return replaced(trueFree, &freeMemory);
    if (name == "vkWaitForFences") return replaced(trueWait, &waitForFences);
    return found;
}

} // namespace

class GpuBackendTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() { COTERIE_NEEDS_DEVICE(); }
    void cleanup() { readInstead.reset(); }

    void agrees_data() {
        QTest::addColumn<TinyModelOptions>("options");
        QTest::addColumn<int>("cache");
        const auto row = [](const char* name, const char* kind, const TinyModelOptions& options, TensorType cache) {
            QTest::addRow("%s, %s", name, kind) << options << static_cast<int>(cache);
        };
        // In the short form a family is in floats and in one of the two other kinds.
        int number = 0;
        for (const NamedOptions& family : tinyFamilies()) {
            if (needsTheCpu(family.options)) continue; // see aModelWithOtherLayersIsRefused()
            row(family.name, "floats", family.options, TensorType::F16);
            const bool isEven = number++ % 2 == 0;
            if (!isEven || longTests())
                row(family.name, "Q8_0", inFormat(family.options, TensorType::Q8_0), TensorType::Q8_0);
            if (!isEven && !longTests()) continue;
            TinyModelOptions mixed = inFormat(family.options, TensorType::Q4_K);
            mixed.typeOf = mixedType;
            row(family.name, "mixed", mixed, TensorType::F16);
        }
    }
    void agrees() {
        QFETCH(TinyModelOptions, options);
        QFETCH(int, cache);
        const std::vector<int32_t> tokens = randomTokens(20, options.vocabulary); // beyond two windows of 8
        TinyModel tiny = makeTinyModel(options);
        const gpu::VulkanDevice* device = nullptr;
        LoadOptions load = onVulkan(&device);
        load.keyValueFormat = static_cast<TensorType>(cache);
        if (load.keyValueFormat == TensorType::Q8_0) tiny.oracle.cache = OracleCache::EightBits;
        MemoryFiles files(tiny.bytes);
        auto model = loadModel(files, load);
        QVERIFY2(model.ok(), model ? "" : model.error().line().c_str());
        ChoiceRecorder trace;
        const auto whole = logitsOf(*model->decoder, tokens, {}, &trace);
        QVERIFY2(whole.ok(), whole ? "" : whole.error().line().c_str());
        const TensorType type = options.typeOf != nullptr ? TensorType::Q8_0 : options.type;
        const double allowed = tolerance(type, tiny.oracle);
        const OracleRun want = runOracle(tiny.oracle, tokens, trace.choices.empty() ? nullptr : &trace.choices);
        QVERIFY2(want.worstChoice <= choiceTolerance(allowed), qPrintable(QString::number(want.worstChoice)));
        for (size_t i = 0; i < whole->size(); ++i) {
            const double error = relativeError(whole.value()[i], want.logits[i]);
            QVERIFY2(error < allowed, qPrintable(QString("position %1: %2 of %3").arg(i).arg(error).arg(allowed)));
        }
        QCOMPARE(model->decoder->rewind(0), 0);
        const auto pieces = logitsOf(*model->decoder, tokens, {1, 1, 7, 1});
        QVERIFY2(pieces.ok(), pieces ? "" : pieces.error().line().c_str());
        QVERIFY(sameBits(whole.value(), pieces.value()));
        QVERIFY2(device->messages().count == 0, device->messages().first.c_str());
    }

    /// Without shuffles and integer dot products, and once more with them.
    void abilitiesChangeNothing() {
        const TinyModelOptions options = inFormat({.architecture = "qwen3moe", .tied = false}, TensorType::Q4_0);
        const std::vector<int32_t> tokens = randomTokens(12, options.vocabulary);
        MemoryFiles files(makeTinyModel(options).bytes);
        const auto run = [&](const gpu::DeviceChoices& choices) {
            return mustRun(*mustLoad(files, onVulkan(nullptr, choices)).decoder, tokens);
        };
        const Logits all = run({});
        QVERIFY(sameBits(all, run({.shuffles = false, .integerDot = false})));
        QVERIFY(sameBits(all, run({.tier = gpu::MemoryTier::Own})));
        QVERIFY(sameBits(all, run({})));
    }

    /// The CPU goes on then, and no later call asks the device.
    void logitsThatAreNoNumbersEndTheDevice() {
        TinyModelOptions options{.architecture = "llama"};
        options.skipTensor = "output_norm.weight";
        options.extraKeys = [](GgufWriter& w) {
            const std::vector<float> nothing(64, std::numeric_limits<float>::quiet_NaN());
            w.tensor("output_norm.weight", {64}, 0, floatBytes(nothing));
        };
        MemoryFiles files(makeTinyModel(options).bytes);
        for (const std::vector<int32_t>& tokens :
             {randomTokens(1, options.vocabulary), randomTokens(3, options.vocabulary)}) {
            const LoadedModel model = mustLoad(files, onVulkan());
            const auto failed = logitsOf(*model.decoder, tokens);
            QVERIFY(!failed && failed.error().kind == ErrorKind::DeviceLost);
            QVERIFY2(failed.error().line().find("not finite") != std::string::npos, failed.error().line().c_str());
            QCOMPARE(model.decoder->forward({.tokens = tokens}).error().kind, ErrorKind::DeviceLost);
        }
    }

    /// A device that is gone may answer with the same bits everywhere: its numbers are no place of anything.
    void expertsThatDoNotExistEndTheDevice_data() {
        QTest::addColumn<uint32_t>("number");
        QTest::newRow("the largest number") << UINT32_MAX;
        QTest::newRow("the first expert too many") << 64u;
        QTest::newRow("an expert, and more neurons than it has") << 40u;
    }
    void expertsThatDoNotExistEndTheDevice() {
        QFETCH(uint32_t, number);
        const TinyModelOptions options{.architecture = "smallthinker", .feedForward = 32, .experts = 64};
        MemoryFiles files(makeTinyModel(options).bytes);
        for (const std::vector<int32_t>& tokens :
             {randomTokens(1, options.vocabulary), randomTokens(3, options.vocabulary)}) {
            readInstead.reset();
            const LoadedModel model =
                mustLoad(files, onVulkan(nullptr, {.tier = gpu::MemoryTier::Own, .replace = readsWrongly}));
            readInstead = number;
            ChoiceRecorder trace;
            const auto failed = logitsOf(*model.decoder, tokens, {}, &trace);
            QVERIFY(!failed && failed.error().kind == ErrorKind::DeviceLost);
            QVERIFY2(failed.error().line().find("names experts") != std::string::npos, failed.error().line().c_str());
            QVERIFY(trace.choices.empty());
            QCOMPARE(model.decoder->forward({.tokens = tokens}).error().kind, ErrorKind::DeviceLost);
        }
    }

    /// Errors say that a lost device can be used when the program is started again, which makes another factory.
    void aLostDeviceIsNotUsedAgain() {
        const DeviceFactory factory = gpu::vulkanDevices({.replace = losesDevice});
        const std::string name = factory.list().front().name;
        QVERIFY(factory.list().front().usable());
        MemoryFiles files(makeTinyModel({.architecture = "llama"}).bytes);
        LoadOptions load;
        load.decoder = [&](const BackendOptions& options) {
            return std::make_unique<Decoder>(mustHave(factory.create(name, options)));
        };
        const auto lost = loadModel(files, load);
        QVERIFY(!lost && lost.error().kind == ErrorKind::DeviceLost);
        QVERIFY(!factory.list().front().usable());
        const auto refused = factory.create(name, {.kernels = *kernelTables().back()});
        QVERIFY(!refused && refused.error().kind == ErrorKind::Unsupported);
        QVERIFY(gpu::vulkanDevices().list().front().usable());
    }

    /// A look at the devices tries them, too: a device that hangs would hold up each look and each model.
    void aDeviceThatIsLostInItsTestIsNotUsedAgain() {
        for (const auto replace : {&losesDevice, &losesDeviceAtOnce}) {
            const DeviceFactory factory = gpu::vulkanDevices({.replace = replace});
            const DeviceInfo device = factory.list().front();
            QCOMPARE(device.usable(), replace == &losesDevice);
            if (device.usable()) QVERIFY(!factory.test(device.name).empty());
            const DeviceInfo again = factory.list().front();
            QVERIFY(!again.usable());
            QVERIFY2(again.problem.english().find("since the program was started") != std::string::npos,
                     again.problem.english().c_str());
            const auto refused = factory.create(device.name, {.kernels = *kernelTables().back()});
            QVERIFY(!refused && refused.error().kind == ErrorKind::Unsupported);
        }
    }

    void aModelWithOtherLayersIsRefused() {
        for (const NamedOptions& family : tinyFamilies()) {
            if (!needsTheCpu(family.options)) continue;
            MemoryFiles files(makeTinyModel(family.options).bytes);
            const auto model = loadModel(files, onVulkan());
            QVERIFY2(!model && model.error().kind == ErrorKind::Unsupported, family.name);
        }
    }

    void aModelThatDoesNotFitIsRefused() {
        MemoryFiles files(makeTinyModel({.architecture = "qwen3moe", .tied = false}).bytes);
        LoadOptions load = onVulkan();
        load.slots = 2;
        const auto model = loadModel(files, load);
        QVERIFY(!model && model.error().kind == ErrorKind::Unsupported);
        QVERIFY(model.error().line().find("must be in memory at once") != std::string::npos);
    }

    /// The CPU computes with these formats.
    void formatsWithoutShadersAreRefused() {
        for (const TensorType type : supportedFormats()) {
            if (gpu::hasShaders(type)) continue;
            MemoryFiles files(makeTinyModel(inFormat({.architecture = "llama"}, type)).bytes);
            const auto model = loadModel(files, onVulkan());
            QVERIFY(!model && model.error().kind == ErrorKind::Unsupported);
            QVERIFY2(model.error().line().find(traits(type).name) != std::string::npos, model.error().line().c_str());
        }
        QVERIFY(!gpu::hasShaders(TensorType::IQ3_S) && gpu::hasShaders(TensorType::MXFP4));
    }
};

QTEST_APPLESS_MAIN(GpuBackendTest)
#include "tst_gpu_backend.moc"
