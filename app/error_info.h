// SPDX-License-Identifier: Apache-2.0
// An error as the window shows it: the engine's three sentences, as a value for QML. Not an error by itself where
// nothing is set.
#pragma once

#include "base/result.h"

#include <QObject>
#include <QString>
#include <QtQml/qqmlregistration.h>

namespace coterie::app {

/// What happened, why, what to do. `valid` is false where there is no error.
class ErrorInfo {
    Q_GADGET
    QML_VALUE_TYPE(errorInfo)
    Q_PROPERTY(QString what MEMBER what)
    Q_PROPERTY(QString why MEMBER why)
    Q_PROPERTY(QString action MEMBER action)
    Q_PROPERTY(bool valid READ valid)
  public:
    ErrorInfo() = default;
    ErrorInfo(QString happened, QString reason, QString todo)
        : what(std::move(happened)), why(std::move(reason)), action(std::move(todo)) {}
    explicit ErrorInfo(const engine::Error& error)
        : ErrorInfo(QString::fromStdString(error.what), QString::fromStdString(error.why),
                    QString::fromStdString(error.action)) {}

    bool valid() const { return !what.isEmpty(); }
    bool operator==(const ErrorInfo& other) const = default;

    QString what;
    QString why;
    QString action;
};

} // namespace coterie::app
