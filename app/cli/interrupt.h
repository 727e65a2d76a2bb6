// SPDX-License-Identifier: Apache-2.0
// Makes Ctrl-C cancel the engine's running call instead of ending the program, so that no partial file is left.
#pragma once

#include <atomic>

namespace coterie::app {

/// From now on interrupts (Ctrl-C, SIGTERM, Windows' console events) are counted instead of ending the program. The
/// third in a row ends it anyway.
void catchInterrupts();
/// Number of interrupts since forgetInterrupts().
int interrupts();
void forgetInterrupts();

/// While this object lives, an interrupt cancels the calls that have its flag. One that was not forgotten cancels them
/// from the beginning. Only one such object may exist at a time.
class CancelOnInterrupt {
  public:
    CancelOnInterrupt();
    ~CancelOnInterrupt();
    CancelOnInterrupt(const CancelOnInterrupt&) = delete;
    CancelOnInterrupt& operator=(const CancelOnInterrupt&) = delete;

    /// For GenerateOptions::cancel.
    const std::atomic<bool>* flag() const { return &cancelled_; }
    /// Cancels them for another reason.
    void cancel() { cancelled_ = true; }

  private:
    std::atomic<bool> cancelled_{false};
};

} // namespace coterie::app
