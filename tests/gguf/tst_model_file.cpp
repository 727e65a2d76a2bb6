// SPDX-License-Identifier: Apache-2.0
// Model files on disk: growing reads of the header, tensors by position, and files that fail or go away.
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

  private slots:
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

    /// A header of several MiB with a vocabulary, and data behind it: the views must hold after the last growth.
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
        QVERIFY(files.reads() > 2);  // it grew
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
        QVERIFY(bad.error().what.find(path) != std::string::npos);
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
        QVERIFY(read.error().what.find(path) != std::string::npos);
    }

    /// Sparse: 300 MiB that claim to be one array. It ends at the limit, not at the end of memory.
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
        QVERIFY2(opened.error().why.find("256 MiB") != std::string::npos, opened.error().why.c_str());
    }
};

QTEST_GUILESS_MAIN(TestModelFile)
#include "tst_model_file.moc"
