// SPDX-License-Identifier: Apache-2.0
// The item that shows the text of a message. It draws the lines in view and nothing else, and what the window draws
// around code and thoughts comes from two models for a Repeater. Its text can be selected across blocks, and with texts
// around it (list_selection.h), copied, and read by screen readers (message_text_accessible.h). Keys that it doesn't
// use pass through. It also tells which token is at a point and where a token is.
//
//     MessageText { document: model.document; style: AnswerStyle; room: 600; Accessible.role: Accessible.StaticText }
//
// Lives on the GUI thread; updatePaintNode() runs while the GUI thread waits.
#pragma once

#include "text/line_tiles.h"
#include "text/list_selection.h"
#include "text/message_layout.h"
#include "text/text_document.h"
#include "text/text_frames.h"
#include "text/text_links.h"
#include "text/text_selection.h"
#include "text/text_style.h"

#include <QElapsedTimer>
#include <QPointer>
#include <QQuickItem>
#include <QtQml/qqmlregistration.h>

#include <optional>

namespace coterie::app {

class MessageText : public QQuickItem {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(coterie::app::TextDocument* document READ document WRITE setDocument NOTIFY documentChanged)
    Q_PROPERTY(coterie::app::TextStyle* style READ style WRITE setStyle NOTIFY styleChanged)
    Q_PROPERTY(qreal room READ room WRITE setRoom NOTIFY roomChanged)
    Q_PROPERTY(coterie::app::ListSelection* across READ across WRITE setAcross NOTIFY acrossChanged)
    Q_PROPERTY(coterie::app::TextFrames* codeFrames READ codeFrames CONSTANT)
    Q_PROPERTY(coterie::app::TextFrames* thoughtFrames READ thoughtFrames CONSTANT)
    Q_PROPERTY(coterie::app::TextFrames* tableFrames READ tableFrames CONSTANT)
    Q_PROPERTY(coterie::app::TextLinks* links READ links CONSTANT)
    Q_PROPERTY(QString hoveredLink READ hoveredLink NOTIFY hoveredLinkChanged)
    Q_PROPERTY(QRectF hoveredPlace READ hoveredPlace NOTIFY hoveredLinkChanged)
    Q_PROPERTY(QString selectedText READ selectedText NOTIFY selectionChanged)
    Q_PROPERTY(int lineCount READ lineCount NOTIFY lineCountChanged)
    Q_PROPERTY(bool focusedByKey READ focusedByKey NOTIFY focusedByKeyChanged)
    Q_PROPERTY(bool framesTokens READ framesTokens WRITE setFramesTokens NOTIFY framesTokensChanged)
  public:
    explicit MessageText(QQuickItem* parent = nullptr);

    TextDocument* document() const { return document_; }
    void setDocument(TextDocument* document);
    TextStyle* style() const { return style_; }
    void setStyle(TextStyle* style);
    /// The width that lines may have. The implicit width is what they really need.
    qreal room() const { return room_; }
    void setRoom(qreal room);
    /// Continues a selection in other texts; without it a selection ends at the ends of this one.
    ListSelection* across() const { return across_; }
    void setAcross(ListSelection* across);
    TextFrames* codeFrames() { return &codeFrames_; }
    TextFrames* thoughtFrames() { return &thoughtFrames_; }
    TextFrames* tableFrames() { return &tableFrames_; }
    TextLinks* links() { return &links_; }
    /// The address of the link under the pointer, and its place; empty: there is none.
    QString hoveredLink() const { return hovered_.address; }
    QRectF hoveredPlace() const { return hovered_.place; }
    /// Number of lines on the screen.
    int lineCount() const { return lineCount_; }
    bool focusedByKey() const { return focusedByKey_; }
    /// Whether tints have their frames, as at first; another mark may be on a token instead.
    bool framesTokens() const { return framesTokens_; }
    void setFramesTokens(bool frames);

    const MessageLayout& layout() const { return layout_; }
    const LineTiles& tiles() const { return tiles_; }
    /// Caret and anchor, if the selection lies within this text.
    const TextSelection& selection() const { return selection_; }
    /// The selected characters of this text.
    TextSpan selectedRange() const;
    /// The part of the message that can be seen, which may lie above or below it.
    QRectF view() const;
    /// The whole item. Qt clips an item that observes its viewport to what was in view when it got its size: the rest
    /// would stay cut off when it comes into view.
    QRectF clipRect() const override { return QRectF(QPointF(), size()); }
    /// Has the focus, and this selection up to that place.
    void resume(TextSelection selection, TextPosition caret, Qt::FocusReason reason);
    /// Draws a selection that has changed.
    void showSelection();
    QString selectedText() const;
    void select(TextPosition anchor, TextPosition caret);

    Q_INVOKABLE void selectAll();
    Q_INVOKABLE void deselect();
    /// Copies the selected text to the clipboard.
    Q_INVOKABLE void copy() const;
    Q_INVOKABLE void copyBlock(int block) const;
    Q_INVOKABLE void copyText(const QString& text) const;
    /// Folds or unfolds a thought.
    Q_INVOKABLE void toggle(int block);
    Q_INVOKABLE void scrollBlock(int block, qreal x);
    /// Breaks the lines of code at the edge of their room, or does not.
    Q_INVOKABLE void wrapBlock(int block, bool wrapped);
    /// Makes room below the text of a block for what the window adds there.
    Q_INVOKABLE void setFooter(int block, qreal height);
    /// Selects the next block (1) or the one before (-1) and takes the focus. Without the focus it begins with the
    /// first or the last one. Returns false if there is none.
    Q_INVOKABLE bool selectBlock(int step);
    /// Brings the current mark into view: unfolds its part and asks with placeWanted(). Does nothing if there is none.
    Q_INVOKABLE void showMark();
    /// Returns the token under the point, or -1 if there is none.
    Q_INVOKABLE int tokenAt(const QPointF& point) const;
    /// Returns the token at the beginning of the selected text, or under the latest click, which selected nothing; -1
    /// if there is neither, or no token is known there.
    Q_INVOKABLE int selectedToken() const;
    Q_INVOKABLE QList<QRectF> rectanglesOf(int token) const;
    /// Returns the place of the selected characters that can be seen; it is empty if there are none.
    Q_INVOKABLE QRectF selectedPlace() const;

  Q_SIGNALS:
    void documentChanged();
    void styleChanged();
    void roomChanged();
    void acrossChanged();
    void selectionChanged();
    void focusedByKeyChanged();
    void framesTokensChanged();
    void lineCountChanged();
    void hoveredLinkChanged();
    /// The link under a click that selected nothing.
    void linkClicked(const QString& address, const QRectF& place);
    /// The token under such a click, if there is no link.
    void tokenClicked(int token);
    /// The character under such a click, if the document's tokens are not known.
    void characterClicked(int block, int offset);
    /// The caret or the selection moved there: the place should be in view.
    void placeWanted(const QRectF& place);

  protected:
    bool event(QEvent* event) override;
    void componentComplete() override;
    void updatePolish() override;
    void itemChange(ItemChange change, const ItemChangeData& value) override;
    QSGNode* updatePaintNode(QSGNode* old, UpdatePaintNodeData*) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void mouseUngrabEvent() override { setKeepMouseGrab(false); }
    void wheelEvent(QWheelEvent* event) override;
    void hoverMoveEvent(QHoverEvent* event) override;
    void hoverLeaveEvent(QHoverEvent*) override { hover({}); }
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

  private:
    struct HoveredLink {
        QString address{};
        QRectF place{};

        bool operator==(const HoveredLink& other) const = default;
    };

    bool ready() const { return isComponentComplete() && document_ && style_ && room_ > 0; }
    void layOut();
    void onBlockAdded();
    void onBlockChanged(int block, qsizetype kept);
    void onBlocksRemoved(int first);
    void onFoldingChanged(int block);
    void onStyleChanged();
    void showChange();
    void announceGrowth();
    void watchMoves();
    void askForFrame();
    void updateFrames(const QRectF& view);
    std::vector<LineTiles::Under> underLines(qreal top, qreal bottom) const;
    LineTiles::Tints tintedWords(qreal top, qreal bottom) const;
    void addMarks(std::vector<LineTiles::Under>& under, qreal top, qreal bottom) const;
    void selectionMoved();
    void showCaret();
    HoveredLink linkAt(const QPointF& point) const;
    void hover(const HoveredLink& link);
    void showPlace(TextPosition position);

    QPointer<TextDocument> document_;
    QPointer<TextStyle> style_;
    QPointer<ListSelection> across_;
    qreal room_ = 0;
    MessageLayout layout_;
    LineTiles tiles_;
    TextFrames codeFrames_{TextFrames::Which::Code}, thoughtFrames_{TextFrames::Which::Thoughts};
    TextFrames tableFrames_{TextFrames::Which::WideTables};
    TextLinks links_;
    HoveredLink hovered_;
    TextSelection selection_;
    std::optional<TextPosition> clicked_; ///< the character under the latest click, if that selected nothing
    QRectF lastView_;
    QList<QPointer<QQuickItem>> watched_; ///< this item, and the items around it up to the viewport
    bool changed_ = true;                 ///< something has to be drawn that is not in the nodes yet
    bool stale_ = false;                  ///< the style has changed since the text was laid out
    int lineCount_ = 0;
    bool focusedByKey_ = false, framesTokens_ = true;
    QString announced_;           ///< the text that screen readers know of
    QElapsedTimer doubleClicked_; ///< since the last double click, which was at doubleClickedAt_
    QPointF doubleClickedAt_;
};

} // namespace coterie::app
