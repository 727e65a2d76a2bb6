// SPDX-License-Identifier: Apache-2.0
// Models that could see images: positions in parts change nothing for a text.
#include "session/opened_model.h"

#include <QtTest>

using namespace coterie::engine;
using namespace coterie::test;

namespace {

OpenOptions at(const std::string& path) {
    OpenOptions options;
    options.path = path;
    options.threads = 1;
    return options;
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
