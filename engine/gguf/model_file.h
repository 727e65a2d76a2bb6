// SPDX-License-Identifier: Apache-2.0
// A GGUF file on disk: its header, read with a few growing reads, and its tensors' bytes by position. Holds no weights.
#pragma once

#include "base/files.h"
#include "gguf/gguf.h"

#include <memory>
#include <string>

namespace coterie::engine {

/// Thread-safe after opening. Errors name the file.
class ModelFile {
  public:
    static Result<std::unique_ptr<ModelFile>> open(FileSystem& files, const std::string& path);

    const gguf::Header& header() const { return header_; }
    const std::string& path() const { return file_->path(); }
    uint64_t size() const { return file_->size(); }
    /// Bytes [offset, offset + out.size()) of the tensor. An Io error where the file vanished or shrank.
    Status read(const gguf::Tensor& tensor, uint64_t offset, std::span<std::byte> out) const;

  private:
    ModelFile() = default;
    void keep(gguf::Header header);

    std::unique_ptr<RandomAccessFile> file_;
    std::vector<std::byte> headerBytes_;
    gguf::Header header_;
};

} // namespace coterie::engine
