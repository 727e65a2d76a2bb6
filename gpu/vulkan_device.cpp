// SPDX-License-Identifier: Apache-2.0
// See vulkan_device.h.
#include "vulkan_device.h"

#include "embedded_shader.h"
#include "shader_program.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace coterie::gpu {

using engine::Error;
using engine::ErrorKind;
using engine::Result;
using engine::Status;

namespace {

constexpr const char* kValidationLayer = "VK_LAYER_KHRONOS_validation";
constexpr const char* kPortabilityInstance = "VK_KHR_portability_enumeration";
constexpr const char* kPortabilityDevice = "VK_KHR_portability_subset"; // a device that has it wants it to be asked for
constexpr const char* kIntegerDot = VK_KHR_SHADER_INTEGER_DOT_PRODUCT_EXTENSION_NAME;

Error lacks(const std::string& name, const char* what) {
    return {ErrorKind::Unsupported,
            {"The graphics processor %1 can't be used", name},
            {"It lacks %1", what},
            "Bring its driver up to date, or compute on the CPU"};
}

/// Calls list(count, out) twice: for the number, then for the values.
template <typename T, typename List>
std::vector<T> listed(T empty, const List& list) {
    uint32_t count = 0;
    list(&count, nullptr);
    std::vector<T> values(count, empty);
    if (count > 0) list(&count, values.data());
    values.resize(std::min<size_t>(count, values.size()));
    return values;
}

bool names(const std::vector<VkExtensionProperties>& extensions, const char* name) {
    return std::any_of(extensions.begin(), extensions.end(), [name](const VkExtensionProperties& each) {
        return std::strcmp(each.extensionName, name) == 0;
    });
}

VKAPI_ATTR VkBool32 VKAPI_CALL keepMessage(VkDebugUtilsMessageSeverityFlagBitsEXT /*severity*/,
                                           VkDebugUtilsMessageTypeFlagsEXT /*types*/,
                                           const VkDebugUtilsMessengerCallbackDataEXT* data, void* user) {
    auto* messages = static_cast<ValidationMessages*>(user);
    if (messages->count++ == 0) messages->first = data->pMessage == nullptr ? "" : data->pMessage;
    return VK_FALSE;
}

/// One function by its name, or what a test puts in its place. False: it is not there.
template <typename Function>
bool found(Function& entry, std::string_view name, PFN_vkVoidFunction address, const DeviceChoices& choices) {
    if (address != nullptr && choices.replace) address = choices.replace(name, address);
    entry = reinterpret_cast<Function>(address);
    return entry != nullptr;
}

} // namespace

VulkanDevice::VulkanDevice(const VulkanLoader& loader) : loader_(loader) {}

/// A driver may lack any function: what can't be destroyed is left to the end of the process.
VulkanDevice::~VulkanDevice() {
    if (abandoned_) {
        static_cast<void>(new VulkanLoader(loader_)); // the driver's threads still run its code
        programs_.clear();
        return;
    }
    if (device_ != VK_NULL_HANDLE && vk_.DeviceWaitIdle != nullptr) vk_.DeviceWaitIdle(device_);
    programs_.clear();
    if (device_ != VK_NULL_HANDLE && vk_.DestroyDevice != nullptr) vk_.DestroyDevice(device_, nullptr);
    if (messenger_ != VK_NULL_HANDLE) vk_.DestroyDebugUtilsMessengerEXT(instance_, messenger_, nullptr);
    if (instance_ != VK_NULL_HANDLE && vk_.DestroyInstance != nullptr) vk_.DestroyInstance(instance_, nullptr);
}

Result<size_t> VulkanDevice::count(const VulkanLoader& loader) {
    VulkanDevice none(loader);
    if (Status made = none.createInstance({}); !made) return made.error();
    const Result<std::vector<VkPhysicalDevice>> devices = none.listAll();
    if (!devices) return devices.error();
    return devices->size();
}

Result<std::unique_ptr<VulkanDevice>> VulkanDevice::open(const VulkanLoader& loader, size_t index,
                                                         const DeviceChoices& choices) {
    std::unique_ptr<VulkanDevice> device(new VulkanDevice(loader));
    if (Status made = device->createInstance(choices); !made) return made.error();
    if (Status chosen = device->choose(index); !chosen) return chosen.error();
    if (Status read = device->readAbilities(choices); !read) return read.error();
    if (Status made = device->createDevice(); !made) return made.error();
    if (Status found = device->findDeviceFunctions(choices); !found) return found.error();
    device->vk_.GetDeviceQueue(device->device_, device->family_, 0, &device->queue_);
    return device;
}

/// Adds the layers and extensions that an instance is created with.
Status VulkanDevice::nameExtensions(bool validation, InstanceNames& wanted) const {
    const auto known = listed(VkExtensionProperties{}, [&](uint32_t* count, VkExtensionProperties* out) {
        return vk_.EnumerateInstanceExtensionProperties(nullptr, count, out);
    });
    if (names(known, kPortabilityInstance)) {
        wanted.extensions.push_back(kPortabilityInstance);
        wanted.flags = VK_INSTANCE_CREATE_ENUMERATE_PORTABILITY_BIT_KHR;
    }
    if (!validation) return {};
    const auto offered = listed(VkLayerProperties{}, [&](uint32_t* count, VkLayerProperties* out) {
        return vk_.EnumerateInstanceLayerProperties(count, out);
    });
    if (std::none_of(offered.begin(), offered.end(),
                     [](const VkLayerProperties& each) { return std::strcmp(each.layerName, kValidationLayer) == 0; }))
        return Error{ErrorKind::Unsupported, "Calls of Vulkan can't be checked",
                     "The validation layer is not installed", "Install Vulkan's validation layers"};
    wanted.layers.push_back(kValidationLayer);
    wanted.extensions.push_back(VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
    return {};
}

Status VulkanDevice::createInstance(const DeviceChoices& choices) {
    bool all = true;
#define COTERIE_FIND(name)                                                                                             \
    all = found(vk_.name, "vk" #name, loader_.getInstanceProcAddr(nullptr, "vk" #name), choices) && all;
    COTERIE_GLOBAL_FUNCTIONS(COTERIE_FIND)
#undef COTERIE_FIND
    uint32_t version = 0;
    if (!all || vk_.EnumerateInstanceVersion(&version) != VK_SUCCESS || version < VK_API_VERSION_1_2)
        return Error{ErrorKind::Unsupported, "Vulkan can't be used", "Its loader is older than version 1.2",
                     "Bring the driver of the graphics processor up to date"};

    InstanceNames wanted;
    if (Status named = nameExtensions(choices.validation, wanted); !named) return named;
    const VkApplicationInfo application{.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                        .pNext = nullptr,
                                        .pApplicationName = "Coterie",
                                        .applicationVersion = 0,
                                        .pEngineName = nullptr,
                                        .engineVersion = 0,
                                        .apiVersion = VK_API_VERSION_1_2};
    const VkDebugUtilsMessengerCreateInfoEXT messenger{.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
                                                       .pNext = nullptr,
                                                       .flags = 0,
                                                       .messageSeverity =
                                                           VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                                                           VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
                                                       .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
                                                       .pfnUserCallback = keepMessage,
                                                       .pUserData = &messages_};
    constexpr std::array<VkValidationFeatureEnableEXT, 1> kOrder = {
        VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT};
    const VkValidationFeaturesEXT checks{.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
                                         .pNext = &messenger,
                                         .enabledValidationFeatureCount = static_cast<uint32_t>(kOrder.size()),
                                         .pEnabledValidationFeatures = kOrder.data(),
                                         .disabledValidationFeatureCount = 0,
                                         .pDisabledValidationFeatures = nullptr};
    const VkInstanceCreateInfo info{.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                    .pNext = choices.validation ? &checks : nullptr,
                                    .flags = wanted.flags,
                                    .pApplicationInfo = &application,
                                    .enabledLayerCount = static_cast<uint32_t>(wanted.layers.size()),
                                    .ppEnabledLayerNames = wanted.layers.data(),
                                    .enabledExtensionCount = static_cast<uint32_t>(wanted.extensions.size()),
                                    .ppEnabledExtensionNames = wanted.extensions.data()};
    if (Status made = checked(vk_.CreateInstance(&info, nullptr, &instance_), "vkCreateInstance"); !made) return made;
    if (Status found = findInstanceFunctions(choices); !found) return found;
    if (!choices.validation) return {};
    return checked(vk_.CreateDebugUtilsMessengerEXT(instance_, &messenger, nullptr, &messenger_),
                   "vkCreateDebugUtilsMessengerEXT");
}

Status VulkanDevice::findInstanceFunctions(const DeviceChoices& choices) {
    bool all = true, messages = true;
#define COTERIE_FIND(name)                                                                                             \
    all = found(vk_.name, "vk" #name, loader_.getInstanceProcAddr(instance_, "vk" #name), choices) && all;
    COTERIE_INSTANCE_FUNCTIONS(COTERIE_FIND)
#undef COTERIE_FIND
#define COTERIE_FIND(name)                                                                                             \
    messages = found(vk_.name, "vk" #name, loader_.getInstanceProcAddr(instance_, "vk" #name), choices) && messages;
    COTERIE_MESSAGE_FUNCTIONS(COTERIE_FIND)
#undef COTERIE_FIND
    if (all && (messages || !choices.validation)) return {};
    return Error{ErrorKind::Internal, "Vulkan can't be used", "Its loader lacks functions that every loader has",
                 "Bring the driver of the graphics processor up to date"};
}

Status VulkanDevice::findDeviceFunctions(const DeviceChoices& choices) {
    bool all = true;
#define COTERIE_FIND(name)                                                                                             \
    all = found(vk_.name, "vk" #name, vk_.GetDeviceProcAddr(device_, "vk" #name), choices) && all;
    COTERIE_DEVICE_FUNCTIONS(COTERIE_FIND)
#undef COTERIE_FIND
    if (all) return {};
    return lacks(name_, "functions that every device has");
}

Result<std::vector<VkPhysicalDevice>> VulkanDevice::listAll() const {
    VkResult result = VK_SUCCESS;
    auto devices = listed(VkPhysicalDevice{}, [&](uint32_t* count, VkPhysicalDevice* out) {
        return result = vk_.EnumeratePhysicalDevices(instance_, count, out);
    });
    if (Status done = checked(result, "vkEnumeratePhysicalDevices"); !done) return done.error();
    return devices;
}

Status VulkanDevice::choose(size_t index) {
    const Result<std::vector<VkPhysicalDevice>> devices = listAll();
    if (!devices) return devices.error();
    if (index >= devices->size())
        return Error{ErrorKind::NotFound,
                     "There is no such graphics processor",
                     {"Vulkan knows %1 of them on this machine", static_cast<uint64_t>(devices->size())},
                     "Install the driver of the graphics processor if there is one"};
    physical_ = (*devices)[index];
    return {};
}

Status VulkanDevice::readAbilities(const DeviceChoices& choices) {
    VkPhysicalDeviceVulkan11Properties subgroups{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES};
    VkPhysicalDeviceDriverProperties driver{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES,
                                            .pNext = &subgroups};
    VkPhysicalDeviceProperties2 properties{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &driver};
    vk_.GetPhysicalDeviceProperties2(physical_, &properties);
    readFacts(properties.properties, driver);
    const auto extensions = listed(VkExtensionProperties{}, [&](uint32_t* count, VkExtensionProperties* out) {
        return vk_.EnumerateDeviceExtensionProperties(physical_, nullptr, count, out);
    });
    readMemory(names(extensions, VK_EXT_MEMORY_BUDGET_EXTENSION_NAME));
    if (choices.tier != MemoryTier::Automatic) card_ = choices.tier == MemoryTier::Own;
    if (properties.properties.apiVersion < VK_API_VERSION_1_2) return lacks(name_, "Vulkan 1.2");
    if (properties.properties.limits.maxPerStageDescriptorStorageBuffers < kMostBindings)
        return lacks(name_, "room for eight buffers in a shader");

    VkPhysicalDeviceShaderIntegerDotProductFeatures dot{
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_FEATURES};
    VkPhysicalDeviceVulkan12Features twelve{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                            .pNext = names(extensions, kIntegerDot) ? &dot : nullptr};
    VkPhysicalDeviceVulkan11Features eleven{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
                                            .pNext = &twelve};
    VkPhysicalDeviceFeatures2 features{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &eleven};
    vk_.GetPhysicalDeviceFeatures2(physical_, &features);
    if (twelve.storageBuffer8BitAccess == VK_FALSE) return lacks(name_, "buffers of 8-bit values");
    if (eleven.storageBuffer16BitAccess == VK_FALSE) return lacks(name_, "buffers of 16-bit values");

    constexpr VkSubgroupFeatureFlags kNeeded = VK_SUBGROUP_FEATURE_BASIC_BIT | VK_SUBGROUP_FEATURE_SHUFFLE_BIT;
    abilities_.subgroupSize = subgroups.subgroupSize;
    abilities_.shuffles = choices.shuffles && (subgroups.subgroupSupportedOperations & kNeeded) == kNeeded &&
                          (subgroups.subgroupSupportedStages & VK_SHADER_STAGE_COMPUTE_BIT) != 0;
    abilities_.integerDot = choices.integerDot && dot.shaderIntegerDotProduct != VK_FALSE;
    abilities_.largestBufferRange = properties.properties.limits.maxStorageBufferRange;
    if (names(extensions, kPortabilityDevice)) extensions_.push_back(kPortabilityDevice);
    if (abilities_.integerDot) extensions_.push_back(kIntegerDot);

    const auto families = listed(VkQueueFamilyProperties{}, [&](uint32_t* count, VkQueueFamilyProperties* out) {
        vk_.GetPhysicalDeviceQueueFamilyProperties(physical_, count, out);
    });
    const auto family = std::find_if(families.begin(), families.end(), [](const VkQueueFamilyProperties& each) {
        return (each.queueFlags & VK_QUEUE_COMPUTE_BIT) != 0;
    });
    if (family == families.end()) return lacks(name_, "compute shaders");
    family_ = static_cast<uint32_t>(family - families.begin());
    return {};
}

void VulkanDevice::readFacts(const VkPhysicalDeviceProperties& properties,
                             const VkPhysicalDeviceDriverProperties& driver) {
    name_ = properties.deviceName;
    driver_ = std::string(driver.driverName) + ' ' + driver.driverInfo;
    card_ = properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
    simulated_ = properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    if (simulated_) longestWait_ = 600'000'000'000;
}

void VulkanDevice::readMemory(bool knowsBudgets) {
    VkPhysicalDeviceMemoryBudgetPropertiesEXT budgets{
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT};
    VkPhysicalDeviceMemoryProperties2 memory{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2,
                                             .pNext = knowsBudgets ? &budgets : nullptr};
    vk_.GetPhysicalDeviceMemoryProperties2(physical_, &memory);
    memory_ = memory.memoryProperties;
    for (uint32_t heap = 0; heap < memory_.memoryHeapCount; ++heap)
        heaps_.push_back({.bytes = memory_.memoryHeaps[heap].size,
                          .budget = knowsBudgets ? budgets.heapBudget[heap] : 0,
                          .own = (memory_.memoryHeaps[heap].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) != 0});
    if (card_) ownMemory_ = memoryOfCard(memory_, knowsBudgets ? budgets.heapBudget : nullptr);
}

uint64_t memoryOfCard(const VkPhysicalDeviceMemoryProperties& memory, const VkDeviceSize* budgets) {
    constexpr uint64_t kKept = uint64_t{1} << 30;
    uint64_t largest = 0, left = 0;
    for (uint32_t heap = 0; heap < memory.memoryHeapCount; ++heap) {
        const VkMemoryHeap& each = memory.memoryHeaps[heap];
        if ((each.flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) == 0 || each.size <= largest) continue;
        largest = each.size;
        left = budgets == nullptr ? each.size : std::min<uint64_t>(each.size, budgets[heap]);
    }
    return std::max<uint64_t>(1, left - std::min(left, std::max(left / 8, kKept)));
}

Status VulkanDevice::createDevice() {
    VkPhysicalDeviceShaderIntegerDotProductFeatures dot{
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_INTEGER_DOT_PRODUCT_FEATURES};
    dot.shaderIntegerDotProduct = VK_TRUE;
    VkPhysicalDeviceVulkan12Features twelve{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                                            .pNext = abilities_.integerDot ? &dot : nullptr};
    twelve.storageBuffer8BitAccess = VK_TRUE;
    VkPhysicalDeviceVulkan11Features eleven{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
                                            .pNext = &twelve};
    eleven.storageBuffer16BitAccess = VK_TRUE;
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue{.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                        .pNext = nullptr,
                                        .flags = 0,
                                        .queueFamilyIndex = family_,
                                        .queueCount = 1,
                                        .pQueuePriorities = &priority};
    VkDeviceCreateInfo info{.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .pNext = &eleven};
    info.queueCreateInfoCount = 1;
    info.pQueueCreateInfos = &queue;
    info.enabledExtensionCount = static_cast<uint32_t>(extensions_.size());
    info.ppEnabledExtensionNames = extensions_.data();
    return checked(vk_.CreateDevice(physical_, &info, nullptr, &device_), "vkCreateDevice");
}

Result<const ShaderProgram*> VulkanDevice::program(std::string_view shader,
                                                   const std::vector<uint32_t>& specialisation) {
    std::unique_ptr<ShaderProgram>& program = programs_[{std::string(shader), specialisation}];
    if (!program) {
        const ShaderCode* code = findShader(shader);
        if (code == nullptr)
            return Error{ErrorKind::Internal,
                         "A shader is missing",
                         {"The program has no shader %1", std::string(shader)},
                         "Report this as a bug"};
        Result<std::unique_ptr<ShaderProgram>> made = ShaderProgram::create(*this, *code, specialisation);
        if (!made) return made.error();
        program = std::move(made).value();
    }
    return program.get();
}

std::set<std::string> VulkanDevice::shadersOfPrograms() const {
    std::set<std::string> shaders;
    for (const auto& [key, program] : programs_)
        if (program) shaders.insert(key.first);
    return shaders;
}

} // namespace coterie::gpu
