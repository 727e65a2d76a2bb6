// SPDX-License-Identifier: Apache-2.0
// agreement: measures what approximate routing changes and what it saves. The exact model answers greedily; the
// approximate one is then given the same tokens, one by one, and both are compared at each token.
#include "base/files.h"
#include "cli/commands/commands.h"
#include "cli/commands/distribution.h"
#include "cli/console.h"
#include "cli/format.h"
#include "cli/interrupt.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>
#include <utility>

namespace coterie::app {

using namespace engine;
using nlohmann::ordered_json;

namespace {

constexpr int64_t kMostTokens = 1 << 20;
constexpr size_t kNamedTokens =
    512; // tokens kept per position, 6 KiB; a trained model gives them nearly all probability
constexpr uint64_t kLargestPrompt = 8 << 20;

struct AgreementOptions {
    CommonOptions common;
    GenerateOptions generate;
    std::string prompt = "Tell me a story about a lighthouse and a storm.", promptPath;
    int64_t tokens = 128;
    bool raw = false, pastEnd = false;
};

void describe(CLI::App& command, AgreementOptions& options) {
    addModelOptions(command, options.common);
    CLI::Option* prompt = command.add_option("--prompt", options.prompt, "What to continue or to answer");
    prompt->capture_default_str();
    command.add_option("--prompt-file", options.promptPath, "The same from a file")
        ->type_name("FILE")
        ->excludes(prompt);
    command.add_flag("--raw", options.raw, "Continue the text as it stands, without the chat template");
    addNumber(command, "--tokens", options.tokens, int64_t{1}, kMostTokens,
              "Compare so many positions, fewer where the answer ends")
        ->capture_default_str();
    command.add_flag("--past-end", options.pastEnd, "Go on where the answer ends");
    addRoutingOptions(command, options.generate);
    command.footer(
        "The hit rate counts what was in memory, or on its way there, when it was asked for; from disk counts "
        "what was read for it, in time or not");
}

/// One run along the answer.
struct Pass {
    std::vector<TokenId> tokens; ///< tokens of the answer
    int64_t draws = 0; ///< the first draw follows the prompt's last token, each other one a token of the answer
    Counts use;        ///< counts of decoding
    std::optional<double> changed; ///< share of the expert choices with other experts or with fewer
};

struct Comparison {
    int64_t positions = 0, same = 0;
    double divergence = 0, lost = 0; ///< sums
    Counts exact{}, approximate{};   ///< counts of decoding
    std::optional<double> changed{};
    MemoryPlan plan{};
};

Result<std::vector<TokenId>> promptOf(const Session& session, const AgreementOptions& options) {
    if (options.raw) return session.textTokens(options.prompt, options.generate);
    const std::vector<Message> conversation{Message::text(Role::User, options.prompt)};
    return session.promptTokens(conversation, options.generate);
}

/// Calls take(logits), if given, for each draw except the first. All runs draw the first token after a prompt that is
/// read exactly.
Result<Pass> runPass(Session& session, std::span<const TokenId> prompt, GenerateOptions generate,
                     const std::function<void(std::span<const float>)>& take) {
    Pass pass;
    generate.sampling.temperature = 0;
    generate.head = HeadRows::All;
    generate.reuseCache = false;
    generate.onLogits = [&](std::span<const float> logits) {
        if (pass.draws++ > 0 && take) take(logits);
    };
    CancelOnInterrupt interrupt;
    generate.cancel = interrupt.flag();
    const Result<Generated> result = session.completeTokens(prompt, generate, [&](const Delta& delta) {
        if (delta.token >= 0) pass.tokens.push_back(delta.token);
    });
    if (!result) return result.error();
    if (result->reason == FinishReason::Cancelled) return stoppedError();
    pass.use = result->statistics.decoding;
    pass.changed = result->statistics.changedShare();
    return pass;
}

/// Runs the exact model: returns its answer, and its distribution at each position except the first.
Result<Pass> answerExactly(Session& session, std::span<const TokenId> prompt, const AgreementOptions& options,
                           std::vector<Distribution>& expected) {
    GenerateOptions generate;
    generate.maxTokens = options.tokens + 1;
    generate.ignoreEnd = options.pastEnd;
    Result<Pass> pass = runPass(session, prompt, generate, [&expected](std::span<const float> logits) {
        expected.push_back(likeliestOf(logits, kNamedTokens));
    });
    if (pass && expected.empty())
        return Error{ErrorKind::BadInput, "There is nothing to compare", "The answer ends with its first token",
                     "Ask something else, or give --past-end or a longer --context"};
    return pass;
}

/// Makes three runs: for the answer, exactly along it, and approximately along it. So the last two are counted after
/// the same run, with the store equally warm.
Result<Comparison> compare(Session& session, const AgreementOptions& options) {
    const Result<std::vector<TokenId>> prompt = promptOf(session, options);
    if (!prompt) return prompt.error();
    std::vector<Distribution> expected;
    const Result<Pass> answer = answerExactly(session, prompt.value(), options, expected);
    if (!answer) return answer.error();

    GenerateOptions along;
    along.forced = answer->tokens;
    along.maxTokens = answer->draws;
    along.ignoreEnd = true;
    const Result<Pass> exact = runPass(session, prompt.value(), along, {});
    if (!exact) return exact.error();
    Comparison c{.exact = exact->use, .plan = session.info().memory};
    along.routing = options.generate.routing;
    const Result<Pass> approximate = runPass(session, prompt.value(), along, [&](std::span<const float> logits) {
        const Distribution& want = expected[static_cast<size_t>(c.positions++)];
        const Distribution got = distributionOf(logits, want.tokens);
        const auto best = std::lower_bound(want.tokens.begin(), want.tokens.end(), want.likeliest);
        const auto place = static_cast<size_t>(best - want.tokens.begin());
        c.same += got.likeliest == want.likeliest;
        c.divergence += divergence(want, got);
        c.lost += want.logProbabilities[place] - got.logProbabilities[place];
    });
    if (!approximate) return approximate.error();
    c.approximate = approximate->use;
    c.changed = approximate->changed;
    return c;
}

/// Returns null if nothing was requested from the store.
ordered_json useJson(const Counts& use, int64_t positions) {
    const uint64_t each = static_cast<uint64_t>(positions);
    if (use.asked() == 0)
        return {{"hit_rate", nullptr},
                {"disk_rate", nullptr},
                {"disk_bytes_per_token", nullptr},
                {"experts_per_token", nullptr}};
    const auto asked = static_cast<double>(use.asked());
    return {{"hit_rate", rounded(static_cast<double>(use.hits) / asked)},
            {"disk_rate", rounded(static_cast<double>(use.fromDisk()) / asked)},
            {"disk_bytes_per_token", (use.bytesRead + each / 2) / each},
            {"experts_per_token", rounded(asked / static_cast<double>(each), 2)}};
}

ordered_json reportJson(const Comparison& c, const ApproximateRouting& routing) {
    const auto positions = static_cast<double>(c.positions);
    return {{"prefer_cached", rounded(static_cast<double>(routing.preferCached))},
            {"sure", rounded(static_cast<double>(routing.topWeightShare))},
            {"budget", c.plan.budget},
            {"slots", c.plan.slots},
            {"total_experts", c.plan.totalExperts},
            {"positions", c.positions},
            {"same_token", rounded(static_cast<double>(c.same) / positions)},
            {"kl_divergence", rounded(c.divergence / positions, 6)},
            {"log_probability_lost", rounded(c.lost / positions, 6)},
            {"choices_changed", rounded(c.changed)},
            {"exact", useJson(c.exact, c.positions)},
            {"approximate", useJson(c.approximate, c.positions)}};
}

std::string cell(const std::string& text, size_t width) {
    return std::string(width - std::min(width - 1, text.size()), ' ') + text;
}

/// "-" for null.
std::string valueText(const ordered_json& value, double scale, int decimals, const char* unit) {
    return value.is_null() ? "-" : numberText(value.get<double>() * scale, decimals) + unit;
}

/// dense: the model has no experts, so its layers are counted as experts.
std::string reportText(const ordered_json& r, bool dense) {
    const std::string units = dense ? "layers" : "experts";
    std::string text = valueText(r["positions"], 1, 0, "") + " positions, " + valueText(r["slots"], 1, 0, "") + " of " +
                       valueText(r["total_experts"], 1, 0, "") + " " + units + " in a budget of " +
                       bytesText(r["budget"].get<uint64_t>()) + "\n";
    text += "prefer-cached " + valueText(r["prefer_cached"], 1, 2, "") + ", sure " + valueText(r["sure"], 1, 2, "") +
            ": the same likeliest token at " + valueText(r["same_token"], 100, 1, " %") + " of them, KL divergence " +
            valueText(r["kl_divergence"], 1, 6, " nats") + ", log-probability lost " +
            valueText(r["log_probability_lost"], 1, 6, "") + ", choices changed " +
            valueText(r["choices_changed"], 100, 1, " %") + "\n";
    const ordered_json &exact = r["exact"], &approximate = r["approximate"];
    constexpr size_t kName = 22, kColumn = 14;
    const auto line = [&](const std::string& name, const std::string& a, const std::string& b) {
        text += name + std::string(kName - name.size(), ' ') + cell(a, kColumn) + cell(b, kColumn) + "\n";
    };
    const auto values = [&](const char* name, const char* key, double scale, int decimals, const char* unit) {
        line(name, valueText(exact[key], scale, decimals, unit), valueText(approximate[key], scale, decimals, unit));
    };
    line("", "exact", "approximate");
    values("hit rate", "hit_rate", 100, 1, " %");
    values("from disk", "disk_rate", 100, 1, " %");
    values("disk, a token", "disk_bytes_per_token", 0x1p-20, 2, " MiB");
    line(units + ", a token", valueText(exact["experts_per_token"], 1, 2, ""),
         valueText(approximate["experts_per_token"], 1, 2, ""));
    return text;
}

Status run(AgreementOptions& options) {
    if (!options.promptPath.empty()) {
        Result<std::string> text = readWholeFile(systemFiles(), options.promptPath, kLargestPrompt);
        if (!text) return text.error();
        options.prompt = std::move(text).value();
    }
    // Which experts a prefetch reads in time depends on chance, and choices that prefer cached experts depend on it.
    // Without prefetching two runs agree.
    options.common.open.experts.prefetch = false;
    const Result<std::unique_ptr<Session>> session = openModel(options.common);
    if (!session) return session.error();
    const Result<Comparison> comparison = compare(*session.value(), options);
    if (!comparison) return comparison.error();
    const ordered_json report = reportJson(comparison.value(), options.generate.routing);
    return writeOut(options.common.json ? jsonText(report) : reportText(report, comparison->plan.dense));
}

} // namespace

void addAgreement(CLI::App& app, Command& chosen) {
    addCommand<AgreementOptions>(app, chosen, "agreement",
                                 "How far the lossy options move a model from itself, and what they save", describe,
                                 run);
}

} // namespace coterie::app
