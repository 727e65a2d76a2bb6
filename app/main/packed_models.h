// SPDX-License-Identifier: Apache-2.0
// The engine's packed models (session/side_files.h) as the window asks for them.
#pragma once

#include "side_file_controller.h"

namespace coterie::app {

SideFileCalls packedModels();

} // namespace coterie::app
