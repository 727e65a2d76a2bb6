// SPDX-License-Identifier: Apache-2.0
// Blocks of an answer: where the text is cut, and that the pieces in which it arrived make no difference.
#include "block_parser.h"

#include <QtTest>

using namespace coterie;
using namespace coterie::app;

namespace {

const char* nameOf(TextBlock::Kind kind) {
    switch (kind) {
    case TextBlock::Kind::Paragraph:
        return "text";
    case TextBlock::Kind::Code:
        return "code";
    case TextBlock::Kind::Thought:
        return "thought";
    case TextBlock::Kind::ToolCall:
        return "call";
    case TextBlock::Kind::ToolResult:
        return "result";
    }
    return "";
}

/// Writes blocks as "text()[Hello]|code(cpp)[int a;]+", where + is a block that is still open.
QString shape(const std::vector<TextBlock>& blocks) {
    QStringList parts;
    for (const TextBlock& block : blocks)
        parts.append(QStringLiteral("%1(%2)[%3]%4")
                         .arg(QString::fromLatin1(nameOf(block.kind)), block.label, block.text,
                              block.closed ? QString() : QStringLiteral("+")));
    return parts.join(u'|');
}

QString shape(const TextDocument& document) { return shape(document.blocks()); }

/// A document into which one text part is cut.
struct Cut {
    TextDocument document;
    BlockParser parser{document, 0};
};

} // namespace

class TestBlockParser : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void whole_data();
    void whole();
    void everySplitGivesTheSame_data() { whole_data(); }
    void everySplitGivesTheSame();
    void characterByCharacterBlocksOnlyGrow_data() { whole_data(); }
    void characterByCharacterBlocksOnlyGrow();
    void openBlocksShowWhatHasCome();
    void usersTextStaysAsItIs();
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
    row("paragraphs", "One\ntwo\n\nthree\n \t\n\n four \n", "text()[One\ntwo]|text()[three]|text()[ four]");
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
    Cut cut;
    cut.parser.append(text);
    cut.parser.finish();
    QCOMPARE(shape(cut.document), blocks);
}

void TestBlockParser::everySplitGivesTheSame() {
    QFETCH(QString, text);
    QFETCH(QString, blocks);
    for (qsizetype first = 0; first <= text.size(); ++first) {
        for (qsizetype second = first; second <= text.size(); ++second) {
            Cut cut;
            cut.parser.append(QStringView(text).left(first));
            cut.parser.append(QStringView(text).mid(first, second - first));
            cut.parser.append(QStringView(text).mid(second));
            cut.parser.finish();
            QCOMPARE(shape(cut.document), blocks);
        }
    }
}

/// Blocks only get more text at their ends, and each says where it stands in the part.
void TestBlockParser::characterByCharacterBlocksOnlyGrow() {
    QFETCH(QString, text);
    Cut cut;
    std::vector<TextBlock> before;
    for (const QChar c : text) {
        cut.parser.append(QStringView(&c, 1));
        const std::vector<TextBlock>& now = cut.document.blocks();
        QVERIFY(now.size() >= before.size());
        for (size_t i = 0; i < before.size(); ++i) {
            QVERIFY2(now[i].text.startsWith(before[i].text), qPrintable(shape(now)));
            if (before[i].closed) QCOMPARE(shape({now[i]}), shape({before[i]}));
            QCOMPARE(text.mid(now[i].offset, now[i].text.size()), now[i].text);
        }
        before = now;
    }
}

void TestBlockParser::openBlocksShowWhatHasCome() {
    Cut cut;
    cut.parser.append(u"See:\n```cpp\nint a;\nint");
    QCOMPARE(shape(cut.document), QStringLiteral("text()[See:]|code(cpp)[int a;\nint]+"));
    cut.parser.append(u" b;\n```");
    QCOMPARE(shape(cut.document), QStringLiteral("text()[See:]|code(cpp)[int a;\nint b;]+"));
    cut.parser.append(u"\nDone");
    QCOMPARE(shape(cut.document), QStringLiteral("text()[See:]|code(cpp)[int a;\nint b;]|text()[Done]+"));
}

void TestBlockParser::usersTextStaysAsItIs() {
    const QString text = QStringLiteral("  See:\n\n```cpp\nint a;\n```\n");
    TextDocument document;
    MessageBlocks::fillVerbatim(document, std::vector<MessagePart>{{.kind = PartKind::Text, .text = text}});
    QCOMPARE(shape(document), QStringLiteral("text()[%1]").arg(text));
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
    TextDocument document;
    MessageBlocks::fill(document, parts);
    QCOMPARE(shape(document),
             QStringLiteral("thought()[Hm.\n```\na\n```]|text()[I look.]|code()[b]|"
                            "call(get_time)[{\n    \"zone\": \"UTC\"\n}]|call(f)[x y]|call()[print(1)]|"
                            "result(get_time)[12:00]|text()[<think>]"));
    QVERIFY(document.block(0).folded && !document.block(1).folded);
    QCOMPARE(document.block(2).part, 1);
    QCOMPARE(document.block(2).offset, 12);
    QCOMPARE(document.block(3).offset, -1); // it is not the text that the model wrote
}

void TestBlockParser::partsGrowPieceByPiece() {
    TextDocument document;
    MessageBlocks blocks(document);
    blocks.add({0, {.kind = PartKind::Thought, .text = "\n\n Hm"}});
    QCOMPARE(shape(document), QStringLiteral("thought()[ Hm]+"));
    QCOMPARE(document.block(0).offset, 2);
    blocks.add({0, {.kind = PartKind::Thought, .text = "m\n\n"}});
    blocks.add({0, {.kind = PartKind::Thought, .text = "Ah.\n"}});
    blocks.add({1, {.kind = PartKind::Text, .text = "So\n``"}});
    QCOMPARE(shape(document), QStringLiteral("thought()[ Hmm\n\nAh.]|text()[So]+"));
    blocks.add({1, {.kind = PartKind::Text, .text = "`\na"}});
    QCOMPARE(shape(document), QStringLiteral("thought()[ Hmm\n\nAh.]|text()[So]|code()[a]+"));
    blocks.add({2, {.kind = PartKind::ToolCall, .tool = "f", .arguments = "{}"}});
    blocks.add({2, {.kind = PartKind::ToolCall, .text = "more words"}});
    blocks.add({3, {.kind = PartKind::ToolResult, .text = "12", .tool = "f"}});
    blocks.add({3, {.kind = PartKind::ToolResult, .text = ":00"}});
    const QString all = QStringLiteral("thought()[ Hmm\n\nAh.]|text()[So]|code()[a]|call(f)[{\n}]|result(f)[12:00]");
    QCOMPARE(shape(document), all + u'+');
    blocks.finish();
    QCOMPARE(shape(document), all);
}

QTEST_APPLESS_MAIN(TestBlockParser)
#include "tst_block_parser.moc"
