// SPDX-License-Identifier: Apache-2.0
// Figures about the use of memory, which the memory bar shows. The engine and the system supply them, at most four
// times a second, and not at all while disabled. Lives on the GUI thread.
#pragma once

#include "engine_link/engine_worker.h"

#include <QObject>
#include <QTimer>
#include <QtQml/qqmlregistration.h>

namespace coterie::app {

/// Bytes are doubles because QML's numbers are. weights + cache + keyValue + states + app + other + free = total, if
/// the system supplies total.
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
    Q_PROPERTY(double states READ states NOTIFY changed)
    Q_PROPERTY(double card READ card NOTIFY changed)
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

    double weights() const { return shown_.weights; }       ///< resident weights
    double cache() const { return shown_.cache; }           ///< experts in slots
    double cacheLimit() const { return shown_.cacheLimit; } ///< bytes that experts may take now
    bool scarce() const { return shown_.scarce; }       ///< memory is short: they may take less than the budget allows
    bool dense() const { return shown_.dense; }         ///< the model has no experts: slots hold its layers
    double keyValue() const { return shown_.keyValue; } ///< the part of the KV cache that is in use
    double states() const { return shown_.states; }     ///< states of recurrent layers, with the copies that are kept
    double card() const { return shown_.card; }         ///< memory of a device's own that holds the model, or a part
    double app() const { return shown_.app; }           ///< the rest of this process
    double other() const { return shown_.other; }       ///< other programs
    double free() const { return shown_.free; }         ///< bytes that programs may still take
    double total() const { return shown_.total; }       ///< memory of the machine, or of its cgroup
    double budget() const { return shown_.budget; }     ///< budget of the open model; 0: no model is open

    /// Reads everything once, now. changed() follows if the difference can be seen: other programs take and free a few
    /// pages all the time, and a window that followed each of them would never be idle.
    void measure();

  Q_SIGNALS:
    void enabledChanged();
    void changed();

  private:
    struct Figures {
        double weights = 0, cache = 0, cacheLimit = 0, keyValue = 0, states = 0, card = 0, app = 0, other = 0, free = 0,
               total = 0, budget = 0;
        bool scarce = false, dense = false;

        bool looksLike(const Figures& shown) const;
    };

    EngineWorker* worker_;
    QTimer timer_;
    Figures shown_;
};

} // namespace coterie::app
