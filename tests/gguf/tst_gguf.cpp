// SPDX-License-Identifier: Apache-2.0
// The GGUF reader, rule by rule: its results and its refusals. tst_gguf_damage has files that were damaged at random.
#include "gguf/gguf.h"
#include "support/gguf_writer.h"

#include <QtTest>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <vector>

using namespace coterie;
using namespace coterie::engine;
using test::GgufWriter;
using Writer = GgufWriter;

namespace {

constexpr uint32_t kF32 = 0, kQ4_0 = 2, kUnknownType = 77;

std::span<const std::byte> asBytes(const std::string& text) { return std::as_bytes(std::span(text)); }

Result<gguf::Header> parsed(const std::string& file) { return gguf::parse(asBytes(file), file.size()); }

Writer twoTensors() {
    Writer w;
    w.string("general.architecture", "llama");
    w.tensor("a", {4, 3}, kF32, std::string(48, 'a'));
    w.tensor("b", {32, 2}, kQ4_0, std::string(36, 'b'));
    return w;
}

} // namespace

class TestGguf : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void everyKindOfValue() {
        Writer w;
        w.u8("u8", 200)
            .i8("i8", -100)
            .u16("u16", 60000)
            .i16("i16", -30000)
            .u32("u32", 4000000000u)
            .i32("i32", -2000000000);
        w.u64("u64", ~uint64_t{0}).i64("i64", std::numeric_limits<int64_t>::min()).f32("f32", 1.5f).f64("f64", 1e300);
        w.boolean("yes", true).boolean("no", false).string("text", "gr\xc3\xbc\xc3\x9f").string("nothing", "");
        const std::string file = w.bytes();
        const auto header = parsed(file);
        QVERIFY(header);
        QCOMPARE(header->version, 3u);
        QCOMPARE(header->keys.size(), size_t{14});
        QCOMPARE(header->unsignedInteger("u8"), std::optional<uint64_t>(200));
        QCOMPARE(header->unsignedInteger("u16"), std::optional<uint64_t>(60000));
        QCOMPARE(header->unsignedInteger("u32"), std::optional<uint64_t>(4000000000u));
        QCOMPARE(header->unsignedInteger("u64"), std::optional<uint64_t>(~uint64_t{0}));
        for (const char* negative : {"i8", "i16", "i32", "i64"}) QVERIFY(!header->unsignedInteger(negative));
        QCOMPARE(header->number("i8"), std::optional<double>(-100));
        QCOMPARE(header->number("i16"), std::optional<double>(-30000));
        QCOMPARE(header->number("i32"), std::optional<double>(-2000000000));
        QCOMPARE(header->number("u16"), std::optional<double>(60000));
        QCOMPARE(header->number("f32"), std::optional<double>(1.5));
        QCOMPARE(header->number("f64"), std::optional<double>(1e300));
        QCOMPARE(header->boolean("yes"), std::optional<bool>(true));
        QCOMPARE(header->boolean("no"), std::optional<bool>(false));
        QCOMPARE(header->string("text"), std::optional<std::string_view>("gr\xc3\xbc\xc3\x9f"));
        QCOMPARE(header->string("nothing"), std::optional<std::string_view>(""));
    }

    void keysOfAnotherKindGiveNothing() {
        Writer w;
        w.u32("n", 1).string("s", "x").f32("f", 1).boolean("b", true).i32s("a", {1});
        const std::string file = w.bytes();
        const auto header = parsed(file);
        QVERIFY(header);
        for (const char* key : {"s", "f", "b", "a", "missing"}) QVERIFY(!header->unsignedInteger(key));
        for (const char* key : {"s", "b", "a", "missing"}) QVERIFY(!header->number(key));
        for (const char* key : {"n", "s", "f", "a", "missing"}) QVERIFY(!header->boolean(key));
        for (const char* key : {"n", "f", "b", "a", "missing"}) QVERIFY(!header->string(key));
        for (const char* key : {"n", "s", "a", "missing"}) {
            QVERIFY(!header->strings(key));
            QVERIFY(!header->floats(key));
        }
        for (const char* key : {"n", "s", "f", "missing"}) QVERIFY(!header->integers(key));
        QVERIFY(header->find("missing") == nullptr);
        QVERIFY(header->tensor("missing") == nullptr);
    }

    void arrays() {
        Writer w;
        w.strings("strings", {"one", "", "three"}).strings("none", {});
        w.i32s("i32", {-1, 2}).u32s("u32", {4000000000u}).f32s("f32", {0.5f, -2});
        w.rawArray("i8", Writer::I8, 2, "\x80\x7f").rawArray("u8", Writer::U8, 1, "\xff");
        w.rawArray("i64", Writer::I64, 1, Writer::bytesOf(std::numeric_limits<int64_t>::min()));
        w.rawArray("u64", Writer::U64, 1, Writer::bytesOf(uint64_t{1} << 62));
        w.rawArray("too large", Writer::U64, 1, Writer::bytesOf(uint64_t{1} << 63));
        w.rawArray("i16", Writer::I16, 1, Writer::bytesOf(int16_t{-5}))
            .rawArray("u16", Writer::U16, 1, Writer::bytesOf(uint16_t{5}));
        w.rawArray("f64", Writer::F64, 1, Writer::bytesOf(0.25))
            .rawArray("bools", Writer::Bool, 2, std::string("\0\1", 2));
        const std::string file = w.bytes();
        const auto header = parsed(file);
        QVERIFY(header);
        using Integers = std::vector<int64_t>;
        QCOMPARE(header->strings("strings").value(), (std::vector<std::string_view>{"one", "", "three"}));
        QCOMPARE(header->strings("none").value().size(), size_t{0});
        QCOMPARE(header->integers("i32").value(), (Integers{-1, 2}));
        QCOMPARE(header->integers("u32").value(), (Integers{4000000000}));
        QCOMPARE(header->integers("i8").value(), (Integers{-128, 127}));
        QCOMPARE(header->integers("u8").value(), (Integers{255}));
        QCOMPARE(header->integers("i16").value(), (Integers{-5}));
        QCOMPARE(header->integers("u16").value(), (Integers{5}));
        QCOMPARE(header->integers("i64").value(), (Integers{std::numeric_limits<int64_t>::min()}));
        QCOMPARE(header->integers("u64").value(), (Integers{int64_t{1} << 62}));
        QVERIFY(!header->integers("too large"));
        QCOMPARE(header->floats("f32").value(), (std::vector<float>{0.5f, -2}));
        QCOMPARE(header->floats("f64").value(), (std::vector<float>{0.25f}));
        for (const char* key : {"f32", "strings", "bools"}) QVERIFY(!header->integers(key));
        for (const char* key : {"i32", "strings", "bools"}) QVERIFY(!header->floats(key));
        for (const char* key : {"i32", "f32", "bools"}) QVERIFY(!header->strings(key));
    }

    void tensors() {
        const std::string file = twoTensors().bytes();
        const auto header = parsed(file);
        QVERIFY(header);
        QCOMPARE(header->alignment, 32u);
        QCOMPARE(header->headerBytes, twoTensors().headerBytes().size());
        QCOMPARE(header->dataOffset, (header->headerBytes + 31) / 32 * 32);
        QCOMPARE(header->tensors.size(), size_t{2});
        const gguf::Tensor* a = header->tensor("a");
        const gguf::Tensor* b = header->tensor("b");
        QVERIFY(a && b);
        QCOMPARE(a->dimensions, 2);
        QCOMPARE(a->shape, (std::array<uint64_t, 4>{4, 3, 1, 1}));
        QCOMPARE(a->elements(), uint64_t{12});
        QCOMPARE(a->type, std::optional(TensorType::F32));
        QCOMPARE(a->bytes, uint64_t{48});
        QCOMPARE(b->type, std::optional(TensorType::Q4_0));
        QCOMPARE(b->bytes, uint64_t{36});
        QCOMPARE(file.substr(a->offset, a->bytes), std::string(48, 'a'));
        QCOMPARE(file.substr(b->offset, b->bytes), std::string(36, 'b'));
    }

    void version2AndOtherAlignments() {
        for (const uint32_t alignment : {1u, 8u, 64u, 4096u, 1u << 20}) {
            Writer w;
            w.version(2).alignment(alignment);
            w.tensor("a", {3}, kF32, std::string(12, 'a')).tensor("b", {1}, kF32, "bbbb");
            const std::string file = w.bytes();
            const auto header = parsed(file);
            QVERIFY(header);
            QCOMPARE(header->version, 2u);
            QCOMPARE(header->alignment, alignment);
            QCOMPARE(file.substr(header->tensor("b")->offset, 4), std::string("bbbb"));
        }
    }

    void unknownTypesAreKept() {
        Writer w;
        w.tensor("a", {32}, kQ4_0, std::string(18, 'a'));
        w.rawTensor("strange", {31, 7}, kUnknownType, 0).rawTensor("named", {256}, 34, 0);
        const std::string file = w.bytes();
        const auto header = parsed(file);
        QVERIFY(header);
        QVERIFY(!header->tensor("strange")->type);
        QCOMPARE(header->tensor("strange")->typeId, kUnknownType);
        QCOMPARE(header->tensor("strange")->bytes, uint64_t{0});
        QCOMPARE(typeName(kUnknownType), std::string("type 77"));
        QCOMPARE(typeName(header->tensor("named")->typeId), std::string("TQ1_0"));
        QCOMPARE(typeName(kQ4_0), std::string("Q4_0"));
    }

    void sizesOfTypes() {
        // Bytes of 256 values, from the published bits per weight: Q2_K 2.625, Q3_K 3.4375, Q4_K 4.5, Q5_K 5.5,
        // Q6_K 6.5625, IQ4_XS 4.25, IQ3_S 3.4375, IQ3_XXS 3.0625, IQ2_S 2.5625, IQ2_XS 2.3125, IQ2_XXS 2.0625,
        // IQ1_M 1.75, IQ1_S 1.5625.
        const std::vector<std::pair<TensorType, uint64_t>> sizes{
            {TensorType::F32, 1024},   {TensorType::F16, 512},    {TensorType::BF16, 512},   {TensorType::Q4_0, 144},
            {TensorType::Q4_1, 160},   {TensorType::Q5_0, 176},   {TensorType::Q5_1, 192},   {TensorType::Q8_0, 272},
            {TensorType::Q2_K, 84},    {TensorType::Q3_K, 110},   {TensorType::Q4_K, 144},   {TensorType::Q5_K, 176},
            {TensorType::Q6_K, 210},   {TensorType::IQ4_NL, 144}, {TensorType::IQ4_XS, 136}, {TensorType::MXFP4, 136},
            {TensorType::IQ3_S, 110},  {TensorType::IQ3_XXS, 98}, {TensorType::IQ2_S, 82},   {TensorType::IQ2_XS, 74},
            {TensorType::IQ2_XXS, 66}, {TensorType::IQ1_M, 56},   {TensorType::IQ1_S, 50}};
        QCOMPARE(sizes.size(), kKnownTypes.size());
        for (const auto& [type, bytes] : sizes) QCOMPARE(rowBytes(type, 256), bytes);
        for (uint32_t id = 0; id < 100; ++id) QCOMPARE(typeTraits(id).has_value(), !typeName(id).empty() && known(id));
    }
    static bool known(uint32_t id) {
        for (const uint32_t k : {0, 1, 2, 3, 6, 7, 8, 10, 11, 12, 13, 14, 16, 17, 18, 19, 20, 21, 22, 23, 29, 30, 39})
            if (k == id) return true;
        return false;
    }

    void aFileWithoutTensors() {
        Writer w;
        w.u32("x", 1);
        const std::string file = w.headerBytes(); // it is not padded either
        QVERIFY(parsed(file));
        QVERIFY(parsed(Writer().bytes()));
    }

    void truncatedPrefixesAskForMore() {
        const std::string file = twoTensors().bytes();
        const size_t needed = twoTensors().headerBytes().size();
        for (size_t length = 0; length < needed; ++length) {
            const auto header = gguf::parse(asBytes(file).first(length), file.size());
            QVERIFY(!header);
            QCOMPARE(header.error().kind, ErrorKind::Truncated);
        }
        for (size_t length = needed; length <= file.size(); ++length)
            QVERIFY(gguf::parse(asBytes(file).first(length), file.size()));
        // The reader does not look at more bytes than the file is said to have.
        QVERIFY(!gguf::parse(asBytes(file), needed - 1));
    }

    void refused_data() {
        QTest::addColumn<std::string>("file");
        QTest::addColumn<QString>("why");
        const auto row = [](const char* name, const std::string& file, const char* why) {
            QTest::newRow(name) << file << QString(why);
        };
        constexpr uint64_t huge = uint64_t{1} << 61;
        const std::string number = Writer::bytesOf(uint32_t{1});

        row("empty", "", "ends inside the header");
        row("three letters", "GGU", "ends inside the header");
        row("another format", "PK\3\4 and more", "not a GGUF file");
        row("an LFS pointer", "version https://git-lfs.github.com/spec/v1\n", "Git LFS");
        row("no counts", "GGUF" + Writer::bytesOf(uint32_t{3}), "ends inside the header");

        row("more tensors than fit", twoTensors().claimTensors(1000).bytes(), "1000 tensors");
        row("more keys than fit", twoTensors().claimKeys(1000).bytes(), "1000 keys");
        row("huge tensor count", twoTensors().claimTensors(~uint64_t{0}).bytes(), "tensors");
        row("huge key count", twoTensors().claimKeys(huge).bytes(), "keys");
        row("tensor count over its limit", twoTensors().claimTensors(200000).bytes() + std::string(10000000, 'x'),
            "200000 tensors");
        row("key count over its limit", twoTensors().claimKeys(70000).bytes() + std::string(10000000, 'x'),
            "70000 keys");
        row("fewer keys than there are", twoTensors().u32("x", 1).claimKeys(1).bytes(), "");
        row("more keys than there are", twoTensors().claimKeys(2).bytes(), "");

        row("name too long", Writer().u32(std::string(65536, 'n'), 1).bytes(), "65536 bytes");
        row("name longer than the file",
            "GGUF" + Writer::bytesOf(uint32_t{3}) + Writer::bytesOf(uint64_t{0}) + Writer::bytesOf(uint64_t{1}) +
                Writer::bytesOf(uint64_t{60000}) + std::string(20, 'x'),
            "ends inside a key's name");
        row("no name", Writer().u32("", 1).bytes(), "no name");
        row("a key twice", Writer().u32("x", 1).u32("x", 2).bytes(), "\"x\" is there twice");
        row("unknown value type", Writer().raw("x", 13, number).bytes(), "unknown type 13");
        row("neither true nor false", Writer().raw("x", Writer::Bool, "\2").bytes(), "neither true nor false");
        row("value missing", Writer().raw("x", Writer::U64, "123").headerBytes(), "ends inside");
        row("string longer than the file",
            Writer().raw("x", Writer::String, Writer::bytesOf(uint64_t{1000}) + "abc").bytes(), "ends inside a string");
        row("string over its limit",
            Writer().raw("x", Writer::String, Writer::bytesOf((uint64_t{64} << 20) + 1) + "abc").bytes(),
            "67108865 bytes");
        row("string of all bytes", Writer().raw("x", Writer::String, Writer::bytesOf(~uint64_t{0}) + "abc").bytes(),
            "bytes");

        row("unknown element type", Writer().rawArray("x", 99, 0, "").bytes(), "unknown type 99");
        row("array longer than the file", Writer().rawArray("x", Writer::U32, 100, std::string(40, 'x')).bytes(),
            "100 elements");
        row("array whose bytes overflow", Writer().rawArray("x", Writer::U64, huge, std::string(40, 'x')).bytes(),
            "elements");
        row("array of all elements", Writer().rawArray("x", Writer::U8, ~uint64_t{0}, std::string(40, 'x')).bytes(),
            "elements");
        row("strings longer than the file", Writer().rawArray("x", Writer::String, huge, std::string(40, 'x')).bytes(),
            "elements");
        row("a string in an array over its limit",
            Writer().rawArray("x", Writer::String, 1, Writer::bytesOf(~uint64_t{0}) + std::string(40, 'x')).bytes(),
            "string in an array");
        row("a string in an array too long",
            Writer().rawArray("x", Writer::String, 1, Writer::bytesOf(uint64_t{100}) + std::string(40, 'x')).bytes(),
            "ends inside a string in an array");

        row("alignment 0", Writer().u32("general.alignment", 0).bytes(), "general.alignment");
        row("alignment 3", Writer().u32("general.alignment", 3).bytes(), "general.alignment");
        row("alignment 2 MiB", Writer().u32("general.alignment", 2 << 20).bytes(), "general.alignment");
        row("alignment of text", Writer().string("general.alignment", "32").bytes(), "general.alignment");
        row("negative alignment", Writer().i32("general.alignment", -32).bytes(), "general.alignment");

        const auto tensor = [](const std::vector<uint64_t>& shape, uint32_t type, uint64_t offset, size_t data) {
            return Writer().rawTensor("t", shape, type, offset).bytes() + std::string(data, 'x');
        };
        row("no dimensions", tensor({}, kF32, 0, 64), "0 dimensions");
        row("five dimensions", tensor({1, 1, 1, 1, 1}, kF32, 0, 64), "5 dimensions");
        row("a zero dimension", tensor({4, 0}, kF32, 0, 64), "dimension of the tensor \"t\" is 0");
        row("elements overflow", tensor({huge, huge}, kF32, 0, 64), "too large");
        row("elements overflow to a small number", tensor({uint64_t{1} << 32, uint64_t{1} << 32, 1, 16}, kF32, 0, 64),
            "too large");
        row("elements over the signed range", tensor({uint64_t{1} << 63}, kF32, 0, 64), "too large");
        row("bytes overflow", tensor({uint64_t{1} << 62}, kF32, 0, 64), "larger than any file");
        row("half a block", tensor({48}, kQ4_0, 0, 64), "48 values");
        row("an offset off the alignment", tensor({4}, kF32, 16, 64), "multiple of 32");
        row("beyond the end", tensor({17}, kF32, 0, 64), "beyond the end");
        row("an offset beyond the end", tensor({4}, kF32, 64, 64), "beyond the end");
        row("an offset that overflows", tensor({4}, kF32, ~uint64_t{31}, 64), "beyond the end");
        row("an unknown type's offset that overflows", tensor({4}, kUnknownType, ~uint64_t{31}, 64), "beyond the end");
        row("no tensor name", Writer().tensor("", {4}, kF32, std::string(16, 'x')).bytes(), "no name");
        row("tensor name too long", Writer().tensor(std::string(1025, 'n'), {4}, kF32, std::string(16, 'x')).bytes(),
            "1025 bytes");
        row("a tensor twice", twoTensors().rawTensor("a", {4}, kF32, 0).bytes(), "\"a\" is there twice");
        row("the same bytes twice", twoTensors().rawTensor("c", {4}, kF32, 0).bytes(), "overlap");
        row("overlap by a block", twoTensors().rawTensor("c", {4}, kF32, 32).bytes(), "overlap");
    }
    void refused() {
        QFETCH(std::string, file);
        QFETCH(QString, why);
        const auto header = parsed(file);
        QVERIFY(!header);
        QCOMPARE(header.error().kind, ErrorKind::BadInput);
        QVERIFY(!header.error().what.empty() && !header.error().why.empty() && !header.error().action.empty());
        QVERIFY2(QString::fromStdString(header.error().why.english()).contains(why),
                 header.error().why.english().c_str());
        QVERIFY(header.error().line().size() < 500);
    }

    /// A row must be whole blocks of its format, and the file must hold all of their bytes.
    void blocksThatDoNotFit() {
        for (const KnownType& known : kKnownTypes) {
            const auto refusal = [&known](uint64_t values, size_t bytes) {
                const auto id = static_cast<uint32_t>(known.type);
                const std::string file = Writer().rawTensor("t", {values}, id, 0).bytes() + std::string(bytes, 'x');
                const auto header = parsed(file);
                return header ? std::string() : header.error().line();
            };
            const std::string name = known.traits.name;
            const size_t bytes = rowBytes(known.type, 256);
            QVERIFY2(refusal(256, bytes).empty(), name.c_str());
            QVERIFY2(refusal(256, bytes - 1).find("beyond the end") != std::string::npos, name.c_str());
            const uint32_t block = known.traits.blockElements;
            if (block == 1) continue;
            const std::string why = refusal(256 + block / 2, 2 * bytes);
            QVERIFY2(why.find("not a whole number of " + name + " blocks") != std::string::npos, why.c_str());
        }
    }

    void notSupported_data() {
        QTest::addColumn<std::string>("file");
        QTest::addColumn<QString>("why");
        QTest::newRow("version 1") << Writer().version(1).bytes() << "version is 1";
        QTest::newRow("version 4") << Writer().version(4).bytes() << "version is 4";
        QTest::newRow("version 0") << Writer().version(0).bytes() << "version is 0";
        QTest::newRow("big-endian 3") << Writer().version(3u << 24).bytes() << "big-endian";
        QTest::newRow("big-endian 2") << Writer().version(2u << 24).bytes() << "big-endian";
        QTest::newRow("arrays of arrays")
            << Writer().rawArray("x", Writer::Array, 1, std::string(40, '\0')).bytes() << "array of arrays";
    }
    void notSupported() {
        QFETCH(std::string, file);
        QFETCH(QString, why);
        const auto header = parsed(file);
        QVERIFY(!header);
        QCOMPARE(header.error().kind, ErrorKind::Unsupported);
        QVERIFY2(QString::fromStdString(header.error().why.english()).contains(why),
                 header.error().why.english().c_str());
    }

    void tensorsMayTouchButNotOverlap() {
        Writer w;
        w.tensor("first", {8}, kF32, std::string(32, 'x'));
        w.rawTensor("third", {8}, kF32, 64).rawTensor("second", {8}, kF32, 32); // the order of tensors does not matter
        QVERIFY(parsed(w.bytes() + std::string(64, 'x')));
    }

    void namesFromTheFileStayOnOneShortLine() {
        const std::string file = Writer().u32(std::string(5000, '\n'), 1).u32(std::string(5000, '\n'), 1).bytes();
        const auto header = parsed(file);
        QVERIFY(!header);
        QVERIFY(header.error().line().size() < 500);
        QVERIFY(header.error().line().find('\n') == std::string::npos);
    }

    /// A false claim in the file costs nothing: the memory that is used depends on the bytes at hand, not on their
    /// claims.
    void liesAreNotAllocated() {
        // A sparse file of 1 TiB makes the counts plausible; the bytes at hand are 100.
        Writer w;
        w.claimTensors(100000).claimKeys(60000);
        std::string file = w.bytes();
        file.resize(100, 'x');
        const auto header = gguf::parse(asBytes(file), uint64_t{1} << 40);
        QVERIFY(!header);
        Writer strings;
        strings.rawArray("tokens", Writer::String, uint64_t{1} << 36, std::string(40, '\0'));
        const std::string many = strings.bytes();
        const auto vocabulary = gguf::parse(asBytes(many), uint64_t{1} << 40);
        QVERIFY(!vocabulary);
        QCOMPARE(vocabulary.error().kind, ErrorKind::Truncated);
    }

    void aLargeVocabulary() {
        std::vector<std::string> tokens;
        for (int i = 0; i < 152000; ++i) tokens.push_back("token" + std::to_string(i));
        Writer w;
        w.strings("tokenizer.ggml.tokens", tokens).strings("tokenizer.ggml.merges", tokens);
        const std::string file = w.bytes();
        const auto header = parsed(file);
        QVERIFY(header);
        const auto strings = header->strings("tokenizer.ggml.tokens");
        QVERIFY(strings);
        QCOMPARE(strings->size(), tokens.size());
        QVERIFY(std::equal(tokens.begin(), tokens.end(), strings->begin()));
    }
};

QTEST_APPLESS_MAIN(TestGguf)
#include "tst_gguf.moc"
