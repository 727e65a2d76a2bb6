// SPDX-License-Identifier: Apache-2.0
// Words for screen readers that stand nowhere in the window, such as "The answer has ended". It takes no room that
// anyone would see.
import QtQuick
import Coterie.App

Item {
    id: root

    property string text: ""

    function say(words: string): void {
        text = words;
        Announcer.announce(root);
    }

    Accessible.ignored: !text
    Accessible.name: text
    Accessible.role: Accessible.AlertMessage
    implicitHeight: Style.hairline // a screen reader does not look at an item without a size
    implicitWidth: Style.hairline
}
