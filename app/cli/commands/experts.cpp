// SPDX-License-Identifier: Apache-2.0
// experts: reads texts of several domains and writes, for each, how often the model used each expert, and how the
// domains differ. Nothing is generated. experts_report.h lists the files.
#include "base/files.h"
#include "base/memory.h"
#include "base/power/energy.h"
#include "cli/commands/commands.h"
#include "cli/commands/experts_report.h"
#include "cli/console.h"
#include "cli/format.h"
#include "cli/interrupt.h"
#include "prompt/utf8.h"
#include "records/trace_log.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace coterie::app {

using namespace engine;
using nlohmann::ordered_json;

namespace {

constexpr int64_t kUsualTokens = 512, kMostTokens = 1 << 20;
constexpr uint64_t kLargestText = 8 << 20; // a text may be a book

struct ExpertsOptions {
    CommonOptions common;
    std::string textsFolder, outFolder;
    int64_t tokens = kUsualTokens;
    bool resources = false;
};

struct DomainText {
    std::string name, path, text;
};

/// A file that the command writes at its end.
struct OutFile {
    std::string name, bytes;
};

void describe(CLI::App& command, ExpertsOptions& options) {
    addModelOptions(command, options.common);
    command.add_option("--texts", options.textsFolder, "A folder of UTF-8 texts: each file is a domain")
        ->type_name("FOLDER")
        ->required();
    command.add_option("--out", options.outFolder, "Folder for pictures (PNG) and tables (CSV)")
        ->type_name("FOLDER")
        ->required();
    addNumber(command, "--tokens", options.tokens, int64_t{1}, kMostTokens, "Read at most so many tokens of each text")
        ->capture_default_str();
    command.add_flag("--resources", options.resources,
                     "Also utilisation, balance, time, memory, reads and, where the machine tells, energy");
}

Error badText(const std::string& path, Sentence why, Sentence action) {
    return {ErrorKind::BadInput, {"%1 can't be used", path}, std::move(why), std::move(action)};
}

bool isUtf8(std::string_view text) {
    for (size_t at = 0; at < text.size();) {
        const Utf8Step step = utf8Step(text, at);
        if (step.kind != Utf8Step::Character) return false;
        at += step.length;
    }
    return true;
}

/// ASCII letters become small: on some systems names that differ only there are one file.
std::string folded(std::string name) {
    for (char& c : name)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return name;
}

/// Reads the texts, sorted by their names. Files whose name begins with a point are left out: systems keep their own
/// notes in those.
Result<std::vector<DomainText>> readTexts(const std::string& folder) {
    const Result<std::vector<FolderEntry>> entries = systemFiles().listFiles(folder);
    if (!entries) return entries.error();
    std::vector<DomainText> texts;
    for (const FolderEntry& entry : entries.value()) {
        if (entry.name.starts_with('.')) continue;
        const std::string path = joinPath(folder, entry.name);
        Result<std::string> text = readWholeFile(systemFiles(), path, kLargestText);
        if (!text) return text.error();
        if (text->empty()) return badText(path, "The file is empty", "Write a text into it, or remove it");
        if (!isUtf8(text.value())) return badText(path, "It is no UTF-8 text", "Save it as UTF-8, or remove it");
        const std::string name = fileStem(path);
        for (const DomainText& other : texts)
            if (folded(other.name) == folded(name))
                return badText(path, {"%1 has the same name without its ending", other.path}, "Rename one of them");
        texts.push_back({.name = name, .path = path, .text = std::move(text).value()});
    }
    if (texts.empty())
        return badText(folder, "There is no such folder, or it has no files",
                       "Put a text of each domain into a folder, and name that folder");
    return texts;
}

Status checkFolders(const ExpertsOptions& options) {
    if (absolutePath(options.textsFolder) != absolutePath(options.outFolder)) return {};
    return badText(options.outFolder, "The next run would take what is written there for texts",
                   "Choose another folder for --out");
}

Status checkModel(const ModelInfo& info) {
    const bool routes = std::any_of(info.expertsOfLayer.begin(), info.expertsOfLayer.end(),
                                    [](int64_t experts) { return experts > 1; });
    if (routes) return {};
    return Error{ErrorKind::BadInput,
                 {"Nothing can be shown about the experts of %1", info.path},
                 "It is a dense model, so it has no experts",
                 "Choose a Mixture-of-Experts model"};
}

/// Lets the model read the text's first tokens.
Result<Domain> readDomain(Session& session, const DomainText& text, int64_t most) {
    GenerateOptions generate;
    generate.maxTokens = 0;
    generate.reuseCache = false; // a text must not begin where another one did
    Result<std::vector<TokenId>> tokens = session.textTokens(text.text, generate);
    if (!tokens) return tokens.error();
    if (tokens->empty()) return badText(text.path, "The model sees no token in it", "Write more text into it");
    tokens->resize(std::min(tokens->size(), static_cast<size_t>(most)));
    const TraceShape shape = traceShape(session.info());
    const Result<std::unique_ptr<TraceLog>> log = TraceLog::create(shape, static_cast<int64_t>(tokens->size()));
    if (!log) return log.error();
    generate.trace = log->get();

    EnergyMeter energy;
    CancelOnInterrupt interrupt;
    generate.cancel = interrupt.flag();
    const Result<Generated> result = session.completeTokens(tokens.value(), generate, [](const Delta&) {});
    const std::optional<double> joules = energy.joules();
    if (!result) return result.error();
    if (result->reason == FinishReason::Cancelled) return stoppedError();
    const GenerationStatistics& s = result->statistics;
    const std::vector<TracedToken> traced = log.value()->last(tokens->size());
    Domain domain{.name = text.name,
                  .usage = ExpertUsage(session.info().expertsOfLayer),
                  .neurons = activeShares(traced, shape),
                  .cost = {.seconds = s.prefillSeconds,
                           .hits = s.counts.hits,
                           .misses = s.counts.misses,
                           .diskBytes = s.counts.bytesRead,
                           .joules = joules}};
    for (const TracedToken& token : traced) domain.usage.add(token);
    return domain;
}

std::string mapDescription(double scale) {
    return "Use of experts: rows are layers from 0, columns are experts from 0. The first colour is no use, the last "
           "one " +
           numberText(scale * 100, 2) + " % of the layer's uses. Grey: no such expert, or a layer with one alone.";
}

constexpr const char* kPlotDescription =
    "Active neurons of the experts that ran: a column for each layer from 0, from 0 (bottom) to 1 (top), lines at "
    "quarters. Box: the middle half of the tokens; line across: the median; line along: all tokens.";

std::vector<OutFile> filesOf(std::span<const Domain> domains) {
    const double scale = largestShare(domains);
    std::vector<OutFile> files;
    for (const Domain& domain : domains) {
        files.push_back({domain.name + ".experts.csv", expertsCsv(domain.usage)});
        files.push_back({domain.name + ".experts.png", pngBytes(heatMap(domain.usage, scale), mapDescription(scale))});
        if (!domain.hasNeurons()) continue;
        files.push_back({domain.name + ".neurons.csv", neuronsCsv(domain.neurons)});
        files.push_back({domain.name + ".neurons.png", pngBytes(boxPlot(domain.neurons), kPlotDescription)});
    }
    files.push_back({"differences.csv", differencesCsv(domains)});
    return files;
}

ordered_json reportOf(std::span<const Domain> domains, std::span<const OutFile> files, bool resources) {
    ordered_json list = ordered_json::array(), names = ordered_json::array();
    ExpertUsage usage(domains.front().usage.expertsOfLayer());
    ReadingCost cost{.joules = 0};
    for (const Domain& domain : domains) {
        ordered_json entry{{"name", domain.name}, {"tokens", domain.usage.tokens()}};
        if (resources) entry["resources"] = resourcesJson(domain.usage, domain.cost);
        list.push_back(std::move(entry));
        usage.add(domain.usage);
        cost.add(domain.cost);
    }
    for (const OutFile& file : files) names.push_back(file.name);
    ordered_json report{{"domains", std::move(list)},
                        {"largest_share", rounded(largestShare(domains), 6)},
                        {"files", std::move(names)}};
    if (!resources) return report;
    const uint64_t peak = readMemory().peakResident;
    report["resources"] = resourcesJson(usage, cost);
    report["resources"]["peak_memory"] = peak > 0 ? ordered_json(peak) : ordered_json(nullptr);
    return report;
}

/// One line of the table of --resources. A figure without a measurement is "-".
std::string resourcesLine(const std::string& name, const ordered_json& r) {
    const auto cell = [](const ordered_json& value, double scale, int decimals, const char* unit) {
        const std::string text = value.is_null() ? "-" : numberText(value.get<double>() * scale, decimals) + unit;
        constexpr size_t kColumn = 13;
        return std::string(kColumn - std::min(kColumn - 1, text.size()), ' ') + text;
    };
    std::string line = cell(r["utilisation"], 100, 1, " %") + cell(r["gini"], 1, 3, "") +
                       cell(r["entropy_bits"], 1, 2, " bits") + cell(r["seconds_per_token"], 1000, 2, " ms") +
                       cell(r["hit_rate"], 100, 1, " %") + cell(r["disk_bytes"], 0x1p-20, 1, " MiB");
    if (!r["joules_per_token"].is_null()) line += cell(r["joules_per_token"], 1, 3, " J");
    return line + "  " + name + "\n";
}

std::string reportText(const ordered_json& report, const std::string& folder, bool resources) {
    std::string text;
    for (const ordered_json& domain : report["domains"])
        text +=
            domain["name"].get<std::string>() + ": " + std::to_string(domain["tokens"].get<uint64_t>()) + " tokens\n";
    text += std::to_string(report["files"].size()) + " files are in " + folder + "; the last colour of the maps is " +
            numberText(report["largest_share"].get<double>() * 100, 2) + " % of a layer's uses\n";
    if (!resources) return text;
    const ordered_json& all = report["resources"];
    text += "  utilisation         gini      entropy      a token     hit rate    from disk";
    text += all["joules_per_token"].is_null() ? "  domain\n" : "      a token  domain\n";
    for (const ordered_json& domain : report["domains"])
        text += resourcesLine(domain["name"].get<std::string>(), domain["resources"]);
    text += resourcesLine("all", all);
    if (!all["peak_memory"].is_null())
        text += "The process held " + bytesText(all["peak_memory"].get<uint64_t>()) + " at most\n";
    return text;
}

Status run(ExpertsOptions& options) {
    if (Status status = checkFolders(options); !status) return status;
    const Result<std::vector<DomainText>> texts = readTexts(options.textsFolder);
    if (!texts) return texts.error();
    const Result<std::unique_ptr<Session>> session = openModel(options.common);
    if (!session) return session.error();
    if (Status status = checkModel(session.value()->info()); !status) return status;
    std::vector<Domain> domains;
    for (const DomainText& text : texts.value()) {
        Result<Domain> domain = readDomain(*session.value(), text, options.tokens);
        if (!domain) return domain.error();
        domains.push_back(std::move(domain).value());
    }
    const std::vector<OutFile> files = filesOf(domains);
    if (Status made = systemFiles().makeFolder(options.outFolder); !made) return made;
    for (const OutFile& file : files)
        if (Status written = writeWholeFile(systemFiles(), joinPath(options.outFolder, file.name), file.bytes);
            !written)
            return written;
    if (std::none_of(domains.begin(), domains.end(), [](const Domain& domain) { return domain.hasNeurons(); }))
        writeError("note: The experts have no ReLU, so there are no figures of active neurons\n");
    const ordered_json report = reportOf(domains, files, options.resources);
    return writeOut(options.common.json ? jsonText(report) : reportText(report, options.outFolder, options.resources));
}

} // namespace

void addExperts(CLI::App& app, Command& chosen) {
    addCommand<ExpertsOptions>(app, chosen, "experts", "Which experts texts of several domains use, as pictures",
                               describe, run);
}

} // namespace coterie::app
