// SPDX-License-Identifier: Apache-2.0
// A line of the settings: what it is, what it does, its control at the right.
import QtQuick
import QtQuick.Layouts
import Coterie.Style

RowLayout {
    id: root

    required property string title
    property string hint: ""
    default property alias control: place.data

    Layout.fillWidth: true
    spacing: Style.large

    Column {
        Layout.fillWidth: true

        BodyText {
            text: root.title
            width: parent.width
            wrapMode: Text.Wrap
        }
        SmallText {
            text: root.hint
            visible: text
            width: parent.width
            wrapMode: Text.Wrap
        }
    }
    RowLayout {
        id: place

        Layout.fillWidth: false
        spacing: Style.small
    }
}
