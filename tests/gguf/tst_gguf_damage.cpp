// SPDX-License-Identifier: Apache-2.0
// The GGUF reader on files that were damaged at random. It must return an error, or a header whose every value can be
// used. The test is meant for the sanitizers: files are copied to memory of exactly their size, so that a read beyond
// the end is found.
#include "gguf/gguf.h"
#include "support/gguf_walk.h"
#include "support/gguf_writer.h"
#include "support/reference.h"

#include <QDirIterator>
#include <QFile>
#include <QtTest>

#include <memory>
#include <random>

using namespace coterie;
using namespace coterie::engine;

namespace {

/// A file with every kind of value and several tensors.
std::string smallFile() {
    test::GgufWriter w;
    w.string("general.architecture", "llama").u32("llama.block_count", 2).f32("llama.rope.freq_base", 10000);
    w.u8("a", 1).i8("b", -1).u16("c", 2).i16("d", -2).i32("e", -3).u64("f", 4).i64("g", -4).f64("h", 0.5).boolean("i",
                                                                                                                  true);
    w.strings("tokenizer.ggml.tokens", {"<s>", "a", "b", "<0x0A>"}).i32s("tokenizer.ggml.token_type", {3, 1, 1, 6});
    w.f32s("tokenizer.ggml.scores", {0, -1, -2, -3}).u32s("x", {1, 2, 3});
    w.alignment(64);
    w.tensor("strange", {5, 1, 1, 2}, 99, std::string(40, '?'));
    w.tensor("token_embd.weight", {32, 4}, 2, std::string(72, 'q'));
    w.tensor("output_norm.weight", {32}, 0, std::string(128, 'n'));
    w.tensor("blk.0.ffn_gate_exps.weight", {32, 2, 3}, 8, std::string(204, 'e'));
    return w.bytes();
}

/// Parses a copy that lies at the very end of its own allocation, and walks through the result. Returns whether it was
/// a header.
bool parseAndWalk(const std::string& file, uint64_t fileSize, bool& sound) {
    const auto copy = std::make_unique<std::byte[]>(file.size());
    std::copy_n(reinterpret_cast<const std::byte*>(file.data()), file.size(), copy.get());
    const auto header = gguf::parse({copy.get(), file.size()}, fileSize);
    if (!header) {
        const Error& error = header.error();
        sound = sound && !error.what.empty() && !error.why.empty() && !error.action.empty();
        return false;
    }
    test::walkHeader(*header, fileSize, sound);
    return true;
}

} // namespace

class TestGgufDamage : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void theFileItself() {
        bool sound = true;
        const std::string file = smallFile();
        QVERIFY(parseAndWalk(file, file.size(), sound));
        QVERIFY(sound);
    }

    void thousandTruncations() {
        const std::string file = smallFile();
        std::mt19937 random(1);
        bool sound = true;
        int opened = 0;
        for (int i = 0; i < 1000; ++i)
            opened += parseAndWalk(file.substr(0, random() % file.size()), file.size(), sound);
        QVERIFY(sound);
        QVERIFY(opened > 0 && opened < 1000); // a prefix that holds the header is enough
        opened = 0;
        for (int i = 0; i < 1000; ++i) {
            const std::string shorter = file.substr(0, random() % file.size());
            opened += parseAndWalk(shorter, shorter.size(), sound);
        }
        QVERIFY(sound);
        QCOMPARE(opened, 0);
    }

    void thousandBitFlips() {
        const std::string file = smallFile();
        std::mt19937 random(2);
        bool sound = true;
        int opened = 0;
        for (int i = 0; i < 1000; ++i) {
            std::string flipped = file;
            flipped[random() % flipped.size()] ^= static_cast<char>(1u << random() % 8);
            opened += parseAndWalk(flipped, flipped.size(), sound);
        }
        QVERIFY(sound);
        QVERIFY(opened > 0 && opened < 1000);
    }

    /// Puts extreme numbers into every place where a number might be.
    void hurtfulNumbersEverywhere() {
        const std::string file = smallFile();
        bool sound = true;
        for (const uint64_t number : {uint64_t{0}, ~uint64_t{0}, uint64_t{1} << 63, uint64_t{1} << 31,
                                      uint64_t{0xffffffff}, uint64_t{1} << 61, static_cast<uint64_t>(file.size())})
            for (size_t at = 4; at + 8 <= file.size(); ++at) {
                std::string hurt = file;
                std::copy_n(reinterpret_cast<const char*>(&number), 8, hurt.begin() + static_cast<std::ptrdiff_t>(at));
                parseAndWalk(hurt, hurt.size(), sound);
            }
        QVERIFY(sound);
    }

    void randomBytesBehindTheMagic() {
        std::mt19937 random(3);
        bool sound = true;
        for (int i = 0; i < 1000; ++i) {
            std::string file = "GGUF" + test::GgufWriter::bytesOf(uint32_t{3});
            file +=
                test::GgufWriter::bytesOf(uint64_t{random() % 4}) + test::GgufWriter::bytesOf(uint64_t{random() % 4});
            for (int b = 0; b < 300; ++b) file += static_cast<char>(random() % 3 == 0 ? random() : 0);
            parseAndWalk(file, file.size(), sound);
        }
        QVERIFY(sound);
    }

    /// The folder may have files in formats that the reader does not know yet: it names them and gives them no size.
    void referenceFiles() {
        const QString folder = test::referenceFolder();
        if (folder.isEmpty()) QSKIP("no reference data beside this checkout");
        int known = 0; // files without a tensor of an unknown format
        for (QDirIterator it(folder, {"*.gguf"}, QDir::Files, QDirIterator::Subdirectories); it.hasNext();) {
            QFile file(it.next());
            QVERIFY(file.open(QIODevice::ReadOnly));
            const std::string bytes = file.readAll().toStdString();
            bool sound = true;
            QVERIFY2(parseAndWalk(bytes, bytes.size(), sound), qPrintable(file.fileName()));
            QVERIFY2(sound, qPrintable(file.fileName()));
            const auto header = gguf::parse(std::as_bytes(std::span(bytes)), bytes.size());
            QVERIFY(header->string("general.architecture").has_value());
            bool allKnown = true;
            for (const gguf::Tensor& tensor : header->tensors) {
                const bool knows = typeTraits(tensor.typeId).has_value();
                QVERIFY2(tensor.type.has_value() == knows && (tensor.bytes > 0) == knows, qPrintable(file.fileName()));
                QVERIFY2(!typeName(tensor.typeId).starts_with("type "), qPrintable(file.fileName()));
                allKnown = allKnown && knows;
            }
            known += allKnown ? 1 : 0;
        }
        QVERIFY(known > 0);
    }
};

QTEST_APPLESS_MAIN(TestGgufDamage)
#include "tst_gguf_damage.moc"
