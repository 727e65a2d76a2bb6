// SPDX-License-Identifier: Apache-2.0
// Figures about the use of memory, which the memory bar shows. The engine and the system supply them, at most four
// times a second, and not at all while disabled. Lives on the GUI thread.
#pragma once

#include "engine_worker.h"

#include <QObject>
#include <QTimer>
#include <QtQml/qqmlregistration.h>

namespace coterie::app {

/// Bytes are doubles because QML's numbers are. weights + cache + keyValue + app + other + free = total, if the system
/// supplies total.
class MemoryMonitor : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("App has one")
    Q_PROPERTY(bool enabled READ enabled WRITE setEnabled NOTIFY enabledChanged)
    Q_PROPERTY(double weights READ weights NOTIFY changed)
    Q_PROPERTY(double cache READ cache NOTIFY changed)
    Q_PROPERTY(double cacheLimit READ cacheLimit NOTIFY changed)
    Q_PROPERTY(bool scarce READ scarce NOTIFY changed)
    Q_PROPERTY(bool dense READ dense NOTIFY changed)
    Q_PROPERTY(double keyValue READ keyValue NOTIFY changed)
    Q_PROPERTY(double app READ app NOTIFY changed)
    Q_PROPERTY(double other READ other NOTIFY changed)
    Q_PROPERTY(double free READ free NOTIFY changed)
    Q_PROPERTY(double total READ total NOTIFY changed)
    Q_PROPERTY(double budget READ budget NOTIFY changed)
  public:
    /// `worker` outlives this object.
    explicit MemoryMonitor(EngineWorker* worker, QObject* parent = nullptr);

    bool enabled() const { return timer_.isActive(); }
    void setEnabled(bool enabled);

    double weights() const { return weights_; }       ///< resident weights
    double cache() const { return cache_; }           ///< experts in slots
    double cacheLimit() const { return cacheLimit_; } ///< bytes that experts may take now
    bool scarce() const { return scarce_; }           ///< memory is short: they may take less than the budget allows
    bool dense() const { return dense_; }             ///< the model has no experts: slots hold its layers
    double keyValue() const { return keyValue_; }     ///< the part of the KV cache that is in use
    double app() const { return app_; }               ///< the rest of this process
    double other() const { return other_; }           ///< other programs
    double free() const { return free_; }             ///< bytes that programs may still take
    double total() const { return total_; }           ///< memory of the machine, or of its cgroup
    double budget() const { return budget_; }         ///< budget of the open model; 0: no model is open

    /// Reads everything once, now.
    void measure();

  Q_SIGNALS:
    void enabledChanged();
    void changed();

  private:
    EngineWorker* worker_;
    QTimer timer_;
    double weights_ = 0, cache_ = 0, keyValue_ = 0, app_ = 0, other_ = 0, free_ = 0, total_ = 0, budget_ = 0;
    double cacheLimit_ = 0;
    bool scarce_ = false, dense_ = false;
};

} // namespace coterie::app
