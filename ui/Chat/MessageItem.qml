// SPDX-License-Identifier: Apache-2.0
// One message: the user's in a quiet bubble at the right, an answer as plain text in the full text width, an error
// below the message that it belongs to. Its buttons and figures are quiet: they appear under the pointer and the focus.
// Only the parts that a message needs are made, because a list has many messages.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import Coterie.App
import Coterie.Style
import Coterie.Text

Item {
    id: root

    required property int index
    // Roles of MessageModel. They are not properties of their own: `state` and `text` would hide properties of Item and
    // its subclasses.
    required property var model
    property string progress: "" // name of the current step while the answer is being written
    property bool latest: true // the last message; the figures of the others appear under the pointer or the focus
    property alias marked: body.marked // the token that stands out
    property bool choosing: false // a click on a word shows its alternatives; otherwise Ctrl and a click do
    property bool viewEnds: false // the model sees the conversation from the next message on
    property ListSelection across: null // continues a selection in the messages around this one
    property MessageActions actions: null // without it the message can only be read and copied
    property bool made: false // an error that comes later is announced

    readonly property bool fromUser: model.role === "user"
    // A question without an answer, which can be answered now.
    readonly property bool waitsForAnswer: fromUser && model.unanswered && actions !== null && !editing
    readonly property bool fromTool: model.role === "tool" // results, which nobody edits or asks for again
    readonly property string condition: model.state
    readonly property bool stopped: condition === "stopped"
    readonly property bool showsError: model.errorWhat !== "" && !stopped
    readonly property bool streaming: condition === "streaming"
    readonly property bool reading: body.activeFocus
    readonly property bool pointed: hover.hovered
    readonly property bool editing: actions !== null && actions.edited.includes(model.messageId)
    readonly property bool inUse: pointed || reading || toolsFocused // its buttons are shown
    property bool toolsFocused: false
    property VersionSwitch switcher: null
    property MessageEdit field: null
    // The user ended the answer. If the program did, a sentence says why.
    readonly property string ending: !stopped ? "" : model.unanswered ? qsTr("Not answered") : model.errorWhy === "" ? qsTr("Stopped") : ""
    // Sentences about how the answer was made: why the program ended it or did not run a tool, or that a device was lost.
    readonly property string sentences: [stopped ? Sentences.full(model.errorWhy) : "", model.notes].filter(words => words).join("\n")
    // Lines below the figures: reads from disk, less exact routing.
    readonly property var remarks: [model.disk, model.exactness].filter(words => words)
    readonly property string dot: " \u00b7 " // between two figures
    readonly property string figures: [model.modelName, model.statistics].filter(words => words).join(dot)
    readonly property string allFigures: [figures, model.resources].filter(words => words).join(dot)
    readonly property string unbrokenFigures: [model.modelName, unbroken(model.statistics), unbroken(model.resources)].filter(words => words).join(dot)
    property bool oneLine: true // all figures have room in one line
    // The room below: as much after a prompt as after an answer, where a line of buttons takes most of it. What follows is
    // as far from this line as the end of a chat is from the latest answer.
    readonly property bool endsWithButtons: fromUser ? model.versions > 1 || waitsForAnswer : !streaming && !latest && !viewEnds && !showsError
    readonly property real room: endsWithButtons ? Style.medium : fromUser ? Style.controlSmall + Style.large : Style.large
    readonly property real measure: Math.min(width - 2 * Style.wide, Style.measure)
    readonly property real beside: (width - measure) / 2 - Style.large // free at each side of the text

    signal copyWanted(var messageId)
    signal inspectWanted(var messageId)
    signal wholeViewWanted
    signal alternativesWanted(point place) // in the text
    signal tokenClicked(var messageId, int token)
    // The tokens of this message are not known yet.
    signal characterClicked(var messageId, int block, int offset)
    signal menuWanted(Item item, rect part, var selection) // for this part of the item; what can copy the selected text, or null
    // The reader is about to fold or unfold the text.
    signal refolding
    // The message between these heights should be in view.
    signal placeWanted(real top, real bottom)

    // Lines break between figures, not between a number and its unit.
    function unbroken(words: string): string {
        return words.replace(/ /g, "\u00a0").replace(/\u00a0\u00b7\u00a0/g, dot);
    }
    function fits(figures: string, room: real): bool {
        return Style.smallMetrics.height > 0 && Math.ceil(Style.smallMetrics.advanceWidth(figures)) + 1 <= room; // the height tells of a new font
    }
    // Returns as many figures as have room, and an ellipsis for the others: a figure that is cut would be another one.
    function fitting(words: string, room: real): string {
        const figures = words.split(dot);
        if (fits(words, room))
            return words;
        for (let count = figures.length - 1; count > 0; --count) {
            const text = [...figures.slice(0, count), "\u2026"].join(dot);
            if (fits(text, room))
                return text;
        }
        return figures[0];
    }
    // Returns all figures, in lines of at most this width. No line begins or ends with a dot.
    function inLines(words: string, room: real): string {
        const lines = [];
        for (const figure of words.split(dot)) {
            const longer = lines.length > 0 ? lines[lines.length - 1] + dot + figure : "";
            if (longer && fits(longer, room))
                lines[lines.length - 1] = longer;
            else
                lines.push(figure);
        }
        return lines.join("\n");
    }
    function openMenu(item: Item, part: rect): void {
        const selected = (across?.count ?? 0) > 0 ? across : body.selectedText ? body : null;
        menuWanted(item, part, selected);
    }
    // Opens it for the selected text, or else for the first line.
    function openMenuByKey(): void {
        const selected = body.selectedPlace();
        openMenu(body, selected.height > 0 ? selected : Qt.rect(0, 0, 0, Style.bodyMetrics.height));
    }
    // Brings the current place of a search into view.
    function showMark(): void {
        body.showMark();
    }
    // Returns the token at this place of the text, or -1.
    function tokenAt(place: point): int {
        return body.tokenAt(place);
    }
    // Returns the first place of the token that stands out; it is empty if there is none.
    function markedPlace(): rect {
        const places = body.markedPlaces;
        return places.length > 0 ? mapFromItem(body, places[0]) : Qt.rect(0, 0, 0, 0);
    }
    // Returns the token at the beginning of the selected text, or -1 if there is none.
    function selectedToken(): int {
        return body.selectedToken();
    }
    // Selects the next block of the text, or with step -1 the one before. Returns false if there is none.
    function selectBlock(step: int): bool {
        return body.selectBlock(step);
    }

    // Has it answered. The focus, which came to the button for this reason, does not go with it.
    function answer(reason: int): void {
        body.forceActiveFocus(reason);
        actions.regenerate(model.messageId);
    }
    // Gives the focus to the button that leads to another version in this direction; 0: to the text or its field.
    function takeFocus(step: int, byKey: bool): void {
        if (step !== 0 && switcher)
            switcher.focusStep(step, byKey);
        else if (field)
            field.begin();
        else
            body.forceActiveFocus(Qt.OtherFocusReason);
    }

    Accessible.name: fromTool ? qsTr("Results of tools") : streaming ? qsTr("The answer is being written") : (fromUser ? qsTr("You: %1") : qsTr("Answer: %1")).arg(model.text)
    Accessible.role: Accessible.ListItem
    implicitHeight: column.implicitHeight + room

    Component.onCompleted: made = true
    Keys.onDeletePressed: event => {
        event.accepted = reading && actions !== null;
        if (event.accepted)
            actions.remove(model.messageId);
    }
    Keys.onMenuPressed: openMenuByKey()

    TapHandler {
        acceptedButtons: Qt.RightButton
        enabled: root.actions !== null && !root.editing
        onTapped: point => root.openMenu(root, Qt.rect(point.position.x, point.position.y, 0, 0))
    }

    HoverHandler {
        id: hover
    }
    Column {
        id: column

        anchors.horizontalCenter: parent.horizontalCenter
        spacing: Style.tiny
        topPadding: Style.tiny
        width: root.measure

        Optional {
            wanted: root.model.files.length > 0

            MessageFiles {
                anchors.right: parent?.right
                files: root.model.files
                width: root.measure * Style.bubbleShare
            }
        }
        Item {
            id: place

            readonly property real inset: root.fromUser ? Style.large : 0
            readonly property real margin: root.fromUser ? Style.small : 0

            height: body.height + 2 * margin
            visible: !root.editing
            width: parent.width

            Rectangle {
                id: bubble

                anchors.right: parent.right
                color: Style.theme.bubble
                height: parent.height
                radius: Style.corner
                visible: root.fromUser && root.model.text !== ""
                width: body.width + 2 * place.inset
            }
            MessageBody {
                id: body

                across: root.across
                document: root.model.document
                foldable: root.fromUser
                latest: root.latest
                room: root.fromUser ? root.measure * Style.bubbleShare - 2 * place.inset : root.measure
                width: root.fromUser ? implicitWidth : room
                x: root.fromUser ? place.width - width - place.inset : 0
                y: place.margin
                onRefolding: root.refolding()
                onCharacterClicked: (block, offset) => {
                    if (!root.fromTool)
                        root.characterClicked(root.model.messageId, block, offset);
                }
                onTokenClicked: token => root.tokenClicked(root.model.messageId, token)

                TapHandler {
                    acceptedModifiers: root.choosing ? Qt.KeyboardModifierMask : Qt.ControlModifier
                    enabled: !root.fromUser
                    onTapped: point => root.alternativesWanted(point.position)
                }
                onFocusedByKeyChanged: {
                    if (focusedByKey)
                        root.placeWanted(0, root.height);
                }
                onPlaceWanted: wanted => {
                    const top = mapToItem(root, wanted.x, wanted.y).y;
                    root.placeWanted(top, top + wanted.height);
                }
            }
            Optional {
                wanted: root.fromUser

                MessageTools {
                    // They are at the left of the bubble, so that the answer follows directly below. They keep their
                    // place while they are hidden, so that nothing moves under the pointer.
                    anchors.right: bubble.left
                    anchors.rightMargin: Style.tiny
                    fromUser: true
                    opacity: root.inUse ? 1 : 0
                    onCopyWanted: root.copyWanted(root.model.messageId)
                    onEditWanted: root.actions?.beginEdit(root.model.messageId)
                    onHoldsFocusChanged: root.toolsFocused = holdsFocus
                    onMenuWanted: button => root.openMenu(button, Qt.rect(0, 0, button.width, button.height))
                }
            }
        }
        Optional {
            wanted: root.editing

            MessageEdit {
                id: edit

                actions: root.actions
                fromUser: root.fromUser
                messageId: root.model.messageId
                width: column.width
                onClosed: body.forceActiveFocus(Qt.OtherFocusReason)
                onPlaceWanted: (top, bottom) => {
                    const from = mapToItem(root, 0, top).y;
                    root.placeWanted(from, from + bottom - top);
                }
                Component.onCompleted: root.field = edit
                Component.onDestruction: root.field = null
            }
        }
        Optional {
            wanted: root.fromUser && root.model.versions > 1

            VersionSwitch {
                id: promptVersions

                anchors.right: parent?.right
                fromUser: true
                version: root.model.version
                versions: root.model.versions
                onStepWanted: step => root.actions?.showVersion(root.model.messageId, step)
                Component.onCompleted: root.switcher = promptVersions
            }
        }
        Optional {
            wanted: root.waitsForAnswer

            PushButton {
                anchors.right: parent?.right
                kind: "quiet"
                text: qsTr("Answer now")
                onClicked: root.answer(focusReason)
            }
        }
        Optional {
            wanted: !root.fromUser && root.sentences !== ""

            SmallText {
                Accessible.name: root.sentences
                text: root.sentences
                width: column.width
                wrapMode: Text.Wrap
            }
        }
        Optional {
            wanted: !root.fromUser && (!root.streaming || root.progress !== "")

            RowLayout {
                id: line

                // Its parts keep their place while they are hidden, so that nothing moves under the pointer.
                readonly property bool shown: root.latest || root.streaming || root.ending !== "" || root.inUse

                spacing: Style.small
                width: column.width

                MessageTools {
                    Layout.leftMargin: -Style.tiny
                    fromUser: false
                    opacity: line.shown ? 1 : 0
                    visible: !root.streaming && !root.fromTool
                    onCopyWanted: root.copyWanted(root.model.messageId)
                    onEditWanted: root.actions?.beginEdit(root.model.messageId)
                    onHoldsFocusChanged: root.toolsFocused = holdsFocus
                    onInspectWanted: root.inspectWanted(root.model.messageId)
                    onMenuWanted: button => root.openMenu(button, Qt.rect(0, 0, button.width, button.height))
                    onRegenerateWanted: root.actions?.regenerate(root.model.messageId)
                }
                VersionSwitch {
                    id: answerVersions

                    fromUser: false
                    version: root.model.version
                    versions: root.model.versions
                    visible: root.model.versions > 1
                    onStepWanted: step => root.actions?.showVersion(root.model.messageId, step)
                    Component.onCompleted: root.switcher = answerVersions
                }
                Figures {
                    Layout.topMargin: Style.tiny
                    text: root.progress
                    visible: root.streaming
                }
                SmallText {
                    text: root.ending
                    visible: text
                }
                PushButton {
                    kind: "quiet"
                    text: qsTr("Answer now")
                    visible: root.model.unanswered && root.actions !== null
                    onClicked: root.answer(focusReason)
                }
                // The figures of the last answer stand here if they have room in one line, else all of them are below.
                // The room is the same in both cases. Those of earlier answers go on beside the text.
                Item {
                    id: figuresPlace

                    Layout.fillWidth: true
                    implicitHeight: figuresLine.implicitHeight

                    SmallText {
                        id: figuresLine

                        readonly property string words: root.latest ? root.allFigures : [root.allFigures, ...root.remarks].join(root.dot)

                        Accessible.name: words
                        elide: Text.ElideRight
                        opacity: line.shown ? 1 : 0
                        text: root.latest || !line.shown ? words : root.fitting(words, width)
                        visible: text && (root.oneLine || !root.latest) && !root.streaming
                        width: parent.width + (root.latest ? 0 : root.beside)

                        HoverHandler {
                            id: overFigures
                        }
                    }
                    TextMetrics {
                        id: needed

                        font: figuresLine.font
                        text: root.latest ? root.allFigures : ""
                    }
                    Binding {
                        property: "oneLine"
                        target: root
                        value: needed.advanceWidth < figuresPlace.width
                    }
                    HoverTip {
                        shown: overFigures.hovered && (figuresLine.truncated || figuresLine.text !== figuresLine.words)
                        target: figuresLine
                        text: figuresLine.words
                    }
                }
            }
        }
        SmallText {
            readonly property string words: (root.oneLine ? root.remarks : [root.allFigures, ...root.remarks]).filter(line => line).join("\n")

            Accessible.name: words
            // No line ends behind the slash of "tok/s".
            text: !root.latest ? "" : [root.oneLine ? "" : root.unbrokenFigures, ...root.remarks].filter(line => line).map(line => root.inLines(line.replace(/\//g, "/\u2060"), width)).join("\n")
            topPadding: -Style.tiny
            visible: text
            width: parent.width
            wrapMode: Text.Wrap
        }
        Optional {
            wanted: root.showsError

            Column {
                topPadding: Style.small

                ErrorCard {
                    action: root.model.errorAction
                    what: root.model.errorWhat
                    why: root.model.errorWhy
                    width: column.width

                    Component.onCompleted: {
                        if (root.made)
                            announceSoon();
                    }
                }
            }
        }
        Optional {
            wanted: root.viewEnds

            ViewStart {
                width: column.width
                onUndoWanted: root.wholeViewWanted()
            }
        }
    }
}
