// SPDX-License-Identifier: Apache-2.0
// The bytes of a file, or of one file inside a zip archive, from start to end.
//
//     auto source = openSource(path);
//     if (!source) return source.error();
//     const auto count = (*source)->read(buffer);
//
// Threads: one thread at a time uses an object. Errors are values.
#pragma once

#include "base/files.h"
#include "base/result.h"

#include <QString>

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace coterie::app {

class ByteSource {
  public:
    virtual ~ByteSource() = default;
    /// Fills the beginning of `to`; returns the number of bytes, 0 at the end.
    virtual engine::Result<size_t> read(std::span<char> to) = 0;
    /// The share of the bytes that were read, 0..1.
    virtual double share() const = 0;
};

/// Bytes that are in memory, which outlive the source.
class BytesInMemory : public ByteSource {
  public:
    explicit BytesInMemory(std::span<const char> bytes) : bytes_(bytes) {}
    engine::Result<size_t> read(std::span<char> to) override;
    double share() const override;

  private:
    std::span<const char> bytes_;
    size_t next_ = 0;
};

/// Opens a file.
engine::Result<std::unique_ptr<ByteSource>> openSource(const QString& path);
/// The same for an open file.
std::unique_ptr<ByteSource> sourceOf(std::unique_ptr<engine::RandomAccessFile> file);

} // namespace coterie::app
