// SPDX-License-Identifier: Apache-2.0
// The current place of the search in a chat, as the window shows it.
#pragma once

#include "accessible_tree.h"
#include "text/message_text.h"

#include <QQuickWindow>

namespace coterie::tests {

/// Returns the place of the current hit in the window, if it is drawn; else an empty rectangle.
inline QRectF currentHit(QQuickWindow* window) {
    for (QAccessibleInterface* node : accessibleNodes(window)) {
        const auto* text = qobject_cast<app::MessageText*>(node->object());
        if (!text || !text->document()) continue;
        for (const app::TextMark& mark : text->document()->marks())
            if (mark.current)
                for (const app::TextSpan& span : text->document()->shown(mark.range))
                    return text->mapRectToScene(text->layout().rectangles(span).front());
    }
    return {};
}

} // namespace coterie::tests
