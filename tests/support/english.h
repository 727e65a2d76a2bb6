// SPDX-License-Identifier: Apache-2.0
// Numbers in texts, for tests that compare texts.
#pragma once

#include <QLocale>

namespace coterie::test {

/// From here on numbers in texts are written as in English, whatever the language of the system.
inline void useEnglishNumbers() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }

} // namespace coterie::test
