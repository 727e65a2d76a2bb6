// SPDX-License-Identifier: Apache-2.0
// The packed file of the open model's experts: whether it would help, its size, making it with progress, removing it;
// and what the files of models that have gone still take.
// The engine's calls are handed in; they run on a thread of their own. Lives on the GUI thread.
#pragma once

#include "call_queue.h"
#include "error_info.h"
#include "model_controller.h"

#include <QObject>
#include <QStringList>
#include <QtQml/qqmlregistration.h>

#include <atomic>
#include <functional>

namespace coterie::app {

struct PackedFileInfo {
    enum class State {
        None,    ///< it isn't there
        Current, ///< it is, and belongs to the model
        Stale,   ///< it belongs to the model as it was
    };
    State state = State::None;
    QString path;      ///< where it is, or would be
    quint64 bytes = 0; ///< its size, or what it would be
};

/// Packed files that nobody reads: their models have changed or gone, or they are damaged.
struct UnusedPackedFiles {
    quint64 bytes = 0;
    QStringList names; ///< of their models' files; of a damaged one its own
};

/// All or none. They block, one at a time, on a thread of the controller's.
struct PackedFileCalls {
    std::function<engine::Result<PackedFileInfo>(const engine::OpenOptions&)> inspect;
    /// `progress`: 0..1; returns false to cancel, which is a Cancelled error and leaves nothing behind.
    std::function<engine::Status(const engine::OpenOptions&, const std::function<bool(double share)>& progress)> pack;
    std::function<engine::Status(const engine::OpenOptions&)> remove;
    /// The file of the model in the options, where there is one, isn't among them.
    std::function<engine::Result<UnusedPackedFiles>(const engine::OpenOptions&)> unused;
    std::function<engine::Status(const engine::OpenOptions&)> removeUnused;
};

class PackedFileController : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("App has one")
    Q_PROPERTY(State state READ state NOTIFY changed)
    Q_PROPERTY(double bytes READ bytes NOTIFY changed)
    Q_PROPERTY(QString path READ path NOTIFY changed)
    Q_PROPERTY(double progress READ progress NOTIFY progressChanged)
    Q_PROPERTY(bool waiting READ waiting NOTIFY changed)
    Q_PROPERTY(coterie::app::ErrorInfo error READ error NOTIFY changed)
    Q_PROPERTY(bool listing READ listing WRITE setListing NOTIFY listingChanged)
    Q_PROPERTY(double unusedBytes READ unusedBytes NOTIFY unusedChanged)
    Q_PROPERTY(QStringList unusedNames READ unusedNames NOTIFY unusedChanged)
    Q_PROPERTY(coterie::app::ErrorInfo unusedError READ unusedError NOTIFY unusedChanged)
  public:
    enum State {
        Unavailable, ///< no model is open, it has no experts, or it isn't known yet
        NotUseful,   ///< every expert fits into memory
        Offered,
        Packing,
        Present,
        Stale,  ///< of the model as it was
        Failed, ///< error says why
    };
    Q_ENUM(State)

    /// `models` outlives this object. Without calls it stays Unavailable.
    PackedFileController(PackedFileCalls calls, ModelController* models, QObject* parent = nullptr);
    ~PackedFileController() override;

    State state() const { return state_; }
    double bytes() const { return static_cast<double>(info_.bytes); } ///< of the file, there or not
    QString path() const { return info_.path; }
    double progress() const { return progress_; } ///< 0..1 while Packing
    bool waiting() const { return waiting_; }     ///< made since the model was opened: the next opening uses it
    ErrorInfo error() const { return error_; }

    /// Whether it looks for unused packed files, now and whenever that may have changed. The model of each file is
    /// looked at.
    bool listing() const { return listing_; }
    void setListing(bool listing);
    double unusedBytes() const { return static_cast<double>(unused_.bytes); } ///< that they take
    QStringList unusedNames() const { return unused_.names; }
    ErrorInfo unusedError() const { return unusedError_; } ///< why they were not removed

    /// Makes it, or makes it anew where it is stale.
    Q_INVOKABLE void pack();
    Q_INVOKABLE void cancel();
    Q_INVOKABLE void remove();
    /// After a failure: what is there now?
    Q_INVOKABLE void lookAgain();
    /// Removes all unused packed files that there are by then.
    Q_INVOKABLE void removeUnused();

  Q_SIGNALS:
    void changed();
    void listingChanged();
    void unusedChanged();
    void progressChanged();

  private:
    void onModelState();
    void look();
    void finished(quint64 number, const engine::Status& done, bool made);
    void found(const engine::Result<PackedFileInfo>& info);
    void set(State state);
    engine::OpenOptions openModel() const;
    void listUnused();

    PackedFileCalls calls_;
    ModelController* models_;
    State state_ = Unavailable;
    PackedFileInfo info_;
    double progress_ = 0;
    bool waiting_ = false;
    ErrorInfo error_;
    bool listing_ = false;
    UnusedPackedFiles unused_;
    ErrorInfo unusedError_;
    quint64 lastList_ = 0;           ///< what others found is stale
    std::atomic<quint64> wanted_{0}; ///< what belongs to another number is stale; packing with it gives up
    CallQueue told_;
    CallThread thread_{QStringLiteral("packed file")};
};

} // namespace coterie::app
