// SPDX-License-Identifier: Apache-2.0
// One row of the settings: its title, an explanation, and its control at the right. It uses anchors because a nested
// layout keeps the sizes that it got before its page was shown.
import QtQuick
import QtQuick.Layouts
import Coterie.Style

Item {
    id: root

    required property string title
    property string hint: ""
    default property alias control: place.data

    Layout.fillWidth: true
    implicitHeight: Math.max(words.height, place.implicitHeight)

    Item {
        id: words

        anchors.left: parent.left
        anchors.right: place.left
        anchors.rightMargin: Style.large
        anchors.verticalCenter: parent.verticalCenter
        height: name.height + (root.hint ? explanation.height : 0)

        BodyText {
            id: name

            text: root.title
            width: parent.width
            wrapMode: Text.Wrap
        }
        SmallText {
            id: explanation

            anchors.top: name.bottom
            text: root.hint
            visible: text
            width: parent.width
            wrapMode: Text.Wrap
        }
    }
    RowLayout {
        id: place

        anchors.right: parent.right
        anchors.verticalCenter: parent.verticalCenter
        spacing: Style.small
    }
}
