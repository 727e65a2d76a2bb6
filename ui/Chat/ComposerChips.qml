// SPDX-License-Identifier: Apache-2.0
// The files above the composer's field, which will be sent with its text.
pragma ComponentBehavior: Bound
import QtQuick
import Coterie.App
import Coterie.Style

Flow {
    id: root

    required property ComposerFiles files

    signal fieldWanted // the control that had the focus goes away: the composer's field should have it

    Accessible.name: qsTr("Attached files")
    Accessible.role: Accessible.List
    spacing: Style.tiny
    visible: files.count > 0 || files.reading > 0

    Repeater {
        model: root.files

        FileChip {
            id: chip

            required property int index

            removable: true
            room: root.width
            onRemoveWanted: {
                root.files.remove(chip.index);
                root.fieldWanted();
            }
        }
    }
    SmallText {
        height: Style.control
        text: qsTr("Reading %Ln file(s)", "", root.files.reading)
        verticalAlignment: Text.AlignVCenter
        visible: root.files.reading > 0
    }
    SmallText {
        id: repeated

        Accessible.role: Accessible.AlertMessage
        elide: Text.ElideMiddle
        height: Style.control
        text: root.files.repeated ? qsTr("%1 is already attached.", "a file").arg(NameText.isolated(root.files.repeated)) : ""
        verticalAlignment: Text.AlignVCenter
        visible: text
        width: Math.min(implicitWidth, root.width)
        onTextChanged: words => {
            if (words)
                Qt.callLater(Announcer.announce, repeated); // qmllint disable
        }
    }
}
