// SPDX-License-Identifier: Apache-2.0
// The live gauges of the expert store: how many experts, or layers of a dense model, come from memory, how fast the
// disk is read, how much of the time is spent waiting for it. Sampled 15 times a second while the store works, four
// times while it rests, and not at all while disabled. Lives on the GUI thread.
#pragma once

#include "engine_worker.h"
#include "expert_rates.h"

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
    /// Where the open model's experts are.
    enum Place {
        NoModel,
        AllKept,    ///< every one is in memory
        RoomForAll, ///< they come into memory as they are used, or while nothing is asked, and stay
        FromDisk,   ///< more than there is room for
    };
    Q_ENUM(Place)

    /// `worker` outlives this object.
    explicit ExpertMonitor(EngineWorker* worker, QObject* parent = nullptr);

    bool enabled() const { return timer_.isActive(); }
    void setEnabled(bool enabled);
    int interval() const { return timer_.interval(); } ///< milliseconds from sample to sample now

    Place place() const { return place_; }
    bool dense() const { return dense_; }           ///< the model has no experts: all of this is about its layers
    bool working() const { return rates_.working; } ///< within the last second; else the rates are those of rest
    double fromMemory() const { return rates_.fromMemory; }           ///< 0..1; -1: no expert was asked for
    double diskRate() const { return rates_.bytesPerSecond; }         ///< bytes a second
    double fastestDiskRate() const { return fastest_; }               ///< that was seen of this model
    double waitShare() const { return rates_.waitShare; }             ///< 0..1 of the time
    int kept() const { return static_cast<int>(counted_.slotsUsed); } ///< experts in memory
    int room() const { return static_cast<int>(counted_.slots); }     ///< experts that may be
    int experts() const { return static_cast<int>(experts_); }        ///< of the model
    // Since the model was opened.
    double wholeFromMemory() const { return shareFromMemory(counted_.asked(), counted_.fromDisk()); } ///< the same
    double wholeBytes() const { return static_cast<double>(counted_.bytesRead); }                     ///< from disk
    double wholeWait() const { return counted_.waitSeconds; } ///< seconds, for the disk

    /// Takes a sample; `seconds` is the time on any clock, as long as it is the same from call to call.
    void sample(double seconds);

  Q_SIGNALS:
    void enabledChanged();
    void changed();

  private:
    void sampleNow();
    static Place placeOf(const engine::Telemetry& telemetry);

    EngineWorker* worker_;
    QTimer timer_;
    QElapsedTimer clock_;
    ExpertWindow window_;
    Place place_ = NoModel;
    bool dense_ = false;
    ExpertRates rates_;
    double fastest_ = 0;
    engine::ExpertTelemetry counted_;
    quint64 experts_ = 0;
};

} // namespace coterie::app
