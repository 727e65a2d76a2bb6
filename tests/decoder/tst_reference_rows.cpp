// SPDX-License-Identifier: Apache-2.0
// Rows of the formats with codebooks against another engine's weights, where the reference data is beside the checkout.
// Each format has 80 blocks with every place in its codebook, every sign and every scale, and with extreme factors.
#include "kernels/codebooks/codebooks.h"
#include "kernels/kernel_test.h"
#include "support/reference.h"

#include <QFile>

using namespace coterie::engine;
using namespace coterie::test;

class ReferenceRowsTest : public QObject {
    Q_OBJECT

    static QByteArray contentsOf(TensorType type, const char* ending) {
        QFile file(referenceFolder() + QStringLiteral("/quants_low/rows/") + QLatin1String(traits(type).name) +
                   QLatin1String(ending));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

  private Q_SLOTS:
    void expandRow_data() { addTableRows(); }
    void expandRow() {
        QFETCH(const KernelTable*, kernels);
        for (const TensorType type : supportedFormats()) {
            if (!hasCodebook(type)) continue;
            const QByteArray blocks = contentsOf(type, ".blocks"), floats = contentsOf(type, ".f32");
            if (blocks.isEmpty() || floats.isEmpty()) QSKIP("The reference data is not beside the checkout");
            const int64_t columns = blocks.size() / traits(type).blockBytes * traits(type).blockElements;
            QCOMPARE(int64_t{floats.size()}, columns * int64_t{sizeof(float)});
            Guarded<float> expected(columns), out(columns);
            std::memcpy(expected.data(), floats.constData(), static_cast<size_t>(floats.size()));
            kernels->expandRow(type, reinterpret_cast<const std::byte*>(blocks.constData()), columns, out.data());
            for (int64_t c = 0; c < columns; ++c) {
                const auto* block = reinterpret_cast<const uint8_t*>(blocks.constData()) +
                                    c / traits(type).blockElements * traits(type).blockBytes;
                const BlockOracle oracle(type, block);
                QVERIFY2(oracle.at(static_cast<int>(c % traits(type).blockElements)).value() == double{expected[c]},
                         traits(type).name);
                QVERIFY2(out[c] == expected[c], traits(type).name);
            }
            QVERIFY(out.intact());
        }
    }
};

QTEST_APPLESS_MAIN(ReferenceRowsTest)
#include "tst_reference_rows.moc"
