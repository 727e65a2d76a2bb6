// SPDX-License-Identifier: Apache-2.0
// See kernel_test.h.
#include "kernel_test.h"

namespace coterie::test {

uint32_t Random::bits() { return static_cast<uint32_t>(engine_()); }

float Random::unit() { return static_cast<float>(static_cast<int32_t>(bits() >> 7) - (1 << 24)) * 0x1p-24f; }

Weights::Weights(TensorType type, int64_t rows, int64_t columns, Random& random, size_t skew)
    : bytes_(rows * static_cast<int64_t>(rowBytes(type, static_cast<uint64_t>(columns))), skew), matrix_{type, rows,
                                                                                                         columns,
                                                                                                         bytes_.data()},
      weights_(static_cast<size_t>(rows * columns)) {
    uint32_t bits = 0;
    for (int64_t i = 0; i < bytes_.size(); ++i, bits >>= 8) {
        if (i % 4 == 0) bits = random.bits();
        bytes_[i] = static_cast<std::byte>(bits);
    }
    const int64_t unit = traits(type).blockBytes;
    for (int64_t at = 0; at < bytes_.size(); at += unit) makeTame(&bytes_[at], random);
    decode();
}

void Weights::setBlocks(const std::vector<uint8_t>& block) {
    for (int64_t at = 0; at < bytes_.size(); at += static_cast<int64_t>(block.size()))
        std::memcpy(&bytes_[at], block.data(), block.size());
    decode();
}

void Weights::makeTame(std::byte* block, Random& random) const {
    const float value = random.unit();
    if (matrix_.type == TensorType::F32) {
        std::memcpy(block, &value, 4);
    } else if (matrix_.type == TensorType::BF16) {
        std::memcpy(block, reinterpret_cast<const std::byte*>(&value) + 2, 2);
    } else if (matrix_.type == TensorType::MXFP4) {
        block[0] = static_cast<std::byte>(118 + random.below(10));
    } else {
        for (size_t number = 0; number < factorCount(matrix_.type); ++number)
            setFactor(matrix_.type, block, number, random.half());
    }
}

void Weights::decode() {
    const TypeTraits t = traits(matrix_.type);
    for (int64_t r = 0; r < matrix_.rows; ++r)
        for (int64_t c = 0; c < matrix_.columns; ++c) {
            const std::byte* block = matrix_.row(r) + c / t.blockElements * t.blockBytes;
            weights_[static_cast<size_t>(r * matrix_.columns + c)] =
                BlockOracle(matrix_.type, reinterpret_cast<const uint8_t*>(block))
                    .at(static_cast<int>(c % t.blockElements));
        }
}

double Prepared::value(int64_t t, int64_t c) {
    const std::byte* at = token(t);
    float f;
    if (vectorForm(type_) == VectorForm::Floats) {
        std::memcpy(&f, at + 4 * c, 4);
        return f;
    }
    std::memcpy(&f, at + 4 * (c / 32), 4);
    return static_cast<double>(f) * quant(t, c);
}

int Prepared::quant(int64_t t, int64_t c) {
    const int64_t scales = roundUp(columns_ / 32 * 4, kLineBytes);
    return static_cast<int8_t>(token(t)[scales + c]);
}

ExactProducts::ExactProducts(const Weights& w, Prepared& x, int64_t batch)
    : columns_(w.matrix().columns), weights_(static_cast<size_t>(w.matrix().rows * columns_)),
      magnitudes_(weights_.size()), inputs_(static_cast<size_t>(batch * columns_)) {
    double *weight = weights_.data(), *magnitude = magnitudes_.data(), *input = inputs_.data();
    for (int64_t r = 0; r < w.matrix().rows; ++r)
        for (int64_t c = 0; c < columns_; ++c) {
            const OracleWeight& known = w.weight(r, c);
            *weight++ = known.value();
            *magnitude++ = known.magnitude();
        }
    for (int64_t t = 0; t < batch; ++t)
        for (int64_t c = 0; c < columns_; ++c) *input++ = x.value(t, c);
}

Exact ExactProducts::at(int64_t r, int64_t t) const {
    const double* weights = weights_.data() + r * columns_;
    const double* magnitudes = magnitudes_.data() + r * columns_;
    const double* x = inputs_.data() + t * columns_;
    Exact e;
    for (int64_t c = 0; c < columns_; ++c) {
        e.product += weights[c] * x[c];
        e.magnitude += magnitudes[c] * std::abs(x[c]);
    }
    return e;
}

} // namespace coterie::test
