// SPDX-License-Identifier: Apache-2.0
// The engine's functions for packed files (session/packed_files.h), in the form that the window needs.
#pragma once

#include "models/packed_file_controller.h"

namespace coterie::app {

PackedFileCalls packedFileCalls();

} // namespace coterie::app
