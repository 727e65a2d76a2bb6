// SPDX-License-Identifier: Apache-2.0
// Opening: read a little, parse, read twice as much where that was too short.
#include "gguf/model_file.h"

#include <algorithm>

namespace coterie::engine {

namespace {

constexpr uint64_t firstRead = uint64_t{1} << 20; // a header with a vocabulary has 1 to 8 MiB
constexpr uint64_t maxHeaderBytes = uint64_t{256}
                                    << 20; // the largest vocabularies published (some 260,000 tokens) take 16 MiB

/// Says which file a parser's error is about.
Error about(const std::string& path, Error error) {
    error.what = "Can't open " + path;
    return error;
}

Error headerTooLong(const std::string& path) {
    return {ErrorKind::BadInput, "Can't open " + path,
            "Its header is longer than " + std::to_string(maxHeaderBytes >> 20) + " MiB, more than any model needs",
            "Choose another file"};
}

} // namespace

Result<std::unique_ptr<ModelFile>> ModelFile::open(FileSystem& files, const std::string& path) {
    auto opened = files.openForReading(path);
    if (!opened) return opened.error();
    std::unique_ptr<ModelFile> model(new ModelFile);
    model->file_ = std::move(opened).value();
    const uint64_t readable = std::min(model->size(), maxHeaderBytes);

    for (uint64_t wanted = firstRead;; wanted *= 2) {
        std::vector<std::byte>& bytes = model->headerBytes_;
        const size_t have = bytes.size();
        bytes.resize(static_cast<size_t>(std::min(wanted, readable)));
        if (Status read = model->file_->readAt(have, std::span(bytes).subspan(have)); !read) return read.error();
        auto header = gguf::parse(bytes, model->size());
        if (header) {
            model->keep(std::move(header).value());
            return model;
        }
        if (header.error().kind != ErrorKind::Truncated) return about(path, header.error());
        if (bytes.size() == readable) return headerTooLong(path);
    }
}

void ModelFile::keep(gguf::Header header) {
    const uint64_t needed = header.headerBytes;
    // What was read beyond the header would stay in memory for as long as the model.
    const bool wasteful = headerBytes_.size() > needed + needed / 4;
    if (wasteful) {
        std::vector<std::byte> exact(headerBytes_.begin(), headerBytes_.begin() + static_cast<std::ptrdiff_t>(needed));
        if (auto again = gguf::parse(exact, size())) {
            headerBytes_ = std::move(exact);
            header_ = std::move(again).value();
            return;
        }
    }
    header_ = std::move(header);
}

Status ModelFile::read(const gguf::Tensor& tensor, uint64_t offset, std::span<std::byte> out) const {
    if (offset > tensor.bytes || out.size() > tensor.bytes - offset)
        return Error{ErrorKind::Internal, "Can't read " + path(),
                     "Bytes beyond the end of the tensor " + std::string(tensor.name) + " were asked for",
                     "Please report this"};
    return file_->readAt(tensor.offset + offset, out);
}

} // namespace coterie::engine
