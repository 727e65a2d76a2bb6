// SPDX-License-Identifier: Apache-2.0
// Permissions that a program needs from the system before it may use a processor's feature. kernels/ asks the processor
// itself which features it has.
#pragma once

namespace coterie::engine {

/// Requests the tile registers of AMX for all threads of the process and returns whether they may be used. Linux gives
/// them only on request (since 5.16), other systems always. Any thread may call it any number of times.
bool requestTileRegisters();

} // namespace coterie::engine
