// SPDX-License-Identifier: Apache-2.0
// Packed files that no model uses any more: their size, the models that they were made for, and a button that removes
// them.
import QtQuick
import Coterie.App
import Coterie.Style

Column {
    id: root

    required property PackedFileController packedFile
    readonly property var names: packedFile.unusedNames
    readonly property bool failed: packedFile.unusedError.what.length > 0
    readonly property string hint: {
        const size = Units.size(packedFile.unusedBytes);
        return qsTr("No model uses the %Ln file(s) of %1 in total: their models were changed, moved or deleted, or the files are damaged.", "", names.length).arg(size);
    }

    spacing: Style.small

    SettingRow {
        hint: root.hint
        title: qsTr("Packed files without a model")

        PushButton {
            Accessible.description: root.hint
            text: qsTr("Free %1").arg(Units.size(root.packedFile.unusedBytes))
            onClicked: root.packedFile.removeUnused()
        }
    }
    SmallText {
        elide: Text.ElideRight
        maximumLineCount: 2
        text: root.names.join(", ")
        width: parent.width
        wrapMode: Text.Wrap
    }
    ErrorCard {
        action: root.packedFile.unusedError.action
        visible: root.failed
        what: root.packedFile.unusedError.what
        why: root.packedFile.unusedError.why
        width: parent.width
    }
}
