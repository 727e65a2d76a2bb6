// SPDX-License-Identifier: Apache-2.0
// Reads a family's keys ("llama.block_count") and checks their ranges. The first error is kept. Inside decoder/ only.
#pragma once

#include "base/result.h"
#include "gguf/gguf.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coterie::engine {

/// Text from a file, cut to a length that fits into a message.
std::string shortened(std::string_view text);
Error missingTensor(std::string_view name);

/// Keys are named without the architecture's prefix. After a failure every read returns a harmless value.
class Metadata {
  public:
    Metadata(const gguf::Header& header, std::string_view architecture)
        : header_(header), prefix_(std::string(architecture) + ".") {}

    bool has(std::string_view key) const { return header_.find(prefix_ + std::string(key)) != nullptr; }
    /// An array with one number per layer is accepted if all numbers are equal.
    int64_t required(std::string_view key, int64_t least, int64_t most);
    int64_t optional(std::string_view key, int64_t least, int64_t most, int64_t otherwise);
    /// The list's numbers, of which there must be `count`. One number stands for so many of it.
    std::vector<int64_t> requiredList(std::string_view key, int64_t least, int64_t most, int64_t count);
    /// The same for a list of flags, which may not be left out.
    std::vector<bool> requiredFlags(std::string_view key, int64_t count);
    double optionalNumber(std::string_view key, double least, double most, double otherwise);
    bool optionalFlag(std::string_view key, bool otherwise);
    /// The numbers of a list; nothing if the key is missing or holds no list of whole numbers.
    std::optional<std::vector<int64_t>> numbers(std::string_view key) const {
        return header_.integers(prefix_ + std::string(key));
    }
    std::string optionalText(std::string_view key, std::string_view otherwise);

    void fail(std::string_view key, Sentence why) { keep(wrongValue(key, std::move(why))); }
    void unsupported(std::string_view key, Sentence why);
    /// Keeps an error of the call, not of the file.
    void refuse(Error error) { keep(std::move(error)); }
    Error wrongValue(std::string_view key, Sentence why) const;
    bool failed() const { return error_.has_value(); }
    const Error& error() const { return *error_; }

  private:
    void keep(Error error);
    std::optional<uint64_t> integer(const std::string& fullKey) const;

    const gguf::Header& header_;
    std::string prefix_;
    std::optional<Error> error_;
};

} // namespace coterie::engine
