// SPDX-License-Identifier: Apache-2.0
// Blocks of an answer: where the text is cut, and that the pieces in which it arrived make no difference.
#include "block_parser.h"

#include <QtTest>

using namespace coterie;
using namespace coterie::app;

namespace {

/// Writes blocks as "text|code:python|thought" with their texts, so that a failure is easy to read.
QString shape(const std::vector<Block>& blocks) {
    QStringList parts;
    for (const Block& block : blocks) {
        const QVariantMap map = block.toVariant();
        parts.append(QStringLiteral("%1(%2)[%3]%4")
                         .arg(map[QStringLiteral("kind")].toString(), block.language, block.text,
                              block.closed ? QString() : QStringLiteral("+")));
    }
    return parts.join(u'|');
}

} // namespace

class TestBlockParser : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void whole_data();
    void whole();
    void everySplitGivesTheSame_data() { whole_data(); }
    void everySplitGivesTheSame();
    void characterByCharacterKeepsEarlierBlocks_data() { whole_data(); }
    void characterByCharacterKeepsEarlierBlocks();
    void openBlocksShowWhatHasCome();
    void eachPartIsABlock();
    void partsGrowPieceByPiece();
};

void TestBlockParser::whole_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("blocks");
    const auto row = [](const char* name, const char* text, const char* blocks) {
        QTest::newRow(name) << QString::fromUtf8(text) << QString::fromUtf8(blocks);
    };
    row("empty", "", "");
    row("plain", "Hello\nthere", "text()[Hello\nthere]");
    row("empty lines around", "\n\n  Hello\n\n", "text()[  Hello]");
    row("code", "See:\n```cpp\nint a;\n\n  b\n```\nDone", "text()[See:]|code(cpp)[int a;\n\n  b]|text()[Done]");
    row("code alone", "```\nx\n```", "code()[x]");
    row("empty code", "```\n```\n", "code()[]");
    row("unclosed code", "```py\nx = 1\n", "code(py)[x = 1]");
    row("tilde fence", "~~~ sh extra\na\n```\n~~~", "code(sh)[a\n```]");
    row("longer fence holds shorter", "````\n```\na\n```\n````\nb", "code()[```\na\n```]|text()[b]");
    row("indented fence", "  ```\n  a\n  ```\nb", "code()[  a]|text()[b]");
    row("four spaces are no fence", "    ```\na", "text()[    ```\na]");
    row("inline code is text", "`a` and ``b`` and ```c``` d\ne", "text()[`a` and ``b`` and ```c``` d\ne]");
    row("fence in mid-line is text", "a ```\nb", "text()[a ```\nb]");
    row("two backticks", "``\na", "text()[``\na]");
    row("fence at the end", "a\n```", "text()[a\n```]");
    row("tags are text", "<think>a</think>\n<tool_call>\n{}\n</tool_call>",
        "text()[<think>a</think>\n<tool_call>\n{}\n</tool_call>]");
    row("characters beyond ASCII", "\xc3\xa4\xf0\x9f\x98\x80\n```\n\xe2\x82\xac\n```",
        "text()[\xc3\xa4\xf0\x9f\x98\x80]|code()[\xe2\x82\xac]");
}

void TestBlockParser::whole() {
    QFETCH(QString, text);
    QFETCH(QString, blocks);
    QCOMPARE(shape(BlockParser::parse(text)), blocks);
}

void TestBlockParser::everySplitGivesTheSame() {
    QFETCH(QString, text);
    QFETCH(QString, blocks);
    for (qsizetype first = 0; first <= text.size(); ++first) {
        for (qsizetype second = first; second <= text.size(); ++second) {
            BlockParser parser;
            parser.append(QStringView(text).left(first));
            parser.append(QStringView(text).mid(first, second - first));
            parser.append(QStringView(text).mid(second));
            parser.finish();
            QCOMPARE(shape(parser.blocks()), blocks);
        }
    }
}

void TestBlockParser::characterByCharacterKeepsEarlierBlocks() {
    QFETCH(QString, text);
    BlockParser parser;
    std::vector<Block> before;
    for (const QChar c : text) {
        parser.append(QStringView(&c, 1));
        const std::vector<Block> now = parser.blocks();
        QVERIFY(now.size() >= before.size());
        for (size_t i = 0; i + 1 < before.size(); ++i) QCOMPARE(shape({now[i]}), shape({before[i]}));
        before = now;
    }
}

void TestBlockParser::openBlocksShowWhatHasCome() {
    BlockParser parser;
    parser.append(u"See:\n```cpp\nint a;\nint");
    QCOMPARE(shape(parser.blocks()), QStringLiteral("text()[See:]|code(cpp)[int a;\nint]+"));
    parser.append(u" b;\n```");
    QCOMPARE(shape(parser.blocks()), QStringLiteral("text()[See:]|code(cpp)[int a;\nint b;]+"));
    parser.append(u"\nDone");
    QCOMPARE(shape(parser.blocks()), QStringLiteral("text()[See:]|code(cpp)[int a;\nint b;]|text()[Done]+"));
}

void TestBlockParser::eachPartIsABlock() {
    const std::vector<MessagePart> parts{
        {.kind = PartKind::Thought, .text = "Hm.\n```\na\n```\n"},
        {.kind = PartKind::Text, .text = "I look.\n```\nb\n```\n"},
        {.kind = PartKind::ToolCall, .tool = "get_time", .arguments = "{\"zone\":\"UTC\"}"},
        {.kind = PartKind::ToolCall, .tool = "f", .arguments = "x y"},
        {.kind = PartKind::ToolCall, .code = "print(1)"},
        {.kind = PartKind::ToolResult, .text = "12:00", .tool = "get_time"},
        {.kind = PartKind::Thought, .text = "\n\n"},
        {.kind = PartKind::Text, .text = "<think>"},
    };
    QCOMPARE(shape(MessageBlocks::of(parts)),
             QStringLiteral("thought()[Hm.\n```\na\n```]|text()[I look.]|code()[b]|"
                            "call(get_time)[{\n    \"zone\": \"UTC\"\n}]|call(f)[x y]|call()[print(1)]|"
                            "result(get_time)[12:00]|text()[<think>]"));
}

void TestBlockParser::partsGrowPieceByPiece() {
    MessageBlocks blocks;
    blocks.add({0, {.kind = PartKind::Thought, .text = "Hm"}});
    QCOMPARE(shape(blocks.blocks()), QStringLiteral("thought()[Hm]+"));
    blocks.add({0, {.kind = PartKind::Thought, .text = "m"}});
    blocks.add({1, {.kind = PartKind::Text, .text = "So\n``"}});
    QCOMPARE(shape(blocks.blocks()), QStringLiteral("thought()[Hmm]|text()[So]+"));
    blocks.add({1, {.kind = PartKind::Text, .text = "`\na"}});
    QCOMPARE(shape(blocks.blocks()), QStringLiteral("thought()[Hmm]|text()[So]|code()[a]+"));
    blocks.add({2, {.kind = PartKind::ToolCall, .tool = "f", .arguments = "{}"}});
    QCOMPARE(shape(blocks.blocks()), QStringLiteral("thought()[Hmm]|text()[So]|code()[a]|call(f)[{\n}]"));
    blocks.finish();
    QCOMPARE(shape(blocks.blocks()), QStringLiteral("thought()[Hmm]|text()[So]|code()[a]|call(f)[{\n}]"));
}

QTEST_APPLESS_MAIN(TestBlockParser)
#include "tst_block_parser.moc"
