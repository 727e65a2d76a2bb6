// SPDX-License-Identifier: Apache-2.0
// The model's activity as a page, for windows without room for a pane beside the conversation.
import QtQuick
import QtQuick.Layouts
import Coterie.App
import Coterie.Style

Page {
    id: root

    required property App app

    title: qsTr("Model activity")

    ActivityView {
        Layout.fillWidth: true
        app: root.app
    }
}
