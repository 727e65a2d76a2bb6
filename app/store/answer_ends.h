// SPDX-License-Identifier: Apache-2.0
// Why the program ended an answer that the user did not stop. Such an answer is a stopped one that has an error: see
// MessageRow::stoppedByUser().
#pragma once

#include "common/error_info.h"

namespace coterie::app {

/// The context had no room for the next token.
ErrorInfo endedByFullContext();
/// Coterie was closed, or died, while the answer was written or waited for its turn.
ErrorInfo endedByClosing();

} // namespace coterie::app
