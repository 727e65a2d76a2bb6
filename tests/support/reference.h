// SPDX-License-Identifier: Apache-2.0
// Where the reference data lie, for tests that use them when they are there and pass without.
#pragma once

#include <QDir>
#include <QString>

namespace coterie::test {

/// The folder with models/, vocab/, templates/, or an empty string where this checkout has none beside it.
inline QString referenceFolder() {
    const QString set = qEnvironmentVariable("COTERIE_REFERENCE");
    const QString folder =
        set.isEmpty() ? QDir::cleanPath(QStringLiteral(COTERIE_SOURCE_DIR "/../shared/reference")) : set;
    return QDir(folder).exists() ? folder : QString();
}

} // namespace coterie::test
