// SPDX-License-Identifier: Apache-2.0
// pack: writes, checks, removes and lists packed files. A packed file has a model's experts once more, each in one
// piece in the layout of memory, so that an expert takes a single read.
#include "session/packed_files.h"

#include "cli/commands/commands.h"
#include "cli/console.h"
#include "cli/format.h"
#include "cli/interrupt.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <vector>

namespace coterie::app {

using namespace engine;
using nlohmann::ordered_json;

namespace {

struct PackOptions {
    CommonOptions common;
    bool remove = false, check = false, list = false, removeUnused = false;
};

void describe(CLI::App& command, PackOptions& options) {
    addModelOptions(command, options.common)->required(false);
    const std::vector<CLI::Option*> instead{
        command.add_flag("--remove", options.remove, "Remove the packed file instead"),
        command.add_flag("--check", options.check, "Compare the packed file with the model instead, to the last byte"),
        command.add_flag("--list", options.list, "Show all packed files instead; needs no MODEL"),
        command.add_flag("--remove-unused", options.removeUnused,
                         "Remove what --list shows as stale, gone or damaged instead; needs no MODEL")};
    for (size_t i = 0; i < instead.size(); ++i)
        for (size_t j = 0; j < i; ++j) instead[i]->excludes(instead[j]);
    command.footer(
        "A packed file is known by where its model was: of one that was moved since, name the MODEL, and its "
        "packed file is current");
}

/// Shows progress in a line on stderr if that is a terminal. Returns false after Ctrl-C.
class ProgressLine {
  public:
    explicit ProgressLine(const char* verb) : verb_(verb) {}
    ~ProgressLine() {
        if (shown_ >= 0) writeError("\n");
    }
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    bool operator()(uint64_t done, uint64_t total) {
        const int percent =
            total > 0 ? static_cast<int>(100.0 * static_cast<double>(done) / static_cast<double>(total)) : 100;
        if (terminal_ && percent != shown_)
            rewriteErrorLine(std::string(verb_) + ": " + std::to_string(percent) + " % of " + bytesText(total) + "  ");
        if (terminal_) shown_ = percent;
        return interrupts() == 0;
    }

  private:
    const char* verb_;
    const bool terminal_ = errorIsTerminal();
    int shown_ = -1;
};

Status report(const PackedFileStatus& packed, bool json) {
    if (json)
        return writeOut(
            jsonText(ordered_json{{"path", packed.path}, {"bytes", packed.bytes}, {"needed", packed.needed}}));
    return writeOut(packed.path + "\n" + bytesText(packed.bytes) + "\n");
}

Status reportFreed(const Result<uint64_t>& freed, bool json) {
    if (!freed) return freed.error();
    if (json) return writeOut(jsonText(ordered_json{{"freed", freed.value()}}));
    return writeOut(freed.value() > 0 ? bytesText(freed.value()) + " freed\n" : "there was nothing to remove\n");
}

const char* stateName(PackedFileEntry::State state) {
    constexpr const char* names[] = {"current", "stale", "gone", "damaged", "unknown"}; // by PackedFileEntry::State
    return names[static_cast<size_t>(state)];
}

/// Returns the text that --list prints.
std::string listText(const std::vector<PackedFileEntry>& files) {
    constexpr size_t kSize = 12, kState = 9;
    uint64_t all = 0, unused = 0;
    std::string text;
    for (const PackedFileEntry& file : files) {
        all += file.bytes;
        unused += file.unused() ? file.bytes : 0;
        std::string size = bytesText(file.bytes), state = stateName(file.state);
        size.resize(std::max(size.size() + 1, kSize), ' ');
        state.resize(kState, ' ');
        text += size + state + (file.model.empty() ? file.path : file.model) + "\n";
    }
    if (text.empty()) return "no model is packed\n";
    text += bytesText(all) + " in all";
    return text + (unused > 0 ? ", " + bytesText(unused) + " unused: --remove-unused frees them\n" : "\n");
}

Status listAll(const PackOptions& options) {
    const Result<std::vector<PackedFileEntry>> files = listPacked(options.common.open);
    if (!files) return files.error();
    if (!options.common.json) return writeOut(listText(files.value()));
    ordered_json each = ordered_json::array();
    for (const PackedFileEntry& file : files.value())
        each.push_back({{"path", file.path},
                        {"model", file.model.empty() ? ordered_json(nullptr) : ordered_json(file.model)},
                        {"bytes", file.bytes},
                        {"state", stateName(file.state)},
                        {"unused", file.unused()}});
    return writeOut(jsonText(ordered_json{{"files", std::move(each)}}));
}

Status run(PackOptions& options) {
    const OpenOptions& open = options.common.open;
    if (options.list) return listAll(options);
    if (options.removeUnused) return reportFreed(removeUnusedPacked(open), options.common.json);
    if (open.path.empty())
        return Error{ErrorKind::BadInput, "The call is wrong", "MODEL is required", "See coterie-cli pack --help"};
    if (options.remove) return reportFreed(removePacked(open), options.common.json);
    const Result<PackedFileStatus> packed = [&] {
        ProgressLine line(options.check ? "checking" : "packing");
        const PackProgress progress = [&line](uint64_t done, uint64_t total) { return line(done, total); };
        return options.check ? checkPacked(open, progress) : packModel(open, progress);
    }();
    if (!packed && packed.error().kind == ErrorKind::Cancelled) return stoppedError();
    return packed ? report(packed.value(), options.common.json) : packed.error();
}

} // namespace

void addPack(CLI::App& app, Command& chosen) {
    addCommand<PackOptions>(app, chosen, "pack", "A model's experts in a file of their own, for faster reading",
                            describe, run);
}

} // namespace coterie::app
