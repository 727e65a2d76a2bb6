// SPDX-License-Identifier: Apache-2.0
// The page of models: the open one with its facts, those that were opened before, and the ways to open another one.
pragma ComponentBehavior: Bound
import QtQuick
import Coterie.App
import Coterie.Style

Page {
    id: root

    required property App app
    readonly property ModelController models: app.models

    signal openWanted

    title: qsTr("Models")
    onVisibleChanged: {
        if (visible)
            models.lookAtRecent();
    }

    ErrorCard {
        action: root.models.error.action
        dismissable: true
        visible: root.models.error.valid && root.models.state === ModelController.Ready // the open model stays open
        what: root.models.error.what
        why: root.models.error.why
        width: parent.width
        onDismissed: root.models.dismissError()
    }
    ModelCard {
        models: root.models
        width: parent.width
        onOpenWanted: root.openWanted()
        onSettingsWanted: root.app.commands.run("page.settings")
    }
    Flow {
        spacing: Style.small
        width: parent.width

        PushButton {
            iconName: "folder"
            kind: "primary"
            text: qsTr("Open a model file\u2026")
            width: Math.min(implicitWidth, parent.width)
            onClicked: root.openWanted()
        }
        PushButton {
            Accessible.description: qsTr("Small model included with Coterie")
            iconName: "cube"
            text: qsTr("Open the demo model")
            visible: root.models.demoOffered
            width: Math.min(implicitWidth, parent.width)
            onClicked: root.models.openDemo()
        }
    }
    SmallText {
        text: qsTr("A model is a .gguf file. Coterie reads it where it is, and you can also drop one anywhere on this window.")
        width: parent.width
        wrapMode: Text.Wrap
    }
    Heading {
        text: qsTr("Models opened before")
        topPadding: Style.medium
    }
    SmallText {
        text: qsTr("Models that you open will be listed here.")
        visible: before.count === 0
        width: parent.width
        wrapMode: Text.Wrap
    }
    // Not a layout: one of Qt 6.4 still asks for the size of a row that was removed.
    Column {
        id: rows

        spacing: Style.medium
        visible: before.count > 0
        width: parent.width

        Repeater {
            id: before

            model: root.models.recent

            RecentModelRow {
                required property var modelData

                exists: modelData.exists
                name: modelData.name
                open: root.models.state === ModelController.Ready && modelData.path === root.models.path
                path: modelData.path
                width: rows.width
                onForgetWanted: {
                    root.models.forget(path);
                    root.takeFocus();
                }
                onOpenWanted: root.models.open(path)
            }
        }
    }

    // The row that had the focus is gone.
    function takeFocus(): void {
        nextItemInFocusChain(true).forceActiveFocus(Qt.OtherFocusReason);
    }

    component Heading: BodyText {
        Accessible.role: Accessible.Heading
        font.weight: Style.heavyWeight
        width: parent.width
        wrapMode: Text.Wrap
    }
}
