// SPDX-License-Identifier: Apache-2.0
// Draws a TokenStrip: each token as a small cell with its words, in as many lines as they need. Thoughts have a line
// below their words, and the names of tokens without text are in italics. A click or the arrow keys choose a token. One
// item draws all cells, because a window that is drawn by software walks all its items for every picture. Lives on the
// GUI thread.
#pragma once

#include "inspector/token_strip.h"

#include <QColor>
#include <QFont>
#include <QQuickPaintedItem>
#include <QtQml/qqmlregistration.h>

namespace coterie::app {

class TokenStripItem : public QQuickPaintedItem {
    Q_OBJECT
    QML_NAMED_ELEMENT(TokenCells)
    Q_PROPERTY(coterie::app::TokenStrip strip READ strip WRITE setStrip NOTIFY stripChanged FINAL)
    /// The position of the current token: its cell has a strong frame.
    Q_PROPERTY(int position READ position WRITE setPosition NOTIFY positionChanged FINAL)
    /// The current token's words and measure, for a screen reader; empty if it is not in the strip.
    Q_PROPERTY(QString currentText READ currentText NOTIFY currentTextChanged FINAL)
    /// The place of the current token's cell; empty if it is not in the strip.
    Q_PROPERTY(QRectF currentCell READ currentCell NOTIFY currentCellChanged FINAL)
    /// Says which of the answer's or of the prompt's tokens the strip has.
    Q_PROPERTY(QString rangeText READ rangeText NOTIFY stripChanged FINAL)
    Q_PROPERTY(bool ofPrompt READ ofPrompt NOTIFY stripChanged FINAL)
    Q_PROPERTY(bool dark MEMBER dark_ NOTIFY lookChanged FINAL)
    Q_PROPERTY(QColor textColor MEMBER text_ NOTIFY lookChanged FINAL)
    /// The colour of words that are no part of the answer: thoughts and names of tokens without text.
    Q_PROPERTY(QColor quietColor MEMBER quiet_ NOTIFY lookChanged FINAL)
    Q_PROPERTY(QColor lineColor MEMBER line_ NOTIFY lookChanged FINAL)
    Q_PROPERTY(QFont font MEMBER font_ NOTIFY lookChanged FINAL)
    /// Pixels between a cell's edge and its words.
    Q_PROPERTY(qreal padding MEMBER padding_ NOTIFY lookChanged FINAL)
  public:
    explicit TokenStripItem(QQuickItem* parent = nullptr);

    const TokenStrip& strip() const { return strip_; }
    void setStrip(const TokenStrip& strip);
    int position() const { return position_; }
    void setPosition(int position);
    QString currentText() const;
    QRectF currentCell() const;
    QString rangeText() const;
    bool ofPrompt() const { return strip_.prompt; }
    /// The place of a token's cell in the item, by its index in the strip.
    QRectF cell(int index) const { return cells_.at(static_cast<size_t>(index)); }
    /// The words as its cell shows them: line ends and white space alone are signs, so that every cell has one line and
    /// none is empty.
    static QString shownWords(const QString& words);
    void paint(QPainter* painter) override;

  Q_SIGNALS:
    void stripChanged();
    void positionChanged();
    void currentTextChanged();
    void currentCellChanged();
    void lookChanged();
    /// The user has chosen the token at this position.
    void chosen(int position);

  protected:
    void geometryChange(const QRectF& now, const QRectF& before) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    void layOut();
    int indexOf(int position) const; ///< -1: it is not in the strip
    int indexAt(QPointF point) const;
    static QFont fontOf(const StripToken& token, QFont font);

    TokenStrip strip_;
    std::vector<QRectF> cells_;  ///< one for each token
    std::vector<QString> shown_; ///< the words of each cell, shortened if they are too long for a line
    int position_ = -1;
    bool dark_ = false;
    qreal padding_ = 0;
    QColor text_, quiet_, line_;
    QFont font_;
};

} // namespace coterie::app
