// SPDX-License-Identifier: Apache-2.0
// What the settings would make of the machine's memory if the model in question were opened with them: figures for the
// settings page, from metadata alone, looked up on a thread of its own while enabled. Lives on the GUI thread.
#pragma once

#include "call_queue.h"
#include "engine_worker.h"
#include "error_info.h"
#include "memory_outlook.h"
#include "model_controller.h"

#include <QObject>
#include <QTimer>
#include <QtQml/qqmlregistration.h>

#include <atomic>

namespace coterie::app {

/// Bytes are doubles because QML's numbers are. Where the budget is too little, the parts are those of the least that
/// works.
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
    Q_PROPERTY(double machine READ machine CONSTANT)
    Q_PROPERTY(double reachable READ reachable NOTIFY changed)
    Q_PROPERTY(double weights READ weights NOTIFY changed)
    Q_PROPERTY(double experts READ experts NOTIFY changed)
    Q_PROPERTY(double keyValue READ keyValue NOTIFY changed)
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
        NoModel, ///< no model is in question
        Looking,
        Fits,
        TooLittle, ///< the budget is below `least`
        Failed,    ///< error says why
    };
    Q_ENUM(State)

    /// `worker` and `models` outlive this object. Without an inspector no model is ever in question.
    MemoryForecast(ModelInspector inspect, EngineWorker* worker, ModelController* models, QObject* parent = nullptr);
    ~MemoryForecast() override;

    bool enabled() const { return enabled_; }
    void setEnabled(bool enabled);

    State state() const { return state_; }
    ErrorInfo error() const { return error_; }
    QString name() const { return QString::fromStdString(info_.name); }
    bool automatic() const { return shown_.memory == 0; }        ///< the budget was left to the engine
    double budget() const;                                       ///< for the whole process
    double least() const { return static_cast<double>(least_); } ///< that the model needs; 0: not known yet
    double machine() const;                                      ///< what it has; 0: the system doesn't say
    double reachable() const { return reachable_; } ///< what other programs leave to this one now; 0: not said
    double weights() const { return bytes(info_.memory.resident); }
    double experts() const { return bytes(info_.memory.slotArena()); }
    double keyValue() const { return bytes(info_.memory.keyValue); }
    double program() const { return bytes(info_.memory.program + info_.memory.scratch); }
    double needed() const { return bytes(info_.memory.total()); }                 ///< all of these
    int context() const { return static_cast<int>(info_.memory.context); }        ///< tokens
    int longestContext() const { return static_cast<int>(info_.trainedContext); } ///< it was trained for
    int room() const { return static_cast<int>(info_.memory.slots); }             ///< experts that stay in memory
    /// What is counted as experts are the layers of a model without any.
    bool dense() const { return info_.memory.dense; }
    int allExperts() const { return static_cast<int>(info_.memory.totalExperts); }
    int tokenExperts() const; ///< what one token uses, of all layers

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
    QTimer soon_; ///< one look for several changes at a time
    bool enabled_ = false;
    State state_ = NoModel;
    ErrorInfo error_;
    engine::OpenOptions shown_; ///< what the figures are for
    engine::ModelInfo info_;
    uint64_t least_ = 0;
    double reachable_ = 0;
    std::atomic<quint64> wanted_{0}; ///< looks with another number give up
    CallQueue told_;
    CallThread thread_{QStringLiteral("forecast")};
};

} // namespace coterie::app
