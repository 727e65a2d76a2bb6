// SPDX-License-Identifier: Apache-2.0
// How far an answer can be repeated.
#pragma once

namespace coterie::engine {

/// Says when the same prompt, options and table of kernels give the same answer again. decoder/device.h has the
/// contract about bits.
enum class Exactness {
    SameBits,      ///< always, in any memory budget
    SamePlacement, ///< if the same experts are on the device: it drew a token, and lacks DeviceAbilities::sameBits
    Approximate,   ///< if the same experts are in memory: approximate routing changed a choice before a token was
                   ///< drawn, in this answer or in one that it continues
};

} // namespace coterie::engine
