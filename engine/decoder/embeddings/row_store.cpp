// SPDX-License-Identifier: Apache-2.0
// See row_store.h. A row is read together with the rest of the disk's blocks in which it lies:
//
//   a room:  | rest of a block | the row | rest of a block |     begins and ends at multiples of the file's alignment
#include "decoder/embeddings/row_store.h"

#include "base/rounding.h"
#include "kernels/kernels.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace coterie::engine {
namespace {

/// Reads past the page cache take whole blocks of the disk. Larger ones than this would cost more than the page cache
/// does: a row has 5 to 18 KiB in published models.
constexpr uint64_t kLargestBlock = 4096;
/// Rows are small, so a disk needs many reads in flight to be fast.
constexpr int kReadsInFlight = 16;

/// Alignment for which memory is planned, whether the file is read directly or not.
uint64_t plannedAlignment() { return directAlignment() <= kLargestBlock ? directAlignment() : 1; }

/// Both ends of a row may lie within a block.
SaturatingBytes roomBytes(uint64_t row) {
    const uint64_t alignment = plannedAlignment();
    return SaturatingBytes(roundUp(row, alignment)) + (alignment > 1 ? alignment : 0);
}

} // namespace

uint64_t RowStore::rowBytes(const gguf::Tensor& table) {
    return coterie::engine::rowBytes(*table.type, table.shape[0]);
}

uint64_t RowStore::readBytes(const gguf::Tensor& table) { return roomBytes(rowBytes(table)).value(); }

SaturatingBytes RowStore::bytesNeeded(const gguf::Tensor& table, const RowStoreSize& size) {
    const uint64_t row = rowBytes(table);
    return SaturatingBytes(static_cast<uint64_t>(size.chunk)) * roomBytes(row) +
           SaturatingBytes(static_cast<uint64_t>(size.cached)) * (SaturatingBytes(row) + RowCache::kRecordBytes);
}

Result<std::unique_ptr<RowStore>> RowStore::open(const ModelFile& file, const gguf::Tensor& table,
                                                 const RowStoreSize& size, bool direct) {
    Result<Buffer> memory =
        Buffer::allocate(bytesNeeded(table, size).value(), "There is no memory for rows of embeddings");
    if (!memory) return memory.error();
    std::vector<std::unique_ptr<RandomAccessFile>> files;
    if (direct) {
        auto opened = file.openDirect();
        if (!opened) return opened.error();
        files = std::move(opened).value();
    }
    const bool usable = direct && files[table.shard]->alignment() <= plannedAlignment();
    RandomAccessFile& from = usable ? *files[table.shard] : file.file(table);
    std::unique_ptr<RowStore> store(
        new RowStore(table, from, size, std::move(memory).value(), file.files().createReads(kReadsInFlight)));
    if (!store->reader_.running())
        return Error{ErrorKind::OutOfMemory, "The model can't be loaded", "The system gives no thread to read it with",
                     "Close other programs and try again"};
    store->direct_ = std::move(files);
    return store;
}

RowStore::RowStore(const gguf::Tensor& table, RandomAccessFile& file, const RowStoreSize& size, Buffer memory,
                   std::unique_ptr<AsyncReads> reads)
    : table_(table), rowBytes_(rowBytes(table)), roomBytes_(readBytes(table)), file_(&file), memory_(std::move(memory)),
      cache_(memory_.bytes().subspan(static_cast<size_t>(size.chunk) * roomBytes_,
                                     static_cast<size_t>(size.cached) * rowBytes_),
             rowBytes_),
      reader_(std::move(reads), static_cast<size_t>(size.chunk)) {}

void RowStore::request(std::span<const TokenId> tokens) {
    keepRows();
    tokens_.assign(tokens.begin(), tokens.end());
    read_ = tokens_;
    std::erase_if(read_, [this](TokenId token) { return cache_.holds(token); });
    std::sort(read_.begin(), read_.end());
    read_.erase(std::unique(read_.begin(), read_.end()), read_.end());
    requests_.clear();
    for (const TokenId token : read_) requests_.push_back(readOf(token, requests_.size()));
    reading_ = !requests_.empty();
    if (reading_) reader_.start(requests_);
}

/// The rows of the last request go into the cache, as if they were used one after the other.
void RowStore::keepRows() {
    if (!wait()) return; // the request was given up, and a later one reports what is wrong with the disk
    for (const TokenId token : tokens_)
        if (const std::byte* bytes = cache_.use(token) ? nullptr : readRow(token)) cache_.insert(token, bytes);
    bytesHeld_ = roomsUsed_ * roomBytes_ + cache_.size() * rowBytes_;
}

ReadRequest RowStore::readOf(TokenId token, size_t place) const {
    const uint64_t alignment = file_->alignment(), begin = table_.offset + static_cast<uint64_t>(token) * rowBytes_;
    const uint64_t first = begin / alignment * alignment, end = roundUp(begin + rowBytes_, alignment);
    return {.file = file_,
            .offset = first,
            .out = memory_.bytes().subspan(place * roomBytes_, static_cast<size_t>(end - first))};
}

Status RowStore::wait() {
    if (!std::exchange(reading_, false)) return {};
    const auto began = std::chrono::steady_clock::now();
    Status status = reader_.wait();
    const auto waited = std::chrono::steady_clock::now() - began;
    waitNanoseconds_ += std::chrono::duration_cast<std::chrono::nanoseconds>(waited).count();
    if (!status) {
        tokens_.clear();
        read_.clear();
        return status;
    }
    for (const ReadRequest& request : requests_) bytesRead_ += request.out.size();
    roomsUsed_ = std::max(roomsUsed_, requests_.size());
    bytesHeld_ = roomsUsed_ * roomBytes_ + cache_.size() * rowBytes_;
    return {};
}

const std::byte* RowStore::row(TokenId token) const {
    const std::byte* cached = cache_.find(token);
    return cached != nullptr ? cached : readRow(token);
}

/// Returns null if the row was not read by the last request.
const std::byte* RowStore::readRow(TokenId token) const {
    const auto place = std::lower_bound(read_.begin(), read_.end(), token);
    if (place == read_.end() || *place != token) return nullptr;
    const uint64_t begin = table_.offset + static_cast<uint64_t>(token) * rowBytes_;
    return memory_.data() + static_cast<uint64_t>(place - read_.begin()) * roomBytes_ + begin % file_->alignment();
}

Counts RowStore::counts() const {
    constexpr double nanosecond = 1e-9;
    return {.bytesRead = bytesRead_, .waitSeconds = static_cast<double>(waitNanoseconds_) * nanosecond};
}

} // namespace coterie::engine
