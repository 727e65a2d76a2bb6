// SPDX-License-Identifier: Apache-2.0
// The tip of a control, shown while the control has the pointer or the focus. The window has one tip for all controls
// (SharedTip.qml), so that this object costs little.
import QtQuick

QtObject {
    id: root

    required property Item target
    property string text: ""
    property bool shown: false

    function update(): void {
        if (shown && text)
            SharedTip.show(root, target, text);
        else
            SharedTip.hide(root);
    }

    Component.onDestruction: SharedTip.hide(root)
    onShownChanged: update()
    onTextChanged: update()
}
