// SPDX-License-Identifier: Apache-2.0
// A model on disk: its header, read with a few growing reads, and its tensors' bytes by position. Holds no weights. A
// model may lie in several files ("name-00001-of-00003.gguf"), as llama.cpp's gguf-split writes them: any of them opens
// all, and the first one's keys are the model's.
#pragma once

#include "base/files.h"
#include "gguf/gguf.h"

#include <memory>
#include <string>
#include <vector>

namespace coterie::engine {

/// Thread-safe after opening. Errors name the file. The file system it is opened with must outlive it.
class ModelFile {
  public:
    static Result<std::unique_ptr<ModelFile>> open(FileSystem& files, const std::string& path);

    /// Of all parts together.
    const gguf::Header& header() const { return header_; }
    /// As it was given to open().
    const std::string& path() const { return path_; }
    /// Bytes of all parts.
    uint64_t size() const { return size_; }
    size_t parts() const { return parts_.size(); }
    /// Where the tensor's bytes are, from its offset on.
    RandomAccessFile& file(const gguf::Tensor& tensor) const { return *parts_[tensor.part].file; }
    /// All parts once more, past the page cache (FileSystem::openDirect). Io where one is not the file any more that
    /// was opened.
    Result<std::vector<std::unique_ptr<RandomAccessFile>>> openDirect() const;
    /// That it was opened with.
    FileSystem& files() const { return *files_; }
    /// Of that part: the first one's is the same whichever was opened. part < parts().
    const std::string& partPath(size_t part) const { return parts_[part].file->path(); }
    /// When that part was last changed, as RandomAccessFile::changedAt() has it. part < parts().
    int64_t changedAt(size_t part) const { return parts_[part].file->changedAt(); }
    /// That part's bytes up to the end of its tensor list. Live as long as this.
    std::span<const std::byte> headerBytes(size_t part) const { return parts_[part].headerBytes; }
    /// Bytes [offset, offset + out.size()) of the tensor. An Io error where a file vanished or shrank.
    Status read(const gguf::Tensor& tensor, uint64_t offset, std::span<std::byte> out) const;

  private:
    struct Part {
        std::unique_ptr<RandomAccessFile> file;
        std::vector<std::byte> headerBytes; ///< the views in `header` point into it
        gguf::Header header;

        static Result<Part> open(FileSystem& files, const std::string& path);
        void keep(gguf::Header parsed);
    };

    explicit ModelFile(FileSystem& files) : files_(&files) {}
    Status openParts();
    Status add(Part part);

    FileSystem* files_;
    std::string path_;
    std::vector<Part> parts_;
    gguf::Header header_;
    uint64_t size_ = 0;
};

} // namespace coterie::engine
