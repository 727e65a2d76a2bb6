// SPDX-License-Identifier: Apache-2.0
// One block of an answer, shown according to its kind. The components are not bound to the ids of this file, because Qt
// 6.4's Loader can't make bound components; what it loads reaches its BlockPlace as its parent.
import QtQuick

BlockPlace {
    id: root

    sourceComponent: {
        switch (root.kind) {
        case "code":
        case "result":
            return code;
        case "thought":
            return thought;
        case "call":
            return call;
        }
        return plain;
    }

    Component {
        id: plain

        SelectableText {
            readonly property BlockPlace place: parent as BlockPlace

            content: place?.content ?? ""
        }
    }
    Component {
        id: code

        CodeBlock {
            readonly property BlockPlace place: parent as BlockPlace

            content: place?.content ?? ""
            language: place?.language ?? ""
        }
    }
    Component {
        id: call

        ToolCallBlock {
            readonly property BlockPlace place: parent as BlockPlace

            content: place?.content ?? ""
            tool: place?.language ?? ""
        }
    }
    Component {
        id: thought

        ThoughtBlock {
            readonly property BlockPlace place: parent as BlockPlace

            closed: place?.closed ?? true
            content: place?.content ?? ""
        }
    }
}
