// SPDX-License-Identifier: Apache-2.0
// Why the program ended an answer that the user did not stop. Such an answer is a stopped one that has an error: see
// MessageRow::stoppedByUser().
#pragma once

#include "common/error_info.h"

namespace coterie::app {

/// The context had no room for the next token.
ErrorInfo endedByFullContext();

} // namespace coterie::app
