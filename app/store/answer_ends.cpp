// SPDX-License-Identifier: Apache-2.0
// See answer_ends.h. The window says what to do beside the composer, where a person can do it.
#include "store/answer_ends.h"

namespace coterie::app {

ErrorInfo endedByFullContext() { return {shownText("The answer ends here"), shownText("The context was full"), {}}; }

} // namespace coterie::app
