// SPDX-License-Identifier: Apache-2.0
// Ends the window's animations and QML timers after a fraction of their time, so that what waits for a window at rest
// does not wait for them. What the engine and the store do keeps its own pace.
#pragma once

#include <QAnimationDriver>
#include <QTimer>

namespace coterie::tests {

/// One lives as long as the application; windows that are made before it keep the usual pace.
class QuickAnimations : public QAnimationDriver {
  public:
    QuickAnimations() {
        tick_.setInterval(kTickMs);
        connect(&tick_, &QTimer::timeout, this, [this] {
            elapsed_ += kStepMs;
            advance();
        });
        install();
    }
    ~QuickAnimations() override { uninstall(); }

    qint64 elapsed() const override { return elapsed_; }

  protected:
    void start() override {
        elapsed_ = 0; // counts from the start
        tick_.start();
        QAnimationDriver::start();
    }
    void stop() override {
        tick_.stop();
        QAnimationDriver::stop();
    }

  private:
    static constexpr int kTickMs = 5, kStepMs = 100;

    QTimer tick_;
    qint64 elapsed_ = 0;
};

} // namespace coterie::tests
