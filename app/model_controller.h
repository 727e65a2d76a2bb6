// SPDX-License-Identifier: Apache-2.0
// The model in use: opening with progress and cancel, what it is, and the list of recent ones. A file that vanished is
// a state, not a row of errors. Where no other is open, the guide is: the bundled demo model, which is never
// remembered. Lives on the GUI thread.
#pragma once

#include "engine_worker.h"
#include "error_info.h"

#include <QObject>
#include <QStringList>
#include <QVariantList>
#include <QtQml/qqmlregistration.h>

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
    Q_PROPERTY(bool experts READ experts NOTIFY modelChanged)
    Q_PROPERTY(bool readsExperts READ readsExperts NOTIFY modelChanged)
    Q_PROPERTY(bool continuesText READ continuesText NOTIFY modelChanged)
    Q_PROPERTY(bool canThink READ canThink NOTIFY modelChanged)
    Q_PROPERTY(bool demo READ demo NOTIFY modelChanged)
    Q_PROPERTY(bool demoOffered READ demoOffered NOTIFY modelChanged)
    Q_PROPERTY(bool outdated READ outdated NOTIFY optionsChanged)
    Q_PROPERTY(bool memoryFixed READ memoryFixed CONSTANT)
    Q_PROPERTY(QStringList notes READ notes NOTIFY modelChanged)
    Q_PROPERTY(coterie::app::ErrorInfo error READ error NOTIFY errorChanged)
    Q_PROPERTY(QVariantList recent READ recent NOTIFY recentChanged)
  public:
    enum State {
        None, ///< no model was asked for
        Opening,
        Ready,
        Failed,  ///< error says why
        Missing, ///< the file isn't there, or is no longer there
    };
    Q_ENUM(State)

    /// `worker` and `settings` outlive this object.
    ModelController(EngineWorker* worker, Settings* settings, QObject* parent = nullptr);

    /// What the command line set: they win over the settings. 0: not set.
    void setOverrides(quint64 memory, int threads);
    /// The file of the bundled demo model; empty: there is none.
    void setGuide(const QString& path);
    /// The folders of measurements and of packed files.
    void setFolders(const QString& records, const QString& packed) {
        recordsFolder_ = records;
        packedFolder_ = packed;
    }
    /// The engine failed in mid-answer: looks whether the file is still there.
    void checkAfterFailure(const engine::Error& error);

    State state() const { return state_; }
    double progress() const { return progress_; } ///< 0..1 while Opening
    QString name() const;                         ///< the model's own name, else the file's
    QString path() const { return path_; }        ///< absolute, with the system's separators
    QString details() const;                      ///< "llama - F32 - 1.0 MiB"
    bool experts() const { return info_.experts > 0; }
    /// Not every expert of the open model has a place in memory, or not every layer where it has no experts: some are
    /// read from disk while it answers.
    bool readsExperts() const { return state_ == Ready && info_.memory.slots < info_.memory.totalExperts; }
    /// It marks no turns: the window then asks for the beginning of a text.
    bool continuesText() const { return state_ == Ready && info_.turns == engine::Turns::Plain; }
    bool canThink() const { return state_ == Ready && info_.canThink; } ///< before it answers, where it is asked to
    bool demo() const { return demo_; }                                 ///< the guide is open, or was to be opened
    bool demoOffered() const;                                           ///< the guide is there, and isn't open
    /// The settings have changed since the model was opened: another opening would give it other memory.
    bool outdated() const;
    bool memoryFixed() const { return memoryOverride_ > 0; } ///< by the command line: the settings' budget rests
    /// How the model in question would be opened now; no path where there is none.
    engine::OpenOptions openOptions() const;
    QStringList notes() const; ///< what was assumed about the file, what won't work
    ErrorInfo error() const { return error_; }
    /// [{name, path, exists}], latest first.
    QVariantList recent() const;

    /// A file: url (dialog, drop) or a path.
    Q_INVOKABLE void open(const QString& urlOrPath);
    /// The same model again, as the settings are now.
    Q_INVOKABLE void reopen();
    /// The guide instead of what is open, which isn't opened at the next start. Nothing where there is no guide.
    Q_INVOKABLE void openDemo();
    /// Back to the guide, if there is one that opens and it isn't what is closed.
    Q_INVOKABLE void close();
    /// The same, but the model used last stays that.
    Q_INVOKABLE void cancelOpening();
    /// Takes a path off the recent list.
    Q_INVOKABLE void forget(const QString& path);

  Q_SIGNALS:
    void stateChanged();
    void progressChanged();
    void modelChanged();
    void optionsChanged();
    void errorChanged();
    void recentChanged();

  private:
    void onOpened(quint64 opening, const engine::ModelInfo& info);
    void onOpenFailed(quint64 opening, const engine::Error& error);
    bool returnToGuide();
    void remember();
    ErrorInfo explained(const engine::Error& error) const;
    void setNone();
    void setMissing();
    void set(State state, const ErrorInfo& error);

    EngineWorker* worker_;
    Settings* settings_;
    State state_ = None;
    quint64 opening_ = 0; ///< signals about others are stale
    double progress_ = 0;
    QString path_, guide_, recordsFolder_, packedFolder_;
    bool demo_ = false;
    bool guideFailed_ = false; ///< it is opened only when asked for
    engine::ModelInfo info_;
    engine::OpenOptions openedWith_;
    ErrorInfo error_;
    quint64 memoryOverride_ = 0;
    int threadsOverride_ = 0;
};

} // namespace coterie::app
