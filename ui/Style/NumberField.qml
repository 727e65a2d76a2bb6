// SPDX-License-Identifier: Apache-2.0
// A number that may be left to Coterie: an empty field has a meaning of its own if `automatic` is set. `edited` carries
// only valid values.
import QtQuick

InputField {
    id: root

    required property real value
    property real from: 0
    property real to: Infinity
    property int decimals: 0
    property bool automatic: false // an empty field means `automaticValue`
    property real automaticValue: 0
    property string automaticText: qsTr("Automatic")
    readonly property string shownText: automatic && value === automaticValue ? "" : Number(value.toFixed(decimals)).toString()

    signal edited(real value)

    // Returns undefined if the text is not a number within the range.
    function parsed(): var {
        const entered = text.trim().replace(",", ".");
        if (!entered)
            return automatic ? automaticValue : undefined;
        const number = Number(entered);
        return Number.isFinite(number) && number >= from && number <= to ? number : undefined;
    }

    faulty: parsed() === undefined
    horizontalAlignment: TextInput.AlignRight
    implicitWidth: Math.max(Style.fieldWidth, Math.ceil(hint.advanceWidth) + leftPadding + rightPadding)
    inputMethodHints: Qt.ImhFormattedNumbersOnly
    placeholderText: automatic ? automaticText : ""
    text: shownText

    onEditingFinished: {
        const number = parsed();
        if (number !== undefined && number !== value)
            edited(number);
        text = Qt.binding(() => root.shownText);
    }

    TextMetrics {
        id: hint

        font: root.font
        text: root.placeholderText
    }
}
