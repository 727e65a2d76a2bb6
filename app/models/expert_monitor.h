// SPDX-License-Identifier: Apache-2.0
// Live figures about the expert store: the share of experts (or of a dense model's layers) that come from memory, the
// rate at which the disk is read, and the share of time spent waiting for it. The figures are sampled four
// times a second, and not at all while disabled. Lives on the GUI thread.
#pragma once

#include "engine_link/engine_worker.h"
#include "models/expert_rates.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <QtQml/qqmlregistration.h>

namespace coterie::app {

class ExpertMonitor : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("App has one")
    Q_PROPERTY(bool enabled READ enabled WRITE setEnabled NOTIFY enabledChanged)
    Q_PROPERTY(Place place READ place NOTIFY changed)
    Q_PROPERTY(bool dense READ dense NOTIFY changed)
    Q_PROPERTY(bool working READ working NOTIFY changed)
    Q_PROPERTY(double fromMemory READ fromMemory NOTIFY changed)
    Q_PROPERTY(double diskRate READ diskRate NOTIFY changed)
    Q_PROPERTY(double fastestDiskRate READ fastestDiskRate NOTIFY changed)
    Q_PROPERTY(double waitShare READ waitShare NOTIFY changed)
    Q_PROPERTY(int kept READ kept NOTIFY changed)
    Q_PROPERTY(int room READ room NOTIFY changed)
    Q_PROPERTY(int experts READ experts NOTIFY changed)
    Q_PROPERTY(double wholeFromMemory READ wholeFromMemory NOTIFY changed)
    Q_PROPERTY(double wholeBytes READ wholeBytes NOTIFY changed)
    Q_PROPERTY(double wholeWait READ wholeWait NOTIFY changed)
  public:
    /// The part of the open model's experts that is in memory, or can be.
    enum Place {
        NoModel,
        AllKept,    ///< every expert is in memory
        RoomForAll, ///< experts are read when they are first used, or while the store is idle, and stay in memory
        FromDisk,   ///< there are more experts than slots
    };
    Q_ENUM(Place)

    /// `worker` outlives this object.
    explicit ExpertMonitor(EngineWorker* worker, QObject* parent = nullptr);

    bool enabled() const { return timer_.isActive(); }
    void setEnabled(bool enabled);

    Place place() const { return place_; }
    bool dense() const { return dense_; }           ///< the model has no experts: all figures are about its layers
    bool working() const { return rates_.working; } ///< the store was busy within the last second
    double fromMemory() const { return rates_.fromMemory; }      ///< 0..1; -1: no expert was requested
    double diskRate() const { return rates_.bytesPerSecond; }    ///< bytes per second
    double fastestDiskRate() const { return fastest_; }          ///< highest diskRate() seen with this model
    double waitShare() const { return rates_.waitShare; }        ///< share of the time, 0..1
    int kept() const { return static_cast<int>(slots_.used); }   ///< experts in memory
    int room() const { return static_cast<int>(slots_.usable); } ///< slots: experts that may be in memory
    int experts() const { return static_cast<int>(experts_); }   ///< experts of the model
    // The next three figures cover the time since the model was opened; the first is like fromMemory().
    double wholeFromMemory() const { return shareFromMemory(counted_.asked(), counted_.fromDisk()); } ///< 0..1
    double wholeBytes() const { return static_cast<double>(counted_.bytesRead); } ///< read from disk
    double wholeWait() const { return counted_.waitSeconds; } ///< seconds spent waiting for the disk

    /// Takes a sample. seconds: the time on any clock, but the same clock in every call.
    void sample(double seconds);

  Q_SIGNALS:
    void enabledChanged();
    void changed();

  private:
    void sampleNow();
    /// Everything that the properties show.
    struct Shown {
        Place place;
        bool dense;
        ExpertRates rates;
        double fastest;
        int kept, room, experts;
        double wholeFromMemory, wholeBytes, wholeWait;
        bool operator==(const Shown& other) const = default;
    };
    Shown shown() const;
    static Place placeOf(const engine::Telemetry& telemetry);

    EngineWorker* worker_;
    QTimer timer_;
    QElapsedTimer clock_;
    ExpertWindow window_;
    Place place_ = NoModel;
    bool dense_ = false;
    ExpertRates rates_;
    double fastest_ = 0;
    engine::Counts counted_;
    engine::SlotUse slots_;
    quint64 experts_ = 0;
};

} // namespace coterie::app
