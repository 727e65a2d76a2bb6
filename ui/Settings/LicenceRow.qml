// SPDX-License-Identifier: Apache-2.0
// One work of the page of licences: its name and its licence's name, which open the licence's text below them.
import QtQuick
import Coterie.Style

Column {
    id: root

    // Roles of LicenceList. The text is read when it is shown for the first time.
    required property string title
    required property string licence
    required property var model
    property bool open: false

    spacing: Style.small

    PushButton {
        Accessible.checkable: true
        Accessible.checked: root.open
        iconName: root.open ? "chevronDown" : "chevronRight"
        kind: "quiet"
        text: qsTr("%1: %2").arg(root.title).arg(root.licence)
        width: Math.min(implicitWidth, parent.width)
        onClicked: root.open = !root.open

        Accessible.onToggleAction: clicked()
    }
    SmallText {
        Accessible.role: Accessible.Paragraph
        leftPadding: Style.large
        text: root.open ? root.model.text : ""
        visible: root.open
        width: parent.width
        wrapMode: Text.Wrap
    }
}
