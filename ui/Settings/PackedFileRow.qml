// SPDX-License-Identifier: Apache-2.0
// The packed file of the open model's experts. The row offers to make it, with its size, if it would help; shows the
// progress; and can remove it.
import QtQuick
import QtQuick.Layouts
import Coterie.App
import Coterie.Style

ColumnLayout {
    id: root

    required property PackedFileController packedFile
    required property ModelController models
    readonly property string hint: {
        const size = Units.size(packedFile.bytes);
        switch (packedFile.state) {
        case PackedFileController.NotUseful:
            return qsTr("Not needed: nothing of this model has to be read while it answers.");
        case PackedFileController.Offered:
            return qsTr("Takes %1 of disk. Each expert is then read in one piece, so answers wait less for the disk.").arg(size);
        case PackedFileController.Packing:
            return qsTr("Being made, %1 of %2. You can go on meanwhile.").arg(Units.share(packedFile.progress)).arg(size);
        case PackedFileController.Present:
            return packedFile.waiting ? qsTr("Takes %1 of disk. It is used when the model is opened next.").arg(size) : qsTr("Takes %1 of disk, and is used.").arg(size);
        case PackedFileController.Stale:
            return qsTr("Takes %1 of disk, but the model's file has changed since: it is not used.").arg(size);
        }
        return "";
    }

    spacing: Style.small
    visible: packedFile.state !== PackedFileController.Unavailable

    SettingRow {
        hint: root.hint
        title: qsTr("Packed file of the experts")

        PushButton {
            text: root.packedFile.state === PackedFileController.Stale ? qsTr("Make it anew") : qsTr("Make it")
            visible: root.packedFile.state === PackedFileController.Offered || root.packedFile.state === PackedFileController.Stale
            onClicked: root.packedFile.pack()
        }
        PushButton {
            text: qsTr("Stop")
            visible: root.packedFile.state === PackedFileController.Packing
            onClicked: root.packedFile.cancel()
        }
        PushButton {
            text: qsTr("Open the model again")
            visible: root.packedFile.state === PackedFileController.Present && root.packedFile.waiting
            onClicked: root.models.reopen()
        }
        PushButton {
            text: qsTr("Remove")
            visible: root.packedFile.state === PackedFileController.Present || root.packedFile.state === PackedFileController.Stale
            onClicked: root.packedFile.remove()
        }
    }
    ThinGauge {
        Layout.fillWidth: true
        value: root.packedFile.progress
        visible: root.packedFile.state === PackedFileController.Packing
    }
    SmallText {
        Layout.fillWidth: true
        elide: Text.ElideMiddle
        text: root.packedFile.path
        visible: text && root.packedFile.state !== PackedFileController.NotUseful && root.packedFile.state !== PackedFileController.Failed
    }
    ErrorCard {
        Layout.fillWidth: true
        action: root.packedFile.error.action
        visible: root.packedFile.state === PackedFileController.Failed
        what: root.packedFile.error.what
        why: root.packedFile.error.why

        PushButton {
            text: qsTr("Try again")
            onClicked: root.packedFile.lookAgain()
        }
    }
}
