// SPDX-License-Identifier: Apache-2.0
// See guide_model.h; resources/CMakeLists.txt puts the file there.
#include "models/guide_model.h"

#include <QDir>
#include <QFileInfo>

namespace coterie::app {

QString guideBeside(const QString& programFolder) {
    const QString path = QDir::cleanPath(QDir(programFolder).filePath(QStringLiteral(COTERIE_GUIDE_PLACE)));
    return QFileInfo(path).isFile() ? path : QString();
}

} // namespace coterie::app
