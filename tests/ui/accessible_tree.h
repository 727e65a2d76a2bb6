// SPDX-License-Identifier: Apache-2.0
// The window as a screen reader sees it: controls are found by the names that they have there. A test that finds a
// control has thereby shown that the control has a name.
#pragma once

#include <QAccessible>
#include <QQuickItem>
#include <QQuickWindow>

#include <functional>
#include <vector>

namespace coterie::tests {

/// Returns everything visible under `from`, depth first.
inline void walkAccessible(QAccessibleInterface* from, const std::function<void(QAccessibleInterface*)>& visit) {
    if (!from || !from->isValid() || from->state().invisible) return;
    visit(from);
    for (int i = 0; i < from->childCount(); ++i) walkAccessible(from->child(i), visit);
}

inline std::vector<QAccessibleInterface*> accessibleNodes(QQuickWindow* window) {
    QAccessible::setActive(true);
    std::vector<QAccessibleInterface*> nodes;
    walkAccessible(QAccessible::queryAccessibleInterface(window),
                   [&](QAccessibleInterface* node) { nodes.push_back(node); });
    return nodes;
}

/// Brackets around every translated text of the pseudo-language (pseudo_language.py).
inline constexpr QChar kTextBegins = u'\u27e6', kTextEnds = u'\u27e7';

/// Returns a text of the pseudo-language as it is in English; other texts stay as they are.
inline QString plainText(QString text) { return text.remove(kTextBegins).remove(kTextEnds); }

/// Returns the visible item with this name (and role, unless NoRole), or null if there is none. The name is given in
/// English, also if the window speaks the pseudo-language.
inline QQuickItem* namedItem(QQuickWindow* window, const QString& name, QAccessible::Role role = QAccessible::NoRole) {
    for (QAccessibleInterface* node : accessibleNodes(window)) {
        if (plainText(node->text(QAccessible::Name)) != name) continue;
        if (role == QAccessible::NoRole || node->role() == role) return qobject_cast<QQuickItem*>(node->object());
    }
    return nullptr;
}

} // namespace coterie::tests
