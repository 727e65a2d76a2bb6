// SPDX-License-Identifier: Apache-2.0
// The tables that kernels.cpp chooses from. Inside kernels/ only.
#pragma once

#include "kernels/kernels.h"

namespace coterie::engine {

extern const KernelTable scalarKernels;     ///< everywhere
extern const KernelTable avx2Kernels;       ///< x86-64 builds only
extern const KernelTable avx2VnniKernels;   ///< x86-64 builds only
extern const KernelTable avx512VnniKernels; ///< x86-64 builds only
extern const KernelTable amxKernels;        ///< x86-64 builds only
extern const KernelTable neonKernels;       ///< aarch64 builds only
extern const KernelTable neonDotKernels;    ///< aarch64 builds only
extern const KernelTable i8mmKernels;       ///< aarch64 builds only

} // namespace coterie::engine
