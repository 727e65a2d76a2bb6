// SPDX-License-Identifier: Apache-2.0
// Models that could see images: what is said of them, by their own file and by the file of their other half beside it;
// that half by itself; and positions in parts, which change nothing for a text.
#include "session/opened_model.h"
#include "support/gguf_writer.h"

#include <QDir>
#include <QFile>
#include <QtTest>

using namespace coterie::engine;
using namespace coterie::test;

namespace {

const char* const kNote = "This model could see images; Coterie cannot yet";

OpenOptions at(const std::string& path) {
    OpenOptions options;
    options.path = path;
    options.threads = 1;
    return options;
}

bool write(const std::string& path, const std::string& bytes) {
    QFile file(QString::fromStdString(path));
    return file.open(QIODevice::WriteOnly) && file.write(bytes.data(), qint64(bytes.size())) == qint64(bytes.size());
}

/// The half of a model that turns images into input of this width.
std::string otherHalf(uint32_t width, const std::string& name = {}, bool sees = true) {
    GgufWriter w;
    w.string("general.architecture", "clip").string("general.type", "mmproj");
    if (!name.empty()) w.string("general.name", name);
    w.boolean("clip.has_vision_encoder", sees).boolean("clip.has_audio_encoder", !sees);
    w.u32("clip.vision.projection_dim", width);
    w.tensor("v.post_ln.weight", {32}, 0, floatBytes(std::vector<float>(32, 1.0f)));
    return w.bytes();
}

std::ptrdiff_t notes(const ModelInfo& info) {
    return std::count_if(info.notes.begin(), info.notes.end(),
                         [](const Sentence& note) { return note.english() == kNote; });
}

/// How often the note stands in both descriptions of the file; -1 if they differ.
std::ptrdiff_t notesOf(const std::string& path) {
    const auto session = openTiny(path);
    const Result<ModelInfo> inspected = inspectModel(at(path));
    if (!session || !inspected || notes(session->info()) != notes(*inspected)) return -1;
    return notes(*inspected);
}

std::vector<TokenId> tokensOf(const std::string& path) {
    const auto session = openTiny(path);
    if (!session) return {};
    const Result<Generated> generated = session->complete("Tell a tale", greedy(24), {});
    std::vector<TokenId> tokens;
    if (generated)
        for (const TokenRecord& token : generated->tokens) tokens.push_back(token.id);
    return tokens;
}

} // namespace

class TestImages : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void theFileSaysIt_data() {
        QTest::addColumn<QString>("architecture");
        QTest::addColumn<QString>("key");
        QTest::addColumn<int>("said");
        QTest::newRow("nothing") << "llama"
                                 << "" << 0;
        QTest::newRow("positions in parts") << "qwen3vl"
                                            << "" << 1;
        QTest::newRow("with experts") << "qwen3vlmoe"
                                      << "" << 1;
        QTest::newRow("a key about it") << "llama"
                                        << "llama.vision.image_size" << 1;
        QTest::newRow("a key that names the file") << "llama"
                                                   << "general.mmproj" << 1;
        QTest::newRow("the publisher's tag") << "qwen3"
                                             << "image-text-to-text" << 1;
        QTest::newRow("another tag") << "qwen3"
                                     << "text-generation" << 0;
    }
    void theFileSaysIt() {
        QFETCH(QString, architecture);
        QFETCH(QString, key);
        QFETCH(int, said);
        ModelFolder folder;
        TinyModelOptions tiny;
        tiny.architecture = architecture.toStdString();
        tiny.extraKeys = [name = key.toStdString()](GgufWriter& w) {
            if (name.find('.') != name.npos) w.u32(name, 224);
            if (name.find('-') != name.npos) w.strings("general.tags", {"chat", name});
        };
        QCOMPARE(notesOf(folder.save(tiny)), std::ptrdiff_t(said));
    }

    void theOtherHalfBesideItSaysIt_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("width");
        QTest::addColumn<bool>("sees");
        QTest::addColumn<int>("said");
        QTest::newRow("beside it") << "mmproj-F16.gguf" << 64 << true << 1;
        QTest::newRow("named after the model") << "Tiny-MMPROJ-BF16.gguf" << 64 << true << 1;
        QTest::newRow("another model's") << "mmproj-F16.gguf" << 128 << true << 0;
        QTest::newRow("one that hears") << "mmproj-F16.gguf" << 64 << false << 0;
        QTest::newRow("another name") << "encoder.gguf" << 64 << true << 0;
        QTest::newRow("another kind of file") << "mmproj-F16.txt" << 64 << true << 0;
    }
    void theOtherHalfBesideItSaysIt() {
        QFETCH(QString, name);
        QFETCH(int, width);
        QFETCH(bool, sees);
        QFETCH(int, said);
        ModelFolder folder;
        const std::string path = folder.save({});
        QCOMPARE(notesOf(path), std::ptrdiff_t(0));
        QVERIFY(write(folder.path(name.toStdString()), otherHalf(static_cast<uint32_t>(width), {}, sees)));
        QCOMPARE(notesOf(path), std::ptrdiff_t(said));
    }

    /// A file beside the model closes nothing, whatever is in it, and a name alone is a path too.
    void aBrokenFileBesideItTellsNothing() {
        ModelFolder folder;
        const std::string path = folder.save({});
        for (const std::string& bytes : {std::string(), std::string("GGUF"), otherHalf(64).substr(0, 90),
                                         std::string(4096, '\xff'), makeTinyModel({}).bytes}) {
            QVERIFY(write(folder.path("mmproj-F16.gguf"), bytes));
            QCOMPARE(notesOf(path), std::ptrdiff_t(0));
        }
        QVERIFY(write(folder.path("mmproj-F16.gguf"), otherHalf(64)));
        const QString before = QDir::currentPath();
        const QFileInfo file(QString::fromStdString(path));
        QVERIFY(QDir::setCurrent(file.absolutePath()));
        const std::ptrdiff_t said = notesOf(file.fileName().toStdString());
        QVERIFY(QDir::setCurrent(before));
        QCOMPARE(said, std::ptrdiff_t(1));
    }

    void theOtherHalfAloneIsRefused() {
        ModelFolder folder;
        for (const std::string name : {"", "Tiny 3 VL"}) {
            const std::string path = folder.path("mmproj.gguf");
            QVERIFY(write(path, otherHalf(64, name)));
            const Result<std::unique_ptr<Session>> session = openSession(at(path));
            QVERIFY(!session);
            QCOMPARE(session.error().kind, ErrorKind::Unsupported);
            const Result<ModelInfo> info = inspectModel(at(path));
            QVERIFY(info.ok() && info->problems.size() == 1 && notes(*info) == 0); // no word of the missing vocabulary
            for (const std::string& line : {session.error().line(), info->problems.front().line()})
                for (const std::string& words :
                     {name, std::string("belongs to"), std::string("could see images, but Coterie cannot yet"),
                      std::string("Open the file of the language model")})
                    QVERIFY2(line.find(words) != line.npos, line.c_str());
        }
    }

    /// The same weights and words, with positions in parts and without.
    void textIsAnsweredAsWithoutParts() {
        for (const auto& [plain, sees] : {std::pair("qwen3", "qwen3vl"), std::pair("qwen3moe", "qwen3vlmoe")}) {
            ModelFolder folder;
            const bool tied = std::string_view(plain) == "qwen3";
            const auto save = [&](const char* architecture) {
                TinyModelOptions tiny;
                tiny.architecture = architecture;
                tiny.name = "tiny";
                tiny.tied = tied;
                return folder.save(tiny);
            };
            const std::vector<TokenId> wanted = tokensOf(save(plain));
            QVERIFY(wanted.size() > 4);
            QCOMPARE(tokensOf(save(sees)), wanted);
        }
    }

    void partsThatDoNotCoverAHeadAreRefused_data() {
        QTest::addColumn<QList<int>>("parts");
        QTest::addColumn<bool>("opens");
        QTest::newRow("as published") << QList<int>{6, 5, 5, 0} << true;
        QTest::newRow("three numbers") << QList<int>{6, 5, 5} << true;
        QTest::newRow("all in one") << QList<int>{16, 0, 0, 0} << true;
        QTest::newRow("too few pairs") << QList<int>{6, 5, 4, 0} << false;
        QTest::newRow("too many") << QList<int>{6, 5, 6, 0} << false;
        QTest::newRow("a fourth part") << QList<int>{6, 5, 4, 1} << false;
        QTest::newRow("below zero") << QList<int>{21, -5, 0, 0} << false;
        QTest::newRow("large") << QList<int>{2'000'000'000, 2'000'000'000, 294'967'312} << false;
        QTest::newRow("two numbers") << QList<int>{8, 8} << false;
        QTest::newRow("none") << QList<int>{} << false;
    }
    void partsThatDoNotCoverAHeadAreRefused() {
        QFETCH(QList<int>, parts);
        QFETCH(bool, opens);
        ModelFolder folder;
        TinyModelOptions tiny;
        tiny.architecture = "qwen3vl";
        tiny.skipKey = "qwen3vl.rope.dimension_sections";
        tiny.extraKeys = [&](GgufWriter& w) {
            w.i32s("qwen3vl.rope.dimension_sections", std::vector<int32_t>(parts.begin(), parts.end()));
        };
        const Result<std::unique_ptr<Session>> session = openSession(at(folder.save(tiny)));
        QVERIFY2(session.ok() == opens, session ? "it opened" : session.error().line().c_str());
        if (!opens) QVERIFY(session.error().line().find("rope.dimension_sections") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestImages)
#include "tst_images.moc"
