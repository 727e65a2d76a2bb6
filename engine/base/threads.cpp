// SPDX-License-Identifier: Apache-2.0
// The pool. One word says which loop is open and how many workers are in it; one word for each thread says which pieces
// belong to it.
//
//   state:  loop number (32 bits) | open (1 bit) | workers inside (31 bits)
//   share:  next piece (32 bits) | end (32 bits)
//
// A thread takes its own pieces from the front, so that it reads memory in one stream, and then others' from the end.
//
// A worker enters only while the loop is open: the compare-and-swap that counts it in also checks the open bit. So the
// caller, after closing the loop, waits only for the workers inside; a thread that wakes late finds the loop closed and
// delays no other thread. The description of the loop is written only while it is closed and no worker is inside.
#include "base/threads.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

#if defined(__x86_64__) || defined(_M_X64)
#include <immintrin.h>
#endif

namespace coterie::engine {

namespace {

using Body = std::function<void(int64_t, int64_t, int)>;

constexpr uint64_t kOpenBit = uint64_t{1} << 31;
constexpr uint64_t kInsideMask = kOpenBit - 1;
constexpr int kNumberShift = 32;
constexpr int kNextShift = 32;
constexpr uint64_t kEndMask = 0xffffffff;

// How often a thread looks before it sleeps: about 50 us at 10 to 40 ns a look, longer than the gap between two loops
// of a forward pass and no longer than waking a sleeping thread takes.
constexpr int kSpins = 2000;
constexpr int kMostThreads = 1024;
constexpr int64_t kMostPieces = int64_t{1} << 31;
constexpr int64_t kNoPiece = -1;
// Keeps words that different threads write on different cache lines (pairs of lines, because processors fetch pairs).
constexpr size_t kApart = 128;

void relax() {
#if defined(__x86_64__) || defined(_M_X64)
    _mm_pause();
#elif defined(__aarch64__) && defined(__GNUC__)
    __asm__ __volatile__("isb");
#endif
}

/// The pool whose loop this thread is in, and its number there. A loop inside a loop of the same pool runs on that
/// thread alone.
struct Place {
    const void* pool = nullptr;
    int thread = 0;
};
thread_local Place currentPlace;

} // namespace

// Members that several threads write are far apart on purpose.
struct ThreadPool::Shared { // NOLINT(clang-analyzer-optin.performance.Padding)
    // The caller writes these while the loop is closed.
    const Body* body = nullptr;
    int64_t count = 0;
    int64_t grain = 1;
    int spinLimit = 0;

    alignas(kApart) std::atomic<uint64_t> state{0};
    alignas(kApart) std::atomic<bool> outOfMemory{false};
    std::atomic<bool> stopping{false};
    std::atomic<int> sleepers{0};
    std::atomic<bool> callerSleeps{false};

    std::mutex mutex; // used for sleeping only
    std::condition_variable opened;
    std::condition_variable emptied;
    std::vector<std::thread> workers;

    struct alignas(kApart) Share {
        std::atomic<uint64_t> pieces{0};
    };
    std::unique_ptr<Share[]> shares; // [threads]

    int64_t threads() const { return static_cast<int64_t>(workers.size()) + 1; }
    void share();
    int64_t takeNext(int64_t thread);
    int64_t takeLast(int64_t thread);
    void runPiece(int64_t piece, int thread) const;
    void runPieces(int thread);
    void work(int thread);
    bool waitForNews(uint64_t seen);
    bool enter(uint64_t& seen);
    void leave();
    void open();
    void closeAndWait();
};

/// Distributes the pieces as evenly as possible.
void ThreadPool::Shared::share() {
    const auto pieces = static_cast<uint64_t>((count - 1) / grain + 1), all = static_cast<uint64_t>(threads());
    for (uint64_t t = 0; t < all; ++t)
        shares[t].pieces.store((pieces * t / all) << kNextShift | pieces * (t + 1) / all, std::memory_order_relaxed);
}

int64_t ThreadPool::Shared::takeNext(int64_t thread) {
    std::atomic<uint64_t>& pieces = shares[static_cast<size_t>(thread)].pieces;
    uint64_t now = pieces.load(std::memory_order_relaxed);
    do {
        if (now >> kNextShift == (now & kEndMask)) return kNoPiece;
    } while (!pieces.compare_exchange_weak(now, now + (uint64_t{1} << kNextShift), std::memory_order_relaxed));
    return static_cast<int64_t>(now >> kNextShift);
}

int64_t ThreadPool::Shared::takeLast(int64_t thread) {
    std::atomic<uint64_t>& pieces = shares[static_cast<size_t>(thread)].pieces;
    uint64_t now = pieces.load(std::memory_order_relaxed);
    do {
        if (now >> kNextShift == (now & kEndMask)) return kNoPiece;
    } while (!pieces.compare_exchange_weak(now, now - 1, std::memory_order_relaxed));
    return static_cast<int64_t>(now & kEndMask) - 1;
}

void ThreadPool::Shared::runPiece(int64_t piece, int thread) const {
    const int64_t begin = piece * grain;
    (*body)(begin, begin + std::min(grain, count - begin), thread);
}

void ThreadPool::Shared::runPieces(int thread) {
    try {
        for (int64_t piece; (piece = takeNext(thread)) != kNoPiece;) runPiece(piece, thread);
        for (int64_t i = 1; i < threads(); ++i)
            for (int64_t piece; (piece = takeLast((thread + i) % threads())) != kNoPiece;) runPiece(piece, thread);
    } catch (const std::bad_alloc&) {
        outOfMemory.store(true, std::memory_order_relaxed);
    }
}

/// True once the loop number differs from `seen`, false when the pool ends.
bool ThreadPool::Shared::waitForNews(uint64_t seen) {
    const auto news = [&] { return stopping.load() || state.load() >> kNumberShift != seen; };
    for (int i = 0; i < spinLimit && !news(); ++i) relax();
    if (!news()) {
        std::unique_lock lock(mutex);
        // The order is total with open(): either open() sees this sleeper, or the sleeper sees the new loop.
        sleepers.fetch_add(1);
        opened.wait(lock, news);
        sleepers.fetch_sub(1);
    }
    return !stopping.load();
}

/// Enters the loop if it is open. `seen` becomes the loop's number in both cases.
bool ThreadPool::Shared::enter(uint64_t& seen) {
    uint64_t now = state.load(std::memory_order_acquire);
    do {
        seen = now >> kNumberShift;
        if ((now & kOpenBit) == 0) return false;
    } while (!state.compare_exchange_weak(now, now + 1, std::memory_order_acquire));
    return true;
}

void ThreadPool::Shared::leave() {
    const uint64_t before = state.fetch_sub(1);
    if ((before & kOpenBit) == 0 && (before & kInsideMask) == 1 && callerSleeps.load()) {
        const std::lock_guard lock(mutex);
        emptied.notify_one();
    }
}

void ThreadPool::Shared::work(int thread) {
    currentPlace = {this, thread};
    uint64_t seen = 0;
    while (waitForNews(seen)) {
        if (!enter(seen)) continue;
        runPieces(thread);
        leave();
    }
}

void ThreadPool::Shared::open() {
    const uint64_t number = ((state.load(std::memory_order_relaxed) >> kNumberShift) + 1) & 0xffffffff;
    state.store(number << kNumberShift | kOpenBit);
    if (sleepers.load() > 0) {
        const std::lock_guard lock(mutex);
        opened.notify_all();
    }
}

void ThreadPool::Shared::closeAndWait() {
    state.fetch_and(~kOpenBit);
    const auto empty = [&] { return (state.load() & kInsideMask) == 0; };
    for (int i = 0; i < spinLimit && !empty(); ++i) relax();
    if (empty()) return;
    std::unique_lock lock(mutex);
    callerSleeps.store(true);
    emptied.wait(lock, empty);
    callerSleeps.store(false);
}

ThreadPool::ThreadPool(int threads) : shared_(std::make_unique<Shared>()) {
    threads = std::clamp(threads, 1, kMostThreads);
    // With more threads than processors, a spinning thread would keep a working one from running.
    const int processors = static_cast<int>(std::thread::hardware_concurrency());
    shared_->spinLimit = threads <= processors ? kSpins : 0;
    shared_->shares = std::make_unique<Shared::Share[]>(static_cast<size_t>(threads));
    shared_->workers.reserve(static_cast<size_t>(threads) - 1);
    try {
        for (int thread = 1; thread < threads; ++thread)
            shared_->workers.emplace_back([shared = shared_.get(), thread] { shared->work(thread); });
    } catch (const std::system_error&) {
        // The system gives no more threads: the loops run on those that there are.
    }
}

ThreadPool::~ThreadPool() {
    shared_->stopping.store(true);
    {
        const std::lock_guard lock(shared_->mutex);
        shared_->opened.notify_all();
    }
    for (std::thread& worker : shared_->workers) worker.join();
}

int ThreadPool::threads() const { return static_cast<int>(shared_->threads()); }

void ThreadPool::parallelFor(int64_t count, int64_t grain, const Body& body) {
    if (count <= 0) return;
    grain = std::max<int64_t>(grain, 1);
    const Place outer = currentPlace;
    const bool nested = outer.pool == shared_.get();
    if (nested || shared_->workers.empty() || count <= grain) {
        const int thread = nested ? outer.thread : 0;
        for (int64_t begin = 0; begin < count; begin += std::min(grain, count - begin))
            body(begin, begin + std::min(grain, count - begin), thread);
        return;
    }
    shared_->body = &body;
    shared_->count = count;
    shared_->grain = std::max(grain, count / kMostPieces + 1); // a share counts to 2^32
    shared_->share();
    shared_->open();
    currentPlace = {shared_.get(), 0};
    shared_->runPieces(0);
    currentPlace = outer;
    shared_->closeAndWait();
    if (shared_->outOfMemory.exchange(false)) throw std::bad_alloc();
}

} // namespace coterie::engine
