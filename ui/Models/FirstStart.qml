// SPDX-License-Identifier: Apache-2.0
// The page that the window shows while no model is open: one sentence, one button, where to drop a file, what a model
// is, and what happens to the user's words.
import QtQuick
import Coterie.App
import Coterie.Style

StartPage {
    id: root

    required property ModelController models

    signal openWanted

    TitleText {
        horizontalAlignment: Text.AlignHCenter
        text: qsTr("Open a model, then talk to it")
        width: parent.width
        wrapMode: Text.Wrap
    }
    ModelOffer {
        models: root.models
        width: parent.width
        onOpenWanted: root.openWanted()
    }
    StartFacts {
        width: parent.width
    }
}
