// SPDX-License-Identifier: Apache-2.0
// A model on disk: its header, read with a few growing reads, and its tensors' bytes by position. It holds no weights.
// A model may be split into several files, its shards ("name-00001-of-00003.gguf"), as llama.cpp's gguf-split writes
// them. Opening any shard opens all; the first one's keys are the model's.
#pragma once

#include "base/files.h"
#include "gguf/gguf.h"

#include <memory>
#include <string>
#include <vector>

namespace coterie::engine {

/// Thread-safe after opening. Errors name the file. The file system must outlive it.
class ModelFile {
  public:
    static Result<std::unique_ptr<ModelFile>> open(FileSystem& files, const std::string& path);

    /// The header of all files together.
    const gguf::Header& header() const { return header_; }
    /// The path that was given to open().
    const std::string& path() const { return path_; }
    /// Bytes of all files together.
    uint64_t size() const { return size_; }
    /// Number of files; 1 if the model is not split.
    size_t shards() const { return shards_.size(); }
    /// The file that holds the tensor, from tensor.offset on.
    RandomAccessFile& file(const gguf::Tensor& tensor) const { return *shards_[tensor.shard].file; }
    /// Opens all files again, past the page cache (FileSystem::openDirect). Returns an Io error if one of them is no
    /// longer the file that was opened.
    Result<std::vector<std::unique_ptr<RandomAccessFile>>> openDirect() const;
    /// The file system that the model was opened with.
    FileSystem& files() const { return *files_; }
    /// The path of one file. The first one's is the same whichever file was opened. shard < shards().
    const std::string& shardPath(size_t shard) const { return shards_[shard].file->path(); }
    /// The time of that file's last change (RandomAccessFile::changedAt()). shard < shards().
    int64_t changedAt(size_t shard) const { return shards_[shard].file->changedAt(); }
    /// Bytes of that file up to the end of its tensor list. They live as long as this object.
    std::span<const std::byte> headerBytes(size_t shard) const { return shards_[shard].headerBytes; }
    /// Reads bytes [offset, offset + out.size()) of the tensor. Returns an Io error if a file vanished or shrank.
    Status read(const gguf::Tensor& tensor, uint64_t offset, std::span<std::byte> out) const;

  private:
    struct Shard {
        std::unique_ptr<RandomAccessFile> file;
        std::vector<std::byte> headerBytes; ///< the views in `header` point into it
        gguf::Header header;

        static Result<Shard> open(FileSystem& files, const std::string& path);
        void keep(gguf::Header parsed);
    };

    explicit ModelFile(FileSystem& files) : files_(&files) {}
    Status openShards();
    Status add(Shard shard);

    FileSystem* files_;
    std::string path_;
    std::vector<Shard> shards_;
    gguf::Header header_;
    uint64_t size_ = 0;
};

} // namespace coterie::engine
