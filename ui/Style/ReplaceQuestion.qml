// SPDX-License-Identifier: Apache-2.0
// The question whether a file that exists is to be replaced. It gives the focus to the button that keeps the file, and
// Escape keeps it too. Afterwards the focus is where it was. Screen readers speak it when it appears. Its root is no
// Control, because a bare Control of Qt 6.4 loses its role.
import QtQuick
import Coterie.App

Rectangle {
    id: root

    required property string file // its name, as it is shown
    required property bool asking
    property Item focusBefore: null // it had the focus before the question

    signal answered(replace: bool)
    signal focusLost // the control that had the focus before the question is not in view any more

    function ask(): void {
        if (!asking || !visible)
            return;
        focusBefore = Window.activeFocusItem;
        Announcer.announce(root);
        keep.forceActiveFocus(Qt.ShortcutFocusReason);
    }
    function answer(replace: bool): void {
        const held = keep.activeFocus || change.activeFocus;
        const back = focusBefore;
        focusBefore = null;
        answered(replace);
        if (!held)
            return;
        if (back && back.visible && back.enabled)
            back.forceActiveFocus(Qt.ShortcutFocusReason);
        else
            focusLost();
    }

    Accessible.name: words.text
    Accessible.role: Accessible.AlertMessage
    border.color: Style.theme.line
    border.width: Style.hairline
    color: Style.theme.surface
    implicitHeight: inside.implicitHeight + 2 * Style.medium
    radius: Style.corner
    visible: asking

    Keys.onEscapePressed: answer(false)
    Keys.onShortcutOverride: event => event.accepted = event.key === Qt.Key_Escape
    onAskingChanged: Qt.callLater(ask) // qmllint disable

    Column {
        id: inside

        anchors.left: parent.left
        anchors.margins: Style.medium
        anchors.right: parent.right
        anchors.verticalCenter: parent.verticalCenter
        spacing: Style.small

        BodyText {
            id: words

            Accessible.ignored: true // it is the question's name
            text: qsTr("There is a file %1 already. Replace it?").arg(root.file)
            width: parent.width
            wrapMode: Text.Wrap
        }
        Flow {
            spacing: Style.small
            width: parent.width

            PushButton {
                id: change

                text: qsTr("Replace the file")
                onClicked: root.answer(true)
            }
            PushButton {
                id: keep

                text: qsTr("Keep the file")
                onClicked: root.answer(false)
            }
        }
    }
}
