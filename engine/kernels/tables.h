// SPDX-License-Identifier: Apache-2.0
// The tables that kernels.cpp chooses from, and how one is made from another. Inside kernels/ only.
#pragma once

#include "kernels/kernels.h"

#include <type_traits>
#include <utility>

namespace coterie::engine {

/// The type of an entry's function. `FunctionOf<&KernelTable::rope> avx2Rope;` declares a function that fits the entry.
template <auto entry>
using FunctionOf = std::remove_pointer_t<std::remove_reference_t<decltype(std::declval<KernelTable&>().*entry)>>;

/// Returns a copy of `base` with another name and condition. Its functions are base's until the caller replaces them.
constexpr KernelTable basedOn(const KernelTable& base, const char* name, bool (*runsHere)()) {
    KernelTable table = base;
    table.name = name;
    table.runsHere = runsHere;
    return table;
}

extern const KernelTable kScalarKernels;     ///< in every build
extern const KernelTable kAvx2Kernels;       ///< in x86-64 builds only
extern const KernelTable kAvx2VnniKernels;   ///< in x86-64 builds only
extern const KernelTable kAvx512VnniKernels; ///< in x86-64 builds only
extern const KernelTable kAmxKernels;        ///< in x86-64 builds only
extern const KernelTable kNeonKernels;       ///< in aarch64 builds only
extern const KernelTable kNeonDotKernels;    ///< in aarch64 builds only
extern const KernelTable kI8mmKernels;       ///< in aarch64 builds only

} // namespace coterie::engine
