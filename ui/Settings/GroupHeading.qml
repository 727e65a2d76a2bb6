// SPDX-License-Identifier: Apache-2.0
// The heading of a group of settings.
import QtQuick
import Coterie.Style

SmallText {
    Accessible.role: Accessible.Heading
    color: Style.theme.text
    font.weight: Style.heavyWeight
    wrapMode: Text.Wrap
}
