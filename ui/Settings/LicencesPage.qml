// SPDX-License-Identifier: Apache-2.0
// The licences of the program and of the works of others that it contains or loads.
pragma ComponentBehavior: Bound
import QtQuick
import Coterie.App
import Coterie.Style

Page {
    id: root

    title: qsTr("Licences")

    BodyText {
        Accessible.role: Accessible.Paragraph
        lineHeight: Style.bodyLineFactor
        text: qsTr("Coterie is free software, and uses these works of others. Each opens with the text of its licence.")
        width: parent.width
        wrapMode: Text.Wrap
    }
    Column {
        spacing: Style.small
        width: parent.width

        Repeater {
            model: LicenceList {}

            LicenceRow {
                width: parent?.width ?? 0
            }
        }
    }
}
