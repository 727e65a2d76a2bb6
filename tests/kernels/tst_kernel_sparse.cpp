// SPDX-License-Identifier: Apache-2.0
// Regrouped matrices: regrouping and restoring them, and each table's products against plain sums in double.
#include "kernel_test.h"
#include "kernels/regroup.h"

using namespace coterie::engine;
using namespace coterie::test;

namespace {

constexpr int64_t kShapes[][2] = {{128, 32}, {128, 96}, {512, 64}, {640, 160}, {1536, 128}}; // rows, columns

/// A matrix of random blocks, and the same matrix regrouped between guards.
struct MadeMatrix {
    MadeMatrix(TensorType type, int64_t rows, int64_t columns, Random& random)
        : weights(type, rows, columns, random), bytes(rows * bytesOfRow(type, columns)),
          scratch(kSliceRows * bytesOfRow(type, columns)) {
        regroup(type, rows, columns, weights.matrix().data, bytes.data(), scratch.data());
        matrix = {type, rows, columns, bytes.data()};
    }
    static int64_t bytesOfRow(TensorType type, int64_t columns) {
        return static_cast<int64_t>(rowBytes(type, static_cast<uint64_t>(columns)));
    }
    bool intact() { return weights.intact() && bytes.intact() && scratch.intact(); }

    Weights weights;
    Guarded<std::byte> bytes, scratch;
    Matrix matrix;
};

/// About one value in three differs from 0; every fifth block is all 0.
void fillSparsely(Guarded<float>& x, Random& random) {
    for (int64_t c = 0; c < x.size(); ++c) x[c] = c / 32 % 5 == 3 || random.below(3) != 0 ? 0 : random.unit();
}

void addTypes() {
    QTest::addColumn<TensorType>("type");
    QTest::newRow("Q4_0") << TensorType::Q4_0;
    QTest::newRow("Q8_0") << TensorType::Q8_0;
}

void addTablesAndTypes() {
    QTest::addColumn<const KernelTable*>("kernels");
    QTest::addColumn<TensorType>("type");
    for (const KernelTable* table : kernelTables()) {
        if (!table->runsHere()) continue;
        QTest::addRow("%s Q4_0", table->name) << table << TensorType::Q4_0;
        QTest::addRow("%s Q8_0", table->name) << table << TensorType::Q8_0;
    }
}

} // namespace

class KernelSparseTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void onlyWholeChunksAreRegrouped() {
        QVERIFY(canRegroup(TensorType::Q4_0, 128, 32) && canRegroup(TensorType::Q8_0, 1536, 768));
        QVERIFY(!canRegroup(TensorType::Q4_0, 64, 32) && !canRegroup(TensorType::Q4_0, 129, 32));
        QVERIFY(!canRegroup(TensorType::F16, 128, 32) && !canRegroup(TensorType::Q4_K, 128, 256));
    }

    void rowsComeBack_data() { addTypes(); }
    void rowsComeBack() {
        QFETCH(TensorType, type);
        Random random(1);
        for (const auto& [rows, columns] : kShapes) {
            MadeMatrix made(type, rows, columns, random);
            const int64_t bytes = kBandRows * MadeMatrix::bytesOfRow(type, columns);
            Guarded<std::byte> band(bytes);
            for (int64_t row = 0; row < rows; row += kBandRows) {
                restoreBand(made.matrix, row, band.data());
                QVERIFY(std::memcmp(band.data(), made.weights.matrix().row(row), static_cast<size_t>(bytes)) == 0);
                QVERIFY(band.intact());
            }
            QVERIFY(std::memcmp(made.bytes.data(), made.weights.matrix().data, static_cast<size_t>(bytes)) != 0);
            QVERIFY(made.intact());
        }
    }

    /// Regroups in place, and to a place somewhat before the file's bytes; two slices.
    void anyPlaceGivesTheSameBytes_data() { addTypes(); }
    void anyPlaceGivesTheSameBytes() {
        QFETCH(TensorType, type);
        Random random(8);
        constexpr int64_t rows = kSliceRows + 2 * kBandRows, columns = 64;
        MadeMatrix made(type, rows, columns, random);
        const auto size = static_cast<size_t>(made.bytes.size());
        for (const int64_t before : {0, 1, 512, 4096, 100000}) {
            Guarded<std::byte> room(made.bytes.size() + before);
            std::memcpy(room.data() + before, made.weights.matrix().data, size);
            regroup(type, rows, columns, room.data() + before, room.data(), made.scratch.data());
            QVERIFY(std::memcmp(room.data(), made.bytes.data(), size) == 0);
            QVERIFY(room.intact() && made.intact());
        }
    }

    void eachRowIsTheSum_data() { addTablesAndTypes(); }
    void eachRowIsTheSum() {
        QFETCH(const KernelTable*, kernels);
        QFETCH(TensorType, type);
        Random random(2);
        for (const auto& [rows, columns] : kShapes) {
            MadeMatrix made(type, rows, columns, random);
            Guarded<float> x(columns), out(rows);
            fillSparsely(x, random);
            Prepared prepared(*kernels, type, x, columns, 1);
            const uint64_t read = kernels->multiplySparse(made.matrix, 0, rows, prepared.token(0), out.data());
            int64_t used = 0;
            for (int64_t c = 0; c < columns; ++c) used += prepared.quant(0, c) != 0;
            const int64_t valueBits = type == TensorType::Q4_0 ? 4 : 8;
            QCOMPARE(static_cast<int64_t>(read), rows * (columns / 32 * 2) + rows * used * valueBits / 8);
            for (int64_t r = 0; r < rows; ++r) {
                double sum = 0, size = 0;
                for (int64_t c = 0; c < columns; ++c) {
                    const double product = made.weights.value(r, c) * prepared.value(0, c);
                    sum += product;
                    size += std::abs(product);
                }
                // A block's sum is exact; the product of both scales, the product with it, and the sum across blocks
                // are rounded.
                const double steps = static_cast<double>(columns) / 32 + 3;
                QVERIFY(within(out[r], sum, steps * kRoundoff * size, "row", r));
            }
            QVERIFY(made.intact() && prepared.intact() && out.intact());
        }
    }

    void bitsAreThoseOfMultiply_data() { addTablesAndTypes(); }
    void bitsAreThoseOfMultiply() {
        QFETCH(const KernelTable*, kernels);
        QFETCH(TensorType, type);
        Random random(7);
        for (const auto& [rows, columns] : kShapes) {
            MadeMatrix made(type, rows, columns, random);
            Guarded<float> x(columns), sparse(rows), dense(rows);
            fillSparsely(x, random);
            Prepared prepared(*kernels, type, x, columns, 1);
            kernels->multiplySparse(made.matrix, 0, rows, prepared.token(0), sparse.data());
            kernels->multiply(made.weights.matrix(), 0, rows, prepared.token(0), prepared.stride(), 1, dense.data(),
                              rows);
            QVERIFY(std::memcmp(sparse.data(), dense.data(), static_cast<size_t>(rows) * sizeof(float)) == 0);
        }
    }

    void anySplitOfChunksGivesTheSameBits_data() { addTablesAndTypes(); }
    void anySplitOfChunksGivesTheSameBits() {
        QFETCH(const KernelTable*, kernels);
        QFETCH(TensorType, type);
        Random random(3);
        constexpr int64_t rows = 1152, columns = 64;
        MadeMatrix made(type, rows, columns, random);
        Guarded<float> x(columns), whole(rows), split(rows);
        fillSparsely(x, random);
        Prepared prepared(*kernels, type, x, columns, 1);
        kernels->multiplySparse(made.matrix, 0, rows, prepared.token(0), whole.data());
        for (int64_t middle = 0; middle <= rows; middle += kBandRows) {
            split.fill(-1);
            kernels->multiplySparse(made.matrix, 0, middle, prepared.token(0), split.data());
            if (middle < rows) QCOMPARE(split[rows - 1], -1.0f); // nothing beyond the range may be written
            kernels->multiplySparse(made.matrix, middle, rows, prepared.token(0), split.data());
            QVERIFY(std::memcmp(whole.data(), split.data(), rows * sizeof(float)) == 0);
        }
    }

    void theLargestSumsAreExact_data() { addTablesAndTypes(); }
    void theLargestSumsAreExact() {
        QFETCH(const KernelTable*, kernels);
        QFETCH(TensorType, type);
        Random random(4);
        constexpr int64_t rows = 128, columns = 32;
        std::vector<uint8_t> lowest(static_cast<size_t>(traits(type).blockBytes),
                                    type == TensorType::Q4_0 ? 0x00 : 0x80);
        const uint16_t one = 0x3c00;
        std::memcpy(lowest.data(), &one, sizeof one);
        Weights weights(type, rows, columns, random);
        weights.setBlocks(lowest);
        Guarded<std::byte> bytes(rows * MadeMatrix::bytesOfRow(type, columns)),
            scratch(kSliceRows * MadeMatrix::bytesOfRow(type, columns));
        regroup(type, rows, columns, weights.matrix().data, bytes.data(), scratch.data());
        Guarded<float> x(columns), out(rows);
        for (const float value : {127.0f, -127.0f}) {
            x.fill(value); // so the block's scale is 1
            Prepared prepared(*kernels, type, x, columns, 1);
            kernels->multiplySparse({type, rows, columns, bytes.data()}, 0, rows, prepared.token(0), out.data());
            for (int64_t r = 0; r < rows; ++r)
                QCOMPARE(static_cast<double>(out[r]), weights.value(r, 0) * static_cast<double>(value) * columns);
        }
    }

    void zerosAreNotRead_data() { addTablesAndTypes(); }
    void zerosAreNotRead() {
        QFETCH(const KernelTable*, kernels);
        QFETCH(TensorType, type);
        Random random(5);
        constexpr int64_t rows = 512, columns = 64;
        MadeMatrix made(type, rows, columns, random);
        Guarded<float> x(columns), before(rows), after(rows);
        fillSparsely(x, random);
        Prepared prepared(*kernels, type, x, columns, 1);
        kernels->multiplySparse(made.matrix, 0, rows, prepared.token(0), before.data());
        for (int64_t c = 0; c < columns; ++c) {
            if (prepared.quant(0, c) != 0) continue;
            const ColumnBlock block = columnBlock(made.matrix, 0, c / 32);
            std::byte* column = made.bytes.data() + (block.columns - made.bytes.data()) + c % 32 * block.columnBytes;
            std::fill(column, column + block.columnBytes, std::byte{0x5a});
        }
        kernels->multiplySparse(made.matrix, 0, rows, prepared.token(0), after.data());
        QVERIFY(std::memcmp(before.data(), after.data(), rows * sizeof(float)) == 0);
    }

    void aBrokenVectorShows_data() { addTablesAndTypes(); }
    void aBrokenVectorShows() {
        QFETCH(const KernelTable*, kernels);
        QFETCH(TensorType, type);
        Random random(6);
        MadeMatrix made(type, 128, 96, random);
        Guarded<float> x(96), out(128);
        fillSparsely(x, random);
        x[40] = std::numeric_limits<float>::infinity();
        Prepared prepared(*kernels, type, x, 96, 1);
        kernels->multiplySparse(made.matrix, 0, 128, prepared.token(0), out.data());
        for (int64_t r = 0; r < 128; ++r) QVERIFY(std::isnan(out[r]));
    }
};

QTEST_APPLESS_MAIN(KernelSparseTest)
#include "tst_kernel_sparse.moc"
