// SPDX-License-Identifier: Apache-2.0
// Helpers of the kernel tests: buffers with guards, random weights with their exact values, a test row for each table.
// quant_oracle.h decodes the formats once more, so that a mistake in the engine cannot hide itself. What runs for each
// value is in kernel_test.cpp, which is optimised: tests are not.
#pragma once

#include "base/rounding.h"
#include "kernels/kernels.h"
#include "support/quant_oracle.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, size) static_cast<void>(0)
#define ASAN_UNPOISON_MEMORY_REGION(address, size) static_cast<void>(0)
#endif

namespace coterie::test {

using namespace coterie::engine;

constexpr double kRoundoff = 0x1p-24; ///< the largest relative error of one rounded float operation

/// The formats that take vectors of bytes.
inline std::vector<TensorType> integerFormats() {
    std::vector<TensorType> types;
    for (const TensorType type : supportedFormats())
        if (vectorForm(type) == VectorForm::Bytes) types.push_back(type);
    return types;
}

/// The next number of columns that is whole blocks of `type`.
inline int64_t wholeBlocks(TensorType type, int64_t columns) { return roundUp(columns, traits(type).blockElements); }

/// One test row for each table that this machine can run.
inline void addTableRows() {
    QTest::addColumn<const KernelTable*>("kernels");
    for (const KernelTable* table : kernelTables())
        if (table->runsHere()) QTest::newRow(table->name) << table;
}

/// Room for `count` values between guards. The guards' bytes are all ones, which is NaN as a float or a half, so that a
/// read beyond the end shows in the result; intact() finds a write. `skew` bytes move the values off their alignment to
/// 64.
template <typename T>
class Guarded {
  public:
    explicit Guarded(int64_t count, size_t skew = 0)
        : count_(static_cast<size_t>(count)), bytes_(count_ * sizeof(T) + 2 * kGuard + 64 + skew, 0xff) {
        const size_t misaligned = reinterpret_cast<uintptr_t>(bytes_.data() + kGuard) % 64;
        begin_ = kGuard + (64 - misaligned) % 64 + skew;
        ASAN_POISON_MEMORY_REGION(bytes_.data() + end(), bytes_.size() - end());
    }
    ~Guarded() { ASAN_UNPOISON_MEMORY_REGION(bytes_.data() + end(), bytes_.size() - end()); }
    Guarded(const Guarded&) = delete;
    Guarded& operator=(const Guarded&) = delete;

    T* data() { return reinterpret_cast<T*>(bytes_.data() + begin_); }
    const T* data() const { return reinterpret_cast<const T*>(bytes_.data() + begin_); }
    T& operator[](int64_t i) { return data()[i]; }
    int64_t size() const { return static_cast<int64_t>(count_); }
    void fill(T value) { std::fill_n(data(), count_, value); }

    bool intact() {
        ASAN_UNPOISON_MEMORY_REGION(bytes_.data() + end(), bytes_.size() - end());
        bool good = true;
        for (size_t i = 0; i < begin_; ++i) good = good && bytes_[i] == 0xff;
        for (size_t i = end(); i < bytes_.size(); ++i) good = good && bytes_[i] == 0xff;
        ASAN_POISON_MEMORY_REGION(bytes_.data() + end(), bytes_.size() - end());
        return good;
    }

  private:
    static constexpr size_t kGuard = 64;
    size_t end() const { return begin_ + count_ * sizeof(T); }

    size_t count_;
    std::vector<uint8_t> bytes_;
    size_t begin_;
};

class Random {
  public:
    explicit Random(uint32_t seed) : engine_(seed) {}
    uint32_t bits();
    int64_t below(int64_t n) { return static_cast<int64_t>(bits() % static_cast<uint64_t>(n)); }
    /// One of 2^24 values in [-1, 1).
    float unit();
    /// A half of either sign with a magnitude in [2^-9, 2).
    uint16_t half() { return static_cast<uint16_t>((bits() & 0x83ff) | ((6 + bits() % 10) << 10)); }

  private:
    std::mt19937 engine_;
};

/// A matrix of some format, with the values that it stands for.
class Weights {
  public:
    Weights(TensorType type, int64_t rows, int64_t columns, Random& random, size_t skew = 0);

    const Matrix& matrix() const { return matrix_; }
    double value(int64_t row, int64_t column) const { return weight(row, column).value(); }
    const OracleWeight& weight(int64_t row, int64_t column) const {
        return weights_[static_cast<size_t>(row * matrix_.columns + column)];
    }
    bool intact() { return bytes_.intact(); }
    /// Replaces every block by `block`.
    void setBlocks(const std::vector<uint8_t>& block);

  private:
    void makeTame(std::byte* block, Random& random) const;
    void decode();

    Guarded<std::byte> bytes_;
    Matrix matrix_;
    std::vector<OracleWeight> weights_; // [rows, columns]
};

/// Vectors in the form that multiply() takes, with their values.
class Prepared {
  public:
    Prepared(const KernelTable& kernels, TensorType type, const Guarded<float>& x, int64_t columns, int64_t batch)
        : stride_(kernels.preparedBytes(type, columns)), columns_(columns), type_(type),
          bytes_(static_cast<int64_t>(stride_) * batch) {
        for (int64_t t = 0; t < batch; ++t) kernels.prepare(type, x.data() + t * columns, columns, token(t));
    }
    size_t stride() const { return stride_; }
    std::byte* token(int64_t t) { return bytes_.data() + static_cast<size_t>(t) * stride_; }
    bool intact() { return bytes_.intact(); }
    /// The value that prepare() made of x: x itself, or scale * q.
    double value(int64_t t, int64_t c);
    int quant(int64_t t, int64_t c);

  private:
    size_t stride_;
    int64_t columns_;
    TensorType type_;
    Guarded<std::byte> bytes_;
};

/// A product in double, and the sum of its terms' magnitudes.
struct Exact {
    double product = 0, magnitude = 0;
};

/// The products w.row(r) . x_t in double, computed from the prepared values. Each value is unpacked once, because that
/// takes longer than all products with it.
class ExactProducts {
  public:
    ExactProducts(const Weights& w, Prepared& x, int64_t batch);
    Exact at(int64_t r, int64_t t) const;

  private:
    int64_t columns_;
    std::vector<double> weights_, magnitudes_; // [rows, columns]
    std::vector<double> inputs_;               // [batch, columns]
};

/// Returns whether |actual - expected| <= bound, and prints both if not.
inline bool within(double actual, double expected, double bound, const char* what, int64_t index) {
    if (std::abs(actual - expected) <= bound) return true;
    qWarning("%s[%lld]: %.9g, expected %.9g within %.3g", what, static_cast<long long>(index), actual, expected, bound);
    return false;
}

} // namespace coterie::test

Q_DECLARE_METATYPE(const coterie::engine::KernelTable*)
