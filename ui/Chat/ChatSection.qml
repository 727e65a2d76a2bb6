// SPDX-License-Identifier: Apache-2.0
// The heading over the chats of a day.
import QtQuick
import Coterie.Style

SmallText {
    id: root

    required property string section

    function titleOf(day: string): string {
        switch (day) {
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
    text: root.titleOf(section)
    topPadding: Style.medium
}
