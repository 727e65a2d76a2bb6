// SPDX-License-Identifier: Apache-2.0
// Checks that hold for every page and state of the window: what a screen reader meets, that no control stands over
// another, and that every text was translated. text_checks.h has the places of texts. coterie-screenshots --check runs
// all of them on each of its states.
#pragma once

#include "accessible_tree.h"
#include "text_checks.h"

#include <QRegularExpression>
#include <QStringList>

#include <algorithm>
#include <array>

namespace coterie::tests {

/// Everything that a visible node may be. Another role is a slip: an item without one, or one that AT-SPI doesn't know.
inline constexpr std::array kAllowedRoles{
    QAccessible::Window,   QAccessible::Pane,        QAccessible::Grouping,     QAccessible::StaticText,
    QAccessible::Heading,  QAccessible::Paragraph,   QAccessible::Button,       QAccessible::ButtonMenu,
    QAccessible::CheckBox, QAccessible::RadioButton, QAccessible::EditableText, QAccessible::Slider,
    QAccessible::List,     QAccessible::ListItem,    QAccessible::PopupMenu,    QAccessible::MenuItem,
    QAccessible::ToolTip,  QAccessible::Dialog,      QAccessible::AlertMessage, QAccessible::Separator,
    QAccessible::Table,    QAccessible::Chart,       QAccessible::Link};

/// The roles of controls that a key must reach.
inline constexpr std::array kControlRoles{QAccessible::Button,       QAccessible::ButtonMenu, QAccessible::CheckBox,
                                          QAccessible::RadioButton,  QAccessible::Slider,     QAccessible::MenuItem,
                                          QAccessible::EditableText, QAccessible::Table,      QAccessible::Chart,
                                          QAccessible::Link};

inline bool oneOf(const auto& roles, QAccessible::Role role) {
    return std::find(roles.begin(), roles.end(), role) != roles.end();
}

/// Whether the pointer alone reaches this control: the two small buttons of a chat's row, which F2 and Del replace.
inline bool isForThePointerOnly(const QQuickItem* item) {
    return item && item->property("focusPolicy").toInt() == Qt::NoFocus && !item->activeFocusOnTab();
}

/// Returns what is wrong with one visible node, or an empty text.
inline QString findingAbout(QAccessibleInterface* node) {
    const QAccessible::Role role = node->role();
    const QAccessible::State state = node->state();
    const auto* item = qobject_cast<QQuickItem*>(node->object());
    if (!oneOf(kAllowedRoles, role)) return QStringLiteral("role %1 is not allowed").arg(role);
    if (node->text(QAccessible::Name).trimmed().isEmpty() && role != QAccessible::Separator)
        return QStringLiteral("has no name");
    if (oneOf(kControlRoles, role) && !state.disabled && !state.focusable && !isForThePointerOnly(item))
        return QStringLiteral("can't take the focus");
    // Qt 6.4 has no state for it, so the description says it.
    if (oneOf(kControlRoles, role) && item && !item->isEnabled() && !state.disabled &&
        node->text(QAccessible::Description).isEmpty())
        return QStringLiteral("does not say that it is disabled");
    if ((role == QAccessible::RadioButton || role == QAccessible::CheckBox) && !state.checkable)
        return QStringLiteral("does not say that it can be checked");
    if (role == QAccessible::ListItem && item && item->inherits("QQuickItemDelegate") &&
        !(state.selectable && state.focusable && state.selected == item->property("highlighted").toBool()))
        return QStringLiteral("does not tell whether it is selected");
    return {};
}

/// Returns one line for each visible node that a screen reader could not use.
inline QStringList accessibleFindings(QQuickWindow* window) {
    QStringList findings;
    for (QAccessibleInterface* node : accessibleNodes(window)) {
        const QString finding = findingAbout(node);
        if (finding.isEmpty()) continue;
        const char* const type = node->object() ? node->object()->metaObject()->className() : "nothing";
        findings.append(
            QStringLiteral("%1 \"%2\" %3").arg(QString::fromLatin1(type), node->text(QAccessible::Name), finding));
    }
    return findings;
}

/// Returns one line for each two controls beside each other of which one stands over the other.
inline QStringList overlapFindings(QQuickWindow* window) {
    QList<const QQuickItem*> controls;
    for (QAccessibleInterface* node : accessibleNodes(window)) {
        const auto* item = qobject_cast<QQuickItem*>(node->object());
        if (item && item->isVisible() && item->parentItem() && oneOf(kControlRoles, node->role()))
            controls.append(item);
    }
    QStringList findings;
    const auto place = [](const QQuickItem* item) {
        return QRectF(item->x(), item->y(), item->width(), item->height());
    };
    for (qsizetype i = 0; i < controls.size(); ++i) {
        for (qsizetype j = i + 1; j < controls.size(); ++j) {
            if (controls[i]->parentItem() != controls[j]->parentItem()) continue;
            const QRectF both = place(controls[i]).intersected(place(controls[j]));
            if (both.width() < 1 || both.height() < 1) continue;
            const auto name = [](const QQuickItem* item) {
                QAccessibleInterface* node = QAccessible::queryAccessibleInterface(const_cast<QQuickItem*>(item));
                return node ? node->text(QAccessible::Name) : QString();
            };
            findings.append(QStringLiteral("\"%1\" overlaps \"%2\"").arg(name(controls[i]), name(controls[j])));
        }
    }
    return findings;
}

/// Returns the parts of a text that stand outside the brackets of the pseudo-language and hold a word.
inline QStringList untranslatedParts(const QString& text) {
    static const QRegularExpression kWord(QStringLiteral("\\p{L}{2,}"));
    QStringList parts;
    QString part;
    int depth = 0;
    for (const QChar c : text + kTextBegins) {
        if (c == kTextBegins && depth++ == 0) {
            for (const QString& figure : part.split(QChar(0x00b7))) // a dot stands between two figures
                if (kWord.match(figure).hasMatch()) parts.append(figure.trimmed());
            part.clear();
        } else if (c == kTextEnds) {
            --depth;
        } else if (depth == 0) {
            part.append(c);
        }
    }
    return parts;
}

/// Returns each shown text that is not translated. The window must speak the pseudo-language. foreign: texts of people,
/// models and files, which nobody translates; a text that is part of one of them is no finding.
inline QStringList untranslatedTexts(QQuickWindow* window, const QStringList& foreign) {
    QStringList findings;
    const auto look = [&](const QString& text) {
        for (const QString& part : untranslatedParts(text)) {
            const bool known =
                std::any_of(foreign.begin(), foreign.end(), [&](const QString& other) { return other.contains(part); });
            if (!known) findings.append(part);
        }
    };
    for (QAccessibleInterface* node : accessibleNodes(window)) {
        look(node->text(QAccessible::Name));
        look(node->text(QAccessible::Description));
        const auto* item = qobject_cast<QQuickItem*>(node->object());
        if (item) look(item->property("placeholderText").toString());
    }
    // Items without a node of their own, for example the text of a button.
    const std::function<void(QQuickItem*)> walk = [&](QQuickItem* item) {
        if (!item->isVisible()) return;
        if (item->inherits("QQuickText")) look(item->property("text").toString());
        for (QQuickItem* child : item->childItems()) walk(child);
    };
    QQuickItem* top = window->contentItem();
    while (top->parentItem()) top = top->parentItem();
    walk(top);
    look(window->title());
    findings.removeDuplicates();
    return findings;
}

} // namespace coterie::tests
