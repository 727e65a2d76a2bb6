// SPDX-License-Identifier: Apache-2.0
// A number that may be left to Coterie: an empty field has a meaning of its own if `automatic` is set. `edited` carries
// only valid values. A text that is none stays until it is mended or Esc takes it back; rangeText says what is allowed.
import QtQuick
import Coterie.App

InputField {
    id: root

    required property real value
    property real from: 0
    property real to: Infinity
    property int decimals: 0
    property bool automatic: false // an empty field means `automaticValue`
    property real automaticValue: 0
    property string automaticText: qsTr("Automatic")
    readonly property bool ownsEscape: faulty // Esc takes the text back and does nothing else, see FieldKeys
    readonly property string rangeText: Number.isFinite(to) ? qsTr("A number from %1 to %2.").arg(formatted(from)).arg(formatted(to)) : qsTr("A number of %1 or more.").arg(formatted(from))
    readonly property string shownText: automatic && value === automaticValue ? "" : formatted(value)

    signal edited(real value)

    function formatted(number: real): string {
        return Number(number.toFixed(decimals)).toString();
    }
    function showValue(): void {
        text = Qt.binding(() => root.shownText);
    }

    // Returns undefined if the text is not a number within the range.
    function parsed(): var {
        const entered = text.trim().replace(",", ".");
        if (!entered)
            return automatic ? automaticValue : undefined;
        const number = Number(entered);
        return Number.isFinite(number) && number >= from && number <= to ? number : undefined;
    }

    Accessible.description: faulty ? rangeText : ""
    faulty: parsed() === undefined
    horizontalAlignment: TextInput.AlignRight
    implicitWidth: Math.max(Style.fieldWidth, Math.ceil(hint.advanceWidth) + leftPadding + rightPadding)
    inputMethodHints: Qt.ImhFormattedNumbersOnly
    placeholderText: automatic ? automaticText : ""
    text: shownText

    Keys.onEscapePressed: event => {
        event.accepted = faulty;
        if (faulty)
            showValue();
    }
    onEditingFinished: {
        const number = parsed();
        if (number === undefined) {
            Announcer.announce(root);
            return;
        }
        if (number !== value)
            edited(number);
        showValue();
    }
    onValueChanged: {
        if (!activeFocus) // somebody else set it
            showValue();
    }

    TextMetrics {
        id: hint

        font: root.font
        text: root.placeholderText
    }
}
