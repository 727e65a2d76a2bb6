// SPDX-License-Identifier: Apache-2.0
// Writes sizes and shares in the user's language, in the same way everywhere in the window.
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <QtQml/qqmlregistration.h>

namespace coterie::app {

/// "1.2 GiB", "640 MiB", "12 KiB": binary units, as memory is counted.
QString sizeText(double bytes);
/// "93 %". Returns 0 % and 100 % only if they are exact.
QString shareText(double share);
/// "42 %", "0.3 %", "<0.1 %", "99.7 %": a probability, with a decimal where many would look the same without it.
/// Returns 0 % and 100 % only if they are exact.
QString probabilityText(double probability);
/// "0.8 s", with so many decimals. A time that would be shown as zero is "<0.1 s".
QString secondsText(double seconds, int decimals = 1);
/// "9.4 tok/s", "12 tok/s": from ten on, a tenth of a token says nothing.
QString speedText(double tokensPerSecond);
/// Returns the time left that a person should see after `shown` seconds were shown: a new estimate is a guess, and one
/// that grows by less than half of `shown` is ignored. Below 0: none was shown, or there is none yet.
double steadySecondsLeft(double shown, double estimate);
/// Facts side by side: "llama \u00b7 Q8_0 \u00b7 13 MiB".
QString factsText(const QStringList& facts);

/// The same for QML.
class Units : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_SINGLETON
  public:
    explicit Units(QObject* parent = nullptr) : QObject(parent) {}

    Q_INVOKABLE QString size(double bytes) const { return sizeText(bytes); }
    Q_INVOKABLE QString share(double share) const { return shareText(share); }
    Q_INVOKABLE QString speed(double tokensPerSecond) const { return speedText(tokensPerSecond); }
    Q_INVOKABLE QString seconds(double seconds) const { return secondsText(seconds); }
    /// "less than half a minute left", "about 3 min left": no more than is known, so that the words seldom change.
    Q_INVOKABLE QString timeLeft(double seconds) const;
};

} // namespace coterie::app
