// SPDX-License-Identifier: Apache-2.0
// The heading of a group of settings.
import QtQuick
import Coterie.Style

BodyText {
    Accessible.role: Accessible.Heading
    font.pixelSize: Style.headingSize
    font.weight: Style.heavyWeight
    wrapMode: Text.Wrap
}
