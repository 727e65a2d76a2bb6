// SPDX-License-Identifier: Apache-2.0
// Says what comes of the export of one chat where the chat is read: it asks whether a file is to be replaced, and shows
// the result for a while, or the error. The page of exports says it of all jobs.
import QtQuick
import Coterie.App
import Coterie.Style

Column {
    id: root

    required property ChatExchange exchange
    readonly property bool alone: exchange.chat !== 0 // qmllint disable
    readonly property bool asking: alone && exchange.state === ChatExchange.Asking

    signal closed // the button that had the focus is gone

    function dismiss(): void {
        exchange.dismiss();
        closed();
    }

    ReplaceQuestion {
        asking: root.asking
        file: NameText.isolated(root.exchange.file)
        width: root.width
        onAnswered: replace => {
            if (replace)
                root.exchange.replaceFile();
            else
                root.exchange.dismiss();
        }
        onFocusLost: root.closed()
    }
    NoticeBar {
        action: qsTr("Close")
        anchors.horizontalCenter: parent.horizontalCenter
        breaksWords: true
        visible: root.alone && root.exchange.state === ChatExchange.Done
        width: Math.min(implicitWidth, root.width)
        words: qsTr("%1 It is in %2.", "the result of an export, its file").arg(root.exchange.result).arg(NameText.isolated(root.exchange.file))
        onActed: root.dismiss()
        onOver: root.exchange.dismiss()
    }
    ErrorCard {
        action: root.exchange.error.action
        dismissable: true
        visible: root.alone && root.exchange.state === ChatExchange.Failed && root.exchange.error.valid
        what: root.exchange.error.what
        why: root.exchange.error.why
        width: root.width
        onDismissed: root.dismiss()
    }
}
