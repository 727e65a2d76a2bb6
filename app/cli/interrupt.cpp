// SPDX-License-Identifier: Apache-2.0
// Signals and console events. Only lock-free atomics are touched inside a handler.
#include "cli/interrupt.h"

#include <atomic>
#include <csignal>
#include <cstdlib>

#ifdef _WIN32
#include <windows.h>
#endif

namespace coterie::app {

namespace {

// A handler gets no argument of its own, so these are globals.
std::atomic<int> count{0};
std::atomic<CancelOnInterrupt*> running{nullptr};
static_assert(std::atomic<CancelOnInterrupt*>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

void onInterrupt() {
    constexpr int kPatience = 3;
    if (count.fetch_add(1) + 1 >= kPatience) std::_Exit(1);
    if (CancelOnInterrupt* calls = running.load()) calls->cancel();
}

#ifdef _WIN32
BOOL WINAPI onConsoleEvent(DWORD) {
    onInterrupt();
    return TRUE;
}
#else
void onSignal(int) { onInterrupt(); }
#endif

} // namespace

void catchInterrupts() {
#ifdef _WIN32
    SetConsoleCtrlHandler(onConsoleEvent, TRUE);
#else
    struct sigaction action = {};
    action.sa_handler = onSignal;
    sigemptyset(&action.sa_mask); // no SA_RESTART: a read that waits for a line ends
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
    signal(SIGPIPE, SIG_IGN); // writing to a closed pipe is an error with its own message
#endif
}

int interrupts() { return count.load(); }
void forgetInterrupts() { count.store(0); }

CancelOnInterrupt::CancelOnInterrupt() {
    running.store(this);
    if (interrupts() > 0) cancel(); // it came between two calls
}
CancelOnInterrupt::~CancelOnInterrupt() { running.store(nullptr); }

} // namespace coterie::app
