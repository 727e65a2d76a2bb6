// SPDX-License-Identifier: Apache-2.0
// The settings of one chat's answers. Each key of scope Answer (setting_table.h) has the value of the topmost layer
// that sets it: the chat's own, its preset's, the model's, the program's. Lives on the GUI thread.
#pragma once

#include "setting_table.h"

#include "session/session.h"

#include <QJsonObject>
#include <QObject>

#include <array>

namespace coterie::app {

class Settings;

class ChatSettings : public QObject {
    Q_OBJECT
  public:
    enum Layer { Program, Model, Preset, Chat };

    /// `program` outlives this object.
    explicit ChatSettings(const Settings* program, QObject* parent = nullptr);

    /// Replaces what a layer above the program's sets. Keys that are unknown or belong to the program have no effect.
    void setLayer(Layer layer, const QJsonObject& values);
    const QJsonObject& layer(Layer layer) const { return layers_[layer]; }
    QJsonValue value(const QString& key) const;
    /// Returns the layer that the value comes from.
    Layer layerOf(const QString& key) const;

    QString systemPrompt() const;
    /// Returns the options of an answer. canThink: the model's template supports thinking.
    engine::GenerateOptions options(bool canThink) const;

  Q_SIGNALS:
    void changed();

  private:
    const Settings* program_;
    std::array<QJsonObject, Chat + 1> layers_; ///< the first is empty: Settings has those values
};

} // namespace coterie::app
