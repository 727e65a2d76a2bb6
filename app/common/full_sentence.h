// SPDX-License-Identifier: Apache-2.0
// Sentences of the engine as the window shows them: with a full stop. The engine writes them without one.
#pragma once

#include <QObject>
#include <QString>
#include <QtQml/qqmlregistration.h>

namespace coterie::app {

/// Returns the sentence with a full stop, unless it ends with a sign of its own.
QString fullSentence(const QString& words);

/// The same for QML.
class Sentences : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_SINGLETON
  public:
    explicit Sentences(QObject* parent = nullptr) : QObject(parent) {}

    Q_INVOKABLE QString full(const QString& words) const { return fullSentence(words); }
};

} // namespace coterie::app
