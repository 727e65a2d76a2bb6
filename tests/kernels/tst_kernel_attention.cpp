// SPDX-License-Identifier: Apache-2.0
// Attention over the KV cache's rows, in each format that they may have: each table against a plain computation in
// double. The rounding of F16 is tested in tst_kernel_vectors.cpp.
#include "kernel_test.h"

#include <algorithm>

using namespace coterie::engine;
using namespace coterie::test;

namespace {

constexpr TensorType kCacheTypes[] = {TensorType::F16, TensorType::Q8_0};
constexpr int64_t kLengths[] = {1, 7, 8, 20, 32, 64, 80, 96, 128, 136, 160};
constexpr int64_t kRowCounts[] = {0,  1,  2,  3,  4,  5,  7,  8, 9,
                                  15, 16, 17, 18, 31, 32, 33, 67}; ///< the last is more than two runs of rows
constexpr int64_t kMostQueries = 17; ///< every smaller number occurs for some shapes: tiles of 8, 4, 3, 2 and 1

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
        for (const TensorType type : kCacheTypes)
            if (table->runsHere()) QTest::addRow("%s %s", table->name, traits(type).name) << table << type;
}

/// Inputs of a test: `queries` queries of n values and `count` rows, which lie in rows of `wide` values. Rows of floats
/// are `apart` longer than their values; guards begin right behind the last row.
struct Shape {
    int64_t n, count, wide, queries, apart;
};

template <typename Function>
void forEachShape(TensorType type, Function f) {
    const int64_t block = traits(type).blockElements;
    int64_t queries = 0;
    for (const int64_t n : kLengths)
        for (const int64_t count : kRowCounts)
            for (const int64_t more : {int64_t{0}, block == 1 ? 5 : block}) {
                if (n % block != 0) continue;
                queries = queries % kMostQueries + 1;
                f({n, count, n + more, queries, queries % 3});
            }
}

/// [rows, stride] floats, which end with the last row's own values.
int64_t floatsOf(int64_t rows, int64_t width, int64_t stride) { return (rows - 1) * stride + width; }

struct Rows {
    Rows(TensorType type, int64_t count, int64_t wide, Random& random) : weights(type, count, wide, random, 2) {}
    /// The first n values of rows [begin, begin + count).
    CacheRows some(int64_t begin, int64_t count, int64_t n) const {
        const Matrix& m = weights.matrix();
        return {m.type, m.row(begin), static_cast<int64_t>(rowBytes(m.type, static_cast<uint64_t>(m.columns))), count,
                n};
    }
    Weights weights;
};

} // namespace

class KernelAttentionTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
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

/// Compares with the plain sum, and with the bits for each query and row alone. The space between the rows of `scores`
/// must stay.
void KernelAttentionTest::scores() {
    QFETCH(const KernelTable*, kernels);
    QFETCH(TensorType, type);
    Random random(7);
    forEachShape(type, [&, kernels = kernels, type = type](const Shape& s) {
        const int64_t queryStride = s.n + s.apart, stride = s.count + s.apart;
        Guarded<float> q(floatsOf(s.queries, s.n, queryStride), 4), scores(floatsOf(s.queries, s.count, stride), 4);
        Rows keys(type, s.count, s.wide, random);
        fillUnit(q, random);
        scores.fill(-77);
        kernels->attentionScores(keys.some(0, s.count, s.n), q.data(), queryStride, s.queries, 0.125f, scores.data(),
                                 stride);
        // At least four lanes add terms. Then come the sum of lanes, in Q8_0 the block's scale, and the result's.
        const double steps = static_cast<double>(s.n) / 4 + static_cast<double>(s.n) / 32 + 8;
        for (int64_t t = 0; t < s.queries; ++t) {
            const float* query = q.data() + t * queryStride;
            for (int64_t p = 0; p < s.count; ++p) {
                double exact = 0, magnitude = 0;
                for (int64_t i = 0; i < s.n; ++i) {
                    const double term = 0.125 * query[i] * keys.weights.value(p, i);
                    exact += term;
                    magnitude += std::abs(term);
                }
                const float score = scores[t * stride + p];
                QVERIFY(within(score, exact, steps * kRoundoff * magnitude, "score", p));
                Guarded<float> alone(1, 4);
                kernels->attentionScores(keys.some(p, 1, s.n), query, 0, 1, 0.125f, alone.data(), 0);
                QVERIFY(sameBits(alone.data(), &score, 1));
                QVERIFY(alone.intact());
            }
            for (int64_t p = s.count; p < stride && t + 1 < s.queries; ++p) QCOMPARE(scores[t * stride + p], -77.0f);
        }
        QVERIFY(q.intact() && keys.weights.intact() && scores.intact());
    });
}

/// Compares with the plain sum, and with the bits for each query alone with its rows one by one. The space between the
/// rows of `out` must stay.
void KernelAttentionTest::values() {
    QFETCH(const KernelTable*, kernels);
    QFETCH(TensorType, type);
    Random random(8);
    forEachShape(type, [&, kernels = kernels, type = type](const Shape& s) {
        const int64_t weightStride = s.count + s.apart, stride = s.n + s.apart;
        Guarded<float> weights(floatsOf(s.queries, s.count, weightStride), 4);
        Guarded<float> out(floatsOf(s.queries, s.n, stride), 4), before(out.size());
        Rows values(type, s.count, s.wide, random);
        fillUnit(weights, random);
        fillUnit(before, random);
        std::copy_n(before.data(), out.size(), out.data());
        kernels->attentionValues(values.some(0, s.count, s.n), weights.data(), weightStride, s.queries, out.data(),
                                 stride);
        for (int64_t t = 0; t < s.queries; ++t) {
            const float* weight = weights.data() + t * weightStride;
            Guarded<float> alone(s.n);
            std::copy_n(before.data() + t * stride, s.n, alone.data());
            for (int64_t p = 0; p < s.count; ++p)
                kernels->attentionValues(values.some(p, 1, s.n), weight + p, 0, 1, alone.data(), 0);
            QVERIFY(sameBits(out.data() + t * stride, alone.data(), s.n));
            for (int64_t i = 0; i < s.n; ++i) {
                double exact = before[t * stride + i], magnitude = std::abs(exact);
                for (int64_t p = 0; p < s.count; ++p) {
                    const double term = weight[p] * values.weights.value(p, i);
                    exact += term;
                    magnitude += std::abs(term);
                }
                const double bound = static_cast<double>(s.count + 1) * kRoundoff * magnitude;
                QVERIFY(within(out[t * stride + i], exact, bound, "value", i));
            }
            for (int64_t i = t * stride + s.n; i < out.size() && i < (t + 1) * stride; ++i) QCOMPARE(out[i], before[i]);
        }
        QVERIFY(weights.intact() && values.weights.intact() && out.intact());
    });
}

/// The error is at most half a step of the block's scale plus the scale's own rounding to half precision. All tables
/// write the same bytes.
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

/// A block that cannot be stored makes every product with it NaN, or infinite if its scale is too large for a half.
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
        const CacheRows rows{TensorType::Q8_0, row.data(), 68, 1, 64};
        kernels->attentionScores(rows, q.data(), 0, 1, 1.0f, scores.data(), 0);
        QVERIFY(!std::isfinite(scores[0]));
        const float weight = 1;
        kernels->attentionValues(rows, &weight, 0, 1, out.data(), 0);
        for (int64_t i = 0; i < 64; ++i) QCOMPARE(std::isfinite(out[i]), i < 32);
    }
}

QTEST_APPLESS_MAIN(KernelAttentionTest)
#include "tst_kernel_attention.moc"
