// SPDX-License-Identifier: Apache-2.0
// Fonts, colours and sizes of messages. One object, whose values QML binds to the Style module, serves all messages.
// Lives on the GUI thread.
#pragma once

#include <QColor>
#include <QFont>
#include <QObject>
#include <QtQml/qqmlregistration.h>

namespace coterie::app {

class TextStyle : public QObject {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(QFont bodyFont MEMBER bodyFont NOTIFY changed)
    Q_PROPERTY(QFont codeFont MEMBER codeFont NOTIFY changed)
    Q_PROPERTY(QFont thoughtFont MEMBER thoughtFont NOTIFY changed)
    Q_PROPERTY(qreal bodyLine MEMBER bodyLine NOTIFY changed)
    Q_PROPERTY(qreal codeLine MEMBER codeLine NOTIFY changed)
    Q_PROPERTY(qreal thoughtLine MEMBER thoughtLine NOTIFY changed)
    Q_PROPERTY(qreal spacing MEMBER spacing NOTIFY changed)
    Q_PROPERTY(qreal codeHeader MEMBER codeHeader NOTIFY changed)
    Q_PROPERTY(qreal codeInset MEMBER codeInset NOTIFY changed)
    Q_PROPERTY(qreal codeBottom MEMBER codeBottom NOTIFY changed)
    Q_PROPERTY(qreal scrollBar MEMBER scrollBar NOTIFY changed)
    Q_PROPERTY(qreal thoughtHeader MEMBER thoughtHeader NOTIFY changed)
    Q_PROPERTY(qreal thoughtInset MEMBER thoughtInset NOTIFY changed)
    Q_PROPERTY(qreal thoughtGap MEMBER thoughtGap NOTIFY changed)
    Q_PROPERTY(QColor text MEMBER text NOTIFY coloursChanged)
    Q_PROPERTY(QColor quiet MEMBER quiet NOTIFY coloursChanged)
    Q_PROPERTY(QColor selection MEMBER selection NOTIFY coloursChanged)
  public:
    using QObject::QObject;

    QFont bodyFont, codeFont, thoughtFont;
    qreal bodyLine = 20, codeLine = 16, thoughtLine = 16; ///< heights of a line in px; a line may need more
    qreal spacing = 12;                                   ///< between two blocks
    qreal codeHeader = 32;                                ///< above code: its language and the copy button
    qreal codeInset = 16;                                 ///< at the left and at the right of code
    qreal codeBottom = 12;                                ///< below code
    qreal scrollBar = 10;                                 ///< below code whose lines are wider than their room
    qreal thoughtHeader = 28;                             ///< the line that folds a thought
    qreal thoughtInset = 16;                              ///< at the left of a thought
    qreal thoughtGap = 8;                                 ///< between that line and the thought
    QColor text, quiet, selection;

  Q_SIGNALS:
    /// Something changed that moves text.
    void changed();
    void coloursChanged();
};

} // namespace coterie::app
