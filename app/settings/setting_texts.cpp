// SPDX-License-Identifier: Apache-2.0
// The texts, by the groups in which the pages show them.
#include "settings/setting_texts.h"

#include "settings/setting_limits.h"
#include "tools/tool_box.h"

#include <QCoreApplication>

#include <algorithm>

namespace coterie::app {
namespace {

constexpr double kGibi = 1024 * kMebi;
constexpr double kLargestBudget = 64 * 1024; // GiB
constexpr double kLeastBudget = 0.01;        // GiB, with two decimals; the model says what it needs: MemoryForecast
constexpr double kLargestTopK = 100000;

/// The class is the context of the texts: lupdate needs one.
class SettingTexts {
    Q_DECLARE_TR_FUNCTIONS(SettingTexts)
  public:
    static std::vector<SettingText> all();

  private:
    using List = std::vector<SettingText>;

    static void addAppearance(List& list);
    static void addMemory(List& list);
    static void addAnswers(List& list);
    static void addPermissions(List& list);
    static void addSampling(List& list);
    static void addPenalties(List& list);
    static void addDrawing(List& list);
    static void addTraces(List& list);
    static void addLossy(List& list);
    static void addScopes(List& list);
};

void SettingTexts::addAppearance(List& list) {
    list.push_back({.key = QStringLiteral("theme"),
                    .kind = SettingKind::Choice,
                    .title = tr("Theme"),
                    .synonyms = tr("dark mode, light mode, colours, appearance"),
                    .options = {tr("System"), tr("Light"), tr("Dark")}});
    list.push_back({.key = QStringLiteral("fontScale"),
                    .kind = SettingKind::Slider,
                    .title = tr("Text size"),
                    .synonyms = tr("font size, zoom, larger, smaller, appearance"),
                    .label = tr("Text size in percent"),
                    .scale = 0.01,
                    .least = 80,
                    .most = 200,
                    .step = 10});
    list.push_back(
        {.key = QStringLiteral("autoTitles"),
         .kind = SettingKind::Choice,
         .title = tr("Titles of new chats"),
         .hint = tr("The model gives a chat a short title after its first answer, when it has nothing else to "
                    "do. The demo model does not."),
         .synonyms = tr("automatic title, name, rename"),
         .options = {tr("By the model"), tr("By the prompt")}});
}

void SettingTexts::addMemory(List& list) {
    list.push_back({.key = QStringLiteral("memoryBudget"),
                    .kind = SettingKind::Number,
                    .title = tr("Memory budget"),
                    .hint = tr("Memory that Coterie may use in total. Models can be larger than this."),
                    .synonyms = tr("RAM, limit, gigabytes"),
                    .unit = tr("GiB"),
                    .label = tr("Memory budget in GiB"),
                    .scale = kGibi,
                    .decimals = 2,
                    .least = kLeastBudget,
                    .most = kLargestBudget,
                    .empty = 0,
                    .emptyText = tr("Automatic")});
    list.push_back({.key = QStringLiteral("contextTokens"),
                    .kind = SettingKind::Number,
                    .title = tr("Context"),
                    .hint = tr("Longest conversation in tokens. A longer context uses more memory."),
                    .synonyms = tr("context length, context window, memory"),
                    .label = tr("Context in tokens"),
                    .least = 64,
                    .most = kLargestContext,
                    .empty = 0,
                    .emptyText = tr("Automatic")});
    list.push_back({.key = QStringLiteral("keyValueFormat"),
                    .kind = SettingKind::Choice,
                    .title = tr("KV cache"),
                    .hint = tr("Format of the keys and values of past tokens. Exact is F16. Compact is Q8_0: it uses "
                               "half the memory, but answers may differ slightly."),
                    .synonyms = tr("quantisation, key-value cache, memory"),
                    .advanced = true,
                    .options = {tr("Exact"), tr("Compact")}});
    list.push_back({.key = QStringLiteral("threads"),
                    .kind = SettingKind::Number,
                    .title = tr("Processor threads"),
                    .synonyms = tr("CPU, cores, speed"),
                    .advanced = true,
                    .least = 1,
                    .most = 512,
                    .empty = 0,
                    .emptyText = tr("Automatic")});
    list.push_back({.key = QStringLiteral("device"),
                    .title = tr("Computed by"),
                    .synonyms = tr("GPU, graphics card, Vulkan, processor, device, speed")});
    list.push_back({.key = QStringLiteral("packedFile"),
                    .title = tr("Packed file of the experts"),
                    .synonyms = tr("disk, faster reading"),
                    .advanced = true});
    list.push_back({.key = QStringLiteral("unusedPackedFiles"),
                    .title = tr("Packed files without a model"),
                    .synonyms = tr("disk, free space, delete")});
}

void SettingTexts::addAnswers(List& list) {
    list.push_back({.key = QStringLiteral("systemPrompt"),
                    .kind = SettingKind::LongText,
                    .title = tr("System prompt"),
                    .hint = tr("Text that the model reads before every conversation."),
                    .synonyms = tr("instructions, role, persona, character")});
    list.push_back({.key = QStringLiteral("temperature"),
                    .kind = SettingKind::Number,
                    .title = tr("Temperature"),
                    .hint = tr("0 always picks the most likely token. Higher values give more variety."),
                    .synonyms = tr("creativity, randomness, sampling"),
                    .decimals = 2,
                    .least = 0,
                    .most = 2});
    list.push_back({.key = QStringLiteral("maxTokens"),
                    .kind = SettingKind::Number,
                    .title = tr("Longest answer"),
                    .hint = tr("An answer stops after this many tokens. If this is empty, it ends by itself."),
                    .synonyms = tr("answer length, maximum tokens, limit"),
                    .label = tr("Longest answer in tokens"),
                    .least = 1,
                    .most = kLargestContext,
                    .empty = 0,
                    .emptyText = tr("No limit")});
    list.push_back({.key = QStringLiteral("thinking"),
                    .kind = SettingKind::Choice,
                    .title = tr("Think before answering"),
                    .hint = tr("For models that can think. Answers take longer and are often better."),
                    .synonyms = tr("reasoning, thoughts"),
                    .options = {tr("On"), tr("Off")}});
    list.push_back({.key = QStringLiteral("tools"),
                    .kind = SettingKind::Choice,
                    .title = tr("Tools"),
                    .hint = tr("The model may ask for a calculator, the time, attached files and a search of your "
                               "chats. Each asks you first. For models that were trained to call tools."),
                    .synonyms = tr("functions, calculator, time, files, search"),
                    .options = {tr("On"), tr("Off")}});
}

void SettingTexts::addPermissions(List& list) {
    const QStringList options{tr("Ask"), tr("Always"), tr("Never")};
    const QString words = tr("tools, functions, permission, allow");
    for (const QString& tool : toolNames())
        list.push_back({.key = toolPermissionKey(tool),
                        .kind = SettingKind::Choice,
                        .title = toolTitle(tool),
                        .synonyms = words,
                        .advanced = true,
                        .options = options});
}

void SettingTexts::addSampling(List& list) {
    list.push_back({.key = QStringLiteral("topP"),
                    .kind = SettingKind::Number,
                    .title = tr("Top-p"),
                    .hint = tr("Considers only the most likely tokens whose probabilities add up to this. 1 turns this "
                               "off."),
                    .synonyms = tr("nucleus sampling"),
                    .advanced = true,
                    .decimals = 2,
                    .least = 0,
                    .most = 1});
    list.push_back({.key = QStringLiteral("topK"),
                    .kind = SettingKind::Number,
                    .title = tr("Top-k"),
                    .hint = tr("Considers only this many of the most likely tokens. 0 turns this off."),
                    .synonyms = tr("sampling"),
                    .advanced = true,
                    .least = 0,
                    .most = kLargestTopK});
    list.push_back({.key = QStringLiteral("minP"),
                    .kind = SettingKind::Number,
                    .title = tr("Min-p"),
                    .hint = tr("Considers only tokens with at least this share of the highest probability. 0 turns "
                               "this off."),
                    .synonyms = tr("sampling"),
                    .advanced = true,
                    .decimals = 2,
                    .least = 0,
                    .most = 1});
}

void SettingTexts::addPenalties(List& list) {
    list.push_back({.key = QStringLiteral("repetitionPenalty"),
                    .kind = SettingKind::Number,
                    .title = tr("Repetition penalty"),
                    .hint = tr("Makes tokens that have appeared less likely. 1 turns this off."),
                    .synonyms = tr("repeat penalty, loops, sampling"),
                    .advanced = true,
                    .decimals = 2,
                    .least = 0.5,
                    .most = 2});
    list.push_back({.key = QStringLiteral("presencePenalty"),
                    .kind = SettingKind::Number,
                    .title = tr("Presence penalty"),
                    .hint = tr("Lowers a token once if it has appeared. 0 turns this off."),
                    .synonyms = tr("repetition, new topics, sampling"),
                    .advanced = true,
                    .decimals = 2,
                    .least = -2,
                    .most = 2});
    list.push_back({.key = QStringLiteral("frequencyPenalty"),
                    .kind = SettingKind::Number,
                    .title = tr("Frequency penalty"),
                    .hint = tr("Lowers a token each time that it has appeared. 0 turns this off."),
                    .synonyms = tr("repetition, sampling"),
                    .advanced = true,
                    .decimals = 2,
                    .least = -2,
                    .most = 2});
    list.push_back({.key = QStringLiteral("penaltyWindow"),
                    .kind = SettingKind::Number,
                    .title = tr("Penalty window"),
                    .hint = tr("How many of the last tokens the three penalties look at."),
                    .synonyms = tr("repeat last n, repetition, sampling"),
                    .advanced = true,
                    .label = tr("Penalty window in tokens"),
                    .least = 0,
                    .most = 1 << 20});
}

void SettingTexts::addDrawing(List& list) {
    list.push_back({.key = QStringLiteral("seed"),
                    .kind = SettingKind::Number,
                    .title = tr("Seed"),
                    .hint = tr("With the same seed, the same conversation gets the same answer again."),
                    .synonyms = tr("random number, repeatable, sampling"),
                    .advanced = true,
                    .least = 0,
                    .most = kLargestSeed,
                    .empty = -1,
                    .emptyText = tr("New each time")});
    list.push_back(
        {.key = QStringLiteral("stopTexts"),
         .kind = SettingKind::Lines,
         .title = tr("Stop texts"),
         .hint = tr("An answer ends before any of these texts. Write one on each line; \\n stands for a line "
                    "break."),
         .synonyms = tr("stop strings, stop sequences, end"),
         .advanced = true});
    list.push_back(
        {.key = QStringLiteral("headRows"),
         .kind = SettingKind::Choice,
         .title = tr("Head predictor"),
         .hint = tr("The output head scores every token that could come next, a row for each. With a predictor only "
                    "the rows that are likely to matter are computed, which is faster. All rows are computed if a "
                    "value needs them, for example a top-k of 0."),
         .synonyms = tr("output layer, vocabulary, logits, speed"),
         .advanced = true,
         .options = {tr("Predicted rows"), tr("All rows")}});
}

void SettingTexts::addTraces(List& list) {
    list.push_back({.key = QStringLiteral("tracesKept"),
                    .kind = SettingKind::Choice,
                    .title = tr("Keep what the experts did with each answer"),
                    .hint = tr("With this, old answers can be inspected, their words have alternatives, and an answer "
                               "that stopped in a thought can be continued. Records are deleted with their messages, "
                               "and stay out of exports unless you ask for them."),
                    .synonyms = tr("inspector, activity, traces, alternatives, tokens"),
                    .advanced = true,
                    .options = {tr("Keep"), tr("Don't keep")}});
    list.push_back({.key = QStringLiteral("tracesLimit"),
                    .kind = SettingKind::Number,
                    .title = tr("Room for records"),
                    .hint = tr("If records take more room than this, the oldest ones are deleted. A change applies at "
                               "once."),
                    .synonyms = tr("disk space, limit, traces, activity"),
                    .advanced = true,
                    .unit = tr("MiB"),
                    .label = tr("Room for records in MiB"),
                    .scale = kMebi,
                    .least = 1,
                    .most = 64 * 1024});
    list.push_back({.key = QStringLiteral("tracesDeleted"),
                    .title = tr("Records of all answers"),
                    .synonyms = tr("delete, disk space, traces, activity"),
                    .advanced = true});
}

void SettingTexts::addLossy(List& list) {
    const QString words = tr("faster, less exact, lossy, approximate, routing, speed, battery");
    list.push_back({.key = QStringLiteral("preferCachedWhen"),
                    .title = tr("Prefer experts that are in memory"),
                    .hint = tr("An expert in memory replaces one on disk that is only a little better. The best expert "
                               "is always used. Answers wait less for the disk."),
                    .synonyms = words,
                    .advanced = true});
    list.push_back(
        {.key = QStringLiteral("sureWhen"),
         .title = tr("Leave out the least important experts"),
         .hint = tr("The least important experts of a token often have little weight. Without them, there is "
                    "less to read and compute."),
         .synonyms = words,
         .advanced = true});
}

/// These are no settings: they are about many of them.
void SettingTexts::addScopes(List& list) {
    list.push_back({.key = QStringLiteral("presets"),
                    .title = tr("Presets"),
                    .synonyms = tr("profile, set of values"),
                    .ofAnswers = true});
    list.push_back({.key = QStringLiteral("answersReset"),
                    .title = tr("Reset these values to their defaults"),
                    .synonyms = tr("default values, remove"),
                    .ofAnswers = true});
    list.push_back({.key = QStringLiteral("allReset"),
                    .title = tr("Reset all settings"),
                    .synonyms = tr("default values, defaults, factory settings")});
}

std::vector<SettingText> SettingTexts::all() {
    List list;
    addAppearance(list);
    addMemory(list);
    addAnswers(list);
    addSampling(list);
    addPenalties(list);
    addDrawing(list);
    addPermissions(list);
    addTraces(list);
    addLossy(list);
    addScopes(list);
    return list;
}

} // namespace

const std::vector<SettingText>& settingTexts() {
    static const std::vector<SettingText> texts = SettingTexts::all();
    return texts;
}

const SettingText& settingText(const QString& key) {
    const std::vector<SettingText>& texts = settingTexts();
    const auto text = std::find_if(texts.begin(), texts.end(), [&](const SettingText& t) { return t.key == key; });
    Q_ASSERT(text != texts.end());
    return *text;
}

} // namespace coterie::app
