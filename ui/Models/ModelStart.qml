// SPDX-License-Identifier: Apache-2.0
// The page that the window shows while a chat is empty and a model of the user is open or being opened: its name, what to
// write, and notes about its file. The demo model has a page of its own.
pragma ComponentBehavior: Bound
import QtQuick
import Coterie.App
import Coterie.Style

StartPage {
    id: root

    required property ModelController models
    readonly property bool opening: models.state === ModelController.Opening

    margin: Style.small
    spacing: Style.small

    TitleText {
        elide: Text.ElideMiddle
        horizontalAlignment: Text.AlignHCenter
        text: root.models.name
        width: parent.width
    }
    BodyText {
        color: Style.theme.quiet
        horizontalAlignment: Text.AlignHCenter
        text: {
            if (root.opening)
                return qsTr("The model is being opened.");
            return root.models.continuesText ? qsTr("This model continues texts: write the beginning of one.") : qsTr("Write the first message below.");
        }
        width: parent.width
        wrapMode: Text.Wrap
    }
    Repeater {
        // Assumptions that were made about the file, and anything unusual in it.
        model: root.models.notes

        SmallText {
            required property string modelData

            horizontalAlignment: Text.AlignHCenter
            text: modelData
            width: parent?.width ?? 0 // at the end of the program it has none
            wrapMode: Text.Wrap
        }
    }
    ThinGauge {
        anchors.horizontalCenter: parent.horizontalCenter
        value: root.models.progress
        visible: root.opening
        width: Style.fieldWidth * 2
    }
    PushButton {
        anchors.horizontalCenter: parent.horizontalCenter
        kind: "quiet"
        text: qsTr("Cancel")
        visible: root.opening
        onClicked: root.models.cancelOpening()
    }
}
