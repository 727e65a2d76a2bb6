// SPDX-License-Identifier: Apache-2.0
// A theme for users who ask their desktop for more contrast: the same colours, but secondary text is as strong as text,
// and every line is as strong as a border that carries meaning.
import QtQuick

Theme {
    id: root

    required property Theme base

    bubble: base.bubble
    codeAdded: base.codeAdded
    codeComment: base.codeComment
    codeFunction: base.codeFunction
    codeKeyword: base.codeKeyword
    codeNumber: base.codeNumber
    codePreprocessor: base.codePreprocessor
    codeRemoved: base.codeRemoved
    codeString: base.codeString
    codeType: base.codeType
    codeVariable: base.codeVariable
    currentHit: base.currentHit
    ember: base.ember
    emberStrong: base.emberStrong
    error: base.error
    errorGround: base.errorGround
    fill: base.fill
    fillStrong: base.fillStrong
    ground: base.ground
    hit: base.hit
    hover: base.hover
    inkOnEmber: base.inkOnEmber
    line: base.mark
    mark: base.text
    memoryApp: base.memoryApp
    memoryCache: base.memoryCache
    memoryFree: base.memoryFree
    memoryKeyValue: base.memoryKeyValue
    memoryOther: base.memoryOther
    memoryWeights: base.memoryWeights
    pressed: base.pressed
    quiet: base.text
    scrim: base.scrim
    selection: base.selection
    shadow: base.shadow
    sunken: base.sunken
    surface: base.surface
    text: base.text
    water: base.water
}
