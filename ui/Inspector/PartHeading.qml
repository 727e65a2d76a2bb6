// SPDX-License-Identifier: Apache-2.0
// The heading of one part of the model's activity.
import QtQuick
import Coterie.Style

BodyText {
    Accessible.role: Accessible.Heading
    font.weight: Style.heavyWeight
    wrapMode: Text.Wrap
}
