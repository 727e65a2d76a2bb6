// SPDX-License-Identifier: Apache-2.0
// The dashed outline of a place where a file may be dropped.
import QtQuick
import QtQuick.Shapes
import Coterie.Style

Shape {
    id: root

    readonly property real edge: Style.hairline

    layer.enabled: true // a picture of its own: the software renderer clips pictures only

    ShapePath {
        capStyle: ShapePath.RoundCap
        dashPattern: [Style.tiny, Style.tiny]
        fillColor: "transparent"
        startX: Style.corner
        startY: root.edge
        strokeColor: Style.theme.mark
        strokeStyle: ShapePath.DashLine
        strokeWidth: Style.hairline

        PathLine {
            x: root.width - Style.corner
            y: root.edge
        }
        PathArc {
            radiusX: Style.corner
            radiusY: Style.corner
            x: root.width - root.edge
            y: Style.corner
        }
        PathLine {
            x: root.width - root.edge
            y: root.height - Style.corner
        }
        PathArc {
            radiusX: Style.corner
            radiusY: Style.corner
            x: root.width - Style.corner
            y: root.height - root.edge
        }
        PathLine {
            x: Style.corner
            y: root.height - root.edge
        }
        PathArc {
            radiusX: Style.corner
            radiusY: Style.corner
            x: root.edge
            y: root.height - Style.corner
        }
        PathLine {
            x: root.edge
            y: Style.corner
        }
        PathArc {
            radiusX: Style.corner
            radiusY: Style.corner
            x: Style.corner
            y: root.edge
        }
    }
}
