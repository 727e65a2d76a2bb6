// SPDX-License-Identifier: Apache-2.0
// Tells whether an answer is being written, in whichever chat: to open a model would end it. Conversation::busy() is
// about its own chat alone. Lives on the GUI thread.
//
//     RunningAnswers { id: running; app: root.app }
//     PushButton { enabled: !running.any }
#pragma once

#include <QObject>
#include <QPointer>
#include <QtQml/qqmlregistration.h>

namespace coterie::app {

class App;

class RunningAnswers : public QObject {
    Q_OBJECT
    Q_MOC_INCLUDE("app.h")
    QML_ELEMENT
    Q_PROPERTY(coterie::app::App* app READ app WRITE setApp NOTIFY changed REQUIRED)
    Q_PROPERTY(bool any READ any NOTIFY changed)
  public:
    using QObject::QObject;

    App* app() const;
    void setApp(App* app);
    bool any() const { return any_; }

  Q_SIGNALS:
    void changed();

  private:
    void refresh();

    QPointer<App> app_;
    bool any_ = false;
};

} // namespace coterie::app
