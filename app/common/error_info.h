// SPDX-License-Identifier: Apache-2.0
// An error as the window shows it: the engine's three sentences in the user's language, as a value for QML. If nothing
// is set, there is no error.
#pragma once

#include "base/result.h"

#include <QObject>
#include <QString>
#include <QUrl>
#include <QtQml/qqmlregistration.h>

namespace coterie::app {

/// The engine's sentence in the user's language, with its numbers and sizes written as this language does. Patterns are
/// translated in the context "Engine".
QString shownText(const engine::Sentence& sentence);

/// An error: what happened, why, and what to do. `valid` is false if there is no error.
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
    explicit ErrorInfo(const engine::Error& error);

    bool valid() const { return !what.isEmpty(); }
    bool operator==(const ErrorInfo& other) const = default;

    QString what;
    QString why;
    QString action;
};

/// Returns why nothing can be saved to this file, or no error if it is a file of this machine: a dialog may end without
/// one. what: "The picture was not saved".
ErrorInfo noFileNamed(const QUrl& file, const QString& what);

} // namespace coterie::app
