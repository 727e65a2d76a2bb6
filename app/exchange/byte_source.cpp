// SPDX-License-Identifier: Apache-2.0
// See byte_source.h.
#include "exchange/byte_source.h"

#include <algorithm>
#include <cstring>

namespace coterie::app {
namespace {

class FileSource : public ByteSource {
  public:
    explicit FileSource(std::unique_ptr<engine::RandomAccessFile> file) : file_(std::move(file)) {}

    engine::Result<size_t> read(std::span<char> to) override {
        const auto count = static_cast<size_t>(std::min<uint64_t>(to.size(), file_->size() - next_));
        if (count == 0) return size_t{0};
        if (auto done = file_->readAt(next_, std::as_writable_bytes(to.first(count))); !done) return done.error();
        next_ += count;
        return count;
    }
    double share() const override {
        return file_->size() == 0 ? 1 : static_cast<double>(next_) / static_cast<double>(file_->size());
    }

  private:
    std::unique_ptr<engine::RandomAccessFile> file_;
    uint64_t next_ = 0;
};

} // namespace

engine::Result<size_t> BytesInMemory::read(std::span<char> to) {
    const size_t count = std::min(to.size(), bytes_.size() - next_);
    if (count > 0) std::memcpy(to.data(), bytes_.data() + next_, count);
    next_ += count;
    return count;
}

double BytesInMemory::share() const {
    return bytes_.empty() ? 1 : static_cast<double>(next_) / static_cast<double>(bytes_.size());
}

engine::Result<std::unique_ptr<ByteSource>> openSource(const QString& path) {
    auto file = engine::systemFiles().openForReading(path.toStdString());
    if (!file) return file.error();
    return sourceOf(std::move(file).value());
}

std::unique_ptr<ByteSource> sourceOf(std::unique_ptr<engine::RandomAccessFile> file) {
    return std::make_unique<FileSource>(std::move(file));
}

} // namespace coterie::app
