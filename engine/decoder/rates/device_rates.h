// SPDX-License-Identifier: Apache-2.0
// Rates of a processor, as they were measured on it: those of the CPU (cpu_rates.h), or of a device
// (DeviceFactory::measure). They are values and no measurement; promise.h compares two processors by them.
#pragma once

#include "gguf/tensor_type.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace coterie::engine {

/// Vectors that a matrix is multiplied with together where the rate of prompts is measured.
inline constexpr int64_t kPromptVectors = 32;

/// Rates of products with matrices of one format, in bytes of weights a second. A matrix counts once for each vector
/// that it is multiplied with.
struct FormatRate {
    TensorType type = TensorType::F32;
    double answers = 0; ///< with one vector
    double prompts = 0; ///< with kPromptVectors vectors together
};

struct DeviceRates {
    std::vector<FormatRate> formats{}; ///< formats that were measured, each once
    double dispatchSeconds = 0;   ///< time of a dispatch besides its work; on the CPU that of a loop of all threads
    double submissionSeconds = 0; ///< time of a submission besides its dispatches; 0 on the CPU
    double upRate = 0;            ///< bytes a second from main memory to the device; 0: nothing is copied
    double downRate = 0;          ///< bytes a second from the device to main memory; 0: nothing is copied

    /// Null if the format was not measured.
    const FormatRate* find(TensorType type) const {
        const auto found =
            std::find_if(formats.begin(), formats.end(), [type](const FormatRate& rate) { return rate.type == type; });
        return found == formats.end() ? nullptr : &*found;
    }
};

} // namespace coterie::engine
