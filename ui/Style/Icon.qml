// SPDX-License-Identifier: Apache-2.0
// An icon that we drew, in any colour and size; app/look/icon_paths.cpp lists the names. Icons of the same look share one
// picture.
import QtQuick
import Coterie.App

IconItem {
    id: root

    property real size: Style.icon

    Accessible.ignored: true
    color: Style.theme.text
    implicitHeight: root.size
    implicitWidth: root.size
    stroke: Style.iconStroke
}
