// SPDX-License-Identifier: Apache-2.0
// The AMX table with tile registers in plain C++, for machines without AMX.
#pragma once

#include "kernels/kernels.h"

namespace coterie::test {

/// "amx-emulated"; null if the rest of the table, which is AVX-512, cannot run here.
const engine::KernelTable* emulatedAmx();

} // namespace coterie::test
