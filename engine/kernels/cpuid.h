// SPDX-License-Identifier: Apache-2.0
// What an x86-64 processor says about itself. Inside kernels/ only.
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

/// Zeros for a leaf that the processor lacks. Whether it has a leaf's part beyond the first stands in that.
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

/// The processor's word is not enough: the system must save the registers' upper parts (Intel SDM vol. 1, 14.3). Only
/// where leaf 1 names osxsave.
COTERIE_XSAVE inline uint64_t enabledStates() { return static_cast<uint64_t>(_xgetbv(0)); }

constexpr uint32_t kLeaf1Osxsave = 1u << 27; ///< ecx
constexpr uint64_t kStatesOfAvx = 0x06;      ///< xmm and ymm
constexpr uint64_t kStatesOfAvx512 = 0xe6;   ///< these, masks, the upper half of zmm0-15, all of zmm16-31

} // namespace coterie::engine
