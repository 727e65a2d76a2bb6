// SPDX-License-Identifier: Apache-2.0
// The one large line of text on a page.
import QtQuick

BodyText {
    font.pixelSize: Style.titleSize
    font.weight: Style.heavyWeight
    Accessible.role: Accessible.Heading
}
