// SPDX-License-Identifier: Apache-2.0
// PDFs in a program that was built without Qt PDF.
#include "engine_link/pdf_text.h"

namespace coterie::app {

engine::Result<QString> textOfPdf(const QByteArray&, qsizetype) {
    return engine::Error{engine::ErrorKind::Unsupported, "The PDF was not read",
                         "This build of Coterie can't read PDFs", "Save its text as a file and attach that"};
}

} // namespace coterie::app
