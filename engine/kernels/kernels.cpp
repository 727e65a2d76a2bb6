// SPDX-License-Identifier: Apache-2.0
// The list of tables in this build and the choice among them. The arithmetic is in other files (README.md lists them).
#include "kernels/kernels.h"

#include "kernels/blocks.h"
#include "kernels/tables.h"

#include <cstdlib>
#include <iterator>
#include <string>

namespace coterie::engine {
namespace {

/// Sorted by preference.
const KernelTable* const kAllTables[] = {
#if defined(COTERIE_KERNELS_AVX512)
    &kAmxKernels,      &kAvx512VnniKernels,
#endif
#if defined(COTERIE_KERNELS_AVX2)
    &kAvx2VnniKernels, &kAvx2Kernels,
#endif
#if defined(COTERIE_KERNELS_I8MM)
    &kI8mmKernels,    // ARMv8.6
    &kNeonDotKernels, // ARMv8.2
#endif
#if defined(COTERIE_KERNELS_NEON)
    &kNeonKernels,
#endif
    &kScalarKernels,
};

/// The types of kFormats.
struct SupportedTypes {
    TensorType types[std::size(kFormats)] = {};
    constexpr SupportedTypes() {
        for (size_t i = 0; i < std::size(kFormats); ++i) types[i] = kFormats[i].type;
    }
};
constexpr SupportedTypes kSupported;

Error unknownName(std::string_view name) {
    std::string known = "auto";
    for (const KernelTable* table : kAllTables) known.append(", ").append(table->name);
    return {ErrorKind::BadInput,
            {"There are no kernels called '%1'", name},
            {"This build knows %1", known},
            "Choose one of these, or leave the option out"};
}

Error notHere(const KernelTable& table) {
    return {ErrorKind::Unsupported,
            {"The kernels '%1' can't run", table.name},
            "This machine's processor or system lacks what they need",
            "Choose 'auto'"};
}

/// The fastest comes first; the last one, scalar, runs everywhere.
const KernelTable* fastestTable() {
    for (const KernelTable* table : kAllTables)
        if (table->runsHere()) return table;
    return kernelTables().back();
}

} // namespace

std::span<const TensorType> supportedFormats() { return kSupported.types; }

bool kernelsSupport(TensorType type) { return isSupported(type); }

std::string kernelFormats() {
    std::string names;
    for (const Format& format : kFormats) {
        if (!names.empty()) names.append(", ");
        names.append(traits(format.type).name);
    }
    return names;
}

VectorForm vectorForm(TensorType weights) { return formatOf(weights).vector; }

size_t preparedBytes(VectorForm form, int64_t columns) {
    const int64_t bytes = form == VectorForm::Bytes
                              ? preparedQuantsOffset(columns) + roundUp(columns, kLineBytes)
                              : roundUp(columns * static_cast<int64_t>(sizeof(float)), kLineBytes);
    return static_cast<size_t>(bytes);
}

std::span<const KernelTable* const> kernelTables() { return kAllTables; }

Result<const KernelTable*> chooseKernels(std::string_view name) {
    if (name == "auto") {
        const char* wish = std::getenv("COTERIE_KERNELS"); // NOLINT(concurrency-mt-unsafe): nothing writes it
        if (wish == nullptr || *wish == '\0' || std::string_view(wish) == "auto") return fastestTable();
        return chooseKernels(wish);
    }
    for (const KernelTable* table : kAllTables) {
        if (name != table->name) continue;
        if (!table->runsHere()) return notHere(*table);
        return table;
    }
    return unknownName(name);
}

} // namespace coterie::engine
