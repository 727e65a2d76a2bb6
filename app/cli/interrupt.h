// SPDX-License-Identifier: Apache-2.0
// Ctrl-C: stops what the engine does instead of ending the program, so that no partial file stays behind.
#pragma once

#include "session/session.h"

namespace coterie::app {

/// From now on Ctrl-C (and a polite request to end) is counted instead of ending the program. The third in a row ends
/// it anyway.
void catchInterrupts();
/// How often it came since forgetInterrupts().
int interrupts();
void forgetInterrupts();

/// While it lives, an interrupt cancels this session's running call. One at a time.
class CancelOnInterrupt {
  public:
    explicit CancelOnInterrupt(engine::Session& session);
    ~CancelOnInterrupt();
    CancelOnInterrupt(const CancelOnInterrupt&) = delete;
    CancelOnInterrupt& operator=(const CancelOnInterrupt&) = delete;
};

} // namespace coterie::app
