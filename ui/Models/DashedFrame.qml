// SPDX-License-Identifier: Apache-2.0
// The dashed outline of a place where a file may be dropped.
import QtQuick
import Coterie.Style

Canvas {
    id: root

    readonly property color color: Style.theme.mark

    onColorChanged: requestPaint()

    onPaint: {
        const context = getContext("2d"), line = Style.hairline;
        context.reset();
        context.roundedRect(line, line, width - 2 * line, height - 2 * line, Style.corner, Style.corner);
        context.lineCap = "round";
        context.lineWidth = line;
        context.setLineDash([Style.tiny, Style.tiny]);
        context.strokeStyle = color;
        context.stroke();
    }
}
