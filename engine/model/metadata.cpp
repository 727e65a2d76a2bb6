// SPDX-License-Identifier: Apache-2.0
// See metadata.h.
#include "model/metadata.h"

#include <algorithm>

namespace coterie::engine {

std::string shortened(std::string_view text) {
    constexpr size_t most = 64; // characters that fit into a line of an error
    return text.size() <= most ? std::string(text) : std::string(text.substr(0, most)) + "...";
}

Error missingTensor(std::string_view name) {
    return {ErrorKind::BadInput,
            "The file does not hold a whole model",
            {"The tensor '%1' is missing", name},
            "Get the file again from its source"};
}

void Metadata::keep(Error error) {
    if (!error_) error_ = std::move(error);
}

Error Metadata::wrongValue(std::string_view key, Sentence why) const {
    return {ErrorKind::BadInput,
            {"The key '%1' is wrong", prefix_ + std::string(key)},
            std::move(why),
            "Get the file again from its source"};
}

void Metadata::unsupported(std::string_view key, Sentence why) {
    keep({ErrorKind::Unsupported,
          "This program can't run this variant of the model",
          {"The key '%1' asks for something that is not in this program: %2", prefix_ + std::string(key),
           std::move(why)},
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
        keep({ErrorKind::BadInput,
              "The file's metadata are incomplete",
              {"The key '%1' is missing", prefix_ + std::string(key)},
              "Get the file again from its source"});
        return least;
    }
    const auto value = integer(prefix_ + std::string(key));
    if (value && *value >= static_cast<uint64_t>(least) && *value <= static_cast<uint64_t>(most))
        return static_cast<int64_t>(*value);
    fail(key, value ? Sentence("It is %1, and should be from %2 to %3", *value, least, most)
                    : Sentence("It should be one whole number from %1 to %2", least, most));
    return least;
}

int64_t Metadata::optional(std::string_view key, int64_t least, int64_t most, int64_t otherwise) {
    return has(key) ? required(key, least, most) : otherwise;
}

std::vector<int64_t> Metadata::requiredList(std::string_view key, int64_t least, int64_t most, int64_t count) {
    const auto list = header_.integers(prefix_ + std::string(key));
    if (failed() || !list || list->empty())
        return std::vector<int64_t>(static_cast<size_t>(count), required(key, least, most));
    if (static_cast<int64_t>(list->size()) != count)
        fail(key, {"It has %1 numbers, and the model has %2 layers", list->size(), count});
    for (const int64_t number : *list)
        if (number < least || number > most) fail(key, {"It has %1, and should be from %2 to %3", number, least, most});
    return failed() ? std::vector<int64_t>(static_cast<size_t>(count), least) : *list;
}

std::vector<bool> Metadata::requiredFlags(std::string_view key, int64_t count) {
    const std::optional<std::vector<bool>> list = header_.booleans(prefix_ + std::string(key));
    if (!failed() && (!list || static_cast<int64_t>(list->size()) != count))
        fail(key, {"It should be a list of true and false for each of the model's %1 layers", count});
    return failed() ? std::vector<bool>(static_cast<size_t>(count)) : *list;
}

double Metadata::optionalNumber(std::string_view key, double least, double most, double otherwise) {
    if (failed() || !has(key)) return otherwise;
    const auto value = header_.number(prefix_ + std::string(key));
    if (value && *value >= least && *value <= most) return *value;
    fail(key, value ? Sentence("It is %1, which can't be right", *value) : "It should be a number");
    return otherwise;
}

bool Metadata::optionalFlag(std::string_view key, bool otherwise) {
    if (failed() || !has(key)) return otherwise;
    if (const auto flag = header_.boolean(prefix_ + std::string(key))) return *flag;
    fail(key, "It should be true or false");
    return otherwise;
}

std::string Metadata::optionalText(std::string_view key, std::string_view otherwise) {
    if (failed() || !has(key)) return std::string(otherwise);
    if (const auto text = header_.string(prefix_ + std::string(key))) return std::string(*text);
    fail(key, "It should be text");
    return std::string(otherwise);
}

} // namespace coterie::engine
