// SPDX-License-Identifier: Apache-2.0
// Shows what was written, character by character.
//
// Fonts such as Inter replace characters by another one because of what is beside them: "x" between two numbers by a
// multiplication sign, "->" by an arrow. Qt 6.4 can't switch such forms off in a font. Where a text has lines of its
// own (BlockLayout for messages, FieldLetters for fields), each such character is shaped alone. All other texts get a
// font that shapes nothing if they have one (asWritten(), LetterForms.replaced() in QML): kerning is lost then, too.
//
// Characters that turn the text behind them round make it seem to be another one. Messages draw them as nothing, and
// fields leave them out. Lives on the GUI thread.
//
//     TextArea { id: field }
//     FieldLetters { document: field.textDocument }
//     Text { font.preferShaping: !LetterForms.replaced(text) }
#pragma once

#include <QFont>
#include <QObject>
#include <QPointer>
#include <QQuickTextDocument>
#include <QStringView>
#include <QtQml/qqmlregistration.h>

#include <vector>

class QSyntaxHighlighter;

namespace coterie::app {

/// Returns the characters that have to be shaped alone. Of several signs side by side, these are the second, the fourth
/// and so on.
std::vector<qsizetype> shapedAlone(QStringView text);

/// Whether a font may show the text with other characters: a number and "x", or an arrow made of signs.
bool hasOtherForms(QStringView text);

/// Returns the font for this text in one piece: without shaping if it has other forms. Scripts that need shaping are
/// shaped nevertheless.
QFont asWritten(QFont font, QStringView text);

/// Whether the character sets the direction of what follows, whatever the characters there are (LRE to RLO, LRI to
/// PDI).
bool turnsText(QChar c);

/// The same questions for QML.
class LetterForms : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_SINGLETON
  public:
    using QObject::QObject;

    Q_INVOKABLE bool replaced(const QString& text) const { return hasOtherForms(text); }
};

/// Shapes such characters alone in a field whose text people write; this changes neither the text nor what can be
/// undone. Removes characters that turn the text as they come, as a part of the step that brought them.
class FieldLetters : public QObject {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(QQuickTextDocument* document READ document WRITE setDocument NOTIFY documentChanged)
  public:
    using QObject::QObject;

    QQuickTextDocument* document() const { return document_; }
    void setDocument(QQuickTextDocument* document);

  Q_SIGNALS:
    void documentChanged();

  private:
    void look(int from, int added);
    void straighten();

    QPointer<QQuickTextDocument> document_;
    QPointer<QSyntaxHighlighter> apart_;
    bool turned_ = false; ///< characters that turn the text have come
};

} // namespace coterie::app
