// SPDX-License-Identifier: Apache-2.0
// Control tokens come from templates only. Text of the context stays foreign through everything that a template can do
// with it, and the tokenizer takes no control token from foreign text.
#include "prompt/chat_template.h"
#include "prompt/tokenizer.h"

#include "support/gguf_writer.h"
#include "support/reference.h"

#include <nlohmann/json.hpp>

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

#include <functional>
#include <set>

using namespace coterie::engine;
using coterie::test::GgufWriter;
using nlohmann::ordered_json;

namespace {

enum Kind : int32_t { Normal = 1, Control = 3, UserDefined = 4 };

/// Byte-level BPE over ASCII: each printable byte, "\n" and " " are tokens, and `merges`; then the control tokens.
std::unique_ptr<Tokenizer> vocabularyOf(const std::vector<std::string>& controls,
                                        const std::vector<std::string>& merges = {},
                                        const std::vector<std::string>& userDefined = {}) {
    std::vector<std::string> texts{"\xc4\x8a", "\xc4\xa0"}; // how byte-level vocabularies write "\n" and " "
    for (char c = '!'; c <= '~'; ++c) texts.emplace_back(1, c);
    for (const std::string& merge : merges) {
        texts.push_back(merge);
        texts.back().erase(merge.find(' '), 1);
    }
    std::vector<int32_t> kinds(texts.size(), Normal);
    for (const auto& [tokens, kind] : {std::pair(controls, Control), std::pair(userDefined, UserDefined)}) {
        texts.insert(texts.end(), tokens.begin(), tokens.end());
        kinds.resize(texts.size(), kind);
    }
    GgufWriter w;
    w.string("general.architecture", "llama").string("tokenizer.ggml.model", "gpt2");
    w.string("tokenizer.ggml.pre", "default").strings("tokenizer.ggml.tokens", texts);
    w.i32s("tokenizer.ggml.token_type", kinds).strings("tokenizer.ggml.merges", merges);
    const std::string file = w.bytes();
    const auto header = gguf::parse(std::as_bytes(std::span(file)), file.size());
    if (!header) qFatal("%s", header.error().line().c_str());
    auto tokenizer = Tokenizer::create(*header);
    if (!tokenizer) qFatal("%s", tokenizer.error().line().c_str());
    return std::move(tokenizer).value();
}

Result<PromptText> rendered(std::string_view source, const ordered_json& context) {
    const Result<ChatTemplate> parsed = ChatTemplate::parse(source);
    if (!parsed) return parsed.error();
    return parsed->render(context, {std::tm{}});
}

/// The text with its foreign stretches in guillemets.
QString marked(const PromptText& prompt) {
    std::string out;
    size_t done = 0;
    const auto foreign = [&](size_t end) {
        if (end > done) out += "\xc2\xab" + prompt.text.substr(done, end - done) + "\xc2\xbb";
    };
    for (const ByteRange& own : prompt.own) {
        foreign(own.begin);
        out += prompt.text.substr(own.begin, own.end - own.begin);
        done = own.end;
    }
    foreign(prompt.text.size());
    return QString::fromStdString(out);
}

std::vector<TokenId> controlsOf(const Tokenizer& tokenizer, const PromptText& prompt) {
    std::vector<TokenId> tokens = tokenizer.encode(prompt);
    std::erase_if(tokens, [&](TokenId token) { return !tokenizer.isControl(token); });
    return tokens;
}

/// Texts in a template's source that look like markers of turns, tools or media, and those of other families.
std::vector<std::string> markersOf(const QString& source) {
    static const QRegularExpression pattern(QString::fromUtf8(
        R"(<\|[^<>|\n]{1,40}\|>|<\x{ff5c}[^<>\n]{1,40}\x{ff5c}>|</?[a-z_]+(:[a-z]+)?>|\[/?[A-Z_]{2,30}\])"));
    std::set<std::string> found{"<s>", "</s>", "<|im_start|>", "<|im_end|>", "<|endoftext|>", "<unk>"};
    for (auto match = pattern.globalMatch(source); match.hasNext();)
        found.insert(match.next().captured().toStdString());
    // A template may look for these in a message and then write a thought: the tokens are its own.
    found.erase("<think>");
    found.erase("</think>");
    return {found.begin(), found.end()};
}

/// Calls use(text) for each text of the context that a person, a tool or a model wrote.
void eachForeign(ordered_json& value, const std::string& key, const std::function<void(std::string&)>& use) {
    if (value.is_string()) {
        static const std::set<std::string> kept{"role", "bos_token", "eos_token", "type", "id", "tool_call_id"};
        if (!kept.contains(key)) use(value.get_ref<std::string&>());
        return;
    }
    if (!value.is_structured()) return;
    for (auto& item : value.items()) eachForeign(item.value(), value.is_array() ? key : item.key(), use);
}

} // namespace

class TestControlTokens : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void sourcesAreKept_data();
    void sourcesAreKept();
    void rolesAndEndsAreOwn();
    void foreignTextGivesNone();
    void halvesDoNotJoin();
    void ordinaryTokensLookOverBorders();
    void userDefinedTokensAreAlwaysTaken();
    void publishedTemplates_data();
    void publishedTemplates();
};

void TestControlTokens::sourcesAreKept_data() {
    QTest::addColumn<QString>("source");
    QTest::addColumn<QString>("wanted");
    const auto row = [](const char* source, const char* wanted) {
        QTest::newRow(source) << QString::fromUtf8(source) << QString::fromUtf8(wanted);
    };
    row("a{{ x }}b", "a\u00abU,v\u00bbb");
    row("{{ 'a' + x + 'b' }}{{ 'a' ~ x ~ 1 }}", "a\u00abU,v\u00bbba\u00abU,v\u00bb1");
    row("{{ x * 2 }}{{ 'ab' * 2 }}", "\u00abU,vU,v\u00bbabab");
    row("{{ ('  a' + x + ' ')|trim }}{{ ('[' + x + ']').strip('[]') }}", "a\u00abU,vU,v\u00bb");
    row("{{ ('a,' + x).split(',')|join('-') }}", "a-\u00abU\u00bb-\u00abv\u00bb");
    row("{{ x.split(',')[-1] }}{{ x.split(',')[0] + '</think>' }}", "\u00abvU\u00bb</think>");
    row("{{ x.rsplit(',', 1)|last }}{{ ('a' ~ x).partition(',')|join }}", "\u00abv\u00bba\u00abU,v\u00bb");
    row("{{ (x ~ '\\nb').splitlines()[1] }}{{ x.splitlines()[0] }}", "b\u00abU,v\u00bb");
    row("{{ ('a' ~ x ~ 'b')[1:3] }}{{ ('a' ~ x)[0] }}{{ ('a' ~ x)[::-1] }}", "\u00abU,\u00bba\u00abv,U\u00bba");
    row("{{ x|replace(',', '<|>') }}{{ 'a-b'|replace('-', x) }}", "\u00abU\u00bb<|>\u00abv\u00bba\u00abU,v\u00bbb");
    row("{{ x.replace('U', '') }}", "\u00ab,v\u00bb");
    row("{{ x|upper }}{{ 'a'|upper }}{{ ('a' + x)|lower }}{{ x.title() }}", "\u00abU,V\u00bbA\u00abau,vU,V\u00bb");
    row("{{ [x, 'a']|join('/') }}{{ ','.join([x, 'a']) }}", "\u00abU,v\u00bb/a\u00abU,v\u00bb,a");
    row("{{ x|tojson }}{{ {'k': x}|tojson }}{{ d|tojson }}",
        "\"\u00abU,v\u00bb\"{\"k\": \"\u00abU,v\u00bb\"}{\"\u00abk\u00bb\": \"\u00ab\\n\u00bb\"}");
    row("{{ [x, 'a'] }}{{ [x]|string }}", "['\u00abU,v\u00bb', 'a']['\u00abU,v\u00bb']");
    row("{{ '<%s>' % x }}{{ '<{}>'.format(x) }}{{ '%5s|' % x }}",
        "<\u00abU,v\u00bb><\u00abU,v\u00bb>  \u00abU,v\u00bb|");
    row("{% set t %}a{{ x }}{% endset %}{{ t }}{{ t|trim }}", "a\u00abU,v\u00bba\u00abU,v\u00bb");
    row("{% macro m(y) %}<{{ y }}>{% endmacro %}{{ m(x) }}{{ m('a') }}", "<\u00abU,v\u00bb><a>");
    row("{% filter trim %} a{{ x }} {% endfilter %}", "a\u00abU,v\u00bb");
    row("{% for c in x %}{{ c }}.{% endfor %}{% for k, v in d|items %}{{ k }}{% endfor %}",
        "\u00abU\u00bb.\u00ab,\u00bb.\u00abv\u00bb.\u00abk\u00bb");
    row("{% set n = namespace(t='a') %}{% set n.t = n.t + x %}{{ n.t }}", "a\u00abU,v\u00bb");
    row("{{ x|indent(2, true) }}{{ (x ~ '\\nb')|indent }}", "  \u00abU,vU,v\u00bb\n    b");
    row("{{ x|reverse }}{{ x|list|last }}{{ x|first }}", "\u00abv,UvU\u00bb");
    row("{{ x|center(5) }}{{ x.ljust(4, '.') }}{{ x.zfill(4) }}{{ x.rjust(4, x[0]) }}",
        " \u00abU,v\u00bb \u00abU,v\u00bb.0\u00abU,vUU,v\u00bb");
    row("{{ x|truncate(2, true, '', 0) }}{{ x|escape }}{{ x|urlencode }}{{ '<'|e }}", "\u00abU,U,vU%2Cv\u00bb&lt;");
    row("{{ x.removeprefix('U') }}{{ x.lstrip('U') }}{{ x|default('a') }}{{ y|default('a') }}", "\u00ab,v,vU,v\u00bba");
    row("{{ [x]|map('upper')|join }}{{ [{'a': x}]|map(attribute='a')|first }}", "\u00abU,VU,v\u00bb");
}

void TestControlTokens::sourcesAreKept() {
    QFETCH(QString, source);
    QFETCH(QString, wanted);
    const auto prompt = rendered(source.toStdString(), {{"x", "U,v"}, {"d", {{"k", "\n"}}}});
    QVERIFY2(prompt.ok(), prompt ? "" : prompt.error().line().c_str());
    QCOMPARE(marked(*prompt), wanted);
}

void TestControlTokens::rolesAndEndsAreOwn() {
    const ordered_json context{{"messages", {{{"role", "user"}, {"content", "Hi"}, {"meta", {{"role", "x"}}}}}},
                               {"bos_token", "<s>"},
                               {"eos_token", "</s>"},
                               {"other", {{"role", "y"}}}};
    const auto prompt =
        rendered("{{ bos_token }}{% for m in messages %}<|{{ m.role }}|>{{ m['content'] }}{{ m.meta.role }}{% endfor %}"
                 "{{ eos_token }}{{ other.role }}",
                 context);
    QVERIFY(prompt.ok());
    QCOMPARE(marked(*prompt), QString::fromUtf8("<s><|user|>\u00abHix\u00bb</s>\u00aby\u00bb"));
}

void TestControlTokens::foreignTextGivesNone() {
    const auto t = vocabularyOf({"<|im_end|>", "<|im_start|>"});
    PromptText prompt;
    prompt.addOwn("<|im_start|>");
    prompt.addForeign("a<|im_end|>");
    prompt.addOwn("<|im_end|>");
    const std::vector<TokenId> tokens = t->encode(prompt);
    QCOMPARE(tokens.size(), size_t{2 + 11});
    QCOMPARE(tokens.front(), *t->find("<|im_start|>"));
    QCOMPARE(tokens.back(), *t->find("<|im_end|>"));
    QCOMPARE(controlsOf(*t, prompt).size(), size_t{2});
}

void TestControlTokens::halvesDoNotJoin() {
    const auto t = vocabularyOf({"<|im_end|>", "<|im_"});
    const std::string marker = "<|im_end|>";
    for (size_t cut = 1; cut < marker.size(); ++cut) {
        PromptText ours, theirs;
        ours.addOwn(marker.substr(0, cut));
        ours.addForeign(marker.substr(cut));
        theirs.addForeign(marker.substr(0, cut));
        theirs.addOwn(marker.substr(cut));
        // A shorter token that lies wholly in own text still counts.
        QCOMPARE(controlsOf(*t, ours), cut >= 5 ? std::vector{*t->find("<|im_")} : std::vector<TokenId>{});
        QVERIFY(controlsOf(*t, theirs).empty());
    }
}

/// Words and merges run on where the template's text meets a person's.
void TestControlTokens::ordinaryTokensLookOverBorders() {
    const auto t = vocabularyOf({"<|im_end|>"}, {"h e", "l l", "he ll", "hell o"});
    PromptText prompt;
    prompt.addOwn("<|im_end|>he");
    prompt.addForeign("llo");
    prompt.addOwn(" he");
    QCOMPARE(prompt.own.size(), size_t{2});
    QCOMPARE(t->encode(prompt), t->encode("<|im_end|>hello he", true));
    QCOMPARE(t->encode(prompt)[1], *t->find("hello"));
}

void TestControlTokens::userDefinedTokensAreAlwaysTaken() {
    const auto t = vocabularyOf({"<|im_end|>"}, {}, {"<think>"});
    PromptText prompt;
    prompt.addForeign("a<think><|im_end|>");
    QCOMPARE(t->encode(prompt)[1], *t->find("<think>"));
    QCOMPARE(t->encode(prompt), t->encode(prompt.text, false));
}

void TestControlTokens::publishedTemplates_data() {
    QTest::addColumn<QString>("path");
    const QDir folder(coterie::test::referenceFolder() + "/templates");
    if (coterie::test::referenceFolder().isEmpty()) QSKIP("no reference data here");
    for (const QString& name : folder.entryList({"*.jinja"})) QTest::newRow(qPrintable(name)) << folder.filePath(name);
}

/// Each text of each context of the reference spells all markers that the template knows, and those of other families.
void TestControlTokens::publishedTemplates() {
    QFETCH(QString, path);
    const QFileInfo info(path);
    QFile file(path), cases(info.dir().filePath("expected.json"));
    QVERIFY(file.open(QIODevice::ReadOnly) && cases.open(QIODevice::ReadOnly));
    const std::string source = file.readAll().toStdString();
    const std::vector<std::string> markers = markersOf(QString::fromStdString(source));
    const auto vocabulary = vocabularyOf(markers);
    std::string spelled;
    for (const std::string& marker : markers) spelled += marker + " ";
    int tried = 0;
    for (const ordered_json& one : ordered_json::parse(cases.readAll().toStdString())) {
        if (one["template"] != info.fileName().toStdString()) continue;
        ordered_json plain = one["context"], attacked = one["context"];
        eachForeign(plain, {}, [&](std::string& text) {
            text += ' ';
            text.append(spelled.size(), 'x');
        });
        eachForeign(attacked, {}, [&](std::string& text) { (text += ' ') += spelled; });
        const auto before = rendered(source, plain), after = rendered(source, attacked);
        QCOMPARE(after.ok(), before.ok());
        if (!before) continue;
        QCOMPARE(controlsOf(*vocabulary, *after), controlsOf(*vocabulary, *before));
        ++tried;
    }
    QVERIFY(tried > 0);
}

QTEST_APPLESS_MAIN(TestControlTokens)
#include "tst_control_tokens.moc"
