// SPDX-License-Identifier: Apache-2.0
// The light around the cells of experts when a token that used them arrives: one light for those that were there,
// another for those that were waited for. It is an outline, so that the colour of the cell is that of the legend. It
// fades in a few steps, and while tokens follow each other quickly, a cell that goes on being used does not flicker. A
// token lets the lights before it fade by a step, and the lights change on their own only if the next token is late: so
// they never make the map be drawn more than 15 times a second. Without a duration nothing is ever lit. Lives on the
// GUI thread.
#pragma once

#include "experts/expert_index.h"

#include <QObject>
#include <QRgb>
#include <QTimer>

#include <cstddef>
#include <vector>

namespace coterie::app {

class ExpertGrid;
struct MapLook;

class CellFlash : public QObject {
    Q_OBJECT
  public:
    explicit CellFlash(QObject* parent = nullptr);

    int duration() const { return duration_; } ///< milliseconds until a cell is dark again
    void setDuration(int ms);
    /// Lights the cells of the grid's token, if it is another one than at the last call.
    void light(const ExpertGrid& grid);
    /// Puts all lights out.
    void clear();
    /// 0..1: how bright the light of this cell is.
    double level(int layer, int expert) const;
    bool rests() const { return lit_ == 0; }
    /// Milliseconds until the lights change on their own; -1 if there are none.
    int untilStep() const { return timer_.isActive() ? timer_.interval() : -1; }
    /// Lets the lights fade, because no token came meanwhile. The timer calls it.
    void step();
    /// Returns the colour of the outline of a cell of this colour: as strong as its light, over the cell.
    QRgb over(QRgb cell, int layer, int expert, const MapLook& look) const;

  Q_SIGNALS:
    /// The picture looks different now.
    void changed();

  private:
    struct Light {
        bool waited = false;
        double level = 0;
    };

    void fade(int ms);
    void countLit();

    engine::ExpertIndex index_;
    std::vector<Light> lights_; ///< [cells of the grid], in the order of index_; most of them have the level 0
    std::ptrdiff_t lit_ = 0;    ///< number of the others
    int duration_ = 0;
    int token_ = -1; ///< the position of the token that was lit last
    QTimer timer_;
};

} // namespace coterie::app
