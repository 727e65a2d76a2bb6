// SPDX-License-Identifier: Apache-2.0
// The field in which a chat is renamed: Enter or a click elsewhere keeps the new title, Escape does not.
import QtQuick
import Coterie.Style

InputField {
    id: root

    readonly property bool ownsEscape: true // Esc leaves the field and does nothing else, see FieldKeys

    signal ended(bool keep)

    implicitHeight: Style.controlSmall
    label: qsTr("New title")
    leftPadding: Style.small

    Keys.onEnterPressed: ended(true)
    Keys.onEscapePressed: ended(false)
    Keys.onReturnPressed: ended(true)
    onActiveFocusChanged: {
        if (!activeFocus)
            ended(true);
    }
}
