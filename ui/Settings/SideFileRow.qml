// SPDX-License-Identifier: Apache-2.0
// The packed copy of the open model's experts: offered with its size where it helps, made with progress, removed.
import QtQuick
import QtQuick.Layouts
import Coterie.App
import Coterie.Style

ColumnLayout {
    id: root

    required property SideFileController sideFile
    required property ModelController models
    readonly property string hint: {
        const size = Units.size(sideFile.bytes);
        switch (sideFile.state) {
        case SideFileController.NotUseful:
            return qsTr("Not needed: nothing of this model has to be read while it answers.");
        case SideFileController.Offered:
            return qsTr("Takes %1 of disk. Each expert is then read in one piece, so answers wait less for the disk.").arg(size);
        case SideFileController.Packing:
            return qsTr("Being made, %1 of %2. You can go on meanwhile.").arg(Units.share(sideFile.progress)).arg(size);
        case SideFileController.Present:
            return sideFile.waiting ? qsTr("Takes %1 of disk. It is used when the model is opened next.").arg(size) : qsTr("Takes %1 of disk, and is used.").arg(size);
        case SideFileController.Stale:
            return qsTr("Takes %1 of disk, but the model's file has changed since: it is not used.").arg(size);
        }
        return "";
    }

    spacing: Style.small
    visible: sideFile.state !== SideFileController.Unavailable

    SettingRow {
        hint: root.hint
        title: qsTr("Packed copy of the experts")

        PushButton {
            text: root.sideFile.state === SideFileController.Stale ? qsTr("Make it anew") : qsTr("Make it")
            visible: root.sideFile.state === SideFileController.Offered || root.sideFile.state === SideFileController.Stale
            onClicked: root.sideFile.pack()
        }
        PushButton {
            text: qsTr("Stop")
            visible: root.sideFile.state === SideFileController.Packing
            onClicked: root.sideFile.cancel()
        }
        PushButton {
            text: qsTr("Open the model again")
            visible: root.sideFile.state === SideFileController.Present && root.sideFile.waiting
            onClicked: root.models.reopen()
        }
        PushButton {
            text: qsTr("Remove")
            visible: root.sideFile.state === SideFileController.Present || root.sideFile.state === SideFileController.Stale
            onClicked: root.sideFile.remove()
        }
    }
    ThinGauge {
        Layout.fillWidth: true
        value: root.sideFile.progress
        visible: root.sideFile.state === SideFileController.Packing
    }
    SmallText {
        Layout.fillWidth: true
        elide: Text.ElideMiddle
        text: root.sideFile.path
        visible: text && root.sideFile.state !== SideFileController.NotUseful && root.sideFile.state !== SideFileController.Failed
    }
    ErrorCard {
        Layout.fillWidth: true
        action: root.sideFile.error.action
        visible: root.sideFile.state === SideFileController.Failed
        what: root.sideFile.error.what
        why: root.sideFile.error.why

        PushButton {
            text: qsTr("Try again")
            onClicked: root.sideFile.lookAgain()
        }
    }
}
