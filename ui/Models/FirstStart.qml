// SPDX-License-Identifier: Apache-2.0
// The page that the window shows while no model is open: one sentence, one button, where to drop a file, what a model
// is, and what happens to the user's words.
import QtQuick
import QtQuick.Layouts
import Coterie.App
import Coterie.Style

StartPage {
    id: root

    required property ModelController models

    signal openWanted

    TitleText {
        Layout.fillWidth: true
        horizontalAlignment: Text.AlignHCenter
        text: qsTr("Open a model, then talk to it")
        wrapMode: Text.Wrap
    }
    ModelOffer {
        Layout.fillWidth: true
        models: root.models
        onOpenWanted: root.openWanted()
    }
    StartFacts {
        Layout.fillWidth: true
    }
}
