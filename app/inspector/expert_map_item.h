// SPDX-License-Identifier: Apache-2.0
// Draws the grid of experts: rows are layers, columns are experts. The colours of all cells are mapped on the CPU into
// one picture, which is one node of the scene, so that every way of rendering shows the same.
//
// A cell is as wide as the columns leave it, and its height is its width, within kLeastCell and kMostCell pixels; with
// zoom 1 all columns fit into the width, with room for the frame of a cell in the last one. Numbers of layers stand at
// the left, with a bar beside those of recurrent layers, numbers of experts below; the row and the column of the cell
// under the pointer stand out. A dense layer among others with experts is one cell as wide as its row. The picture is
// drawn again when the grid, the place or the look changes, at most 30 times a second. Lives on the GUI thread;
// updatePaintNode() runs while the GUI thread waits.
#pragma once

#include "common/error_info.h"
#include "inspector/cell_flash.h"
#include "inspector/expert_grid.h"
#include "inspector/expert_map.h"

#include <QImage>
#include <QPointer>
#include <QQuickItem>
#include <QTimer>
#include <QUrl>
#include <QtQml/qqmlregistration.h>

#include <algorithm>

namespace coterie::app {

/// Saves a picture as PNG. Returns an error with valid == false if it succeeded.
ErrorInfo saveImage(const QImage& image, const QUrl& file);

class ExpertMapItem : public QQuickItem {
    Q_OBJECT
    QML_NAMED_ELEMENT(ExpertMap)
    Q_PROPERTY(coterie::app::ExpertGrid* grid READ grid WRITE setGrid NOTIFY gridChanged FINAL)
    Q_PROPERTY(bool dark MEMBER dark_ NOTIFY lookChanged FINAL)
    Q_PROPERTY(QColor groundColor MEMBER ground_ NOTIFY lookChanged FINAL)
    Q_PROPERTY(QColor textColor MEMBER text_ NOTIFY lookChanged FINAL)
    Q_PROPERTY(QColor markColor MEMBER mark_ NOTIFY lookChanged FINAL)
    Q_PROPERTY(QColor frameColor MEMBER frame_ NOTIFY lookChanged FINAL)
    /// The colour of what is behind the item. The picture covers it then, and the window draws nothing below.
    Q_PROPERTY(QColor behindColor MEMBER behind_ NOTIFY lookChanged FINAL)
    Q_PROPERTY(QFont font MEMBER font_ NOTIFY fontChanged FINAL)
    /// The part that has a frame, because the first look explains it: a row, or a strong cell of that row.
    Q_PROPERTY(Framed framed MEMBER framed_ NOTIFY lookChanged FINAL)
    /// How long cells are lit when a token that used them arrives, in milliseconds; 0: not at all.
    Q_PROPERTY(int flashMs READ flashMs WRITE setFlashMs NOTIFY lookChanged FINAL)
    /// 1: all columns fit.
    Q_PROPERTY(qreal zoom READ zoom WRITE setZoom NOTIFY placesChanged FINAL)
    Q_PROPERTY(bool zoomable READ zoomable NOTIFY placesChanged FINAL)
    Q_PROPERTY(int hoveredLayer READ hoveredLayer NOTIFY hoveredChanged FINAL)
    Q_PROPERTY(int hoveredExpert READ hoveredExpert NOTIFY hoveredChanged FINAL)
    Q_PROPERTY(int cursorLayer READ cursorLayer NOTIFY cursorChanged FINAL)
    Q_PROPERTY(int cursorExpert READ cursorExpert NOTIFY cursorChanged FINAL)
    Q_PROPERTY(int selectedLayer MEMBER selectedLayer_ NOTIFY selectedChanged FINAL)
    Q_PROPERTY(int selectedExpert MEMBER selectedExpert_ NOTIFY selectedChanged FINAL)
    /// The value under the pointer, else under the cursor while the item has the focus; else empty.
    Q_PROPERTY(QString cellText READ cellText NOTIFY cellTextChanged FINAL)
    /// The same with fewer words, see ExpertGrid.
    Q_PROPERTY(QString briefCellText READ briefCellText NOTIFY cellTextChanged FINAL)
  public:
    enum Framed { Nothing, Row, Cell };
    Q_ENUM(Framed)

    explicit ExpertMapItem(QQuickItem* parent = nullptr);

    ExpertGrid* grid() const { return grid_; }
    void setGrid(ExpertGrid* grid);
    int flashMs() const { return flash_.duration(); }
    void setFlashMs(int ms);
    qreal zoom() const { return zoom_; }
    void setZoom(qreal zoom);
    bool zoomable() const; ///< cells are smaller than they could be
    int hoveredLayer() const { return hovered_.layer; }
    int hoveredExpert() const { return hovered_.expert; }
    int cursorLayer() const { return cursor_.layer; }
    int cursorExpert() const { return cursor_.expert; }
    QString cellText() const;
    QString briefCellText() const;

    MapPlaces places() const;
    /// The picture that is shown.
    QImage picture() const;
    /// Number of pictures that the window has drawn of this item.
    int pictures() const { return pictures_; }
    /// Number of times that the names of rows and columns were written.
    int namings() const { return namings_; }

  Q_SIGNALS:
    void gridChanged();
    void lookChanged();
    void fontChanged();
    void placesChanged();
    void hoveredChanged();
    void cursorChanged();
    void selectedChanged();
    void cellTextChanged();
    void cellClicked(int layer, int expert);

  protected:
    QSGNode* updatePaintNode(QSGNode* old, UpdatePaintNodeData*) override;
    void geometryChange(const QRectF& now, const QRectF& before) override;
    void hoverMoveEvent(QHoverEvent* event) override;
    void hoverLeaveEvent(QHoverEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

  private:
    struct Place {
        int layer = -1, expert = -1;
        bool operator==(const Place&) const = default;
    };

    /// Everything on which the names of rows and columns depend.
    struct NamedAs {
        MapPlaces places{};
        MapLook look{};
        Place pointed{};
        qreal width = 0, dpr = 0;
        bool operator==(const NamedAs&) const = default;
    };

    MapLook look() const;
    Place cellAt(QPointF point) const;
    Place shownCell() const;
    QImage named(const MapPlaces& now, const Place& pointed) const;
    QRectF framedPlace() const;
    void hover(const Place& cell);
    void measureNames();
    void updateHeight();
    bool moveCursor(int key, bool ctrl);
    void showCursor();
    void zoomAround(qreal zoom, qreal x);
    void pan(qreal x);
    void onShape();
    void onContent();
    void onLayers();
    void redraw();

    QPointer<ExpertGrid> grid_;
    bool dark_ = false;
    QColor ground_, text_, mark_, frame_, behind_; ///< see MapLook
    QFont font_;
    CellFlash flash_;
    Framed framed_ = Nothing;
    qreal nameWidth_ = 0, nameHeight_ = 0; ///< room for the longest name of a layer
    qreal zoom_ = 1, pan_ = 0;
    Place hovered_, cursor_;
    int selectedLayer_ = -1, selectedExpert_ = -1;
    QPointF pressedAt_;
    qreal pressedPan_ = 0;
    bool dragged_ = false;
    bool stale_ = true; ///< the picture has to be drawn again
    int pictures_ = 0;
    mutable QImage named_; ///< the picture without its cells
    mutable NamedAs namedAs_;
    mutable int namings_ = 0;
    QTimer pause_; ///< while it runs, a picture was drawn less than a thirtieth of a second ago
};

} // namespace coterie::app
