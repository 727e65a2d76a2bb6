// SPDX-License-Identifier: Apache-2.0
// Utf8Stream gives out only whole characters, however the bytes are cut, and U+FFFD as Unicode demands.
#include "prompt/utf8_stream.h"

#include <QRandomGenerator>
#include <QTest>

using coterie::engine::Utf8Stream;

namespace {

QByteArray bytes(const char* hex) { return QByteArray::fromHex(hex); }

std::string all(const QByteArray& text) {
    Utf8Stream stream;
    std::string out = stream.push({text.constData(), static_cast<size_t>(text.size())});
    return out + stream.finish();
}

} // namespace

class TestUtf8Stream : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void holdsBackUnfinishedCharacters();
    void replaces_data();
    void replaces();
    void cutsDontMatter();
    void agreesWithQt();
};

void TestUtf8Stream::holdsBackUnfinishedCharacters() {
    Utf8Stream stream;
    QCOMPARE(stream.push("a\xf0\x9f"), std::string("a"));
    QCOMPARE(stream.push("\xa6"), std::string());
    QCOMPARE(stream.push("\x99z"), std::string("\xf0\x9f\xa6\x99z"));
    QCOMPARE(stream.push("\xc3"), std::string());
    QCOMPARE(stream.finish(), std::string("\xef\xbf\xbd"));
    QCOMPARE(stream.finish(), std::string()); // nothing stays behind
    QCOMPARE(stream.push("\xa9"), std::string("\xef\xbf\xbd"));
}

void TestUtf8Stream::replaces_data() {
    QTest::addColumn<QByteArray>("in");
    QTest::addColumn<QByteArray>("out"); // "." for U+FFFD
    QTest::newRow("empty") << QByteArray() << QByteArray();
    QTest::newRow("ascii") << QByteArray("plain") << QByteArray("plain");
    QTest::newRow("nul") << QByteArray("a\0b", 3) << QByteArray("a\0b", 3);
    QTest::newRow("the largest") << bytes("f48fbfbf") << bytes("f48fbfbf");
    QTest::newRow("over U+10FFFF") << bytes("f4908080") << QByteArray("....");
    QTest::newRow("overlong slash") << bytes("c0af") << QByteArray("..");
    QTest::newRow("overlong in three") << bytes("e080af") << QByteArray("...");
    QTest::newRow("overlong in four") << bytes("f08080af") << QByteArray("....");
    QTest::newRow("surrogates as in CESU") << bytes("eda080edb080") << QByteArray("......");
    QTest::newRow("five-byte lead") << bytes("f8888080") << QByteArray("....");
    QTest::newRow("lone continuation") << bytes("8061") << QByteArray(".a");
    // Unicode 15, table 3-8.
    QTest::newRow("maximal subparts") << bytes("61f18080e180c262806380bf62") << QByteArray("a...b.c..b");
    QTest::newRow("cut at the end") << bytes("41f09f") << QByteArray("A.");
}

void TestUtf8Stream::replaces() {
    QFETCH(QByteArray, in);
    QFETCH(QByteArray, out);
    const QByteArray wanted = out.replace(".", "\xef\xbf\xbd");
    QCOMPARE(QByteArray::fromStdString(all(in)), wanted);
}

void TestUtf8Stream::cutsDontMatter() {
    const QByteArray text = QByteArray("\xc3\xa4 \xe2\x82\xac \xf0\x9f\xa6\x99 \xff\xe2\x82 \xed\xa0\x80 end\xf0\x9f");
    const std::string whole = all(text);
    for (int first = 0; first <= text.size(); ++first) {
        for (int second = first; second <= text.size(); ++second) {
            Utf8Stream stream;
            const std::string_view view(text.constData(), static_cast<size_t>(text.size()));
            std::string out = stream.push(view.substr(0, static_cast<size_t>(first)));
            out += stream.push(view.substr(static_cast<size_t>(first), static_cast<size_t>(second - first)));
            out += stream.push(view.substr(static_cast<size_t>(second)));
            out += stream.finish();
            QCOMPARE(out, whole);
        }
    }
}

void TestUtf8Stream::agreesWithQt() {
    QRandomGenerator random(1);
    const QByteArray likely = bytes("0061c3a4e282acedf09fa699f4808fbfc0f5ff");
    for (int round = 0; round < 20000; ++round) {
        QByteArray text;
        for (int i = random.bounded(12); i > 0; --i) text += likely.at(random.bounded(int(likely.size())));
        // Valid text passes unchanged, and only that. (How many U+FFFD Qt writes is its own affair.)
        const bool valid = QString::fromUtf8(text).toUtf8() == text;
        QCOMPARE(QByteArray::fromStdString(all(text)) == text, valid);
    }
}

QTEST_APPLESS_MAIN(TestUtf8Stream)
#include "tst_utf8_stream.moc"
