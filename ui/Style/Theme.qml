// SPDX-License-Identifier: Apache-2.0
// One set of colours. Style.qml holds the two sets in use; tests/ui/quick/tst_contrast.qml computes their contrast.
import QtQuick

QtObject {
    required property color ground // behind everything
    required property color surface // cards, fields, popups
    required property color sunken // sidebar, code
    required property color bubble // messages of the user
    required property color fill // buttons that are not the main action
    required property color fillStrong // fill while the pointer is over it
    required property color hover
    required property color pressed
    required property color text
    required property color quiet // secondary text
    required property color line // hairlines, which are only decoration
    required property color mark // borders that carry meaning: contrast 3:1
    required property color ember // accent, "hot"
    required property color emberStrong // ember while the pointer is over it
    required property color inkOnEmber
    required property color water // "cool": disk, presence
    required property color error
    required property color errorGround
    // Source code, on sunken. app/text/code_colours.h says what each is for; everything else has the colour of text.
    required property color codeAdded
    required property color codeComment
    required property color codeFunction
    required property color codeKeyword
    required property color codeNumber
    required property color codePreprocessor
    required property color codeRemoved
    required property color codeString
    required property color codeType
    required property color codeVariable
    required property color selection // selected text
    required property color hit // words that were found
    required property color currentHit // those that are looked at
    required property color scrim
    required property color shadow // one ring of a popup's shadow
    // The memory bar and its legend. Ember ("hot") marks the weights that every token reads, water marks memory that may
    // stay or be given up. The others are colours of their own, so that nobody takes one for another.
    required property color memoryWeights
    required property color memoryCache
    required property color memoryKeyValue
    required property color memoryApp
    required property color memoryOther
    required property color memoryFree
}
