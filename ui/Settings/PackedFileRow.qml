// SPDX-License-Identifier: Apache-2.0
// The packed file of the open model's experts. The row offers to make it, with its size, if it would help; shows the
// progress; and can remove it.
import QtQuick
import Coterie.App
import Coterie.Style

Column {
    id: root

    required property PackedFileController packedFile
    required property ModelController models
    required property bool busy // an answer is being written
    readonly property string hint: {
        const size = Units.size(packedFile.bytes);
        switch (packedFile.state) {
        case PackedFileController.NotUseful:
            return models.outdated ? qsTr("With the settings that the model was opened with, nothing is read from disk. Open it again to see whether a packed file helps.") : qsTr("It is not needed: nothing is read from disk while this model answers.");
        case PackedFileController.Offered:
            return qsTr("It takes %1 of disk space. Each expert is then read in one piece, so answers wait less for the disk.").arg(size);
        case PackedFileController.Packing:
            return qsTr("%1 of %2 is written. You can keep using Coterie meanwhile.").arg(Units.share(packedFile.progress)).arg(size);
        case PackedFileController.Present:
            return packedFile.waiting ? qsTr("It takes %1 of disk space. It will be used when the model is opened again.").arg(size) : qsTr("It takes %1 of disk space and is in use.").arg(size);
        case PackedFileController.Stale:
            return qsTr("It takes %1 of disk space but is not used, because the model's file has changed.").arg(size);
        }
        return "";
    }

    spacing: Style.small

    SettingRow {
        hint: root.hint
        title: qsTr("Packed file of the experts")

        PushButton {
            text: root.packedFile.state === PackedFileController.Stale ? qsTr("Rebuild") : qsTr("Make it")
            visible: root.packedFile.state === PackedFileController.Offered || root.packedFile.state === PackedFileController.Stale
            onClicked: root.packedFile.pack()
        }
        PushButton {
            text: qsTr("Stop")
            visible: root.packedFile.state === PackedFileController.Packing
            onClicked: root.packedFile.cancel()
        }
        PushButton {
            Accessible.description: root.busy ? qsTr("Available when the answer is complete") : ""
            enabled: !root.busy
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
        value: root.packedFile.progress
        visible: root.packedFile.state === PackedFileController.Packing
        width: parent.width
    }
    SmallText {
        elide: Text.ElideMiddle
        text: root.packedFile.path
        visible: text && root.packedFile.state !== PackedFileController.NotUseful && root.packedFile.state !== PackedFileController.Failed
        width: parent.width
    }
    ErrorCard {
        action: root.packedFile.error.action
        visible: root.packedFile.state === PackedFileController.Failed
        what: root.packedFile.error.what
        why: root.packedFile.error.why
        width: parent.width

        PushButton {
            text: qsTr("Try again")
            onClicked: root.packedFile.lookAgain()
        }
    }
}
