// SPDX-License-Identifier: Apache-2.0
// The files of a message, each of which unfolds its text.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Controls.Basic
import Coterie.Style
import Coterie.App

Column {
    id: root

    required property var files // the role of MessageModel

    spacing: Style.tiny

    Repeater {
        model: root.files

        Column {
            id: file

            required property var modelData
            property bool opened: false

            spacing: Style.tiny
            width: root.width

            FileChip {
                anchors.right: parent.right
                detail: file.modelData.detail
                name: file.modelData.name
                opened: file.opened
                room: root.width
                onOpenWanted: file.opened = !file.opened
            }
            Optional {
                wanted: file.opened

                Rectangle {
                    border.color: Style.theme.line
                    border.width: Style.hairline
                    color: Style.theme.sunken
                    height: Math.min(Style.composerMax, content.implicitHeight + 2 * Style.tiny)
                    radius: Style.corner
                    width: root.width

                    FieldView {
                        anchors.fill: parent
                        anchors.margins: Style.tiny

                        TextArea {
                            id: content

                            Accessible.name: qsTr("Text of %1", "a file").arg(NameText.isolated(file.modelData.name))
                            background: null
                            color: Style.theme.text
                            font.family: Style.fixedFamily
                            font.pixelSize: Style.codeSize
                            padding: Style.small
                            readOnly: true
                            selectByKeyboard: true
                            selectByMouse: true
                            selectedTextColor: Style.theme.text
                            selectionColor: Style.theme.selection
                            text: file.modelData.text
                            textFormat: TextEdit.PlainText
                            wrapMode: TextEdit.Wrap

                            Keys.onBacktabPressed: nextItemInFocusChain(false).forceActiveFocus(Qt.BacktabFocusReason)
                            Keys.onTabPressed: nextItemInFocusChain(true).forceActiveFocus(Qt.TabFocusReason)
                        }
                    }
                }
            }
            SmallText {
                anchors.right: parent.right
                text: qsTr("This is the beginning. The model reads the whole file.")
                visible: file.opened && !file.modelData.whole
            }
        }
    }
}
