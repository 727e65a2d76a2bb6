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

/// Returns the first visible node under `from`, depth first, for which `matches` returns true, or null if there is
/// none.
template <typename Matches>
QAccessibleInterface* findAccessible(QAccessibleInterface* from, const Matches& matches) {
    if (!from || !from->isValid() || from->state().invisible) return nullptr;
    if (matches(from)) return from;
    for (int i = 0, count = from->childCount(); i < count; ++i) // Qt makes the list of children anew at each call
        if (QAccessibleInterface* found = findAccessible(from->child(i), matches)) return found;
    return nullptr;
}

/// Visits everything visible under `from`, depth first.
inline void walkAccessible(QAccessibleInterface* from, const std::function<void(QAccessibleInterface*)>& visit) {
    findAccessible(from, [&](QAccessibleInterface* node) {
        visit(node);
        return false;
    });
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
    QAccessible::setActive(true);
    QAccessibleInterface* found =
        findAccessible(QAccessible::queryAccessibleInterface(window), [&](QAccessibleInterface* node) {
            return plainText(node->text(QAccessible::Name)) == name &&
                   (role == QAccessible::NoRole || node->role() == role);
        });
    return found ? qobject_cast<QQuickItem*>(found->object()) : nullptr;
}

} // namespace coterie::tests
