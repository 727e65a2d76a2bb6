// SPDX-License-Identifier: Apache-2.0
// An item that is made only while it is wanted, as a sibling of this object. A Loader would do, but Qt 6.4 can't load a
// bound component, and without bound components nothing checks the names inside.
pragma ComponentBehavior: Bound
import QtQuick

Repeater {
    property bool wanted: false

    model: wanted ? 1 : 0
}
