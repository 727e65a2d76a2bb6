// SPDX-License-Identifier: Apache-2.0
// Rows of a table that stays on disk, because each token needs one of its rows only. The rows of a chunk are read at
// once, in the background; those that were used last stay in memory, as the file has them.
//
//     rows->request(chunk.tokens);          // has the missing rows read and returns at once
//     ... compute ...
//     if (Status read = rows->wait(); !read) return read;
//     use(rows->row(token));                // until the next request
//
// Inside decoder/ only.
#pragma once

#include "base/batch_reader.h"
#include "base/memory.h"
#include "decoder/embeddings/row_cache.h"
#include "experts/counts.h"
#include "gguf/model_file.h"
#include "model/sizes.h"

#include <atomic>
#include <memory>
#include <span>
#include <vector>

namespace coterie::engine {

struct RowStoreSize {
    int64_t chunk = 1;  ///< tokens of the longest request
    int64_t cached = 0; ///< rows that stay in memory
};

/// One thread at a time; any thread may call counts() and bytesHeld().
class RowStore {
  public:
    static uint64_t rowBytes(const gguf::Tensor& table);
    /// The most bytes that are read from disk for one row: those of the disk's blocks in which it lies.
    static uint64_t readBytes(const gguf::Tensor& table);
    static SaturatingBytes bytesNeeded(const gguf::Tensor& table, const RowStoreSize& size);
    /// direct: reads pass the page cache, if its blocks are small enough. file outlives the store. OutOfMemory if
    /// memory or a thread can't be had; Io if the model on disk is not the one that was opened.
    static Result<std::unique_ptr<RowStore>> open(const ModelFile& file, const gguf::Tensor& table,
                                                  const RowStoreSize& size, bool direct);

    /// Begins to read the rows of these tokens that are not in memory: each once, in the order of the file. Rows of the
    /// request before must not be used any more.
    void request(std::span<const TokenId> tokens);
    /// Waits until the requested rows are there. Io if a read failed twice; a later request tries again.
    Status wait();
    /// A requested row, after wait().
    const std::byte* row(TokenId token) const;

    /// The counts of bytes read and of the time that wait() took.
    Counts counts() const;
    uint64_t bytesHeld() const { return bytesHeld_; } ///< those of its memory that were written

  private:
    RowStore(const gguf::Tensor& table, RandomAccessFile& file, const RowStoreSize& size, Buffer memory,
             std::unique_ptr<AsyncReads> reads);
    void keepRows();
    ReadRequest readOf(TokenId token, size_t place) const;
    const std::byte* readRow(TokenId token) const;

    const gguf::Tensor& table_;
    const uint64_t rowBytes_, roomBytes_; // roomBytes_: room into which a row is read
    std::vector<std::unique_ptr<RandomAccessFile>> direct_;
    RandomAccessFile* file_;
    Buffer memory_; // rooms [chunk], rows of the cache
    RowCache cache_;
    std::vector<TokenId> tokens_;       // the last request's
    std::vector<TokenId> read_;         // tokens whose rows were not in memory, sorted; row i is read into room i
    std::vector<ReadRequest> requests_; // [as read_]
    bool reading_ = false;              // a batch was not waited for
    std::atomic<uint64_t> bytesRead_{0}, bytesHeld_{0};
    std::atomic<int64_t> waitNanoseconds_{0};
    size_t roomsUsed_ = 0; // the most so far
    BatchReader reader_;   // last: its thread writes to the memory
};

} // namespace coterie::engine
