// SPDX-License-Identifier: Apache-2.0
// The question mark beside a figure, a chart or a part of a page. Whoever owns it unfolds a text that says what that is.
import QtQuick

IconButton {
    id: root

    required property string subject
    property bool open: false // the text is shown

    Accessible.checkable: true
    Accessible.checked: open
    compact: true
    iconName: "question"
    text: qsTr("What is this? %1").arg(root.subject)
}
