// SPDX-License-Identifier: Apache-2.0
// The examples of the CommonMark spec (commonmark/README.md): each gives the blocks that its HTML shows, parsed as one
// slice and streamed character by character. What is not supported is listed with its reason.
#include "app/markdown/markdown_shapes.h"
#include "markdown/block_parser.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QUrl>
#include <QtTest>

#include <map>
#include <set>

using namespace coterie;
using namespace coterie::app;
using coterie::tests::shapeOf;

namespace {

/// Sections of the spec that are not supported.
const std::map<QString, const char*> kSections{
    {QStringLiteral("HTML blocks"), "raw HTML is shown as text"},
    {QStringLiteral("Raw HTML"), "raw HTML is shown as text"},
    {QStringLiteral("Link reference definitions"), "a definition is shown as text, because a slice can't know it"},
};

/// Single examples of other sections that are not supported.
const std::map<int, const char*>& unsupported() {
    static const std::map<int, const char*> examples{
#include "commonmark/unsupported.inc"
    };
    return examples;
}

/// Makes blocks from the HTML of an example, which has few kinds of tags.
class HtmlBlocks {
  public:
    explicit HtmlBlocks(const QString& html) : html_(html) {
        while (at_ < html_.size()) {
            if (html_[at_] == u'<')
                tag();
            else
                text();
        }
    }

    std::vector<TextBlock> blocks;

  private:
    static QString unescaped(QString text) {
        return text.replace(QLatin1String("&lt;"), QLatin1String("<"))
            .replace(QLatin1String("&gt;"), QLatin1String(">"))
            .replace(QLatin1String("&quot;"), QLatin1String("\""))
            .replace(QLatin1String("&amp;"), QLatin1String("&"));
    }
    static QString attribute(const QString& tag, const char* name) {
        const QString begin = QLatin1String(name) + QStringLiteral("=\"");
        const qsizetype at = tag.indexOf(begin);
        if (at < 0) return {};
        const qsizetype from = at + begin.size();
        return unescaped(tag.mid(from, tag.indexOf(u'"', from) - from));
    }

    void begin(TextBlock::Kind kind, int level = 0) {
        end();
        blocks.push_back({.kind = kind, .level = level, .nesting = nesting_});
        for (TextNest& nest : nesting_) nest.first = false;
        open_ = true;
    }
    void end() {
        if (open_ && blocks.back().text.endsWith(u'\n')) blocks.back().truncate(blocks.back().text.size() - 1);
        open_ = false;
    }
    void add(QString text) {
        if (!open_) {
            begin(TextBlock::Kind::Paragraph);
            if (text.startsWith(u'\n')) text.remove(0, 1);
        }
        TextBlock piece{.text = text};
        TextFormat format{.length = text.size()};
        for (const auto& [style, target] : spans_) {
            format.style |= style;
            if (!target.isEmpty()) format.target = target;
        }
        if (format.style) piece.formats = {format};
        blocks.back().append(piece, 0);
    }
    void text() {
        const qsizetype end = html_.indexOf(u'<', at_);
        const QString text = html_.mid(at_, (end < 0 ? html_.size() : end) - at_);
        at_ += text.size();
        if (open_ || !text.trimmed().isEmpty()) add(unescaped(text));
    }
    void tag() {
        const qsizetype close = html_.indexOf(u'>', at_);
        const QString tag = html_.mid(at_ + 1, close - at_ - 1);
        at_ = close + 1;
        const QString name = tag.section(u' ', 0, 0);
        const auto span = [&](uint16_t style, const QString& target = {}) {
            if (!open_) begin(TextBlock::Kind::Paragraph);
            spans_.push_back({style, target});
        };
        if (name == u"p")
            begin(TextBlock::Kind::Paragraph);
        else if (name == u"hr")
            begin(TextBlock::Kind::Rule);
        else if (name.size() == 2 && name[0] == u'h' && name[1].isDigit())
            begin(TextBlock::Kind::Heading, name[1].digitValue());
        else if (name == u"pre")
            begin(TextBlock::Kind::Code);
        else if (name == u"code" && open_ && blocks.back().kind == TextBlock::Kind::Code &&
                 blocks.back().text.isEmpty())
            blocks.back().label = attribute(tag, "class").mid(9); // "language-"
        else if (name == u"code")
            span(TextFormat::Code);
        else if (name == u"em")
            span(TextFormat::Emphasis);
        else if (name == u"strong")
            span(TextFormat::Strong);
        else if (name == u"a")
            span(TextFormat::Link, attribute(tag, "href"));
        else if (name == u"/code" || name == u"/em" || name == u"/strong" || name == u"/a") {
            if (!spans_.empty()) spans_.pop_back();
        } else if (name == u"br")
            at_ += 1, add(QStringLiteral("\n"));
        else if (name == u"img") {
            const QString source = attribute(tag, "src"), alt = attribute(tag, "alt");
            span(TextFormat::Image, source);
            add(alt.isEmpty() ? source : alt + QStringLiteral(" (") + source + u')');
            spans_.pop_back();
        } else if (name == u"blockquote")
            end(), nesting_.push_back({.kind = TextNest::Kind::Quote, .first = true});
        else if (name == u"ul" || name == u"ol") {
            end();
            const QString start = attribute(tag, "start");
            lists_.push_back(name == u"ul" ? -1 : start.isEmpty() ? 1 : start.toInt());
        } else if (name == u"li") {
            end();
            const bool number = lists_.back() >= 0;
            nesting_.push_back({.kind = number ? TextNest::Kind::Number : TextNest::Kind::Bullet,
                                .first = true,
                                .number = number ? lists_.back()++ : 0});
        } else if (name == u"/li") {
            if (nesting_.back().first) begin(TextBlock::Kind::Paragraph);
            end();
            nesting_.pop_back();
        } else if (name == u"/blockquote")
            end(), nesting_.pop_back();
        else if (name == u"/ul" || name == u"/ol")
            end(), lists_.pop_back();
        else
            end(); // the end of a paragraph, a heading or code
    }

    QString html_;
    qsizetype at_ = 0;
    bool open_ = false;
    std::vector<TextNest> nesting_;
    std::vector<int> lists_; ///< number of the next item; -1: bullets
    std::vector<std::pair<uint16_t, QString>> spans_;
};

/// The HTML has addresses with percent signs where the Markdown has characters.
QString comparable(std::vector<TextBlock> blocks) {
    std::erase_if(blocks, [](const TextBlock& block) {
        return block.kind == TextBlock::Kind::Paragraph && block.text.isEmpty() && block.nesting.empty();
    });
    return QUrl::fromPercentEncoding(shapeOf(blocks).toUtf8());
}

std::vector<TextBlock> streamed(const QString& text) {
    TextDocument document;
    BlockParser parser(document, 0);
    for (const QChar c : text) parser.append(QStringView(&c, 1));
    parser.finish();
    return document.blocks();
}

} // namespace

class TestCommonmark : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void examplesOfTheSpec_data();
    void examplesOfTheSpec();
    void unsupportedExamplesLoseNoWord_data();
    void unsupportedExamplesLoseNoWord();

  private:
    static QJsonArray examples();
    static bool supported(const QJsonObject& example);
    static void rows(bool supportedOnes);
};

QJsonArray TestCommonmark::examples() {
    QFile file(QStringLiteral(COMMONMARK_EXAMPLES));
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).array() : QJsonArray();
}

bool TestCommonmark::supported(const QJsonObject& example) {
    return !kSections.contains(example[QStringLiteral("section")].toString()) &&
           !unsupported().contains(example[QStringLiteral("example")].toInt());
}

void TestCommonmark::rows(bool supportedOnes) {
    QTest::addColumn<QString>("markdown");
    QTest::addColumn<QString>("html");
    for (const QJsonValue value : examples()) {
        const QJsonObject example = value.toObject();
        if (supported(example) == supportedOnes)
            QTest::newRow(qPrintable(QString::number(example[QStringLiteral("example")].toInt())))
                << example[QStringLiteral("markdown")].toString() << example[QStringLiteral("html")].toString();
    }
}

void TestCommonmark::examplesOfTheSpec_data() { rows(true); }

void TestCommonmark::examplesOfTheSpec() {
    QFETCH(QString, markdown);
    QFETCH(QString, html);
    const QString expected = comparable(HtmlBlocks(html).blocks);
    QCOMPARE(comparable(parseMarkdown(markdown, {}).blocks), expected);
    QCOMPARE(comparable(streamed(markdown)), expected);
}

void TestCommonmark::unsupportedExamplesLoseNoWord_data() { rows(false); }

/// Whatever is not supported is still shown: each word of the source is there, in a text or an address.
void TestCommonmark::unsupportedExamplesLoseNoWord() {
    QFETCH(QString, markdown);
    const QString shown = shapeOf(streamed(markdown));
    static const QRegularExpression word(QStringLiteral("\\b(?<!&)[A-Za-z]{3,}"));
    for (auto match = word.globalMatch(markdown); match.hasNext();) {
        const QString one = match.next().captured();
        QVERIFY2(shown.contains(one), qPrintable(one + QStringLiteral(" is not in ") + shown));
    }
}

QTEST_APPLESS_MAIN(TestCommonmark)
#include "tst_commonmark.moc"
