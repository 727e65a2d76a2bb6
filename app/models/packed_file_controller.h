// SPDX-License-Identifier: Apache-2.0
// The packed file of the open model's experts: says whether it would help and its size, writes it with progress, and
// removes it. Also lists and removes the packed files that no model uses any more. The engine's functions are passed
// in; they run on a thread of their own. Lives on the GUI thread.
#pragma once

#include "common/call_queue.h"
#include "common/error_info.h"
#include "models/model_controller.h"
#include "session/packed_files.h"

#include <QObject>
#include <QStringList>
#include <QtQml/qqmlregistration.h>

#include <atomic>
#include <functional>
#include <optional>
#include <vector>

namespace coterie::app {

/// Functions as those of session/packed_files.h. Either all are set or none is. They block; the controller calls one at
/// a time, on a thread of its own.
struct PackedFileCalls {
    std::function<engine::Result<engine::PackedFileStatus>(const engine::OpenOptions&)> inspect;
    std::function<engine::Result<engine::PackedFileStatus>(const engine::OpenOptions&, const engine::PackProgress&)>
        pack;
    std::function<engine::Result<uint64_t>(const engine::OpenOptions&)> remove;
    std::function<engine::Result<std::vector<engine::PackedFileEntry>>(const engine::OpenOptions&)> list;
    std::function<engine::Result<uint64_t>(const engine::OpenOptions&)> removeUnused;
};
/// Returns the engine's own functions.
inline PackedFileCalls packedFileCalls() {
    return {engine::inspectPacked, engine::packModel, engine::removePacked, engine::listPacked,
            engine::removeUnusedPacked};
}

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
    double bytes() const; ///< size that the file has or would have
    QString path() const { return QString::fromStdString(file_.path); }
    double progress() const { return progress_; } ///< 0..1 while Packing
    /// True if the file was written after the model was opened: the next opening uses it.
    bool waiting() const { return waiting_; }
    ErrorInfo error() const { return error_; }

    /// While true, unused packed files are listed, and listed again whenever they may have changed. This looks at the
    /// model of each packed file.
    bool listing() const { return listing_; }
    void setListing(bool listing);
    double unusedBytes() const; ///< bytes that they take
    /// Names of the models' files; for a damaged packed file its own name.
    QStringList unusedNames() const;
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
    void finished(quint64 number, const std::optional<engine::Error>& error, bool made);
    void found(const engine::Result<engine::PackedFileStatus>& file);
    void set(State state);
    engine::OpenOptions openModel() const;
    void listUnused();

    PackedFileCalls calls_;
    ModelController* models_;
    State state_ = Unavailable;
    engine::PackedFileStatus file_;
    double progress_ = 0;
    bool waiting_ = false;
    ErrorInfo error_;
    bool listing_ = false;
    std::vector<engine::PackedFileEntry> unused_;
    ErrorInfo unusedError_;
    quint64 lastList_ = 0; ///< number of the latest listing; results of others are dropped
    /// Number of the latest request. Results of others are dropped, and packing for another gives up.
    std::atomic<quint64> wanted_{0};
    CallQueue toGui_;
    CallThread thread_{QStringLiteral("packed file")};
};

} // namespace coterie::app
