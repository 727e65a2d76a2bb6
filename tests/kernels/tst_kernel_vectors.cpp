// SPDX-License-Identifier: Apache-2.0
// Norms, rotation, activations, half precision and partial softmax: each table against a plain computation in double.
#include "kernel_test.h"

#include <bit>

using namespace coterie::engine;
using namespace coterie::test;

namespace {

constexpr int64_t kLengths[] = {1, 2, 7, 8, 9, 16, 31, 64, 65, 100, 1536};
constexpr double kExponentialError = 0x1p-23; ///< relative error that the vectorised e^x keeps

void fillUnit(Guarded<float>& x, Random& random) {
    for (int64_t i = 0; i < x.size(); ++i) x[i] = random.unit();
}

void toHalf(const KernelTable& kernels, const float* x, int64_t n, uint16_t* out) {
    kernels.compressRow(TensorType::F16, x, n, reinterpret_cast<std::byte*>(out));
}

bool sameBits(const float* a, const float* b, int64_t n) {
    return std::memcmp(a, b, static_cast<size_t>(n) * sizeof(float)) == 0;
}

/// The half nearest to a finite x, ties to even, found by search among all halves.
uint16_t nearestHalf(double x) {
    const double magnitude = std::abs(x);
    uint16_t low = 0, high = 0x7c00; // halves without sign have the order of their values
    while (high - low > 1) {
        const uint16_t middle = static_cast<uint16_t>((low + high) / 2);
        (halfValue(middle) <= magnitude ? low : high) = middle;
    }
    const double above = high == 0x7c00 ? 65536 : halfValue(high); // as if the exponent went on: IEEE 754, 4.3.1
    const double toLow = magnitude - halfValue(low), toHigh = above - magnitude;
    const bool up = toHigh < toLow || (toHigh == toLow && (low & 1));
    return static_cast<uint16_t>((up ? high : low) | (std::signbit(x) ? 0x8000 : 0));
}

} // namespace

class KernelVectorsTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void rmsNorm_data() { addTableRows(); }
    void rmsNorm() {
        QFETCH(const KernelTable*, kernels);
        Random random(1);
        for (const int64_t n : kLengths)
            for (const float size : {1.0f, 1e-6f, 1e25f}) {
                Guarded<float> x(n, 4), weight(n, 4), out(n, 4);
                fillUnit(x, random);
                fillUnit(weight, random);
                double squares = 0;
                for (int64_t i = 0; i < n; ++i) x[i] *= size, squares += static_cast<double>(x[i]) * x[i];
                const double scale = 1 / std::sqrt(squares / static_cast<double>(n) + static_cast<double>(1e-5f));
                kernels->rmsNorm(x.data(), weight.data(), n, 1e-5f, out.data());
                for (int64_t i = 0; i < n; ++i) {
                    const double exact = x[i] * scale * weight[i];
                    QVERIFY(within(out[i], exact, 4 * kRoundoff * std::abs(exact), "norm", i)); // scale, two products
                }
                kernels->rmsNorm(x.data(), weight.data(), n, 1e-5f, x.data());
                QVERIFY(sameBits(x.data(), out.data(), n));
                QVERIFY(x.intact() && out.intact() && weight.intact());
            }
    }

    void rmsNormOfZeros_data() { addTableRows(); }
    void rmsNormOfZeros() {
        QFETCH(const KernelTable*, kernels);
        Guarded<float> x(9), weight(9), out(9);
        x.fill(0);
        weight.fill(1);
        kernels->rmsNorm(x.data(), weight.data(), 9, 1e-6f, out.data());
        for (int64_t i = 0; i < 9; ++i) QCOMPARE(out[i], 0.0f);
    }

    void rope_data() { addTableRows(); }
    void rope() {
        QFETCH(const KernelTable*, kernels);
        Random random(2);
        for (const RopeKind kind : {RopeKind::Norm, RopeKind::Neox})
            for (const int64_t n : {2, 4, 8, 14, 16, 32, 36, 64, 80, 128}) {
                Guarded<float> head(n, 4), before(n), table(n, 4);
                fillUnit(before, random);
                std::copy_n(before.data(), n, head.data());
                for (int64_t i = 0; i < n / 2; ++i) {
                    const double angle = 40 * random.unit();
                    table[2 * i] = static_cast<float>(std::cos(angle)),
                              table[2 * i + 1] = static_cast<float>(std::sin(angle));
                }
                kernels->rope(kind, head.data(), n, table.data());
                for (int64_t i = 0; i < n / 2; ++i) {
                    const int64_t first = kind == RopeKind::Norm ? 2 * i : i;
                    const int64_t second = kind == RopeKind::Norm ? 2 * i + 1 : i + n / 2;
                    const double a = before[first], b = before[second];
                    const double c = table[2 * i], s = table[2 * i + 1];
                    const double bound = 2 * kRoundoff * (std::abs(a) + std::abs(b)); // two products, a sum
                    QVERIFY(within(head[first], a * c - b * s, bound, "first", i));
                    QVERIFY(within(head[second], a * s + b * c, bound, "second", i));
                }
                QVERIFY(head.intact() && table.intact());
            }
    }

    void swiGlu_data() { addTableRows(); }
    void swiGlu() {
        QFETCH(const KernelTable*, kernels);
        Random random(3);
        for (const int64_t n : kLengths) {
            Guarded<float> gate(n, 4), up(n, 4), out(n, 4);
            fillUnit(gate, random);
            fillUnit(up, random);
            for (int64_t i = 0; i < n; ++i) gate[i] *= 20;
            kernels->swiGlu(gate.data(), up.data(), n, out.data());
            for (int64_t i = 0; i < n; ++i) {
                const double exact = gate[i] / (1 + std::exp(-static_cast<double>(gate[i]))) * up[i];
                QVERIFY(within(out[i], exact, (kExponentialError + 3 * kRoundoff) * std::abs(exact), "swiGlu", i));
            }
            QVERIFY(out.intact() && gate.intact() && up.intact());
        }
    }

    /// Tests a million gates from -87 to 87: below 0 the result is g e^g, so it shows the exponential's whole error.
    void exponentialKeepsItsPromise_data() { addTableRows(); }
    void exponentialKeepsItsPromise() {
        QFETCH(const KernelTable*, kernels);
        constexpr int64_t n = 1000;
        Guarded<float> gate(n), up(n), out(n);
        up.fill(1);
        for (int64_t run = 0; run < 1000; ++run) {
            for (int64_t i = 0; i < n; ++i)
                gate[i] = static_cast<float>(-87 + 174e-6 * static_cast<double>(run * n + i));
            kernels->swiGlu(gate.data(), up.data(), n, out.data());
            for (int64_t i = 0; i < n; ++i) {
                const double exact = gate[i] / (1 + std::exp(-static_cast<double>(gate[i])));
                QVERIFY(
                    within(out[i], exact, (kExponentialError + 2 * kRoundoff) * std::abs(exact), "silu", run * n + i));
            }
        }
    }

    void swiGluExtremes_data() { addTableRows(); }
    void swiGluExtremes() {
        QFETCH(const KernelTable*, kernels);
        constexpr float infinity = std::numeric_limits<float>::infinity();
        Guarded<float> gate(8), up(8), out(8);
        const float gates[8] = {-1e30f, -200, -100, 0, -0.0f, 100, 1e30f, std::numeric_limits<float>::quiet_NaN()};
        std::copy_n(gates, 8, gate.data());
        up.fill(2);
        kernels->swiGlu(gate.data(), up.data(), 8, out.data());
        for (int64_t i = 0; i < 5; ++i) QVERIFY(within(out[i], 0, 0x1p-120, "far below", i)); // e^89 is infinity
        QCOMPARE(out[5], 200.0f);
        QCOMPARE(out[6], 2e30f);
        QVERIFY(std::isnan(out[7]));
        gate.fill(infinity);
        kernels->swiGlu(gate.data(), up.data(), 8, out.data());
        QCOMPARE(out[0], infinity);
    }

    void reGlu_data() { addTableRows(); }
    void reGlu() {
        QFETCH(const KernelTable*, kernels);
        Random random(4);
        for (const int64_t n : kLengths) {
            Guarded<float> gate(n, 4), up(n, 4), out(n, 4);
            fillUnit(gate, random);
            fillUnit(up, random);
            for (int64_t i = 0; i < n; i += 3) gate[i] = i % 2 ? 0.0f : -0.0f;
            int64_t expected = 0;
            const int64_t active = kernels->reGlu(gate.data(), up.data(), n, out.data());
            for (int64_t i = 0; i < n; ++i) {
                expected += gate[i] > 0;
                QCOMPARE(out[i], gate[i] > 0 ? gate[i] * up[i] : 0.0f);
            }
            QCOMPARE(active, expected);
            QVERIFY(out.intact() && gate.intact() && up.intact());
        }
    }

    void reGluDropsWhatIsOff_data() { addTableRows(); }
    void reGluDropsWhatIsOff() {
        QFETCH(const KernelTable*, kernels);
        Guarded<float> gate(3), up(3), out(3);
        gate[0] = -1, gate[1] = std::numeric_limits<float>::quiet_NaN(), gate[2] = 2;
        up[0] = up[1] = std::numeric_limits<float>::infinity(), up[2] = 3;
        QCOMPARE(kernels->reGlu(gate.data(), up.data(), 3, out.data()), int64_t(1));
        QCOMPARE(out[0], 0.0f);
        QCOMPARE(out[1], 0.0f);
        QCOMPARE(out[2], 6.0f);
    }

    /// Tests every half, every point half way between two, and the floats on either side of both: rounding has no other
    /// corner cases.
    void halves_data() { addTableRows(); }
    void halves() {
        QFETCH(const KernelTable*, kernels);
        std::vector<float> corners;
        for (int half = 0; half < 0x7c00; ++half) {
            const double value = halfValue(static_cast<uint16_t>(half));
            const double next = half == 0x7bff ? 65536 : halfValue(static_cast<uint16_t>(half + 1));
            for (const double corner : {value, (value + next) / 2})
                for (const float sign : {1.0f, -1.0f}) {
                    const float exact = sign * static_cast<float>(corner);
                    for (const float f : {exact, std::nextafter(exact, 0.0f), std::nextafter(exact, sign * 1e30f)})
                        corners.push_back(f);
                }
        }
        for (const float f : {65536.0f, 1e30f, std::numeric_limits<float>::max(), 0x1p-149f, 0x1p-126f})
            corners.push_back(f), corners.push_back(-f);
        std::vector<uint16_t> out(corners.size());
        ::toHalf(*kernels, corners.data(), static_cast<int64_t>(corners.size()), out.data());
        for (size_t i = 0; i < corners.size(); ++i)
            if (out[i] != nearestHalf(corners[i]))
                QFAIL(qPrintable(
                    QStringLiteral("%1 gave %2").arg(static_cast<double>(corners[i]), 0, 'g', 9).arg(out[i], 4, 16)));
    }

    void halvesOfInfinityAndNan_data() { addTableRows(); }
    void halvesOfInfinityAndNan() {
        QFETCH(const KernelTable*, kernels);
        Guarded<float> x(8);
        Guarded<uint16_t> out(8);
        const uint32_t bits[8] = {0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000,
                                  0x7f800001, 0x7fffffff, 0xff802000, 0x7fa00000};
        const uint16_t expected[8] = {0x7c00, 0xfc00, 0x7e00, 0xfe00, 0x7e00, 0x7fff, 0xfe01, 0x7f00};
        std::memcpy(x.data(), bits, sizeof bits);
        ::toHalf(*kernels, x.data(), 8, out.data());
        for (int64_t i = 0; i < 8; ++i) QCOMPARE(out[i], expected[i]);
    }

    void halvesLengths_data() { addTableRows(); }
    void halvesLengths() {
        QFETCH(const KernelTable*, kernels);
        Random random(5);
        for (int64_t n = 0; n <= 33; ++n) {
            Guarded<float> x(n, 4);
            Guarded<uint16_t> out(n, 2);
            fillUnit(x, random);
            ::toHalf(*kernels, x.data(), n, out.data());
            for (int64_t i = 0; i < n; ++i) QCOMPARE(out[i], nearestHalf(x[i]));
            QVERIFY(x.intact() && out.intact());
        }
    }

    void partialSoftmax_data() { addTableRows(); }
    void partialSoftmax() {
        QFETCH(const KernelTable*, kernels);
        Random random(6);
        for (const int64_t n : kLengths)
            for (const float spread : {1.0f, 30.0f, 1e4f}) {
                Guarded<float> x(n, 4), before(n);
                fillUnit(before, random);
                for (int64_t i = 0; i < n; ++i) before[i] *= spread;
                if (n > 2) before[n / 2] = -std::numeric_limits<float>::infinity();
                std::copy_n(before.data(), n, x.data());
                const PartialSoftmax partial = kernels->partialSoftmax(x.data(), n);
                QCOMPARE(partial.largest, *std::max_element(before.data(), before.data() + n));
                double sum = 0, sumBound = 0;
                for (int64_t i = 0; i < n; ++i) {
                    const double below = static_cast<double>(partial.largest) - before[i];
                    const double exact = std::exp(-below);
                    // x - largest is rounded before e^x. The last term covers underflow.
                    const double steps = exact > 0 ? below : 0;
                    const double bound = (2 * kExponentialError + steps * kRoundoff) * exact + 0x1p-125;
                    QVERIFY(within(x[i], exact, bound, "softmax", i));
                    sum += exact;
                    sumBound += bound;
                }
                // Eight lanes add.
                sumBound += (static_cast<double>(n) / 8 + 8) * kRoundoff * sum;
                QVERIFY(within(partial.sum, sum, sumBound, "sum", n));
                QVERIFY(x.intact());
            }
        const PartialSoftmax none = kernels->partialSoftmax(nullptr, 0);
        QCOMPARE(none.largest, -std::numeric_limits<float>::infinity());
        QCOMPARE(none.sum, 0.0f);
    }

    /// A NaN among the terms shows at any place.
    void partialSoftmaxOfNan_data() { addTableRows(); }
    void partialSoftmaxOfNan() {
        QFETCH(const KernelTable*, kernels);
        for (const int64_t n : {1, 5, 16, 37})
            for (int64_t i = 0; i < n; ++i) {
                Guarded<float> x(n, 4);
                x.fill(0.5f);
                x[i] = std::numeric_limits<float>::quiet_NaN();
                QVERIFY(std::isnan(kernels->partialSoftmax(x.data(), n).sum));
            }
    }
};

QTEST_APPLESS_MAIN(KernelVectorsTest)
#include "tst_kernel_vectors.moc"
