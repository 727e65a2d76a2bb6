// SPDX-License-Identifier: Apache-2.0
// See chat_settings.h.
#include "chat_settings.h"

#include "settings.h"

namespace coterie::app {

ChatSettings::ChatSettings(const Settings* program, QObject* parent) : QObject(parent), program_(program) {
    connect(program_, &Settings::changed, this, &ChatSettings::changed);
}

void ChatSettings::setLayer(Layer layer, const QJsonObject& values) {
    Q_ASSERT(layer != Program);
    if (layers_[layer] == values) return;
    layers_[layer] = values;
    Q_EMIT changed();
}

ChatSettings::Layer ChatSettings::layerOf(const QString& key) const {
    if (settingRow(key).scope == SettingScope::Answer)
        for (const Layer layer : {Chat, Preset, Model})
            if (layers_[layer].contains(key)) return layer;
    return Program;
}

QJsonValue ChatSettings::value(const QString& key) const {
    const Layer layer = layerOf(key);
    return layer == Program ? program_->value(key) : settingRow(key).accepted(layers_[layer].value(key));
}

QString ChatSettings::systemPrompt() const { return value(QStringLiteral("systemPrompt")).toString(); }

engine::GenerateOptions ChatSettings::options(bool canThink) const {
    const auto number = [this](const char* key) { return static_cast<float>(value(QLatin1String(key)).toDouble()); };
    const auto whole = [this](const char* key) { return value(QLatin1String(key)).toInt(); };
    engine::GenerateOptions options;
    if (canThink) options.prompt.thinking = value(QStringLiteral("thinking")).toBool();
    options.sampling.temperature = number("temperature");
    options.sampling.topK = whole("topK");
    options.sampling.topP = number("topP");
    options.sampling.minP = number("minP");
    if (const int most = whole("maxTokens"); most > 0) options.maxTokens = most;
    // The lossy ways. "never" leaves 0, which is exact.
    const auto allow = [&](const char* when, const char* share, float& strength, engine::RoutingWhen& holds) {
        const QString name = value(QLatin1String(when)).toString();
        if (name == QStringLiteral("never")) return;
        strength = number(share);
        holds = name == QStringLiteral("scarce") ? engine::RoutingWhen::Scarce : engine::RoutingWhen::Always;
    };
    allow("preferCachedWhen", "preferCached", options.routing.preferCached, options.preferCachedWhen);
    allow("sureWhen", "sure", options.routing.topWeightShare, options.topWeightShareWhen);
    return options;
}

} // namespace coterie::app
