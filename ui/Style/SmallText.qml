// SPDX-License-Identifier: Apache-2.0
// Secondary text: captions, statistics, hints.
import QtQuick

BodyText {
    color: Style.theme.quiet
    font.pixelSize: Style.smallSize
}
