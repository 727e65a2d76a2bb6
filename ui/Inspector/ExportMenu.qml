// SPDX-License-Identifier: Apache-2.0
// Saves what the inspector shows: the grid, the tokens or the charts as a picture, the record as a table or as JSON, a summary to the clipboard.
pragma ComponentBehavior: Bound
import QtQuick
import QtQuick.Layouts
import Coterie.App
import Coterie.Style

ColumnLayout {
    id: root

    required property Inspector inspector
    property var failure: null // an ErrorInfo
    property string kind: "grid" // the thing to save: "grid", "tokens", "charts", "csv" or "json"
    property string remark: "" // says what was saved or copied, and what a file lacks
    property url asked: "" // a file that exists, while the question whether to replace it is open
    property var subject: 0 // the answer for which a file is asked

    function report(error: errorInfo): void {
        failure = error.valid ? error : null;
        if (failure)
            card.announceSoon();
    }

    // Opens the dialog that asks for the file, with a name proposed.
    function choose(what: string): void {
        const ending = what === "csv" || what === "json" ? what : "png";
        kind = what;
        subject = inspector.messageId; // qmllint disable
        failure = null;
        remark = "";
        asked = "";
        target.defaultSuffix = ending;
        target.nameFilters = [ending === "csv" ? qsTr("Tables (*.csv)") : ending === "json" ? qsTr("JSON (*.json)") : qsTr("Pictures (*.png)")];
        target.title = what === "csv" ? qsTr("Save the record as CSV") : what === "json" ? qsTr("Save the record as JSON") : what === "charts" ? qsTr("Save figures and charts as a picture") : what === "tokens" ? qsTr("Save the tokens as a picture") : qsTr("Save the grid as a picture");
        target.ask(inspector.files.suggestedName(what));
    }

    function nameOf(file: url): string {
        return NameText.isolated(decodeURIComponent(String(file).split("/").pop()));
    }

    // Saves to this file; one that exists is replaced only after a question, so that every desktop asks once.
    function save(file: url): void {
        if (inspector.messageId !== subject) // qmllint disable
            giveUp();
        else if (inspector.files.fileExists(file))
            asked = file;
        else
            write(file);
    }

    function write(file: url): void {
        report(kind === "csv" ? inspector.files.exportCsv(file) : kind === "json" ? inspector.files.exportJson(file) : kind === "charts" ? inspector.files.exportCharts(file) : kind === "tokens" ? inspector.files.exportTokens(file) : inspector.files.exportPng(file));
        remark = "";
        if (failure)
            return;
        const lacks = kind === "csv" || kind === "json" ? inspector.files.promptRemark() : "";
        remark = qsTr("Saved: %1").arg(nameOf(file)) + (lacks ? "\n" + lacks : "");
        spoken.say(remark);
    }

    // Another answer has come meanwhile: the file would not be what its name says.
    function giveUp(): void {
        asked = "";
        remark = qsTr("Nothing was saved: another answer is shown now.");
        spoken.say(remark);
    }

    function copySummary(): void {
        inspector.files.copySummary();
        failure = null;
        asked = "";
        remark = qsTr("The summary was copied.");
        spoken.say(remark);
    }

    spacing: Style.small

    PushButton {
        id: button

        Accessible.role: Accessible.ButtonMenu
        iconName: "drop"
        text: qsTr("Save or copy")
        onClicked: menu.openBeside(this)

        PopupMenu {
            id: menu

            label: qsTr("Save or copy")

            PopupMenuItem {
                text: qsTr("Save the grid as a picture\u2026")
                onTriggered: root.choose("grid")
            }
            PopupMenuItem {
                detail: qsTr("In the colours that they have now")
                text: qsTr("Save the tokens as a picture\u2026")
                onTriggered: root.choose("tokens")
            }
            PopupMenuItem {
                text: qsTr("Save figures and charts as a picture\u2026")
                onTriggered: root.choose("charts")
            }
            PopupMenuItem {
                detail: root.inspector.dense ? qsTr("A line for each layer of each token") : qsTr("A line for each expert of each token")
                text: qsTr("Save the record as CSV\u2026")
                onTriggered: root.choose("csv")
            }
            PopupMenuItem {
                text: qsTr("Save the record as JSON\u2026")
                onTriggered: root.choose("json")
            }
            PopupMenuItem {
                text: qsTr("Copy a summary as text")
                onTriggered: root.copySummary()
            }
        }
    }
    ReplaceQuestion {
        Layout.fillWidth: true
        asking: String(root.asked) !== ""
        file: root.nameOf(root.asked)
        onAnswered: replace => {
            const file = root.asked;
            root.asked = "";
            if (replace)
                root.write(file);
        }
        onFocusLost: button.forceActiveFocus(Qt.ShortcutFocusReason)
    }
    ErrorCard {
        id: card

        Layout.fillWidth: true
        action: root.failure ? root.failure.action : ""
        dismissable: true
        visible: root.failure !== null
        what: root.failure ? root.failure.what : ""
        why: root.failure ? root.failure.why : ""
        onDismissed: root.failure = null
    }
    SmallText {
        Layout.fillWidth: true
        text: root.remark
        visible: text
        wrapMode: Text.Wrap
    }
    Announcement {
        id: spoken
    }
    // It is about the answer that was saved or copied.
    Connections {
        function onMessageChanged() {
            root.remark = "";
            if (String(root.asked) !== "")
                root.giveUp();
        }

        target: root.inspector
    }
    SaveDialog {
        id: target

        onChosen: file => root.save(file)
    }
}
