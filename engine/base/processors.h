// SPDX-License-Identifier: Apache-2.0
// Permissions that a program needs from the system before it may use a processor's feature. kernels/ asks the processor
// itself which features it has.
#pragma once

namespace coterie::engine {

/// Requests the tile registers of AMX for all threads of the process and returns whether they may be used. Linux (since
/// 5.16) and Windows (since 11) give them only on request, other systems never. Any thread may call it any number of
/// times.
bool requestTileRegisters();

} // namespace coterie::engine
