// SPDX-License-Identifier: Apache-2.0
// Reads CSV as RFC 4180 writes it: fields in quotes may hold commas, quotes and line ends.
#pragma once

#include <QByteArray>
#include <QList>

namespace coterie::test {

/// Returns the fields of each line, without their quotes.
inline QList<QList<QByteArray>> csvRows(const QByteArray& text) {
    QList<QList<QByteArray>> rows;
    QList<QByteArray> row;
    QByteArray field;
    bool quoted = false;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"') {
            field += text[++i];
        } else if (c == '"') {
            quoted = !quoted;
        } else if (!quoted && (c == ',' || c == '\n')) {
            row.append(field);
            field.clear();
            if (c == ',') continue;
            rows.append(row);
            row.clear();
        } else {
            field += c;
        }
    }
    return rows;
}

} // namespace coterie::test
