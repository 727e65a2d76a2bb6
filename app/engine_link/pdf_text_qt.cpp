// SPDX-License-Identifier: Apache-2.0
// PDFs by Qt PDF.
#include "engine_link/pdf_text.h"

#include <QBuffer>
#include <QPdfDocument>
#include <QPdfSelection>
#include <QStringList>

namespace coterie::app {
namespace {

constexpr char kNotRead[] = "The PDF was not read";

engine::Error errorFor(QPdfDocument::Error error) {
    using Error = QPdfDocument::Error;
    if (error == Error::IncorrectPassword)
        return {engine::ErrorKind::Unsupported, kNotRead, "It is locked with a password",
                "Save a copy without a password and attach that"};
    if (error == Error::UnsupportedSecurityScheme)
        return {engine::ErrorKind::Unsupported, kNotRead, "It is locked in a way that can't be opened",
                "Save a copy without a password and attach that"};
    return {engine::ErrorKind::BadInput, kNotRead, "It is damaged, or no PDF", "Choose another file"};
}

} // namespace

engine::Result<QString> textOfPdf(const QByteArray& bytes, qsizetype most) {
    QBuffer buffer;
    buffer.setData(bytes);
    buffer.open(QIODevice::ReadOnly);
    QPdfDocument document; // destroyed before the buffer that it reads
    document.load(&buffer);
    if (document.error() != QPdfDocument::Error::None) return errorFor(document.error());
    QStringList pages;
    qsizetype length = 0;
    for (int page = 0; page < document.pageCount() && length <= most; ++page) {
        QString text = document.getAllText(page).text();
        text.replace(QStringLiteral("\r\n"), QStringLiteral("\n"));
        text = text.trimmed();
        length += text.size();
        if (!text.isEmpty()) pages.append(text);
    }
    if (pages.isEmpty())
        return engine::Error{engine::ErrorKind::BadInput, kNotRead, "Its pages have no text: they may be pictures",
                             "Have its text recognised by another program first"};
    return pages.join(QStringLiteral("\n\n"));
}

} // namespace coterie::app
