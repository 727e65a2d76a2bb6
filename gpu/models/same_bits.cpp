// SPDX-License-Identifier: Apache-2.0
#include "same_bits.h"

#include <bit>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <string>

namespace coterie::gpu {
namespace {

engine::Error differs(std::string_view shader, size_t place, double written, double expected) {
    return {
        engine::ErrorKind::Unsupported,
        "The graphics processor does not compute what its shaders say",
        {"Value %1 of %2 is %3 instead of %4", static_cast<uint64_t>(place), std::string(shader), written, expected},
        "Install a newer driver of the device, or choose another device"};
}

} // namespace

engine::Status sameBits(std::string_view shader, std::span<const float> written, std::span<const float> expected) {
    assert(written.size() == expected.size());
    for (size_t i = 0; i < expected.size(); ++i) {
        const bool bothNan = std::isnan(written[i]) && std::isnan(expected[i]);
        if (!bothNan && std::bit_cast<uint32_t>(written[i]) != std::bit_cast<uint32_t>(expected[i]))
            return differs(shader, i, static_cast<double>(written[i]), static_cast<double>(expected[i]));
    }
    return {};
}

engine::Status sameBytes(std::string_view shader, std::span<const std::byte> written,
                         std::span<const std::byte> expected) {
    assert(written.size() == expected.size());
    for (size_t i = 0; i < expected.size(); ++i)
        if (written[i] != expected[i])
            return differs(shader, i, std::to_integer<int>(written[i]), std::to_integer<int>(expected[i]));
    return {};
}

} // namespace coterie::gpu
