// SPDX-License-Identifier: Apache-2.0
// See row_list.h.
#include "common/row_list.h"

#include <QMetaEnum>

namespace coterie::app {

QHash<int, QByteArray> RowList::roleNames() const {
    const QMetaEnum roles = metaObject()->enumerator(metaObject()->indexOfEnumerator("Roles"));
    QHash<int, QByteArray> names;
    for (int i = 0; i < roles.keyCount(); ++i) {
        QByteArray name(roles.key(i));
        name.chop(static_cast<int>(sizeof("Role")) - 1);
        name[0] = static_cast<char>(name[0] - 'A' + 'a');
        names.insert(roles.value(i), name);
    }
    return names;
}

} // namespace coterie::app
