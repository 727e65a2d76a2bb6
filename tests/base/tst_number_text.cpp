// SPDX-License-Identifier: Apache-2.0
// Numbers as text are those of printf in the C locale. tests/exchange/decimal_comma.py runs this test where the C
// library writes commas.
#include "base/number_text.h"
#include "support/random.h"

#include <QtTest>

#include <bit>
#include <cmath>
#include <limits>

using namespace coterie::engine;

class TestNumberText : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void fixed() {
        QCOMPARE(fixedText(0.25, 2), std::string("0.25"));
        QCOMPARE(fixedText(-1234567.875, 1), std::string("-1234567.9"));
        QCOMPARE(fixedText(2.5, 0), std::string("2")); // half to even, as the value is exact
        QCOMPARE(fixedText(1e-9, 6), std::string("0.000000"));
        QCOMPARE(fixedText(-0.0, 1), std::string("-0.0"));
        QCOMPARE(fixedText(1e300, 3).size(), size_t(305));
        QCOMPARE(fixedText(std::numeric_limits<double>::max(), 1000).substr(0, 3), std::string("179"));
        QCOMPARE(fixedText(3, -5), std::string("3"));
        QCOMPARE(fixedText(HUGE_VAL, 2), std::string("inf"));
        QCOMPARE(fixedText(std::nan(""), 2), std::string("nan"));
    }

    void shortest() {
        QCOMPARE(shortText(0.001), std::string("0.001"));
        QCOMPARE(shortText(100), std::string("100"));
        QCOMPARE(shortText(1e9), std::string("1e+09"));
        QCOMPARE(shortText(2.0 / 3), std::string("0.666667"));
    }

    /// Read by other code, which expects a point, they are the numbers again.
    void manyAreReadAgain() {
        coterie::test::Random random(31);
        for (int i = 0; i < 3000; ++i) {
            const double value = std::ldexp(random.normal(), static_cast<int>(random.bits() % 60) - 20);
            for (const int decimals : {0, 1, 5, 9}) {
                const QString text = QString::fromStdString(fixedText(value, decimals));
                bool isNumber = false;
                const double read = text.toDouble(&isNumber);
                QVERIFY2(isNumber &&
                             std::abs(read - value) <= 0.501 * std::pow(10, -decimals) + std::abs(value) * 1e-15,
                         qPrintable(text));
                QCOMPARE(text.section('.', 1).size(), decimals);
            }
        }
    }

    void hexadecimal() {
        QCOMPARE(hexText(0), std::string(16, '0'));
        QCOMPARE(hexText(0xc0ffee), std::string("0000000000c0ffee"));
        QCOMPARE(hexText(~uint64_t{0}), std::string(16, 'f'));
    }
};

QTEST_GUILESS_MAIN(TestNumberText)
#include "tst_number_text.moc"
