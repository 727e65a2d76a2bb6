// SPDX-License-Identifier: Apache-2.0
// Rows of signs against a vector: each table against a plain sum in double.
#include "kernel_test.h"

using namespace coterie::engine;
using namespace coterie::test;

namespace {

/// Random signs and scales, all of them between guards.
struct MadeSigns {
    MadeSigns(int64_t rows, int64_t columns, Random& random)
        : bits(rows * columns / 32, 4), scales(rows, 4), signs{columns, bits.data(), scales.data()} {
        for (int64_t i = 0; i < bits.size(); ++i) bits[i] = random.bits();
        for (int64_t r = 0; r < rows; ++r) scales[r] = std::abs(random.unit()) + 0.1f;
    }
    double sign(int64_t row, int64_t column) const {
        return bits.data()[row * (signs.columns / 32) + column / 32] >> column % 32 & 1u ? -1 : 1;
    }
    bool intact() { return bits.intact() && scales.intact(); }

    Guarded<uint32_t> bits;
    Guarded<float> scales;
    SignRows signs;
};

void fillRandom(Guarded<float>& x, Random& random) {
    for (int64_t c = 0; c < x.size(); ++c)
        x[c] = random.unit() * (c % 64 < 32 ? 1.0f : 50.0f); // blocks differ in scale
}

} // namespace

class KernelSignsTest : public QObject {
    Q_OBJECT
  private slots:
    void eachRowIsTheSum_data() { addTableRows(); }
    void eachRowIsTheSum() {
        QFETCH(const KernelTable*, kernels);
        Random random(1);
        for (const int64_t columns : {32, 64, 96, 160, 512, 1536, 1568})
            for (const int64_t rows : {1, 2, 3, 4, 5, 8, 11}) {
                MadeSigns made(rows, columns, random);
                Guarded<float> x(columns, 4);
                fillRandom(x, random);
                Prepared prepared(*kernels, TensorType::Q8_0, x, columns, 1);
                Guarded<float> out(rows, 4);
                const float shift = random.unit() * 10;
                kernels->multiplySigns(made.signs, 0, rows, prepared.token(0), shift, out.data());
                for (int64_t r = 0; r < rows; ++r) {
                    double sum = 0, size = 0;
                    for (int64_t c = 0; c < columns; ++c) {
                        const double value = prepared.value(0, c);
                        sum += made.sign(r, c) * value;
                        size += std::abs(value);
                    }
                    const double scale = made.scales[r];
                    // One rounding a block, those of the lanes' sums, of the shift and of the scale.
                    const double steps = static_cast<double>(columns) / 32 + 8;
                    const double bound = steps * roundoff * scale * (size + std::abs(static_cast<double>(shift)));
                    QVERIFY(within(out[r], scale * (static_cast<double>(shift) + sum), bound, "signs", r));
                }
                QVERIFY(made.intact() && prepared.intact() && out.intact());
            }
    }

    void anySplitOfRowsGivesTheSameBits_data() { addTableRows(); }
    void anySplitOfRowsGivesTheSameBits() {
        QFETCH(const KernelTable*, kernels);
        Random random(2);
        constexpr int64_t rows = 13, columns = 96;
        MadeSigns made(rows, columns, random);
        Guarded<float> x(columns, 4);
        fillRandom(x, random);
        Prepared prepared(*kernels, TensorType::Q8_0, x, columns, 1);
        Guarded<float> whole(rows), split(rows);
        kernels->multiplySigns(made.signs, 0, rows, prepared.token(0), 0.5f, whole.data());
        for (int64_t middle = 0; middle <= rows; ++middle) {
            split.fill(-1);
            kernels->multiplySigns(made.signs, 0, middle, prepared.token(0), 0.5f, split.data());
            if (middle < rows) QCOMPARE(split[rows - 1], -1.0f); // nothing beyond the range
            kernels->multiplySigns(made.signs, middle, rows, prepared.token(0), 0.5f, split.data());
            QVERIFY(std::memcmp(whole.data(), split.data(), rows * sizeof(float)) == 0);
        }
    }

    void wholeNumbersAreExact_data() { addTableRows(); }
    void wholeNumbersAreExact() {
        QFETCH(const KernelTable*, kernels);
        Random random(3);
        constexpr int64_t columns = 160;
        MadeSigns made(1, columns, random);
        made.scales[0] = 1;
        Guarded<float> x(columns);
        x.fill(127); // the largest there is: the block's scale is 1
        Prepared prepared(*kernels, TensorType::Q8_0, x, columns, 1);
        for (const uint32_t word : {0u, ~0u, 1u, 0x80000000u, 0xff00ff00u}) {
            made.bits.fill(word);
            double sum = 0;
            for (int64_t c = 0; c < columns; ++c) sum += made.sign(0, c) * 127;
            Guarded<float> out(1);
            kernels->multiplySigns(made.signs, 0, 1, prepared.token(0), 0, out.data());
            QCOMPARE(static_cast<double>(out[0]), sum);
        }
    }

    void aBrokenVectorShows_data() { addTableRows(); }
    void aBrokenVectorShows() {
        QFETCH(const KernelTable*, kernels);
        Random random(4);
        constexpr int64_t columns = 96;
        MadeSigns made(5, columns, random);
        Guarded<float> x(columns, 4);
        fillRandom(x, random);
        x[40] = std::numeric_limits<float>::infinity();
        Prepared prepared(*kernels, TensorType::Q8_0, x, columns, 1);
        Guarded<float> out(5);
        kernels->multiplySigns(made.signs, 0, 5, prepared.token(0), 0, out.data());
        for (int64_t r = 0; r < 5; ++r) QVERIFY(std::isnan(out[r]));
    }
};

QTEST_APPLESS_MAIN(KernelSignsTest)
#include "tst_kernel_signs.moc"
