// SPDX-License-Identifier: Apache-2.0
// One setting, made from its row in SettingRows: a control for its kind of value, where the value comes from, and a
// button that resets it.
pragma ComponentBehavior: Bound
import QtQuick
import Coterie.App
import Coterie.Style

Column {
    id: root

    required property SettingRows rows
    property string otherHint: "" // stands in place of the usual hint
    property real statedLeast: 0 // the least number in words, if it depends on the model
    // The roles of the row.
    required property string key
    required property string kind
    required property string title
    required property string hint
    required property string label
    required property string unit
    required property int decimals
    required property real least
    required property real most
    required property real step
    required property bool canBeEmpty
    required property real emptyNumber
    required property string emptyText
    required property var options
    required property real number
    required property string text
    required property bool setHere
    required property string source
    required property string resetText
    required property bool shown
    // A key of the place of the value.
    readonly property string scope: {
        const editor = rows.editor;
        switch (editor.layer) {
        case ChatSettings.Model:
            return "model " + editor.app.models.path;
        case ChatSettings.Preset:
            return "preset " + editor.preset;
        case ChatSettings.Chat:
            return "chat " + (editor.conversation?.chatId ?? 0); // qmllint disable
        }
        return "program";
    }
    property string fault: "" // says which numbers may be typed, while another one is

    // Gives the focus to the control. Another number can be typed at once.
    function begin(reason: int): void {
        const control = choiceBox.itemAt(0) ?? numberBox.itemAt(0) ?? sliderBox.itemAt(0) ?? textBox.itemAt(0);
        const target = !control || control.activeFocusOnTab ? control : control.nextItemInFocusChain(true);
        target?.forceActiveFocus(reason);
        (control as NumberField)?.selectAll();
    }
    function percent(number: real): string {
        return qsTr("%1 %").arg(Math.round(number));
    }

    spacing: Style.small
    visible: shown
    width: parent?.width ?? 0

    SettingRow {
        hint: root.otherHint || root.hint
        note: root.source
        title: root.title

        ResetButton {
            text: root.resetText
            wanted: root.setHere
            onClicked: root.rows.editor.reset([root.key])
        }
        Optional {
            id: choiceBox

            wanted: root.kind === "choice"

            ChoiceBar {
                label: root.label
                options: root.options
                value: root.text
                onChosen: value => root.rows.setText(root.key, value)
            }
        }
        Optional {
            id: numberBox

            wanted: root.kind === "number"

            NumberField {
                automatic: root.canBeEmpty
                automaticText: root.emptyText
                automaticValue: root.emptyNumber
                decimals: root.decimals
                from: root.least
                label: root.label
                stated: root.statedLeast || root.least
                to: root.most
                value: root.number
                onEdited: value => root.rows.setNumber(root.key, value)
                onFaultyChanged: root.fault = faulty ? rangeText : ""
            }
        }
        Optional {
            wanted: root.unit !== ""

            BodyText {
                Accessible.ignored: true // the field's name says it
                color: Style.theme.quiet
                text: root.unit
            }
        }
        Optional {
            id: sliderBox

            wanted: root.kind === "slider"

            // The figures have room for each value: the slider keeps its place while it is dragged.
            Row {
                spacing: Style.small

                ValueSlider {
                    id: slider

                    from: root.least
                    label: root.label
                    live: false // it may set the size of all texts
                    stepSize: root.step
                    to: root.most
                    value: Math.round(root.number)
                    width: Style.fieldWidth * 1.5
                    onPicked: root.rows.setNumber(root.key, value)
                }
                SteadyFigures {
                    anchors.verticalCenter: parent.verticalCenter
                    reserved: [root.percent(root.least), root.percent(root.most)]
                    text: root.percent(slider.pointed)
                }
            }
        }
    }
    SmallText {
        color: Style.theme.error
        horizontalAlignment: Text.AlignRight
        text: root.fault
        visible: text
        width: parent.width
        wrapMode: Text.Wrap
    }
    Optional {
        id: textBox

        wanted: root.kind === "longText" || root.kind === "lines"

        TextBox {
            exact: root.kind === "longText"
            label: root.label
            subject: root.scope
            value: root.text
            width: root.width
            onEdited: text => root.rows.setText(root.key, text)
        }
    }
}
