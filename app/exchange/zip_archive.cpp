// SPDX-License-Identifier: Apache-2.0
// See zip_archive.h.
#include "exchange/zip_archive.h"

#include <algorithm>
#include <array>
#include <vector>

#ifdef COTERIE_ZLIB
#include <zlib.h>
#endif

namespace coterie::app {
namespace {

constexpr uint64_t kEndBytes = 22, kLongestComment = 65535, kEntryBytes = 46, kLocalBytes = 30;
constexpr uint64_t kLargestDirectory = 64 << 20;
constexpr uint32_t kEndMark = 0x06054b50, kEntryMark = 0x02014b50, kLocalMark = 0x04034b50;
constexpr int kStored = 0, kDeflated = 8;

engine::Error refused(const engine::Sentence& why) {
    return {engine::ErrorKind::BadInput, "The zip file can't be read", why,
            "Unpack it and choose the file conversations.json"};
}

uint64_t number(const std::vector<std::byte>& bytes, size_t at, size_t count) {
    uint64_t value = 0;
    for (size_t i = count; i-- > 0;) value = value << 8 | std::to_integer<uint64_t>(bytes[at + i]);
    return value;
}

engine::Result<std::vector<std::byte>> bytesAt(engine::RandomAccessFile& file, uint64_t offset, uint64_t count) {
    if (offset > file.size() || count > file.size() - offset) return refused("It is damaged, or not whole");
    std::vector<std::byte> bytes(static_cast<size_t>(count));
    if (auto read = file.readAt(offset, bytes); !read) return read.error();
    return bytes;
}

/// The place of the directory.
struct Directory {
    uint64_t offset = 0, bytes = 0;
};

engine::Result<Directory> findDirectory(engine::RandomAccessFile& file) {
    const uint64_t tail = std::min(file.size(), kEndBytes + kLongestComment);
    const auto bytes = bytesAt(file, file.size() - tail, tail);
    if (!bytes) return bytes.error();
    for (size_t at = bytes->size() < kEndBytes ? 0 : bytes->size() - kEndBytes + 1; at-- > 0;) {
        if (number(bytes.value(), at, 4) != kEndMark) continue;
        const Directory found{.offset = number(bytes.value(), at + 16, 4), .bytes = number(bytes.value(), at + 12, 4)};
        if (found.bytes > kLargestDirectory) break;
        return found;
    }
    return refused("It has no directory, or is larger than 4 GiB");
}

/// The bytes of an entry that is not compressed, or the compressed ones.
class RangeSource : public ByteSource {
  public:
    RangeSource(std::unique_ptr<engine::RandomAccessFile> file, uint64_t begin, uint64_t bytes)
        : file_(std::move(file)), next_(begin), left_(bytes), all_(bytes) {}

    engine::Result<size_t> read(std::span<char> to) override {
        const auto count = static_cast<size_t>(std::min<uint64_t>(to.size(), left_));
        if (count == 0) return size_t{0};
        if (auto done = file_->readAt(next_, std::as_writable_bytes(to.first(count))); !done) return done.error();
        next_ += count;
        left_ -= count;
        return count;
    }
    double share() const override { return all_ == 0 ? 1 : 1 - static_cast<double>(left_) / static_cast<double>(all_); }

  private:
    std::unique_ptr<engine::RandomAccessFile> file_;
    uint64_t next_, left_, all_;
};

#ifdef COTERIE_ZLIB
class InflatingSource : public ByteSource {
  public:
    explicit InflatingSource(std::unique_ptr<ByteSource> packed) : packed_(std::move(packed)) {
        ready_ = inflateInit2(&stream_, -MAX_WBITS) == Z_OK; // negative: without zlib's own header
    }
    ~InflatingSource() override { inflateEnd(&stream_); }
    InflatingSource(const InflatingSource&) = delete;
    InflatingSource& operator=(const InflatingSource&) = delete;

    engine::Result<size_t> read(std::span<char> to) override {
        if (!ready_) return refused("The system has no memory left");
        stream_.next_out = reinterpret_cast<Bytef*>(to.data());
        stream_.avail_out = static_cast<uInt>(to.size());
        while (stream_.avail_out == to.size() && !ended_) {
            if (stream_.avail_in == 0) {
                const auto count = packed_->read(input_);
                if (!count) return count.error();
                stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
                stream_.avail_in = static_cast<uInt>(count.value());
                if (count.value() == 0) return refused("It is damaged, or not whole");
            }
            const int done = inflate(&stream_, Z_NO_FLUSH);
            if (done != Z_OK && done != Z_STREAM_END) return refused("Its compressed bytes are damaged");
            ended_ = done == Z_STREAM_END;
        }
        return to.size() - stream_.avail_out;
    }
    double share() const override { return packed_->share(); }

  private:
    std::unique_ptr<ByteSource> packed_;
    std::array<char, 65536> input_{};
    z_stream stream_{};
    bool ready_ = false, ended_ = false;
};
#endif

} // namespace

engine::Result<ZipArchive> ZipArchive::open(const QString& path) {
    auto file = engine::systemFiles().openForReading(path.toStdString());
    if (!file) return file.error();
    const auto directory = findDirectory(**file);
    if (!directory) return directory.error();
    const auto bytes = bytesAt(**file, directory->offset, directory->bytes);
    if (!bytes) return bytes.error();
    ZipArchive archive;
    archive.path_ = path;
    for (size_t at = 0; at + kEntryBytes <= bytes->size();) {
        if (number(bytes.value(), at, 4) != kEntryMark) break;
        const auto name = static_cast<size_t>(number(bytes.value(), at + 28, 2));
        const auto rest = static_cast<size_t>(number(bytes.value(), at + 30, 2) + number(bytes.value(), at + 32, 2));
        if (at + kEntryBytes + name + rest > bytes->size()) return refused("It is damaged, or not whole");
        const auto* letters = reinterpret_cast<const char*>(bytes->data()) + at + kEntryBytes;
        archive.entries_.emplace(QString::fromUtf8(letters, static_cast<qsizetype>(name)),
                                 Entry{.method = static_cast<int>(number(bytes.value(), at + 10, 2)),
                                       .packedBytes = number(bytes.value(), at + 20, 4),
                                       .localHeader = number(bytes.value(), at + 42, 4)});
        at += kEntryBytes + name + rest;
    }
    return archive;
}

QStringList ZipArchive::names() const {
    QStringList list;
    for (const auto& [name, entry] : entries_) list.append(name);
    return list;
}

engine::Result<std::unique_ptr<ByteSource>> ZipArchive::source(const QString& name) const {
    const auto found = entries_.find(name);
    if (found == entries_.end()) return refused("A file in it is missing");
    auto file = engine::systemFiles().openForReading(path_.toStdString());
    if (!file) return file.error();
    const auto header = bytesAt(**file, found->second.localHeader, kLocalBytes);
    if (!header) return header.error();
    if (number(header.value(), 0, 4) != kLocalMark) return refused("It is damaged, or not whole");
    const uint64_t begin =
        found->second.localHeader + kLocalBytes + number(header.value(), 26, 2) + number(header.value(), 28, 2);
    if (begin > (*file)->size() || found->second.packedBytes > (*file)->size() - begin)
        return refused("It is damaged, or not whole");
    auto range = std::make_unique<RangeSource>(std::move(file).value(), begin, found->second.packedBytes);
    if (found->second.method == kStored) return std::unique_ptr<ByteSource>(std::move(range));
#ifdef COTERIE_ZLIB
    if (found->second.method == kDeflated)
        return std::unique_ptr<ByteSource>(std::make_unique<InflatingSource>(std::move(range)));
#endif
    return refused("It is compressed in a way that this program does not read");
}

} // namespace coterie::app
