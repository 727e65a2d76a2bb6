// SPDX-License-Identifier: Apache-2.0
// Opening reads a little and parses it, and reads twice as much if that was too short. Then it opens the other files of
// a split model.
#include "gguf/model_file.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

namespace coterie::engine {

namespace {

constexpr uint64_t kFirstRead = uint64_t{1} << 20; // a header with a vocabulary has 1 to 8 MiB
constexpr uint64_t kMaxHeaderBytes = uint64_t{256}
                                     << 20; // the largest vocabularies published (some 260,000 tokens) take 16 MiB

/// Adds the file's name to a parser's error.
Error about(const std::string& path, Error error) {
    error.what = {"Can't open %1", path};
    return error;
}

Error headerTooLong(const std::string& path) {
    return {ErrorKind::BadInput,
            {"Can't open %1", path},
            {"Its header is longer than %1, more than any model needs", ByteCount{kMaxHeaderBytes}},
            "Choose another file"};
}

constexpr char kAllShards[] = "Put all files of the model into one folder, with the names that they came with";

Error wrongShard(const std::string& path, Sentence why) {
    return {ErrorKind::BadInput, {"Can't open %1", path}, std::move(why), kAllShards};
}

/// "prefix-00002-of-00003.gguf": number 2 of 3.
struct ShardName {
    std::string prefix;
    uint64_t number = 0, count = 0;

    static std::optional<ShardName> of(const std::string& path) {
        constexpr size_t length = std::string_view("-00001-of-00002.gguf").size();
        if (path.size() < length) return std::nullopt;
        ShardName name{path.substr(0, path.size() - length)};
        const char* const end = path.data() + name.prefix.size();
        std::from_chars(end + 1, end + 6, name.number);
        std::from_chars(end + 10, end + 15, name.count);
        const bool whole = name.number >= 1 && name.number <= name.count && path == name.path(name.number);
        return whole ? std::optional(name) : std::nullopt;
    }

    std::string path(uint64_t shard) const { return prefix + "-" + digits(shard) + "-of-" + digits(count) + ".gguf"; }

  private:
    static std::string digits(uint64_t n) {
        const std::string text = std::to_string(n);
        return std::string(text.size() < 5 ? 5 - text.size() : 0, '0') + text;
    }
};

} // namespace

Result<ModelFile::Shard> ModelFile::Shard::open(FileSystem& files, const std::string& path) {
    auto opened = files.openForReading(path);
    if (!opened) return opened.error();
    Shard shard;
    shard.file = std::move(opened).value();
    const uint64_t readable = std::min(shard.file->size(), kMaxHeaderBytes);

    for (uint64_t wanted = kFirstRead;; wanted *= 2) {
        std::vector<std::byte>& bytes = shard.headerBytes;
        const size_t have = bytes.size();
        bytes.resize(static_cast<size_t>(std::min(wanted, readable)));
        if (Status read = shard.file->readAt(have, std::span(bytes).subspan(have)); !read) return read.error();
        auto parsed = gguf::parse(bytes, shard.file->size());
        if (parsed) {
            shard.keep(std::move(parsed).value());
            return shard;
        }
        if (parsed.error().kind != ErrorKind::Truncated) return about(path, parsed.error());
        if (bytes.size() == readable) return headerTooLong(path);
    }
}

void ModelFile::Shard::keep(gguf::Header parsed) {
    const uint64_t needed = parsed.headerBytes;
    // Bytes that were read beyond the header would stay in memory as long as the model.
    const bool wasteful = headerBytes.size() > needed + needed / 4;
    if (wasteful) {
        std::vector<std::byte> exact(headerBytes.begin(), headerBytes.begin() + static_cast<std::ptrdiff_t>(needed));
        if (auto again = gguf::parse(exact, file->size())) {
            headerBytes = std::move(exact);
            header = std::move(again).value();
            return;
        }
    }
    headerBytes.resize(static_cast<size_t>(needed)); // in place, so that views stay valid
    header = std::move(parsed);
}

Result<std::unique_ptr<ModelFile>> ModelFile::open(FileSystem& files, const std::string& path) {
    std::unique_ptr<ModelFile> model(new ModelFile(files));
    model->path_ = path;
    Result<Shard> shard = Shard::open(files, path);
    if (!shard) return shard.error();
    const uint64_t count = shard->header.unsignedInteger("split.count").value_or(1);
    if (count <= 1) {
        if (Status status = model->add(std::move(shard).value()); !status) return status.error();
        return model;
    }
    if (Status status = model->openShards(); !status) return status.error();
    return model;
}

Status ModelFile::openShards() {
    const std::optional<ShardName> name = ShardName::of(path_);
    if (!name) return wrongShard(path_, "It is one of several files of a model, and its name doesn't say which one");
    for (uint64_t i = 0; i < name->count; ++i) {
        const std::string path = name->path(i + 1);
        Result<Shard> shard = Shard::open(*files_, path);
        if (!shard && shard.error().kind == ErrorKind::NotFound)
            return Error{ErrorKind::NotFound,
                         {"Can't open %1", path},
                         {"It is missing: the model has %1 files", name->count},
                         kAllShards};
        if (!shard) return shard.error();
        const gguf::Header& header = shard->header;
        const uint64_t count = header.unsignedInteger("split.count").value_or(1);
        const std::optional<uint64_t> number = header.unsignedInteger("split.no");
        if (count != name->count || number != i)
            return wrongShard(
                path, number ? Sentence("It is file %1 of %2, and its name says something else", *number + 1, count)
                             : "It doesn't say which of the model's files it is");
        if (Status status = add(std::move(shard).value()); !status) return status;
    }
    const std::optional<uint64_t> tensors = header_.unsignedInteger("split.tensors.count");
    if (tensors && *tensors != header_.tensors.size())
        return wrongShard(
            path_, {"The files hold %1 tensors together, and the model has %2", header_.tensors.size(), *tensors});
    return {};
}

/// Makes the first file's header the model's; the other files add their tensors.
Status ModelFile::add(Shard shard) {
    size_ += shard.file->size();
    if (shards_.empty()) {
        header_ = std::move(shard.header);
        shards_.push_back(std::move(shard));
        return {};
    }
    for (gguf::Tensor& tensor : shard.header.tensors) {
        tensor.shard = static_cast<uint32_t>(shards_.size());
        if (!header_.tensorIndex.emplace(tensor.name, header_.tensors.size()).second)
            return wrongShard(shard.file->path(),
                              {"Its tensor '%1' is in an earlier file too", tensor.name.substr(0, 64)});
        header_.tensors.push_back(tensor);
    }
    shard.header = {};
    shards_.push_back(std::move(shard));
    return {};
}

Result<std::vector<std::unique_ptr<RandomAccessFile>>> ModelFile::openDirect() const {
    std::vector<std::unique_ptr<RandomAccessFile>> files;
    for (const Shard& shard : shards_) {
        auto opened = files_->openDirect(shard.file->path());
        if (!opened) return opened.error();
        if (opened.value()->size() != shard.file->size() || opened.value()->changedAt() != shard.file->changedAt())
            return Error{ErrorKind::Io,
                         {"Can't read %1", shard.file->path()},
                         "It was changed while it was being opened",
                         "Open the model again"};
        files.push_back(std::move(opened).value());
    }
    return files;
}

Status ModelFile::read(const gguf::Tensor& tensor, uint64_t offset, std::span<std::byte> out) const {
    if (offset > tensor.bytes || out.size() > tensor.bytes - offset || tensor.shard >= shards_.size())
        return Error{ErrorKind::Internal,
                     {"Can't read %1", path()},
                     {"Bytes beyond the end of the tensor %1 were asked for", tensor.name},
                     "Please report this"};
    return shards_[tensor.shard].file->readAt(tensor.offset + offset, out);
}

} // namespace coterie::engine
