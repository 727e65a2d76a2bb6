// SPDX-License-Identifier: Apache-2.0
// Foreign names (of models, files, chats, tools) within a sentence: their letters can't turn the words around them.
#pragma once

#include <QObject>
#include <QString>
#include <QtQml/qqmlregistration.h>

namespace coterie::app {

/// Returns the name for use within a sentence. A name that holds marks of direction, or letters that are written from
/// right to left, is put between a first strong isolate and its end (Unicode Bidirectional Algorithm, UAX #9): it is
/// ordered by itself, as one object of the sentence. Marks in the name can't end that isolate or reach beyond it. Any
/// other name is returned as it is.
QString isolatedName(const QString& name);

/// The same for QML.
class NameText : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_SINGLETON
  public:
    explicit NameText(QObject* parent = nullptr) : QObject(parent) {}

    Q_INVOKABLE QString isolated(const QString& name) const { return isolatedName(name); }
};

} // namespace coterie::app
