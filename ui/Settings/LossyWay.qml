// SPDX-License-Identifier: Apache-2.0
// One way to answer faster and less exactly: what it does, when it is used, and how far it goes.
import QtQuick
import QtQuick.Layouts
import Coterie.Style

ColumnLayout {
    id: root

    required property string title
    required property string hint
    required property string when // "never", "scarce", "always"
    required property string strengthTitle
    required property int percent
    required property bool percentSet // the scope sets it itself
    property bool setBefore: false // the same when the slider was pressed
    property int from: 5
    property int to: 100
    required property string note // tells the source of the values
    required property bool setHere
    required property string resetText
    readonly property string figure: percentText(percent)

    signal timeChosen(string when)
    signal percentChosen(int percent)
    signal percentGivenUp // the scope should set none again
    signal resetWanted

    function percentText(number: int): string {
        return qsTr("%1 %").arg(number);
    }

    opacity: enabled ? 1 : Style.disabledOpacity
    spacing: Style.small

    Column {
        Layout.fillWidth: true

        BodyText {
            text: root.title
            width: parent.width
            wrapMode: Text.Wrap
        }
        SmallText {
            text: root.hint
            width: parent.width
            wrapMode: Text.Wrap
        }
        SmallText {
            color: Style.theme.water
            text: root.note
            visible: text
            width: parent.width
            wrapMode: Text.Wrap
        }
    }
    Flow {
        Layout.fillWidth: true
        spacing: Style.small

        ChoiceBar {
            label: root.title
            options: [
                {
                    value: "never",
                    text: qsTr("Never")
                },
                {
                    value: "scarce",
                    text: qsTr("When low")
                },
                {
                    value: "always",
                    text: qsTr("Always")
                }
            ]
            value: root.when
            onChosen: value => root.timeChosen(value)
        }
        ResetButton {
            text: root.resetText
            wanted: root.setHere
            onClicked: root.resetWanted()
        }
    }
    RowLayout {
        spacing: Style.medium
        visible: root.when !== "never"

        BodyText {
            Accessible.ignored: true // the slider's name says it
            Layout.maximumWidth: root.width / 2
            text: root.strengthTitle
            wrapMode: Text.Wrap
        }
        Item {
            Layout.fillWidth: true
        }
        ValueSlider {
            Layout.fillWidth: true
            Layout.maximumWidth: Style.fieldWidth * 1.5
            Layout.preferredWidth: Style.fieldWidth * 1.5
            from: root.from
            label: qsTr("%1, in percent").arg(root.strengthTitle)
            stepSize: 5
            to: root.to
            value: root.percent
            onGivenUp: {
                if (!root.setBefore)
                    root.percentGivenUp();
            }
            onPicked: root.percentChosen(value)
            onPressedChanged: {
                if (pressed)
                    root.setBefore = root.percentSet;
            }
        }
        SteadyFigures {
            Layout.alignment: Qt.AlignVCenter
            reserved: [root.percentText(root.to)] // the slider keeps its place while it is dragged
            text: root.figure
        }
    }
}
