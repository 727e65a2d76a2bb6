// SPDX-License-Identifier: Apache-2.0
// The contrast of two colours, for tests that compare text with what is behind it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace coterie::test {

/// Returns the contrast (WCAG 2.1) of two colours 0xrrggbb: 1 to 21.
inline double contrast(uint32_t a, uint32_t b) {
    const auto luminance = [](uint32_t colour) {
        const auto linear = [colour](int shift) {
            const double v = (colour >> shift & 0xff) / 255.0;
            return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
        };
        return 0.2126 * linear(16) + 0.7152 * linear(8) + 0.0722 * linear(0);
    };
    const double la = luminance(a), lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

} // namespace coterie::test
