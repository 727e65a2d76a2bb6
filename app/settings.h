// SPDX-License-Identifier: Apache-2.0
// The user's settings, in settings.json of the data folder. A moment after a change the file is written under a
// temporary name and then renamed. Keys that this version doesn't know are kept; values out of range are clamped. Chats
// are not stored here. Lives on the GUI thread.
#pragma once

#include "error_info.h"

#include <QJsonObject>
#include <QObject>
#include <QRect>
#include <QStringList>
#include <QTimer>
#include <QtQml/qqmlregistration.h>

namespace coterie::app {

class Settings : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("App has one")
    Q_PROPERTY(QString theme READ theme WRITE setTheme NOTIFY themeChanged)
    Q_PROPERTY(double fontScale READ fontScale WRITE setFontScale NOTIFY fontScaleChanged)
    Q_PROPERTY(double memoryBudget READ memoryBudget WRITE setMemoryBudget NOTIFY memoryBudgetChanged)
    Q_PROPERTY(int contextTokens READ contextTokens WRITE setContextTokens NOTIFY contextTokensChanged)
    Q_PROPERTY(QString keyValueFormat READ keyValueFormat WRITE setKeyValueFormat NOTIFY keyValueFormatChanged)
    Q_PROPERTY(int threads READ threads WRITE setThreads NOTIFY threadsChanged)
    Q_PROPERTY(QString systemPrompt READ systemPrompt WRITE setSystemPrompt NOTIFY systemPromptChanged)
    Q_PROPERTY(bool thinking READ thinking WRITE setThinking NOTIFY thinkingChanged)
    Q_PROPERTY(bool demoThinking READ demoThinking WRITE setDemoThinking NOTIFY demoThinkingChanged)
    Q_PROPERTY(double temperature READ temperature WRITE setTemperature NOTIFY temperatureChanged)
    Q_PROPERTY(double topP READ topP WRITE setTopP NOTIFY topPChanged)
    Q_PROPERTY(int topK READ topK WRITE setTopK NOTIFY topKChanged)
    Q_PROPERTY(double minP READ minP WRITE setMinP NOTIFY minPChanged)
    Q_PROPERTY(int maxTokens READ maxTokens WRITE setMaxTokens NOTIFY maxTokensChanged)
    Q_PROPERTY(QString preferCachedWhen READ preferCachedWhen WRITE setPreferCachedWhen NOTIFY preferCachedWhenChanged)
    Q_PROPERTY(double preferCached READ preferCached WRITE setPreferCached NOTIFY preferCachedChanged)
    Q_PROPERTY(QString sureWhen READ sureWhen WRITE setSureWhen NOTIFY sureWhenChanged)
    Q_PROPERTY(double sure READ sure WRITE setSure NOTIFY sureChanged)
    Q_PROPERTY(bool sidebarShown READ sidebarShown WRITE setSidebarShown NOTIFY sidebarShownChanged)
    Q_PROPERTY(double sidebarWidth READ sidebarWidth WRITE setSidebarWidth NOTIFY sidebarWidthChanged)
    Q_PROPERTY(QRect windowGeometry READ windowGeometry WRITE setWindowGeometry NOTIFY windowGeometryChanged)
  public:
    /// If the path is empty, the settings are kept in memory only. A file that can't be read as JSON is renamed to
    /// settings.json.bad, and the defaults apply.
    explicit Settings(const QString& path, QObject* parent = nullptr);
    /// Writes pending changes.
    ~Settings() override;

    QString theme() const;            ///< "system", "light", "dark"
    double fontScale() const;         ///< 0.8..2
    double memoryBudget() const;      ///< bytes; 0: automatic
    int contextTokens() const;        ///< 0: automatic
    QString keyValueFormat() const;   ///< format of the KV cache: "f16", "q8_0"
    int threads() const;              ///< 0: automatic
    QString systemPrompt() const;     ///< put before every conversation; may be empty
    bool thinking() const;            ///< models that can think before they answer do so
    bool demoThinking() const;        ///< the demo model does so; unlike others it answers no better for it
    double temperature() const;       ///< 0..2
    double topP() const;              ///< 0..1
    int topK() const;                 ///< 0: off
    double minP() const;              ///< 0..1
    int maxTokens() const;            ///< tokens of one answer; 0: until it ends
    QString preferCachedWhen() const; ///< "never", "scarce", "always": engine::RoutingWhen
    double preferCached() const;      ///< 0..1: engine::ApproximateRouting, when preferCachedWhen() holds
    QString sureWhen() const;         ///< as preferCachedWhen()
    double sure() const;              ///< 0..1: engine::ApproximateRouting, when sureWhen() holds
    bool sidebarShown() const;        ///< the list of chats is shown if the window is wide enough
    double sidebarWidth() const;      ///< 0: the window's own choice
    QRect windowGeometry() const;     ///< empty: the window's own choice
    QStringList recentModels() const; ///< paths, latest first
    QString lastModel() const;        ///< opened at start; empty: none

    void setTheme(const QString& theme);
    void setFontScale(double scale);
    void setMemoryBudget(double bytes);
    void setContextTokens(int tokens);
    void setKeyValueFormat(const QString& format);
    void setThreads(int threads);
    void setSystemPrompt(const QString& text);
    void setThinking(bool thinks);
    void setDemoThinking(bool thinks);
    void setTemperature(double temperature);
    void setTopP(double topP);
    void setTopK(int topK);
    void setMinP(double minP);
    void setMaxTokens(int tokens);
    void setPreferCachedWhen(const QString& when);
    void setPreferCached(double share);
    void setSureWhen(const QString& when);
    void setSure(double share);
    void setSidebarShown(bool shown);
    void setSidebarWidth(double width);
    void setWindowGeometry(const QRect& geometry);
    void setRecentModels(const QStringList& paths);
    void setLastModel(const QString& path);

    /// Writes pending changes now.
    void flush();

  Q_SIGNALS:
    void themeChanged();
    void fontScaleChanged();
    void memoryBudgetChanged();
    void contextTokensChanged();
    void keyValueFormatChanged();
    void threadsChanged();
    void systemPromptChanged();
    void thinkingChanged();
    void demoThinkingChanged();
    void temperatureChanged();
    void topPChanged();
    void topKChanged();
    void minPChanged();
    void maxTokensChanged();
    void preferCachedWhenChanged();
    void preferCachedChanged();
    void sureWhenChanged();
    void sureChanged();
    void sidebarShownChanged();
    void sidebarWidthChanged();
    void windowGeometryChanged();
    void recentModelsChanged();
    /// The file couldn't be written. Emitted once, and again only after a write has succeeded.
    void failed(const ErrorInfo& error);

  private:
    void load();
    void change(const QString& key, const QJsonValue& value, void (Settings::*changed)());
    double number(const QString& key, double least, double most, double usual) const;
    int whole(const QString& key, int least, int most, int usual) const;
    QString when(const QString& key) const;

    QString path_;
    QJsonObject values_;
    QTimer writeTimer_;
    bool unwritten_ = false;
    bool toldFailure_ = false;
};

} // namespace coterie::app
