// SPDX-License-Identifier: Apache-2.0
// Opening devices and running shaders: what is missing or fails is said in words, and nothing is left behind.
#include "access_tracker.h"
#include "command_list.h"
#include "device_buffer.h"
#include "embedded_shader.h"
#include "products.h"
#include "self_test.h"
#include "shader_run.h"
#include "spirv_reader.h"
#include "staging_buffer.h"
#include "support/effort.h"
#include "test_device.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>

using namespace coterie;
using namespace coterie::engine;
using namespace coterie::gpu;

namespace {

/// A function that fails in place of the one with this name.
std::string_view failing;
VKAPI_ATTR VkResult VKAPI_CALL refuse() { return VK_ERROR_OUT_OF_DEVICE_MEMORY; }
VKAPI_ATTR VkResult VKAPI_CALL loseDevice() { return VK_ERROR_DEVICE_LOST; }

VKAPI_ATTR VkResult VKAPI_CALL neverEnd() { return VK_TIMEOUT; }
VKAPI_ATTR void VKAPI_CALL mustNotRun() { qFatal("a device is destroyed while it works"); }

PFN_vkGetPhysicalDeviceProperties2 trueProperties;
/// The device's properties, as if it had only the buffers in a shader that Vulkan promises.
VKAPI_ATTR void VKAPI_CALL fewBuffers(VkPhysicalDevice device, VkPhysicalDeviceProperties2* out) {
    trueProperties(device, out);
    out->properties.limits.maxPerStageDescriptorStorageBuffers = 4;
}

DeviceChoices failingBy(VkResult (*call)()) {
    return {.replace = [call](std::string_view name, PFN_vkVoidFunction found) {
        return name == failing ? reinterpret_cast<PFN_vkVoidFunction>(call) : found;
    }};
}

/// Opens a device and runs a shader on it.
Status openAndRun(const DeviceChoices& choices) {
    const Result<VulkanLoader> loader = VulkanLoader::open();
    if (!loader) return loader.error();
    const auto device = VulkanDevice::open(*loader, 0, choices);
    if (!device) return device.error();
    return productChecks().front().run(**device);
}

} // namespace

class GpuDeviceTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() { COTERIE_NEEDS_DEVICE(); }

    void aMissingLoaderIsSaid() {
        const std::array<const char*, 2> names = {"no-such-loader.so.1", "libm.so.6"};
        const Result<VulkanLoader> none = VulkanLoader::open(std::span(names).first(1));
        QVERIFY(!none && none.error().kind == ErrorKind::Unsupported);
        const Result<VulkanLoader> other = VulkanLoader::open(names); // a library that is no loader
        QVERIFY(!other && other.error().kind == ErrorKind::Unsupported);
    }

    void aDeviceThatIsNotThereIsSaid() {
        const Result<VulkanLoader> loader = VulkanLoader::open();
        const auto device = VulkanDevice::open(*loader, 1000, {});
        QVERIFY(!device && device.error().kind == ErrorKind::NotFound);
    }

    void theSelfTestPasses() {
        std::set<std::string_view> checked;
        for (const std::span<const ShaderCheck> checks : {productChecks(), layerStepChecks()})
            for (const ShaderCheck& check : checks) {
                const Status same = check.run(test::testDevice());
                QVERIFY2(same.ok(), same.ok() ? "" : same.error().line().c_str());
                checked.insert(check.name);
            }
        for (const ShaderCode& shader : embeddedShaders())
            QVERIFY2(checked.contains(shader.name), std::string(shader.name).c_str());
        QCOMPARE(test::validationMessages(), 0);
    }

    /// Each call that can fail does so once. The validation layer would report what is left behind.
    void aCallThatFailsIsSaid_data() {
        QTest::addColumn<QByteArray>("name");
        for (const char* name : {"vkCreateInstance",
                                 "vkEnumeratePhysicalDevices",
                                 "vkCreateDevice",
                                 "vkCreateShaderModule",
                                 "vkCreateDescriptorSetLayout",
                                 "vkCreatePipelineLayout",
                                 "vkCreateComputePipelines",
                                 "vkCreateBuffer",
                                 "vkAllocateMemory",
                                 "vkBindBufferMemory",
                                 "vkMapMemory",
                                 "vkCreateDescriptorPool",
                                 "vkAllocateDescriptorSets",
                                 "vkCreateCommandPool",
                                 "vkAllocateCommandBuffers",
                                 "vkBeginCommandBuffer",
                                 "vkEndCommandBuffer",
                                 "vkCreateFence",
                                 "vkResetCommandPool",
                                 "vkResetDescriptorPool",
                                 "vkResetFences",
                                 "vkQueueSubmit",
                                 "vkWaitForFences"})
            QTest::newRow(name) << QByteArray(name);
    }
    void aCallThatFailsIsSaid() {
        QFETCH(QByteArray, name);
        failing = std::string_view(name.constData(), static_cast<size_t>(name.size()));
        const Status refused = openAndRun(failingBy(refuse));
        QVERIFY(!refused && refused.error().kind == ErrorKind::OutOfMemory);
        const Status lost = openAndRun(failingBy(loseDevice));
        QVERIFY(!lost && lost.error().kind == ErrorKind::DeviceLost);
        QVERIFY(lost.error().line().find(name.toStdString()) != std::string::npos);
    }

    /// A device that hangs must not hold the program up: nothing waits for it without a limit.
    void aDeviceThatHangsIsAbandoned() {
        if (test::kSanitized) QSKIP("Its memory is never freed");
        const Status hung = openAndRun({.replace = [](std::string_view name, PFN_vkVoidFunction found) {
            if (name == "vkWaitForFences") return reinterpret_cast<PFN_vkVoidFunction>(neverEnd);
            const bool destroys = name == "vkDeviceWaitIdle" || name == "vkDestroyBuffer" ||
                                  name == "vkDestroyPipeline" || name == "vkDestroyCommandPool" ||
                                  name == "vkDestroyDevice";
            return destroys ? reinterpret_cast<PFN_vkVoidFunction>(mustNotRun) : found;
        }});
        QVERIFY(!hung && hung.error().kind == ErrorKind::DeviceLost);
        QVERIFY(hung.error().line().find("in time") != std::string::npos);
    }

    void aFunctionThatIsMissingIsSaid_data() {
        QTest::addColumn<QByteArray>("name");
        for (const char* name : {"vkEnumerateInstanceVersion", "vkDestroyInstance", "vkGetDeviceProcAddr",
                                 "vkDeviceWaitIdle", "vkDestroyDevice", "vkQueueSubmit"})
            QTest::newRow(name) << QByteArray(name);
    }
    void aFunctionThatIsMissingIsSaid() {
        QFETCH(QByteArray, name);
        failing = std::string_view(name.constData(), static_cast<size_t>(name.size()));
        const Status missing = openAndRun({.replace = [](std::string_view each, PFN_vkVoidFunction found) {
            return each == failing ? nullptr : found;
        }});
        QVERIFY(!missing);
        QVERIFY(missing.error().kind == ErrorKind::Unsupported || missing.error().kind == ErrorKind::Internal);
    }

    void aDeviceWithTooFewBuffersIsRefused() {
        const Status refused = openAndRun({.replace = [](std::string_view name, PFN_vkVoidFunction found) {
            if (name != "vkGetPhysicalDeviceProperties2") return found;
            trueProperties = reinterpret_cast<PFN_vkGetPhysicalDeviceProperties2>(found);
            return reinterpret_cast<PFN_vkVoidFunction>(fewBuffers);
        }});
        QVERIFY(!refused && refused.error().kind == ErrorKind::Unsupported);
    }

    /// A variant for every device asks for no more of subgroups than Vulkan promises.
    void thePlainVariantNeedsNoShuffles() {
        constexpr uint32_t kCapability = 2u << 16 | 17u, kShuffle = 65; // SPIR-V: OpCapability GroupNonUniformShuffle
        const auto shuffles = [](std::string_view name) {
            const std::span<const uint32_t> words = findShader(name)->words;
            for (size_t i = 0; i + 1 < words.size(); ++i)
                if (words[i] == kCapability && words[i + 1] == kShuffle) return true;
            return false;
        };
        QVERIFY(shuffles("product_q4_k_shuffle") && shuffles("product_q4_k_shuffle_dot"));
        QVERIFY(!shuffles("product_q4_k") && !shuffles("product_q4_k_dot") && !shuffles("product_f32"));
    }

    void aCallThatDoesNotFitItsShaderIsRefused() {
        std::array<std::byte, 64> bytes{};
        const PreparePush push{};
        const auto constants = std::as_bytes(std::span(&push, 1));
        ShaderCall call{.shader = "prepare_bytes",
                        .bindings = {ShaderInput{bytes}, ShaderInput{bytes}},
                        .specialisation = {64},
                        .push = constants};
        const auto refused = [&call] {
            const Status status = runShader(test::testDevice(), call);
            return !status && status.error().kind == ErrorKind::Internal;
        };
        QVERIFY(refused()); // an input where the shader writes
        call.bindings = {ShaderInput{bytes}};
        QVERIFY(refused()); // too few
        call.bindings = {ShaderInput{bytes}, ShaderOutput{bytes}};
        call.push = constants.first(8);
        QVERIFY(refused()); // constants that are cut off
        call.shader = "no_such_shader";
        QVERIFY(refused());
    }

    /// Layouts are read from each shader. Words that are cut off or changed are refused or read, and never crash.
    void layoutsAreReadFromTheShader() {
        const ShaderCode* code = findShader("product_q4_k");
        QVERIFY(code != nullptr);
        const Result<ShaderInterface> read = readShaderInterface(code->words);
        QVERIFY(read.ok());
        QCOMPARE(read->bindings.size(), size_t{7});
        for (size_t i = 0; i < 7; ++i)
            QVERIFY(read->bindings[i].writes == (i == 6) && read->bindings[i].reads != (i == 6));
        QCOMPARE(read->pushBytes, static_cast<uint32_t>(sizeof(ProductPush)));
        for (size_t count = 0; count < 5; ++count) QVERIFY(!readShaderInterface(code->words.first(count)).ok());
        std::vector<uint32_t> words(code->words.begin(), code->words.end());
        for (size_t at = 0; at < words.size(); ++at) {
            const uint32_t before = words[at];
            for (const uint32_t odd : {0u, 0xffffffffu, before ^ 0x00010000u}) {
                words[at] = odd;
                (void)readShaderInterface(words).ok();
            }
            words[at] = before;
        }
        constexpr uint32_t kDecorate = 4u << 16 | 71u, kBinding = 33, kSet = 34; // OpDecorate with one value
        const auto refusedWith = [&words](uint32_t decoration, uint32_t before, uint32_t after) {
            std::vector<uint32_t> changed = words;
            for (size_t i = 0; i + 3 < changed.size(); ++i)
                if (changed[i] == kDecorate && changed[i + 2] == decoration && changed[i + 3] == before)
                    changed[i + 3] = after;
            return !readShaderInterface(changed).ok();
        };
        QVERIFY(refusedWith(kBinding, 6, 7)); // a gap
        QVERIFY(refusedWith(kBinding, 6, 8)); // more than a device is asked for
        QVERIFY(refusedWith(kSet, 0, 1));     // another set
        QVERIFY(!refusedWith(kBinding, 6, 6));
        words[5] = 0; // an instruction of no words would never end
        QVERIFY(!readShaderInterface(words).ok());
        words[5] = 0xffff0000u;
        QVERIFY(!readShaderInterface(words).ok());
    }

    /// The first choice for each access, from the lists of real devices.
    void memoryIsChosenByItsUse() {
        constexpr VkMemoryPropertyFlags kLocal = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT,
                                        kSeen =
                                            VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
                                        kCached = VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
        const auto first = [](std::initializer_list<VkMemoryPropertyFlags> types, HostAccess access, bool card,
                              uint32_t allowed = UINT32_MAX) {
            VkPhysicalDeviceMemoryProperties memory{};
            for (const VkMemoryPropertyFlags flags : types)
                memory.memoryTypes[memory.memoryTypeCount++].propertyFlags = flags;
            const std::vector<uint32_t> chosen = memoryTypes(memory, allowed, access, card);
            return chosen.empty() ? -1 : static_cast<int>(chosen.front());
        };
        const auto card = {0u, kLocal, kSeen, kSeen | kCached, kLocal | kSeen}; // an NVIDIA H200
        QCOMPARE(first(card, HostAccess::None, true), 1);
        QCOMPARE(first(card, HostAccess::Writes, true), 4);
        QCOMPARE(first(card, HostAccess::Writes, true, 0xf), 2);
        QCOMPARE(first(card, HostAccess::Reads, true), 3);
        QCOMPARE(first(card, HostAccess::Stages, true), 2);
        const auto shared = {kLocal, kLocal | kSeen, kLocal | kSeen | kCached}; // an Intel UHD
        QCOMPARE(first(shared, HostAccess::None, false), 1);
        QCOMPARE(first(shared, HostAccess::Reads, false), 2);
        QCOMPARE(first({kLocal}, HostAccess::None, false), -1);
    }

    void aCardsMemoryIsWhatOthersLeave() {
        constexpr uint64_t kGiB = uint64_t{1} << 30;
        VkPhysicalDeviceMemoryProperties memory{};
        memory.memoryHeapCount = 3;
        memory.memoryHeaps[0] = {64 * kGiB, 0}; // main memory
        memory.memoryHeaps[1] = {16 * kGiB, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT};
        memory.memoryHeaps[2] = {kGiB / 4, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT}; // the part that the host sees
        const auto with = [&memory](uint64_t budget) {
            const std::array<VkDeviceSize, VK_MAX_MEMORY_HEAPS> budgets{64 * kGiB, budget, kGiB / 4};
            return memoryOfCard(memory, budgets.data());
        };
        QCOMPARE(memoryOfCard(memory, nullptr), 14 * kGiB);
        QCOMPARE(with(32 * kGiB), 14 * kGiB); // never more than there is
        QCOMPARE(with(12 * kGiB), 12 * kGiB - 3 * kGiB / 2);
        QCOMPARE(with(4 * kGiB), 3 * kGiB);
        QCOMPARE(with(kGiB / 2), uint64_t{1});
    }

    /// A barrier lies only between commands of which one writes what the other touches.
    void commandsWaitForWhatTheyShare() {
        const auto a = DeviceBuffer::create(coterie::test::testDevice(), 64, HostAccess::None);
        const auto b = DeviceBuffer::create(coterie::test::testDevice(), 64, HostAccess::None);
        QVERIFY(a.ok() && b.ok());
        const Access readsA{&*a, false}, writesA{&*a, true}, readsB{&*b, false}, writesB{&*b, true};
        const auto waits = [](const Access& first, const Access& second) {
            AccessTracker tracker;
            return !tracker.add(std::array{first}) && tracker.add(std::array{second});
        };
        QVERIFY(waits(writesA, readsA));
        QVERIFY(waits(writesA, writesA));
        QVERIFY(waits(readsA, writesA));
        QVERIFY(!waits(readsA, readsA));
        QVERIFY(!waits(writesA, writesB));
        QVERIFY(waits({&*a, true, 0, 32}, {&*a, false, 31, 64}));
        QVERIFY(!waits({&*a, true, 0, 32}, {&*a, true, 32, 64}));
        AccessTracker tracker;
        QVERIFY(!tracker.add(std::array{readsA, writesB}));
        QVERIFY(!tracker.add(std::array{readsA}));
        QVERIFY(tracker.add(std::array{readsB, writesA})); // and the barrier is behind all of them
        QVERIFY(!tracker.add(std::array{readsB}));
        QVERIFY(tracker.add(std::array{readsA}));
    }

    /// The host does not see a card's buffers. What it writes goes there by way of one that it sees.
    void aCardIsFilledByCopies() {
        const auto card = VulkanDevice::open(*VulkanLoader::open(), 0, {.validation = true, .tier = MemoryTier::Own});
        QVERIFY(card.ok() && (*card)->isCard());
        constexpr uint64_t kBytes = 1000, kPlace = 400;
        Result<DeviceBuffer> there = DeviceBuffer::create(**card, kBytes, HostAccess::None);
        Result<DeviceBuffer> back = DeviceBuffer::create(**card, kBytes, HostAccess::Reads);
        QVERIFY(there.ok() && there->bytes().empty() && there->size() == kBytes);
        QVERIFY(back.ok() && back->bytes().size() == kBytes);
        StagingBuffer staging(**card);
        const auto filledWith = [](char letter) {
            return [letter](std::span<std::byte> bytes) {
                std::ranges::fill(bytes, static_cast<std::byte>(letter));
                return Status();
            };
        };
        QVERIFY(staging.fill(*there, 0, kBytes, filledWith('a')).ok());
        QVERIFY(staging.fill(*there, kPlace, kPlace, filledWith('b')).ok());
        const Status refused = staging.fill(*there, 0, 1, [](std::span<std::byte>) {
            return Status(Error{ErrorKind::Io, "a", "b", "c"});
        });
        QVERIFY(!refused && refused.error().kind == ErrorKind::Io);
        auto commands = CommandList::create(**card, 1);
        QVERIFY(commands.ok() && (*commands)->begin().ok());
        (*commands)->copy(*there, 0, *back, 0, kBytes);
        QVERIFY((*commands)->end().ok() && (*commands)->run().ok());
        const auto letters = std::string(reinterpret_cast<const char*>(back->bytes().data()), kBytes);
        QCOMPARE(letters, std::string(kPlace, 'a') + std::string(kPlace, 'b') + std::string(kBytes - 2 * kPlace, 'a'));
        QVERIFY2((*card)->messages().count == 0, (*card)->messages().first.c_str());
    }

    /// An ability that a test switches off is not used.
    void abilitiesCanBeSwitchedOff() {
        const Result<VulkanLoader> loader = VulkanLoader::open();
        const auto device = VulkanDevice::open(*loader, 0, {.shuffles = false, .integerDot = false});
        QVERIFY(device.ok());
        QVERIFY(!(*device)->abilities().shuffles && !(*device)->abilities().integerDot);
        QVERIFY((*device)->abilities().largestBufferRange >= (uint64_t{1} << 27)); // Vulkan promises this much
    }
};

QTEST_GUILESS_MAIN(GpuDeviceTest)
#include "tst_gpu_device.moc"
