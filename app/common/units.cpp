// SPDX-License-Identifier: Apache-2.0
// See units.h.
#include "common/units.h"

#include <QLocale>

#include <algorithm>
#include <cmath>

namespace coterie::app {

QString sizeText(double bytes) {
    constexpr double kibi = 1024, mebi = kibi * kibi, gibi = mebi * kibi;
    const QLocale locale;
    if (bytes >= gibi) return Units::tr("%1 GiB").arg(locale.toString(bytes / gibi, 'f', 1));
    if (bytes > 0 && bytes < kibi) return Units::tr("%Ln byte(s)", nullptr, static_cast<int>(std::ceil(bytes)));
    if (bytes >= mebi || bytes <= 0) return Units::tr("%1 MiB").arg(locale.toString(bytes / mebi, 'f', 0));
    return Units::tr("%1 KiB").arg(locale.toString(std::ceil(bytes / kibi), 'f', 0));
}

QString shareText(double share) {
    double percent = std::round(share * 100);
    if (share > 0 && share < 1) percent = std::clamp(percent, 1.0, 99.0);
    return Units::tr("%1 %").arg(QLocale().toString(percent, 'f', 0));
}

QString probabilityText(double probability) {
    constexpr double kLeast = 0.001, kMost = 0.999; // the smallest and largest probabilities that are written as such
    constexpr double kSmall = 0.1, kLarge = 0.98;   // below and above these, a decimal is needed to tell some apart
    const QLocale locale;
    if (probability > 0 && probability < kLeast) return Units::tr("<%1 %").arg(locale.toString(kLeast * 100, 'f', 1));
    if (probability < 1 && probability > kMost) return Units::tr(">%1 %").arg(locale.toString(kMost * 100, 'f', 1));
    const bool exact = probability <= 0 || probability >= 1;
    const int decimals = !exact && (probability < kSmall || probability > kLarge) ? 1 : 0;
    return Units::tr("%1 %").arg(locale.toString(probability * 100, 'f', decimals));
}

QString speedText(double tokensPerSecond) {
    constexpr double kWhole = 9.95; // 10 as soon as it is rounded
    const int decimals = tokensPerSecond < kWhole ? 1 : 0;
    return Units::tr("%1 tok/s").arg(QLocale().toString(tokensPerSecond, 'f', decimals));
}

QString secondsText(double seconds, int decimals) {
    const QLocale locale;
    const double least = std::pow(10.0, -decimals);
    if (seconds > 0 && seconds < least / 2) return Units::tr("<%1 s").arg(locale.toString(least, 'f', decimals));
    return Units::tr("%1 s").arg(locale.toString(seconds, 'f', decimals));
}

QString Units::timeLeft(double seconds) const {
    constexpr double kMinute = 60;
    if (seconds <= kMinute / 2) return tr("less than half a minute left");
    if (seconds <= kMinute) return tr("less than a minute left");
    return tr("about %1 min left").arg(QLocale().toString(std::ceil(seconds / kMinute), 'f', 0));
}

double steadySecondsLeft(double shown, double estimate) {
    constexpr double kRise = 1.5;
    const bool rises = shown >= 0 && estimate > shown;
    return rises && estimate < shown * kRise ? shown : estimate;
}

QString factsText(const QStringList& facts) { return facts.join(QStringLiteral(" \u00b7 ")); }

} // namespace coterie::app
