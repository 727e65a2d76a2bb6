// SPDX-License-Identifier: Apache-2.0
// The program's settings, in settings.json of the data folder. setting_table.h says which there are. A moment after a
// change the file is written under a temporary name and then renamed. Keys that this version doesn't know are kept;
// values out of range are clamped. Chats are not stored here. Lives on the GUI thread.
//
//     settings.theme = QStringLiteral("dark");
//     const QString theme = settings.theme();
#pragma once

#include "common/error_info.h"
#include "settings/setting_table.h"

#include <QJsonObject>
#include <QObject>
#include <QRect>
#include <QStringList>
#include <QTimer>
#include <QtQml/qqmlregistration.h>

namespace coterie::app {

class Settings;

/// A setting as a member of Settings, which holds its value.
template <typename T>
class Setting {
  public:
    /// settingTable() has the key.
    Setting(Settings* settings, const char* key);
    Setting(const Setting&) = delete;
    Setting& operator=(const Setting&) = delete;

    T operator()() const;
    operator T() const { return (*this)(); }
    Setting& operator=(const T& value);
    friend bool operator!=(const Setting& setting, const T& value) { return setting() != value; }

  private:
    Settings* settings_;
    QString key_;
};

class Settings : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("App has one")
    Q_PROPERTY(QString theme MEMBER theme NOTIFY changed)
    Q_PROPERTY(double fontScale MEMBER fontScale NOTIFY changed)
    Q_PROPERTY(double memoryBudget MEMBER memoryBudget NOTIFY changed)
    Q_PROPERTY(QString device MEMBER device NOTIFY changed)
    Q_PROPERTY(bool thinking MEMBER thinking NOTIFY changed)
    Q_PROPERTY(QString preferCachedWhen MEMBER preferCachedWhen NOTIFY changed)
    Q_PROPERTY(double preferCached MEMBER preferCached NOTIFY changed)
    Q_PROPERTY(QString sureWhen MEMBER sureWhen NOTIFY changed)
    Q_PROPERTY(double sure MEMBER sure NOTIFY changed)
    Q_PROPERTY(bool sidebarShown MEMBER sidebarShown NOTIFY changed)
    Q_PROPERTY(QString chatOrder MEMBER chatOrder NOTIFY changed)
    Q_PROPERTY(double sidebarWidth MEMBER sidebarWidth NOTIFY changed)
    Q_PROPERTY(bool activityShown MEMBER activityShown NOTIFY changed)
    Q_PROPERTY(double activityWidth MEMBER activityWidth NOTIFY changed)
    Q_PROPERTY(bool firstLookTaken MEMBER firstLookTaken NOTIFY changed)
    Q_PROPERTY(bool allSettings MEMBER allSettings NOTIFY changed)
    Q_PROPERTY(QRect windowGeometry MEMBER windowGeometry NOTIFY changed)
    Q_PROPERTY(bool windowMaximised MEMBER windowMaximised NOTIFY changed)
  public:
    /// If the path is empty, the settings are kept in memory only. A file that can't be read, or not as JSON, is
    /// renamed to settings.json.bad, and the defaults apply.
    explicit Settings(const QString& path, QObject* parent = nullptr);
    /// Writes pending changes.
    ~Settings() override;

    Setting<QString> theme{this, "theme"};                       ///< "system", "light", "dark"
    Setting<double> fontScale{this, "fontScale"};                ///< 0.8..2
    Setting<double> memoryBudget{this, "memoryBudget"};          ///< bytes; 0: automatic
    Setting<QString> device{this, "device"};                     ///< the engine's name of what computes; "": the CPU
    Setting<int> contextTokens{this, "contextTokens"};           ///< 0: automatic
    Setting<QString> keyValueFormat{this, "keyValueFormat"};     ///< format of the KV cache: "f16", "q8_0"
    Setting<int> threads{this, "threads"};                       ///< 0: automatic
    Setting<QString> systemPrompt{this, "systemPrompt"};         ///< sent before every conversation; may be empty
    Setting<bool> thinking{this, "thinking"};                    ///< models that can think before they answer do so
    Setting<double> temperature{this, "temperature"};            ///< 0..2
    Setting<int> topK{this, "topK"};                             ///< 0: off
    Setting<int> maxTokens{this, "maxTokens"};                   ///< tokens of one answer; 0: until it ends
    Setting<QString> preferCachedWhen{this, "preferCachedWhen"}; ///< "never", "scarce", "always": engine::RoutingWhen
    Setting<double> preferCached{this, "preferCached"};          ///< 0..1: engine::ApproximateRouting
    Setting<QString> sureWhen{this, "sureWhen"};                 ///< as preferCachedWhen
    Setting<double> sure{this, "sure"};                          ///< 0..1: engine::ApproximateRouting::topWeightShare
    Setting<bool> sidebarShown{this, "sidebarShown"};            ///< if the window is wide enough
    Setting<bool> autoTitles{this, "autoTitles"};                ///< the model gives new chats their titles
    Setting<QString> chatOrder{this, "chatOrder"};               ///< "used", "title", "created": ChatSort
    Setting<double> sidebarWidth{this, "sidebarWidth"};          ///< 0: the window's own choice
    Setting<bool> activityShown{this, "activityShown"};    ///< the pane at the right, if the window is wide enough
    Setting<double> activityWidth{this, "activityWidth"};  ///< 0: the window's own choice
    Setting<bool> firstLookTaken{this, "firstLookTaken"};  ///< the inspector's first look was begun once
    Setting<bool> allSettings{this, "allSettings"};        ///< the page of settings shows the rarer ones too
    Setting<bool> tracesKept{this, "tracesKept"};          ///< traces are kept with their answers
    Setting<double> tracesLimit{this, "tracesLimit"};      ///< bytes of all that is kept so: 1 MiB to 64 GiB
    Setting<QRect> windowGeometry{this, "windowGeometry"}; ///< empty: the window's own choice
    Setting<bool> windowMaximised{this, "windowMaximised"};
    Setting<QStringList> recentModels{this, "recentModels"}; ///< paths, latest first
    Setting<QString> lastModel{this, "lastModel"};           ///< opened at start; empty: none
    Setting<double> lastChat{this, "lastChat"};              ///< shown at start; 0: a new chat
    Setting<double> besideChat{this, "besideChat"};          ///< shown beside it; 0: none
    Setting<bool> besideLeft{this, "besideLeft"};            ///< at the left of it

    /// Returns the value of any key of the table.
    QJsonValue value(const QString& key) const;
    void setValue(const QString& key, const QJsonValue& value);
    /// Returns whether the key has another value than its default.
    bool changedFromDefault(const QString& key) const;
    /// Returns the settings of a model's answers (ModelController::settingsKey()). Empty: it has none of its own.
    QJsonObject modelSettings(const QString& model) const;
    void setModelSettings(const QString& model, const QJsonObject& values);
    /// Writes pending changes now.
    void flush();

  Q_SIGNALS:
    void changed();
    void valueChanged(const QString& key);
    /// The file couldn't be written. Emitted once, and again only after a write has succeeded.
    void failed(const ErrorInfo& error);

  private:
    void load();

    QString path_;
    QJsonObject values_;
    QTimer writeTimer_;
    bool unwritten_ = false;
    bool reportedFailure_ = false;
};

} // namespace coterie::app
