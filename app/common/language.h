// SPDX-License-Identifier: Apache-2.0
// Loads the catalogue of the window's texts. It is needed in English too, for the plurals: the source says
// "%n token(s)", and the catalogue "1 token" and "2 tokens". Call it on the GUI thread, before App is made: some texts
// are made once.
#pragma once

#include <QLocale>
#include <QString>

namespace coterie::app {

/// Uses the catalogue of this folder (by default of the program itself) for the locale's language, or the English one
/// if there is none for it. A second call replaces the first one's. Returns false if there is no catalogue at all.
bool useLanguage(const QLocale& locale = QLocale(), const QString& folder = QStringLiteral(":/translations"));

/// Uses this catalogue file. Returns false, and changes nothing, if it can't be read.
bool useCatalogue(const QString& file);

} // namespace coterie::app
