// SPDX-License-Identifier: Apache-2.0
// See chat_settings.h.
#include "settings/chat_settings.h"

#include "settings/presets.h"
#include "settings/settings.h"
#include "tools/tool_box.h"

#include <QJsonArray>

namespace coterie::app {

ChatSettings::ChatSettings(const Settings* program, const Presets* presets, QObject* parent)
    : QObject(parent), program_(program), presets_(presets) {
    connect(program_, &Settings::valueChanged, this, [this](const QString& key) {
        if (settingRow(key).scope == SettingScope::Answer) Q_EMIT changed();
    });
    if (presets_ == nullptr) return;
    connect(presets_, &Presets::changed, this, [this] {
        if (takePreset()) Q_EMIT changed();
    });
}

/// Takes over the values of the chat's preset. Returns whether they have changed.
bool ChatSettings::takePreset() {
    const QJsonObject values = presets_->values(preset());
    if (layers_[Preset] == values) return false;
    layers_[Preset] = values;
    return true;
}

bool ChatSettings::sets(Layer layer, SettingScope scope) {
    return layer == Program || scope == SettingScope::Answer || (layer == Model && scope == SettingScope::Opening);
}

void ChatSettings::setLayer(Layer layer, const QJsonObject& values) {
    Q_ASSERT(layer != Program);
    if (layers_[layer] == values) return;
    layers_[layer] = values;
    if (layer == Chat && presets_ != nullptr) takePreset();
    Q_EMIT changed();
}

QString ChatSettings::preset() const { return layers_[Chat].value(kPresetKey).toString(); }

ChatSettings::Layer ChatSettings::layerOf(const QString& key) const {
    for (const Layer layer : {Chat, Preset, Model})
        if (sets(layer, settingRow(key).scope) && layers_[layer].contains(key)) return layer;
    return Program;
}

QJsonValue ChatSettings::value(const QString& key) const {
    const Layer layer = layerOf(key);
    return layer == Program ? program_->value(key) : settingRow(key).accepted(layers_[layer].value(key));
}

bool ChatSettings::thinking() const { return value(QStringLiteral("thinking")).toBool(); }

QString ChatSettings::systemPrompt() const { return value(QStringLiteral("systemPrompt")).toString(); }

engine::GenerateOptions ChatSettings::options(bool canThink) const {
    const auto number = [this](const char* key) { return static_cast<float>(value(QLatin1String(key)).toDouble()); };
    const auto whole = [this](const char* key) { return value(QLatin1String(key)).toInt(); };
    engine::GenerateOptions options;
    if (canThink) options.prompt.thinking = thinking();
    if (value(QStringLiteral("tools")).toBool()) // the template takes them in the form that it prefers
        options.prompt.tools = options.prompt.xmlTools = toolDefinitions().toStdString();
    options.sampling.temperature = number("temperature");
    options.sampling.topK = whole("topK");
    options.sampling.topP = number("topP");
    options.sampling.minP = number("minP");
    options.sampling.repetitionPenalty = number("repetitionPenalty");
    options.sampling.presencePenalty = number("presencePenalty");
    options.sampling.frequencyPenalty = number("frequencyPenalty");
    options.sampling.penaltyWindow = whole("penaltyWindow");
    if (const double seed = value(QStringLiteral("seed")).toDouble(); seed >= 0)
        options.sampling.seed = static_cast<uint64_t>(seed);
    if (const int most = whole("maxTokens"); most > 0) options.maxTokens = most;
    for (const QJsonValue& text : value(QStringLiteral("stopTexts")).toArray())
        options.stop.push_back(text.toString().toStdString());
    const bool allRows = value(QStringLiteral("headRows")).toString() == QStringLiteral("all");
    options.head = allRows ? engine::HeadRows::All : engine::HeadRows::Predicted;
    // The lossy ways. "never" is no time, and leaves 0, which is exact.
    const auto allow = [&](const char* when, const char* share, float& strength, engine::RoutingWhen& holds) {
        const auto time = engine::parseRoutingWhen(value(QLatin1String(when)).toString().toStdString());
        if (!time) return;
        strength = number(share);
        holds = time.value();
    };
    allow("preferCachedWhen", "preferCached", options.routing.preferCached, options.preferCachedWhen);
    allow("sureWhen", "sure", options.routing.topWeightShare, options.topWeightShareWhen);
    return options;
}

} // namespace coterie::app
