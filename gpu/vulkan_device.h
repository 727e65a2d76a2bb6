// SPDX-License-Identifier: Apache-2.0
// A device that computes: its instance, its one queue, and what it can do. One thread at a time may use a device.
//
//     Result<VulkanLoader> loader = VulkanLoader::open();
//     Result<std::unique_ptr<VulkanDevice>> device = VulkanDevice::open(*loader, 0, {});
#pragma once

#include "base/result.h"
#include "decoder/device_info.h"
#include "vulkan_functions.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coterie::gpu {

class ShaderProgram;

/// Abilities that a device may have beside the required ones: Vulkan 1.2, storage of 8 and 16 bits, eight buffers in a
/// shader. Each has a plain way beside it.
struct Abilities {
    uint32_t subgroupSize = 1;
    bool shuffles = false;           ///< subgroup shuffles in compute shaders
    bool integerDot = false;         ///< products of four bytes
    uint64_t largestBufferRange = 0; ///< bytes that one binding may cover
};

/// The memory that a device computes in.
enum class MemoryTier {
    Automatic, ///< as the driver says what the device is
    Shared,    ///< main memory, which both processors see
    Own,       ///< its own, as a card has
};

/// Wishes of the caller, mostly of tests.
struct DeviceChoices {
    bool validation = false; ///< the validation layer checks each call and the order of memory accesses
    bool shuffles = true;    ///< false: subgroup shuffles are not used
    bool integerDot = true;  ///< false: integer dot products are not used
    MemoryTier tier = MemoryTier::Automatic;
    /// Called for each function that was found, and returns the one that is used.
    std::function<PFN_vkVoidFunction(std::string_view name, PFN_vkVoidFunction found)> replace{};
};

/// Messages of the validation layer. Its address is given to the driver, so it does not move.
struct ValidationMessages {
    int count = 0;
    std::string first; ///< text of the first one
};

/// Bytes of a card's largest heap that a model may take: what other programs leave of it, less 1 GiB or an eighth,
/// whichever is more. budgets: what the driver says that this process may take of each heap; null: the driver does not
/// know. At least 1, because 0 stands for main memory.
uint64_t memoryOfCard(const VkPhysicalDeviceMemoryProperties& memory, const VkDeviceSize* budgets);

class VulkanDevice {
  public:
    /// Number of devices in the loader's list. Unsupported: no driver is installed, or the loader is too old.
    static engine::Result<size_t> count(const VulkanLoader& loader);
    /// Opens the device with this place in the loader's list. NotFound: the list is shorter. Unsupported says in words
    /// what the device or the machine lacks, also the validation layer if it was asked for.
    static engine::Result<std::unique_ptr<VulkanDevice>> open(const VulkanLoader& loader, size_t index,
                                                              const DeviceChoices& choices);
    ~VulkanDevice();
    VulkanDevice(const VulkanDevice&) = delete;
    VulkanDevice& operator=(const VulkanDevice&) = delete;

    const std::string& name() const { return name_; }
    /// The driver and its version, for people.
    const std::string& driver() const { return driver_; }
    /// Bytes of memory that is the device's own; 0 if it computes in main memory, or is a CPU that looks like a device.
    uint64_t ownMemory() const { return ownMemory_; }
    /// The memories of the device. The budgets are those of the moment when it was opened.
    const std::vector<engine::DeviceHeap>& heaps() const { return heaps_; }
    const Abilities& abilities() const { return abilities_; }
    const ValidationMessages& messages() const { return messages_; }

    const VulkanFunctions& functions() const { return vk_; }
    VkDevice handle() const { return device_; }
    VkQueue queue() const { return queue_; }
    uint32_t queueFamily() const { return family_; }
    const VkPhysicalDeviceMemoryProperties& memory() const { return memory_; }
    /// True: it computes in memory of its own, behind a link that is slower than either memory.
    bool isCard() const { return card_; }
    /// True: it is no device, but a driver that computes on the CPU.
    bool isSimulated() const { return simulated_; }
    /// How long work may take before the device counts as lost, in nanoseconds: ten seconds. A device that the
    /// processor simulates has ten minutes: it compiles a shader when that runs first, and shares the cores with all
    /// programs.
    uint64_t longestWait() const { return longestWait_; }
    /// Its work does not end, and to wait for it could take for ever. Nothing of the device is destroyed from now on,
    /// since it may still use all of it: memory, too, stays until the process ends.
    void abandon() { abandoned_ = true; }
    bool isAbandoned() const { return abandoned_; }

    /// The pipeline of an embedded shader with these specialisation constants, constant_id 0 first. It is compiled once
    /// and belongs to the device. Internal: there is no such shader.
    engine::Result<const ShaderProgram*> program(std::string_view shader, const std::vector<uint32_t>& specialisation);
    /// The names of the shaders that have pipelines.
    std::set<std::string> shadersOfPrograms() const;

  private:
    struct InstanceNames {
        std::vector<const char*> layers{}, extensions{};
        VkInstanceCreateFlags flags = 0;
    };

    explicit VulkanDevice(const VulkanLoader& loader);
    engine::Status findInstanceFunctions(const DeviceChoices& choices);
    engine::Status findDeviceFunctions(const DeviceChoices& choices);
    engine::Status nameExtensions(bool validation, InstanceNames& wanted) const;
    engine::Status createInstance(const DeviceChoices& choices);
    engine::Result<std::vector<VkPhysicalDevice>> listAll() const;
    engine::Status choose(size_t index);
    engine::Status readAbilities(const DeviceChoices& choices);
    void readFacts(const VkPhysicalDeviceProperties& properties, const VkPhysicalDeviceDriverProperties& driver);
    void readMemory(bool knowsBudgets);
    engine::Status createDevice();

    VulkanLoader loader_;
    VulkanFunctions vk_;
    ValidationMessages messages_;
    std::string name_, driver_;
    uint64_t ownMemory_ = 0;
    std::vector<engine::DeviceHeap> heaps_;
    bool card_ = false, simulated_ = false, abandoned_ = false;
    uint64_t longestWait_ = 10'000'000'000;
    Abilities abilities_;
    VkInstance instance_ = VK_NULL_HANDLE;
    VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
    VkPhysicalDevice physical_ = VK_NULL_HANDLE;
    VkPhysicalDeviceMemoryProperties memory_{};
    uint32_t family_ = 0;
    std::vector<const char*> extensions_; // the device is created with them
    VkDevice device_ = VK_NULL_HANDLE;
    VkQueue queue_ = VK_NULL_HANDLE;
    std::map<std::pair<std::string, std::vector<uint32_t>>, std::unique_ptr<ShaderProgram>> programs_;
};

} // namespace coterie::gpu
