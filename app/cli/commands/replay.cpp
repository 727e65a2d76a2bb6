// SPDX-License-Identifier: Apache-2.0
// replay: computes the hits that a store of a given size would have had over a recorded trace, for every eviction
// policy, and the most that any policy could reach. No model is opened, but the slots can be those of one.
#include "experts/replay.h"
#include "cli/commands/commands.h"
#include "cli/commands/trace_reader.h"
#include "cli/console.h"
#include "cli/format.h"
#include "cli/interrupt.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace coterie::app {

using namespace engine;
using nlohmann::ordered_json;

namespace {

constexpr std::array kKinds{EvictionKind::ExpectedUse, EvictionKind::LeastRecentlyUsed,
                            EvictionKind::LeastFrequentlyUsed};

/// Room for experts, in token cycles, slots or bytes.
struct Budget {
    enum class Unit { TokenCycles, Slots, Bytes };
    std::string text;
    Unit unit = Unit::TokenCycles;
    double cycles = 0;
    uint64_t count = 0; ///< number of slots or bytes
};

struct ReplayOptions {
    CommonOptions common;
    std::string tracePath;
    std::vector<Budget> budgets;
    uint64_t slotBytes = 0;
    std::optional<uint64_t> ownSlots; ///< dense layers beside layers with experts, each with a slot of its own
    uint64_t ownSlotBytes = 0;        ///< bytes of these slots together
};

struct Row {
    const Budget* budget = nullptr;
    uint64_t slots = 0;
    uint64_t smallSlots = 0; ///< those of `slots` that only the model's smaller experts use
    std::array<ReplayCounts, kKinds.size()> policies;
    ReplayCounts belady; ///< the clairvoyant bound

    double shareOfBelady() const {
        return belady.hits == 0 ? 1.0 : static_cast<double>(policies[0].hits) / static_cast<double>(belady.hits);
    }
};

/// Returns what is wrong, or an empty string if `budget` has been set.
std::string parseBudget(const std::string& text, Budget& budget) {
    constexpr std::string_view slots = "slots";
    const std::string advice = "', write it as 1.5 (times what a token uses), 300slots or 1GiB";
    const char* const end = text.data() + text.size();
    budget.text = text;
    if (text.ends_with(slots)) {
        const auto [stop, fault] = std::from_chars(text.data(), end, budget.count);
        budget.unit = Budget::Unit::Slots;
        return fault == std::errc() && stop + slots.size() == end ? "" : "There is no budget '" + text + advice;
    }
    const auto [stop, fault] = std::from_chars(text.data(), end, budget.cycles, std::chars_format::fixed);
    if (fault == std::errc() && stop == end)
        return budget.cycles > 0 && budget.cycles < 1e9 ? "" : "There is no budget '" + text + advice;
    budget.unit = Budget::Unit::Bytes;
    return !parseMemory(text, budget.count).empty() || budget.count == 0 ? "There is no budget '" + text + advice : "";
}

void describe(CLI::App& command, ReplayOptions& options) {
    command.add_option("TRACE", options.tracePath, "What the command trace wrote: a file that ends in .csv or .json")
        ->required();
    const auto add = [&options](const std::string& text) { return parseBudget(text, options.budgets.emplace_back()); };
    command
        .add_option("--budget", "Room for experts: 1.5 (times what a token uses), 300slots or 1GiB; may be given again "
                                "(default: 0.9, 1.5, 2, 3 and 5)")
        ->type_name("ROOM")
        ->allow_extra_args(false)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->check(add);
    CLI::Option* const model =
        command.add_option("--model", options.common.open.path,
                           "The model of the trace (GGUF): its slots are divided as when it is opened next, and "
                           "budgets in bytes need no other figures");
    addNumber(command, "--slot-bytes", options.slotBytes, uint64_t{1}, uint64_t{1} << 40,
              "Bytes that an expert takes, for budgets in bytes: slot_bytes in what info --json prints");
    addNumber(command, "--own-slots", options.ownSlots, uint64_t{0}, uint64_t{RoutingTrace::kMostLayers},
              "Dense layers with slots of their own, for budgets in bytes: own_slots in what info --json prints");
    addNumber(command, "--own-slot-bytes", options.ownSlotBytes, uint64_t{0}, uint64_t{1} << 40,
              "Bytes of these slots together: own_slot_bytes in what info --json prints");
    for (const char* figure : {"--slot-bytes", "--own-slots", "--own-slot-bytes"})
        model->excludes(command.get_option(figure));
    addCommonOptions(command, options.common);
}

/// Returns the number of slots that a store makes of the budget's bytes: the own ones of dense layers come first, and
/// experts share the others. 0 if nothing is left for these.
Result<uint64_t> slotsOfBytes(const Budget& budget, const RoutingTrace& trace, const ReplayOptions& options,
                              const StoreSlots* model) {
    if (model) return model->slotsIn(budget.count);
    const auto unknown = [&budget](Sentence why, Sentence action) {
        return Error{ErrorKind::BadInput,
                     {"The budget %1 can't be converted into experts", budget.text},
                     std::move(why),
                     std::move(action)};
    };
    if (options.slotBytes == 0) return unknown("A trace does not say how large they are", "Give --slot-bytes as well");
    const uint64_t own = options.ownSlots.value_or(0);
    const bool sizeMissing = options.ownSlots ? own > 0 && options.ownSlotBytes == 0 : trace.denseLayers() > 0;
    if (sizeMissing)
        return unknown("Dense layers have slots of their own, and a trace does not say how large these are",
                       "Give --own-slots and --own-slot-bytes as well");
    const uint64_t shared = (budget.count - std::min(budget.count, options.ownSlotBytes)) / options.slotBytes;
    return shared == 0 ? 0 : own + shared;
}

Result<uint64_t> slotsOf(const Budget& budget, const RoutingTrace& trace, const ReplayOptions& options,
                         const StoreSlots* model) {
    switch (budget.unit) {
    case Budget::Unit::Slots:
        return budget.count;
    case Budget::Unit::Bytes:
        return slotsOfBytes(budget, trace, options, model);
    case Budget::Unit::TokenCycles:
        break;
    }
    constexpr double hair = 1e-9; // 0.9 of 10 experts are 9, although 0.9 is not exact in binary
    return static_cast<uint64_t>(budget.cycles * trace.tokenCycle() + hair);
}

uint64_t smallSlots(const StoreSlots* model, uint64_t slots) {
    const uint64_t used = model ? std::min(slots, model->most()) : 0; // more would never be used
    return model ? model->layout(used).countOf(SlotSize::Small, used) : 0;
}

Result<Row> replayAll(const RoutingTrace& trace, const Budget& budget, uint64_t slots, const StoreSlots* model) {
    Row row{&budget, slots, smallSlots(model, slots), {}, {}};
    for (size_t i = 0; i < kKinds.size(); ++i) {
        const Result<ReplayCounts> counts = replay(trace, kKinds[i], slots, model);
        if (!counts) return counts.error();
        if (interrupts() > 0) return stoppedError();
        row.policies[i] = counts.value();
    }
    const Result<ReplayCounts> counts = replayClairvoyant(trace, slots, model);
    if (!counts) return counts.error();
    row.belady = counts.value();
    return row;
}

std::string cell(const std::string& text) {
    constexpr size_t width = 10;
    return " " + std::string(width - std::min(width, text.size()), ' ') + text;
}

std::string percent(double share) { return numberText(100 * share, 1) + " %"; }

std::string tableText(const RoutingTrace& trace, const std::vector<Row>& rows) {
    std::string text = std::to_string(trace.tokens()) + " tokens, " + numberText(trace.tokenCycle(), 1) +
                       " experts each, " + std::to_string(trace.distinctExperts()) +
                       " different ones; hits of all uses, from an empty store on\n";
    for (const char* title : {"budget", "slots"}) text += cell(title);
    for (const EvictionKind kind : kKinds) text += cell(evictionName(kind));
    text += cell("belady") + cell("of belady") + "\n";
    for (const Row& row : rows) {
        text += cell(row.budget->text) + cell(std::to_string(row.slots));
        for (const ReplayCounts& counts : row.policies) text += cell(percent(counts.hitRate()));
        text += cell(percent(row.belady.hitRate())) + cell(percent(row.shareOfBelady())) + "\n";
    }
    return text;
}

ordered_json tableJson(const RoutingTrace& trace, const std::vector<Row>& rows) {
    ordered_json budgets = ordered_json::array();
    for (const Row& row : rows) {
        ordered_json rates;
        for (size_t i = 0; i < kKinds.size(); ++i)
            rates[evictionName(kKinds[i])] = rounded(row.policies[i].hitRate(), 6);
        budgets.push_back(ordered_json{{"budget", row.budget->text},
                                       {"slots", row.slots},
                                       {"small_slots", row.smallSlots},
                                       {"hit_rate", std::move(rates)},
                                       {"belady", rounded(row.belady.hitRate(), 6)},
                                       {"share_of_belady", rounded(row.shareOfBelady(), 6)}});
    }
    return {{"tokens", trace.tokens()},
            {"token_cycle", rounded(trace.tokenCycle())},
            {"experts", trace.distinctExperts()},
            {"uses", trace.uses()},
            {"budgets", std::move(budgets)}};
}

Status run(ReplayOptions& options) {
    if (options.budgets.empty())
        for (const char* usual : {"0.9", "1.5", "2", "3", "5"}) parseBudget(usual, options.budgets.emplace_back());
    const Result<RoutingTrace> trace = readTrace(options.tracePath);
    if (!trace) return trace.error();
    std::optional<StoreSlots> model;
    if (!options.common.open.path.empty()) {
        Result<StoreSlots> slots = readStoreSlots(options.common.open);
        if (!slots) return slots.error();
        model = std::move(slots).value();
    }
    const StoreSlots* const storeSlots = model ? &*model : nullptr;
    std::vector<Row> rows;
    for (const Budget& budget : options.budgets) {
        const Result<uint64_t> slots = slotsOf(budget, trace.value(), options, storeSlots);
        if (!slots) return slots.error();
        Result<Row> row = replayAll(trace.value(), budget, slots.value(), storeSlots);
        if (!row) return row.error();
        rows.push_back(std::move(row).value());
    }
    return writeOut(options.common.json ? jsonText(tableJson(trace.value(), rows)) : tableText(trace.value(), rows));
}

} // namespace

void addReplay(CLI::App& app, Command& chosen) {
    addCommand<ReplayOptions>(app, chosen, "replay",
                              "Hits of every eviction policy over a recorded trace, without the model", describe, run);
}

} // namespace coterie::app
