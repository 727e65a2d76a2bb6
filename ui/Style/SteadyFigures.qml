// SPDX-License-Identifier: Apache-2.0
// Figures in a place that is wide enough for every text in `reserved`, so that nothing beside them moves. They end at the
// right edge, or begin at the left one if `leading` is true.
import QtQuick

Figures {
    leading: false
}
