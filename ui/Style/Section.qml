// SPDX-License-Identifier: Apache-2.0
// A part of a page that is closed until a user opens it. Its heading is a button with the part's name and, in the line
// below while it is closed, the part's result: who reads only the headings knows what the parts say. A question mark
// beside it unfolds a text that says what the part is, also while it is closed. It is placed by positioners, because
// layouts in layouts give up in Qt 6.4.
import QtQuick
import QtQuick.Controls.Basic

Column {
    id: root

    required property string heading
    required property string about // says what the part is
    property string result: ""
    property bool open: false
    property bool explained: false // the text above is shown
    // Its content is about to be replaced: until then it keeps its height, so that nothing below moves.
    property bool held: false
    property real lastHeight: 0 // the height of the content when it was not held
    default property alias content: body.data

    signal toggled // the user wants it open if it is closed, and closed if it is open

    function keepHeight(): void {
        if (!held)
            lastHeight = body.height;
    }

    onHeldChanged: keepHeight()

    Item {
        height: button.height
        width: root.width

        AbstractButton {
            id: button

            Accessible.checkable: true
            Accessible.checked: root.open
            Accessible.description: root.result
            Accessible.name: text
            Accessible.role: Accessible.Button
            focusPolicy: Qt.StrongFocus
            implicitHeight: contentItem.implicitHeight + topPadding + bottomPadding
            padding: Style.small
            text: root.heading
            width: parent.width - question.width - Style.tiny

            background: Rectangle {
                color: button.down ? Style.theme.pressed : button.hovered ? Style.theme.hover : "transparent"
                radius: Style.cornerSmall

                FocusRing {
                    gap: 0
                    shown: button.visualFocus
                }
            }
            contentItem: Item {
                implicitHeight: words.implicitHeight

                Icon {
                    anchors.left: parent.left
                    anchors.top: parent.top
                    anchors.topMargin: (title.height - height) / 2
                    color: Style.theme.quiet
                    name: root.open ? "chevronDown" : "chevronRight"
                    size: Style.iconSmall
                }
                Column {
                    id: words

                    anchors.left: parent.left
                    anchors.leftMargin: Style.iconSmall + Style.small
                    anchors.right: parent.right

                    BodyText {
                        id: title

                        Accessible.ignored: true
                        elide: Text.ElideRight
                        font.weight: Style.heavyWeight
                        text: root.heading
                        width: parent.width
                    }
                    SmallText {
                        id: line

                        Accessible.ignored: true
                        elide: Text.ElideRight
                        text: root.result || " " // its line is there before the result is known
                        visible: !root.open // the content says it, too
                        width: parent.width
                    }
                }
            }

            // Qt 6.4 does not pass the press of a screen reader on.
            Accessible.onPressAction: root.toggled()
            Accessible.onToggleAction: root.toggled()
            Keys.onEnterPressed: root.toggled()
            Keys.onReturnPressed: root.toggled()
            onClicked: root.toggled()

            HoverTip {
                shown: (button.hovered || button.visualFocus) && line.truncated
                target: button
                text: root.result
            }
        }
        QuestionButton {
            id: question

            anchors.right: parent.right
            anchors.top: parent.top
            anchors.topMargin: Style.tiny
            open: root.explained
            subject: qsTr("The part %1").arg(root.heading)
            onClicked: root.explained = !root.explained
        }
    }
    SmallText {
        bottomPadding: Style.tiny
        leftPadding: Style.small
        rightPadding: Style.small
        text: root.about
        visible: root.explained
        width: root.width
        wrapMode: Text.Wrap
    }
    Item {
        height: body.y + Math.max(body.height, root.held ? root.lastHeight : 0) + Style.small
        visible: root.open
        width: root.width

        Column {
            id: body

            spacing: Style.small
            width: parent.width - 2 * Style.small
            x: Style.small
            y: Style.tiny
            onHeightChanged: root.keepHeight()
        }
    }
}
