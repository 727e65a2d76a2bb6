// SPDX-License-Identifier: Apache-2.0
// The document of a message: what it tells when it changes, its text as one sequence of characters, and its tokens.
#include "text_samples.h"

#include <QSignalSpy>
#include <QtTest>

using namespace coterie;
using namespace coterie::app;
using coterie::tests::addBlock;
using coterie::tests::Kind;

class TestTextDocument : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void onlyTheLastBlockGrows();
    void foldedTextIsNotShown();
    void flatOffsetsComeBack();
    void tokensAreFoundFromPlaces();
    void placesAreFoundFromTokens();
};

void TestTextDocument::onlyTheLastBlockGrows() {
    TextDocument document;
    const QSignalSpy added(&document, &TextDocument::blockAdded), grew(&document, &TextDocument::blockChanged),
        closed(&document, &TextDocument::lastClosed);
    document.grow(u"nothing to grow");
    document.addBlock({.kind = Kind::Paragraph});
    document.grow(u"One");
    document.grow(u"");
    document.addBlock({.kind = Kind::Code});
    document.grow(u"two");
    document.closeLast();
    document.closeLast();
    document.grow(u"too late");
    QCOMPARE(added.count(), 2);
    QCOMPARE(grew.count(), 2);
    QCOMPARE(closed.count(), 2);
    QCOMPARE(document.text(), QStringLiteral("One\n\ntwo"));
}

void TestTextDocument::foldedTextIsNotShown() {
    TextDocument document;
    addBlock(document, Kind::Paragraph, QStringLiteral("Before"));
    addBlock(document, Kind::Thought, QStringLiteral("Hm"));
    addBlock(document, Kind::Paragraph, QStringLiteral("After"));
    QCOMPARE(document.text(), QStringLiteral("Before\n\nAfter"));
    const QSignalSpy folding(&document, &TextDocument::foldingChanged);
    document.setFolded(1, false);
    document.setFolded(1, false);
    document.setFolded(7, false);
    QCOMPARE(folding.count(), 1);
    QCOMPARE(document.text(), QStringLiteral("Before\n\nHm\n\nAfter"));
    QCOMPARE(document.text({{0, 3}, {2, 2}}), QStringLiteral("ore\n\nHm\n\nAf"));
    QCOMPARE(document.text({{1, 0}, {1, 1}}), QStringLiteral("H"));
}

void TestTextDocument::flatOffsetsComeBack() {
    TextDocument document;
    QCOMPARE(document.length(), 0);
    QVERIFY(document.positionAt(3) == TextPosition{});
    addBlock(document, Kind::Thought, QStringLiteral("hidden"));
    addBlock(document, Kind::Paragraph, QStringLiteral("ab"));
    addBlock(document, Kind::Code, QStringLiteral("cde"));
    QCOMPARE(document.length(), document.text().size());
    for (int block = 1; block <= 2; ++block) {
        for (qsizetype at = 0; at <= document.block(block).text.size(); ++at) {
            const qsizetype flat = document.flatOffset({block, at});
            QVERIFY((document.positionAt(flat) == TextPosition{block, at}));
            if (at < document.block(block).text.size())
                QCOMPARE(document.text().at(flat), document.block(block).text.at(at));
        }
    }
    QVERIFY((document.positionAt(3) == TextPosition{1, 2})); // between the blocks
    QVERIFY((document.positionAt(99) == TextPosition{2, 3}));
    QVERIFY((document.positionAt(-1) == TextPosition{1, 0}));
}

void TestTextDocument::tokensAreFoundFromPlaces() {
    TextDocument document; // part 0 is "One two\n\nthree", part 1 is a call, part 2 is "four"
    addBlock(document, Kind::Paragraph, QStringLiteral("One two"), 0, 0);
    addBlock(document, Kind::Paragraph, QStringLiteral("three"), 0, 9);
    addBlock(document, Kind::ToolCall, QStringLiteral("{}"), 1, -1);
    addBlock(document, Kind::Paragraph, QStringLiteral("four"), 2, 0);
    QCOMPARE(document.tokenAt({0, 0}), -1);
    document.setTokens({{0, 0, 3}, {0, 3, 7}, {0, 7, 9}, {0, 9, 14}, {2, 0, 2}});
    QCOMPARE(document.tokenAt({0, 0}), 0);
    QCOMPARE(document.tokenAt({0, 2}), 0);
    QCOMPARE(document.tokenAt({0, 3}), 1);
    QCOMPARE(document.tokenAt({1, 0}), 3);
    QCOMPARE(document.tokenAt({2, 0}), -1);
    QCOMPARE(document.tokenAt({3, 1}), 4);
    QCOMPARE(document.tokenAt({3, 2}), -1); // no token is known there
    QCOMPARE(document.tokenAt({9, 0}), -1);
    document.setTokens({{0, 0, 14}});
    QCOMPARE(document.tokenAt({3, 1}), -1); // the token belongs to another part
}

void TestTextDocument::placesAreFoundFromTokens() {
    TextDocument document;
    addBlock(document, Kind::Paragraph, QStringLiteral("One two"), 0, 0);
    addBlock(document, Kind::Paragraph, QStringLiteral("three"), 0, 9);
    addBlock(document, Kind::Thought, QStringLiteral("four"), 1, 2);
    using Spans = std::vector<TextSpan>;
    QVERIFY((document.shown({0, 3, 7}) == Spans{{{0, 3}, {0, 7}}}));
    QVERIFY((document.shown({0, 6, 11}) == Spans{{{0, 6}, {0, 7}}, {{1, 0}, {1, 2}}})); // over the empty line
    QVERIFY(document.shown({0, 7, 9}).empty());                                         // the empty line itself
    QVERIFY(document.shown({1, 2, 4}).empty());                                         // folded
    document.setFolded(2, false);
    QVERIFY((document.shown({1, 0, 3}) == Spans{{{2, 0}, {2, 1}}}));
    QVERIFY(document.shown({5, 0, 3}).empty());
}

QTEST_APPLESS_MAIN(TestTextDocument)
#include "tst_text_document.moc"
