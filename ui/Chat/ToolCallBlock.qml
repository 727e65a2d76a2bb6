// SPDX-License-Identifier: Apache-2.0
// A tool call that the model asks for, with its arguments. This program runs no tools, and the block says so.
import QtQuick
import Coterie.Style

Column {
    id: root

    required property string content
    required property string tool

    spacing: Style.small

    CodeBlock {
        content: root.content
        language: root.tool ? qsTr("Tool call: %1").arg(root.tool) : qsTr("Tool call")
        width: root.width
    }
    SmallText {
        text: qsTr("Coterie runs no tools; it only shows what the model asks for. Write the result as your next message.")
        width: root.width
        wrapMode: Text.Wrap
    }
}
