// SPDX-License-Identifier: Apache-2.0
// Tells QML which tools the program has. Lives on the GUI thread.
#pragma once

#include "tools/tool_box.h"

#include <QObject>
#include <QtQml/qqmlregistration.h>

namespace coterie::app {

class ToolNames : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_SINGLETON
  public:
    using QObject::QObject;

    Q_INVOKABLE bool known(const QString& tool) const { return !toolPermissionKey(tool).isEmpty(); }
};

} // namespace coterie::app
