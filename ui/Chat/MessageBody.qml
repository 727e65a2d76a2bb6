// SPDX-License-Identifier: Apache-2.0
// The text of a message, with the frames around its code, calls and thoughts. Only frames near the view are made.
pragma ComponentBehavior: Bound
import QtQuick
import Coterie.Style
import Coterie.Text

MessageText {
    id: root

    Accessible.role: Accessible.StaticText
    height: implicitHeight
    style: MessageStyle

    FocusRing {
        gap: Style.tiny
        shown: root.focusedByKey
    }
    Repeater {
        model: root.codeFrames

        CodeFrame {
            message: root
        }
    }
    Repeater {
        model: root.thoughtFrames

        ThoughtFrame {
            message: root
        }
    }
}
