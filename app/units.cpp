// SPDX-License-Identifier: Apache-2.0
// See units.h.
#include "units.h"

#include <QLocale>

#include <algorithm>
#include <cmath>

namespace coterie::app {

QString sizeText(double bytes) {
    constexpr double kibi = 1024, mebi = kibi * kibi, gibi = mebi * kibi;
    const QLocale locale;
    if (bytes >= gibi) return Units::tr("%1 GiB").arg(locale.toString(bytes / gibi, 'f', 1));
    if (bytes >= mebi || bytes <= 0) return Units::tr("%1 MiB").arg(locale.toString(bytes / mebi, 'f', 0));
    return Units::tr("%1 KiB").arg(locale.toString(std::ceil(bytes / kibi), 'f', 0));
}

QString shareText(double share) {
    double percent = std::round(share * 100);
    if (share > 0 && share < 1) percent = std::clamp(percent, 1.0, 99.0);
    return Units::tr("%1 %").arg(QLocale().toString(percent, 'f', 0));
}

QString secondsText(double seconds, int decimals) {
    const QLocale locale;
    const double least = std::pow(10.0, -decimals);
    if (seconds > 0 && seconds < least / 2) return Units::tr("<%1 s").arg(locale.toString(least, 'f', decimals));
    return Units::tr("%1 s").arg(locale.toString(seconds, 'f', decimals));
}

QString factsText(const QStringList& facts) { return facts.join(QStringLiteral(" \u00b7 ")); }

} // namespace coterie::app
