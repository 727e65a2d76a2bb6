// SPDX-License-Identifier: Apache-2.0
// An error in three parts: what happened, why, what to do. `actions` holds buttons, if any helps.
import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Layouts

Control {
    id: root

    required property string what
    required property string why
    required property string action
    property bool dismissable: false
    default property alias actions: buttons.data

    signal dismissed

    Accessible.description: why && action ? why + ". " + action : why + action
    Accessible.name: what
    Accessible.role: Accessible.AlertMessage
    leftPadding: Style.large
    rightPadding: Style.medium
    verticalPadding: Style.medium

    background: Rectangle {
        border.color: Style.theme.error
        border.width: Style.hairline
        color: Style.theme.errorGround
        radius: Style.corner
    }
    contentItem: RowLayout {
        spacing: Style.medium

        Icon {
            Layout.alignment: Qt.AlignTop
            color: Style.theme.error
            name: "warning"
        }
        ColumnLayout {
            spacing: Style.tiny

            BodyText {
                Layout.fillWidth: true
                color: Style.theme.error
                font.weight: Style.medWeight
                text: root.what
                wrapMode: Text.Wrap
            }
            BodyText {
                Layout.fillWidth: true
                text: root.why
                visible: text
                wrapMode: Text.Wrap
            }
            BodyText {
                Layout.fillWidth: true
                font.weight: Style.medWeight
                text: root.action
                visible: text
                wrapMode: Text.Wrap
            }
            Flow {
                id: buttons

                Layout.fillWidth: true
                Layout.topMargin: Style.tiny
                spacing: Style.small
                visible: children.length > 0
            }
        }
        IconButton {
            Layout.alignment: Qt.AlignTop
            compact: true
            iconName: "close"
            text: qsTr("Dismiss")
            visible: root.dismissable
            onClicked: root.dismissed()
        }
    }
}
