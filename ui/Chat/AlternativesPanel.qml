// SPDX-License-Identifier: Apache-2.0
// The tokens that the model could have written at one place of an answer, with their probabilities. A click on one, or
// Enter, continues from there in a new branch. Up and Down go through them, Left and Right go to the tokens around,
// Home and End to the answer's first and last one, Esc closes the panel.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Controls.Basic
import QtQuick.Layouts
import Coterie.App
import Coterie.Style

FocusScope {
    id: root

    required property TokenAlternatives alternatives
    readonly property bool known: alternatives.state !== TokenAlternatives.Unavailable
    readonly property bool awaited: alternatives.state === TokenAlternatives.Waiting || alternatives.state === TokenAlternatives.Computing
    readonly property string place: alternatives.words ? qsTr("After \u201c%1\u201d").arg(alternatives.words) : qsTr("At the beginning")

    signal closed

    Accessible.name: qsTr("Alternatives for a word")
    Accessible.role: Accessible.Grouping
    implicitHeight: column.implicitHeight + 2 * Style.medium
    implicitWidth: Style.menuWidth

    Keys.onShortcutOverride: event => event.accepted = event.key === Qt.Key_Escape
    Keys.onEscapePressed: root.closed()
    Keys.onLeftPressed: root.alternatives.step(-1)
    Keys.onRightPressed: root.alternatives.step(1)
    Keys.onPressed: event => {
        if (event.key !== Qt.Key_Home && event.key !== Qt.Key_End)
            return;
        event.accepted = true;
        root.alternatives.step(event.key === Qt.Key_Home ? -root.alternatives.token : root.alternatives.tokenCount - 1 - root.alternatives.token);
    }

    // A click between the rows belongs to the panel, not to the text below it.
    MouseArea {
        anchors.fill: parent
        hoverEnabled: true
        onWheel: wheel => wheel.accepted = true
    }
    PopupGround {
        anchors.fill: parent
    }
    ColumnLayout {
        id: column

        anchors.fill: parent
        anchors.margins: Style.medium
        spacing: Style.small

        RowLayout {
            spacing: Style.tiny

            SmallText {
                Layout.fillWidth: true
                elide: Text.ElideLeft
                text: root.known ? root.place : qsTr("No alternatives")
            }
            IconButton {
                compact: true
                enabled: root.alternatives.token > 0
                iconName: "chevronLeft"
                text: qsTr("The token before")
                onClicked: root.alternatives.step(-1)
            }
            IconButton {
                compact: true
                enabled: root.alternatives.token + 1 < root.alternatives.tokenCount
                iconName: "chevronRight"
                text: qsTr("The next token")
                onClicked: root.alternatives.step(1)
            }
            IconButton {
                compact: true
                focus: !root.known
                iconName: "close"
                text: qsTr("Close the alternatives (Esc)")
                onClicked: root.closed()
            }
        }
        ListView {
            id: list

            property real lastHeight: 0 // its room while the next rows are awaited, so that the panel keeps its place

            // Line ends and spaces are shown as marks: tokens differ in them.
            function shown(words: string): string {
                return words.replace(/\n/g, "\u21b5").replace(/\t/g, "\u21e5").replace(/^ +/, spaces => "\u2423".repeat(spaces.length)) || "\u00b7";
            }

            Accessible.name: qsTr("Alternatives")
            Accessible.role: Accessible.List
            Layout.fillHeight: true // a low window has less room
            Layout.fillWidth: true
            activeFocusOnTab: true
            boundsBehavior: Flickable.StopAtBounds
            cacheBuffer: 0 // all rows are replaced at each step: none are made before they are seen
            clip: true
            focus: root.known // also while it has no rows yet: an item that is not visible would lose the focus
            highlightMoveDuration: 0
            implicitHeight: count > 0 ? Math.min(contentHeight, Style.tableHeight) : lastHeight
            model: root.alternatives
            visible: root.known

            onImplicitHeightChanged: {
                if (count > 0)
                    lastHeight = implicitHeight;
            }

            ScrollBar.vertical: ThinScrollBar {}
            delegate: Rectangle {
                id: row

                required property int index
                required property var model // roles of TokenAlternatives
                readonly property string words: model.ends ? qsTr("(the answer ends)") : list.shown(model.text)

                function choose(): void {
                    root.alternatives.choose(index);
                }

                Accessible.description: model.chosen ? qsTr("The answer has this one") : qsTr("Continues from here in a new branch")
                Accessible.focusable: true
                Accessible.focused: activeFocus
                Accessible.name: model.probability ? qsTr("%1, %2").arg(words).arg(model.probability) : words
                Accessible.role: Accessible.ListItem
                Accessible.selectable: true
                Accessible.selected: model.chosen
                color: hover.hovered && !model.chosen ? Style.theme.hover : "transparent"
                height: Style.controlSmall
                radius: Style.cornerSmall
                width: ListView.view.width - (list.contentHeight > list.height ? Style.scrollBar + Style.tiny : 0)

                Accessible.onPressAction: choose()

                FocusRing {
                    gap: -Style.ring
                    shown: row.activeFocus
                }
                // Its length is the probability, from the left.
                Rectangle {
                    anchors.bottom: parent.bottom
                    color: row.model.chosen ? Style.theme.ember : Style.theme.mark
                    height: Style.ring
                    radius: Style.hairline
                    visible: width >= Style.ring // a shorter one would look like dirt
                    width: parent.width * row.model.share
                }
                RowLayout {
                    anchors.fill: parent
                    anchors.leftMargin: Style.tiny
                    anchors.rightMargin: Style.tiny
                    spacing: Style.tiny

                    Icon {
                        color: Style.theme.ember
                        name: "check"
                        opacity: row.model.chosen ? 1 : 0
                        size: Style.iconSmall
                    }
                    BodyText {
                        Accessible.ignored: true
                        Layout.fillWidth: true
                        color: row.model.ends ? Style.theme.quiet : Style.theme.text
                        elide: Text.ElideRight
                        text: row.words
                    }
                    Figures {
                        Accessible.ignored: true
                        text: row.model.probability
                    }
                }
                HoverHandler {
                    id: hover

                    cursorShape: row.model.chosen ? Qt.ArrowCursor : Qt.PointingHandCursor
                }
                TapHandler {
                    onTapped: row.choose()
                }
            }

            Keys.onEnterPressed: root.alternatives.choose(currentIndex)
            Keys.onReturnPressed: root.alternatives.choose(currentIndex)

            WheelArea {
                view: list
            }
        }
        SmallText {
            Layout.fillWidth: true
            text: root.alternatives.stateText
            wrapMode: Text.Wrap
        }
    }
    // Says what is awaited, and when the alternatives are there.
    Announcement {
        id: spoken
    }
    Connections {
        function onChanged() {
            const ready = root.alternatives.state === TokenAlternatives.Ready;
            if (ready)
                list.currentIndex = root.alternatives.chosenRow; // the answer's own token; Up and Down begin there
            const words = ready ? qsTr("%1: %Ln alternative(s). %2", "", root.alternatives.count).arg(root.place).arg(root.alternatives.stateText) : root.alternatives.stateText;
            if (words && words !== spoken.text)
                spoken.say(words);
        }

        target: root.alternatives
    }
}
