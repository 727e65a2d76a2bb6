// SPDX-License-Identifier: Apache-2.0
// See expert_reader.h. The lock is never held while a read is handed to the system or waited for.
#include "experts/expert_reader.h"

#include "base/threads.h"

#include <algorithm>
#include <cassert>
#include <system_error>
#include <utility>

namespace coterie::engine {
namespace {

constexpr int kAttempts = 2; // a read may have failed for a passing reason: it is tried once more

} // namespace

ExpertReader::ExpertReader(std::unique_ptr<AsyncReads> reads, const ExpertReaderOptions& options,
                           ExpertReaderCalls calls)
    : pieceBytes_(options.pieceBytes), prefetchDepth_(options.prefetchDepth), calls_(std::move(calls)),
      reads_(std::move(reads)), results_(reads_->depth()), fills_(options.slots), flights_(reads_->depth()) {
    needed_.reserve(options.slots);
    other_.reserve(options.slots);
    for (size_t i = flights_.size(); i > 0; --i) freeFlights_.push_back(i - 1);
    try {
        thread_ = std::thread([this] { work(); });
    } catch (const std::system_error&) {
        // running() says so.
    }
}

ExpertReader::~ExpertReader() {
    if (!running()) return;
    {
        const MutexLock lock(mutex_);
        stopping_ = true;
    }
    reads_->wake();
    thread_.join();
}

void ExpertReader::start(uint32_t slot, std::span<const ReadExtent> extents, ReadReason reason) {
    const MutexLock lock(mutex_);
    Fill& fill = fills_[slot];
    assert(fill.inFlight == 0);
    fill = {};
    std::copy(extents.begin(), extents.end(), fill.extents.begin());
    fill.count = extents.size();
    (reason == ReadReason::Needed ? needed_ : other_).push_back(slot);
    if (std::exchange(sleeping_, false)) reads_->wake();
}

void ExpertReader::promote(uint32_t slot) {
    const MutexLock lock(mutex_);
    Fill& fill = fills_[slot];
    fill.cancelled = false;
    if (fill.allBegun()) return;
    std::erase(other_, slot);
    if (std::find(needed_.begin(), needed_.end(), slot) == needed_.end()) needed_.push_back(slot);
    if (std::exchange(sleeping_, false)) reads_->wake();
}

bool ExpertReader::cancel(uint32_t slot) {
    const MutexLock lock(mutex_);
    Fill& fill = fills_[slot];
    if (fill.allBegun()) return false;
    std::erase(other_, slot);
    fill.cancelled = true;
    return fill.inFlight == 0;
}

void ExpertReader::askIdle() {
    const MutexLock lock(mutex_);
    asked_ = true;
    if (std::exchange(sleeping_, false)) reads_->wake();
}

void ExpertReader::dequeue(uint32_t slot) {
    std::erase(needed_, slot);
    std::erase(other_, slot);
}

void ExpertReader::work() {
    preferPromptWaking(); // the threads that compute leave no processor free for it
    const MutexLock lock(mutex_);
    for (;;) {
        issue();
        if (reads_->inFlight() == 0) {
            if (stopping_) return;
            if (std::exchange(asked_, false)) {
                mutex_.unlock();
                const bool worked = calls_.idle();
                mutex_.lock();
                asked_ = asked_ || worked;
                continue; // requests that came meanwhile go first
            }
        }
        sleeping_ = reads_->inFlight() < reads_->depth();
        mutex_.unlock();
        const std::span<ReadDone> done = reads_->collect(results_);
        mutex_.lock();
        sleeping_ = false;
        for (ReadDone& read : done) landed(read);
        asked_ = true;
    }
}

/// Hands reads to the system until it has as many as it takes.
void ExpertReader::issue() {
    while (!stopping_ && reads_->inFlight() < reads_->depth()) {
        const std::optional<uint32_t> slot = next();
        if (!slot) return;
        const ReadRequest request = begin(*slot).request;
        mutex_.unlock();
        reads_->submit(request);
        mutex_.lock();
    }
}

/// The slot whose read begins next.
std::optional<uint32_t> ExpertReader::next() const {
    if (!needed_.empty()) return needed_.front();
    if (other_.empty()) return std::nullopt;
    const uint32_t slot = other_.front();
    // All reads of an expert go together: that costs the system less, and half an expert is of no use.
    if (reads_->inFlight() < prefetchDepth_ || fills_[slot].anyBegun()) return slot;
    return std::nullopt;
}

/// Marks the slot's next read as in flight.
ExpertReader::Flight& ExpertReader::begin(uint32_t slot) {
    Fill& fill = fills_[slot];
    const ReadExtent& extent = fill.extents[fill.next];
    const size_t bytes = static_cast<size_t>(std::min<uint64_t>(pieceBytes_, extent.to.size() - fill.begun));
    const size_t id = freeFlights_.back();
    freeFlights_.pop_back();
    flights_[id] = {
        slot,
        {extent.file, extent.offset + fill.begun, extent.to.subspan(static_cast<size_t>(fill.begun), bytes), id},
        1};
    ++fill.inFlight;
    fill.begun += bytes;
    if (fill.begun == extent.to.size()) {
        ++fill.next;
        fill.begun = 0;
    }
    if (fill.allBegun()) {
        dequeue(slot);
    }
    return flights_[id];
}

void ExpertReader::landed(ReadDone& done) {
    Flight& flight = flights_[static_cast<size_t>(done.id)];
    if (!done.status && flight.attempts < kAttempts && !stopping_) {
        ++flight.attempts;
        const ReadRequest request = flight.request;
        mutex_.unlock();
        reads_->submit(request);
        mutex_.lock();
        return;
    }
    const uint32_t slot = flight.slot;
    freeFlights_.push_back(static_cast<size_t>(done.id));
    Fill& fill = fills_[slot];
    --fill.inFlight;
    if (!done.status) {
        if (!fill.error) fill.error = std::move(done.status).error();
        fill.next = fill.count; // its other reads are of no use
        dequeue(slot);
    }
    if (fill.inFlight > 0 || stopping_ || !(fill.allBegun() || fill.cancelled)) return;
    Status status;
    if (fill.error)
        status = std::move(*fill.error);
    else if (!fill.allBegun())
        status = Error{ErrorKind::Cancelled, "An expert was not read", "It is not needed any more", "Nothing"};
    fill.next = fill.count; // a promote() that comes too late must not begin reads
    mutex_.unlock();
    calls_.filled(slot, std::move(status));
    mutex_.lock();
}

} // namespace coterie::engine
