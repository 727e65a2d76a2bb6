// SPDX-License-Identifier: Apache-2.0
// The text of a PDF. It is read by Qt PDF if the program was built with it (pdf_text_qt.cpp); otherwise each call says
// that PDFs can't be read. Any thread.
#pragma once

#include "base/result.h"

#include <QByteArray>
#include <QString>

namespace coterie::app {

/// Returns the text of all pages, with an empty line between two of them. It ends soon after `most` characters. An
/// error says why there is none: the file is locked or damaged, or its pages are pictures.
engine::Result<QString> textOfPdf(const QByteArray& bytes, qsizetype most);

} // namespace coterie::app
