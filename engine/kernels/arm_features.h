// SPDX-License-Identifier: Apache-2.0
// Features of a 64-bit ARM processor as the system reports them: programs cannot ask the processor itself. Inside
// kernels/ only.
#pragma once

#if defined(__linux__)
#include <sys/auxv.h>
#elif defined(__APPLE__)
#include <cstddef>
#include <sys/sysctl.h>
#elif defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#endif

namespace coterie::engine {

struct ArmFeatures {
    bool dotprod = false; ///< FEAT_DotProd: SDOT
    bool i8mm = false;    ///< FEAT_I8MM: SMMLA
};

#if defined(__APPLE__)
inline bool appleFeature(const char* name) {
    int value = 0;
    size_t size = sizeof value;
    return sysctlbyname(name, &value, &size, nullptr, 0) == 0 && value != 0;
}
#endif

/// All false if the system cannot tell or is not known here.
inline ArmFeatures armFeatures() {
#if defined(__linux__) // bits of Documentation/arch/arm64/elf_hwcaps.rst; old headers lack their names
    constexpr unsigned long asimddp = 1ul << 20, i8mm = 1ul << 13;
    return {(getauxval(AT_HWCAP) & asimddp) != 0, (getauxval(AT_HWCAP2) & i8mm) != 0};
#elif defined(__APPLE__)
    return {appleFeature("hw.optional.arm.FEAT_DotProd"), appleFeature("hw.optional.arm.FEAT_I8MM")};
#elif defined(_WIN32) // winnt.h: PF_ARM_V82_DP_..., PF_ARM_V82_I8MM_INSTRUCTIONS_AVAILABLE; old headers lack the latter
    constexpr DWORD dotprod = 43, i8mm = 66;
    return {IsProcessorFeaturePresent(dotprod) != 0, IsProcessorFeaturePresent(i8mm) != 0};
#else
    return {};
#endif
}

} // namespace coterie::engine
