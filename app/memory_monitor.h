// SPDX-License-Identifier: Apache-2.0
// What memory is used for, as the memory bar shows it: measured by the engine and by the system, at most four times a
// second, and not at all while disabled. Lives on the GUI thread.
#pragma once

#include "engine_worker.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <QtQml/qqmlregistration.h>

namespace coterie::app {

/// Bytes are doubles because QML's numbers are. weights + cache + keyValue + app + other + free = total, where the
/// system says total.
class MemoryMonitor : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("App has one")
    Q_PROPERTY(bool enabled READ enabled WRITE setEnabled NOTIFY enabledChanged)
    Q_PROPERTY(double weights READ weights NOTIFY changed)
    Q_PROPERTY(double cache READ cache NOTIFY changed)
    Q_PROPERTY(double keyValue READ keyValue NOTIFY changed)
    Q_PROPERTY(double app READ app NOTIFY changed)
    Q_PROPERTY(double other READ other NOTIFY changed)
    Q_PROPERTY(double free READ free NOTIFY changed)
    Q_PROPERTY(double total READ total NOTIFY changed)
    Q_PROPERTY(double budget READ budget NOTIFY changed)
    Q_PROPERTY(double hitRate READ hitRate NOTIFY changed)
    Q_PROPERTY(double diskBytesPerSecond READ diskBytesPerSecond NOTIFY changed)
  public:
    /// `worker` outlives this object.
    explicit MemoryMonitor(EngineWorker* worker, QObject* parent = nullptr);

    bool enabled() const { return timer_.isActive(); }
    void setEnabled(bool enabled);

    double weights() const { return weights_; }   ///< resident weights
    double cache() const { return cache_; }       ///< experts in slots
    double keyValue() const { return keyValue_; } ///< KV cache, what of it is touched
    double app() const { return app_; }           ///< the rest of this process
    double other() const { return other_; }       ///< other programs
    double free() const { return free_; }         ///< what programs may still take
    double total() const { return total_; }       ///< the machine's, or its cgroup's
    double budget() const { return budget_; }     ///< of the open model; 0: none open
    double hitRate() const {
        return hitRate_;
    } ///< of the expert store since the model was opened, 0..1; -1: no reading
    double diskBytesPerSecond() const { return diskRate_; }

    /// Reads everything once, now.
    void measure();

  Q_SIGNALS:
    void enabledChanged();
    void changed();

  private:
    void measureExperts(const engine::ExpertStoreStatistics& experts);

    EngineWorker* worker_;
    QTimer timer_;
    QElapsedTimer sinceLast_;
    quint64 lastBytesRead_ = 0;
    double weights_ = 0, cache_ = 0, keyValue_ = 0, app_ = 0, other_ = 0, free_ = 0, total_ = 0, budget_ = 0;
    double hitRate_ = -1, diskRate_ = 0;
};

} // namespace coterie::app
