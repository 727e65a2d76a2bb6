// SPDX-License-Identifier: Apache-2.0
// The AMX table over tile registers of plain C++, for machines without AMX.
#pragma once

#include "kernels/kernels.h"

namespace coterie::test {

/// "amx-emulated"; nullptr where the rest of the table, which is AVX-512, can't run.
const engine::KernelTable* emulatedAmx();

} // namespace coterie::test
