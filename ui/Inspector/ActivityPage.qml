// SPDX-License-Identifier: Apache-2.0
// The model's activity as a page: in two or three columns where there is room, and then with the answer's text, and with
// more of its tokens than the pane has.
import QtQuick
import Coterie.App
import Coterie.Style

Page {
    id: root

    required property App app
    readonly property int mostColumns: width >= Style.threeColumns ? 3 : wide ? 2 : 1
    readonly property bool wide: width >= Style.twoColumns

    function takeFirstLook(): void {
        view.takeFirstLook();
    }

    title: qsTr("Model activity")
    widest: view.columns * Style.pageWidth

    ActivityView {
        id: view

        app: root.app
        behind: Style.theme.ground
        mostColumns: root.mostColumns
        width: parent.width
    }
}
