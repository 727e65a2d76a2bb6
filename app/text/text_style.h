// SPDX-License-Identifier: Apache-2.0
// Fonts, colours and sizes of messages. One object, whose values QML binds to the Style module, serves all messages.
// Lives on the GUI thread.
#pragma once

#include "text/code_colours.h"

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
    Q_PROPERTY(QFont largeHeadingFont MEMBER largeHeadingFont NOTIFY changed)
    Q_PROPERTY(QFont headingFont MEMBER headingFont NOTIFY changed)
    Q_PROPERTY(QFont smallHeadingFont MEMBER smallHeadingFont NOTIFY changed)
    Q_PROPERTY(qreal largeHeadingLine MEMBER largeHeadingLine NOTIFY changed)
    Q_PROPERTY(qreal headingLine MEMBER headingLine NOTIFY changed)
    Q_PROPERTY(qreal smallHeadingLine MEMBER smallHeadingLine NOTIFY changed)
    Q_PROPERTY(qreal headingSpacing MEMBER headingSpacing NOTIFY changed)
    Q_PROPERTY(qreal itemSpacing MEMBER itemSpacing NOTIFY changed)
    Q_PROPERTY(qreal itemInset MEMBER itemInset NOTIFY changed)
    Q_PROPERTY(qreal markGap MEMBER markGap NOTIFY changed)
    Q_PROPERTY(qreal quoteInset MEMBER quoteInset NOTIFY changed)
    Q_PROPERTY(qreal quoteBar MEMBER quoteBar NOTIFY changed)
    Q_PROPERTY(qreal ruleHeight MEMBER ruleHeight NOTIFY changed)
    Q_PROPERTY(qreal hairline MEMBER hairline NOTIFY changed)
    Q_PROPERTY(qreal columnGap MEMBER columnGap NOTIFY changed)
    Q_PROPERTY(qreal cellMargin MEMBER cellMargin NOTIFY changed)
    Q_PROPERTY(qreal smallestColumn MEMBER smallestColumn NOTIFY changed)
    Q_PROPERTY(QColor text MEMBER text NOTIFY coloursChanged)
    Q_PROPERTY(QColor quiet MEMBER quiet NOTIFY coloursChanged)
    Q_PROPERTY(QColor selection MEMBER selection NOTIFY coloursChanged)
    Q_PROPERTY(QColor codeAdded MEMBER codeAdded NOTIFY coloursChanged)
    Q_PROPERTY(QColor codeComment MEMBER codeComment NOTIFY coloursChanged)
    Q_PROPERTY(QColor codeFunction MEMBER codeFunction NOTIFY coloursChanged)
    Q_PROPERTY(QColor codeKeyword MEMBER codeKeyword NOTIFY coloursChanged)
    Q_PROPERTY(QColor codeNumber MEMBER codeNumber NOTIFY coloursChanged)
    Q_PROPERTY(QColor codePreprocessor MEMBER codePreprocessor NOTIFY coloursChanged)
    Q_PROPERTY(QColor codeRemoved MEMBER codeRemoved NOTIFY coloursChanged)
    Q_PROPERTY(QColor codeString MEMBER codeString NOTIFY coloursChanged)
    Q_PROPERTY(QColor codeType MEMBER codeType NOTIFY coloursChanged)
    Q_PROPERTY(QColor codeVariable MEMBER codeVariable NOTIFY coloursChanged)
    Q_PROPERTY(QColor line MEMBER line NOTIFY coloursChanged)
    Q_PROPERTY(QColor link MEMBER link NOTIFY coloursChanged)
    Q_PROPERTY(QColor codeGround MEMBER codeGround NOTIFY coloursChanged)
    Q_PROPERTY(QColor hit MEMBER hit NOTIFY coloursChanged)
    Q_PROPERTY(QColor currentHit MEMBER currentHit NOTIFY coloursChanged)
    Q_PROPERTY(QColor hitLine MEMBER hitLine NOTIFY coloursChanged)
  public:
    using QObject::QObject;

    QFont bodyFont, codeFont, thoughtFont;
    qreal bodyLine = 20, codeLine = 16, thoughtLine = 16;  ///< heights of a line in px; a line may need more
    qreal spacing = 12;                                    ///< between two blocks
    qreal codeHeader = 32;                                 ///< above code: its language and the copy button
    qreal codeInset = 16;                                  ///< at the left and at the right of code
    qreal codeBottom = 12;                                 ///< below code
    qreal scrollBar = 10;                                  ///< below code whose lines are wider than their room
    qreal thoughtHeader = 28;                              ///< the line that folds a thought
    qreal thoughtInset = 16;                               ///< at the left of a thought
    qreal thoughtGap = 8;                                  ///< between that line and the thought
    QFont largeHeadingFont, headingFont, smallHeadingFont; ///< for the levels 1, 2, and 3 to 6
    qreal largeHeadingLine = 30, headingLine = 26, smallHeadingLine = 22;
    qreal headingSpacing = 20; ///< above a heading
    qreal itemSpacing = 4;     ///< between two items of a list without an empty line
    qreal itemInset = 24;      ///< at the left of a list item: its mark
    qreal markGap = 8;         ///< between the mark and the text
    qreal quoteInset = 16;     ///< at the left of a quote: its bar
    qreal quoteBar = 3;        ///< width of that bar
    qreal ruleHeight = 9;      ///< height of a rule with its margins
    qreal hairline = 1;
    qreal columnGap = 24;       ///< between two columns of a table
    qreal cellMargin = 6;       ///< above and below the text of a cell
    qreal smallestColumn = 120; ///< width of a column that must share the room
    QColor text, quiet, selection, line, link;
    QColor codeGround;               ///< under inline code; a selection shines through
    QColor hit, currentHit, hitLine; ///< under the hits of a search; the lines below them, and above the current one
    QColor codeAdded, codeComment, codeFunction, codeKeyword, codeNumber, codePreprocessor, codeRemoved, codeString,
        codeType, codeVariable;

    /// Returns the colour of these characters of source code.
    QColor codeColour(CodeColour colour) const {
        static constexpr QColor TextStyle::*kColours[] = {
            // in the order of CodeColour
            &TextStyle::text,         &TextStyle::codeKeyword, &TextStyle::codeType,    &TextStyle::codeFunction,
            &TextStyle::codeString,   &TextStyle::codeNumber,  &TextStyle::codeComment, &TextStyle::codePreprocessor,
            &TextStyle::codeVariable, &TextStyle::codeAdded,   &TextStyle::codeRemoved};
        return this->*kColours[static_cast<size_t>(colour)];
    }

  Q_SIGNALS:
    /// Something changed that moves text.
    void changed();
    void coloursChanged();
};

} // namespace coterie::app
