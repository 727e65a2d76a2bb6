// SPDX-License-Identifier: Apache-2.0
// The sections of the model's activity that are open. The pane and the page share them, and they stay open for the next
// answer.
pragma Singleton
import QtQuick

QtObject {
    property var names: []

    function toggle(name: string): void {
        const open = Array.from(names);
        const at = open.indexOf(name);
        if (at < 0)
            open.push(name);
        else
            open.splice(at, 1);
        names = open;
    }
}
