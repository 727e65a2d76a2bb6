// SPDX-License-Identifier: Apache-2.0
// The error of the store, or of what was done to a message of this chat; or that of a file that was to be attached. An
// answer that failed shows its error itself, below its text; the composer says why a message was not sent.
pragma ComponentBehavior: Bound
import QtQuick
import Coterie.App
import Coterie.Style

ErrorCard {
    id: root

    required property Conversation conversation
    property bool ofFile: false // it shows errors of files, and no others

    function standsAtMessage(what: string): bool {
        const messages = conversation.messages;
        const last = messages.index(messages.count - 1, 0); // qmllint disable
        return messages.count > 0 && messages.data(last, MessageModel.ErrorWhatRole) === what;
    }

    action: conversation.error.action
    dismissable: true
    visible: conversation.error.valid && conversation.errorOfFile === ofFile && !standsAtMessage(conversation.error.what)
    what: conversation.error.what
    why: conversation.error.why
    onDismissed: conversation.dismissError()
}
