// SPDX-License-Identifier: Apache-2.0
// A real disk of a few megabytes that a test can fill or make read-only: a tmpfs, if the system lets us mount one
// (Linux, as root).
#pragma once

#include <QDir>
#include <QFile>
#include <QString>
#include <QTemporaryDir>

#include <memory>

#ifdef Q_OS_LINUX
#include <sys/mount.h>
#endif

namespace coterie::test {

class SmallDisk {
  public:
    /// Returns null if it can't be mounted.
    static std::unique_ptr<SmallDisk> make(qint64 bytes) {
        std::unique_ptr<SmallDisk> disk(new SmallDisk(bytes));
        return disk->mounted_ ? std::move(disk) : nullptr;
    }
    ~SmallDisk() {
#ifdef Q_OS_LINUX
        if (mounted_) umount2(folder_.path().toUtf8().constData(), MNT_DETACH);
#endif
    }
    SmallDisk(const SmallDisk&) = delete;
    SmallDisk& operator=(const SmallDisk&) = delete;

    QString path() const { return folder_.path(); }
    /// Fills the disk to the last byte.
    void fill() {
        QFile file(fillerPath());
        if (!file.open(QIODevice::WriteOnly | QIODevice::Append | QIODevice::Unbuffered)) return;
        for (qint64 piece = 1 << 20; piece > 0; piece /= 2) {
            while (file.write(QByteArray(static_cast<qsizetype>(piece), 'f')) == piece) {
            }
        }
    }
    void release() { QFile::remove(fillerPath()); }
    bool setReadOnly(bool readOnly) {
#ifdef Q_OS_LINUX
        const unsigned long flags = MS_REMOUNT | (readOnly ? static_cast<unsigned long>(MS_RDONLY) : 0UL);
        return mount("none", folder_.path().toUtf8().constData(), "tmpfs", flags, nullptr) == 0;
#else
        return !readOnly;
#endif
    }

  private:
    explicit SmallDisk(qint64 bytes) {
#ifdef Q_OS_LINUX
        const QByteArray size = QByteArrayLiteral("size=") + QByteArray::number(bytes);
        mounted_ = mount("none", folder_.path().toUtf8().constData(), "tmpfs", 0, size.constData()) == 0;
#else
        Q_UNUSED(bytes)
#endif
    }
    QString fillerPath() const { return QDir(folder_.path()).filePath(QStringLiteral("filler")); }

    QTemporaryDir folder_;
    bool mounted_ = false;
};

} // namespace coterie::test
