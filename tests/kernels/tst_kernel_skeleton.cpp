// SPDX-License-Identifier: Apache-2.0
// A kernel's test to copy, for engine/kernels/skeleton.h: it compares every version that this machine can run with
// double, at every length around the width of its registers, off its alignment and between guards.
//
// Tolerance. Each product and each of the n - 1 sums is rounded once, in any order: an error of at most n u sum|x y|,
// u = 2^-24 (Higham, Accuracy and Stability of Numerical Algorithms, 3.1).
#include "kernel_test.h"
#include "kernels/skeleton.h"

using namespace coterie::engine;
using namespace coterie::test;

class KernelSkeletonTest : public QObject {
    Q_OBJECT

    /// A real kernel's test calls addTableRows() instead: one row for each table.
    static void addVersions() {
        QTest::addColumn<Dot>("dot");
        for (const DotVersion& version : dotVersions()) {
            const auto table = chooseKernels(version.table);
            if (table.ok()) QTest::newRow(version.table) << version.dot;
        }
    }

  private Q_SLOTS:
    void product_data() { addVersions(); }
    void product() {
        QFETCH(const Dot, dot);
        Random random(1);
        for (int64_t n = 0; n <= 70; ++n)
            for (const size_t skew : {0, 4, 12}) {
                Guarded<float> x(n, skew), y(n, skew);
                double exact = 0, magnitude = 0;
                for (int64_t i = 0; i < n; ++i) {
                    x[i] = random.unit();
                    y[i] = random.unit();
                    exact += static_cast<double>(x[i]) * y[i];
                    magnitude += std::abs(static_cast<double>(x[i]) * y[i]);
                }
                const double bound = static_cast<double>(n) * kRoundoff * magnitude;
                QVERIFY(within(dot(x.data(), y.data(), n), exact, bound, "dot", n));
                QVERIFY(x.intact() && y.intact());
            }
    }

    /// A NaN shows at any place, also behind the last whole register.
    void productOfNan_data() { addVersions(); }
    void productOfNan() {
        QFETCH(const Dot, dot);
        for (const int64_t n : {1, 8, 21, 37})
            for (int64_t i = 0; i < n; ++i) {
                Guarded<float> x(n), y(n);
                x.fill(1);
                y.fill(2);
                x[i] = std::numeric_limits<float>::quiet_NaN();
                QVERIFY(std::isnan(dot(x.data(), y.data(), n)));
            }
    }
};

QTEST_APPLESS_MAIN(KernelSkeletonTest)
#include "tst_kernel_skeleton.moc"
