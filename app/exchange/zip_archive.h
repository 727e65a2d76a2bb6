// SPDX-License-Identifier: Apache-2.0
// The files inside a zip archive, as ChatGPT and llama.cpp's web page send them: plain or deflated, without encryption,
// below 4 GiB.
//
//     Central directory entry, little-endian: | PK\1\2 | versions 2x2 | flags 2 | method 2 | time 4 | crc 4 |
//         packed size 4 | size 4 | name length 2 | extra length 2 | comment length 2 | disk 2 | attributes 2 + 4 |
//         offset of the local header 4 | name | extra | comment |
//     End of the directory: | PK\5\6 | disks 2x2 | entries 2x2 | size 4 | offset 4 | comment length 2 | comment |
//
// Source: the ZIP application note (APPNOTE.TXT), 4.3. Without zlib at build time an archive is refused in words.
//
//     const auto archive = ZipArchive::open(path);
//     for (const QString& name : archive->names()) auto source = archive->source(name);
//
// Threads: one thread at a time. Errors are values.
#pragma once

#include "exchange/byte_source.h"

#include <QString>
#include <QStringList>

#include <map>
#include <memory>

namespace coterie::app {

class ZipArchive {
  public:
    static engine::Result<ZipArchive> open(const QString& path);

    QStringList names() const;
    /// Opens one of names().
    engine::Result<std::unique_ptr<ByteSource>> source(const QString& name) const;

  private:
    struct Entry {
        int method = 0;
        uint64_t packedBytes = 0, localHeader = 0;
    };

    ZipArchive() = default;

    QString path_;
    std::map<QString, Entry> entries_;
};

} // namespace coterie::app
