// SPDX-License-Identifier: Apache-2.0
// A snapshot of a session's own measurements, for gauges. Nothing here is estimated.
#pragma once

#include "decoder/telemetry.h"

#include <cstdint>
#include <string>

namespace coterie::engine {

/// The counts are those since the model was opened, on all devices that computed.
struct Telemetry : DeviceTelemetry {
    std::string deviceName; ///< the device that computes now; "" while another one takes its place
    MemoryPlan plan;
    int64_t contextSize = 0;    ///< tokens; `position` of them are used
    double tokensPerSecond = 0; ///< over the last second of decoding; 0 when idle
};

} // namespace coterie::engine
