// SPDX-License-Identifier: Apache-2.0
// See setting_table.h.
#include "settings/setting_table.h"

#include "settings/setting_limits.h"

#include <QJsonArray>
#include <QJsonObject>

#include <algorithm>
#include <cmath>

namespace coterie::app {
namespace {

constexpr double kLargestMemory = 1024.0 * 1024 * 1024 * 1024 * 64; // 64 TiB: more than any machine has
constexpr int kMostThreads = 1024;
constexpr int kMostRows = 1000000;
constexpr double kWidest = 10000;       // pixels
constexpr int kLargestWindow = 1 << 20; // tokens: the engine's own limit
constexpr double kStrongestPenalty = 2; // as other programs; the engine allows more
constexpr qsizetype kMostTexts = 32;

SettingRow truth(const char* key, bool usual, SettingScope scope = SettingScope::Program) {
    return {.key = QLatin1String(key), .usual = usual, .scope = scope};
}

SettingRow number(const char* key, double usual, double least, double most,
                  SettingScope scope = SettingScope::Program) {
    return {.key = QLatin1String(key), .usual = usual, .least = least, .most = most, .scope = scope};
}

SettingRow whole(const char* key, int usual, double least, double most, SettingScope scope = SettingScope::Program) {
    SettingRow row = number(key, usual, least, most, scope);
    row.whole = true;
    return row;
}

SettingRow text(const char* key, SettingScope scope = SettingScope::Program) {
    return {.key = QLatin1String(key), .usual = QString(), .scope = scope};
}

/// The first choice is the default value.
SettingRow choice(const char* key, const QStringList& choices, SettingScope scope = SettingScope::Program) {
    return {.key = QLatin1String(key), .usual = choices.front(), .choices = choices, .scope = scope};
}

SettingRow list(const char* key) { return {.key = QLatin1String(key), .usual = QJsonArray()}; }

SettingRow texts(const char* key, SettingScope scope) {
    return {.key = QLatin1String(key), .usual = QJsonArray(), .texts = true, .scope = scope};
}

SettingRow object(const char* key) { return {.key = QLatin1String(key), .usual = QJsonObject()}; }

QJsonArray textsOf(const QJsonArray& list) {
    QJsonArray kept;
    for (const QJsonValue& item : list)
        if (!item.toString().isEmpty() && kept.size() < kMostTexts) kept.append(item);
    return kept;
}

std::vector<SettingRow> makeTable() {
    constexpr auto answer = SettingScope::Answer;
    const QStringList permission{QStringLiteral("ask"), QStringLiteral("always"), QStringLiteral("never")};
    const QStringList when{QStringLiteral("never"), QStringLiteral("scarce"), QStringLiteral("always")};
    return {
        choice("theme", {QStringLiteral("system"), QStringLiteral("light"), QStringLiteral("dark")}),
        number("fontScale", 1, 0.8, 2),
        number("memoryBudget", 0, 0, kLargestMemory, SettingScope::Opening),
        whole("contextTokens", 0, 0, kLargestContext, SettingScope::Opening),
        choice("keyValueFormat", {QStringLiteral("f16"), QStringLiteral("q8_0")}, SettingScope::Opening),
        text("device", SettingScope::Opening),
        whole("threads", 0, 0, kMostThreads, SettingScope::Opening),
        truth("sidebarShown", true),
        truth("autoTitles", true),
        choice("chatOrder", {QStringLiteral("used"), QStringLiteral("title"), QStringLiteral("created")}),
        number("sidebarWidth", 0, 0, kWidest),
        truth("activityShown", false),
        number("activityWidth", 0, 0, kWidest),
        truth("firstLookTaken", false),
        truth("allSettings", false),
        truth("tracesKept", true),
        number("tracesLimit", 256 * kMebi, kMebi, 64 * 1024 * kMebi),
        list("windowGeometry"),
        truth("windowMaximised", false),
        list("recentModels"),
        text("lastModel"),
        number("lastChat", 0, 0, 1LL << 53),
        number("besideChat", 0, 0, 1LL << 53),
        truth("besideLeft", false),
        // Whether a tool asks before it is run (tools/tool_box.h).
        choice("toolCalculator", permission),
        choice("toolTime", permission),
        choice("toolFiles", permission),
        choice("toolChats", permission),
        // The layers above the program's: settings by model, the presets, and those of a chat that does not exist yet.
        object("modelSettings"),
        list("presets"),
        object("newChatSettings"),
        // The default values are those of the engine (SamplingOptions).
        text("systemPrompt", answer),
        truth("thinking", true, answer),
        number("temperature", 0.8, 0, 2, answer),
        number("topP", 0.95, 0, 1, answer),
        whole("topK", 40, 0, kMostRows, answer),
        number("minP", 0.05, 0, 1, answer),
        number("repetitionPenalty", 1, 1 / kStrongestPenalty, kStrongestPenalty, answer),
        number("presencePenalty", 0, -kStrongestPenalty, kStrongestPenalty, answer),
        number("frequencyPenalty", 0, -kStrongestPenalty, kStrongestPenalty, answer),
        whole("penaltyWindow", 64, 0, kLargestWindow, answer),
        whole("seed", -1, -1, kLargestSeed, answer),
        whole("maxTokens", 0, 0, kLargestContext, answer),
        texts("stopTexts", answer),
        truth("tools", false, answer),
        choice("headRows", {QStringLiteral("predicted"), QStringLiteral("all")}, answer),
        choice("preferCachedWhen", when, answer),
        number("preferCached", 0.2, 0, 1, answer),
        choice("sureWhen", when, answer),
        number("sure", 0.9, 0, 1, answer),
    };
}

} // namespace

QJsonValue SettingRow::accepted(const QJsonValue& wanted) const {
    if (wanted.type() != usual.type()) return usual;
    if (wanted.isDouble()) {
        if (!std::isfinite(wanted.toDouble())) return usual;
        const double nearest = std::clamp(wanted.toDouble(), least, most);
        return whole ? std::trunc(nearest) : nearest;
    }
    if (texts) return textsOf(wanted.toArray());
    if (!choices.isEmpty() && !choices.contains(wanted.toString())) return usual;
    return wanted;
}

const std::vector<SettingRow>& settingTable() {
    static const std::vector<SettingRow> table = makeTable();
    return table;
}

const SettingRow& settingRow(const QString& key) {
    const std::vector<SettingRow>& table = settingTable();
    const auto row = std::find_if(table.begin(), table.end(), [&](const SettingRow& r) { return r.key == key; });
    Q_ASSERT(row != table.end());
    return *row;
}

} // namespace coterie::app
