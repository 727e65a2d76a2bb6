// SPDX-License-Identifier: Apache-2.0
// Rows of signs times a vector: each table against a plain sum in double.
#include "kernel_test.h"

using namespace coterie::engine;
using namespace coterie::test;

namespace {

constexpr int64_t kBytesOfSpan = 64;
int64_t spansOf(int64_t columns) { return (columns + 511) / 512; }

/// Random signs and scales, all of them between guards.
struct MadeSigns {
    MadeSigns(int64_t rows, int64_t columns, Random& random)
        : bits(rows * spansOf(columns) * kBytesOfSpan),
          scales(rows, 4), signs{spansOf(columns), bits.data(), scales.data()} {
        for (int64_t i = 0; i < bits.size(); ++i) bits[i] = static_cast<uint8_t>(random.bits() & 0xff);
        for (int64_t r = 0; r < rows; ++r) scales[r] = std::abs(random.unit()) + 0.1f;
    }
    double sign(int64_t row, int64_t column) const {
        const int64_t byte = (row * signs.spans + column / 512) * kBytesOfSpan + column % 64;
        return bits.data()[byte] >> column % 512 / 64 & 1 ? -1 : 1;
    }
    bool intact() { return bits.intact() && scales.intact(); }

    Guarded<uint8_t> bits;
    Guarded<float> scales;
    SignRows signs;
};

/// Random bytes, and zeros behind them to the end of the span, between guards.
struct MadeBytes {
    MadeBytes(int64_t columns, Random& random) : values(spansOf(columns) * 512) {
        values.fill(0);
        for (int64_t c = 0; c < columns; ++c) values[c] = static_cast<int8_t>(random.bits() & 0xff);
        complete(columns);
    }
    void complete(int64_t columns) {
        vector = {values.data(), 0, 0.03125f * 1.7f};
        for (int64_t c = 0; c < columns; ++c) vector.sum += values[c];
    }
    Guarded<int8_t> values;
    ByteVector vector;
};

} // namespace

class KernelSignsTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void eachRowIsTheSum_data() { addTableRows(); }
    void eachRowIsTheSum() {
        QFETCH(const KernelTable*, kernels);
        Random random(1);
        for (const int64_t columns : {1, 32, 63, 512, 513, 960, 1536, 2048})
            for (const int64_t rows : {1, 2, 3, 4, 5, 8, 11}) {
                MadeSigns made(rows, columns, random);
                MadeBytes x(columns, random);
                Guarded<float> out(rows, 4);
                const float shift = random.unit() * 10;
                kernels->multiplySigns(made.signs, 0, rows, x.vector, shift, out.data());
                for (int64_t r = 0; r < rows; ++r) {
                    double sum = 0;
                    for (int64_t c = 0; c < columns; ++c) sum += made.sign(r, c) * x.values[c];
                    const double scale = made.scales[r], product = sum * static_cast<double>(x.vector.scale);
                    // The sum is exact; its product with the scale, the shift and the row's scale are rounded once
                    // each.
                    const double bound =
                        3 * kRoundoff * scale * (std::abs(product) + std::abs(static_cast<double>(shift)));
                    QVERIFY(within(out[r], scale * (static_cast<double>(shift) + product), bound, "signs", r));
                }
                QVERIFY(made.intact() && x.values.intact() && out.intact());
            }
    }

    void anySplitOfRowsGivesTheSameBits_data() { addTableRows(); }
    void anySplitOfRowsGivesTheSameBits() {
        QFETCH(const KernelTable*, kernels);
        Random random(2);
        constexpr int64_t rows = 13, columns = 96;
        MadeSigns made(rows, columns, random);
        const MadeBytes x(columns, random);
        Guarded<float> whole(rows), split(rows);
        kernels->multiplySigns(made.signs, 0, rows, x.vector, 0.5f, whole.data());
        for (int64_t middle = 0; middle <= rows; ++middle) {
            split.fill(-1);
            kernels->multiplySigns(made.signs, 0, middle, x.vector, 0.5f, split.data());
            if (middle < rows) QCOMPARE(split[rows - 1], -1.0f); // nothing beyond the range
            kernels->multiplySigns(made.signs, middle, rows, x.vector, 0.5f, split.data());
            QVERIFY(std::memcmp(whole.data(), split.data(), rows * sizeof(float)) == 0);
        }
    }

    void theLargestSumsAreExact_data() { addTableRows(); }
    void theLargestSumsAreExact() {
        QFETCH(const KernelTable*, kernels);
        Random random(3);
        constexpr int64_t columns = 16416; // 16 bits cannot hold the sums
        MadeSigns made(1, columns, random);
        made.scales[0] = 1;
        MadeBytes x(columns, random);
        for (const int8_t value : {int8_t{127}, int8_t{-128}})
            for (const uint8_t byte : {0x00, 0xff, 0x01, 0x80, 0x5a}) {
                for (int64_t c = 0; c < columns; ++c) x.values[c] = value;
                x.complete(columns);
                x.vector.scale = 1;
                made.bits.fill(byte);
                double sum = 0;
                for (int64_t c = 0; c < columns; ++c) sum += made.sign(0, c) * value;
                Guarded<float> out(1);
                kernels->multiplySigns(made.signs, 0, 1, x.vector, 0, out.data());
                QCOMPARE(static_cast<double>(out[0]), sum);
            }
    }

    void aBrokenVectorShows_data() { addTableRows(); }
    void aBrokenVectorShows() {
        QFETCH(const KernelTable*, kernels);
        Random random(4);
        MadeSigns made(5, 96, random);
        MadeBytes x(96, random);
        x.vector.scale = std::numeric_limits<float>::quiet_NaN();
        Guarded<float> out(5);
        kernels->multiplySigns(made.signs, 0, 5, x.vector, 0, out.data());
        for (int64_t r = 0; r < 5; ++r) QVERIFY(std::isnan(out[r]));
    }
};

QTEST_APPLESS_MAIN(KernelSignsTest)
#include "tst_kernel_signs.moc"
