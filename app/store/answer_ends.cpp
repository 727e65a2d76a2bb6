// SPDX-License-Identifier: Apache-2.0
// See answer_ends.h. The window says what to do beside the composer, where a person can do it.
#include "store/answer_ends.h"

namespace coterie::app {
namespace {

constexpr char kEndsHere[] = "The answer ends here";

} // namespace

ErrorInfo endedByFullContext() { return {shownText(kEndsHere), shownText("The context was full"), {}}; }

ErrorInfo endedByClosing() {
    return {shownText(kEndsHere), shownText("Coterie was closed before this answer was complete"), {}};
}

} // namespace coterie::app
