// SPDX-License-Identifier: Apache-2.0
// An icon that we drew: strokes on a grid of 24, in any colour and size. `name` is a key of `paths`. It is drawn on a
// Canvas because a Shape of Qt 6.4 crashes if its item leaves a window, comes back and gets the same node address.
import QtQuick

Canvas {
    id: root

    required property string name
    property color color: Style.theme.text
    property real size: Style.icon

    readonly property var paths: ({
            plus: "M12 5v14M5 12h14",
            search: "M11 18a7 7 0 1 1 0 -14a7 7 0 0 1 0 14zM16.2 16.2l4.3 4.3",
            sliders: "M4 7h8M18 7h2M4 17h2M12 17h8M15 9.5a2.5 2.5 0 1 0 0 -5a2.5 2.5 0 0 0 0 5zM9 19.5a2.5 2.5 0 1 0 0 -5a2.5 2.5 0 0 0 0 5z",
            send: "M12 19V5M6 11l6 -6l6 6",
            stop: "M7.5 7h9a0.5 0.5 0 0 1 0.5 0.5v9a0.5 0.5 0 0 1 -0.5 0.5h-9a0.5 0.5 0 0 1 -0.5 -0.5v-9a0.5 0.5 0 0 1 0.5 -0.5z",
            copy: "M10 9h8a1 1 0 0 1 1 1v9a1 1 0 0 1 -1 1h-8a1 1 0 0 1 -1 -1v-9a1 1 0 0 1 1 -1zM5.5 15a0.5 0.5 0 0 1 -0.5 -0.5V5a1 1 0 0 1 1 -1h8.5a0.5 0.5 0 0 1 0.5 0.5",
            trash: "M4.5 7h15M10 7V4h4v3M6.5 7l1 13h9l1 -13M10 11v5M14 11v5",
            pencil: "M4 20l1 -4.5L15.5 5l3.5 3.5L8.5 19zM13 7.5l3.5 3.5",
            check: "M5 12.5l4.5 4.5L19 7.5",
            close: "M6.5 6.5l11 11M17.5 6.5l-11 11",
            arrowLeft: "M19 12H5M11 6l-6 6l6 6",
            sidebar: "M4.5 5.5h15a1 1 0 0 1 1 1v11a1 1 0 0 1 -1 1h-15a1 1 0 0 1 -1 -1v-11a1 1 0 0 1 1 -1zM9.5 5.5v13",
            chevronDown: "M6.5 9.5l5.5 5.5l5.5 -5.5",
            chevronRight: "M9.5 6.5l5.5 5.5l-5.5 5.5",
            arrowDown: "M12 5v14M6 13l6 6l6 -6",
            folder: "M3.5 18V6.5a1 1 0 0 1 1 -1H9l2 2.5h8.5a1 1 0 0 1 1 1V18a1 1 0 0 1 -1 1h-15a1 1 0 0 1 -1 -1z",
            cube: "M12 3.5l7.5 4.2v8.6L12 20.5l-7.5 -4.2V7.7zM12 12l7.5 -4.3M12 12L4.5 7.7M12 12v8.5",
            warning: "M12 4.5l8.5 15h-17zM12 10v4.5M12 17v0.2",
            shield: "M12 3.5l7 2.8v5c0 4.7 -2.9 7.8 -7 9.2c-4.1 -1.4 -7 -4.5 -7 -9.2v-5zM9 12l2.2 2.2L15.2 10",
            keyboard: "M4.5 6.5h15a1 1 0 0 1 1 1v9a1 1 0 0 1 -1 1h-15a1 1 0 0 1 -1 -1v-9a1 1 0 0 1 1 -1zM7 10h0.2M10.5 10h0.2M14 10h0.2M17 10h0.2M8 14h8",
            drop: "M12 4v10M8 10.5l4 4l4 -4M5 19.5h14",
            thought: "M9 16.5c0 -2.2 -2.7 -3 -2.7 -6.3a5.7 5.7 0 0 1 11.4 0c0 3.3 -2.7 4.1 -2.7 6.3zM9.7 20h4.6"
        })

    implicitWidth: size
    implicitHeight: size
    Accessible.ignored: true

    onColorChanged: requestPaint()
    onNameChanged: requestPaint()

    onPaint: {
        const context = getContext("2d");
        context.reset();
        context.scale(width / Style.iconGrid, height / Style.iconGrid);
        context.path = paths[name];
        context.lineCap = "round";
        context.lineJoin = "round";
        context.lineWidth = Style.iconStroke;
        context.strokeStyle = color;
        context.stroke();
        if (name === "stop") {
            context.fillStyle = color;
            context.fill();
        }
    }
}
