// SPDX-License-Identifier: Apache-2.0
// See disk_record.h.
#include "session/disk_record.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/reads.h"
#include "experts/expert_store.h"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <random>
#include <string_view>
#include <vector>

namespace coterie::engine {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr std::array<int, 4> kDepths{1, 2, 4, 8};
static_assert(kMeasuringBytes == kStreamedPiece * kDepths.back());
constexpr int kDeepest = 64; ///< that a record may ask for
constexpr uint64_t kSmallestFile = uint64_t{8} << 20;
constexpr Seconds kEach{0.05}, kAltogether{0.3};

/// Reads at random places of a file, for a while at each depth.
class DiskMeasurement {
  public:
    DiskMeasurement(RandomAccessFile& file, const Buffer& buffer) : file_(file), buffer_(buffer) {}

    Result<DepthRate> rateAt(AsyncReads& reads) {
        std::vector<uint64_t> idle; // places in the buffer
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
        // Multiples of the piece: of what is aligned to less, as good as any place.
        const uint64_t last = file_.size() / kStreamedPiece - 1;
        const uint64_t piece = std::uniform_int_distribution<uint64_t>(0, last)(random_);
        reads.submit({.file = &file_,
                      .offset = piece * kStreamedPiece,
                      .out = buffer_.bytes().subspan(static_cast<size_t>(place * kStreamedPiece), kStreamedPiece),
                      .id = place});
    }

    RandomAccessFile& file_;
    const Buffer& buffer_;
    // Not the same places each time: a disk has a cache of its own.
    std::minstd_rand random_{static_cast<uint32_t>(Clock::now().time_since_epoch().count())};
};

struct Record {
    char magic[8];
    uint32_t version, depth;
    double bytesPerSecond, latencySeconds;
    uint64_t checksum; ///< of the bytes before
};
static_assert(sizeof(Record) == 40 && std::endian::native == std::endian::little, "the file is little-endian");

constexpr std::string_view kMagic = "coterdsk";
constexpr uint32_t kVersion = 3; // 1: measured with small pages, 2: with pieces of 512 KiB

uint64_t checksumOf(const Record& record) {
    Hash hash;
    hash.add(std::as_bytes(std::span(&record, 1)).first(offsetof(Record, checksum)));
    return hash.value();
}

std::string encode(const DiskProfile& profile) {
    Record record{.magic = {},
                  .version = kVersion,
                  .depth = static_cast<uint32_t>(profile.readDepth),
                  .bytesPerSecond = profile.bytesPerSecond,
                  .latencySeconds = profile.latencySeconds,
                  .checksum = 0};
    std::copy(kMagic.begin(), kMagic.end(), record.magic);
    record.checksum = checksumOf(record);
    return std::string(reinterpret_cast<const char*>(&record), sizeof record);
}

/// Nothing where the bytes are not a record.
std::optional<DiskProfile> decode(std::string_view bytes) {
    Record record;
    if (bytes.size() != sizeof record) return std::nullopt;
    std::memcpy(&record, bytes.data(), sizeof record);
    const bool whole = std::string_view(record.magic, sizeof record.magic) == kMagic && record.version == kVersion &&
                       record.checksum == checksumOf(record);
    const bool sensible = record.bytesPerSecond > 0 && std::isfinite(record.bytesPerSecond) &&
                          record.latencySeconds >= 0 && std::isfinite(record.latencySeconds);
    if (!whole || !sensible) return std::nullopt;
    return DiskProfile{.readDepth = static_cast<int>(std::clamp<uint32_t>(record.depth, 1, kDeepest)),
                       .bytesPerSecond = record.bytesPerSecond,
                       .latencySeconds = record.latencySeconds};
}

/// Nothing where the model can't be opened.
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
        if (!reads || reads->depth() < static_cast<size_t>(depth)) break; // the system gives no more
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
    : files_(files), modelPath_(path) {
    if (folder.empty()) return;
    const std::optional<uint64_t> identity = identityOf(files, path);
    if (!identity) return;
    char name[32];
    std::snprintf(name, sizeof name, "disk-%016llx", static_cast<unsigned long long>(*identity));
    path_ = folder + "/" + name;
    if (const Result<std::string> bytes = readWholeFile(files, path_, sizeof(Record))) known_ = decode(bytes.value());
}

DiskProfile DiskRecord::profile(uint64_t room) {
    if (known_) return *known_;
    if (room < kMeasuringBytes) return {};
    const Result<DiskProfile> measured = measureDisk(files_, modelPath_);
    if (!measured || !measured->measured()) return {};
    known_ = measured.value();
    // Where that can't be written, the next run measures again.
    if (!path_.empty()) static_cast<void>(writeWholeFile(files_, path_, encode(*known_)));
    return *known_;
}

} // namespace coterie::engine
