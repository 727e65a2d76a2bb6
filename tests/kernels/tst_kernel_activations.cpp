// SPDX-License-Identifier: Apache-2.0
// GELU, SiLU, sigmoid gates, softplus, soft caps, L2 norms and norms of groups: each table against the formulas in
// double. swiGlu, reGlu and rmsNorm are in tst_kernel_vectors.cpp.
#include "kernel_test.h"

using namespace coterie::engine;
using namespace coterie::test;

namespace {

constexpr int64_t kLengths[] = {1, 2, 7, 8, 9, 16, 31, 64, 65, 100, 1536};
constexpr double kExponentialError = 0x1p-23; ///< relative error that the vectorised e^x keeps
constexpr double kSmallest = 0x1p-120; ///< errors below this come from numbers that floats hold with fewer digits
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

void fillUnit(Guarded<float>& x, Random& random, float size = 1) {
    for (int64_t i = 0; i < x.size(); ++i) x[i] = size * random.unit();
}

bool sameBits(const Guarded<float>& a, const Guarded<float>& b) {
    return std::memcmp(a.data(), b.data(), static_cast<size_t>(a.size()) * sizeof(float)) == 0;
}

/// Values from -range to range, evenly, in a buffer of a thousand: fill(run) for run in [0, kRuns).
struct Sweep {
    static constexpr int64_t kRuns = 200, kLength = 1000;
    explicit Sweep(double reach) : range(reach) {}
    void fill(Guarded<float>& x, int64_t run) const {
        for (int64_t i = 0; i < kLength; ++i)
            x[i] = static_cast<float>(range * (2.0 * static_cast<double>(run * kLength + i) / (kRuns * kLength) - 1));
    }
    double range;
};

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

/// The tanh form, written so that 1 + tanh(a) keeps its digits: it is e^a / cosh(a).
double gelu(double x) {
    const double a = std::sqrt(2 / std::acos(-1.0)) * (x + 0.044715 * x * x * x);
    return a < -300 ? 0 : a > 300 ? x : x / 2 * std::exp(a) / std::cosh(a);
}

/// u = 2a has seven roundings and constants that are rounded; the error of u counts as far as e^-u is a part of
/// 1 + e^-u. Then come the exponential, a sum, a quotient and a product.
double geluBound(double x) {
    const double u = 2 * std::sqrt(2 / std::acos(-1.0)) * (x + 0.044715 * x * x * x);
    return (kExponentialError + 3 * kRoundoff + 9 * kRoundoff * std::abs(u) * sigmoid(-u)) * std::abs(gelu(x)) +
           kSmallest * std::abs(x);
}

} // namespace

class KernelActivationsTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void geGlu_data() { addTableRows(); }
    void geGlu() {
        QFETCH(const KernelTable*, kernels);
        Random random(1);
        for (const int64_t n : kLengths) {
            Guarded<float> gate(n, 4), up(n, 4), out(n, 4);
            fillUnit(gate, random, 6);
            fillUnit(up, random);
            kernels->geGlu(gate.data(), up.data(), n, out.data());
            for (int64_t i = 0; i < n; ++i)
                QVERIFY(within(out[i], gelu(gate[i]) * up[i], geluBound(gate[i]) * std::abs(up[i]) + kSmallest, "geGlu",
                               i));
            QVERIFY(gate.intact() && up.intact() && out.intact());
            kernels->geGlu(gate.data(), up.data(), n, up.data());
            QVERIFY(sameBits(up, out));
        }
    }

    void geluEverywhere_data() { addTableRows(); }
    void geluEverywhere() {
        QFETCH(const KernelTable*, kernels);
        Guarded<float> gate(Sweep::kLength), up(Sweep::kLength), out(Sweep::kLength);
        up.fill(1);
        for (const double range : {1e-3, 1.0, 12.0, 1e4})
            for (int64_t run = 0; run < Sweep::kRuns; ++run) {
                Sweep(range).fill(gate, run);
                kernels->geGlu(gate.data(), up.data(), gate.size(), out.data());
                for (int64_t i = 0; i < gate.size(); ++i)
                    QVERIFY(within(out[i], gelu(gate[i]), geluBound(gate[i]), "gelu", run * Sweep::kLength + i));
            }
    }

    void geGluExtremes_data() { addTableRows(); }
    void geGluExtremes() {
        QFETCH(const KernelTable*, kernels);
        Guarded<float> gate(8), up(8), out(8);
        const float gates[8] = {-1e30f, -1e13f, -100, 0, -0.0f, 100, 1e30f, kNan};
        std::copy_n(gates, 8, gate.data());
        up.fill(2);
        kernels->geGlu(gate.data(), up.data(), 8, out.data());
        for (int64_t i = 0; i < 5; ++i) QCOMPARE(out[i], 0.0f);
        QCOMPARE(out[5], 200.0f);
        QCOMPARE(out[6], 2e30f);
        QVERIFY(std::isnan(out[7]));
        gate.fill(kInfinity);
        kernels->geGlu(gate.data(), up.data(), 8, out.data());
        QCOMPARE(out[0], kInfinity);
    }

    void silu_data() { addTableRows(); }
    void silu() {
        QFETCH(const KernelTable*, kernels);
        Random random(2);
        for (const int64_t n : kLengths) {
            Guarded<float> x(n, 4), out(n, 4);
            fillUnit(x, random, 30);
            kernels->silu(x.data(), n, out.data());
            for (int64_t i = 0; i < n; ++i) {
                const double exact = x[i] * sigmoid(x[i]);
                QVERIFY(within(out[i], exact, (kExponentialError + 2 * kRoundoff) * std::abs(exact), "silu", i));
            }
            QVERIFY(x.intact() && out.intact());
            kernels->silu(x.data(), n, x.data());
            QVERIFY(sameBits(x, out));
        }
        Guarded<float> x(5);
        const float extremes[5] = {-1e30f, -0.0f, 1e30f, kInfinity, kNan};
        std::copy_n(extremes, 5, x.data());
        kernels->silu(x.data(), 5, x.data());
        QVERIFY(within(x[0], 0, kSmallest, "far below", 0)); // e^89 is infinity
        QVERIFY(x[1] == 0 && x[2] == 1e30f && x[3] == kInfinity && std::isnan(x[4]));
    }

    /// A norm's output times SiLU of a gate is swiGlu() in place.
    void swiGluInPlace_data() { addTableRows(); }
    void swiGluInPlace() {
        QFETCH(const KernelTable*, kernels);
        Random random(3);
        for (const int64_t n : kLengths) {
            Guarded<float> gate(n, 4), up(n, 4), out(n, 4);
            fillUnit(gate, random, 20);
            fillUnit(up, random);
            kernels->swiGlu(gate.data(), up.data(), n, out.data());
            kernels->swiGlu(gate.data(), up.data(), n, up.data());
            QVERIFY(sameBits(up, out));
        }
    }

    void sigmoidGate_data() { addTableRows(); }
    void sigmoidGate() {
        QFETCH(const KernelTable*, kernels);
        Random random(4);
        for (const int64_t n : kLengths) {
            Guarded<float> gate(n, 4), before(n), out(n, 4);
            fillUnit(gate, random, 40);
            fillUnit(before, random);
            std::copy_n(before.data(), n, out.data());
            kernels->sigmoidGate(gate.data(), n, out.data());
            for (int64_t i = 0; i < n; ++i) {
                const double exact = before[i] * sigmoid(gate[i]);
                QVERIFY(within(out[i], exact, (kExponentialError + 2 * kRoundoff) * std::abs(exact), "gated", i));
            }
            QVERIFY(gate.intact() && out.intact());
        }
        Guarded<float> gate(5), out(5);
        const float extremes[5] = {-kInfinity, -1e30f, 0, kInfinity, kNan};
        std::copy_n(extremes, 5, gate.data());
        out.fill(3);
        kernels->sigmoidGate(gate.data(), 5, out.data());
        QVERIFY(within(out[0], 0, kSmallest, "far below", 0) && within(out[1], 0, kSmallest, "far below", 1));
        QVERIFY(out[2] == 1.5f && out[3] == 3 && std::isnan(out[4]));
    }

    void softplus_data() { addTableRows(); }
    void softplus() {
        QFETCH(const KernelTable*, kernels);
        Guarded<float> x(Sweep::kLength, 4), out(Sweep::kLength, 4);
        for (const double range : {1e-3, 30.0, 80.0})
            for (int64_t run = 0; run < Sweep::kRuns; ++run) {
                Sweep(range).fill(x, run);
                kernels->softplus(x.data(), x.size(), out.data());
                for (int64_t i = 0; i < x.size(); ++i) {
                    const double exact = std::log1p(std::exp(static_cast<double>(x[i])));
                    QVERIFY(within(out[i], exact, 6 * kRoundoff * exact, "softplus", i)); // e^x, the logarithm, a sum
                }
            }
        QVERIFY(x.intact() && out.intact());
        const float extremes[6] = {-1e30f, -kInfinity, 200, 1e30f, kInfinity, kNan};
        std::copy_n(extremes, 6, x.data());
        kernels->softplus(x.data(), 6, x.data());
        QVERIFY(x[0] == 0 && x[1] == 0 && x[2] == 200 && x[3] == 1e30f && x[4] == kInfinity && std::isnan(x[5]));
    }

    /// The relative precision holds near 0 too, where 1 - 2 / (e^2x + 1) would lose it.
    void softCap_data() { addTableRows(); }
    void softCap() {
        QFETCH(const KernelTable*, kernels);
        Guarded<float> before(Sweep::kLength), x(Sweep::kLength, 4);
        for (const float cap : {50.0f, 30.0f, 1.0f, 1e-3f})
            for (const double range : {1e-6, 0.4, 3.0, 1e3})
                for (int64_t run = 0; run < Sweep::kRuns; run += 5) {
                    Sweep(range * static_cast<double>(cap)).fill(before, run);
                    std::copy_n(before.data(), before.size(), x.data());
                    kernels->softCap(x.data(), x.size(), cap);
                    for (int64_t i = 0; i < x.size(); ++i) {
                        const double exact = cap * std::tanh(static_cast<double>(before[i]) / cap);
                        // A quotient, e^2x - 1 to 6 roundings, a sum, a quotient, a product.
                        QVERIFY(within(x[i], exact, 10 * kRoundoff * std::abs(exact), "capped", i));
                        QVERIFY(std::abs(x[i]) <= cap);
                    }
                }
        QVERIFY(x.intact());
    }

    void softCapExtremes_data() { addTableRows(); }
    void softCapExtremes() {
        QFETCH(const KernelTable*, kernels);
        for (const int64_t n : kLengths) {
            Guarded<float> x(n, 4);
            x.fill(-1e30f);
            kernels->softCap(x.data(), n, 30);
            for (int64_t i = 0; i < n; ++i) QCOMPARE(x[i], -30.0f);
            QVERIFY(x.intact());
        }
        Guarded<float> x(6);
        const float extremes[6] = {-kInfinity, 0, -0.0f, 1e-44f, kInfinity, kNan};
        std::copy_n(extremes, 6, x.data());
        kernels->softCap(x.data(), 6, 30);
        QVERIFY(x[0] == -30 && x[1] == 0 && std::signbit(x[2]) && x[4] == 30 && std::isnan(x[5]));
        QVERIFY(within(x[3], 1e-44, 0x1p-140, "tiny", 3));
    }

    void l2Norm_data() { addTableRows(); }
    void l2Norm() {
        QFETCH(const KernelTable*, kernels);
        Random random(5);
        const float epsilon = 1e-6f, scale = 0.0883883476f; // 1 / sqrt(128)
        for (const int64_t n : kLengths)
            for (const float size : {1.0f, 1e-5f, 1e-8f, 1e-30f, 1e25f, 0.0f}) {
                Guarded<float> x(n, 4), out(n, 4);
                fillUnit(x, random, size);
                double squares = 0;
                for (int64_t i = 0; i < n; ++i) squares += static_cast<double>(x[i]) * x[i];
                const double length = std::max(std::sqrt(squares), static_cast<double>(epsilon));
                kernels->l2Norm(x.data(), n, epsilon, scale, out.data());
                for (int64_t i = 0; i < n; ++i) {
                    const double exact = x[i] / length * scale; // the factor and the product are rounded
                    QVERIFY(within(out[i], exact, 3 * kRoundoff * std::abs(exact) + kSmallest, "l2Norm", i));
                }
                kernels->l2Norm(x.data(), n, epsilon, scale, x.data());
                QVERIFY(sameBits(x, out));
                QVERIFY(x.intact() && out.intact());
            }
    }

    void groupedRmsNorm_data() { addTableRows(); }
    void groupedRmsNorm() {
        QFETCH(const KernelTable*, kernels);
        Random random(6);
        for (const int64_t n : {1, 7, 16, 100, 128})
            for (const int64_t groups : {1, 3, 32})
                for (const int64_t weightStride : {int64_t{0}, n}) {
                    Guarded<float> x(groups * n, 4), weight(weightStride == 0 ? n : groups * n, 4), out(groups * n, 4);
                    fillUnit(x, random);
                    fillUnit(weight, random);
                    const float epsilon = 1e-2f; // large, so that its place shows
                    kernels->groupedRmsNorm(x.data(), weight.data(), weightStride, groups, n, epsilon, out.data());
                    for (int64_t g = 0; g < groups; ++g) {
                        double squares = 0;
                        for (int64_t i = g * n; i < (g + 1) * n; ++i) squares += static_cast<double>(x[i]) * x[i];
                        const double root = std::sqrt(squares / static_cast<double>(n) + static_cast<double>(epsilon));
                        for (int64_t i = 0; i < n; ++i) {
                            const double exact = x[g * n + i] / root * weight[g * weightStride + i];
                            const double bound = 4 * kRoundoff * std::abs(exact); // scale, two products
                            QVERIFY(within(out[g * n + i], exact, bound, "groups", g * n + i));
                        }
                    }
                    kernels->groupedRmsNorm(x.data(), weight.data(), weightStride, groups, n, epsilon, x.data());
                    QVERIFY(sameBits(x, out));
                    QVERIFY(x.intact() && weight.intact() && out.intact());
                }
    }

    /// Without weights a norm has the bits that weights of 1 give; and one group has the bits of rmsNorm().
    void normsWithoutWeights_data() { addTableRows(); }
    void normsWithoutWeights() {
        QFETCH(const KernelTable*, kernels);
        Random random(7);
        for (const int64_t n : kLengths) {
            Guarded<float> x(3 * n, 4), ones(n, 4), plain(3 * n, 4), weighted(3 * n, 4);
            fillUnit(x, random);
            ones.fill(1);
            kernels->groupedRmsNorm(x.data(), nullptr, 0, 3, n, 1e-6f, plain.data());
            for (int64_t g = 0; g < 3; ++g)
                kernels->rmsNorm(x.data() + g * n, ones.data(), n, 1e-6f, weighted.data() + g * n);
            QVERIFY(sameBits(plain, weighted));
            kernels->groupedRmsNorm(x.data(), ones.data(), 0, 3, n, 1e-6f, weighted.data());
            QVERIFY(sameBits(plain, weighted));
            kernels->rmsNorm(x.data(), nullptr, n, 1e-6f, weighted.data());
            QVERIFY(std::memcmp(weighted.data(), plain.data(), static_cast<size_t>(n) * sizeof(float)) == 0);
            QVERIFY(x.intact() && plain.intact());
        }
    }
};

QTEST_APPLESS_MAIN(KernelActivationsTest)
#include "tst_kernel_activations.moc"
