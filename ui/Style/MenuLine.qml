// SPDX-License-Identifier: Apache-2.0
// The line between two groups of a menu.
import QtQuick
import QtQuick.Controls.Basic

MenuSeparator {
    padding: Style.tiny

    contentItem: Rectangle {
        color: Style.theme.line
        implicitHeight: Style.hairline
    }
}
