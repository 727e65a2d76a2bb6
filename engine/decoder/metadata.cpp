// SPDX-License-Identifier: Apache-2.0
// See metadata.h.
#include "decoder/metadata.h"

#include <algorithm>
#include <cmath>

namespace coterie::engine {

std::string shortened(std::string_view text) {
    constexpr size_t most = 64; // what a line of an error can hold
    return text.size() <= most ? std::string(text) : std::string(text.substr(0, most)) + "...";
}

Error missingTensor(std::string_view name) {
    return {ErrorKind::BadInput, "The file is not a whole model", "The tensor '" + std::string(name) + "' is missing",
            "Get the file again from its source"};
}

void Metadata::keep(Error error) {
    if (!error_) error_ = std::move(error);
}

Error Metadata::wrongValue(std::string_view key, std::string why) const {
    return {ErrorKind::BadInput, "The key '" + prefix_ + std::string(key) + "' is wrong", std::move(why),
            "Get the file again from its source"};
}

void Metadata::unsupported(std::string_view key, std::string why) {
    keep({ErrorKind::Unsupported, "This program can't run this variant of the model",
          "The key '" + prefix_ + std::string(key) + "' asks for more: " + std::move(why),
          "Choose another file of this model"});
}

std::optional<uint64_t> Metadata::integer(const std::string& fullKey) const {
    if (const auto number = header_.unsignedInteger(fullKey)) return number;
    const auto list = header_.integers(fullKey);
    if (!list || list->empty() || list->front() < 0) return std::nullopt;
    const bool alike = std::all_of(list->begin(), list->end(), [&](int64_t value) { return value == list->front(); });
    return alike ? std::optional(static_cast<uint64_t>(list->front())) : std::nullopt;
}

int64_t Metadata::required(std::string_view key, int64_t least, int64_t most) {
    if (failed()) return least;
    if (!has(key)) {
        keep({ErrorKind::BadInput, "The file's metadata are not whole",
              "The key '" + prefix_ + std::string(key) + "' is missing", "Get the file again from its source"});
        return least;
    }
    const auto value = integer(prefix_ + std::string(key));
    if (value && *value >= static_cast<uint64_t>(least) && *value <= static_cast<uint64_t>(most))
        return static_cast<int64_t>(*value);
    const std::string range = "from " + std::to_string(least) + " to " + std::to_string(most);
    fail(key, value ? "it is " + std::to_string(*value) + ", and should be " + range
                    : "it should be one whole number " + range);
    return least;
}

int64_t Metadata::optional(std::string_view key, int64_t least, int64_t most, int64_t otherwise) {
    return has(key) ? required(key, least, most) : otherwise;
}

double Metadata::optionalNumber(std::string_view key, double least, double most, double otherwise) {
    if (failed() || !has(key)) return otherwise;
    const auto value = header_.number(prefix_ + std::string(key));
    if (value && *value >= least && *value <= most) return *value;
    fail(key, value ? "it is " + std::to_string(*value) + ", which can't be" : "it should be a number");
    return otherwise;
}

std::string Metadata::optionalText(std::string_view key, std::string_view otherwise) {
    if (failed() || !has(key)) return std::string(otherwise);
    if (const auto text = header_.string(prefix_ + std::string(key))) return std::string(*text);
    fail(key, "it should be text");
    return std::string(otherwise);
}

} // namespace coterie::engine
