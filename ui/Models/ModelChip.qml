// SPDX-License-Identifier: Apache-2.0
// The open model: name, size, state. It opens the menu of models, which leads to their page.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Controls.Basic
import QtQml.Models
import Coterie.App
import Coterie.Style

AbstractButton {
    id: root

    required property ModelController models
    required property CommandList commands
    property real room: Infinity // available width; the controls beside it need the rest
    readonly property bool open: menu.visible
    readonly property string stateText: {
        switch (models.state) {
        case ModelController.Opening:
            return qsTr("Opening, %1 %").arg(Math.floor(models.progress * 100));
        case ModelController.Ready:
            return models.details;
        case ModelController.Failed:
            return qsTr("Could not be opened");
        case ModelController.Missing:
            return qsTr("The file is gone");
        }
        return "";
    }

    signal openWanted
    // A line of the menu changed which model is open: the chip has no use for the focus any more.
    signal chosen

    // Called when the menu has closed: the list of recent models changes, and a line must not go while it is chosen.
    function openRecent(path: string): void {
        models.open(path);
        chosen();
    }
    function showMenu(): void {
        models.lookAtRecent();
        menu.openBeside(root);
    }

    Accessible.description: stateText
    Accessible.name: qsTr("Model: %1").arg(NameText.isolated(text))
    Accessible.role: Accessible.ButtonMenu
    focusPolicy: Qt.StrongFocus
    horizontalPadding: Style.medium
    implicitHeight: Math.max(Style.control, lines.implicitHeight + Style.small)
    spacing: Style.small
    text: models.state === ModelController.None ? qsTr("No model is open") : models.name

    background: Rectangle {
        border.color: Style.theme.line
        border.width: Style.hairline
        color: root.down || root.open ? Style.theme.pressed : root.hovered ? Style.theme.hover : Style.theme.surface
        radius: Style.corner

        FocusRing {
            shown: root.visualFocus
        }
        ThinGauge {
            anchors.bottom: parent.bottom
            anchors.left: parent.left
            anchors.margins: Style.ring
            anchors.right: parent.right
            height: Style.ring
            value: root.models.progress
            visible: root.models.state === ModelController.Opening
        }
    }
    contentItem: Item {
        id: content

        readonly property real besides: symbol.width + 2 * root.spacing + arrow.width
        readonly property real lineRoom: Math.min(Style.chipMax, root.room - besides - 2 * root.horizontalPadding)
        readonly property bool hasLines: lineRoom >= 2 * Style.bodySize // with less room, not even a letter is left of a name
        readonly property real lineWidth: hasLines ? Math.min(Math.ceil(Math.max(title.implicitWidth, root.stateText ? condition.implicitWidth : 0)), lineRoom) : 0

        implicitHeight: lines.implicitHeight
        implicitWidth: besides + lineWidth

        Icon {
            id: symbol

            readonly property bool bad: root.models.state === ModelController.Failed || root.models.state === ModelController.Missing

            anchors.left: parent.left
            anchors.verticalCenter: parent.verticalCenter
            color: bad ? Style.theme.error : root.models.state === ModelController.Ready ? Style.theme.ember : Style.theme.quiet
            name: bad ? "warning" : "cube"
        }
        Column {
            id: lines

            anchors.left: symbol.right
            anchors.leftMargin: root.spacing
            anchors.verticalCenter: parent.verticalCenter
            visible: content.hasLines

            BodyText {
                id: title

                Accessible.ignored: true
                elide: root.models.state === ModelController.None ? Text.ElideRight : Text.ElideMiddle
                font.weight: Style.medWeight
                text: root.text
                width: Math.min(implicitWidth, content.lineWidth)
            }
            SmallText {
                id: condition

                Accessible.ignored: true
                elide: Text.ElideRight
                text: root.stateText
                visible: text
                width: Math.min(implicitWidth, content.lineWidth)
            }
        }
        Icon {
            id: arrow

            anchors.right: parent.right
            anchors.verticalCenter: parent.verticalCenter
            color: Style.theme.quiet
            name: "chevronDown"
            size: Style.iconSmall
        }
    }

    Accessible.onPressAction: showMenu()
    Keys.onDownPressed: showMenu()
    Keys.onEnterPressed: showMenu()
    Keys.onReturnPressed: showMenu()
    onClicked: showMenu()

    HoverTip {
        shown: (root.hovered || root.visualFocus) && root.visible && !root.open
        target: root
        text: content.hasLines && !title.truncated ? "" : root.text
    }
    PopupMenu {
        id: menu

        label: qsTr("Models")

        PopupMenuItem {
            iconName: "folder"
            text: root.commands.tip(qsTr("Open a model\u2026"), "model.open")
            onTriggered: root.openWanted()
        }
        PopupMenuItem {
            iconName: "sliders"
            text: root.commands.tip(qsTr("All models"), "page.models")
            onTriggered: root.commands.run("page.models")
        }
        PopupMenuItem {
            iconName: "close"
            text: root.models.state === ModelController.Opening ? qsTr("Stop opening") : qsTr("Close %1").arg(NameText.isolated(root.models.name))
            visible: !root.models.demo && (root.models.state === ModelController.Opening || root.models.state === ModelController.Ready)
            onTriggered: {
                if (root.models.state === ModelController.Opening)
                    root.models.cancelOpening();
                else
                    root.models.close();
                root.chosen();
            }
        }
        PopupMenuItem {
            detail: qsTr("Small model included with Coterie")
            iconName: "cube"
            text: qsTr("Demo model")
            visible: root.models.demoOffered
            onTriggered: {
                root.models.openDemo();
                root.chosen();
            }
        }
        MenuLine {
            height: visible ? implicitHeight : 0
            visible: recent.count > 0
        }
        // The page of models lists those whose files are gone, too.
        Instantiator {
            id: recent

            model: Array.from(root.models.recent).filter(entry => entry.exists && entry.path !== root.models.path).slice(0, Style.menuModels)

            delegate: PopupMenuItem {
                required property var modelData

                detail: modelData.path
                iconName: "cube"
                nameLike: true
                text: modelData.name
                onTriggered: Qt.callLater(root.openRecent, modelData.path) // qmllint disable
            }

            onObjectAdded: (index, object) => menu.addItem(object as PopupMenuItem)
            onObjectRemoved: (index, object) => menu.removeItem(object as PopupMenuItem)
        }
    }
}
