// SPDX-License-Identifier: Apache-2.0
// Where a block of an answer stands: what the block is, for whatever is loaded into it. It loads nothing by itself.
import QtQuick

Loader {
    id: root

    // {kind, text, language, closed}; undefined for an instant when the list gets shorter
    required property var entry
    readonly property string kind: entry?.kind ?? "text"
    readonly property string content: entry?.text ?? ""
    readonly property string language: entry?.language ?? ""
    readonly property bool closed: entry?.closed ?? true
}
