// SPDX-License-Identifier: Apache-2.0
// A model whose files another program overwrites while a session has them open: an answer that reads from them ends
// with an error and keeps its words. tests/base/tst_reads.cpp has the reads themselves.
#include "session/opened_model.h"
#include "session/packed_files.h"

#include <QFile>
#include <QFileInfo>
#include <QtTest>

using namespace coterie::engine;
using namespace coterie::test;

namespace {

const std::vector<Message> kFirst{Message::text(Role::User, "A lamp on the pier")};
const std::vector<Message> kSecond{Message::text(Role::User, "QUICK! 9876543210 zephyrs & jugs; why?")};

TinyModelOptions sparse(int shards) {
    TinyModelOptions model{.architecture = "qwen3moe", .layers = 6, .experts = 16};
    model.shards = shards;
    return model;
}

/// Writes other bytes over the second half of a file, whose size stays. Returns after the file's time has changed: a
/// system may count time in steps of some milliseconds.
void overwrite(const std::string& path) {
    const QString name = QString::fromStdString(path);
    const QDateTime before = QFileInfo(name).lastModified();
    const auto write = [&name] {
        QFile file(name);
        const qint64 half = file.size() / 2;
        if (!file.open(QIODevice::ReadWrite) || !file.seek(half)) qFatal("can't open %s", qPrintable(name));
        file.write(QByteArray(static_cast<qsizetype>(file.size() - half), '\x3a'));
        file.close();
        return QFileInfo(name).lastModified();
    };
    QTRY_VERIFY(write() != before);
}

/// A session with room for few experts, so that answers read the others from disk.
std::unique_ptr<Session> openShort(OpenOptions options) {
    options.context = 256;
    options.threads = 1;
    options.held = 64 << 20;
    static const QTemporaryDir records; // so that the disk is measured once
    options.recordsFolder = records.path().toStdString();
    const Result<ModelInfo> plan = inspectModel(options);
    if (!plan) qFatal("%s", plan.error().line().c_str());
    options.memory = plan->memory.minimumTotal + plan->memory.slotBytes / 2;
    Result<std::unique_ptr<Session>> session = openSession(options);
    if (!session) qFatal("%s", session.error().line().c_str());
    return std::move(session).value();
}

bool isAbout(const Error& error, const std::string& path) {
    return error.kind == ErrorKind::Io && error.what.english().find(path) != std::string::npos &&
           error.why.english().find("changed") != std::string::npos && !error.action.empty();
}

} // namespace

class TestChangedModel : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void anAnswerThatReadsEndsWithAnError_data() {
        QTest::addColumn<bool>("direct");
        QTest::addColumn<int>("shards");
        QTest::addColumn<bool>("packed");
        QTest::newRow("one file") << true << 1 << false;
        QTest::newRow("one file, page cache") << false << 1 << false;
        QTest::newRow("the last of three files") << true << 3 << false;
        QTest::newRow("packed file") << true << 1 << true;
    }
    void anAnswerThatReadsEndsWithAnError() {
        QFETCH(bool, direct);
        QFETCH(int, shards);
        QFETCH(bool, packed);
        const ModelFolder folder;
        OpenOptions options;
        options.path = folder.save(sparse(shards));
        std::string changed = options.path;
        if (shards > 1) {
            options.path = shardPath(changed, 1, shards);
            changed = shardPath(changed, shards, shards);
        }
        options.experts.direct = direct;
        if (packed) {
            options.packedFolder = folder.path("packed");
            const Result<PackedFileStatus> made = packModel(options, {});
            QVERIFY(made.ok());
            changed = made->path;
        }
        const std::unique_ptr<Session> session = openShort(options);
        const Result<Generated> first = session->chat(kFirst, greedy(8), {});
        QVERIFY2(first.ok(), first ? "" : first.error().line().c_str());
        QVERIFY(first->statistics.counts.bytesRead > 0);
        overwrite(changed);
        for (int i = 0; i < 2; ++i) { // it stays so: bytes that come later are no better
            const Result<Generated> second = session->chat(kSecond, greedy(8), {});
            QVERIFY(!second);
            QVERIFY2(isAbout(second.error(), changed), second.error().line().c_str());
        }
        // A person then opens the model again, as it is now.
        if (packed) QVERIFY(QFile::remove(QString::fromStdString(changed)));
        QVERIFY(openShort(options)->chat(kSecond, greedy(8), {}).ok());
    }

    /// The model changes under an answer that is half written.
    void wordsThatWereSaidStay() {
        const ModelFolder folder;
        OpenOptions options;
        options.path = folder.save(sparse(1));
        GenerateOptions long_ = greedy(200);
        std::vector<std::string> wanted, said;
        const auto keep = [](std::vector<std::string>& words, const Delta& delta) {
            if (delta.token >= 0) words.emplace_back(delta.text);
        };
        QVERIFY(openShort(options)->chat(kSecond, long_, [&](const Delta& d) { keep(wanted, d); }).ok());
        constexpr size_t kBefore = 5;
        QVERIFY(wanted.size() > 2 * kBefore);
        const Result<Generated> answer = openShort(options)->chat(kSecond, long_, [&](const Delta& delta) {
            keep(said, delta);
            if (delta.token >= 0 && said.size() == kBefore) overwrite(options.path);
        });
        QVERIFY(!answer);
        QVERIFY2(isAbout(answer.error(), options.path), answer.error().line().c_str());
        // Each of these words comes from the model that was opened, and nothing comes from the other bytes.
        QVERIFY(said.size() >= kBefore && said.size() < wanted.size());
        QVERIFY(std::equal(said.begin(), said.end(), wanted.begin()));
    }

    /// Nothing is read then, so there is nothing to warn about.
    void aModelThatIsInMemoryAnswers() {
        const ModelFolder folder;
        const std::string path = folder.save(sparse(1));
        const std::unique_ptr<Session> session = openTiny(path);
        QVERIFY(session);
        const uint64_t experts = session->info().memory.totalExperts;
        QTRY_COMPARE(session->telemetry().slots.used, experts);
        const Result<Generated> before = session->chat(kSecond, greedy(8), {});
        QVERIFY(before.ok());
        overwrite(path);
        const Result<Generated> after = session->chat(kSecond, greedy(8), {});
        QVERIFY2(after.ok(), after ? "" : after.error().line().c_str());
        QCOMPARE(after->text(), before->text());
    }

    /// Rows of embeddings by layer stay on disk, even if everything else is in memory.
    void rowsOfAModelThatIsInMemoryAreRead() {
        const ModelFolder folder;
        const std::string path = folder.save({.architecture = "gemma4",
                                              .layers = 6,
                                              .headDim = 64,
                                              .window = 8,
                                              .sharedLayers = 3,
                                              .layerEmbedding = 32});
        const std::unique_ptr<Session> session = openTiny(path);
        QVERIFY(session);
        const Result<Generated> first = session->chat(kFirst, greedy(8), {});
        QVERIFY2(first.ok(), first ? "" : first.error().line().c_str());
        overwrite(path);
        QVERIFY(session->chat(kFirst, greedy(8), {}).ok()); // its rows are in memory by now
        for (int i = 0; i < 2; ++i) {
            const Result<Generated> second = session->chat(kSecond, greedy(8), {});
            QVERIFY(!second);
            QVERIFY2(isAbout(second.error(), path), second.error().line().c_str());
        }
        QVERIFY(openTiny(path)->chat(kSecond, greedy(8), {}).ok());
    }
};

QTEST_GUILESS_MAIN(TestChangedModel)
#include "tst_changed_model.moc"
