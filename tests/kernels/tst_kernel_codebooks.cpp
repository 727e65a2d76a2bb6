// SPDX-License-Identifier: Apache-2.0
// The numbers of the codebooks: the engine's tables against the tests' decoder, and that decoder against checksums of
// the published numbers. tst_kernel_products.cpp has the products; tests/decoder/tst_reference_rows.cpp compares rows
// with another engine's.
#include "kernel_test.h"
#include "kernels/codebooks/codebooks.h"

#include <iterator>

using namespace coterie::engine;
using namespace coterie::test;

namespace {

constexpr TensorType kTypes[] = {TensorType::IQ3_S,   TensorType::IQ3_XXS, TensorType::IQ2_S, TensorType::IQ2_XS,
                                 TensorType::IQ2_XXS, TensorType::IQ1_M,   TensorType::IQ1_S};

/// Checksum of a codebook's values in order, each as a byte: FNV-1a of 64 bits.
class Checksum {
  public:
    void add(int value) { sum_ = (sum_ ^ static_cast<uint8_t>(value)) * 0x100000001b3; }
    uint64_t sum() const { return sum_; }

  private:
    uint64_t sum_ = 0xcbf29ce484222325;
};

/// Compares an entry's values with the decoder's, and adds these to the checksum. The engine's are `times` / `over` of
/// them.
template <typename Entry, typename Value>
bool sameValues(Entry entry, int times, int over, const Value& value, Checksum& sum) {
    bool same = true;
    for (int i = 0; i < static_cast<int>(sizeof entry); ++i) {
        sum.add(value(i));
        same = same && static_cast<int8_t>(entry >> (8 * i)) * over == value(i) * times;
    }
    return same;
}

} // namespace

class KernelCodebooksTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void theFormatsHaveCodebooks() {
        for (const TensorType type : supportedFormats())
            QCOMPARE(hasCodebook(type), std::ranges::find(kTypes, type) != std::end(kTypes));
    }

    /// Checksums are of the numbers that llama.cpp's decoder was asked for one by one.
    void numbersAreThePublishedOnes() {
        Checksum iq3s, iq3xxs, iq2s, iq2xs, iq2xxs, iq1;
        for (int e = 0; e < 512; ++e)
            QVERIFY(sameValues(
                kCodebookIq3S.at[e], 1, 1, [e](int i) { return iq3sValue(e, i); }, iq3s));
        for (int e = 0; e < 256; ++e)
            QVERIFY(sameValues(
                kCodebookIq3Xxs.at[e], 1, 2, [e](int i) { return iq3xxsValue(e, i); }, iq3xxs));
        const auto iq2 = [](uint16_t packed) { return [packed](int i) { return iq2Value(packed, i); }; };
        for (int e = 0; e < 1024; ++e) QVERIFY(sameValues(kCodebookIq2S.at[e], 1, 1, iq2(kPackedIq2S[e]), iq2s));
        for (int e = 0; e < 512; ++e) QVERIFY(sameValues(kCodebookIq2Xs.at[e], 1, 1, iq2(kPackedIq2Xs[e]), iq2xs));
        for (int e = 0; e < 256; ++e) QVERIFY(sameValues(kCodebookIq2Xxs.at[e], 1, 1, iq2(kPackedIq2Xxs[e]), iq2xxs));
        for (int e = 0; e < 2048; ++e)
            QVERIFY(sameValues(
                kCodebookIq1.at[e], 8, 1, [e](int i) { return iq1Value(e, i); }, iq1));
        QCOMPARE(iq3s.sum(), uint64_t{0xfa37020c25b44829});
        QCOMPARE(iq3xxs.sum(), uint64_t{0xdfa5dc83d6a155d5});
        QCOMPARE(iq2s.sum(), uint64_t{0x123edd38a3b62b90});
        QCOMPARE(iq2xs.sum(), uint64_t{0xc9b1ee61e79909bd});
        QCOMPARE(iq2xxs.sum(), uint64_t{0xbb4ee025b5ac6e8e});
        QCOMPARE(iq1.sum(), uint64_t{0x6703ed863501ae2e});
    }

    /// The eighth of seven signs makes the number of negative values even.
    void eighthSigns() {
        for (uint32_t seven = 0; seven < 128; ++seven) {
            const uint32_t signs = seven | static_cast<uint32_t>(std::popcount(seven) % 2) << 7;
            for (int place = 0; place < 4; ++place) {
                const uint32_t others = 0xffffffff ^ 0x7fu << (7 * place);
                QCOMPARE(signsOfSevens(seven << (7 * place)) >> (8 * place), signs);
                QCOMPARE(signsOfSevens(others & (seven << (7 * place) | others)) >> (8 * place) & 0xff, uint32_t{0});
                QCOMPARE(signsOfWords(uint64_t{seven} << (16 * place + 9)), signs << (8 * place));
            }
        }
    }
};

QTEST_APPLESS_MAIN(KernelCodebooksTest)
#include "tst_kernel_codebooks.moc"
