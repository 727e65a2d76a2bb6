// SPDX-License-Identifier: Apache-2.0
// See disk_record.h.
#include "experts/disk_record.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/reads.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <random>
#include <vector>

namespace coterie::engine {
namespace {

/// The content as it is stored in the file.
struct Record {
    static constexpr std::string_view kMagic = "coterdsk";
    static constexpr uint32_t kVersion = 3; // 1: measured with small pages, 2: with pieces of 512 KiB
    char magic[8];
    uint32_t version, depth;
    double bytesPerSecond, latencySeconds;
    uint64_t checksum;
};
static_assert(sizeof(Record) == 40);

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr std::array<int, 4> kDepths{1, 2, 4, 8};
static_assert(kMeasuringBytes == kStreamedPiece * kDepths.back());
constexpr int kDeepest = 64; // a record may not ask for more
constexpr uint64_t kSmallestFile = uint64_t{8} << 20;
constexpr Seconds kEach{0.05}, kAltogether{0.3};

/// Reads at random places of a file, for a while at each depth.
class DiskMeasurement {
  public:
    DiskMeasurement(RandomAccessFile& file, const Buffer& buffer) : file_(file), buffer_(buffer) {}

    Result<DepthRate> rateAt(AsyncReads& reads) {
        std::vector<uint64_t> idle; // pieces of the buffer that no read fills
        for (size_t i = 0; i < reads.depth(); ++i) idle.push_back(i);
        std::array<ReadDone, kDepths.back()> results;
        const Clock::time_point start = Clock::now();
        double bytes = 0;
        for (;;) {
            const bool more = Clock::now() - start < kEach || bytes == 0;
            for (; more && !idle.empty(); idle.pop_back()) submit(reads, idle.back());
            if (reads.inFlight() == 0) break;
            for (ReadDone& done : reads.collect(results)) {
                if (!done.status) return std::move(done.status).error();
                idle.push_back(done.id);
                bytes += static_cast<double>(kStreamedPiece);
            }
        }
        const double seconds = std::max(Seconds(Clock::now() - start).count(), 1e-9);
        return DepthRate{static_cast<int>(reads.depth()), bytes / seconds};
    }

  private:
    void submit(AsyncReads& reads, uint64_t place) {
        // Multiples of the piece suit every alignment up to it.
        const uint64_t last = file_.size() / kStreamedPiece - 1;
        const uint64_t piece = std::uniform_int_distribution<uint64_t>(0, last)(random_);
        reads.submit({.file = &file_,
                      .offset = piece * kStreamedPiece,
                      .out = buffer_.bytes().subspan(static_cast<size_t>(place * kStreamedPiece), kStreamedPiece),
                      .id = place});
    }

    RandomAccessFile& file_;
    const Buffer& buffer_;
    // Other places each time, because a disk has a cache of its own.
    std::minstd_rand random_{static_cast<uint32_t>(Clock::now().time_since_epoch().count())};
};

/// Returns a key that recognises the disk, or nothing if the model can't be opened.
std::optional<uint64_t> identityOf(FileSystem& files, const std::string& path) {
    const auto model = files.openForReading(path);
    if (!model) return std::nullopt;
    const uint64_t disk = model.value()->disk();
    Hash hash;
    if (disk != 0)
        hash.addNumber(disk);
    else
        hash.add(path);
    return hash.value();
}

/// Returns nothing if the numbers are not possible.
std::optional<DiskProfile> profileIn(const Record& record) {
    const bool sensible = record.bytesPerSecond > 0 && std::isfinite(record.bytesPerSecond) &&
                          record.latencySeconds >= 0 && std::isfinite(record.latencySeconds);
    if (!sensible) return std::nullopt;
    return DiskProfile{.readDepth = static_cast<int>(std::clamp<uint32_t>(record.depth, 1, kDeepest)),
                       .bytesPerSecond = record.bytesPerSecond,
                       .latencySeconds = record.latencySeconds};
}

} // namespace

DepthRate smallestNearBest(std::span<const DepthRate> rates) {
    constexpr double near = 0.95;
    double best = 0;
    for (const DepthRate& rate : rates) best = std::max(best, rate.bytesPerSecond);
    return *std::find_if(rates.begin(), rates.end(),
                         [&](const DepthRate& rate) { return rate.bytesPerSecond >= near * best; });
}

Result<DiskProfile> measureDisk(FileSystem& files, const std::string& path) {
    auto file = files.openDirect(path);
    if (!file) return file.error();
    if (file.value()->size() < kSmallestFile) return DiskProfile{};
    const Result<Buffer> buffer =
        Buffer::allocate(kMeasuringBytes, "There is no memory for measuring the disk",
                         Buffer::Pages::Large); // as slots: small pages are slower to read into
    if (!buffer) return buffer.error();
    DiskMeasurement measurement(*file.value(), buffer.value());
    std::vector<DepthRate> rates;
    const Clock::time_point start = Clock::now();
    for (const int depth : kDepths) {
        if (!rates.empty() && Clock::now() - start >= kAltogether) break;
        const auto reads = files.createReads(depth);
        if (!reads || reads->depth() < static_cast<size_t>(depth)) break; // the system allows no more reads in flight
        const Result<DepthRate> rate = measurement.rateAt(*reads);
        if (!rate) return rate.error();
        rates.push_back(rate.value());
    }
    if (rates.empty()) return DiskProfile{.readDepth = 1};
    const DepthRate chosen = smallestNearBest(rates);
    return DiskProfile{.readDepth = chosen.depth,
                       .bytesPerSecond = chosen.bytesPerSecond,
                       .latencySeconds = static_cast<double>(kStreamedPiece) / rates.front().bytesPerSecond};
}

DiskRecord::DiskRecord(FileSystem& files, const std::string& folder, const std::string& path)
    : files_(files), modelPath_(path), place_(folder, "disk", folder.empty() ? std::nullopt : identityOf(files, path)) {
    if (const std::optional<Record> record = readRecord<Record>(files, place_)) known_ = profileIn(*record);
}

DiskProfile DiskRecord::profile(uint64_t room) {
    if (known_) return *known_;
    if (room < kMeasuringBytes) return {};
    const Result<DiskProfile> measured = measureDisk(files_, modelPath_);
    if (!measured || !measured->measured()) return {};
    known_ = measured.value();
    // If that can't be written, the next run measures again.
    static_cast<void>(writeRecord<Record>(files_, place_,
                                          {.magic = {},
                                           .version = 0,
                                           .depth = static_cast<uint32_t>(known_->readDepth),
                                           .bytesPerSecond = known_->bytesPerSecond,
                                           .latencySeconds = known_->latencySeconds,
                                           .checksum = 0}));
    return *known_;
}

} // namespace coterie::engine
