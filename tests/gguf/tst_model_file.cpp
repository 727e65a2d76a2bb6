// SPDX-License-Identifier: Apache-2.0
// Model files on disk: growing reads of the header, tensors by position, and files that fail or vanish.
#include "gguf/model_file.h"
#include "support/faulty_files.h"
#include "support/gguf_writer.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

using namespace coterie;
using namespace coterie::engine;
using test::GgufWriter;

class TestModelFile : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    std::string write(const char* name, const std::string& bytes) {
        const QString path = folder_.filePath(name);
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes.data(), static_cast<qint64>(bytes.size())) < 0)
            return {};
        return path.toStdString();
    }
    static std::string smallModel() {
        GgufWriter w;
        w.string("general.architecture", "llama");
        w.tensor("a", {4}, 0, "aaaaAAAAbbbbBBBB").tensor("b", {1}, 0, "cccc");
        return w.bytes();
    }
    static std::string textOf(const ModelFile& file, const char* tensor, uint64_t offset, size_t length) {
        std::string text(length, '?');
        const Status read = file.read(*file.header().tensor(tensor), offset, std::as_writable_bytes(std::span(text)));
        return read ? text : "error: " + read.error().line();
    }

    static std::string shard(int number, int count, const char* tensor, const char* data, int tensors = 3) {
        GgufWriter w;
        if (number == 0) w.string("general.architecture", "llama");
        w.u16("split.no", static_cast<uint16_t>(number)).u16("split.count", static_cast<uint16_t>(count));
        w.i32("split.tensors.count", tensors);
        if (*tensor != 0) w.tensor(tensor, {1}, 0, data);
        return w.bytes();
    }
    /// A model in three files, the first without tensors, as some models have it; `change` replaces one of them.
    std::string writeShards(const char* name, int changed = -1, const std::string& change = {}) {
        const char* const tensors[] = {"", "a", "b"};
        const char* const data[] = {"", "aaaa", "bbbb"};
        std::string first;
        for (int i = 0; i < 3; ++i) {
            const std::string file = std::string(name) + "-0000" + std::to_string(i + 1) + "-of-00003.gguf";
            const std::string path = write(file.c_str(), i == changed ? change : shard(i, 3, tensors[i], data[i], 2));
            if (i == 0) first = path;
        }
        return first;
    }

  private Q_SLOTS:
    void tensorsByPosition() {
        const std::string path = write("small model.gguf", smallModel());
        auto file = ModelFile::open(systemFiles(), path);
        QVERIFY(file);
        QCOMPARE(file.value()->path(), path);
        QCOMPARE(file.value()->size(), static_cast<uint64_t>(smallModel().size()));
        QCOMPARE(file.value()->header().string("general.architecture"), std::optional<std::string_view>("llama"));
        QCOMPARE(textOf(*file.value(), "a", 0, 16), std::string("aaaaAAAAbbbbBBBB"));
        QCOMPARE(textOf(*file.value(), "a", 6, 4), std::string("AAbb"));
        QCOMPARE(textOf(*file.value(), "b", 0, 4), std::string("cccc"));
        QVERIFY(textOf(*file.value(), "a", 13, 4).starts_with("error"));
        QVERIFY(textOf(*file.value(), "a", ~uint64_t{0}, 4).starts_with("error"));
    }

    /// A header of several MiB with a vocabulary, and data behind it: the views must stay valid after the last growth.
    void longHeaders() {
        std::vector<std::string> tokens;
        for (int i = 0; i < 300000; ++i) tokens.push_back("a token " + std::to_string(i));
        GgufWriter w;
        w.strings("tokenizer.ggml.tokens", tokens);
        w.tensor("a", {1u << 20}, 0, std::string(4 << 20, 'd'));
        const std::string path = write("long.gguf", w.bytes());
        test::FaultyFiles files;
        auto file = ModelFile::open(files, path);
        QVERIFY(file);
        const auto strings = file.value()->header().strings("tokenizer.ggml.tokens");
        QVERIFY(strings);
        QVERIFY(std::equal(tokens.begin(), tokens.end(), strings->begin(), strings->end()));
        QCOMPARE(textOf(*file.value(), "a", (4 << 20) - 2, 2), std::string("dd"));
        QVERIFY(files.reads() > 2);  // the reads grew
        QVERIFY(files.reads() < 12); // by doubling
    }

    void everyCallFailsOnce() {
        const std::string path = write("small.gguf", smallModel());
        int runs = 0;
        for (bool completed = false; !completed; ++runs) {
            test::FaultyFiles files;
            files.failCall(runs + 1);
            auto file = ModelFile::open(files, path);
            const bool read = file && textOf(*file.value(), "b", 0, 4) == "cccc";
            completed = !files.fired();
            QCOMPARE(read, completed);
            if (!file) QVERIFY(file.error().line().find(path) != std::string::npos);
        }
        QCOMPARE(runs, 4); // open, header, tensor, and the run without a failure
    }

    void errorsNameTheFile() {
        const std::string path = write("bad.gguf", "not a model at all, whatever its name says");
        const auto bad = ModelFile::open(systemFiles(), path);
        QVERIFY(!bad);
        QCOMPARE(bad.error().kind, ErrorKind::BadInput);
        QVERIFY(bad.error().what.english().find(path) != std::string::npos);
        const auto empty = ModelFile::open(systemFiles(), write("empty.gguf", ""));
        QVERIFY(!empty);
        QCOMPARE(empty.error().kind, ErrorKind::BadInput);
        const auto missing = ModelFile::open(systemFiles(), folder_.filePath("missing.gguf").toStdString());
        QVERIFY(!missing);
        QCOMPARE(missing.error().kind, ErrorKind::NotFound);
    }

    void aFileThatShrinksWhileOpen() {
        GgufWriter w;
        w.tensor("a", {1u << 19}, 0, std::string(2 << 20, 'd'));
        const std::string path = write("shrinks.gguf", w.bytes());
        auto file = ModelFile::open(systemFiles(), path);
        QVERIFY(file);
        QVERIFY(QFile::resize(QString::fromStdString(path), 1 << 20));
        std::vector<std::byte> bytes(2 << 20);
        const Status read = file.value()->read(file.value()->header().tensors[0], 0, bytes);
        QVERIFY(!read);
        QCOMPARE(read.error().kind, ErrorKind::Io);
        QVERIFY(read.error().what.english().find(path) != std::string::npos);
    }

    void shardsAreOneModel() {
        const std::string first = writeShards("whole");
        for (const char* number : {"00001", "00002", "00003"}) {
            std::string path = first;
            path.replace(path.rfind("00001-of"), 5, number);
            auto file = ModelFile::open(systemFiles(), path);
            QVERIFY2(file.ok(), file ? "" : file.error().line().c_str());
            QCOMPARE(file.value()->path(), path);
            QCOMPARE(file.value()->shards(), size_t{3});
            QCOMPARE(file.value()->header().tensors.size(), size_t{2});
            QCOMPARE(file.value()->header().string("general.architecture"), std::optional<std::string_view>("llama"));
            QCOMPARE(textOf(*file.value(), "a", 0, 4), std::string("aaaa"));
            QCOMPARE(textOf(*file.value(), "b", 0, 4), std::string("bbbb"));
        }
    }

    void wrongShards_data() {
        QTest::addColumn<int>("changed");
        QTest::addColumn<QByteArray>("change");
        QTest::addColumn<QString>("named");
        const auto row = [](const char* name, int changed, const std::string& change, const char* named) {
            QTest::newRow(name) << changed << QByteArray::fromStdString(change) << QString(named);
        };
        row("another shard's bytes", 1, shard(2, 3, "b", "bbbb", 2), "file 3 of 3");
        row("of another set", 1, shard(1, 4, "a", "aaaa", 2), "file 2 of 4");
        row("no shard at all", 2, smallModel(), "which of the model's files");
        row("not a model", 2, "something else", "00003-of-00003");
        row("empty", 1, "", "00002-of-00003");
        row("a tensor twice", 2, shard(2, 3, "a", "cccc", 2), "'a' is in an earlier file");
        row("a tensor too few", 2, shard(2, 3, "", "", 2), "hold 1 tensors");
        row("a huge number", 1, GgufWriter().u64("split.no", ~uint64_t{0}).u64("split.count", ~uint64_t{0}).bytes(),
            "00002-of-00003");
    }
    void wrongShards() {
        QFETCH(int, changed);
        QFETCH(QByteArray, change);
        QFETCH(QString, named);
        const auto file = ModelFile::open(systemFiles(), writeShards("wrong", changed, change.toStdString()));
        QVERIFY(!file);
        QCOMPARE(file.error().kind, ErrorKind::BadInput);
        QVERIFY2(file.error().line().find(named.toStdString()) != std::string::npos, file.error().line().c_str());
    }

    void missingAndRenamedShards() {
        const std::string first = writeShards("gone");
        std::string second = first;
        second.replace(second.rfind("00001-of"), 5, "00002");
        QVERIFY(QFile::rename(QString::fromStdString(second), folder_.filePath("renamed.gguf")));
        const auto missing = ModelFile::open(systemFiles(), first);
        QVERIFY(!missing);
        QCOMPARE(missing.error().kind, ErrorKind::NotFound);
        QVERIFY2(missing.error().what.english().find(second) != std::string::npos, missing.error().line().c_str());
        const auto renamed = ModelFile::open(systemFiles(), folder_.filePath("renamed.gguf").toStdString());
        QVERIFY(!renamed);
        QVERIFY2(renamed.error().action.english().find("names that they came with") != std::string::npos,
                 renamed.error().line().c_str());
    }

    void everyCallFailsOnceWithShards() {
        const std::string path = writeShards("failing");
        int runs = 0;
        for (bool completed = false; !completed; ++runs) {
            test::FaultyFiles files;
            files.failCall(runs + 1);
            auto file = ModelFile::open(files, path);
            const bool read = file && textOf(*file.value(), "b", 0, 4) == "bbbb";
            completed = !files.fired();
            QCOMPARE(read, completed);
        }
        QCOMPARE(runs, 10); // the first file twice, the others, a tensor, and the run without a failure
    }

    void aShardThatVanishesIsNamed() {
        const std::string first = writeShards("vanishing");
        auto file = ModelFile::open(systemFiles(), first);
        QVERIFY(file);
        std::string third = first;
        third.replace(third.rfind("00001-of"), 5, "00003");
        QVERIFY(QFile::resize(QString::fromStdString(third), 10));
        const std::string text = textOf(*file.value(), "b", 0, 4);
        QVERIFY2(text.find(third) != std::string::npos, text.c_str());
        QCOMPARE(textOf(*file.value(), "a", 0, 4), std::string("aaaa"));
    }

    /// A sparse file of 300 MiB that claims to be one array. Reading it ends at the limit, not when memory is full.
    void aHeaderWithoutEnd() {
        const QString path = folder_.filePath("endless.gguf");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        GgufWriter w;
        w.rawArray("x", GgufWriter::U8, uint64_t{280} << 20, "");
        file.write(w.headerBytes().c_str(), static_cast<qint64>(w.headerBytes().size()));
        if (!file.resize(qint64{300} << 20)) QSKIP("no sparse files here");
        file.close();
        const auto opened = ModelFile::open(systemFiles(), path.toStdString());
        QVERIFY(!opened);
        QCOMPARE(opened.error().kind, ErrorKind::BadInput);
        QVERIFY2(opened.error().why.english().find("256 MiB") != std::string::npos,
                 opened.error().why.english().c_str());
    }
};

QTEST_GUILESS_MAIN(TestModelFile)
#include "tst_model_file.moc"
