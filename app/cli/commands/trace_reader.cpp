// SPDX-License-Identifier: Apache-2.0
// Reads traces from CSV and JSON: two parsers walk over a file, and one builder checks their values.
#include "cli/commands/trace_reader.h"

#include "base/files.h"
#include "cli/format.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace coterie::app {

using namespace engine;
using nlohmann::ordered_json;

namespace {

constexpr uint64_t kMaxCsvBytes = 1 << 30, kMaxJsonBytes = 256 << 20; // about 50,000 tokens of a large model

/// Position in the file, for errors.
struct Place {
    const std::string& path;
    const char* unit; ///< "line" or "token"
    size_t number;

    Error wrong(Sentence why) const {
        return {ErrorKind::BadInput,
                {"%1 is not a trace that can be replayed", path},
                {"In %1 %2: %3", unit, number, std::move(why)},
                "Record it again with the command trace"};
    }
};

/// Takes uses one by one, in the file's order, and builds visits and tokens from them.
class TraceBuilder {
  public:
    Status use(const Place& place, int64_t position, int layer, int expert) {
        if (position_ != position) {
            if (Status status = endToken(place); !status) return status;
            position_ = position;
            layer_ = layer;
        } else if (layer_ != layer) {
            if (Status status = endLayer(place); !status) return status;
            layer_ = layer;
        }
        experts_.push_back(expert);
        return {};
    }
    Result<RoutingTrace> finish(const Place& place) {
        if (Status status = endToken(place); !status) return status.error();
        return std::move(trace_);
    }

  private:
    Status endLayer(const Place& place) {
        if (tokens_ > 0 && (reached_ == layers_.size() || layers_[reached_] != layer_))
            return place.wrong(
                reached_ == layers_.size()
                    ? Sentence("Layer %1 is there, and the tokens before have no such layer", layer_)
                    : Sentence("Layer %1 is there, and layer %2 was expected", layer_, layers_[reached_]));
        if (tokens_ == 0) {
            if (!layers_.empty() && layer_ <= layers_.back())
                return place.wrong({"Layer %1 comes after layer %2", layer_, layers_.back()});
            layers_.push_back(layer_);
        }
        ++reached_;
        if (Status status = trace_.add(layer_, experts_); !status) return place.wrong(status.error().why);
        experts_.clear();
        return {};
    }
    Status endToken(const Place& place) {
        if (!position_) return {};
        if (Status status = endLayer(place); !status) return status;
        if (reached_ != layers_.size()) return place.wrong({"The token before it lacks layer %1", layers_[reached_]});
        ++tokens_;
        reached_ = 0;
        return {};
    }

    RoutingTrace trace_;
    std::vector<int> layers_; // layers of the first token; all others must have the same
    std::optional<int64_t> position_;
    int layer_ = 0;
    std::vector<int> experts_; // experts of the layer so far
    size_t reached_ = 0;       // number of layers_ that this token has visited
    uint64_t tokens_ = 0;      // number of complete tokens
};

/// Reads records of RFC 4180 as views of the text: quoted fields have no outer quotes, and doubled quotes stay doubled.
class CsvRecords {
  public:
    explicit CsvRecords(std::string_view text) : text_(text) {}

    size_t line() const { return line_; } ///< line in which the last record began
    /// Returns false at the end. `fields` is empty if a quote is misplaced.
    bool next(std::vector<std::string_view>& fields) {
        fields.clear();
        if (at_ >= text_.size()) return false;
        line_ = nextLine_;
        for (;;) {
            const std::optional<std::string_view> field = takeField();
            if (!field) return fields.clear(), at_ = text_.size(), true;
            fields.push_back(*field);
            if (at_ < text_.size() && text_[at_] == ',') {
                ++at_;
                continue;
            }
            endLine();
            return true;
        }
    }

  private:
    std::optional<std::string_view> takeField() {
        if (at_ >= text_.size() || text_[at_] != '"') {
            const size_t begin = at_;
            at_ = std::min(text_.find_first_of(",\r\n\"", at_), text_.size());
            if (at_ < text_.size() && text_[at_] == '"') return std::nullopt;
            return text_.substr(begin, at_ - begin);
        }
        const size_t begin = ++at_;
        for (; at_ < text_.size(); ++at_) {
            nextLine_ += text_[at_] == '\n';
            if (text_[at_] != '"') continue;
            if (at_ + 1 < text_.size() && text_[at_ + 1] == '"') {
                ++at_;
                continue;
            }
            const size_t length = at_++ - begin;
            if (at_ < text_.size() && std::string_view(",\r\n").find(text_[at_]) == std::string_view::npos)
                return std::nullopt;
            return text_.substr(begin, length);
        }
        return std::nullopt;
    }
    void endLine() {
        if (at_ < text_.size() && text_[at_] == '\r') ++at_;
        if (at_ < text_.size() && text_[at_] == '\n') ++at_;
        ++nextLine_;
    }

    std::string_view text_;
    size_t at_ = 0, line_ = 1, nextLine_ = 1;
};

template <typename Number>
bool readNumber(std::string_view text, Number& number) {
    const char* const end = text.data() + text.size();
    const auto [stop, fault] = std::from_chars(text.data(), end, number);
    return fault == std::errc() && stop == end && number >= 0;
}

constexpr std::array<std::string_view, 3> kNeededColumns{"position", "layer", "expert"};
using Columns = std::array<size_t, kNeededColumns.size()>;

Result<Columns> findColumns(const Place& place, const std::vector<std::string_view>& header) {
    Columns columns{};
    for (size_t i = 0; i < kNeededColumns.size(); ++i) {
        const auto found = std::find(header.begin(), header.end(), kNeededColumns[i]);
        if (found == header.end()) return place.wrong({"There is no column '%1'", kNeededColumns[i]});
        columns[i] = static_cast<size_t>(found - header.begin());
    }
    return columns;
}

Status addRecord(const Place& place, const std::vector<std::string_view>& fields, const Columns& columns,
                 TraceBuilder& builder) {
    int64_t position = 0;
    int layer = 0, expert = 0;
    if (!readNumber(fields[columns[0]], position)) return place.wrong("The position is not a number");
    if (!readNumber(fields[columns[1]], layer)) return place.wrong("The layer is not a number that a layer can have");
    if (!readNumber(fields[columns[2]], expert))
        return place.wrong("The expert is not a number that an expert can have");
    return builder.use(place, position, layer, expert);
}

Result<RoutingTrace> readCsv(const std::string& path) {
    const Result<std::string> text = readWholeFile(systemFiles(), path, kMaxCsvBytes);
    if (!text) return text.error();
    CsvRecords records(text.value());
    std::vector<std::string_view> fields;
    (void)records.next(fields);
    const size_t width = fields.size();
    const Result<Columns> columns = findColumns({path, "line", 1}, fields);
    if (!columns) return columns.error();
    TraceBuilder builder;
    while (records.next(fields)) {
        const Place place{path, "line", records.line()};
        if (fields.empty()) return place.wrong("A quote is out of place");
        if (fields.size() != width) return place.wrong({"There are %1 columns instead of %2", fields.size(), width});
        if (Status status = addRecord(place, fields, columns.value(), builder); !status) return status.error();
    }
    return builder.finish({path, "line", records.line()});
}

/// Returns the value of an object's key if it is an array, else null.
const ordered_json* arrayOf(const ordered_json& object, const char* key) {
    if (!object.is_object()) return nullptr;
    const auto found = object.find(key);
    return found != object.end() && found->is_array() ? &*found : nullptr;
}

std::optional<int> numberOf(const ordered_json& object, const char* key) {
    if (!object.is_object()) return std::nullopt;
    const auto found = object.find(key);
    if (found == object.end() || !found->is_number_unsigned()) return std::nullopt;
    const auto number = found->get<uint64_t>();
    if (number > static_cast<uint64_t>(std::numeric_limits<int>::max())) return std::nullopt;
    return static_cast<int>(number);
}

Status addToken(const Place& place, const ordered_json& token, TraceBuilder& builder) {
    const ordered_json* const layers = arrayOf(token, "layers");
    if (layers == nullptr) return place.wrong("It has no array 'layers'");
    for (const ordered_json& layer : *layers) {
        const std::optional<int> number = numberOf(layer, "layer");
        if (!number) return place.wrong("A layer has no 'layer' that is a number a layer can have");
        const ordered_json* const experts = arrayOf(layer, "experts");
        if (experts == nullptr) return place.wrong("A layer has no array 'experts'");
        for (const ordered_json& use : *experts) {
            const std::optional<int> expert = numberOf(use, "expert");
            if (!expert) return place.wrong("An expert has no 'expert' that is a number an expert can have");
            if (Status status = builder.use(place, static_cast<int64_t>(place.number), *number, *expert); !status)
                return status;
        }
    }
    return {};
}

Result<RoutingTrace> readJson(const std::string& path) {
    const Result<ordered_json> json = readJsonFile(path, kMaxJsonBytes);
    if (!json) return json.error();
    const ordered_json* const tokens = arrayOf(json.value(), "tokens");
    if (tokens == nullptr)
        return Error{ErrorKind::BadInput,
                     {"%1 is not a trace", path},
                     "It has no array 'tokens'",
                     "Record it with the command trace"};
    TraceBuilder builder;
    size_t number = 0;
    for (const ordered_json& token : *tokens)
        if (Status status = addToken({path, "token", number++}, token, builder); !status) return status.error();
    return builder.finish({path, "token", number});
}

} // namespace

Result<RoutingTrace> readTrace(const std::string& path) {
    if (path.ends_with(".csv")) return readCsv(path);
    if (path.ends_with(".json")) return readJson(path);
    return Error{ErrorKind::BadInput,
                 {"%1 can't be read as a trace", path},
                 "Its name does not say the format",
                 "Choose a file that ends in .csv or .json"};
}

} // namespace coterie::app
