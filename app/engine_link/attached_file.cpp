// SPDX-License-Identifier: Apache-2.0
// See attached_file.h.
#include "engine_link/attached_file.h"

#include "engine_link/pdf_text.h"

#include <QFile>
#include <QFileInfo>
#include <QMimeDatabase>
#include <QStringDecoder>

#include <algorithm>

namespace coterie::app {
namespace {

constexpr qsizetype kLargestRead = 48 << 20; // bytes; the longest text in any encoding, and room for a PDF's pictures
constexpr qsizetype kPdfMarkPlace = 1024;    // a PDF's mark is in its first bytes (ISO 32000-1, appendix H)
/// Control characters that texts have: tab, line ends, form feed, escape (of coloured output).
constexpr char16_t kTextControls[] = {u'\t', u'\n', u'\r', u'\f', u'\v', u'\x1b', u'\b'};

bool isControl(QChar c) {
    return c.unicode() < 0x20 &&
           std::find(std::begin(kTextControls), std::end(kTextControls), c.unicode()) == std::end(kTextControls);
}

std::optional<QString> decoded(const QByteArray& bytes, QStringConverter::Encoding encoding) {
    QStringDecoder decoder(encoding, QStringConverter::Flag::Stateless); // half a character at the end is an error
    QString text = decoder.decode(bytes);
    if (decoder.hasError() || !text.isValidUtf16()) return std::nullopt;
    return text;
}

engine::Error refused(const QString& name, const engine::Sentence& why, const engine::Sentence& action) {
    return {engine::ErrorKind::BadInput, {"The file %1 was not attached", name.toStdString()}, why, action};
}

engine::Error tooLong(const QString& name) {
    return refused(name, "It is longer than any model can read", "Attach a part of it");
}

/// Reads all bytes of a file. It may vanish, or become longer, at any time.
engine::Result<QByteArray> bytesOf(const QString& path, const QString& name) {
    const QFileInfo about(path);
    if (about.isDir()) return refused(name, "It is a folder", "Attach the files in it");
    if (!about.exists()) return refused(name, "It is not there any more", "Choose another file");
    if (!about.isFile()) return refused(name, "It is no ordinary file", "Choose another file");
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return refused(name, {"It can't be read: %1", file.errorString().toStdString()}, "Check its permissions");
    QByteArray bytes = file.read(kLargestRead + 1);
    if (file.error() != QFileDevice::NoError)
        return refused(name, {"It can't be read: %1", file.errorString().toStdString()}, "Check its disk");
    if (bytes.size() > kLargestRead) return tooLong(name);
    return bytes;
}

} // namespace

std::optional<QString> textOfBytes(const QByteArray& bytes) {
    std::optional<QString> text;
    if (const auto marked = QStringConverter::encodingForData(bytes))
        text = decoded(bytes, *marked);
    else if (bytes.contains('\0'))
        return std::nullopt;
    else if (!(text = decoded(bytes, QStringConverter::Utf8)))
        text = decoded(bytes, QStringConverter::Latin1);
    if (!text || std::any_of(text->begin(), text->end(), isControl)) return std::nullopt;
    text->replace(QStringLiteral("\r\n"), QStringLiteral("\n"));
    text->replace(u'\r', u'\n');
    return text;
}

engine::Result<NewFile> readAttachedFile(const QString& path) {
    const QString name = QFileInfo(path).fileName();
    auto bytes = bytesOf(path, name);
    if (!bytes) return bytes.error();
    NewFile file{.name = name,
                 .mediaType = QMimeDatabase().mimeTypeForFileNameAndData(name, *bytes).name(),
                 .text = {},
                 .bytes = std::move(bytes).value()};
    if (file.bytes.left(kPdfMarkPlace).contains("%PDF-")) {
        auto text = textOfPdf(file.bytes, kLongestFileText);
        if (!text) return refused(name, text.error().why, text.error().action);
        file.text = std::move(text).value();
    } else if (auto text = textOfBytes(file.bytes)) {
        file.text = std::move(*text);
    } else {
        return refused(name, "It is not a text file", "Attach text, Markdown, code, CSV, or a PDF with text");
    }
    if (file.text.size() > kLongestFileText) return tooLong(name);
    if (file.text.trimmed().isEmpty()) return refused(name, "It is empty", "Choose another file");
    return file;
}

NewFile pastedFile(const QString& text, const QString& name) {
    return {.name = name, .mediaType = QStringLiteral("text/plain"), .text = text, .bytes = text.toUtf8()};
}

} // namespace coterie::app
