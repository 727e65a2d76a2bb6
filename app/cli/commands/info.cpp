// SPDX-License-Identifier: Apache-2.0
// info: shows the contents of a model file, the memory that it needs, and what won't work.
#include "cli/commands/chunk_text.h"
#include "cli/commands/commands.h"
#include "cli/console.h"
#include "cli/format.h"

#include <nlohmann/json.hpp>

namespace coterie::app {

using namespace engine;
using nlohmann::ordered_json;

namespace {

void describe(CLI::App& command, CommonOptions& options) { addModelOptions(command, options); }

/// Returns null if the model can't run, because then there is no plan.
ordered_json memoryJson(const MemoryPlan& plan) {
    if (plan.context == 0) return nullptr;
    return {{"context", plan.context},
            {"total", plan.total()},
            {"budget", plan.budget},
            {"resident", plan.resident},
            {"head_sketch", plan.headSketch},
            {"key_value", plan.keyValue},
            {"key_value_format", traits(plan.keyValueFormat).name},
            {"state", plan.state},
            {"state_each", plan.stateEach},
            {"state_copies", plan.stateCopies},
            {"scratch", plan.scratch},
            {"chunk", plan.chunk},
            {"long_chunk", plan.longChunk},
            {"long_chunk_slots", plan.longSlots},
            {"long_chunk_scratch", plan.longScratch},
            {"chunk_reads_per_token", plan.chunkReads},
            {"long_chunk_reads_per_token", plan.longReads},
            {"embedding_rows", plan.embeddingRows},
            {"cached_rows", plan.cachedRows},
            {"row_table", plan.rowTable},
            {"row_read", plan.rowRead},
            {"program", plan.program},
            {"slot_bytes", plan.meanSlotBytes()},
            {"large_slot_bytes", plan.slotBytes},
            {"small_slots", plan.smallSlots()},
            {"small_slot_bytes", plan.smallSlots() == 0 ? 0 : plan.smallSlotBytes},
            {"slots", plan.slots},
            {"own_slots", plan.ownSlots},
            {"own_slot_bytes", plan.ownSlotBytes},
            {"minimum_slots", plan.minimumSlots},
            {"comfortable_slots", plan.comfortableSlots},
            {"minimum_total", plan.minimumTotal},
            {"comfortable_total", plan.comfortableTotal},
            {"total_experts", plan.totalExperts},
            {"embedding_kept", plan.embeddingKept}};
}

ordered_json predictorJson(const HeadPredictor& predictor) {
    using enum HeadPredictor::Kind;
    if (predictor.kind == None) return nullptr;
    if (predictor.kind == FromFile) return {{"kind", "file"}, {"rank", predictor.rank}};
    const HeadAgreement& m = predictor.measured;
    const auto judged = [&m](double value) { return m.validation > 0 ? ordered_json(value) : ordered_json(nullptr); };
    return {{"kind", "derived"},
            {"states", m.calibration + m.validation},
            {"states_needed", HeadAgreement::kCalibrationStates + HeadAgreement::kValidationStates},
            {"agreement", judged(m.agreement())},
            {"rows", judged(m.rowShare())},
            {"used", m.good()}};
}

ordered_json diskJson(const std::optional<DiskProfile>& disk) {
    if (!disk) return nullptr;
    return {{"reads_in_flight", disk->readDepth},
            {"bytes_per_second", disk->bytesPerSecond},
            {"latency_s", disk->latencySeconds}};
}

std::vector<std::string> notesOf(const ModelInfo& info) {
    std::vector<std::string> lines;
    for (const engine::Sentence& note : info.notes) lines.push_back(note.english());
    return lines;
}

std::vector<std::string> problemsOf(const ModelInfo& info) {
    std::vector<std::string> lines;
    for (const engine::Error& problem : info.problems) lines.push_back(problem.line());
    return lines;
}

struct TurnsWords {
    const char *name, *text;
};

TurnsWords wordsOf(Turns turns) {
    constexpr TurnsWords words[] = {{"template", "by the file's chat template"},
                                    {"chatml", "by ChatML"},
                                    {"plain", "none: the model continues a text"}}; // by Turns
    return words[static_cast<size_t>(turns)];
}

ordered_json infoJson(const ModelInfo& info) {
    return {{"path", info.path},
            {"name", info.name},
            {"architecture", info.architecture},
            {"flavour", info.flavour},
            {"quantisation", info.quantisation},
            {"licence", info.licence},
            {"file_bytes", info.fileBytes},
            {"parts", info.shards},
            {"parameters", info.parameters},
            {"layers", info.layers},
            {"recurrent_layers", info.recurrentLayers},
            {"width", info.width},
            {"heads", info.heads},
            {"kv_heads", info.kvHeads},
            {"head_dim", info.headDim},
            {"feed_forward", info.feedForward},
            {"experts", info.experts},
            {"experts_per_token", info.expertsPerToken},
            {"vocabulary", info.vocabulary},
            {"trained_context", info.trainedContext},
            {"sliding_window", info.slidingWindow},
            {"turns", wordsOf(info.turns).name},
            {"head_predictor", predictorJson(info.headPredictor)},
            {"disk", diskJson(info.disk)},
            {"memory", memoryJson(info.memory)},
            {"notes", notesOf(info)},
            {"problems", problemsOf(info)}};
}

std::string row(const std::string& label, const std::string& value) {
    if (value.empty()) return {};
    constexpr size_t kColumn = 16;
    return label + std::string(label.size() < kColumn ? kColumn - label.size() : 1, ' ') + value + "\n";
}

std::string parametersText(uint64_t count) {
    const double n = static_cast<double>(count);
    if (n >= 1e9) return numberText(n / 1e9, 2) + " billion";
    if (n >= 1e6) return numberText(n / 1e6, 1) + " million";
    return std::to_string(count);
}

std::string predictorText(const HeadPredictor& predictor) {
    using enum HeadPredictor::Kind;
    if (predictor.kind == None) return "none";
    if (predictor.kind == FromFile) return "from the file, of rank " + std::to_string(predictor.rank);
    const HeadAgreement& m = predictor.measured;
    const int64_t states = m.calibration + m.validation;
    constexpr int64_t kNeeded = HeadAgreement::kCalibrationStates + HeadAgreement::kValidationStates;
    if (states == 0) return "none yet (made when the model is opened, measured while it answers)";
    if (!m.settled())
        return "derived, not used yet: measured on " + std::to_string(states) + " of " + std::to_string(kNeeded) +
               " states";
    return "derived, " + std::string(m.good() ? "" : "not used: ") + "agrees in " + numberText(100 * m.agreement(), 2) +
           " % of " + std::to_string(m.validation) + " states, computes " + numberText(100 * m.rowShare(), 1) +
           " % of the rows";
}

std::string diskText(const std::optional<DiskProfile>& disk) {
    if (!disk) return "not measured yet (done when a model first doesn't fit into its budget)";
    return numberText(disk->bytesPerSecond / 1e9, 2) + " GB/s with " + std::to_string(disk->readDepth) +
           (disk->readDepth == 1 ? " read" : " reads") + " in flight, " + numberText(disk->latencySeconds * 1e3, 2) +
           " ms for one of " + bytesText(kStreamedPiece);
}

/// "at least 350 MiB (4 slots), comfortable with 890 MiB (256 slots)"; for a dense model: "at least 350 MiB (2 layers
/// at a time), comfortable with 890 MiB (all layers)".
std::string neededText(const MemoryPlan& plan, bool dense) {
    const auto slotsText = [&plan, dense](uint64_t slots) {
        if (!dense) return std::to_string(slots) + " slots";
        return slots == plan.totalExperts ? std::string("all layers") : std::to_string(slots) + " layers at a time";
    };
    const auto needed = [&slotsText](uint64_t bytes, uint64_t slots) {
        return bytesText(bytes) + " (" + slotsText(slots) + ")";
    };
    return "at least " + needed(plan.minimumTotal, plan.minimumSlots) + ", comfortable with " +
           needed(plan.comfortableTotal, plan.comfortableSlots);
}

/// Returns how many of the slots belong to dense layers beside layers with experts, and the bytes of these.
std::string ownSlotsText(const MemoryPlan& plan) {
    if (plan.ownSlots == 0) return {};
    return ", " + std::to_string(plan.ownSlots) + " of them for " +
           (plan.ownSlots == 1 ? "a dense layer" : "dense layers") + " (" + bytesText(plan.ownSlotBytes) + ")";
}

/// Returns how many of the slots that experts share are small, and the two sizes.
std::string twoSizesText(const MemoryPlan& plan) {
    if (plan.smallSlots() == 0) return {};
    return ", " + std::to_string(plan.smallSlots()) + " small ones (" + bytesText(plan.smallSlotBytes) +
           " in place of " + bytesText(plan.slotBytes) + ")";
}

/// Returns the row about slots. If all layers of a dense model fit, they are simply weights.
std::string slotsRow(const MemoryPlan& plan, bool dense) {
    const std::string counts = std::to_string(plan.slots) + " of " + std::to_string(plan.totalExperts);
    if (!dense)
        return row("  experts",
                   bytesText(plan.slotArena()) + ": slots for " + counts + ownSlotsText(plan) + twoSizesText(plan));
    if (plan.slots == plan.totalExperts) return {};
    return row("  layers", bytesText(plan.slotArena()) + ": " + counts + " in memory at a time");
}

/// Returns the row about the states of recurrent layers, which have one size whatever the context.
std::string stateRow(const MemoryPlan& plan) {
    if (plan.stateEach == 0) return {};
    return row("  states", bytesText(plan.state) + ": " + bytesText(plan.stateEach) +
                               " for a conversation, once more " + "while it is computed, and " +
                               std::to_string(plan.stateCopies) + (plan.stateCopies == 1 ? " copy" : " copies") +
                               " to go back to");
}

/// Returns the row about embeddings by layer, whose table stays on disk.
std::string embeddingRowsRow(const MemoryPlan& plan) {
    if (plan.rowTable == 0) return {};
    return row("  rows by layer", bytesText(plan.embeddingRows) + ": those of a prompt's step, and " +
                                      std::to_string(plan.cachedRows) +
                                      " that were used last; the others stay on disk (" + bytesText(plan.rowTable) +
                                      "), of which a token reads at most " + bytesText(plan.rowRead));
}

std::string memoryText(const MemoryPlan& plan, bool dense) {
    if (plan.context == 0) return {};
    const bool allWeights = dense && plan.slots == plan.totalExperts;
    std::string text = "\nmemory at a context of " + std::to_string(plan.context) + " tokens\n";
    text += row("  resident", bytesText(plan.resident + (allWeights ? plan.slotArena() : 0)) +
                                  (plan.embeddingKept ? "" : " (embedding rows are read when needed)"));
    text += row("  KV cache", bytesText(plan.keyValue) + " (" + traits(plan.keyValueFormat).name + ")");
    text += stateRow(plan);
    text += embeddingRowsRow(plan);
    text += row("  working space", bytesText(plan.scratch));
    text += row("  program", bytesText(plan.program));
    text += slotsRow(plan, dense);
    text += row("  prompts", std::to_string(plan.longChunk) + " tokens at a time: " + chunkReason(plan));
    text += row("  together", bytesText(plan.total()));
    text += row("  budget", bytesText(plan.budget));
    return text + row("  needs", neededText(plan, dense));
}

std::string listText(const char* heading, const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += "  " + line + "\n";
    return text.empty() ? text : "\n" + std::string(heading) + "\n" + text;
}

std::string layersText(const ModelInfo& info) {
    if (info.layers <= 0) return {};
    const std::string all = std::to_string(info.layers);
    if (info.recurrentLayers == 0) return all;
    return all + ", of which " + std::to_string(info.recurrentLayers) + " need no more memory for a longer chat";
}

std::string infoText(const ModelInfo& info) {
    const auto number = [](int64_t n) { return n > 0 ? std::to_string(n) : std::string(); };
    std::string text = row("file", info.path) +
                       row("size", bytesText(info.fileBytes) +
                                       (info.shards > 1 ? " in " + std::to_string(info.shards) + " files" : "")) +
                       row("name", info.name);
    text += row("architecture", info.architecture + (info.flavour.empty() ? "" : " (" + info.flavour + ")"));
    text += row("parameters", parametersText(info.parameters)) + row("quantisation", info.quantisation);
    text += row("licence", info.licence) + row("layers", layersText(info)) + row("width", number(info.width));
    text += row("heads",
                number(info.heads) + (info.kvHeads > 0 ? ", " + number(info.kvHeads) + " of keys and values" : ""));
    if (info.experts > 0)
        text += row("experts", number(info.experts) + " a layer, " + number(info.expertsPerToken) +
                                   " for each token, of width " + number(info.feedForward));
    text += row("vocabulary", number(info.vocabulary)) + row("context", number(info.trainedContext));
    text += row("sliding window", number(info.slidingWindow));
    text += row("turns", wordsOf(info.turns).text);
    text += row("head predictor", predictorText(info.headPredictor));
    text += row("disk", diskText(info.disk));
    return text + memoryText(info.memory, info.experts == 0) + listText("notes", notesOf(info)) +
           listText("won't work", problemsOf(info));
}

Status run(CommonOptions& options) {
    const Result<ModelInfo> info = inspectModel(options.open);
    if (!info) return info.error();
    // The text is for people, who read it through a pager as well: it is clean in a pipe, too. JSON has the bytes.
    return writeOut(options.json ? jsonText(infoJson(info.value())) : withoutControls(infoText(info.value())));
}

} // namespace

void addInfo(CLI::App& app, Command& chosen) {
    addCommand<CommonOptions>(app, chosen, "info", "What a model file holds, needs, and what won't work", describe,
                              run);
}

} // namespace coterie::app
