// SPDX-License-Identifier: Apache-2.0
// The one large line of a screen.
import QtQuick

BodyText {
    font.pixelSize: Style.titleSize
    font.weight: Style.heavyWeight
    Accessible.role: Accessible.Heading
}
