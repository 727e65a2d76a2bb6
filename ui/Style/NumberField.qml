// SPDX-License-Identifier: Apache-2.0
// A number that may be left to Coterie: an empty field has a meaning of its own if `automatic` is set. `edited` carries
// only valid values. A text that is none stays until it is mended or Esc takes it back; rangeText says what is allowed.
// The field shows a number with the decimal sign of the language, and without groups, so that it is easy to change.
import QtQuick
import Coterie.App

InputField {
    id: root

    required property real value
    property real from: 0
    property real to: Infinity
    property real stated: from // the least number that rangeText names; a smaller one may be typed if something else says what it lacks
    property int decimals: 0
    property bool automatic: false // an empty field means `automaticValue`
    property real automaticValue: 0
    property string automaticText: qsTr("Automatic")
    readonly property bool ownsEscape: faulty // Esc takes the text back and does nothing else, see FieldKeys
    readonly property string rangeText: {
        if (!Number.isFinite(to))
            return (decimals > 0 ? qsTr("A number of %1 or more.") : qsTr("A whole number of %1 or more.")).arg(written(stated));
        return (decimals > 0 ? qsTr("A number from %1 to %2.") : qsTr("A whole number from %1 to %2.")).arg(written(stated)).arg(written(to));
    }
    readonly property string shownText: automatic && value === automaticValue ? "" : plain(value).replace(".", Qt.locale().decimalPoint)

    signal edited(real value)

    // Writes a number as JavaScript does.
    function plain(number: real): string {
        return Number(number.toFixed(decimals)).toString();
    }
    // Writes a number as all texts of the program do, with groups: "4,096" in English.
    function written(number: real): string {
        const fraction = plain(number).split(".")[1] ?? "";
        return number.toLocaleString(Qt.locale(), "f", fraction.length);
    }
    function showValue(): void {
        text = Qt.binding(() => root.shownText);
    }

    // Reads a number with a decimal point or a decimal comma, whatever the language is: both are typed and pasted. It may
    // have groups, as the program's own texts do: one to three digits, of which the first is not 0, and then always three.
    // So "1,5" is 1.5 and never 15, and "1,02,4" is no number. A point or a comma that is followed by exactly three digits,
    // as in "1,024", could mean both. It separates groups if it comes twice, if a different decimal sign follows, if the
    // field takes whole numbers, or if it is the language's own sign for groups. Otherwise it is the decimal sign.
    // Returns NaN if the text is no number.
    function read(entered: string): real {
        const grouped = /^[+-]?[1-9]\d{0,2}([\s.,'\u2019])\d{3}(?:\1\d{3})*(?:(?!\1)([.,])\d*)?$/.exec(entered);
        if (!grouped)
            return Number(entered.replace(",", "."));
        const sign = grouped[1];
        const once = entered.split(sign).length === 2 && !grouped[2];
        const decimal = once && decimals > 0 && ".,".includes(sign) && sign !== Qt.locale().groupSeparator;
        return Number((decimal ? entered : entered.split(sign).join("")).replace(",", "."));
    }
    // Returns undefined if the text is not a number within the range.
    function parsed(): var {
        const entered = text.trim().replace("\u2212", "-"); // some languages write a minus sign
        if (!entered)
            return automatic ? automaticValue : undefined;
        const number = read(entered);
        if (decimals === 0 && !Number.isInteger(number))
            return undefined; // rounded, "1,02" would be 1
        return Number.isFinite(number) && number >= from && number <= to ? number : undefined;
    }

    Accessible.description: faulty ? rangeText : ""
    applied: text === shownText
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
