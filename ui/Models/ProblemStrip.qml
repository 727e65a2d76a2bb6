// SPDX-License-Identifier: Apache-2.0
// Errors that do not belong to one chat: errors of the program and of the model. Each says what happened, why, and what
// to do. Esc closes them one after the other (App::closeCard()).
pragma ComponentBehavior: Bound
import QtQuick
import Coterie.App
import Coterie.Style

Column {
    id: root

    required property App app
    readonly property ModelController models: app.models
    readonly property bool modelFailed: models.state === ModelController.Failed || models.state === ModelController.Missing
    readonly property bool any: app.error.valid || models.errorShown

    signal openWanted

    bottomPadding: any ? Style.small : 0
    leftPadding: Style.large
    rightPadding: Style.large
    spacing: Style.small
    topPadding: any ? Style.small : 0

    ErrorCard {
        action: root.app.error.action
        dismissable: true
        visible: root.app.error.valid
        what: root.app.error.what
        why: root.app.error.why
        width: root.width - 2 * Style.large
        onDismissed: root.app.dismissError()
    }
    ErrorCard {
        action: root.models.error.action
        dismissable: true
        visible: root.models.errorShown && root.modelFailed
        what: root.models.error.what
        why: root.models.error.why
        width: root.width - 2 * Style.large
        onDismissed: root.models.dismissError()

        PushButton {
            text: qsTr("Open another model\u2026")
            onClicked: root.openWanted()
        }
        PushButton {
            kind: "quiet"
            text: qsTr("Try again")
            onClicked: root.models.open(root.models.path)
        }
    }
    ErrorCard {
        action: root.models.error.action
        dismissable: true
        visible: root.models.errorShown && !root.modelFailed // another model is still open
        what: root.models.error.what
        why: root.models.error.why
        width: root.width - 2 * Style.large
        onDismissed: root.models.dismissError()
    }
}
