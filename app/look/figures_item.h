// SPDX-License-Identifier: Apache-2.0
// A line of text whose digits all have the same width, in any font, so that changing numbers don't jump. Qt 6.4 can't
// ask a font for its tabular figures, so each digit is painted into a cell of its own. One item paints the whole line.
// ui/Style/Figures.qml and ui/Style/SteadyFigures.qml give it the look.
#pragma once

#include <QColor>
#include <QFont>
#include <QHash>
#include <QQuickPaintedItem>
#include <QStringList>
#include <QtQml/qqmlregistration.h>

#include <array>
#include <vector>

class QFontMetricsF;

namespace coterie::app {

class FiguresItem : public QQuickPaintedItem {
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(QString text MEMBER text_ NOTIFY textChanged FINAL)
    /// Texts for which room is reserved, whether they are shown or not.
    Q_PROPERTY(QStringList reserved MEMBER reserved_ NOTIFY reservedChanged FINAL)
    /// Width that the reserved texts need.
    Q_PROPERTY(qreal room READ room NOTIFY roomChanged FINAL)
    Q_PROPERTY(QColor color MEMBER color_ NOTIFY lookChanged FINAL)
    Q_PROPERTY(QFont font MEMBER font_ NOTIFY fontChanged FINAL)
    /// Whether the text begins at the left edge; otherwise it ends at the right one.
    Q_PROPERTY(bool leading MEMBER leading_ NOTIFY lookChanged FINAL)
  public:
    explicit FiguresItem(QQuickItem* parent = nullptr);

    qreal room() const { return room_; }

    void paint(QPainter* painter) override;

  Q_SIGNALS:
    void textChanged();
    void reservedChanged();
    void roomChanged();
    void fontChanged();
    void lookChanged();

  private:
    /// The digits of a script: the width of each, and of the cell that any of them gets.
    struct Digits {
        std::array<qreal, 10> advance{};
        qreal cell = 0;
    };
    /// A digit, or everything between two digits.
    struct Run {
        QString text{};
        qreal x = 0;   ///< left edge of its characters
        qreal end = 0; ///< right edge of its room
    };

    const Digits& digitsOf(const QFontMetricsF& metrics, QChar digit);
    std::vector<Run> runsOf(const QFontMetricsF& metrics, const QString& text);
    static qreal widthOf(const std::vector<Run>& runs);
    /// Computes the implicit size at once: a panel that opens is laid out before it is shown.
    void measure();
    void measureRoom();

    QString text_;
    QStringList reserved_;
    qreal room_ = 0;
    qreal width_ = 0; ///< width of the text
    QColor color_;
    QFont font_;
    QHash<char16_t, Digits> digits_; ///< font_ has them, by the script's zero
    std::vector<Run> runs_;          ///< text_ in pieces
    bool leading_ = true;
};

} // namespace coterie::app
