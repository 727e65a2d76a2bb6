// SPDX-License-Identifier: Apache-2.0
// The heading over a section of the list: pinned chats, folders, or the chats of a day. The list uses headings again,
// and Qt 6.4 then tells them their new section by the name `section` alone: a required property would keep the old one.
import QtQuick
import Coterie.Style

SmallText {
    id: root

    function titleOf(day: string): string {
        switch (day) {
        case "pinned":
            return qsTr("Pinned");
        case "folders":
            return qsTr("Folders");
        case "chats":
            return qsTr("Chats");
        case "today":
            return qsTr("Today");
        case "yesterday":
            return qsTr("Yesterday");
        case "week":
            return qsTr("This week");
        }
        return qsTr("Older");
    }

    Accessible.role: Accessible.Heading
    bottomPadding: Style.tiny
    leftPadding: Style.medium
    text: root.titleOf(section) // qmllint disable unqualified
    topPadding: Style.medium
}
