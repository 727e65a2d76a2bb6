// SPDX-License-Identifier: Apache-2.0
// The model in use: opens it with progress and cancel, describes it, and keeps the list of recent models. A missing
// file is a state of its own, not a series of errors. If no other model is open, the guide is: the bundled demo model,
// which is listed neither as recent nor as the model used last. Lives on the GUI thread.
#pragma once

#include "common/error_info.h"
#include "common/undo_stack.h"
#include "engine_link/engine_worker.h"

#include <QObject>
#include <QStringList>
#include <QUrl>
#include <QVariantList>
#include <QtQml/qqmlregistration.h>

#include <optional>

namespace coterie::app {

class Settings;

class ModelController : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("App has one")
    Q_PROPERTY(State state READ state NOTIFY stateChanged)
    Q_PROPERTY(double progress READ progress NOTIFY progressChanged)
    Q_PROPERTY(QString name READ name NOTIFY modelChanged)
    Q_PROPERTY(QString path READ path NOTIFY modelChanged)
    Q_PROPERTY(QString details READ details NOTIFY modelChanged)
    Q_PROPERTY(QVariantList facts READ facts NOTIFY modelChanged)
    Q_PROPERTY(bool experts READ experts NOTIFY modelChanged)
    Q_PROPERTY(bool readsExperts READ readsExperts NOTIFY modelChanged)
    Q_PROPERTY(bool continuesText READ continuesText NOTIFY modelChanged)
    Q_PROPERTY(bool canThink READ canThink NOTIFY modelChanged)
    Q_PROPERTY(bool demo READ demo NOTIFY modelChanged)
    Q_PROPERTY(bool demoOffered READ demoOffered NOTIFY modelChanged)
    Q_PROPERTY(QString demoPath READ demoPath NOTIFY modelChanged)
    Q_PROPERTY(bool outdated READ outdated NOTIFY optionsChanged)
    Q_PROPERTY(QStringList ownKeys READ ownKeys NOTIFY optionsChanged)
    Q_PROPERTY(bool memoryFixed READ memoryFixed CONSTANT)
    Q_PROPERTY(QStringList notes READ notes NOTIFY modelChanged)
    Q_PROPERTY(coterie::app::ErrorInfo error READ error NOTIFY errorChanged)
    Q_PROPERTY(bool errorShown READ errorShown NOTIFY errorChanged)
    Q_PROPERTY(QVariantList recent READ recent NOTIFY recentChanged)
    Q_PROPERTY(QUrl folder READ folder NOTIFY recentChanged)
  public:
    enum State {
        None, ///< no model was requested
        Opening,
        Ready,
        Failed,  ///< error says why
        Missing, ///< the file does not exist, or no longer exists
    };
    Q_ENUM(State)

    /// `worker` and `settings` outlive this object.
    ModelController(EngineWorker* worker, Settings* settings, QObject* parent = nullptr);

    /// Sets the command line's values, which override the settings. 0: not set.
    void setOverrides(quint64 memory, int threads);
    /// Sets the path of the bundled demo model; empty: there is none.
    void setGuide(const QString& path);
    /// Sets the folders of records and of packed files.
    void setFolders(const QString& records, const QString& packed) {
        recordsFolder_ = records;
        packedFolder_ = packed;
    }
    /// Sets what can compute a model besides the CPU.
    void setDevices(const engine::DeviceFactory& devices) { devices_ = devices; }
    /// Checks whether the model's file still exists. Call it after the engine failed during an answer.
    void checkAfterFailure(const engine::Error& error);

    State state() const { return state_; }
    double progress() const { return progress_; } ///< 0..1 while Opening
    QString name() const;                         ///< the model's own name, else the file's; "Demo model" for the guide
    QString ownName() const { return QString::fromStdString(model_.info.name); } ///< as its file says; may be empty
    QString path() const { return model_.path; } ///< absolute, with the system's separators
    QString details() const;                     ///< architecture, format and size on one line
    QVariantList facts() const;                  ///< [{name, value}] about the open model, for people
    bool experts() const { return model_.info.experts > 0; }
    /// True if the open model has fewer slots than experts (or than layers, if it has no experts): some are then read
    /// from disk during an answer.
    bool readsExperts() const { return state_ == Ready && model_.info.memory.slots < model_.info.memory.totalExperts; }
    /// True if the model's prompts mark no turns. The window then asks for the beginning of a text.
    bool continuesText() const { return state_ == Ready && model_.info.turns == engine::Turns::Plain; }
    bool canThink() const {
        return state_ == Ready && model_.info.canThink;
    }                                         ///< it can, if asked, think before it answers
    bool demo() const { return model_.demo; } ///< the guide is open, or was requested
    /// Names the model in Settings::modelSettings(): its path. The guide's path may differ from start to start.
    QString settingsKey() const;
    /// The settings of this model's answers, and of its opening: see ChatSettings::Model.
    QJsonObject answerSettings() const;
    bool demoOffered() const; ///< the guide exists and isn't open
    QString demoPath() const; ///< path of the guide, as path() would have it; empty: there is none
    /// True if settings about memory or threads have changed since the model was opened; reopen() applies them.
    bool outdated() const;
    /// The settings of scope Opening (SettingScope) for which this model has a value of its own.
    QStringList ownKeys() const;
    /// Sets the memory budget where this model has it from: in its own settings or in those of all models. reopen()
    /// applies it. 0: the engine chooses. It can be undone: see done().
    Q_INVOKABLE void setBudget(double bytes);
    bool memoryFixed() const { return memoryOverride_ > 0; } ///< the command line's budget overrides the settings'
    /// Returns the options with which the current model would be opened now. The path is empty if there is no model.
    engine::OpenOptions openOptions() const;
    QStringList notes() const; ///< assumptions about the file, and things that won't work
    /// The error of Failed and Missing; in the other states that of the last model that could not be opened.
    ErrorInfo error() const { return error_; }
    /// Whether a card says so: there is an error, and the user has not dismissed it.
    bool errorShown() const { return error_.valid() && !errorRead_; }
    /// The facts of the open model; nullptr if none is ready.
    const engine::ModelInfo* openInfo() const { return state_ == Ready ? &model_.info : nullptr; }
    /// [{name, path, exists}], latest first.
    QVariantList recent() const;
    /// The folder where the dialog for model files starts: that of the model used last, or the system's for downloads.
    QUrl folder() const;

    /// Opens the model at a file: URL (from a dialog or a drop) or at a path. If it can't be opened and another model
    /// is open, that one stays open, and error() says why.
    Q_INVOKABLE void open(const QString& urlOrPath);
    /// Closes the card about the error. A model that failed keeps its error, which its page shows.
    Q_INVOKABLE void dismissError();
    /// Opens the same model again with the current settings.
    Q_INVOKABLE void reopen();
    /// Opens the guide in place of the open model, which is then not opened at the next start. Does nothing if there is
    /// no guide or if it is open.
    Q_INVOKABLE void openDemo();
    /// Closes the model. Returns to the guide unless there is none, it failed to open, or it is the model being closed.
    Q_INVOKABLE void close();
    /// Cancels the opening. The rest is as in close(), but the model used last is still opened at the next start.
    Q_INVOKABLE void cancelOpening();
    /// Looks again which of the recent models' files exist. Call it when the list is shown.
    Q_INVOKABLE void lookAtRecent() { Q_EMIT recentChanged(); }
    /// Removes a path from the recent list.
    Q_INVOKABLE void forget(const QString& path);

  Q_SIGNALS:
    void stateChanged();
    void progressChanged();
    void modelChanged();
    void optionsChanged();
    void errorChanged();
    void recentChanged();
    /// A setting was changed. Undoing it opens no model.
    void done(const coterie::app::Undoable& step);

  private:
    void onOpened(quint64 opening, const engine::ModelInfo& info);
    void onOpenFailed(quint64 opening, const engine::Error& error, bool kept);
    QJsonValue opening(const QString& key) const;
    bool isGuide(const QString& path) const;
    void openFile(const QString& path);
    bool returnToGuide();
    void remember();
    ErrorInfo explained(const engine::Error& error) const;
    void setNone();
    void setMissing();
    ErrorInfo missing(const QString& path) const;
    void set(State state, const ErrorInfo& error);

    EngineWorker* worker_;
    Settings* settings_;
    State state_ = None;
    quint64 opening_ = 0; ///< number of this opening; signals about others are ignored
    double progress_ = 0;
    QString guide_, recordsFolder_, packedFolder_;
    bool guideFailed_ = false; ///< the guide failed to open; it is tried again only on request
    /// A model that is open, or is to be opened.
    struct Model {
        QString path;
        bool demo = false;
        engine::ModelInfo info{};
        engine::OpenOptions openedWith{};
    };
    Model model_;
    std::optional<Model> former_; ///< while Opening: the model that stays open if this one can't be opened
    ErrorInfo error_;
    bool errorRead_ = false; ///< see errorShown()
    engine::DeviceFactory devices_;
    quint64 memoryOverride_ = 0;
    int threadsOverride_ = 0;
};

} // namespace coterie::app
