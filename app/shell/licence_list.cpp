// SPDX-License-Identifier: Apache-2.0
// See licence_list.h. A file begins with a line for the title, one for the licence's name, and an empty one; LICENSE,
// our own, is the licence's text alone.
#include "shell/licence_list.h"

#include <QDir>
#include <QFile>

#include <algorithm>

namespace coterie::app {
namespace {

const QString kFolder = QStringLiteral(":/licences");
const QString kOwn = QStringLiteral("coterie.txt");

QString read(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

} // namespace

LicenceList::LicenceList(QObject* parent) : RowList(parent) {
    rows_.push_back({QStringLiteral("Coterie"), QStringLiteral("Apache-2.0"), QDir(kFolder).filePath(kOwn)});
    for (const QString& name : QDir(kFolder).entryList(QDir::Files)) {
        if (name == kOwn) continue;
        const QString path = QDir(kFolder).filePath(name), text = read(path);
        rows_.push_back({text.section(u'\n', 0, 0), text.section(u'\n', 1, 1), path});
    }
    std::sort(rows_.begin() + 1, rows_.end(),
              [](const Row& a, const Row& b) { return a.title.compare(b.title, Qt::CaseInsensitive) < 0; });
}

QVariant LicenceList::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
    const Row& row = rows_[static_cast<size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
    case TitleRole:
        return row.title;
    case LicenceRole:
        return row.licence;
    case TextRole: {
        const QString text = read(row.path);
        return index.row() == 0 ? text : text.section(u'\n', 3);
    }
    default:
        return {};
    }
}

} // namespace coterie::app
