// SPDX-License-Identifier: Apache-2.0
// Opening reads a little and parses it, and reads twice as much if that was too short. Then it opens the other files of
// a split model.
#include "gguf/model_file.h"

#include <algorithm>
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

constexpr char kAllParts[] = "Put all parts of the model into one folder, with the names that they came with";

Error wrongPart(const std::string& path, Sentence why) {
    return {ErrorKind::BadInput, {"Can't open %1", path}, std::move(why), kAllParts};
}

/// "prefix-00002-of-00003.gguf": number 2 of 3.
struct PartName {
    std::string prefix;
    uint64_t number = 0, count = 0;

    static std::optional<PartName> of(const std::string& path);
    std::string path(uint64_t part) const { return prefix + "-" + digits(part) + "-of-" + digits(count) + ".gguf"; }

  private:
    static std::string digits(uint64_t n) {
        const std::string text = std::to_string(n);
        return std::string(text.size() < 5 ? 5 - text.size() : 0, '0') + text;
    }
};

std::optional<PartName> PartName::of(const std::string& path) {
    constexpr size_t length = std::string_view("-00001-of-00002.gguf").size();
    if (path.size() < length) return std::nullopt;
    PartName name{path.substr(0, path.size() - length)};
    const std::string_view end = std::string_view(path).substr(name.prefix.size());
    const auto number = [end](size_t at) -> uint64_t {
        uint64_t value = 0;
        for (const char c : end.substr(at, 5)) {
            if (c < '0' || c > '9') return 0;
            value = value * 10 + static_cast<uint64_t>(c - '0');
        }
        return value;
    };
    name.number = number(1);
    name.count = number(10);
    const bool whole = name.number >= 1 && name.number <= name.count && path == name.path(name.number);
    return whole ? std::optional(name) : std::nullopt;
}

} // namespace

Result<ModelFile::Part> ModelFile::Part::open(FileSystem& files, const std::string& path) {
    auto opened = files.openForReading(path);
    if (!opened) return opened.error();
    Part part;
    part.file = std::move(opened).value();
    const uint64_t readable = std::min(part.file->size(), kMaxHeaderBytes);

    for (uint64_t wanted = kFirstRead;; wanted *= 2) {
        std::vector<std::byte>& bytes = part.headerBytes;
        const size_t have = bytes.size();
        bytes.resize(static_cast<size_t>(std::min(wanted, readable)));
        if (Status read = part.file->readAt(have, std::span(bytes).subspan(have)); !read) return read.error();
        auto parsed = gguf::parse(bytes, part.file->size());
        if (parsed) {
            part.keep(std::move(parsed).value());
            return part;
        }
        if (parsed.error().kind != ErrorKind::Truncated) return about(path, parsed.error());
        if (bytes.size() == readable) return headerTooLong(path);
    }
}

void ModelFile::Part::keep(gguf::Header parsed) {
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
    Result<Part> part = Part::open(files, path);
    if (!part) return part.error();
    const uint64_t count = part->header.unsignedInteger("split.count").value_or(1);
    if (count <= 1) {
        if (Status status = model->add(std::move(part).value()); !status) return status.error();
        return model;
    }
    if (Status status = model->openParts(); !status) return status.error();
    return model;
}

Status ModelFile::openParts() {
    const std::optional<PartName> name = PartName::of(path_);
    if (!name) return wrongPart(path_, "It is a part of a model in several files, and its name doesn't say which one");
    for (uint64_t i = 0; i < name->count; ++i) {
        const std::string path = name->path(i + 1);
        Result<Part> part = Part::open(*files_, path);
        if (!part && part.error().kind == ErrorKind::NotFound)
            return Error{ErrorKind::NotFound,
                         {"Can't open %1", path},
                         {"It is missing: the model has %1 parts", name->count},
                         kAllParts};
        if (!part) return part.error();
        const gguf::Header& header = part->header;
        const uint64_t count = header.unsignedInteger("split.count").value_or(1);
        const std::optional<uint64_t> number = header.unsignedInteger("split.no");
        if (count != name->count || number != i)
            return wrongPart(
                path, number ? Sentence("It holds part %1 of %2, and its name says something else", *number + 1, count)
                             : "It doesn't say which part it holds");
        if (Status status = add(std::move(part).value()); !status) return status;
    }
    const std::optional<uint64_t> tensors = header_.unsignedInteger("split.tensors.count");
    if (tensors && *tensors != header_.tensors.size())
        return wrongPart(
            path_, {"The parts hold %1 tensors together, and the model has %2", header_.tensors.size(), *tensors});
    return {};
}

/// Makes the first file's header the model's; the other files add their tensors.
Status ModelFile::add(Part part) {
    size_ += part.file->size();
    if (parts_.empty()) {
        header_ = std::move(part.header);
        parts_.push_back(std::move(part));
        return {};
    }
    for (gguf::Tensor& tensor : part.header.tensors) {
        tensor.part = static_cast<uint32_t>(parts_.size());
        if (!header_.tensorIndex.emplace(tensor.name, header_.tensors.size()).second)
            return wrongPart(part.file->path(),
                             {"Its tensor '%1' is in an earlier part too", tensor.name.substr(0, 64)});
        header_.tensors.push_back(tensor);
    }
    part.header = {};
    parts_.push_back(std::move(part));
    return {};
}

Result<std::vector<std::unique_ptr<RandomAccessFile>>> ModelFile::openDirect() const {
    std::vector<std::unique_ptr<RandomAccessFile>> files;
    for (const Part& part : parts_) {
        auto opened = files_->openDirect(part.file->path());
        if (!opened) return opened.error();
        if (opened.value()->size() != part.file->size() || opened.value()->changedAt() != part.file->changedAt())
            return Error{ErrorKind::Io,
                         {"Can't read %1", part.file->path()},
                         "It was changed while it was being opened",
                         "Open the model again"};
        files.push_back(std::move(opened).value());
    }
    return files;
}

Status ModelFile::read(const gguf::Tensor& tensor, uint64_t offset, std::span<std::byte> out) const {
    if (offset > tensor.bytes || out.size() > tensor.bytes - offset || tensor.part >= parts_.size())
        return Error{ErrorKind::Internal,
                     {"Can't read %1", path()},
                     {"Bytes beyond the end of the tensor %1 were asked for", tensor.name},
                     "Please report this"};
    return parts_[tensor.part].file->readAt(tensor.offset + offset, out);
}

} // namespace coterie::engine
