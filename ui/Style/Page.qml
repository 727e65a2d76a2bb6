// SPDX-License-Identifier: Apache-2.0
// A page beside the list of chats: a title, a button that goes back to the conversation, and content that scrolls,
// also by Up, Down, Page Up, Page Down, Home and End.
import QtQuick
import QtQuick.Layouts

FocusScope {
    id: root

    required property string title
    property string backTip: qsTr("Back to the conversation")
    property real widest: Style.pageWidth
    property bool beginsAtBack: true // a page with a better beginning gives that the focus
    property real coveredEnd: 0 // height at the lower edge that a bar of the window covers
    default property alias content: body.content

    signal backWanted

    // Brings the item and the heading above it into view.
    function revealHeaded(item: Item): void {
        body.revealHeaded(item);
    }
    // Gives the focus to the page's beginning: what had it last here may be hidden.
    function begin(reason: int): void {
        back.forceActiveFocus(reason);
    }

    Accessible.name: title
    Accessible.role: Accessible.Pane

    // Keys that the focused control has no use for scroll: a page of text alone has few controls, or only its button.
    Keys.onPressed: event => event.accepted = body.scrollByKey(event.key, event.modifiers)

    RowLayout {
        id: heading

        anchors.left: parent.left
        anchors.leftMargin: Style.medium
        anchors.right: parent.right
        anchors.rightMargin: Style.wide
        height: Style.barHeight + Style.small
        spacing: Style.small

        IconButton {
            id: back

            focus: root.beginsAtBack
            iconName: "arrowLeft"
            text: root.backTip
            onClicked: root.backWanted()
        }
        TitleText {
            Layout.fillWidth: true
            elide: Text.ElideRight
            text: root.title
        }
    }
    HairLine {
        anchors.bottom: heading.bottom
        anchors.left: parent.left
        anchors.right: parent.right
    }
    ScrollColumn {
        id: body

        anchors.bottom: parent.bottom
        anchors.left: parent.left
        anchors.right: parent.right
        anchors.top: heading.bottom
        // A bar covers nothing at the end of the page, and nothing moves when one appears: its room is always there. A bar of
        // several lines takes more.
        coveredEnd: Math.max(Style.noticeHeight + Style.large, root.coveredEnd) + Style.small
        widest: root.widest
    }
}
