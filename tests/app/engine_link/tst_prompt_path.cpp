// SPDX-License-Identifier: Apache-2.0
// The prompts that the program sends to the real engine: a conversation becomes the prompt that the model's turns
// require.
#include "fakes/forwarding_session.h"
#include "shell/app.h"
#include "support/tiny_model.h"

#include <QDir>
#include <QTemporaryDir>
#include <QtTest>

#include <mutex>

using namespace coterie;
using namespace coterie::app;

namespace {

/// The prompts of all answers, put back into text.
struct Prompts {
    std::mutex mutex;
    std::vector<std::string> texts;
};

/// Answers with one token, and records the tokens of the prompt.
class Listening : public test::ForwardingSession {
  public:
    Listening(std::unique_ptr<engine::Session> inner, Prompts& prompts)
        : ForwardingSession(std::move(inner)), prompts_(prompts) {}

    engine::Result<engine::Generated> chat(std::span<const engine::Message> conversation,
                                           const engine::GenerateOptions& options,
                                           const engine::DeltaCallback& onDelta) override {
        note(promptTokens(conversation, options));
        return ForwardingSession::chat(conversation, shortened(options), onDelta);
    }
    engine::Result<engine::Generated> complete(std::string_view text, const engine::GenerateOptions& options,
                                               const engine::DeltaCallback& onDelta) override {
        note(textTokens(text, options));
        return ForwardingSession::complete(text, shortened(options), onDelta);
    }

  private:
    static engine::GenerateOptions shortened(engine::GenerateOptions options) {
        options.maxTokens = 1;
        return options;
    }
    void note(const engine::Result<std::vector<engine::TokenId>>& tokens) {
        const std::lock_guard lock(prompts_.mutex);
        prompts_.texts.emplace_back();
        for (const engine::TokenId token : *tokens)
            prompts_.texts.back() +=
                tokenizer().isControl(token) ? tokenizer().tokenText(token) : tokenizer().decode(token);
    }

    Prompts& prompts_;
};

} // namespace

class TestPromptPath : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void aConversationBecomesAPrompt_data();
    void aConversationBecomesAPrompt();
};

void TestPromptPath::aConversationBecomesAPrompt_data() {
    QTest::addColumn<QString>("chatTemplate");
    QTest::addColumn<QString>("wanted");
    QTest::newRow("template") << "{% for m in messages %}[{{ m.role }} {{ m.content }}]{% endfor %}<|im_end|>"
                              << "[system Be kind][user Hello]<|im_end|>";
    const QString chatMl = "<|im_start|>system\nBe kind<|im_end|>\n<|im_start|>user\nHello<|im_end|>\n"
                           "<|im_start|>assistant\n";
    QTest::newRow("no template, but ChatML's control tokens") << QString() << chatMl;
    QTest::newRow("a template that can't be read") << "{% if %}" << chatMl;
}

void TestPromptPath::aConversationBecomesAPrompt() {
    QFETCH(QString, chatTemplate);
    QFETCH(QString, wanted);
    const QTemporaryDir folder;
    const QString path = QDir(folder.path()).filePath(QStringLiteral("tiny.gguf"));
    QVERIFY(test::saveTinyModel({.chatTemplate = chatTemplate.toStdString()}, path.toStdString()));
    Prompts prompts;
    const engine::SessionFactory factory =
        [&prompts](const engine::OpenOptions& options) -> engine::Result<std::unique_ptr<engine::Session>> {
        auto real = engine::openSession(options);
        if (!real) return real.error();
        return std::unique_ptr<engine::Session>(new Listening(std::move(real).value(), prompts));
    };
    App app({.dataFolder = QDir(folder.path()).filePath(QStringLiteral("data")), .factory = factory, .model = path});
    app.settings()->autoTitles = false; // only the chat itself is read
    app.start();
    QTRY_COMPARE(app.models()->state(), ModelController::Ready);
    app.settings()->systemPrompt = QStringLiteral("Be kind");
    QVERIFY(app.conversation()->send(QStringLiteral("Hello")));
    QTRY_COMPARE(app.conversation()->messages()->count(), 2);
    QTRY_COMPARE(app.conversation()->state(), Conversation::Idle);
    const std::lock_guard lock(prompts.mutex);
    QCOMPARE(prompts.texts.size(), size_t{1});
    QCOMPARE(QString::fromStdString(prompts.texts.front()), wanted);
}

QTEST_MAIN(TestPromptPath)
#include "tst_prompt_path.moc"
