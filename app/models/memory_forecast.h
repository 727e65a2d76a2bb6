// SPDX-License-Identifier: Apache-2.0
// Forecasts the memory that the current model would take if it were opened with the current settings. The figures are
// for the settings page; while enabled, they are computed from metadata alone, on a thread of their own. Lives on the
// GUI thread.
#pragma once

#include "common/call_queue.h"
#include "common/error_info.h"
#include "engine_link/engine_worker.h"
#include "engine_link/memory_outlook.h"
#include "models/model_controller.h"

#include <QObject>
#include <QTimer>
#include <QtQml/qqmlregistration.h>

#include <atomic>

namespace coterie::app {

/// Bytes are doubles because QML's numbers are. If the budget is too small, the figures are for the smallest budget
/// that works.
class MemoryForecast : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("App has one")
    Q_PROPERTY(bool enabled READ enabled WRITE setEnabled NOTIFY enabledChanged)
    Q_PROPERTY(State state READ state NOTIFY changed)
    Q_PROPERTY(coterie::app::ErrorInfo error READ error NOTIFY changed)
    Q_PROPERTY(QString name READ name NOTIFY changed)
    Q_PROPERTY(bool automatic READ automatic NOTIFY changed)
    Q_PROPERTY(double budget READ budget NOTIFY changed)
    Q_PROPERTY(double least READ least NOTIFY changed)
    Q_PROPERTY(double leastGibi READ leastGibi NOTIFY changed)
    Q_PROPERTY(double machine READ machine CONSTANT)
    Q_PROPERTY(double reachable READ reachable NOTIFY changed)
    Q_PROPERTY(double weights READ weights NOTIFY changed)
    Q_PROPERTY(double experts READ experts NOTIFY changed)
    Q_PROPERTY(double keyValue READ keyValue NOTIFY changed)
    Q_PROPERTY(double states READ states NOTIFY changed)
    Q_PROPERTY(int layers READ layers NOTIFY changed)
    Q_PROPERTY(int recurrentLayers READ recurrentLayers NOTIFY changed)
    Q_PROPERTY(double program READ program NOTIFY changed)
    Q_PROPERTY(double needed READ needed NOTIFY changed)
    Q_PROPERTY(int context READ context NOTIFY changed)
    Q_PROPERTY(int longestContext READ longestContext NOTIFY changed)
    Q_PROPERTY(int room READ room NOTIFY changed)
    Q_PROPERTY(int allExperts READ allExperts NOTIFY changed)
    Q_PROPERTY(bool dense READ dense NOTIFY changed)
    Q_PROPERTY(int tokenExperts READ tokenExperts NOTIFY changed)
  public:
    enum State {
        NoModel, ///< there is no model to look at
        Looking,
        Fits,
        TooLittle, ///< the budget is below `least`
        Failed,    ///< error says why
    };
    Q_ENUM(State)

    /// `worker` and `models` outlive this object. Without an inspector the state stays NoModel.
    MemoryForecast(ModelInspector inspect, EngineWorker* worker, ModelController* models, QObject* parent = nullptr);
    ~MemoryForecast() override;

    bool enabled() const { return enabled_; }
    void setEnabled(bool enabled);

    State state() const { return state_; }
    ErrorInfo error() const { return error_; }
    QString name() const { return QString::fromStdString(info_.name); }
    bool automatic() const { return shown_.memory == 0; }        ///< the engine chooses the budget
    double budget() const;                                       ///< bytes for the whole process
    double least() const { return static_cast<double>(least_); } ///< smallest budget that works; 0: not known yet
    /// The same in GiB, as the settings write it: rounded up to two decimals, so that it is still enough.
    double leastGibi() const;
    double machine() const;                         ///< memory of the machine; 0: unknown
    double reachable() const { return reachable_; } ///< bytes that other programs leave to this one now; 0: unknown
    double weights() const { return bytes(info_.memory.resident + info_.memory.embeddingRows); }
    double experts() const { return bytes(info_.memory.slotArena()); }
    double keyValue() const { return bytes(info_.memory.keyValue); }
    double states() const { return bytes(info_.memory.state); } ///< recurrent layers' states, with kept copies
    int layers() const { return static_cast<int>(info_.layers); }
    int recurrentLayers() const {
        return static_cast<int>(info_.recurrentLayers);
    } ///< a longer chat costs them nothing
    double program() const { return bytes(info_.memory.program + info_.memory.scratch); }
    double needed() const { return bytes(info_.memory.total()); }                 ///< sum of the bytes above
    int context() const { return static_cast<int>(info_.memory.context); }        ///< tokens
    int longestContext() const { return static_cast<int>(info_.trainedContext); } ///< tokens that it was trained for
    int room() const { return static_cast<int>(info_.memory.slots); }             ///< experts that stay in memory
    /// True if the model has no experts. Its layers are then counted as experts.
    bool dense() const { return info_.memory.dense; }
    int allExperts() const { return static_cast<int>(info_.memory.totalExperts); }
    int tokenExperts() const; ///< experts that one token uses in all layers

  Q_SIGNALS:
    void enabledChanged();
    void changed();

  private:
    static double bytes(uint64_t count) { return static_cast<double>(count); }
    void look();
    void show(const engine::OpenOptions& options, const MemoryOutlook& outlook);
    void clear(State state);

    ModelInspector inspect_;
    EngineWorker* worker_;
    ModelController* models_;
    QTimer soon_; ///< waits a moment, so that several changes cause one look
    bool enabled_ = false;
    State state_ = NoModel;
    ErrorInfo error_;
    engine::OpenOptions shown_; ///< options that the figures are for
    engine::ModelInfo info_;
    uint64_t least_ = 0;
    double reachable_ = 0;
    std::atomic<quint64> wanted_{0}; ///< looks with another number give up
    CallQueue toGui_;
    CallThread thread_{QStringLiteral("forecast")};
};

} // namespace coterie::app
