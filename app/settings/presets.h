// SPDX-License-Identifier: Apache-2.0
// The presets: named sets of an answer's settings (setting_table.h), of which a chat may use one. They are kept with
// the program's settings. Some come with the program; they can be changed, renamed and deleted as any other. A chat
// names its preset by id, so that a new name changes nothing for it. Lives on the GUI thread.
//
//     const QString id = presets.add(tr("Poems"), {{"temperature", 1.1}});
//     presets.setValues(id, {{"temperature", 1.2}});
#pragma once

#include "common/row_list.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QStringList>
#include <QtQml/qqmlregistration.h>

#include <vector>

namespace coterie::app {

class Settings;

class Presets : public coterie::app::RowList {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("App has one")
    Q_PROPERTY(int count READ count NOTIFY changed)
    Q_PROPERTY(bool complete READ complete NOTIFY changed)
  public:
    enum Roles {
        PresetIdRole = Qt::UserRole + 1, ///< presetId
        NameRole,                        ///< name
    };
    Q_ENUM(Roles)

    struct Preset {
        QString id;
        QString name; ///< empty: one that came with the program, under its own name
        QJsonObject values;
    };

    /// `settings` outlives this object.
    explicit Presets(Settings* settings, QObject* parent = nullptr);

    int count() const override { return static_cast<int>(presets_.size()); }
    /// Whether none of the presets that came with the program was deleted.
    bool complete() const;
    /// Returns nullptr if there is no such preset. The pointer is valid until the list changes.
    const Preset* find(const QString& id) const;
    bool contains(const QString& id) const { return find(id) != nullptr; }
    /// Returns -1 if there is no such preset.
    int rowOf(const QString& id) const;
    /// Returns the id of the first preset; empty if there is none.
    Q_INVOKABLE QString first() const;
    /// Returns the preset's name; empty if there is no such preset.
    Q_INVOKABLE QString name(const QString& id) const;
    /// Returns what the preset sets; nothing if there is no such preset.
    QJsonObject values(const QString& id) const;
    /// Returns the values that the preset came with; those that a user made came with none.
    QJsonObject usualValues(const QString& id) const;

    /// Whether a preset can get this name: it is not empty, and none has it.
    Q_INVOKABLE bool isFree(const QString& name) const;

    /// Adds a preset after the others and returns its id. A name that is taken gets a number.
    QString add(const QString& name, const QJsonObject& values);
    /// Adds a copy right after the preset and returns its id; empty if there is no such preset.
    QString duplicate(const QString& id);
    /// Changes the name. Returns false if the name is empty or another preset has it.
    bool rename(const QString& id, const QString& name);
    /// Gives the preset a name that it had before. Empty: the one under which it came with the program.
    void setName(const QString& id, const QString& name);
    void remove(const QString& id);
    /// Adds a preset at a row, for example one that was removed there.
    void insert(int row, const Preset& preset);
    /// Returns all presets as {id, name, values}, for an export.
    QJsonArray list() const;
    /// Adds those of such a list that are not here, and returns their number. It may come from any file: entries that
    /// are no presets, and those after the first 200, are left out, and a name that is taken gets a number.
    int addMissing(const QJsonArray& list);
    /// Adds those that came with the program and were deleted, and returns their ids in the order of their rows.
    QStringList restoreShipped();
    void setValues(const QString& id, const QJsonObject& values);

    QVariant data(const QModelIndex& index, int role) const override;

  Q_SIGNALS:
    /// Presets were added, removed, renamed, or have other values.
    void changed();

  private:
    static std::vector<Preset> shipped();
    static Preset presetOf(const QJsonObject& entry);
    void read();
    void write();
    bool isTaken(const QString& name) const;
    static QString numbered(const QString& name, int number);
    QString freeName(const QString& name) const;
    QString withoutNumber(const QString& name) const;

    Settings* settings_;
    std::vector<Preset> presets_;
};

/// The key in a chat's own settings that has the id of its preset.
inline constexpr auto kPresetKey = QLatin1String("preset");

} // namespace coterie::app
