// SPDX-License-Identifier: Apache-2.0
// "Offline"; a click explains how anyone can check that it is true.
import QtQuick
import Coterie.Style

PushButton {
    Accessible.description: qsTr("Show how to check this")
    horizontalPadding: Style.small
    iconName: "shield"
    kind: "quiet"
    text: qsTr("Offline")
}
