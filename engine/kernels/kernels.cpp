// SPDX-License-Identifier: Apache-2.0
// Which tables this build has, and the choice among them. The arithmetic is in one file an instruction set.
#include "kernels/kernels.h"

#include "kernels/tables.h"

#include <string>

namespace coterie::engine {
namespace {

/// In order of preference.
const KernelTable* const allTables[] = {
#if defined(COTERIE_KERNELS_AVX2)
    &avx2Kernels,
#endif
#if defined(COTERIE_KERNELS_NEON)
    &neonKernels,
#endif
    &scalarKernels,
};

Error unknownName(std::string_view name) {
    std::string known = "auto";
    for (const KernelTable* table : allTables) known.append(", ").append(table->name);
    return {ErrorKind::BadInput, "There are no kernels called '" + std::string(name) + "'", "This build knows " + known,
            "Choose one of these, or leave the option out"};
}

Error notHere(const KernelTable& table) {
    return {ErrorKind::Unsupported, "The kernels '" + std::string(table.name) + "' can't run",
            "This machine's processor or system lacks what they need", "Choose 'auto'"};
}

} // namespace

bool kernelsSupport(TensorType type) {
    switch (type) {
    case TensorType::F32:
    case TensorType::F16:
    case TensorType::BF16:
    case TensorType::Q8_0:
    case TensorType::Q4_0:
    case TensorType::Q6_K:
        return true;
    default:
        return false;
    }
}

std::span<const KernelTable* const> kernelTables() { return allTables; }

Result<const KernelTable*> chooseKernels(std::string_view name) {
    for (const KernelTable* table : allTables) {
        if (name == "auto" && table->runsHere()) return table;
        if (name != table->name) continue;
        if (!table->runsHere()) return notHere(*table);
        return table;
    }
    return unknownName(name);
}

} // namespace coterie::engine
