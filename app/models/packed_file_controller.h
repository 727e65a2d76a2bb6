// SPDX-License-Identifier: Apache-2.0
// The packed file of the open model's experts: says whether it would help and its size, writes it with progress, and
// removes it. Also lists and removes the packed files that no model uses any more. The engine's functions are passed
// in; they run on a thread of their own. Lives on the GUI thread.
#pragma once

#include "common/call_queue.h"
#include "common/error_info.h"
#include "models/model_controller.h"

#include <QObject>
#include <QStringList>
#include <QtQml/qqmlregistration.h>

#include <atomic>
#include <functional>

namespace coterie::app {

struct PackedFileInfo {
    enum class State {
        None,    ///< the file does not exist
        Current, ///< the file exists and belongs to the model
        Stale,   ///< the file belongs to an earlier version of the model
    };
    State state = State::None;
    QString path;      ///< path of the file, whether it exists or not
    quint64 bytes = 0; ///< its size, or the size that it would have
};

/// Packed files that are no longer used: their models have changed or no longer exist, or the files are damaged.
struct UnusedPackedFiles {
    quint64 bytes = 0;
    QStringList names; ///< names of the models' files; for a damaged packed file its own name
};

/// Either all functions are set or none is. They block; the controller calls one at a time, on a thread of its own.
struct PackedFileCalls {
    std::function<engine::Result<PackedFileInfo>(const engine::OpenOptions&)> inspect;
    /// `progress` receives 0..1 and returns false to cancel. The result is then a Cancelled error, and no file is left.
    std::function<engine::Status(const engine::OpenOptions&, const std::function<bool(double share)>& progress)> pack;
    std::function<engine::Status(const engine::OpenOptions&)> remove;
    /// The packed file of the model in the options, if there is one, is not listed.
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
        Unavailable, ///< no model is open, it has no experts, or its packed file isn't known yet
        NotUseful,   ///< every expert fits into memory
        Offered,
        Packing,
        Present,
        Stale,  ///< the file belongs to an earlier version of the model
        Failed, ///< error says why
    };
    Q_ENUM(State)

    /// `models` outlives this object. Without calls the state stays Unavailable.
    PackedFileController(PackedFileCalls calls, ModelController* models, QObject* parent = nullptr);
    ~PackedFileController() override;

    State state() const { return state_; }
    double bytes() const { return static_cast<double>(info_.bytes); } ///< size that the file has or would have
    QString path() const { return info_.path; }
    double progress() const { return progress_; } ///< 0..1 while Packing
    /// True if the file was written after the model was opened: the next opening uses it.
    bool waiting() const { return waiting_; }
    ErrorInfo error() const { return error_; }

    /// While true, unused packed files are listed, and listed again whenever they may have changed. This looks at the
    /// model of each packed file.
    bool listing() const { return listing_; }
    void setListing(bool listing);
    double unusedBytes() const { return static_cast<double>(unused_.bytes); } ///< bytes that they take
    QStringList unusedNames() const { return unused_.names; }
    ErrorInfo unusedError() const { return unusedError_; } ///< reason why they were not removed

    /// Writes the packed file, or writes it again if it is stale.
    Q_INVOKABLE void pack();
    Q_INVOKABLE void cancel();
    Q_INVOKABLE void remove();
    /// Looks at the packed file again, after a failure.
    Q_INVOKABLE void lookAgain();
    /// Removes all packed files that are unused when the call runs.
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
    quint64 lastList_ = 0; ///< number of the latest listing; results of others are dropped
    /// Number of the latest request. Results of others are dropped, and packing for another gives up.
    std::atomic<quint64> wanted_{0};
    CallQueue toGui_;
    CallThread thread_{QStringLiteral("packed file")};
};

} // namespace coterie::app
