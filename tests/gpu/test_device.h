// SPDX-License-Identifier: Apache-2.0
// The device that tests of shaders share: the software driver, with every call checked. Without it or the validation
// layer a test skips itself in words, except in CI, where it fails.
#pragma once

#include "vulkan_device.h"

#include <QTest>

#include <memory>
#include <string>

namespace coterie::test {

/// The first device of this machine, or why there is none.
inline const engine::Result<std::unique_ptr<gpu::VulkanDevice>>& openedDevice() {
    static const auto opened = []() -> engine::Result<std::unique_ptr<gpu::VulkanDevice>> {
        const engine::Result<gpu::VulkanLoader> loader = gpu::VulkanLoader::open();
        if (!loader) return loader.error();
        return gpu::VulkanDevice::open(*loader, 0, {.validation = true});
    }();
    return opened;
}

/// Only behind COTERIE_NEEDS_DEVICE.
inline gpu::VulkanDevice& testDevice() { return *openedDevice().value(); }
/// Lanes that the software driver was told to put into a subgroup, or 0.
inline uint32_t wantedSubgroup() {
    constexpr int kBitsOfLane = 32;
    return static_cast<uint32_t>(qEnvironmentVariableIntValue("LP_NATIVE_VECTOR_WIDTH") / kBitsOfLane);
}
/// Whether its floats may be smaller than 2^-126. The rule of most devices is that they need not.
inline bool keepsSmallNumbers() { return testDevice().name().find("llvmpipe") != std::string::npos; }
inline int validationMessages() {
    const gpu::ValidationMessages& messages = testDevice().messages();
    if (messages.count > 0) qWarning("%s", messages.first.c_str());
    return messages.count;
}

} // namespace coterie::test

#define COTERIE_NEEDS_DEVICE()                                                                                         \
    do {                                                                                                               \
        if (coterie::test::openedDevice().ok()) break;                                                                 \
        const std::string why = coterie::test::openedDevice().error().line();                                          \
        if (qEnvironmentVariableIsSet("CI")) QFAIL(why.c_str());                                                       \
        QSKIP(why.c_str());                                                                                            \
    } while (false)
