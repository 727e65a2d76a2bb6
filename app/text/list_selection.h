// SPDX-License-Identifier: Apache-2.0
// A selection that begins in one text of a list and ends in another one. A selection within one text belongs to its
// MessageText (text_selection.h); when the pointer or a key leads out of that text, this item continues it, and has the
// pointer and the focus from then on, because the item of a text that leaves the view is destroyed. It draws nothing:
// each text asks which of its characters are selected. When the selection is back in the text where it began, that text
// has it again.
//
//     ListSelection { id: across; texts: conversation.messages }
//     MessageText { across: across }
//
// Lives on the GUI thread.
#pragma once

#include "text/text_selection.h"
#include "text/text_sequence.h"

#include <QPointer>
#include <QQuickItem>
#include <QtQml/qqmlregistration.h>

namespace coterie::app {

class MessageText;

class ListSelection : public QQuickItem {
    Q_OBJECT
    QML_ELEMENT
    /// A TextSequence.
    Q_PROPERTY(QObject* texts READ texts WRITE setTexts NOTIFY textsChanged)
    Q_PROPERTY(int count READ count NOTIFY changed)
  public:
    explicit ListSelection(QQuickItem* parent = nullptr) : QQuickItem(parent) {
        setAcceptedMouseButtons(Qt::LeftButton);
    }

    QObject* texts() const { return texts_; }
    void setTexts(QObject* texts);
    /// Whether the selection is in several texts. Otherwise one of them has it, or there is none.
    bool active() const { return active_; }
    /// Number of texts in which characters are selected; 0 if it is not active.
    int count() const;
    /// Returns the selected characters of this text, which are none if the selection is not active.
    TextSpan rangeIn(const TextDocument& text) const;
    /// The selected text: that of each message in order, with an empty line between two of them.
    QString text() const;
    /// Copies it to the clipboard.
    Q_INVOKABLE void copy() const;
    /// Brings the end with the caret into view, and returns the place of its text in the list; -1: there is no
    /// selection.
    Q_INVOKABLE int showEnd();

    // For MessageText.

    void add(MessageText* item);
    /// This text has the selection now, and a selection over several texts would begin with it.
    void begin(TextDocument* text, const TextSelection& selection);
    /// The selection goes on to this place of another text: a click with Shift. Returns false if it is the only text.
    bool extendTo(MessageText& item, TextPosition at);
    /// The pointer is dragged to this point of the window. Returns false if it is still nearest to the text from which
    /// it came, and the selection is not active.
    bool dragTo(const MessageText& from, QPointF point);
    /// A key did not move the caret any further in this text. Returns false if there is no other text in that
    /// direction.
    bool moveOut(MessageText& from, const QKeyEvent& key);

  Q_SIGNALS:
    void textsChanged();
    void changed();
    /// A key moves the caret in the text at this place, whose item should be in view.
    void textWanted(int index);

  protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseUngrabEvent() override { setKeepMouseGrab(false); }
    void focusOutEvent(QFocusEvent* event) override;

  private:
    int indexOf(const TextDocument* text) const { return sequence_ && text ? sequence_->indexOf(text) : -1; }
    MessageText* itemOf(const TextDocument* text) const;
    MessageText* itemAt(QPointF point) const;
    void activate(Qt::FocusReason reason);
    void end();
    bool handBack(Qt::FocusReason reason);
    void setEnd(MessageText& item, TextPosition at);
    void setEnd(TextDocument* text, const TextSelection& selection, TextPosition caret);
    bool step(int by);
    void showCaret();
    bool moveBy(const QKeyEvent& key);

    QObject* texts_ = nullptr;
    TextSequence* sequence_ = nullptr; ///< the same object
    QList<QPointer<MessageText>> items_;
    bool active_ = false;
    QPointer<TextDocument> first_, last_; ///< the texts in which it begins and ends; last_ may be above first_
    TextSelection from_;                  ///< in first_
    TextSelection to_;                    ///< in last_: the unit at the caret
    TextPosition caret_;                  ///< in last_
};

} // namespace coterie::app
