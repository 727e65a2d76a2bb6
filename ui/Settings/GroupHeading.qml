// SPDX-License-Identifier: Apache-2.0
// The heading of a group of settings.
import QtQuick
import Coterie.Style

BodyText {
    readonly property bool headsGroup: true // it is in view with the items of the group, see ScrollArea.qml

    Accessible.role: Accessible.Heading
    font.pixelSize: Style.headingSize
    font.weight: Style.heavyWeight
    wrapMode: Text.Wrap
}
