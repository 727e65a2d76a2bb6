// SPDX-License-Identifier: Apache-2.0
// Reads by io_uring: everything that was submitted since the last collect() goes to the kernel in one call, and
// proceeds without a thread of ours.
//
//     submit ---> ring ===> completion queue --+
//       |                                      +--> collect: poll(ring, event)
//       +--> threads (what the ring can't) ----+--- event <--- wake
//
// Threads are started for the first read that needs one: a read of a file of another kind, or one that the kernel
// refused.
#include "base/uring_reads.h"

#include "base/posix_file.h"
#include "base/read_pieces.h"
#include "base/threaded_reads.h"

#include <atomic>
#include <liburing.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <vector>

namespace coterie::engine {
namespace {

class UringReads final : public AsyncReads {
  public:
    /// The ring belongs to this object from now on.
    UringReads(const io_uring& ring, Descriptor event, size_t depth)
        : ring_(ring), event_(std::move(event)), flights_(depth) {
        for (Flight& flight : flights_) free_.push_back(&flight);
        ready_.reserve(depth);
        prepared_.reserve(depth);
    }
    ~UringReads() override {
        ReadDone done;
        for (handOver(); inRing_ > 0; handOver())
            if (collectRing({&done, 1}) == 0 && prepared_.empty()) waitForEither();
        threads_.reset(); // waits for the reads on threads
        io_uring_queue_exit(&ring_);
    }

    const char* name() const override { return "io_uring"; }
    size_t depth() const override { return flights_.size(); }
    size_t inFlight() const override { return inRing_ + ready_.size() + (threads_ ? threads_->inFlight() : 0); }

    void submit(const ReadRequest& request) override {
        auto* const file = dynamic_cast<PosixFile*>(request.file);
        if (file == nullptr) return submitToThreads(request);
        const ReadPieces pieces(*file, request.offset, request.out);
        Status possible = pieces.check();
        if (!possible || pieces.done()) {
            ready_.push_back({request.id, std::move(possible)});
            return;
        }
        Flight& flight = *free_.back();
        flight = {request, file, pieces};
        if (!prepare(flight)) return submitToThreads(request);
        free_.pop_back();
        ++inRing_;
    }

    std::span<ReadDone> collect(std::span<ReadDone> out) override {
        for (;;) {
            handOver();
            size_t count = collectReady(out);
            count += collectRing(out.subspan(count));
            count += collectThreads(out.subspan(count));
            if (woken_.exchange(false) || count > 0) return out.first(count);
            if (prepared_.empty()) waitForEither(); // otherwise a read continues with its next piece
        }
    }

    void wake() override {
        woken_.store(true);
        signal();
    }

  private:
    struct Flight {
        ReadRequest request;
        PosixFile* file = nullptr;
        ReadPieces pieces;
    };

    void signal() {
        uninterrupted([this] { return ::eventfd_write(event_.number(), 1); });
    }

    /// Waits until a completion is in the ring, or until the event is signalled.
    void waitForEither() {
        pollfd both[2] = {{ring_.ring_fd, POLLIN, 0}, {event_.number(), POLLIN, 0}};
        if (::poll(both, 2, -1) > 0 && (both[1].revents & POLLIN) != 0) {
            eventfd_t signals;
            ::eventfd_read(event_.number(), &signals);
        }
    }

    /// Prepares the next piece of a flight for the next handOver(). Returns false if the ring is full.
    bool prepare(Flight& flight) {
        // An entry that the ring once refused is still in it, and must not be taken later.
        io_uring_sqe* const entry = broken_ ? nullptr : io_uring_get_sqe(&ring_);
        if (entry == nullptr) return false;
        const ReadPieces& pieces = flight.pieces;
        io_uring_prep_read(entry, flight.file->descriptor(), pieces.data(), static_cast<unsigned>(pieces.length()),
                           pieces.offset());
        // Without this flag, data in the page cache would be copied here and now: the kernel's own threads do that
        // better.
        if (flight.file->alignment() == 1) io_uring_sqe_set_flags(entry, IOSQE_ASYNC);
        io_uring_sqe_set_data(entry, &flight);
        prepared_.push_back(&flight);
        return true;
    }

    /// Hands over all prepared reads in one call. Reads that the kernel refuses go to threads, and so do all later
    /// ones.
    void handOver() {
        size_t taken = 0;
        while (taken < prepared_.size()) {
            const int count = io_uring_submit(&ring_);
            if (count == -EINTR) continue;
            broken_ = count <= 0;
            if (broken_) break;
            taken += static_cast<size_t>(count);
        }
        for (size_t i = taken; i < prepared_.size(); ++i) {
            free_.push_back(prepared_[i]);
            --inRing_;
            submitToThreads(prepared_[i]->request);
        }
        prepared_.clear();
    }

    void submitToThreads(const ReadRequest& request) {
        if (!threads_) threads_ = createThreadedReads(static_cast<int>(depth()), [this] { signal(); });
        if (threads_ && threads_->inFlight() < threads_->depth()) return threads_->submit(request);
        ready_.push_back({request.id, request.file->readAt(request.offset, request.out)});
    }

    size_t collectReady(std::span<ReadDone> out) {
        size_t count = 0;
        for (; count < out.size() && !ready_.empty(); ++count) {
            out[count] = std::move(ready_.back());
            ready_.pop_back();
        }
        return count;
    }

    size_t collectRing(std::span<ReadDone> out) {
        size_t count = 0;
        io_uring_cqe* entry = nullptr;
        while (inRing_ > 0 && count < out.size() && io_uring_peek_cqe(&ring_, &entry) == 0) {
            Flight& flight = *static_cast<Flight*>(io_uring_cqe_get_data(entry));
            const int result = entry->res;
            io_uring_cqe_seen(&ring_, entry);
            if (goOn(flight, result, out[count])) continue;
            free_.push_back(&flight);
            --inRing_;
            ++count;
        }
        return count;
    }

    /// Handles a piece that came back. Returns false if the read has ended; `done` then has its status.
    bool goOn(Flight& flight, int result, ReadDone& done) {
        const ReadRequest& request = flight.request;
        // The disk is not at fault (a signal, no memory, or the submitting thread has ended): an ordinary read will do.
        if (result == -EINTR || result == -EAGAIN || result == -ECANCELED) {
            done = {request.id, request.file->readAt(request.offset, request.out)};
            return false;
        }
        Status status = result < 0 ? systemError(FileCall::Read, flight.file->path(), -result)
                                   : flight.pieces.advance(static_cast<size_t>(result));
        if (status && !flight.pieces.done()) {
            if (prepare(flight)) return true;
            status = request.file->readAt(request.offset, request.out);
        } else if (status) {
            status = flight.file->checkUnchanged();
        }
        done = {request.id, std::move(status)};
        return false;
    }

    size_t collectThreads(std::span<ReadDone> out) {
        if (out.empty() || !threads_ || threads_->inFlight() == 0) return 0;
        threads_->wake(); // collect() must not wait
        return threads_->collect(out).size();
    }

    io_uring ring_;
    Descriptor event_;
    std::vector<Flight> flights_;
    std::vector<Flight*> free_;
    std::vector<ReadDone> ready_;   ///< reads that were never in flight
    std::vector<Flight*> prepared_; ///< in the ring, but not handed to the kernel yet
    size_t inRing_ = 0;
    bool broken_ = false;
    std::atomic<bool> woken_{false};
    std::unique_ptr<AsyncReads> threads_;
};

} // namespace

std::unique_ptr<AsyncReads> createUringReads(int depth) {
    if (depth < 1) return nullptr;
    Descriptor event(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    io_uring ring{};
    if (event.number() < 0 || io_uring_queue_init(static_cast<unsigned>(depth), &ring, 0) != 0) return nullptr;
    // It came with kernel 5.6, as did plain reads.
    if ((ring.features & IORING_FEAT_RW_CUR_POS) == 0) {
        io_uring_queue_exit(&ring);
        return nullptr;
    }
    return std::make_unique<UringReads>(ring, std::move(event), static_cast<size_t>(depth));
}

} // namespace coterie::engine
