// SPDX-License-Identifier: Apache-2.0
// Stands in the line below the composer's field while the card about what has no room in the context has no place above it.
// The card is in its popup, with all its words and actions. Screen readers speak the words as soon as the button is there.
import QtQuick
import QtQuick.Controls.Basic
import Coterie.App
import Coterie.Style

AbstractButton {
    id: root

    required property ContextView context
    property real room: Infinity // the width for the popup
    property real line: height // height of the line; the button may be a little higher
    readonly property string words: context.words

    function show(): void {
        popup.open();
    }
    function say(): void {
        if (visible && words)
            spoken.say(words);
    }

    Accessible.description: words
    Accessible.name: text
    Accessible.onPressAction: clicked()
    Accessible.role: Accessible.Button
    bottomInset: Style.ring
    focusPolicy: Qt.StrongFocus
    horizontalPadding: Style.small
    text: qsTr("No room: see what helps")
    verticalPadding: 0

    background: Rectangle {
        color: root.down || popup.visible ? Style.theme.pressed : root.hovered ? Style.theme.hover : "transparent"
        radius: Style.cornerSmall

        FocusRing {
            gap: 0
            shown: root.visualFocus
        }
    }
    contentItem: Item {
        implicitHeight: label.implicitHeight
        implicitWidth: symbol.width + Style.tiny + label.implicitWidth

        Icon {
            id: symbol

            color: Style.theme.error
            name: "warning"
            size: Style.iconSmall
            y: (root.line - height) / 2
        }
        SmallText {
            id: label

            Accessible.ignored: true
            anchors.left: symbol.right
            anchors.leftMargin: Style.tiny
            anchors.right: parent.right
            color: Style.theme.text
            elide: Text.ElideRight
            text: root.text
            y: root.line - height
        }
    }

    Keys.onEnterPressed: clicked()
    Keys.onReturnPressed: clicked()
    onClicked: {
        if (popup.visible)
            popup.close();
        else
            popup.open();
    }
    onVisibleChanged: {
        popup.close();
        Qt.callLater(say); // qmllint disable
    }
    onWordsChanged: Qt.callLater(say) // qmllint disable

    Announcement {
        id: spoken
    }
    Popup {
        id: popup

        readonly property real most: (root.Window.height || Infinity) - 2 * margins

        // A popup of Qt 6.4 has no name for screen readers, but the item behind it may have one.
        function tellName(): void {
            contentItem.parent.Accessible.name = root.text;
        }

        closePolicy: Popup.CloseOnEscape | Popup.CloseOnPressOutsideParent
        focus: true
        height: Math.min(card.implicitHeight, most)
        margins: Style.small
        padding: 0
        width: root.room
        y: -height // it covers all of the field

        background: PopupGround {}
        contentItem: ScrollArea {
            id: area

            contentHeight: Math.floor(card.implicitHeight) // layouts round
            focus: true
            interactive: contentHeight > height

            Keys.onPressed: event => event.accepted = scrollByKey(event.key, event.modifiers)

            NoRoomCard {
                id: card

                context: root.context
                framed: false
                width: area.width
                onChosen: popup.close()
            }
        }

        Component.onCompleted: tellName()
        onAboutToShow: {
            area.contentY = 0;
            SharedTip.end();
        }
    }
}
