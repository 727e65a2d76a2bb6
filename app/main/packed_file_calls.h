// SPDX-License-Identifier: Apache-2.0
// The engine's packed files (session/packed_files.h) as the window asks for them.
#pragma once

#include "packed_file_controller.h"

namespace coterie::app {

PackedFileCalls packedFileCalls();

} // namespace coterie::app
