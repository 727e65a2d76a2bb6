// SPDX-License-Identifier: Apache-2.0
// Finds the reference data. This is the only file of the tests that is compiled with the checkout's path
// (COTERIE_SOURCE_DIR): all other files are the same in every checkout, so that ccache recognises them.
#include "support/reference.h"

#include <QDir>

namespace coterie::test {

QString referenceFolder() {
    const QString set = qEnvironmentVariable("COTERIE_REFERENCE");
    const QString folder =
        set.isEmpty() ? QDir::cleanPath(QStringLiteral(COTERIE_SOURCE_DIR "/../shared/reference")) : set;
    return QDir(folder).exists() ? folder : QString();
}

} // namespace coterie::test
