// SPDX-License-Identifier: Apache-2.0
// A hairline, which is only decoration.
import QtQuick

Rectangle {
    Accessible.ignored: true
    color: Style.theme.line
    implicitHeight: Style.hairline
    implicitWidth: Style.hairline
}
