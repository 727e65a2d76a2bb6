// SPDX-License-Identifier: Apache-2.0
// The processors that can compute a model, for the settings: the CPU, then what the factory lists. Listing opens
// drivers and tries each device, which takes seconds, so it happens once, on a thread of its own, when somebody looks.
// Lives on the GUI thread; factory() may be used from any thread.
#pragma once

#include "common/call_queue.h"
#include "session/session.h"

#include <QObject>
#include <QVariantList>
#include <QtQml/qqmlregistration.h>

#include <memory>
#include <vector>

namespace coterie::app {

class DeviceList : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("App has one")
    Q_PROPERTY(bool offered READ offered CONSTANT)
    Q_PROPERTY(bool looking READ looking NOTIFY changed)
    Q_PROPERTY(bool looked READ looked NOTIFY changed)
    Q_PROPERTY(QVariantList devices READ devices NOTIFY changed)
  public:
    explicit DeviceList(const engine::DeviceFactory& factory, QObject* parent = nullptr);
    ~DeviceList() override { thread_.finish(); }

    /// Whether this build can compute on something besides the CPU.
    bool offered() const { return static_cast<bool>(factory_.list); }
    bool looking() const { return looking_; }
    /// Whether devices() has what look() found.
    bool looked() const { return asked_ && !looking_; }
    /// [{name, title, note, usable}]: the engine's name, words for people, what they should know of it. Only the CPU
    /// until look() has found the others.
    QVariantList devices() const;
    /// Asks for the list if nobody has yet.
    Q_INVOKABLE void look();

    /// The same factory, whose list() asks the drivers only once.
    const engine::DeviceFactory& factory() const { return factory_; }

  Q_SIGNALS:
    void changed();

  private:
    engine::DeviceFactory factory_;
    std::vector<engine::DeviceInfo> found_;
    bool asked_ = false, looking_ = false;
    CallQueue toGui_;
    CallThread thread_; ///< last: it ends first
};

} // namespace coterie::app
