// SPDX-License-Identifier: Apache-2.0
// Text that can be selected and copied. It is always plain text, whatever its content. Text that grows is appended, so
// that a selection in it and the layout above it stay as they are.
import QtQuick
import Coterie.App
import Coterie.Style

TextEdit {
    id: root

    required property string content
    property real lineFactor: Style.bodyLineFactor

    Accessible.name: content
    Accessible.readOnly: true
    Accessible.role: Accessible.StaticText
    activeFocusOnPress: true
    color: Style.theme.text
    font.family: Style.family
    font.pixelSize: Style.bodySize
    readOnly: true
    selectByMouse: true
    selectedTextColor: Style.theme.text
    selectionColor: Style.theme.selection
    textFormat: TextEdit.PlainText
    wrapMode: TextEdit.Wrap

    Component.onCompleted: text = content
    onActiveFocusChanged: {
        if (!activeFocus)
            deselect();
    }
    onContentChanged: {
        if (length > 0 && content.length > length && content.startsWith(text))
            insert(length, content.slice(length));
        else
            text = content;
    }

    ShortcutFilter {
        item: root
    }
    LineSpacing {
        document: root.textDocument // qmllint disable
        factor: root.lineFactor
    }
}
