// SPDX-License-Identifier: Apache-2.0
// What a system must be asked before a feature of its processors may be used. Which features there are they say
// themselves (kernels/).
#pragma once

namespace coterie::engine {

/// Asks for the tile registers of AMX, for all threads of the process. Whether they may be used: Linux gives them only
/// to those who ask (since 5.16), other systems to all. Any thread may call, any number of times.
bool requestTileRegisters();

} // namespace coterie::engine
