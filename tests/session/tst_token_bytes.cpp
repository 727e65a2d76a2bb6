// SPDX-License-Identifier: Apache-2.0
// The stored form of token records: what goes in comes out, and bytes that are damaged or from a later version are
// refused.
#include "records/token_bytes.h"

#include <QtTest>

#include <limits>
#include <random>

using namespace coterie::engine;

namespace {

/// A value that a float holds exactly.
double exact(double value) { return static_cast<double>(static_cast<float>(value)); }

/// Every kind of token: markers without text, several ranges, figures and alternatives, and the largest values.
std::vector<TokenRecord> allKinds() {
    constexpr auto most = static_cast<size_t>(std::numeric_limits<int32_t>::max());
    return {{.id = -1},
            {.id = 0, .seconds = exact(0.25), .text = {{.part = 0, .begin = 0, .end = 4}}},
            {.id = 151935,
             .seconds = exact(1.1),
             .text = {{.part = 0, .begin = 4, .end = 130}, {.part = 1, .begin = 0, .end = 1}},
             .probability = exact(0.7),
             .entropy = exact(2.3),
             .alternatives = {{.id = 7, .probability = exact(0.2)}, {.id = 300000, .probability = 0}}},
            {.id = 3, .seconds = exact(2), .text = {}, .probability = 1.0},
            {.id = 3, .seconds = exact(2), .text = {{.part = 2, .begin = 5, .end = 5}}, .entropy = 0.0},
            {.id = std::numeric_limits<int32_t>::max(),
             .seconds = static_cast<double>(std::numeric_limits<float>::max()),
             .text = {{.part = most, .begin = 0, .end = most}, {.part = most, .begin = most, .end = most}}}};
}

std::vector<TokenRecord> usual(size_t count) {
    std::mt19937 random(3);
    std::vector<TokenRecord> tokens(count);
    size_t end = 0;
    for (size_t i = 0; i < count; ++i) {
        const size_t begin = end;
        end += random() % 8;
        tokens[i].id = static_cast<TokenId>(random() % 50000);
        tokens[i].seconds = exact(static_cast<double>(i) / 7);
        if (end > begin) tokens[i].text.push_back({.part = 0, .begin = begin, .end = end});
    }
    return tokens;
}

QByteArray hexOf(const std::vector<std::byte>& bytes) {
    return QByteArray(reinterpret_cast<const char*>(bytes.data()), static_cast<qsizetype>(bytes.size())).toHex();
}

bool isRefused(const Result<std::vector<TokenRecord>>& read, ErrorKind kind = ErrorKind::BadInput) {
    return !read && read.error().kind == kind && !read.error().what.empty() && !read.error().why.empty() &&
           !read.error().action.empty();
}

} // namespace

class TestTokenBytes : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void whatGoesInComesOut() {
        for (const std::vector<TokenRecord>& tokens : {std::vector<TokenRecord>{}, allKinds(), usual(5000)}) {
            const std::vector<std::byte> bytes = tokenBytes(tokens);
            const auto back = readTokenBytes(bytes);
            QVERIFY(back.ok());
            QVERIFY(back.value() == tokens);
            QVERIFY(tokenBytes(back.value()) == bytes);
        }
        QCOMPARE(tokenBytes({}).size(), size_t{16});
        QVERIFY(tokenBytes(usual(5000)).size() < 5000 * 14);
    }

    /// The header and a token to the byte, so that no machine reads it otherwise.
    void theStoredFormIsFixed() {
        const std::vector<TokenRecord> one{{.id = 300,
                                            .seconds = 0.25,
                                            .text = {{.part = 1, .begin = 200, .end = 203}},
                                            .probability = 0.5,
                                            .entropy = 1.0,
                                            .alternatives = {{.id = 0, .probability = 0.25}}}};
        QCOMPARE(hexOf(tokenBytes(one)), QByteArray("CotToken").toHex() + QByteArray("01000000"
                                                                                     "01000000"
                                                                                     "ad02"
                                                                                     "0000803e"
                                                                                     "03"
                                                                                     "0000003f"
                                                                                     "0000803f"
                                                                                     "01"
                                                                                     "01"
                                                                                     "c801"
                                                                                     "03"
                                                                                     "01"
                                                                                     "01"
                                                                                     "0000803e"));
    }

    void valuesThatNoTokenHasAreCutDown() {
        const double none = std::numeric_limits<double>::quiet_NaN(), endless = std::numeric_limits<double>::infinity();
        const std::vector<TokenRecord> odd{{.id = -7,
                                            .seconds = none,
                                            .text = {{.part = 0, .begin = 9, .end = 3}},
                                            .probability = 1.5,
                                            .entropy = endless,
                                            .alternatives = {{.id = 1, .probability = -1}}}};
        const auto back = readTokenBytes(tokenBytes(odd));
        QVERIFY(back.ok());
        const TokenRecord& token = back->front();
        QCOMPARE(token.id, -1);
        QCOMPARE(token.seconds, 0.0);
        QVERIFY((token.text.front() == TextRange{.part = 0, .begin = 9, .end = 9}));
        QCOMPARE(token.probability.value_or(0), 1.0);
        QCOMPARE(token.entropy.value_or(0), static_cast<double>(std::numeric_limits<float>::max()));
        QCOMPARE(token.alternatives.front().probability, 0.0);
    }

    void partsAreRefused() {
        std::vector<std::byte> bytes = tokenBytes(allKinds());
        for (size_t n = 0; n < bytes.size(); ++n) QVERIFY(isRefused(readTokenBytes(std::span(bytes).first(n))));
        bytes.push_back({});
        QVERIFY(isRefused(readTokenBytes(bytes)));
    }

    /// A changed byte gives an error, or tokens that are stored as exactly these bytes.
    void aChangedByteIsRefusedOrRead() {
        const std::vector<std::byte> whole = tokenBytes(allKinds());
        int read = 0, refused = 0;
        for (size_t at = 0; at < whole.size(); ++at)
            for (int value = 0; value < 256; ++value) {
                std::vector<std::byte> bytes = whole;
                bytes[at] = static_cast<std::byte>(value);
                if (bytes == whole) continue;
                const auto back = readTokenBytes(bytes);
                ++(back ? read : refused);
                if (back)
                    QVERIFY(tokenBytes(back.value()) == bytes);
                else if (at >= 12 || at < 8)
                    QVERIFY(isRefused(back));
            }
        QVERIFY(read > 1000 && refused > 1000);
    }

    void laterVersionsAreRefused() {
        std::vector<std::byte> bytes = tokenBytes(allKinds());
        bytes[8] = std::byte{2};
        QVERIFY(isRefused(readTokenBytes(bytes), ErrorKind::Unsupported));
        bytes[11] = std::byte{255};
        QVERIFY(isRefused(readTokenBytes(bytes), ErrorKind::Unsupported));
        bytes[8] = bytes[11] = {};
        QVERIFY(isRefused(readTokenBytes(bytes)));
    }

    void countsBeyondTheBytesAreRefused_data() {
        QTest::addColumn<QByteArray>("hex");
        const QByteArray begin = QByteArray("CotToken").toHex() + "01000000";
        QTest::newRow("billions of tokens") << begin + "ffffffff" + QByteArray(200, '0');
        QTest::newRow("billions of ranges") << begin + "01000000" + "01" + "00000000" + "00" + "ffffffff0f" + "00";
        QTest::newRow("billions of alternatives")
            << begin + "01000000" + "01" + "00000000" + "00" + "00" + "ffffffff0f";
        QTest::newRow("a range beyond any answer")
            << begin + "01000000" + "01" + "00000000" + "00" + "01" + "00" + "ffffffff07" + "01" + "00";
        QTest::newRow("a varint without an end")
            << begin + "01000000" + "80808080808080808080" + "00000000" + "00" + "00" + "00";
        QTest::newRow("a varint with an empty byte") << begin + "01000000" + "8100" + "00000000" + "00" + "00" + "00";
        QTest::newRow("an id beyond any") << begin + "01000000" + "8180808008" + "00000000" + "00" + "00" + "00";
    }
    void countsBeyondTheBytesAreRefused() {
        QFETCH(QByteArray, hex);
        const QByteArray bytes = QByteArray::fromHex(hex);
        QVERIFY(isRefused(readTokenBytes(
            {reinterpret_cast<const std::byte*>(bytes.constData()), static_cast<size_t>(bytes.size())})));
    }
};

QTEST_APPLESS_MAIN(TestTokenBytes)
#include "tst_token_bytes.moc"
