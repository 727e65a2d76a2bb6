// SPDX-License-Identifier: Apache-2.0
// What attention does with the KV cache's rows, in each format that they may have: each table against a plain
// computation in double. F16's rounding is tested with the other vectors.
#include "kernel_test.h"

#include <algorithm>

using namespace coterie::engine;
using namespace coterie::test;

namespace {

constexpr TensorType cacheTypes[] = {TensorType::F16, TensorType::Q8_0};
constexpr int64_t lengths[] = {1, 7, 8, 20, 32, 64, 80, 96, 128, 136, 160};
constexpr int64_t mostRows = 18; ///< past the largest group of rows that a table takes at once

void fillUnit(Guarded<float>& x, Random& random) {
    for (int64_t i = 0; i < x.size(); ++i) x[i] = random.unit();
}

bool sameBits(const float* a, const float* b, int64_t n) {
    return std::memcmp(a, b, static_cast<size_t>(n) * sizeof(float)) == 0;
}

/// One test row for each table and each format of the cache.
void addCacheRows() {
    QTest::addColumn<const KernelTable*>("kernels");
    QTest::addColumn<TensorType>("type");
    for (const KernelTable* table : kernelTables())
        for (const TensorType type : cacheTypes)
            if (table->runsHere()) QTest::addRow("%s %s", table->name, traits(type).name) << table << type;
}

/// f(n, count, wide): heads of n values, count rows of them, lying in rows of `wide` values; guards begin right behind
/// where wide is n.
template <typename Function>
void forEachShape(TensorType type, Function f) {
    const int64_t block = traits(type).blockElements;
    for (const int64_t n : lengths)
        for (int64_t count = 0; count <= mostRows && n % block == 0; ++count)
            for (const int64_t more : {int64_t{0}, block == 1 ? 5 : block}) f(n, count, n + more);
}

struct Rows {
    Rows(TensorType type, int64_t count, int64_t wide, Random& random) : weights(type, count, wide, random, 2) {}
    const std::byte* at(int64_t p) const { return weights.matrix().row(p); }
    int64_t stride() const {
        const Matrix& m = weights.matrix();
        return static_cast<int64_t>(rowBytes(m.type, static_cast<uint64_t>(m.columns)));
    }
    Weights weights;
};

} // namespace

class KernelAttentionTest : public QObject {
    Q_OBJECT
  private slots:
    void scores_data() { addCacheRows(); }
    void scores();
    void values_data() { addCacheRows(); }
    void values();
    void eightBits_data() { addTableRows(); }
    void eightBits();
    void eightBitsOfZeros_data() { addTableRows(); }
    void eightBitsOfZeros();
    void eightBitsOfInfinityAndNan_data() { addTableRows(); }
    void eightBitsOfInfinityAndNan();
};

void KernelAttentionTest::scores() {
    QFETCH(const KernelTable*, kernels);
    QFETCH(TensorType, type);
    Random random(7);
    forEachShape(type, [&, kernels = kernels, type = type](int64_t n, int64_t count, int64_t wide) {
        Guarded<float> q(n, 4), scores(count, 4), singles(count);
        Rows keys(type, count, wide, random);
        fillUnit(q, random);
        kernels->attentionScores(type, q.data(), keys.at(0), keys.stride(), count, n, 0.125f, scores.data());
        // Eight lanes add, in Q8_0 once more for each block; then the lanes' sum, the block's scale, the result's.
        const double steps = static_cast<double>(n) / 8 + static_cast<double>(n) / 32 + 8;
        for (int64_t p = 0; p < count; ++p) {
            double exact = 0, magnitude = 0;
            for (int64_t i = 0; i < n; ++i) {
                const double term = 0.125 * q[i] * keys.weights.value(p, i);
                exact += term;
                magnitude += std::abs(term);
            }
            QVERIFY(within(scores[p], exact, steps * roundoff * magnitude, "score", p));
            kernels->attentionScores(type, q.data(), keys.at(p), keys.stride(), 1, n, 0.125f, singles.data() + p);
        }
        QVERIFY(sameBits(scores.data(), singles.data(), count));
        QVERIFY(q.intact() && keys.weights.intact() && scores.intact());
    });
}

void KernelAttentionTest::values() {
    QFETCH(const KernelTable*, kernels);
    QFETCH(TensorType, type);
    Random random(8);
    forEachShape(type, [&, kernels = kernels, type = type](int64_t n, int64_t count, int64_t wide) {
        Guarded<float> weights(count, 4), out(n, 4), before(n), singles(n);
        Rows values(type, count, wide, random);
        fillUnit(weights, random);
        fillUnit(before, random);
        std::copy_n(before.data(), n, out.data());
        std::copy_n(before.data(), n, singles.data());
        kernels->attentionValues(type, weights.data(), values.at(0), values.stride(), count, n, out.data());
        for (int64_t i = 0; i < n; ++i) {
            double exact = before[i], magnitude = std::abs(exact);
            for (int64_t p = 0; p < count; ++p) {
                const double term = weights[p] * values.weights.value(p, i);
                exact += term;
                magnitude += std::abs(term);
            }
            QVERIFY(within(out[i], exact, static_cast<double>(count + 1) * roundoff * magnitude, "value", i));
        }
        for (int64_t p = 0; p < count; ++p)
            kernels->attentionValues(type, weights.data() + p, values.at(p), values.stride(), 1, n, singles.data());
        QVERIFY(sameBits(out.data(), singles.data(), n));
        QVERIFY(weights.intact() && values.weights.intact() && out.intact());
    });
}

/// Half a step of the block's own scale, and what the scale itself loses in half precision; the same bytes everywhere.
void KernelAttentionTest::eightBits() {
    QFETCH(const KernelTable*, kernels);
    Random random(9);
    for (int64_t n = 0; n <= 160; n += 32)
        for (const float size : {1.0f, 3e-4f, 1e6f}) {
            const int64_t bytes = static_cast<int64_t>(rowBytes(TensorType::Q8_0, static_cast<uint64_t>(n)));
            Guarded<float> x(n, 4);
            Guarded<std::byte> out(bytes, 2), plain(bytes, 1);
            fillUnit(x, random);
            for (int64_t i = 0; i < n; ++i) x[i] *= size;
            kernels->compressRow(TensorType::Q8_0, x.data(), n, out.data());
            kernelTables().back()->compressRow(TensorType::Q8_0, x.data(), n, plain.data());
            QCOMPARE(std::memcmp(out.data(), plain.data(), static_cast<size_t>(bytes)), 0);
            for (int64_t i = 0; i < n; ++i) {
                const float* block = x.data() + i / 32 * 32;
                double largest = 0;
                for (int j = 0; j < 32; ++j) largest = std::max(largest, std::abs(static_cast<double>(block[j])));
                const auto* stored = reinterpret_cast<const uint8_t*>(out.data()) + i / 32 * 34;
                const double value = BlockOracle(TensorType::Q8_0, stored).at(static_cast<int>(i % 32)).value();
                const double step = largest / 127, subnormal = 0x1p-25 * 127; // half a last place of the scale
                QVERIFY(within(value, x[i], step * (0.5 + 1e-4) + std::abs(x[i]) * 0x1p-11 + subnormal, "value", i));
                QVERIFY(std::abs(static_cast<int>(static_cast<int8_t>(stored[2 + i % 32]))) <= 127);
            }
            QVERIFY(x.intact() && out.intact());
        }
}

void KernelAttentionTest::eightBitsOfZeros() {
    QFETCH(const KernelTable*, kernels);
    Guarded<float> x(64);
    Guarded<std::byte> out(68);
    x.fill(0);
    x[40] = 0x1p-120f; // far below the smallest scale
    kernels->compressRow(TensorType::Q8_0, x.data(), 64, out.data());
    for (int64_t i = 0; i < 68; ++i) QCOMPARE(out[i], std::byte{0});
}

/// A block that can't be kept makes every product with it NaN, or infinite where a scale is too large for a half.
void KernelAttentionTest::eightBitsOfInfinityAndNan() {
    QFETCH(const KernelTable*, kernels);
    for (const float bad :
         {std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::quiet_NaN(), 1e30f, -1e30f}) {
        Guarded<float> x(64), q(64), scores(1), out(64);
        Guarded<std::byte> row(68);
        x.fill(1);
        q.fill(1);
        out.fill(0);
        x[35] = bad;
        kernels->compressRow(TensorType::Q8_0, x.data(), 64, row.data());
        kernels->attentionScores(TensorType::Q8_0, q.data(), row.data(), 68, 1, 64, 1.0f, scores.data());
        QVERIFY(!std::isfinite(scores[0]));
        const float weight = 1;
        kernels->attentionValues(TensorType::Q8_0, &weight, row.data(), 68, 1, 64, out.data());
        for (int64_t i = 0; i < 64; ++i) QCOMPARE(std::isfinite(out[i]), i < 32);
    }
}

QTEST_APPLESS_MAIN(KernelAttentionTest)
#include "tst_kernel_attention.moc"
