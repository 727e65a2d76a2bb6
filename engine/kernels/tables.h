// SPDX-License-Identifier: Apache-2.0
// The tables that kernels.cpp chooses from, and how one is made from another. Inside kernels/ only.
#pragma once

#include "kernels/kernels.h"

#include <type_traits>
#include <utility>

namespace coterie::engine {

/// The type of an entry's function. `FunctionOf<&KernelTable::rope> avx2Rope;` declares one, so that it can't drift
/// from its entry.
template <auto entry>
using FunctionOf = std::remove_pointer_t<std::remove_reference_t<decltype(std::declval<KernelTable&>().*entry)>>;

/// A copy of `base` with a name and a condition of its own. It has base's functions until the caller replaces them.
constexpr KernelTable basedOn(const KernelTable& base, const char* name, bool (*runsHere)()) {
    KernelTable table = base;
    table.name = name;
    table.runsHere = runsHere;
    return table;
}

extern const KernelTable kScalarKernels;     ///< everywhere
extern const KernelTable kAvx2Kernels;       ///< x86-64 builds only
extern const KernelTable kAvx2VnniKernels;   ///< x86-64 builds only
extern const KernelTable kAvx512VnniKernels; ///< x86-64 builds only
extern const KernelTable kAmxKernels;        ///< x86-64 builds only
extern const KernelTable kNeonKernels;       ///< aarch64 builds only
extern const KernelTable kNeonDotKernels;    ///< aarch64 builds only
extern const KernelTable kI8mmKernels;       ///< aarch64 builds only

} // namespace coterie::engine
