// SPDX-License-Identifier: Apache-2.0
// One set of colours. The two sets in use stand in Style.qml; tests/ui/tst_contrast.qml computes their contrast.
import QtQuick

QtObject {
    required property color ground // behind everything
    required property color surface // cards, fields, popups
    required property color sunken // sidebar, code
    required property color bubble // what the user said
    required property color hover
    required property color pressed
    required property color text
    required property color quiet // second rank text
    required property color line // hairlines: decoration only
    required property color mark // borders that mean something: 3:1
    required property color ember // accent, "hot"
    required property color emberStrong // ember under the pointer
    required property color inkOnEmber
    required property color water // "cool": disk, presence
    required property color error
    required property color errorGround
    required property color selection // selected text
    required property color scrim
    // The memory bar and its legend. Heat (ember) for what every token reads, presence (water) for what may stay or go.
    required property color memoryWeights
    required property color memoryCache
    required property color memoryKeyValue
    required property color memoryApp
    required property color memoryOther
    required property color memoryFree
}
