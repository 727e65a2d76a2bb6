// SPDX-License-Identifier: Apache-2.0
// A MessageText as screen readers see it: a static text with a caret, a selection, characters and their places. The
// items that QML puts into it (buttons) are its children. Qt's own interface for items is private and knows no text
// that is not a TextEdit's.
#pragma once

#include <QAccessibleObject>

namespace coterie::app {

class MessageText;
class TextDocument;

/// Makes Qt ask for these objects. Further calls do nothing.
void installMessageTextAccessible();

class MessageTextAccessible : public QAccessibleObject, public QAccessibleTextInterface {
  public:
    explicit MessageTextAccessible(MessageText* item);

    QWindow* window() const override;
    QRect rect() const override;
    QAccessibleInterface* parent() const override;
    QAccessibleInterface* child(int index) const override;
    QAccessibleInterface* childAt(int x, int y) const override;
    int childCount() const override;
    int indexOfChild(const QAccessibleInterface* child) const override;
    QString text(QAccessible::Text kind) const override;
    QAccessible::Role role() const override { return QAccessible::StaticText; }
    QAccessible::State state() const override;
    void* interface_cast(QAccessible::InterfaceType type) override;

    void selection(int index, int* start, int* end) const override;
    int selectionCount() const override;
    void addSelection(int start, int end) override;
    void removeSelection(int index) override;
    void setSelection(int index, int start, int end) override;
    int cursorPosition() const override;
    void setCursorPosition(int position) override;
    QString text(int start, int end) const override;
    int characterCount() const override;
    QRect characterRect(int offset) const override;
    int offsetAtPoint(const QPoint& point) const override;
    void scrollToSubstring(int start, int end) override;
    QString attributes(int offset, int* start, int* end) const override;

  private:
    MessageText* item() const;
    TextDocument* document() const; ///< may be null
};

} // namespace coterie::app
