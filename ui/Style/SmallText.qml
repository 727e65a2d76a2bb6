// SPDX-License-Identifier: Apache-2.0
// Second rank text: captions, statistics, hints.
import QtQuick

BodyText {
    color: Style.theme.quiet
    font.pixelSize: Style.smallSize
}
