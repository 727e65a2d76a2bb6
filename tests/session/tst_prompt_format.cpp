// SPDX-License-Identifier: Apache-2.0
// Which way a conversation becomes a prompt, and what the three ways write.
#include "gguf/gguf.h"
#include "session/prompt_format.h"
#include "support/tiny_model.h"

#include <QtTest>

using namespace coterie::engine;
using namespace coterie::test;

namespace {

/// A model's header and vocabulary, without weights.
struct Vocabulary {
    explicit Vocabulary(const TinyModelOptions& options) : Vocabulary(makeTinyModel(options)) {}
    explicit Vocabulary(TinyModel made) : model(std::move(made)) {
        Result<gguf::Header> parsed = gguf::parse(std::as_bytes(std::span(model.bytes)), model.bytes.size());
        if (!parsed) return;
        header = std::move(parsed).value();
        Result<std::unique_ptr<Tokenizer>> read = Tokenizer::create(header);
        if (read) tokenizer = std::move(read).value();
    }
    TinyModel model;
    gguf::Header header;
    std::unique_ptr<Tokenizer> tokenizer;
};

const std::vector<Message> kTalk{
    {Role::System, "Be brief."}, {Role::User, "Hi"}, {Role::Assistant, "Hello"}, {Role::User, "Bye"}};

/// The same file with the ChatML markers spelt another way.
TinyModel withoutMarkers() {
    TinyModelOptions options;
    options.chatTemplate = "";
    TinyModel model = makeTinyModel(options);
    for (size_t at = 0; (at = model.bytes.find("<|im_", at)) != std::string::npos;) model.bytes[at + 2] = 'x';
    return model;
}

} // namespace

class TestPromptFormat : public QObject {
    Q_OBJECT

  private slots:
    void theFilesTemplateComesFirst() {
        TinyModelOptions options;
        options.chatTemplate = "{% for m in messages %}[{{ m.role }}:{{ m.content }}]{% endfor %}"
                               "{{ bos_token }}{{ eos_token }}{% if add_generation_prompt %}>{% endif %}"
                               "{% if enable_thinking is defined %}{{ enable_thinking }}{% endif %}";
        const Vocabulary v(options);
        QVERIFY(v.tokenizer);
        std::vector<std::string> notes;
        const PromptFormat format = PromptFormat::choose(v.header, *v.tokenizer, notes);
        QVERIFY(format.fromFile() && format.marksTurns() && notes.empty());
        const std::string start = "[system:Be brief.][user:Hi][assistant:Hello][user:Bye]<|endoftext|><|im_end|>>";
        QCOMPARE(format.render(kTalk, {}).value(), start);
        QCOMPARE(format.render(kTalk, {.thinking = true}).value(), start + "True");
        QCOMPARE(format.render(kTalk, {.thinking = false}).value(), start + "False");
    }

    void whatTheTemplateRefusesIsToldInItsWords() {
        TinyModelOptions options;
        options.chatTemplate = "{{ raise_exception('only two turns') }}";
        const Vocabulary v(options);
        std::vector<std::string> notes;
        const Result<std::string> text = PromptFormat::choose(v.header, *v.tokenizer, notes).render(kTalk, {});
        QVERIFY(!text);
        QCOMPARE(text.error().kind, ErrorKind::BadInput);
        QVERIFY(text.error().why.find("only two turns") != std::string::npos);
    }

    void chatMlWhereTheVocabularyKnowsIt() {
        TinyModelOptions options;
        options.chatTemplate = "";
        const Vocabulary v(options);
        std::vector<std::string> notes;
        const PromptFormat format = PromptFormat::choose(v.header, *v.tokenizer, notes);
        QVERIFY(!format.fromFile() && format.marksTurns());
        QCOMPARE(notes.size(), size_t(1));
        QVERIFY(QString::fromStdString(notes.front()).contains("no chat template"));
        QCOMPARE(
            format.render(kTalk, {}).value(),
            std::string(
                "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nHi<|im_end|>\n"
                "<|im_start|>assistant\nHello<|im_end|>\n<|im_start|>user\nBye<|im_end|>\n<|im_start|>assistant\n"));
    }

    void aTemplateThatDoesNotParseIsPassedOverAndTold() {
        TinyModelOptions options;
        options.chatTemplate = "{% for m in messages %}{{ m.content }"; // never closed
        const Vocabulary v(options);
        std::vector<std::string> notes;
        const PromptFormat format = PromptFormat::choose(v.header, *v.tokenizer, notes);
        QVERIFY(!format.fromFile() && format.marksTurns());
        QCOMPARE(notes.size(), size_t(1));
        QVERIFY2(QString::fromStdString(notes.front()).contains("can't be used"), notes.front().c_str());
    }

    void elseTheModelContinuesTheText() {
        const Vocabulary v(withoutMarkers());
        QVERIFY(v.tokenizer);
        std::vector<std::string> notes;
        const PromptFormat format = PromptFormat::choose(v.header, *v.tokenizer, notes);
        QVERIFY(!format.fromFile() && !format.marksTurns());
        QCOMPARE(notes.size(), size_t(1));
        const auto text = [&](const std::vector<Message>& talk) { return format.render(talk, {}).value(); };
        QCOMPARE(text({{Role::User, "Once upon a time"}}), std::string("Once upon a time"));
        QCOMPARE(text({{Role::User, "Once upon a time"}, {Role::Assistant, ", there was."}, {Role::User, "Then"}}),
                 std::string("Once upon a time, there was.\nThen"));
        QCOMPARE(text({{Role::User, "Once"}, {Role::Assistant, ", there was."}, {Role::User, " Then"}}),
                 std::string("Once, there was. Then"));
        QCOMPARE(text({{Role::User, ""}, {Role::User, "Once\n"}, {Role::User, "upon"}}), std::string("Once\nupon"));
    }

    void brokenTextIsMendedForTemplates() {
        const Vocabulary v(TinyModelOptions{});
        std::vector<std::string> notes;
        const std::vector<Message> talk{{Role::User, "a\xFF"
                                                     "b"}};
        const Result<std::string> text = PromptFormat::choose(v.header, *v.tokenizer, notes).render(talk, {});
        QVERIFY(text.ok());
        QVERIFY(text->find("a\xEF\xBF\xBD"
                           "b") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestPromptFormat)
#include "tst_prompt_format.moc"
