// SPDX-License-Identifier: Apache-2.0
// The place of one block of an answer. It holds the block's data for the component that is loaded into it, and loads
// nothing by itself.
import QtQuick

Loader {
    id: root

    // {kind, text, language, closed}; undefined for a moment when the list gets shorter
    required property var entry
    readonly property string kind: entry?.kind ?? "text"
    readonly property string content: entry?.text ?? ""
    readonly property string language: entry?.language ?? ""
    readonly property bool closed: entry?.closed ?? true
}
