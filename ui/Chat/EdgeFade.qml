// SPDX-License-Identifier: Apache-2.0
// An edge of a field at which its text fades while more of it is behind the edge.
import QtQuick
import Coterie.Style

Rectangle {
    id: root

    required property bool upper
    readonly property color clear: Qt.alpha(Style.theme.surface, 0)

    Accessible.ignored: true
    height: Style.bodySize

    gradient: Gradient {
        GradientStop {
            color: root.upper ? Style.theme.surface : root.clear
            position: 0
        }
        GradientStop {
            color: root.upper ? root.clear : Style.theme.surface
            position: 1
        }
    }
}
