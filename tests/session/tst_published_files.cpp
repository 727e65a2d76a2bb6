// SPDX-License-Identifier: Apache-2.0
// Tests that a family which runs is known as its published files are: each architecture of the decoder's table has an
// entry, whose rules exist, and which agrees with published templates if the reference data are there.
#include "model/model_shape.h"
#include "prompt/pretokenizer.h"
#include "prompt/published_files.h"
#include "session/template_prompt.h"
#include "support/reference.h"

#include <QFile>
#include <QtTest>

using namespace coterie::engine;
using namespace coterie::test;

namespace {

/// Words that stand in every template whose models call tools in this form.
const char* wordsOf(CallForm form) {
    switch (form) {
    case CallForm::HermesJson:
        return "<tool_call>";
    case CallForm::FunctionTags:
        return "<function=";
    case CallForm::ArgumentTags:
        return "<arg_key>";
    case CallForm::PythonCode:
        return "python_tools";
    case CallForm::BareJson:
        return "\"parameters\": ";
    case CallForm::MistralCalls:
        return "[TOOL_CALLS]";
    case CallForm::DeepSeekCalls:
        return "```json";
    case CallForm::GptOssChannels:
        return "<|channel|>commentary";
    case CallForm::SeedTags:
    case CallForm::InvokeTags:
    case CallForm::GraniteJson:
    case CallForm::PythonList:
        break; // no architecture that runs has them
    }
    return "";
}

} // namespace

class TestPublishedFiles : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void everyArchitectureHasItsHabits() {
        for (const Architecture* architecture : architectures()) {
            const std::string name(architecture->name);
            const PublishedFiles* files = findPublishedFiles(name);
            QVERIFY2(files != nullptr, name.c_str());
            QVERIFY2(!files->splitRules.empty() && !files->endTokens.empty(), name.c_str());
            for (const std::string_view rule : files->splitRules)
                QVERIFY2(findPretokenizer(rule) != nullptr, (name + ": " + std::string(rule)).c_str());
            for (const std::string_view token : files->endTokens) QVERIFY2(!token.empty(), name.c_str());
            QVERIFY2(files->thoughtBegin.empty() == files->thoughtEnd.empty(), name.c_str());
        }
        QVERIFY(findPublishedFiles("unheard-of") == nullptr);
        QVERIFY(findPublishedFiles("") == nullptr);
    }

    /// Each template stands for the published files of one architecture.
    void templatesHaveTheHabits_data() {
        QTest::addColumn<QString>("architecture");
        QTest::addColumn<int>("form");
        const auto row = [](const char* name, const char* architecture, CallForm form) {
            QTest::newRow(name) << architecture << static_cast<int>(form);
        };
        row("GLM-4.6", "glm4moe", CallForm::ArgumentTags);
        row("Qwen-QwQ-32B", "qwen2", CallForm::HermesJson);
        row("Qwen-Qwen2.5-7B-Instruct", "qwen2", CallForm::HermesJson);
        row("deepseek-ai-DeepSeek-R1-Distill-Qwen-32B", "qwen2", CallForm::DeepSeekCalls);
        row("Qwen-Qwen3-0.6B", "qwen3", CallForm::HermesJson);
        row("Qwen3-Coder", "qwen3moe", CallForm::FunctionTags);
        row("NousResearch-Hermes-2-Pro-Llama-3-8B-tool_use", "llama", CallForm::HermesJson);
        row("meta-llama-Llama-3.1-8B-Instruct", "llama", CallForm::BareJson);
        row("meta-llama-Llama-3.2-3B-Instruct", "llama", CallForm::BareJson);
        row("mistralai-Mistral-Nemo-Instruct-2407", "llama", CallForm::MistralCalls);
        row("openai-gpt-oss-120b", "gpt-oss", CallForm::GptOssChannels);
    }
    void templatesHaveTheHabits() {
        QFETCH(QString, architecture);
        QFETCH(int, form);
        const PublishedFiles* files = findPublishedFiles(architecture.toStdString());
        QVERIFY(files != nullptr);
        const auto wanted = static_cast<CallForm>(form);
        QVERIFY(files->callForms.has(wanted));
        QFile file(referenceFolder() + "/templates/" + QTest::currentDataTag() + ".jinja");
        if (!file.open(QIODevice::ReadOnly)) QSKIP("the reference templates are not there");
        const std::string source = file.readAll().toStdString();
        const Result<TemplatePrompt> made = TemplatePrompt::probe(source, {});
        QVERIFY(made.ok());
        QVERIFY2(made->knows(wordsOf(wanted)), wordsOf(wanted));
        QCOMPARE(made->abilities().system, files->systemMessage);
        if (made->knows("</think>")) QVERIFY(!files->thoughtBegin.empty());
    }
};

QTEST_APPLESS_MAIN(TestPublishedFiles)
#include "tst_published_files.moc"
