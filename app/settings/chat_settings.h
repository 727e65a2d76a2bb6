// SPDX-License-Identifier: Apache-2.0
// The settings of one chat's answers. Each key of scope Answer (setting_table.h) has the value of the topmost layer
// that sets it: the chat's own, its preset's, the model's, the program's. A key of scope Opening has that of the model
// or of the program. The chat's own settings name its preset. Lives on the GUI thread.
//
//     settings.setLayer(ChatSettings::Chat, {{"preset", "precise"}, {"topK", 20}});
//     session.chat(conversation, settings.options(canThink), onDelta);
#pragma once

#include "settings/setting_table.h"

#include "session/session.h"

#include <QJsonObject>
#include <QObject>
#include <QtQml/qqmlregistration.h>

#include <array>

namespace coterie::app {

class Presets;
class Settings;

class ChatSettings : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("Conversation has one")
    Q_PROPERTY(bool own READ own NOTIFY changed)
    Q_PROPERTY(bool thinking READ thinking NOTIFY changed)
  public:
    enum Layer { Program, Model, Preset, Chat };
    Q_ENUM(Layer)

    /// `program` and `presets` outlive this object. Without presets, the preset's layer is set by hand.
    explicit ChatSettings(const Settings* program, const Presets* presets = nullptr, QObject* parent = nullptr);

    /// Whether a layer may set keys of this scope. The program may set all.
    static bool sets(Layer layer, SettingScope scope);
    /// Replaces what a layer above the program's sets. Keys that are unknown or belong to the program have no effect.
    /// The chat's layer also chooses the preset's.
    void setLayer(Layer layer, const QJsonObject& values);
    const QJsonObject& layer(Layer layer) const { return layers_[layer]; }
    QJsonValue value(const QString& key) const;
    /// Returns the layer that the value comes from.
    Layer layerOf(const QString& key) const;

    /// Whether the chat has settings of its own.
    bool own() const { return !layers_[Chat].isEmpty(); }
    /// Returns the id of the chat's preset; empty: none.
    QString preset() const;
    bool thinking() const;
    QString systemPrompt() const;
    /// Returns the options of an answer. canThink: the model's template supports thinking.
    engine::GenerateOptions options(bool canThink) const;

  Q_SIGNALS:
    void changed();

  private:
    bool takePreset();

    const Settings* program_;
    const Presets* presets_;
    std::array<QJsonObject, Chat + 1> layers_; ///< the first is empty: Settings has those values
};

} // namespace coterie::app
