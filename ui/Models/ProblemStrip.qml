// SPDX-License-Identifier: Apache-2.0
// Errors that do not belong to one chat: errors of the program and of the model. Each says what happened, why, and what
// to do.
pragma ComponentBehavior: Bound
import QtQuick
import Coterie.App
import Coterie.Style

Column {
    id: root

    required property App app
    readonly property ModelController models: app.models
    readonly property bool modelFailed: models.state === ModelController.Failed || models.state === ModelController.Missing
    readonly property bool modelRefused: models.error.valid && !modelFailed // another model is still open
    readonly property bool any: app.error.valid || modelRefused || failureShown
    property bool failureRead: false // the card of the model that failed was dismissed
    readonly property bool failureShown: modelFailed && models.error.valid && !failureRead

    signal openWanted

    Connections {
        function onErrorChanged() {
            root.failureRead = false;
        }

        target: root.models
    }

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
        visible: root.failureShown
        what: root.models.error.what
        why: root.models.error.why
        width: root.width - 2 * Style.large
        onDismissed: root.failureRead = true

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
        visible: root.modelRefused
        what: root.models.error.what
        why: root.models.error.why
        width: root.width - 2 * Style.large
        onDismissed: root.models.dismissError()
    }
}
