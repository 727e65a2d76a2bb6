// SPDX-License-Identifier: Apache-2.0
// The features that an x86-64 processor reports. Inside kernels/ only.
#pragma once

#include <cstdint>
#if defined(_MSC_VER)
#include <immintrin.h>
#include <intrin.h>
#define COTERIE_XSAVE
#else
#include <cpuid.h>
#include <immintrin.h>
#define COTERIE_XSAVE __attribute__((target("xsave")))
#endif

namespace coterie::engine {

struct CpuidRegisters {
    uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0;
};

/// Returns zeros for a leaf that the processor lacks. The leaf itself says which subleaves it has.
inline CpuidRegisters cpuid(uint32_t leaf, uint32_t subleaf = 0) {
    CpuidRegisters r;
#if defined(_MSC_VER)
    int values[4];
    __cpuid(values, 0);
    if (static_cast<uint32_t>(values[0]) < leaf) return r;
    __cpuidex(values, static_cast<int>(leaf), static_cast<int>(subleaf));
    r = {static_cast<uint32_t>(values[0]), static_cast<uint32_t>(values[1]), static_cast<uint32_t>(values[2]),
         static_cast<uint32_t>(values[3])};
#else
    if (__get_cpuid_count(leaf, subleaf, &r.eax, &r.ebx, &r.ecx, &r.edx) == 0) return {};
#endif
    return r;
}

/// The system must also save the registers' upper parts (Intel SDM vol. 1, 14.3). Call it only if leaf 1 reports
/// osxsave.
COTERIE_XSAVE inline uint64_t enabledStates() { return static_cast<uint64_t>(_xgetbv(0)); }

constexpr uint32_t kLeaf1Osxsave = 1u << 27; ///< in ecx
constexpr uint64_t kStatesOfAvx = 0x06;      ///< xmm and ymm registers
constexpr uint64_t kStatesOfAvx512 = 0xe6;   ///< also mask registers, the upper half of zmm0-15, and zmm16-31

} // namespace coterie::engine
