// SPDX-License-Identifier: Apache-2.0
// The time that is left, as the window says it.
#include "common/units.h"

#include <QLocale>
#include <QtTest>

using namespace coterie::app;

class TestUnits : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }

    void theTimeLeftSaysNoMoreThanIsKnown_data() {
        QTest::addColumn<double>("seconds");
        QTest::addColumn<QString>("words");
        QTest::newRow("a second") << 1.0 << QStringLiteral("less than half a minute left");
        QTest::newRow("ten seconds") << 10.0 << QStringLiteral("less than half a minute left");
        QTest::newRow("half a minute") << 30.0 << QStringLiteral("less than half a minute left");
        QTest::newRow("more") << 31.0 << QStringLiteral("less than a minute left");
        QTest::newRow("a minute") << 60.0 << QStringLiteral("less than a minute left");
        QTest::newRow("more than a minute") << 61.0 << QStringLiteral("about 2 min left");
        QTest::newRow("more minutes") << 190.0 << QStringLiteral("about 4 min left");
    }
    void theTimeLeftSaysNoMoreThanIsKnown() {
        QFETCH(const double, seconds);
        QFETCH(const QString, words);
        QCOMPARE(Units().timeLeft(seconds), words);
    }

    /// "about 10 s left" once became 30 s while a person looked at it.
    void aTimeLeftThatGrowsLittleStays() {
        QCOMPARE(steadySecondsLeft(-1, 10), 10.0); // the first one
        QCOMPARE(steadySecondsLeft(10, 14), 10.0);
        QCOMPARE(steadySecondsLeft(10, 8), 8.0);
        QCOMPARE(steadySecondsLeft(10, 0), 0.0);
        QCOMPARE(steadySecondsLeft(10, 15), 15.0); // too wrong to be kept
        QCOMPARE(steadySecondsLeft(10, -1), -1.0);
        double shown = -1;
        QStringList said;
        for (const double estimate : {10.0, 14.0, 18.0, 24.0, 29.0, 26.0, 20.0, 9.0, 1.0}) {
            shown = steadySecondsLeft(shown, estimate);
            said.append(Units().timeLeft(shown));
        }
        said.removeDuplicates();
        QCOMPARE(said.size(), 1);
    }
};

QTEST_GUILESS_MAIN(TestUnits)
#include "tst_units.moc"
