// SPDX-License-Identifier: Apache-2.0
// Shows and changes the settings of an answer in one scope: those of all chats, of the open model, of a preset, or of
// one chat. A value that the scope does not set is that of the scopes below it, and source() says which. Each change of
// a value or of a preset is a step of App::undo(). Also used for the program's own settings, which have only one scope.
// Lives on the GUI thread.
//
//     SettingEditor { id: editor; app: root.app; conversation: root.app.conversation; layer: ChatSettings.Chat }
//     editor.setValue("temperature", 0.2)
#pragma once

#include "common/error_info.h"
#include "common/undo_stack.h"
#include "settings/chat_settings.h"
#include "settings/setting_step.h"

#include "base/result.h"

#include <QObject>
#include <QPointer>
#include <QStringList>
#include <QVariantMap>
#include <QtQml/qqmlregistration.h>

#include <memory>

namespace coterie::app {

class App;
class Conversation;

class SettingEditor : public QObject {
    Q_OBJECT
    Q_MOC_INCLUDE("app.h")
    QML_ELEMENT
    Q_PROPERTY(coterie::app::App* app READ app WRITE setApp NOTIFY changed REQUIRED)
    Q_PROPERTY(coterie::app::Conversation* conversation READ conversation WRITE setConversation NOTIFY changed)
    Q_PROPERTY(coterie::app::ChatSettings::Layer layer READ layer WRITE setLayer NOTIFY changed)
    Q_PROPERTY(QString preset READ preset WRITE setPreset NOTIFY changed)
    Q_PROPERTY(QString chatPreset READ chatPreset WRITE setChatPreset NOTIFY changed)
    Q_PROPERTY(bool possible READ possible NOTIFY changed)
    Q_PROPERTY(QString explanation READ explanation NOTIFY changed)
    Q_PROPERTY(QVariantMap values READ values NOTIFY changed)
    Q_PROPERTY(int count READ count NOTIFY changed)
    Q_PROPERTY(coterie::app::ErrorInfo error READ error NOTIFY errorChanged)
  public:
    explicit SettingEditor(QObject* parent = nullptr);
    ~SettingEditor() override;

    App* app() const;
    void setApp(App* app);
    /// The chat of the scope Chat; without one, this scope is not possible.
    Conversation* conversation() const;
    void setConversation(Conversation* conversation);
    ChatSettings::Layer layer() const { return layer_; }
    void setLayer(ChatSettings::Layer layer);
    /// The id of the preset that the scope Preset changes. If it is gone, for example because its making was undone,
    /// that is the one that was shown before it, or else the chat's or the first one. Once it is back, it is that
    /// again.
    QString preset() const;
    void setPreset(const QString& id);
    /// The id of the preset that the chat uses; empty: none.
    QString chatPreset() const;
    void setChatPreset(const QString& id);

    /// Whether there is a model, a preset or a chat to which the values would belong.
    bool possible() const;
    /// Says for people where the values of this scope hold.
    QString explanation() const;
    /// The values as they hold in this scope, by key.
    QVariantMap values() const;
    /// Number of values that the scope sets itself.
    int count() const;
    /// Why the last change could not be kept.
    ErrorInfo error() const { return error_; }

    QJsonValue value(const QString& key) const;
    /// Whether the scope itself sets the value; for the program: whether it is not the default.
    Q_INVOKABLE bool isSet(const QString& key) const;
    /// Says for people where a value comes from, for example "From the preset Precise".
    Q_INVOKABLE QString source(const QString& key) const;
    /// Says for people what a reset of the value does.
    Q_INVOKABLE QString resetText(const QString& key) const;
    void set(const QString& key, const QJsonValue& value);
    /// The same from a slider: changes that follow each other are one step.
    Q_INVOKABLE void slide(const QString& key, double value);
    /// The slider was given up, and this scope had no value before: takes the value away again, in the same step.
    Q_INVOKABLE void slideBack(const QString& key);
    Q_INVOKABLE void setValue(const QString& key, const QVariant& value);
    /// Takes the values away from this scope; the first key has a title.
    Q_INVOKABLE void reset(const QStringList& keys);
    /// Takes away all values of this scope. A preset that came with the program gets those that it came with.
    Q_INVOKABLE void resetAll();
    /// Gives all of the program's own settings, and those of all chats, their default values.
    Q_INVOKABLE void resetProgram();

    /// Makes a preset of the values as they hold in this scope, and returns its id.
    Q_INVOKABLE QString makePreset();
    /// Makes a preset that sets nothing yet, which the scope Preset then changes.
    Q_INVOKABLE void newPreset();
    /// Makes a copy of the preset that the scope Preset changes, and changes the copy from now on.
    Q_INVOKABLE void duplicatePreset();
    /// Renames the preset that the scope Preset changes, if the name is free.
    Q_INVOKABLE void renamePreset(const QString& name);
    /// Brings back the presets that came with the program and were deleted.
    Q_INVOKABLE void restorePresets();
    /// Deletes the preset that the scope Preset changes.
    Q_INVOKABLE void removePreset();

  Q_SIGNALS:
    void changed();
    void errorChanged();

  private:
    /// The place of a scope's values, which does not change with what is in view.
    struct Place {
        ChatSettings::Layer layer = ChatSettings::Program;
        QString name;    ///< the model's key, or the preset's id
        qint64 chat = 0; ///< see Conversation::chatId()
    };

    Place place() const;
    void resolve();
    void change(const QString& key, const QJsonValue& value, bool gradual);
    static Undoable changeOf(const QString& key);
    static Undoable gradualChangeOf(const QString& key, const Place& where);
    void apply(const Place& where, const SettingValues& changes, Undoable step);
    void applyReset(const QString& title, const SettingValues& changes);
    QString resetNotice() const;
    QString addPreset(const QJsonObject& values);
    void pushAdded(const QString& title, const QString& notice, const QStringList& ids);
    bool report(const engine::Status& done);
    SettingPlace keeperOf(const Place& place) const;

    QPointer<App> app_;
    QPointer<Conversation> conversation_;
    ChatSettings::Layer layer_ = ChatSettings::Program;
    QStringList shown_; ///< ids of the presets that were shown, the latest one last; some may be gone
    ErrorInfo error_;
    std::unique_ptr<ChatSettings> resolved_; ///< the layers up to this scope's
};

} // namespace coterie::app
